/* The files that `warpbound analyze` writes: certificate, page, timeline, plot of a sweep, files
 * for continuous integration. */
#ifndef WB_CLI_OUTPUT_ANALYZE_FILES_H
#define WB_CLI_OUTPUT_ANALYZE_FILES_H

#include "cli/options/options.h"
#include "report/analyze/analyze_report.h"
#include "warpbound.h"

#include <stddef.h>
#include <stdint.h>

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
