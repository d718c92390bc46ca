/* Steps that make lower ends: simulated policies, templates, and checked witnesses. */
#include "analysis/makespan/makespan_steps.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "certificate/schedule/schedule_check.h"
#include "makespan/machine/policy.h"

#include <stdlib.h>
#include <string.h>

/* Most steps of a simulation (cycles times warps, whatever the speed of the computer): within the
 * method `bounds`, and within others. */
#define QUICK_SIMULATION_STEPS (UINT64_C(1) << 23)
#define FULL_SIMULATION_STEPS (UINT64_C(1) << 29)

warpbound_status wb_makespan_check_schedule(const struct wb_makespan_analysis *analysis,
                                            const struct wb_problem *problem,
                                            const struct wb_schedule *schedule, const char *method)
{
  warpbound_error refusal = {0};
  const warpbound_status verdict =
      problem != NULL
          ? wb_judge_schedule(problem, schedule, &refusal)
          : wb_judge_whole_schedule(&analysis->result->instance->whole, schedule, &refusal);
  if (verdict == WARPBOUND_CHECK_FAILED)
    return wb_fail(analysis->error, WARPBOUND_INTERNAL,
                   "a schedule by '%s' does not pass the checker: %.200s (please report this)",
                   method, refusal.message);
  return verdict == WARPBOUND_OK ? verdict : wb_out_of_memory(analysis->error);
}

warpbound_status wb_makespan_offer_witness(struct wb_makespan_analysis *analysis,
                                           struct wb_schedule *schedule, const char *method,
                                           const char *source)
{
  struct warpbound_result *result = analysis->result;
  const bool whole = wb_makespan_is_whole_sm(analysis);
  struct wb_schedule *best = whole ? &result->whole_witness : &result->witness;
  const uint64_t makespan = schedule->makespan;
  const warpbound_status status =
      wb_makespan_check_schedule(analysis, whole ? NULL : analysis->problem, schedule, method);
  if (status == WARPBOUND_OK && makespan > best->makespan) {
    wb_schedule_swap(schedule, best);
    result->witness_method = method;
  }
  wb_schedule_free(schedule);
  if (status == WARPBOUND_OK && source != NULL)
    wb_makespan_add_bound(analysis, method, source, WARPBOUND_LOWER, makespan);
  return status;
}

warpbound_status wb_makespan_simulate(struct wb_makespan_analysis *analysis,
                                      const struct wb_policy *policy)
{
  struct wb_schedule schedule;
  enum wb_stop stop;
  const warpbound_status status =
      wb_makespan_is_whole_sm(analysis)
          ? wb_sm_simulate(policy, &analysis->result->instance->whole, NULL, &analysis->control,
                           &schedule, &stop, analysis->error)
          : wb_policy_simulate(policy, analysis->problem, &analysis->control, &schedule, &stop,
                               analysis->error);
  wb_makespan_note_early_end(analysis, stop, policy->name);
  return status == WARPBOUND_OK && stop == WB_STOP_NONE
             ? wb_makespan_offer_witness(analysis, &schedule, policy->name, "simulated schedule")
             : status;
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
  return wb_makespan_offer_witness(analysis, &schedule, wb_template_name(template),
                                   "ETFA 2013, initial solution; evaluated as in figure 4");
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
  const uint64_t alone = wb_makespan_is_whole_sm(analysis) ? UINT64_MAX : analysis->alone;
  return wb_result_witness(analysis->result) < wb_minimum(analysis->result->upper.cycles, alone) &&
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
  const bool templates = !analysis->options->simulate_only && !wb_makespan_is_whole_sm(analysis);
  for (int t = 0;
       status == WARPBOUND_OK && templates && t < WB_TEMPLATE_COUNT && wants_schedules(analysis);
       t++)
    status = evaluate_template(analysis, (enum wb_template)t);
  return status;
}

/* The claim of a schedule, in the form of the checker. The arena owns its arrays. */
struct claim {
  struct wb_check_schedule_claim claim;
  struct wb_check_schedule_string *strings;
  const uint32_t **cycles;
  size_t *counts;
  struct wb_arena arena;
};

static bool make_claim(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                       struct claim *made)
{
  struct wb_arena *arena = &made->arena;
  *made = (struct claim){0};
  made->strings = wb_arena_allocate(arena, problem->string_count, sizeof *made->strings);
  made->cycles = wb_arena_allocate(arena, schedule->warps, sizeof *made->cycles);
  made->counts = wb_arena_allocate(arena, schedule->warps, sizeof *made->counts);
  for (size_t s = 0; s < problem->string_count && !arena->failed; s++) {
    const struct wb_kernel_string *string = &problem->strings[s];
    char *letters = wb_arena_allocate(arena, string->length, sizeof *letters);
    made->strings[s] = (struct wb_check_schedule_string){letters, string->length};
    for (size_t r = 0; r < string->run_count && letters != NULL; r++) {
      memset(letters, wb_unit_letter(string->runs[r].unit), string->runs[r].length);
      letters += string->runs[r].length;
    }
  }
  if (arena->failed)
    return false;
  for (uint32_t w = 0; w < schedule->warps; w++) {
    made->cycles[w] = schedule->issue_cycle + schedule->first[w];
    made->counts[w] = schedule->first[w + 1] - schedule->first[w];
  }
  made->claim = (struct wb_check_schedule_claim){
      .strings = made->strings,
      .string_count = problem->string_count,
      .string_of = schedule->string_of,
      .issue_slots = problem->issue_slots == WB_UNLIMITED ? 0 : problem->issue_slots,
      .warps = schedule->warps,
      .blocks = problem->blocks,
      .partitions = problem->partitions,
      .cycles = made->cycles,
      .counts = made->counts,
      .fair_first = problem->fair.first,
      .fair_length = problem->fair.length,
      .fair_count = problem->fair.count};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    made->claim.capacity[u] = problem->capacity[u];
    made->claim.shared[u] = problem->shared[u];
  }
  return true;
}

warpbound_status wb_judge_whole_schedule(const struct wb_sm_problem *problem,
                                         const struct wb_schedule *schedule,
                                         warpbound_error *refusal)
{
  struct claim claim;
  uint64_t makespan = 0;
  warpbound_status status = WARPBOUND_OK;
  if (!make_claim(problem, schedule, &claim))
    status = wb_out_of_memory(refusal);
  else if (wb_check_schedule(&claim.claim, &makespan, refusal) != WARPBOUND_OK)
    status = WARPBOUND_CHECK_FAILED;
  else if (makespan != schedule->makespan)
    status = wb_fail(refusal, WARPBOUND_CHECK_FAILED, "another makespan");
  wb_arena_free(&claim.arena);
  return status;
}

warpbound_status wb_judge_schedule(const struct wb_problem *problem,
                                   const struct wb_schedule *schedule, warpbound_error *refusal)
{
  struct wb_widened_problem wide;
  wb_problem_widen(problem, &wide);
  return wb_judge_whole_schedule(&wide.whole, schedule, refusal);
}
