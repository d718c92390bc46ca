#include "analysis/makespan/schedule_steps.h"

#include "analysis/makespan/schedule_claims.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/machine/precedence.h"

#include <stdlib.h>

/* Most steps of a simulation (cycles times warps, whatever the speed of the computer): within the
 * method `bounds`, and within others. */
#define QUICK_SIMULATION_STEPS (UINT64_C(1) << 23)
#define FULL_SIMULATION_STEPS (UINT64_C(1) << 29)

/* The status for a verdict on a schedule of ours: a refusal is a mistake of ours. */
static warpbound_status status_of_verdict(const struct wb_makespan_analysis *analysis,
                                          const char *method, warpbound_status verdict,
                                          const warpbound_error *refusal)
{
  if (verdict == WARPBOUND_CHECK_FAILED)
    return wb_fail(analysis->error, WARPBOUND_INTERNAL,
                   "a schedule by '%s' does not pass the checker: %.200s (please report this)",
                   method, refusal->message);
  return verdict == WARPBOUND_OK ? verdict : wb_out_of_memory(analysis->error);
}

warpbound_status wb_makespan_check_schedule(const struct wb_makespan_analysis *analysis,
                                            const struct wb_problem *problem,
                                            const struct wb_schedule *schedule, const char *method)
{
  warpbound_error refusal = {0};
  warpbound_status status = wb_judge_schedule(problem, schedule, &refusal);
  return status_of_verdict(analysis, method, status, &refusal);
}

warpbound_status wb_makespan_offer_witness(struct wb_makespan_analysis *analysis,
                                           struct wb_schedule *schedule, const char *method)
{
  warpbound_status status =
      wb_makespan_check_schedule(analysis, analysis->problem, schedule, method);
  struct warpbound_result *result = analysis->result;
  if (status == WARPBOUND_OK && schedule->makespan > result->witness.makespan) {
    wb_schedule_swap(schedule, &result->witness);
    result->witness_method = method;
  }
  wb_schedule_free(schedule);
  return status;
}

warpbound_status wb_makespan_offer_whole_witness(struct wb_makespan_analysis *analysis,
                                                 struct wb_schedule *schedule, const char *method)
{
  struct warpbound_result *result = analysis->result;
  warpbound_error refusal = {0};
  warpbound_status status = wb_judge_whole_schedule(&result->instance->whole, schedule, &refusal);
  if (status == WARPBOUND_OK && schedule->makespan > result->whole_witness.makespan) {
    struct wb_schedule shorter = result->whole_witness;
    result->whole_witness = *schedule;
    *schedule = shorter;
    result->witness_method = method;
  }
  wb_schedule_free(schedule);
  return status_of_verdict(analysis, method, status, &refusal);
}

warpbound_status wb_makespan_simulate(struct wb_makespan_analysis *analysis,
                                      const struct wb_policy *policy)
{
  struct wb_schedule schedule;
  enum wb_stop stop;
  warpbound_status status = wb_policy_simulate(policy, analysis->problem, &analysis->control,
                                               &schedule, &stop, analysis->error);
  wb_makespan_note_early_end(analysis, stop, policy->name);
  if (status != WARPBOUND_OK || stop != WB_STOP_NONE)
    return status;
  uint64_t makespan = schedule.makespan;
  status = wb_makespan_offer_witness(analysis, &schedule, policy->name);
  if (status == WARPBOUND_OK)
    status = wb_makespan_add_bound(analysis, policy->name, "simulated schedule", WARPBOUND_LOWER,
                                   makespan);
  return status;
}

static warpbound_status evaluate_template(struct wb_makespan_analysis *analysis,
                                          enum wb_template template)
{
  size_t entries = analysis->problem->warps * analysis->problem->string.length;
  uint32_t *order = wb_allocate(entries, sizeof *order);
  if (order == NULL)
    return wb_out_of_memory(analysis->error);
  struct wb_schedule schedule = {0};
  warpbound_error cause;
  warpbound_status status =
      wb_template_fill(template, analysis->problem, &analysis->control, order, &cause);
  if (status == WARPBOUND_OK)
    status = wb_precedence_evaluate(analysis->problem, order, &schedule, &cause);
  free(order);
  if (status == WARPBOUND_LIMIT) { /* stopped: the next step notices why */
    (void)wb_makespan_may_go_on(analysis, wb_template_name(template));
    return WARPBOUND_OK;
  }
  if (status != WARPBOUND_OK)
    return wb_fail_with(analysis->error, &cause);
  uint64_t makespan = schedule.makespan;
  status = wb_makespan_offer_witness(analysis, &schedule, wb_template_name(template));
  if (status == WARPBOUND_OK)
    status = wb_makespan_add_bound(analysis, wb_template_name(template),
                                   "ETFA 2013, initial solution; evaluated as in figure 4",
                                   WARPBOUND_LOWER, makespan);
  return status;
}

/* Whether a simulation fits into a schedule's memory and so many steps. */
static bool simulation_fits(const struct wb_makespan_analysis *analysis, uint64_t limit)
{
  uint64_t entries, steps;
  return wb_multiply(analysis->problem->warps, analysis->problem->string.length, &entries) &&
         entries <= WB_SCHEDULE_LIMIT &&
         wb_multiply(analysis->result->upper.cycles, analysis->problem->warps, &steps) &&
         (steps <= limit || analysis->options->simulate_only);
}

bool wb_makespan_simulates_quickly(const struct wb_makespan_analysis *analysis)
{
  return simulation_fits(analysis, QUICK_SIMULATION_STEPS);
}

bool wb_makespan_can_simulate(struct wb_makespan_analysis *analysis)
{
  warpbound_method method = analysis->options->limits.method;
  bool quick = method == WARPBOUND_METHOD_BOUNDS || method == WARPBOUND_METHOD_ILP;
  bool fits = simulation_fits(analysis, quick ? QUICK_SIMULATION_STEPS : FULL_SIMULATION_STEPS);
  if (!fits)
    wb_list_add(&analysis->result->notes,
                "no schedule was simulated: %u warps of %zu instructions are "
                "more than the method's budget",
                analysis->problem->warps, analysis->problem->string.length);
  return fits;
}

/* Whether a longer schedule than the best one found may still exist. */
static bool wants_schedules(struct wb_makespan_analysis *analysis)
{
  return analysis->result->witness.makespan <
             wb_minimum(analysis->result->upper.cycles, analysis->alone) &&
         wb_makespan_may_go_on(analysis, "simulation");
}

warpbound_status wb_makespan_find_schedules(struct wb_makespan_analysis *analysis)
{
  if (!wb_makespan_can_simulate(analysis))
    return WARPBOUND_OK;
  if (analysis->options->policy != NULL)
    return wb_makespan_simulate(analysis, analysis->options->policy);
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < count && wants_schedules(analysis); p++)
    status = wb_makespan_simulate(analysis, &policies[p]);
  bool templates = !analysis->options->simulate_only;
  for (int t = 0;
       status == WARPBOUND_OK && templates && t < WB_TEMPLATE_COUNT && wants_schedules(analysis);
       t++)
    status = evaluate_template(analysis, (enum wb_template)t);
  return status;
}
