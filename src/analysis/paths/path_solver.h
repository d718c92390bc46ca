/* Maxima over the paths of a system, each solved once by IPET. */
#ifndef WB_ANALYSIS_PATHS_PATH_SOLVER_H
#define WB_ANALYSIS_PATHS_PATH_SOLVER_H

#include "analysis/paths/path_system.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/work_control.h"
#include "certificate/flow/paths_check.h"
#include "ipet/solve/ipet_solve.h"
#include "model/flow_system.h"
#include "model/unit.h"

#include <stddef.h>
#include <stdint.h>

/* The phase of composite paths as wholes: only the limits that hold of them count
 * (system->composed, which is not NULL). */
#define WB_COMPOSITE_PATHS (UINT32_MAX - 1)

/* The phase of stretches: what a warp does from the start, or from the end of a barrier, to the
 * next barrier or the end. */
#define WB_STRETCHES (UINT32_MAX - 2)

/* What paths cost: each number is at least 0. Borrowed. */
struct wb_path_costs {
  const int64_t *nodes; /* by node */
  const int64_t *edges; /* by edge, besides the node that it leads to; NULL: nothing */
};

/* Finds the greatest sum of costs over the paths, and its proof. phase: only its nodes count, and
 * edges that lead to them; WB_CHECK_ALL_PHASES, WB_COMPOSITE_PATHS: all; WB_STRETCHES: the greatest
 * sum over a stretch, with one potential more and no counts. The caller frees *result,
 * also after an error. Errors: WARPBOUND_LIMIT (time, an interruption, a number too large for
 * solvers), WARPBOUND_INVALID_INPUT (paths without a bound), those of the solvers. */
warpbound_status wb_path_system_solve(const struct wb_path_system *system,
                                      const struct wb_path_costs *costs, uint32_t phase,
                                      const struct wb_ipet_options *options,
                                      const struct wb_control *control,
                                      struct wb_ipet_result *result, warpbound_error *error);

/* A solved maximum over the paths. Owns ipet. */
struct wb_path_maximum {
  uint64_t factor[WB_UNIT_COUNT]; /* by type: the value of one instruction */
  uint32_t phase;                 /* only its instructions count; WB_CHECK_ALL_PHASES: all do */
  struct wb_ipet_result ipet;     /* the maximal sum and its proof */
};

/* Maxima of one system, each solved once. Owns them: wb_path_maxima_free. Zero-initialise. */
struct wb_path_maxima {
  struct wb_path_maximum **items;
  size_t count, capacity;
  struct wb_arena arena; /* owns the maxima */
};

void wb_path_maxima_free(struct wb_path_maxima *maxima);

/* The maximum that is known of these factors (a phase of a system that has only one is all of
 * them), or NULL. */
const struct wb_path_maximum *wb_path_maxima_find(const struct wb_path_maxima *maxima,
                                                  const struct wb_path_system *system,
                                                  const uint64_t factor[WB_UNIT_COUNT],
                                                  uint32_t phase);

/* The same, solved where it is not known yet. *peak belongs to peaks.
 * Errors: WARPBOUND_LIMIT (time, an interruption, a number too large for solvers),
 * WARPBOUND_INVALID_INPUT (a number does not fit; composite paths without a bound), those of the
 * solvers. */
warpbound_status wb_path_maxima_solve(struct wb_path_maxima *maxima,
                                      const struct wb_path_system *system,
                                      const uint64_t factor[WB_UNIT_COUNT], uint32_t phase,
                                      const struct wb_control *control,
                                      const struct wb_path_maximum **maximum,
                                      warpbound_error *error);

#endif
