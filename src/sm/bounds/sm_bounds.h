/* Bounds on the makespan of a whole SM that need no search: proofs in doc/whole-sm.md. */
#ifndef WB_SM_BOUNDS_SM_BOUNDS_H
#define WB_SM_BOUNDS_SM_BOUNDS_H

#include "base/status.h"
#include "model/sm_problem.h"
#include "sm/bounds/sm_closed_form.h"

#include <stdint.h>

/* In cycles, for warps of which each may run any of the strings. From above: serial (W * the
 * longest string), closed_form (the least of those of sm_closed_form.h), phases (the sum of the
 * least bounds of each phase; where there is one block and a barrier, else 0). upper: the least of
 * them. lower: from below, what some strings take at least under every schedule. */
struct wb_sm_bounds {
  uint64_t serial;
  uint64_t closed_form;
  uint64_t phases;
  uint64_t upper;
  uint64_t lower;
};

/* The machine and launch of a problem, and the types that its strings use. */
struct wb_sm_launch wb_sm_launch_of(const struct wb_sm_problem *problem);

/* Errors: WARPBOUND_INVALID_INPUT (beyond 64 bits), WARPBOUND_INTERNAL. */
warpbound_status wb_sm_bounds_find(const struct wb_sm_problem *problem, struct wb_sm_bounds *bounds,
                                   warpbound_error *error);

#endif
