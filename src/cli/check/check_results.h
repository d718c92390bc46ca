/* The object of results: from the tasks of a check, and from those of its shards. */
#ifndef WB_CLI_CHECK_CHECK_RESULTS_H
#define WB_CLI_CHECK_CHECK_RESULTS_H

#include "cli/check/check_job.h"

#include <jansson.h>

/* The greatest percentage of growth that is allowed. */
#define WB_MOST_GROWTH 1000000

/* The baseline of a check, and how much launches may grow. */
struct check_gate {
  const char *baseline; /* a file; NULL: nothing is compared */
  uint64_t limit;       /* hundredths of a percent; WARPBOUND_ANY_GROWTH: none */
};

/* The results of the tasks that are not left; those that were not tried have a row that says so.
 * gate: that of the whole check, which the results of a shard keep for the merge; may be NULL. The
 * caller drops it. Errors: WARPBOUND_INTERNAL. */
warpbound_status check_results_make(const struct check_job *job, const struct check_gate *gate,
                                    json_t **results, warpbound_error *error);

/* Writes the page of each task that has one into the folder of the report. Errors: those of
 * wb_file_write. */
warpbound_status check_pages_write(const struct check_job *job, const char *folder,
                                   warpbound_error *error);

/* Reads the results of all shards of one check and unites them. *baseline, *limit: what the shards
 * keep of the check's gate; the baseline is to be freed; NULL: they have none. Errors:
 * WARPBOUND_USAGE (no file), WARPBOUND_INVALID_INPUT (a file is no such result, of another project
 * or program, or a launch is in none or two of them), WARPBOUND_INTERNAL. */
warpbound_status check_results_merge(const struct wb_list *files, json_t **results, char **baseline,
                                     uint64_t *limit, warpbound_error *error);

#endif
