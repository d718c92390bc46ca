/* The worst-case makespan of warps that each take any path of a kernel (doc/all-paths.md). */
#ifndef WB_ANALYSIS_PATHS_MAKESPAN_PATHS_MAKESPAN_H
#define WB_ANALYSIS_PATHS_MAKESPAN_PATHS_MAKESPAN_H

#include "analysis/makespan/makespan_analysis.h"
#include "analysis/makespan/makespan_result.h"
#include "analysis/paths/paths.h"
#include "model/instance.h"

#include <stdint.h>

/* All borrowed. */
struct wb_paths_question {
  const struct wb_instance *like; /* has SM, blocks, fairness between them, and why the result is an
                                     estimate whatever the paths are */
  uint32_t warps;                 /* a multiple of the blocks */
  const struct wb_analysis_options *options;
};

/* Bounds the makespan: from above by maxima over all paths, from below by schedules of paths.
 * *instance is made of the path that the lower end runs, and *result is about it; *result borrows
 * *paths and *instance. Where all paths have one string this is wb_analyse_makespan of it. With
 * policies_only, or the method `ilp`, the lower end is of the worst path of one warp alone.
 * WARPBOUND_OK and WARPBOUND_LIMIT as of wb_analyse_makespan: the caller then frees both, the
 * result first. Errors: those of wb_analyse_makespan, wb_path_question_make and
 * wb_path_bounds_find; WARPBOUND_USAGE for fairness where paths differ; WARPBOUND_INVALID_INPUT
 * with the place of a barrier that a part of the warps of a block may pass. */
warpbound_status wb_paths_makespan(struct wb_paths *paths, const struct wb_paths_question *question,
                                   struct wb_instance *instance, struct warpbound_result *result,
                                   warpbound_error *error);

#endif
