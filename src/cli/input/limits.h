/* The limits of a command that works long: the options --time-limit, --memory-limit,
 * --threads and --no-progress. */
#ifndef WB_CLI_INPUT_LIMITS_H
#define WB_CLI_INPUT_LIMITS_H

#include "cli/options/options.h"
#include "cli/output/terminal.h"

/* Reads them into *limits, which the caller has zeroed. Work under these limits stops on
 * Ctrl-C and draws `progress` where standard error is a terminal and --no-progress does
 * not forbid it; borrows progress. Errors: WARPBOUND_USAGE. */
warpbound_status limits_read(const struct arguments *arguments, struct progress *progress,
                             warpbound_options *limits, warpbound_error *error);

/* The time by which work under the limits has to end, for a command that calls the library several
 * times; 0: none. */
double limits_deadline(const warpbound_options *limits);

/* Sets the time limit to what is left until the deadline: the least there is, where it is over. */
void limits_take_rest(double deadline, warpbound_options *limits);

#endif
