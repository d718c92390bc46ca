/* Maxima over the paths of a system, each solved once by IPET. */
#ifndef WB_ANALYSIS_PATHS_SYSTEM_PATH_MAXIMA_H
#define WB_ANALYSIS_PATHS_SYSTEM_PATH_MAXIMA_H

#include "analysis/paths/system/path_solver.h"
#include "analysis/paths/system/path_system.h"
#include "base/status.h"
#include "base/work_control.h"
#include "certificate/flow/paths_check.h"
#include "ipet/solve/ipet_solve.h"
#include "model/unit.h"

#include <stddef.h>
#include <stdint.h>

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
