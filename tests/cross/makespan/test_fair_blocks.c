/* Schedulers that are fair between sub-blocks, against the definition, on random instances.
 *   WARPBOUND_CROSS_RUNS  instances (a fifth of them; 4000 without it)
 *   WARPBOUND_SEED        seed of the first one */
#include "base/checked.h"
#include "both_checkers.h"
#include "makespan/annealing/annealing.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/exact/forward_search.h"
#include "makespan/machine/policy.h"
#include "makespan/potential/potential_search.h"
#include "makespan/runs/run_abstraction.h"
#include "trial.h"
#include "unit.h"

/* exact: of the instance, by the definition. unrestricted: T(W) without fairness. Then what was
 * met over all instances. */
struct found {
  uint32_t exact;
  uint32_t unrestricted;
  uint64_t shorter;
  uint64_t annealed;
  uint64_t many;
};

static struct found *found_of(const struct trial *trial)
{
  return trial->found;
}

static bool find_exact(struct trial *trial)
{
  struct brute_machine machine = instance_machine(trial->instance);
  struct found *found = found_of(trial);
  bool done = brute_makespan(&machine, trial->instance->warps, BRUTE_STATE_LIMIT, &found->exact);
  machine.fair_count = 0;
  done = done &&
         brute_makespan(&machine, trial->instance->warps, BRUTE_STATE_LIMIT, &found->unrestricted);
  if (!done)
    return refute(trial, "brute force gives up");
  return found->exact <= found->unrestricted ||
         refute(trial, "fair: %u, unrestricted: %u", found->exact, found->unrestricted);
}

/* A schedule that is fair by both checkers, and no longer than the longest. */
static bool holds_lower(struct trial *trial, const struct wb_schedule *schedule, const char *name)
{
  return holds_schedule(trial, schedule, name) &&
         (schedule->makespan <= found_of(trial)->exact ||
          refute(trial, "%s: %llu cycles, T = %u", name, (unsigned long long)schedule->makespan,
                 found_of(trial)->exact));
}

static bool holds_forward(struct trial *trial)
{
  struct wb_forward_result result = {0};
  if (wb_forward_search(&trial->problem, &trial->control, &result, NULL) != WARPBOUND_OK)
    return refute(trial, "forward search fails");
  bool holds = result.stop == WB_STOP_NONE && result.longest == found_of(trial)->exact;
  if (!holds)
    refute(trial, "forward search: %llu, T = %u", (unsigned long long)result.longest,
           found_of(trial)->exact);
  holds = holds && result.witness.makespan == result.longest &&
          holds_schedule(trial, &result.witness, "forward search");
  wb_schedule_free(&result.witness);
  return holds;
}

/* Without the blocks the same search finds T(W). */
static bool holds_unrestricted(struct trial *trial)
{
  struct wb_problem problem = trial->problem;
  struct wb_forward_result result = {0};
  problem.fair.count = 0;
  bool holds = wb_forward_search(&problem, &trial->control, &result, NULL) == WARPBOUND_OK &&
               result.longest == found_of(trial)->unrestricted;
  if (!holds)
    refute(trial, "forward search without blocks: %llu, T = %u", (unsigned long long)result.longest,
           found_of(trial)->unrestricted);
  wb_schedule_free(&result.witness);
  return holds;
}

static bool holds_policies(struct trial *trial)
{
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  bool holds = true;
  for (size_t p = 0; holds && p < count; p++) {
    FREED_BY(wb_schedule_free) struct wb_schedule schedule = {0};
    enum wb_stop stop;
    holds = wb_policy_simulate(&policies[p], &trial->problem, &trial->control, &schedule, &stop,
                               NULL) == WARPBOUND_OK &&
            holds_lower(trial, &schedule, policies[p].name);
  }
  return holds;
}

/* Whatever string is sorted evaluates to a fair schedule, and every fair schedule is what the
 * sorted order of its cycles evaluates to. */
static bool holds_string(struct trial *trial, uint32_t *order, const char *name,
                         const uint32_t *expected)
{
  FREED_BY(wb_schedule_free) struct wb_schedule schedule = {0};
  bool holds = wb_precedence_sort(&trial->problem, order, NULL) == WARPBOUND_OK &&
               wb_precedence_evaluate(&trial->problem, order, &schedule, NULL) == WARPBOUND_OK &&
               holds_lower(trial, &schedule, name);
  if (holds && expected != NULL &&
      memcmp(schedule.issue_cycle, expected, schedule.warps * schedule.length * sizeof *expected) !=
          0)
    holds = refute(trial, "%s: another schedule", name);
  return holds;
}

