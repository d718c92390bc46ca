/* What the program writes: the options of a command that name a file; messages, colour, progress
 * and interruption on the terminal; and the limits of a command that works long. */
#ifndef WB_CLI_OUTPUT_OUTPUTS_H
#define WB_CLI_OUTPUT_OUTPUTS_H

#include "base/status.h"
#include "base/text.h"
#include "cli/options/options.h"
#include "report/analyze/analyze_report.h"
#include "report/cfg/cfg_report.h"
#include "warpbound.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Refuses empty names and "-", names under which an output would replace another, or the input, and
 * files that could not be written: before any work. All options of GROUP_FILES that were given are
 * outputs. Errors: WARPBOUND_USAGE. */
warpbound_status outputs_check(const struct arguments *arguments, warpbound_error *error);

/* Makes the folder of an option, and tries its index.html: before any work. Errors:
 * WARPBOUND_USAGE. */
warpbound_status output_folder_check(const char *folder, enum option option,
                                     warpbound_error *error);

/* Whether the value of --report is a page and no folder; tries it, or makes the folder. Errors:
 * WARPBOUND_USAGE. */
bool output_is_page(const char *name);
warpbound_status output_page_check(const struct arguments *arguments, warpbound_error *error);

/* Writes a text, which is freed, to a file. Errors: those of wb_file_write; WARPBOUND_INTERNAL
 * where the text failed. */
warpbound_status output_write(const char *name, struct wb_text *text, warpbound_error *error);

/* The same of a text that the library handed out. Errors: those of wb_file_write. */
warpbound_status output_write_text(const char *name, char *text, warpbound_error *error);

/* The same to the file of --output, or to standard output where there is none. */
warpbound_status output_or_print(const struct arguments *arguments, char *text,
                                 warpbound_error *error);

/* Writes the graph for Graphviz and the picture, whichever is asked for; the graph also where there
 * is no picture to be had. Errors: WARPBOUND_USAGE, WARPBOUND_LIMIT, WARPBOUND_INTERNAL. */
warpbound_status graph_files_write(const struct arguments *arguments,
                                   const struct wb_cfg_report *report,
                                   const warpbound_options *limits, warpbound_error *error);

/* The bounds of a command so far. Zero-initialise; proof_free. */
struct proof {
  size_t bounds, estimates;
  struct wb_text first; /* of the first estimate: what makes it one */
};

/* Counts a bound. doubts: what makes it an estimate, for people, of one that is named in it; empty:
 * it is proven. Frees *doubts. */
void proof_record(struct proof *proof, struct wb_text *doubts);

/* WARPBOUND_CHECK_FAILED, with a message, where a proof is asked for and a bound is an estimate. */
warpbound_status proof_judge(const struct proof *proof, const struct arguments *arguments,
                             warpbound_error *error);
void proof_free(struct proof *proof);

/* What a sweep changed. Borrows. */
struct sweep_axis {
  const char *subject; /* "block"; NULL: there is no sweep */
  const uint64_t *at;  /* by report: its number */
};

/* Refuses, before any work, names of files that could not be written, and those that make no sense
 * with the other options. Errors: WARPBOUND_USAGE, and those of wb_file_try. */
warpbound_status analyze_files_check(const struct arguments *arguments, warpbound_error *error);

/* Writes the page of --report, of a launch that may lack facts. Errors: those of wb_file_write. */
warpbound_status analyze_files_write_page(const struct arguments *arguments,
                                          const struct wb_launch_report *report,
                                          const warpbound_options *limits, warpbound_error *error);

/* Writes the files of --report-ci, where some launches, or all, may have been refused. Errors:
 * those of wb_file_write. */
warpbound_status analyze_files_write_ci(const struct arguments *arguments,
                                        const struct wb_launch_report *reports, size_t count,
                                        const struct wb_refused_launches *refused,
                                        warpbound_error *error);

/* Writes all others that are asked for; reports: at least one. Errors: those of
 * wb_file_write; WARPBOUND_USAGE. */
warpbound_status analyze_files_write(const struct arguments *arguments,
                                     const struct wb_launch_report *reports, size_t count,
                                     const struct sweep_axis *axis, const warpbound_options *limits,
                                     warpbound_error *error);

/* ---- the terminal ---- */

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

/* ---- limits: --time-limit, --memory-limit, --threads and --no-progress ---- */

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
