/* All paths of a kernel of machine code that a warp may take, and the worst-case makespan of warps
 * that each take any of them (doc/all-paths.md). */
#ifndef WB_ANALYSIS_PATHS_PATHS_H
#define WB_ANALYSIS_PATHS_PATHS_H

#include "analysis/makespan/makespan_analysis.h"
#include "analysis/paths/path_bounds.h"
#include "analysis/paths/path_strings.h"
#include "analysis/paths/path_system.h"
#include "analysis/wcet/wcet.h"
#include "flow/paths/kernel_path.h"

#include <stdbool.h>
#include <stdint.h>

/* wcet: of one warp. strings: with the worst path of one warp first, if it is known. path: that
 * worst path, with its string.
 * assumptions: what all of this rests on. estimate: it rests on something that is not proven.
 * peaks grows with the questions that are asked. All owned; wb_paths_free. */
struct wb_paths {
  struct wb_wcet wcet;
  struct wb_path_system system;
  struct wb_path_strings strings;
  struct wb_path_peaks peaks;
  struct wb_kernel_path path;
  struct wb_list assumptions;
  bool estimate;
};

/* Analyses a function. code and function are borrowed for as long as *paths lives.
 * Errors: those of wb_wcet_analyse; WARPBOUND_FACTS_MISSING where no worst
 * path is known, WARPBOUND_LIMIT where it has more than WB_STRING_LIMIT instructions. */
warpbound_status wb_paths_make(const struct wb_code *code, const struct wb_function *function,
                               const struct wb_wcet_options *options,
                               const struct wb_control *control, struct wb_paths *paths,
                               warpbound_error *error);
void wb_paths_free(struct wb_paths *paths);

/* Whether all paths have one string: then what holds of it holds of the kernel. */
bool wb_paths_are_one(const struct wb_paths *paths);

/* What is asked of the paths; all borrowed. */
struct wb_paths_question {
  const struct wb_sm_configuration *sm;
  uint32_t warps;
  uint32_t blocks;
  const struct wb_fair_blocks *fair; /* NULL: none */
  bool estimate;                     /* the result is to be no more than that */
  const struct wb_analysis_options *options;
};

/* The worst-case makespan: above by maxima over all paths, below by schedules of paths. *instance
 * is made of the path that the lower end runs, and *result is about it; it borrows *paths too.
 * Where all paths have one string, this is wb_analyse_makespan of it. With simulate_only and the
 * method `ilp` the lower end is of the worst path of one warp alone.
 * WARPBOUND_OK and WARPBOUND_LIMIT as of wb_analyse_makespan: both are then to be freed, the result
 * first. Errors: those of wb_analyse_makespan, wb_path_question_make and wb_path_bounds_find;
 * WARPBOUND_USAGE for fairness where paths differ; WARPBOUND_INVALID_INPUT with the place of a
 * barrier that a part of the warps of a block may pass. */
warpbound_status wb_paths_makespan(struct wb_paths *paths, const struct wb_paths_question *question,
                                   struct wb_instance *instance,
                                   struct warpbound_result *result, warpbound_error *error);

#endif
