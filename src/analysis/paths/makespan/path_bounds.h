/* Upper bounds on the makespan of warps that each take any path (doc/all-paths.md): maxima over
 * paths by IPET, each with its proof, and the formulas that make bounds of them. */
#ifndef WB_ANALYSIS_PATHS_MAKESPAN_PATH_BOUNDS_H
#define WB_ANALYSIS_PATHS_MAKESPAN_PATH_BOUNDS_H

#include "analysis/paths/path_solver.h"
#include "analysis/paths/path_system.h"
#include "analysis/result/makespan_result.h"
#include "base/work_control.h"
#include "certificate/flow/paths_check.h"
#include "model/sm_configuration.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A question over all paths. */
struct wb_path_question {
  struct wb_check_path_machine machine; /* that the warps run on */
  uint64_t times[WB_UNIT_COUNT];        /* by type: letters of one instruction */
};

/* The question of `warps` warps in `blocks` blocks on a configuration. Errors: those of
 * wb_problem_normalise, for each type that the system has; WARPBOUND_USAGE where `warps` is no
 * multiple of `blocks`. */
warpbound_status wb_path_question_make(const struct wb_path_system *system,
                                       const struct wb_sm_configuration *sm, uint32_t warps,
                                       uint32_t blocks, struct wb_path_question *question,
                                       warpbound_error *error);

struct wb_path_bounds {
  uint64_t cycles[WB_CHECK_PATHS_BOUND_COUNT]; /* by bound; UINT64_MAX: it does not apply, or a
                                                  number is too large */
  uint64_t denominator;                        /* of the weights */
};

/* Finds the bounds, with those maxima that peaks lacks. At least one of the bounds is a number.
 * Errors: WARPBOUND_LIMIT where time or memory ended before, or an interruption;
 * WARPBOUND_INVALID_INPUT where no bound fits into 64 bits; those of the solvers. */
warpbound_status wb_path_bounds_find(const struct wb_path_system *system,
                                     const struct wb_path_question *question,
                                     const struct wb_control *control,
                                     struct wb_path_maxima *maxima, struct wb_path_bounds *bounds,
                                     warpbound_error *error);

/* The claim of a bound that was found with these maxima, checked by the independent checker.
 * Errors: WARPBOUND_INTERNAL (memory; a claim of ours that it refuses). */
warpbound_status wb_path_certificate_make(const struct wb_path_system *system,
                                          const struct wb_path_question *question,
                                          const struct wb_path_maxima *maxima,
                                          const struct wb_path_bounds *bounds,
                                          enum wb_check_paths_bound bound,
                                          struct wb_path_certificate *certificate,
                                          warpbound_error *error);

#endif
