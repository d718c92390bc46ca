/* The limits of a command that works long: the options --time-limit, --memory-limit,
 * --threads and --no-progress. */
#ifndef WB_CLI_INPUT_LIMITS_H
#define WB_CLI_INPUT_LIMITS_H

#include "cli/options/options.h"
#include "cli/output/terminal.h"

/* Limits as the library takes them, for all of a command's work. Zero-initialise; not to be copied
 * once read: options borrows progress. */
struct limits {
  warpbound_options options; /* time_limit: what is left of the command's time */
  double deadline;           /* of wb_clock, in seconds; 0: none */
  struct progress progress;
};

/* Reads them; the time begins now. Work under these limits stops on Ctrl-C and draws `progress`
 * where standard error is a terminal and --no-progress does not forbid it. Errors:
 * WARPBOUND_USAGE. */
warpbound_status limits_read(const struct arguments *arguments, struct limits *limits,
                             warpbound_error *error);

/* Leaves of the time limit what is left until the deadline: before each part of the work. */
void limits_shorten(struct limits *limits);

#endif