static bool holds_precedence(struct trial *trial)
{
  uint32_t order[BRUTE_WARP_LIMIT * INSTANCE_LENGTH_LIMIT];
  uint32_t cycles[BRUTE_WARP_LIMIT * INSTANCE_LENGTH_LIMIT];
  struct wb_random random = {trial->seed};
  size_t length = trial->problem.string.length;
  size_t entries = trial->problem.warps * length;
  for (size_t k = 0; k < entries; k++) {
    size_t other = (size_t)wb_random_below(&random, k + 1);
    order[k] = order[other];
    order[other] = (uint32_t)(k % trial->problem.warps);
  }
  if (!holds_string(trial, order, "a random string", NULL))
    return false;
  uint32_t makespan = instance_random_schedule(trial->instance, &random, cycles);
  size_t at = 0;
  for (uint32_t c = 1; c <= makespan; c++) {
    for (size_t k = 0; k < entries; k++) {
      if (cycles[k] == c)
        order[at++] = (uint32_t)(k / length);
    }
  }
  return holds_string(trial, order, "the order of a random schedule", cycles);
}

static bool holds_annealing(struct trial *trial, enum wb_annealing_variant variant)
{
  struct wb_annealing_options options = {.variant = variant,
                                         .initial = WB_ANNEALING_ALL,
                                         .iterations = 100,
                                         .runs = 4,
                                         .seed = trial->seed};
  struct wb_annealing_result result;
  struct wb_control control = trial->control;
  control.threads = 1; /* starting others would take longer than the work */
  if (wb_annealing_search(&trial->problem, &options, found_of(trial)->unrestricted, &control,
                          &result, NULL) != WARPBOUND_OK)
    return refute(trial, "annealing fails");
  uint64_t best = 0;
  for (size_t r = 0; r < result.run_count; r++)
    best = wb_maximum(best, result.runs[r].improvements[result.runs[r].count - 1].makespan);
  bool holds = holds_lower(trial, &result.witness, wb_annealing_variant_name(variant)) &&
               (best == result.witness.makespan || refute(trial, "the walk lost its way"));
  found_of(trial)->annealed += holds && result.witness.makespan == found_of(trial)->exact;
  wb_annealing_result_free(&result);
  return holds;
}

/* The run abstraction still bounds from above, and no longer says that it is exact. */
static bool holds_abstraction(struct trial *trial)
{
  struct wb_search search;
  if (wb_run_abstraction_search(&trial->problem, UINT64_MAX, UINT64_C(1) << 30, &trial->control,
                                &search, NULL) != WARPBOUND_OK)
    return refute(trial, "run abstraction fails");
  uint32_t warps = trial->problem.warps;
  bool exact = wb_run_abstraction_exact(&trial->problem);
  bool holds = search.makespan[warps] >= found_of(trial)->exact &&
               (!exact || search.makespan[warps] == found_of(trial)->exact) &&
               exact == (search.witness.issue_cycle != NULL);
  wb_search_free(&search);
  return holds || refute(trial, "run abstraction: %s", exact ? "said to be exact" : "too low");
}

static bool holds_all(struct trial *trial)
{
  struct found *found = found_of(trial);
  bool holds = find_exact(trial) && holds_forward(trial) && holds_unrestricted(trial) &&
               holds_policies(trial) && holds_precedence(trial) && holds_abstraction(trial) &&
               holds_annealing(trial, WB_ANNEALING_PUBLISHED) &&
               holds_annealing(trial, WB_ANNEALING_WINDOWED);
  found->shorter += found->exact < found->unrestricted;
  return holds;
}

TEST(engine_agrees_with_definition)
{
  struct found found = {0};
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 5;
  trial_run_many(instance_random_fair, holds_all, runs, &found);
  print_message("# fairness makes %llu shorter; annealing finds the longest %llu times of %llu\n",
                (unsigned long long)found.shorter, (unsigned long long)found.annealed,
                (unsigned long long)runs * 2);
  assert_true(runs < 1000 || (found.shorter > runs / 20 && found.annealed > runs * 2 / 100 * 95));
}
