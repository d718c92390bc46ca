/* Bounds on the makespan of a whole SM that need no search. Proofs: doc/whole-sm.md. */
#ifndef WB_SM_BOUNDS_SM_BOUNDS_H
#define WB_SM_BOUNDS_SM_BOUNDS_H

#include "base/status.h"
#include "model/problem.h"
#include "model/unit.h"

#include <stddef.h>
#include <stdint.h>

/* The different phases in the order in which they first stand. The B that ends a phase is an N in
 * it. Where some strings have nothing after their last B, the last phase has the others only; where
 * none has anything, there is none. The strings of a phase differ. Owns all of it. */
struct wb_sm_phases {
  struct wb_sm_problem *problems;
  uint64_t *times; /* by phase: how often it stands in the strings */
  size_t count;
  size_t capacity;
  size_t times_capacity;
};

/* Cuts a problem at its barriers. Of one block, for any strings of its warps, the makespan is the
 * sum of its phases' (doc/whole-sm.md): with one string T is the sum of times[i] * T(problems[i]);
 * with several that sum is an upper bound. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_sm_phases_cut(const struct wb_sm_problem *problem, struct wb_sm_phases *phases,
                                  warpbound_error *error);
void wb_sm_phases_free(struct wb_sm_phases *phases);

/* In cycles, for warps of which each may run any of the strings. */
struct wb_sm_bounds {
  uint64_t serial;      /* from above: W * the longest string */
  uint64_t closed_form; /* from above: the longest chain, and what holds it up */
  uint64_t phases;      /* from above: the sum of the least bounds of each phase, where there is one
                           block and a barrier; else 0 */
  uint64_t upper;       /* the least of these */
  uint64_t lower;       /* from below: what some strings take at least under every schedule */
};

/* The least of all bounds of doc/whole-sm.md. Errors: WARPBOUND_INVALID_INPUT (beyond 64 bits),
 * WARPBOUND_INTERNAL. */
warpbound_status wb_sm_bounds_find(const struct wb_sm_problem *problem, struct wb_sm_bounds *bounds,
                                   warpbound_error *error);

#endif
