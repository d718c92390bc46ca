/* Bounds on the makespan of a whole SM that need no search: proofs in doc/whole-sm.md. */
#ifndef WB_SM_BOUNDS_SM_BOUNDS_H
#define WB_SM_BOUNDS_SM_BOUNDS_H

#include "base/status.h"
#include "model/sm_problem.h"
#include "sm/bounds/sm_closed_form.h"

#include <stdint.h>

/* In cycles, for warps of which each may run any of the strings. */
struct wb_sm_bounds {
  uint64_t serial;      /* from above: W * the longest string */
  uint64_t closed_form; /* from above: the least of those of sm_closed_form.h */
  uint64_t phases;      /* from above: the sum of the least bounds of each phase, where there is one
                           block and a barrier; else 0 */
  uint64_t upper;       /* the least of these */
  uint64_t lower;       /* from below: what some strings take at least under every schedule */
};

/* The machine and launch of a problem, and the types that its strings use. */
struct wb_sm_launch wb_sm_launch_of(const struct wb_sm_problem *problem);

/* Errors: WARPBOUND_INVALID_INPUT (beyond 64 bits), WARPBOUND_INTERNAL. */
warpbound_status wb_sm_bounds_find(const struct wb_sm_problem *problem, struct wb_sm_bounds *bounds,
                                   warpbound_error *error);

#endif
