/* From options to the path of a PTX kernel that is wanted. */
#ifndef WB_CLI_INPUT_PATH_INPUT_H
#define WB_CLI_INPUT_PATH_INPUT_H

#include "base/arena.h"
#include "cli/options/options.h"
#include "warpbound.h"

/* The lists of the options. Zero it; free the arena. Their texts are the arguments'. */
struct path_input {
  struct wb_arena arena;
  warpbound_call_assumption *calls;
  warpbound_loop_iterations *loops;
};

/* Reads --loop-iterations, --iterations, --through, --take, --path and --assume-call into *options,
 * which borrows *input. Errors: WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT where an instance file has
 * what is wrong, WARPBOUND_INTERNAL. */
warpbound_status path_input_read(struct arguments *arguments, struct path_input *input,
                                 warpbound_paths_options *options, warpbound_error *error);

/* Names the instance file in an error of warpbound_paths_find about an --assume-call that stands
 * there. */
void path_input_blame(const struct arguments *arguments, const struct path_input *input,
                      warpbound_error *error);

#endif
