/* Steps that make lower ends: simulated policies, templates, and checked witnesses. */
#ifndef WB_ANALYSIS_MAKESPAN_SCHEDULE_STEPS_H
#define WB_ANALYSIS_MAKESPAN_SCHEDULE_STEPS_H

#include "analysis/makespan/makespan_context.h"

/* Checks a schedule by the independent checker. Errors: WARPBOUND_INTERNAL (memory; it is refused,
 * a mistake of ours). */
warpbound_status wb_makespan_check_schedule(const struct wb_makespan_analysis *analysis,
                                            const struct wb_problem *problem,
                                            const struct wb_schedule *schedule, const char *method);

/* Checks a schedule and keeps it if it is the longest; takes it over in any case. */
warpbound_status wb_makespan_offer_witness(struct wb_makespan_analysis *analysis,
                                           struct wb_schedule *schedule, const char *method);

/* The same for a schedule of the whole SM (result->instance->whole). */
warpbound_status wb_makespan_offer_whole_witness(struct wb_makespan_analysis *analysis,
                                                 struct wb_schedule *schedule, const char *method);

/* Simulates one policy, checks its schedule and records its makespan. */
warpbound_status wb_makespan_simulate(struct wb_makespan_analysis *analysis,
                                      const struct wb_policy *policy);

/* Whether a simulation is within the method's budget; notes where it is not. */
bool wb_makespan_can_simulate(struct wb_makespan_analysis *analysis);

/* Whether a simulation is within the budget of the method `bounds`. */
bool wb_makespan_simulates_quickly(const struct wb_makespan_analysis *analysis);

/* Simulates the policies and evaluates the templates, within the method's budget. */
warpbound_status wb_makespan_find_schedules(struct wb_makespan_analysis *analysis);

#endif
