/* The worst-case makespan of warps that each take any path of a kernel (doc/all-paths.md). */
#ifndef WB_ANALYSIS_PATHS_MAKESPAN_PATHS_MAKESPAN_H
#define WB_ANALYSIS_PATHS_MAKESPAN_PATHS_MAKESPAN_H

#include "analysis/makespan/makespan_analysis.h"
#include "analysis/paths/paths.h"
#include "analysis/result/makespan_result.h"
#include "model/instance.h"

#include <stdbool.h>
#include <stdint.h>

/* All borrowed. */
struct wb_paths_question {
  const struct wb_sm_configuration *sm;
  uint32_t warps;
  uint32_t blocks;                    /* divides warps */
  const struct wb_fair_blocks *fair;  /* fairness between blocks, or NULL */
  const struct wb_estimate *estimate; /* why the result is one whatever the paths are; or NULL */
  const struct wb_analysis_options *options;
};

/* Bounds the makespan: from above by maxima over all paths, from below by schedules of paths.
 * *instance is made of the path that the lower end runs, and *result is about it; *result borrows
 * *paths and *instance. Where all paths have one string this is wb_analyse_makespan of it. With
 * simulate_only, or the method `ilp`, the lower end is of the worst path of one warp alone.
 * WARPBOUND_OK and WARPBOUND_LIMIT as of wb_analyse_makespan: the caller then frees both, the
 * result first. Errors: those of wb_analyse_makespan, wb_path_question_make and
 * wb_path_bounds_find; WARPBOUND_USAGE for fairness where paths differ; WARPBOUND_INVALID_INPUT
 * with the place of a barrier that a part of the warps of a block may pass. */
warpbound_status wb_paths_makespan(struct wb_paths *paths, const struct wb_paths_question *question,
                                   struct wb_instance *instance, struct warpbound_result *result,
                                   warpbound_error *error);

#endif
