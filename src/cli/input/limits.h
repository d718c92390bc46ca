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

/* When work under a time limit that begins now is to end, in seconds of a clock of its own; 0:
 * never. */
double limits_deadline(const warpbound_options *limits);
/* Leaves of the time limit what is left until a deadline. */
void limits_shorten(warpbound_options *limits, double deadline);

#endif
