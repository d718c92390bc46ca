/* A makespan question that can be asked again for other numbers of warps: of one string, or of all
 * paths of a kernel. */
#ifndef WB_ANALYSIS_SERIES_MAKESPAN_QUESTION_H
#define WB_ANALYSIS_SERIES_MAKESPAN_QUESTION_H

#include "analysis/makespan/makespan_analysis.h"
#include "analysis/paths/paths.h"
#include "model/instance.h"

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

#endif
