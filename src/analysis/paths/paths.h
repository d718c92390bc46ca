/* All paths of a kernel of machine code that a warp may take (doc/all-paths.md). */
#ifndef WB_ANALYSIS_PATHS_PATHS_H
#define WB_ANALYSIS_PATHS_PATHS_H

#include "analysis/paths/strings/path_strings.h"
#include "analysis/paths/system/path_solver.h"
#include "analysis/paths/system/path_system.h"
#include "analysis/wcet/wcet.h"
#include "flow/barriers/barrier_agreement.h"
#include "flow/paths/kernel_path.h"

#include <stdbool.h>
#include <stdint.h>

/* The paths of a function. Owns all; wb_paths_free. */
struct wb_paths {
  struct wb_wcet wcet;            /* of one warp */
  struct wb_path_system system;   /* all paths */
  struct wb_path_strings strings; /* the known ones; the worst path of one warp first, if known */
  struct wb_path_maxima maxima;   /* grows with the questions */
  struct wb_kernel_path path;     /* the worst path of one warp alone, with its string: another may
                                     be worse for many */
  struct wb_list assumptions;     /* of all of this */
  struct wb_disagreement disagreement; /* where barriers are in doubt */
  struct wb_estimate over;     /* what bounds from above over all paths rest on, not proven */
  struct wb_estimate estimate; /* the same and what runs of the paths rest on beside it */
};

/* The WCET of one warp and the system of all paths, without strings. code and function are borrowed
 * for as long as *paths lives. Errors: those of wb_wcet_analyse; on WARPBOUND_FACTS_MISSING
 * paths->wcet is filled in as of that function, and the caller frees *paths. */
warpbound_status wb_paths_analyse(const struct wb_code *code, const struct wb_function *function,
                                  const struct wb_wcet_options *options,
                                  const struct wb_control *control, struct wb_paths *paths,
                                  warpbound_error *error);

/* Analyses a function: the same, and the worst path of one warp and the known strings. code and
 * function are borrowed for as long as *paths lives. Errors: those of wb_wcet_analyse;
 * WARPBOUND_FACTS_MISSING where no worst path is known, WARPBOUND_LIMIT where it has more than
 * WB_STRING_LIMIT instructions. */
warpbound_status wb_paths_make(const struct wb_code *code, const struct wb_function *function,
                               const struct wb_wcet_options *options,
                               const struct wb_control *control, struct wb_paths *paths,
                               warpbound_error *error);
void wb_paths_free(struct wb_paths *paths);

/* Errors: WARPBOUND_INVALID_INPUT with the place of a barrier that a part of the warps of a block
 * may pass. */
warpbound_status wb_paths_check_barriers(const struct wb_paths *paths, warpbound_error *error);

/* Whether all paths have one string: then bounds on it are bounds on the kernel. */
bool wb_paths_are_one(const struct wb_paths *paths);

#endif
