/* The object of results: from the tasks of a check, and from those of its shards. */
#ifndef WB_CLI_CHECK_CHECK_RESULTS_H
#define WB_CLI_CHECK_CHECK_RESULTS_H

#include "cli/check/check_job.h"

#include <jansson.h>

/* The results of the tasks that are not left; those that were not tried have a row that says so.
 * The caller drops it. Errors: WARPBOUND_INTERNAL. */
warpbound_status check_results_make(const struct check_job *job, json_t **results,
                                    warpbound_error *error);

/* Writes the page of each task that has one into the folder of the report. Errors: those of
 * wb_file_write. */
warpbound_status check_pages_write(const struct check_job *job, const char *folder,
                                   warpbound_error *error);

/* Reads the results of all shards of one check and unites them. Errors: WARPBOUND_USAGE (no file),
 * WARPBOUND_INVALID_INPUT (a file is no such result, of another project or program, or a launch is
 * in none or two of them), WARPBOUND_INTERNAL. */
warpbound_status check_results_merge(const struct wb_list *files, json_t **results,
                                     warpbound_error *error);

#endif
