/* Schedules of a whole SM before the independent checker. */
#ifndef WB_ANALYSIS_SM_JUDGE_H
#define WB_ANALYSIS_SM_JUDGE_H

#include "base/status.h"
#include "model/sm_problem.h"
#include "sm/sm_schedule.h"

/* Whether the checker accepts the schedule, with the makespan that it says. WARPBOUND_CHECK_FAILED:
 * it does not, refusal says why. Errors: WARPBOUND_INTERNAL (out of memory). */
warpbound_status wb_sm_schedule_judge(const struct wb_sm_problem *problem,
                                      const struct wb_sm_schedule *schedule,
                                      warpbound_error *refusal);

#endif
