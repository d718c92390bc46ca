/* Schedules from below: policies and templates. */
#include "analysis/makespan/work.h"

#include "analysis/makespan/schedule_claims.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/machine/precedence.h"

#include <stdlib.h>

/* What the method `bounds` may spend, in steps that do not depend on the machine's
 * speed: cycles times warps of the simulations; and all others. */
#define QUICK_SIMULATION_STEPS (UINT64_C(1) << 23)
#define FULL_SIMULATION_STEPS (UINT64_C(1) << 29)

/* What the checker's verdict on a schedule of ours means: a refusal is a mistake of ours. */
static warpbound_status refused(const struct wb_work *a, const char *method,
                                warpbound_status verdict, const warpbound_error *refusal)
{
  if (verdict == WARPBOUND_CHECK_FAILED)
    return wb_fail(a->error, WARPBOUND_INTERNAL,
                   "a schedule by '%s' does not pass the checker: %.200s (please report this)",
                   method, refusal->message);
  return verdict == WARPBOUND_OK ? verdict : wb_out_of_memory(a->error);
}

warpbound_status wb_work_check_schedule(const struct wb_work *a, const struct wb_problem *problem,
                                        const struct wb_schedule *schedule, const char *method)
{
  warpbound_error refusal = {0};
  warpbound_status status = wb_judge_schedule(problem, schedule, &refusal);
  return refused(a, method, status, &refusal);
}

warpbound_status wb_work_offer_witness(struct wb_work *a, struct wb_schedule *schedule,
                                       const char *method)
{
  warpbound_status status = wb_work_check_schedule(a, a->problem, schedule, method);
  struct warpbound_result *result = a->result;
  if (status == WARPBOUND_OK && schedule->makespan > result->witness.makespan) {
    wb_schedule_swap(schedule, &result->witness);
    result->witness_method = method;
  }
  wb_schedule_free(schedule);
  return status;
}

warpbound_status wb_work_offer_whole_witness(struct wb_work *a, struct wb_sm_schedule *schedule,
                                             const char *method)
{
  struct warpbound_result *result = a->result;
  warpbound_error refusal = {0};
  warpbound_status status = wb_judge_whole_schedule(&result->instance->whole, schedule, &refusal);
  if (status == WARPBOUND_OK && schedule->makespan > result->whole_witness.makespan) {
    struct wb_sm_schedule shorter = result->whole_witness;
    result->whole_witness = *schedule;
    *schedule = shorter;
    result->witness_method = method;
  }
  wb_sm_schedule_free(schedule);
  return refused(a, method, status, &refusal);
}

warpbound_status wb_work_simulate(struct wb_work *a, const struct wb_policy *policy)
{
  struct wb_schedule schedule;
  enum wb_stop stop;
  warpbound_status status =
      wb_policy_simulate(policy, a->problem, &a->control, &schedule, &stop, a->error);
  wb_work_note_early_end(a, stop, policy->name);
  if (status != WARPBOUND_OK || stop != WB_STOP_NONE)
    return status;
  uint64_t makespan = schedule.makespan;
  status = wb_work_offer_witness(a, &schedule, policy->name);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(a, policy->name, "simulated schedule", WARPBOUND_LOWER, makespan);
  return status;
}

static warpbound_status evaluate_template(struct wb_work *a, enum wb_template template)
{
  size_t entries = a->problem->warps * a->problem->string.length;
  uint32_t *order = wb_allocate(entries, sizeof *order);
  if (order == NULL)
    return wb_out_of_memory(a->error);
  struct wb_schedule schedule = {0};
  warpbound_error cause;
  warpbound_status status = wb_template_fill(template, a->problem, &a->control, order, &cause);
  if (status == WARPBOUND_OK)
    status = wb_precedence_evaluate(a->problem, order, &schedule, &cause);
  free(order);
  if (status == WARPBOUND_LIMIT) { /* stopped: the next step notices why */
    (void)wb_work_may_go_on(a, wb_template_name(template));
    return WARPBOUND_OK;
  }
  if (status != WARPBOUND_OK)
    return wb_out_of_memory(a->error);
  uint64_t makespan = schedule.makespan;
  status = wb_work_offer_witness(a, &schedule, wb_template_name(template));
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(a, wb_template_name(template),
                               "ETFA 2013, initial solution; evaluated as in figure 4",
                               WARPBOUND_LOWER, makespan);
  return status;
}

/* Whether a simulation fits into a schedule's memory and so many steps. */
static bool simulation_fits(const struct wb_work *a, uint64_t limit)
{
  uint64_t entries, steps;
  return wb_multiply(a->problem->warps, a->problem->string.length, &entries) &&
         entries <= WB_SCHEDULE_LIMIT &&
         wb_multiply(a->result->upper.cycles, a->problem->warps, &steps) &&
         (steps <= limit || a->options->simulate_only);
}

bool wb_work_simulates_quickly(const struct wb_work *a)
{
  return simulation_fits(a, QUICK_SIMULATION_STEPS);
}

bool wb_work_can_simulate(struct wb_work *a)
{
  warpbound_method method = a->options->limits.method;
  bool quick = method == WARPBOUND_METHOD_BOUNDS || method == WARPBOUND_METHOD_ILP;
  bool fits = simulation_fits(a, quick ? QUICK_SIMULATION_STEPS : FULL_SIMULATION_STEPS);
  if (!fits)
    wb_list_add(&a->result->notes,
                "no schedule was simulated: %u warps of %zu instructions are "
                "more than the method's budget",
                a->problem->warps, a->problem->string.length);
  return fits;
}

/* Whether a longer schedule than the best one found may still exist. */
static bool wants_schedules(struct wb_work *a)
{
  return a->result->witness.makespan < wb_minimum(a->result->upper.cycles, a->alone) &&
         wb_work_may_go_on(a, "simulation");
}

warpbound_status wb_work_find_schedules(struct wb_work *a)
{
  if (!wb_work_can_simulate(a))
    return WARPBOUND_OK;
  if (a->options->policy != NULL)
    return wb_work_simulate(a, a->options->policy);
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < count && wants_schedules(a); p++)
    status = wb_work_simulate(a, &policies[p]);
  bool templates = !a->options->simulate_only;
  for (int t = 0;
       status == WARPBOUND_OK && templates && t < WB_TEMPLATE_COUNT && wants_schedules(a); t++)
    status = evaluate_template(a, (enum wb_template)t);
  return status;
}
