/* The program's side of the terminal: messages, colour, progress, interruption. */
#ifndef WB_CLI_OUTPUT_TERMINAL_H
#define WB_CLI_OUTPUT_TERMINAL_H

#include "base/status.h"
#include "base/text.h"
#include "cli/options/options.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether text for people on a stream may be coloured: a terminal, and NO_COLOR not
 * set to anything. */
bool terminal_colour(FILE *stream);
/* Columns of standard output's terminal; 80 where it is none. */
size_t terminal_columns(void);
/* Whether standard output is a terminal. */
bool terminal_shows_output(void);

/* "warpbound: FILE:LINE:COLUMN: MESSAGE" on standard error. */
void terminal_error(const warpbound_error *error);
/* "warpbound: MESSAGE" on standard error. */
void terminal_note(const char *message);

/* Prints a finished text on standard output and frees it; WARPBOUND_INTERNAL where
 * it failed or cannot be written. */
warpbound_status terminal_print(struct wb_text *text, warpbound_error *error);
/* The same of a text that stays the caller's. */
warpbound_status terminal_print_text(const char *text, warpbound_error *error);

/* Ctrl-C: the first asks long work to stop, the second ends the program. */
void terminal_catch_interrupts(void);

/* The progress line: one struct for each long piece of work. */
struct progress {
  char phase[96]; /* a copy, cut off if need be */
  double phase_start;
  double last_shown;
  bool shown;
};
/* Ends the line that was drawn, if one was. */
void terminal_progress_end(struct progress *progress);

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
