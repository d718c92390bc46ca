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
static warpbound_status refused(const struct wb_work *work, const char *method,
                                warpbound_status verdict, const warpbound_error *refusal)
{
  if (verdict == WARPBOUND_CHECK_FAILED)
    return wb_fail(work->error, WARPBOUND_INTERNAL,
                   "a schedule by '%s' does not pass the checker: %.200s (please report this)",
                   method, refusal->message);
  return verdict == WARPBOUND_OK ? verdict : wb_out_of_memory(work->error);
}

warpbound_status wb_work_check_schedule(const struct wb_work *work,
                                        const struct wb_problem *problem,
                                        const struct wb_schedule *schedule, const char *method)
{
  warpbound_error refusal = {0};
  warpbound_status status = wb_judge_schedule(problem, schedule, &refusal);
  return refused(work, method, status, &refusal);
}

warpbound_status wb_work_offer_witness(struct wb_work *work, struct wb_schedule *schedule,
                                       const char *method)
{
  warpbound_status status = wb_work_check_schedule(work, work->problem, schedule, method);
  struct warpbound_result *result = work->result;
  if (status == WARPBOUND_OK && schedule->makespan > result->witness.makespan) {
    wb_schedule_swap(schedule, &result->witness);
    result->witness_method = method;
  }
  wb_schedule_free(schedule);
  return status;
}

warpbound_status wb_work_offer_whole_witness(struct wb_work *work, struct wb_sm_schedule *schedule,
                                             const char *method)
{
  struct warpbound_result *result = work->result;
  warpbound_error refusal = {0};
  warpbound_status status = wb_judge_whole_schedule(&result->instance->whole, schedule, &refusal);
  if (status == WARPBOUND_OK && schedule->makespan > result->whole_witness.makespan) {
    struct wb_sm_schedule shorter = result->whole_witness;
    result->whole_witness = *schedule;
    *schedule = shorter;
    result->witness_method = method;
  }
  wb_sm_schedule_free(schedule);
  return refused(work, method, status, &refusal);
}

warpbound_status wb_work_simulate(struct wb_work *work, const struct wb_policy *policy)
{
  struct wb_schedule schedule;
  enum wb_stop stop;
  warpbound_status status =
      wb_policy_simulate(policy, work->problem, &work->control, &schedule, &stop, work->error);
  wb_work_note_early_end(work, stop, policy->name);
  if (status != WARPBOUND_OK || stop != WB_STOP_NONE)
    return status;
  uint64_t makespan = schedule.makespan;
  status = wb_work_offer_witness(work, &schedule, policy->name);
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(work, policy->name, "simulated schedule", WARPBOUND_LOWER, makespan);
  return status;
}

static warpbound_status evaluate_template(struct wb_work *work, enum wb_template template)
{
  size_t entries = work->problem->warps * work->problem->string.length;
  uint32_t *order = wb_allocate(entries, sizeof *order);
  if (order == NULL)
    return wb_out_of_memory(work->error);
  struct wb_schedule schedule = {0};
  warpbound_error cause;
  warpbound_status status =
      wb_template_fill(template, work->problem, &work->control, order, &cause);
  if (status == WARPBOUND_OK)
    status = wb_precedence_evaluate(work->problem, order, &schedule, &cause);
  free(order);
  if (status == WARPBOUND_LIMIT) { /* stopped: the next step notices why */
    (void)wb_work_may_go_on(work, wb_template_name(template));
    return WARPBOUND_OK;
  }
  if (status != WARPBOUND_OK)
    return wb_fail_with(work->error, &cause);
  uint64_t makespan = schedule.makespan;
  status = wb_work_offer_witness(work, &schedule, wb_template_name(template));
  if (status == WARPBOUND_OK)
    status = wb_work_add_bound(work, wb_template_name(template),
                               "ETFA 2013, initial solution; evaluated as in figure 4",
                               WARPBOUND_LOWER, makespan);
  return status;
}

/* Whether a simulation fits into a schedule's memory and so many steps. */
static bool simulation_fits(const struct wb_work *work, uint64_t limit)
{
  uint64_t entries, steps;
  return wb_multiply(work->problem->warps, work->problem->string.length, &entries) &&
         entries <= WB_SCHEDULE_LIMIT &&
         wb_multiply(work->result->upper.cycles, work->problem->warps, &steps) &&
         (steps <= limit || work->options->simulate_only);
}

bool wb_work_simulates_quickly(const struct wb_work *work)
{
  return simulation_fits(work, QUICK_SIMULATION_STEPS);
}

bool wb_work_can_simulate(struct wb_work *work)
{
  warpbound_method method = work->options->limits.method;
  bool quick = method == WARPBOUND_METHOD_BOUNDS || method == WARPBOUND_METHOD_ILP;
  bool fits = simulation_fits(work, quick ? QUICK_SIMULATION_STEPS : FULL_SIMULATION_STEPS);
  if (!fits)
    wb_list_add(&work->result->notes,
                "no schedule was simulated: %u warps of %zu instructions are "
                "more than the method's budget",
                work->problem->warps, work->problem->string.length);
  return fits;
}

/* Whether a longer schedule than the best one found may still exist. */
static bool wants_schedules(struct wb_work *work)
{
  return work->result->witness.makespan < wb_minimum(work->result->upper.cycles, work->alone) &&
         wb_work_may_go_on(work, "simulation");
}

warpbound_status wb_work_find_schedules(struct wb_work *work)
{
  if (!wb_work_can_simulate(work))
    return WARPBOUND_OK;
  if (work->options->policy != NULL)
    return wb_work_simulate(work, work->options->policy);
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < count && wants_schedules(work); p++)
    status = wb_work_simulate(work, &policies[p]);
  bool templates = !work->options->simulate_only;
  for (int t = 0;
       status == WARPBOUND_OK && templates && t < WB_TEMPLATE_COUNT && wants_schedules(work); t++)
    status = evaluate_template(work, (enum wb_template)t);
  return status;
}
