/* The independent checker's verdicts on schedules. */
#ifndef WB_ANALYSIS_MAKESPAN_SCHEDULE_CLAIMS_H
#define WB_ANALYSIS_MAKESPAN_SCHEDULE_CLAIMS_H

#include "base/status.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"
#include "model/sm_problem.h"

/* Checks a schedule of a problem, its makespan included. Errors: WARPBOUND_CHECK_FAILED (*refusal
 * says why), WARPBOUND_INTERNAL (memory). Linear in the schedule. */
warpbound_status wb_judge_schedule(const struct wb_problem *problem,
                                   const struct wb_schedule *schedule, warpbound_error *refusal);

/* The same of a schedule of the whole SM. */
warpbound_status wb_judge_whole_schedule(const struct wb_sm_problem *problem,
                                         const struct wb_schedule *schedule,
                                         warpbound_error *refusal);

#endif
