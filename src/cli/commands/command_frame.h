/* What `analyze` says of launches beside each other. */
#ifndef WB_CLI_COMMANDS_COMMAND_FRAME_H
#define WB_CLI_COMMANDS_COMMAND_FRAME_H

#include "cli/input/launches.h"
#include "cli/options/options.h"
#include "warpbound.h"

/* --together, --beside or --graph; OPTION_COUNT: none of them. */
enum option frame_mode(const struct arguments *arguments);

/* Refuses, before any work, what makes no sense with them. Errors: WARPBOUND_USAGE. */
warpbound_status frame_mode_check(const struct arguments *arguments, warpbound_error *error);

/* Analyses the launches of the list together, and writes the result. launches: by row of the list.
 * Errors: those of warpbound_frame_analyse, of the frame of the file, and of the outputs;
 * WARPBOUND_CHECK_FAILED where the upper end is not allowed. */
warpbound_status frame_run(const struct arguments *arguments, const struct launch_list *list,
                           const warpbound_frame_launch *launches, const warpbound_gpu *gpu,
                           warpbound_error *error);

#endif
