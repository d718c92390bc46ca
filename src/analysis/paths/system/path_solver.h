/* A maximum over the paths of a system, solved by IPET. */
#ifndef WB_ANALYSIS_PATHS_SYSTEM_PATH_SOLVER_H
#define WB_ANALYSIS_PATHS_SYSTEM_PATH_SOLVER_H

#include "analysis/paths/system/path_system.h"
#include "base/status.h"
#include "base/work_control.h"
#include "ipet/solve/ipet_solve.h"

#include <stdint.h>

/* The phase of composite paths as wholes: only the limits that hold of them count
 * (system->composed, which is not NULL). */
#define WB_COMPOSITE_PATHS (UINT32_MAX - 1)

/* Finds the greatest sum of `cost` (by node, at least 0) over the paths, and its proof. phase: only
 * its nodes count; WB_CHECK_ALL_PHASES, WB_COMPOSITE_PATHS: all; WB_STRETCHES: the greatest
 * sum over a stretch, with one potential more and no counts. The caller frees *result,
 * also after an error. Errors: WARPBOUND_LIMIT (time, an interruption, a number too large for
 * solvers), WARPBOUND_INVALID_INPUT (paths without a bound), those of the solvers. */
warpbound_status wb_path_system_solve(const struct wb_path_system *system, const int64_t *cost,
                                      uint32_t phase, const struct wb_control *control,
                                      struct wb_ipet_result *result, warpbound_error *error);

#endif
