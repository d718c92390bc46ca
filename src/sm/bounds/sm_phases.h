/* The phases of a problem: what its strings are between their barriers. One block's phases are
 * over one after the other, so each is a problem by itself, without barriers. */
#ifndef WB_SM_BOUNDS_SM_PHASES_H
#define WB_SM_BOUNDS_SM_PHASES_H

#include "base/status.h"
#include "model/problem.h"

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

#endif
