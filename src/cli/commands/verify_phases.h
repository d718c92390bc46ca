/* The check of bounds that add up over phases: each phase's certificate by its own checker, then
 * their sum. */
#ifndef WB_CLI_COMMANDS_VERIFY_PHASES_H
#define WB_CLI_COMMANDS_VERIFY_PHASES_H

#include "base/control.h"
#include "base/status.h"

#include <jansson.h>
#include <stdint.h>

/* Checks the object of a phases file. WARPBOUND_OK sets the number of warps and the cycles that are
 * proven for them. WARPBOUND_CHECK_FAILED: *error says what is refused, without the file's name.
 * Other errors: those of the files and of the checkers. */
warpbound_status verify_phases(const char *name, const json_t *object,
                               const struct wb_control *control, uint64_t *warps, uint64_t *cycles,
                               warpbound_error *error);

#endif
