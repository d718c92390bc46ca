/* The scheduling policies on a whole SM: one work-conserving schedule each. */
#ifndef WB_SM_SEARCH_SM_POLICY_H
#define WB_SM_SEARCH_SM_POLICY_H

#include "base/work_control.h"
#include "makespan/machine/policy.h"
#include "model/sm_problem.h"
#include "sm/machine/sm_schedule.h"

#include <stdint.h>

/* The policy's schedule, warp w running string string_of[w] (NULL: string 0). Each partition has
 * a scheduler that ranks its own warps by the policy; "most pending" counts what is left of a
 * warp's own string. In cycle c partition (c - 1) mod P serves its warps first, then the ones
 * after it in turn: so none is always the last to get at units that they share. With one
 * partition, one string and no barrier it is the schedule of wb_policy_simulate. Time: makespan *
 * W. Where the control stops it *stop says why and the schedule is empty. Errors: WARPBOUND_LIMIT
 * (schedule too large), WARPBOUND_INTERNAL. */
warpbound_status wb_sm_simulate(const struct wb_policy *policy, const struct wb_sm_problem *problem,
                                const uint32_t *string_of, const struct wb_control *control,
                                struct wb_sm_schedule *schedule, enum wb_stop *stop,
                                warpbound_error *error);

#endif
