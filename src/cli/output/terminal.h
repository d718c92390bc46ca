/* The program's side of the terminal: messages, colour, progress, interruption. */
#ifndef WB_CLI_OUTPUT_TERMINAL_H
#define WB_CLI_OUTPUT_TERMINAL_H

#include "base/status.h"
#include "base/text.h"

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
bool terminal_interrupted(void *context);

/* The progress line: one struct for each long piece of work. */
struct progress {
  char phase[96]; /* a copy, cut off if need be */
  double phase_start;
  double last_shown;
  bool shown;
};
/* A warpbound_options.progress that draws on standard error. */
void terminal_progress(void *context, const char *phase, double fraction);
void terminal_progress_end(struct progress *progress);
/* Whether a progress line is wanted at all: standard error is a terminal. */
bool terminal_shows_progress(void);

#endif
