/* A makespan question that can be asked again for other numbers of warps: of one string, or of all
 * paths of a kernel. */
#ifndef WB_ANALYSIS_SERIES_SERIES_H
#define WB_ANALYSIS_SERIES_SERIES_H

#include "analysis/makespan/makespan_analysis.h"
#include "analysis/paths/paths.h"
#include "base/list.h"
#include "model/instance.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The question; borrowed. */
struct wb_question {
  const struct wb_instance *instance; /* SM, warps, blocks, fairness; the string, its origin */
  struct wb_paths *paths;             /* in place of the string: what warps may take; or NULL */
};

/* Answers the question for `warps` warps in as many blocks as the question has. The result owns the
 * instance that it is about; `paths` must outlive it.
 * WARPBOUND_OK and WARPBOUND_LIMIT leave a valid bracket in *result, to be freed with
 * wb_result_clear; after any other status it is empty, and so it is (instance NULL) where
 * WARPBOUND_LIMIT came before any bound over several paths. Errors: those of wb_instance_make_like
 * and wb_analyse_makespan, or of wb_paths_makespan. */
warpbound_status wb_question_answer(const struct wb_question *question, uint32_t warps,
                                    const struct wb_analysis_options *options,
                                    struct warpbound_result *result, warpbound_error *error);

/* Makespans over a range of numbers of warps: one question, asked for each of them, with what the
 * answers share. */

/* The bracket for one number of warps. */
struct wb_series_row {
  uint32_t warps;        /* on the SM */
  uint32_t each;         /* on a partition, whose makespan it is */
  warpbound_bound lower; /* ends of the bracket */
  warpbound_bound upper;
};

/* Rows by ascending number of warps once the series is complete. Owns everything; free with
 * wb_series_free. Zero-initialise. */
struct warpbound_series {
  struct wb_series_row *rows;
  size_t count;
  size_t capacity;
  struct wb_estimate estimate;   /* why the rows' strings are no more than that */
  uint32_t partitions;           /* of the SM */
  struct wb_potential_line line; /* over the warps of a partition; divisor 0: there is none */
  struct wb_list assumptions;    /* of all rows, each once */
};

/* The last rows that are exact and lie on one line: T = slope * w + offset from row `first` on, w
 * being the warps of a partition. */
struct wb_series_affine {
  size_t first;
  uint64_t slope;
  int64_t offset;
};

/* Is told of each answer, which is valid during the call, with its status: WARPBOUND_OK or
 * WARPBOUND_LIMIT. Any status but WARPBOUND_OK ends the series and is its own. */
typedef warpbound_status wb_series_visit(void *context, const struct warpbound_result *result,
                                         warpbound_status status, warpbound_error *error);

/* Answers a question for each number of warps from `first` to `last` that its blocks divide, the
 * largest first: its tables serve the others too. options->limits.time_limit is that of all
 * together; options->warp_counts is not looked at. visit may be NULL.
 * WARPBOUND_LIMIT: that is the status of a row. After any other error the rows that were finished
 * before stay. Errors: WARPBOUND_USAGE where the blocks divide none of these numbers; those of
 * wb_question_answer. Free *series in any case. */
warpbound_status wb_series_answer(const struct wb_question *question, uint32_t first, uint32_t last,
                                  const struct wb_analysis_options *options, wb_series_visit *visit,
                                  void *context, struct warpbound_series *series,
                                  warpbound_error *error);

/* Whether enough rows lie on such a line. */
bool wb_series_find_affine(const struct warpbound_series *series, struct wb_series_affine *affine);

/* The least number of warps of the SM whose partitions have `each`. */
uint64_t wb_series_warps_of(const struct warpbound_series *series, uint32_t each);

void wb_series_free(struct warpbound_series *series);

#endif
