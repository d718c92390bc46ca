/* What `check` and `merge` print and write, from the object of results. */
#ifndef WB_CLI_CHECK_CHECK_OUTPUTS_H
#define WB_CLI_CHECK_CHECK_OUTPUTS_H

#include "cli/check/check_results.h"

#include <jansson.h>

/* Refuses, before any work, files that could not be written. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INVALID_INPUT. */
warpbound_status check_outputs_try(const struct arguments *arguments, warpbound_error *error);

/* Refuses, before any work, a baseline that is to be read and is not there. Errors:
 * WARPBOUND_INVALID_INPUT. */
warpbound_status check_gate_try(const struct arguments *arguments, const struct check_gate *gate,
                                warpbound_error *error);

/* Prints what the analyses have to say, and why launches have no bound, on standard error. */
void check_messages_print(const json_t *results);

/* Compares with the baseline, prints, writes the files of the command's options, and says how it
 * went: the status is the command's. */
warpbound_status check_outputs_write(const struct arguments *arguments,
                                     const struct check_gate *gate, const json_t *results,
                                     warpbound_error *error);

/* Reads "5", "5%", "0.25%" into hundredths of a percent; `of` begins the message: "--fail-above".
 * Errors: WARPBOUND_USAGE. */
warpbound_status check_limit_read(const char *of, const char *text, uint64_t *limit,
                                  warpbound_error *error);

#endif
