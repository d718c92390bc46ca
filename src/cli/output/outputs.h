/* The options of a command that name a file to write. */
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

/* Refuses empty names and "-", names under which an output would replace another, or the input, and
 * files that could not be written: before any work. All options of GROUP_FILES that were given are
 * outputs. Errors: WARPBOUND_USAGE. */
warpbound_status outputs_check(const struct arguments *arguments, warpbound_error *error);

/* Makes the folder of an option, and tries its index.html: before any work. Errors:
 * WARPBOUND_USAGE. */
warpbound_status output_folder_check(const char *folder, enum option option,
                                     warpbound_error *error);

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

#endif
