/* The engine of a whole SM against the words of the definition, on random instances.
 *   WARPBOUND_CROSS_RUNS  ten times the instances of each test (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "base/checked.h"
#include "both_checkers.h"
#include "brute_force.h"
#include "makespan/exact/dense_search.h"
#include "makespan/machine/policy.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"
#include "sm/annealing/sm_annealing.h"
#include "sm/bounds/sm_bounds.h"
#include "sm/search/sm_portfolio.h"
#include "sm/search/sm_search.h"
#include "sm_trial.h"
#include "unit.h"

/* Whether a schedule of a whole SM keeps the words of model/sm_problem.h, for tests: every warp of
 * every cycle by itself. Shares nothing with the engine. */

static const char units[] = "LCSDT";

/* One cycle of a schedule under examination. */
struct examined {
  const struct sm_instance *instance;
  const struct wb_schedule *schedule;
  uint32_t cycle;
};

static const char *letters_of(const struct examined *e, uint32_t warp)
{
  return e->instance->strings[e->schedule->string_of[warp]];
}

static uint32_t cycle_of(const struct examined *e, uint32_t warp, size_t at)
{
  return e->schedule->issue_cycle[e->schedule->first[warp] + at];
}

/* Instructions, or those of type B, that the warp has done before the cycle. */
static size_t done_before(const struct examined *e, uint32_t warp, bool barriers)
{
  size_t done = 0;
  for (size_t i = 0; letters_of(e, warp)[i] != '\0'; i++)
    done += cycle_of(e, warp, i) < e->cycle && (!barriers || letters_of(e, warp)[i] == 'B');
  return done;
}

static bool may_issue(const struct examined *e, uint32_t warp)
{
  if (letters_of(e, warp)[done_before(e, warp, false)] == '\0')
    return false;
  uint32_t size = e->instance->block_warps;
  for (uint32_t other = warp / size * size; other < warp / size * size + size; other++) {
    if (done_before(e, other, true) < done_before(e, warp, true))
      return false;
  }
  return true;
}

static bool issues(const struct examined *e, uint32_t warp)
{
  size_t next = done_before(e, warp, false);
  return letters_of(e, warp)[next] != '\0' && cycle_of(e, warp, next) == e->cycle;
}

static uint32_t partition_of(const struct examined *e, uint32_t warp)
{
  return warp % e->instance->block_warps % e->instance->partitions;
}

/* Warps other than this one that issue in its partition, or, where `like`, that take of the units
 * that its next instruction takes. */
static uint32_t others_that_issue(const struct examined *e, uint32_t warp, bool like)
{
  char letter = letters_of(e, warp)[done_before(e, warp, false)];
  const char *unit = strchr(units, letter);
  bool shared = unit != NULL && e->instance->shared[unit - units];
  uint32_t count = 0;
  for (uint32_t other = 0; other < e->schedule->warps; other++) {
    if (other == warp || !issues(e, other))
      continue;
    bool near = partition_of(e, other) == partition_of(e, warp) || (like && shared);
    bool same = !like || letters_of(e, other)[done_before(e, other, false)] == letter;
    count += near && same;
  }
  return count;
}

/* Whether there is, or would be, room for the warp beside the others. */
static bool has_room(const struct examined *e, uint32_t warp)
{
  uint32_t slots = e->instance->issue_slots;
  if (slots > 0 && others_that_issue(e, warp, false) >= slots)
    return false;
  const char *unit = strchr(units, letters_of(e, warp)[done_before(e, warp, false)]);
  return unit == NULL || others_that_issue(e, warp, true) < e->instance->capacity[unit - units];
}

static const char *wrong_in_cycle(const struct examined *e)
{
  for (uint32_t warp = 0; warp < e->schedule->warps; warp++) {
    if (issues(e, warp) && !may_issue(e, warp))
      return "a warp issues that waits at a barrier";
    if (issues(e, warp) && !has_room(e, warp))
      return "too many issue";
    if (!issues(e, warp) && may_issue(e, warp) && has_room(e, warp))
      return "a warp idles that could issue";
  }
  return NULL;
}

static const char *wrong_in_order(const struct examined *e, uint64_t *last)
{
  for (uint32_t warp = 0; warp < e->schedule->warps; warp++) {
    if (e->schedule->string_of[warp] >= e->instance->string_count ||
        e->schedule->first[warp + 1] - e->schedule->first[warp] != strlen(letters_of(e, warp)))
      return "not the warp's string";
    for (size_t i = 0; letters_of(e, warp)[i] != '\0'; i++) {
      if (cycle_of(e, warp, i) <= (i > 0 ? cycle_of(e, warp, i - 1) : 0))
        return "instructions are not in order";
      *last = cycle_of(e, warp, i) > *last ? cycle_of(e, warp, i) : *last;
    }
  }
  return NULL;
}

/* reason: NULL, or what is wrong, static. */
static bool sm_schedule_keeps_rules(const struct sm_instance *instance,
                                    const struct wb_schedule *schedule, const char **reason)
{
  struct examined examined = {.instance = instance, .schedule = schedule};
  uint64_t last = 0;
  if (schedule->issue_cycle == NULL || schedule->warps != sm_instance_warps(instance)) {
    *reason = "not a schedule of all warps";
    return false;
  }
  *reason = wrong_in_order(&examined, &last);
  if (*reason == NULL && last != schedule->makespan)
    *reason = "another makespan";
  for (uint32_t c = 1; *reason == NULL && c <= last; c++) {
    examined.cycle = c;
    *reason = wrong_in_cycle(&examined);
  }
  return *reason == NULL;
}

/* What was met over all instances: how often bounds are reached. */
struct met {
  uint64_t instances;
  uint64_t upper_reached;
  uint64_t lower_reached;
  uint64_t policy_reached;
  uint64_t beam_reached;
  uint64_t annealing_reached;
};

static uint64_t runs_of_each(void)
{
  return number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 10;
}

static bool holds_schedule(struct sm_trial *trial, const struct wb_schedule *schedule,
                           const char *name)
{
  const char *reason;
  return sm_schedule_keeps_rules(trial->instance, schedule, &reason) ||
         sm_refute(trial, "%s: %s", name, reason);
}

/* The search's answer, with its witness; string_of NULL: over all assignments. */
static bool holds_search(struct sm_trial *trial, const uint32_t *string_of, uint32_t exact)
{
  struct wb_sm_search search;
  if (!wb_sm_search_fits(&trial->problem) ||
      wb_sm_search(&trial->problem, string_of, &trial->control, &search, NULL) != WARPBOUND_OK)
    return sm_refute(trial, "the search fails");
  bool holds =
      search.stop == WB_STOP_NONE && search.longest == exact && search.witness.makespan == exact;
  if (!holds)
    sm_refute(trial, "search: %llu, definition: %u", (unsigned long long)search.longest, exact);
  holds = holds && holds_schedule(trial, &search.witness, "search");
  for (uint32_t w = 0; holds && string_of != NULL && w < search.witness.warps; w++)
    holds = search.witness.string_of[w] == string_of[w] || sm_refute(trial, "another string");
  wb_schedule_free(&search.witness);
  return holds;
}

static bool holds_bounds(struct sm_trial *trial, uint32_t worst, struct met *met)
{
  struct wb_sm_bounds bounds;
  if (wb_sm_bounds_find(&trial->problem, &bounds, NULL) != WARPBOUND_OK)
    return sm_refute(trial, "bounds fail");
  met->upper_reached += bounds.upper == worst;
  met->lower_reached += bounds.lower == worst;
  if (bounds.lower > worst || bounds.serial < worst || bounds.closed_form < worst ||
      bounds.upper < worst || (bounds.phases > 0 && bounds.phases < worst))
    return sm_refute(trial, "T = %u, serial %llu, closed %llu, phases %llu, lower %llu", worst,
                     (unsigned long long)bounds.serial, (unsigned long long)bounds.closed_form,
                     (unsigned long long)bounds.phases, (unsigned long long)bounds.lower);
  return true;
}

static bool holds_policies(struct sm_trial *trial, const uint32_t *string_of, uint32_t exact,
                           struct met *met)
{
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  bool holds = true;
  bool reached = false;
  for (size_t p = 0; holds && p < count; p++) {
    FREED_BY(wb_schedule_free) struct wb_schedule schedule;
    enum wb_stop stop;
    holds = (wb_sm_simulate(&policies[p], &trial->problem, string_of, &trial->control, &schedule,
                            &stop, NULL) == WARPBOUND_OK ||
             sm_refute(trial, "%s fails", policies[p].name)) &&
            holds_schedule(trial, &schedule, policies[p].name) &&
            (schedule.makespan <= exact || sm_refute(trial, "%s: too long", policies[p].name));
    reached = reached || schedule.makespan == exact;
  }
  met->policy_reached += reached;
  return holds;
}

/* A schedule found, no longer than the longest. */
static bool holds_lower(struct sm_trial *trial, const struct wb_schedule *schedule, uint32_t exact,
                        const char *name)
{
  return holds_schedule(trial, schedule, name) &&
         (schedule->makespan <= exact || sm_refute(trial, "%s: %llu cycles, T = %u", name,
                                                   (unsigned long long)schedule->makespan, exact));
}

static bool holds_beams(struct sm_trial *trial, const uint32_t *string_of, uint32_t exact,
                        struct met *met)
{
  const struct wb_portfolio_options options = {.upper = exact, .steps = 100000};
  struct wb_portfolio_result portfolio;
  struct wb_control control = trial->control;
  control.threads = 1; /* starting others would take longer than the work */
  if (!wb_sm_portfolio_fits(&trial->problem) ||
      wb_sm_portfolio_search(&trial->problem, string_of, &options, &control, &portfolio, NULL) !=
          WARPBOUND_OK)
    return sm_refute(trial, "beams fail");
  const bool holds = holds_lower(trial, &portfolio.witness, exact, "beams") &&
                     (portfolio.longest == portfolio.witness.makespan ||
                      sm_refute(trial, "beams: another length"));
  met->beam_reached += portfolio.longest == exact;
  wb_schedule_free(&portfolio.witness);
  return holds;
}

/* The longest makespan that the runs tell of. */
static uint64_t longest_of_runs(const struct wb_annealing_result *result)
{
  uint64_t best = 0;
  for (size_t r = 0; r < result->run_count; r++)
    best = wb_maximum(best, result->runs[r].improvements[result->runs[r].count - 1].makespan);
  return best;
}

static bool holds_annealing(struct sm_trial *trial, const uint32_t *string_of, uint32_t exact,
                            enum wb_annealing_variant variant, struct met *met)
{
  const struct wb_annealing_options options = {.variant = variant,
                                               .initial = WB_ANNEALING_ALL,
                                               .iterations = 100,
                                               .runs = 6,
                                               .seed = trial->seed};
  struct wb_annealing_result result;
  struct wb_control control = trial->control;
  control.threads = 1;
  if (!wb_sm_annealing_fits(&trial->problem) ||
      wb_sm_annealing_search(&trial->problem, string_of, &options, exact, &control, &result,
                             NULL) != WARPBOUND_OK)
    return sm_refute(trial, "annealing fails");
  const bool holds =
      holds_lower(trial, &result.witness, exact, wb_annealing_variant_name(variant)) &&
      (longest_of_runs(&result) == result.witness.makespan ||
       sm_refute(trial, "the walk lost its way"));
  met->annealing_reached += result.witness.makespan == exact;
  wb_annealing_result_free(&result);
  return holds;
}

static bool holds_all(struct sm_trial *trial)
{
  uint32_t string_of[SM_WARP_LIMIT];
  uint32_t worst = 0, one = 0;
  struct wb_random random = {trial->seed};
  struct sm_brute *brute = sm_brute_start(trial->instance, true, SM_BRUTE_STATE_LIMIT);
  assert_non_null(brute);
  sm_instance_random_strings(trial->instance, &random, string_of);
  bool done = sm_brute_worst(brute, &worst, NULL) && sm_brute_assignment(brute, string_of, &one);
  sm_brute_free(brute);
  struct met *met = trial->found;
  met->instances++;
  return (done || sm_refute(trial, "too large")) && holds_search(trial, NULL, worst) &&
         holds_search(trial, string_of, one) && holds_bounds(trial, worst, met) &&
         holds_policies(trial, string_of, one, met) && holds_beams(trial, NULL, worst, met) &&
         holds_beams(trial, string_of, one, met) &&
         holds_annealing(trial, NULL, worst, WB_ANNEALING_WINDOWED, met) &&
         holds_annealing(trial, string_of, one, WB_ANNEALING_WINDOWED, met) &&
         holds_annealing(trial, NULL, worst, WB_ANNEALING_PUBLISHED, met);
}

TEST(engine_agrees_with_definition)
{
  struct met met = {0};
  sm_trial_run_many(sm_instance_random, holds_all, runs_of_each(), &met);
  print_message("# of %llu the upper bound is reached %llu times, the lower one %llu, policies "
                "reach the longest %llu times, beams %llu times of 2, annealing %llu times of 3\n",
                (unsigned long long)met.instances, (unsigned long long)met.upper_reached,
                (unsigned long long)met.lower_reached, (unsigned long long)met.policy_reached,
                (unsigned long long)met.beam_reached, (unsigned long long)met.annealing_reached);
  assert_true(met.upper_reached > met.instances / 2 && met.policy_reached > met.instances / 2);
  assert_true(met.beam_reached > met.instances * 19 / 10);
  assert_true(met.annealing_reached > met.instances * 28 / 10);
}

/* One block: its phases one by one, by the search. With one string their sum is T, with several it
 * bounds it. */
static bool phases_sum_up(struct sm_trial *trial)
{
  struct met *met = trial->found;
  struct wb_sm_phases phases;
  struct wb_sm_search whole;
  if (wb_sm_phases_cut(&trial->problem, &phases, NULL) != WARPBOUND_OK ||
      wb_sm_search(&trial->problem, NULL, &trial->control, &whole, NULL) != WARPBOUND_OK)
    return sm_refute(trial, "fails");
  uint64_t sum = 0;
  for (size_t k = 0; k < phases.count; k++) {
    struct wb_sm_search one;
    assert_ok(wb_sm_search(&phases.problems[k], NULL, &trial->control, &one, NULL));
    sum += phases.times[k] * one.longest;
    wb_schedule_free(&one.witness);
  }
  wb_sm_phases_free(&phases);
  wb_schedule_free(&whole.witness);
  met->instances++;
  met->upper_reached += sum == whole.longest;
  if (sum < whole.longest || (trial->problem.string_count == 1 && sum != whole.longest))
    return sm_refute(trial, "T = %llu, phases %llu", (unsigned long long)whole.longest,
                     (unsigned long long)sum);
  return true;
}

TEST(phases_of_one_block)
{
  struct met met = {0};
  sm_trial_run_many(sm_instance_random_block, phases_sum_up, runs_of_each(), &met);
}

/* Where a wb_problem says as much, the older engine and this one agree. */
static bool agrees_with_one_partition(struct sm_trial *trial)
{
  const struct wb_sm_problem *problem = &trial->problem;
  struct wb_problem plain = {.string = problem->strings[0],
                             .issue_slots = problem->issue_slots,
                             .warps = wb_sm_problem_warps(problem)};
  memcpy(plain.capacity, problem->capacity, sizeof plain.capacity);
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  bool holds = true;
  for (size_t p = 0; holds && p < count; p++) {
    FREED_BY(wb_schedule_free) struct wb_schedule schedule;
    FREED_BY(wb_schedule_free) struct wb_schedule expected;
    enum wb_stop stop;
    assert_ok(wb_sm_simulate(&policies[p], problem, NULL, &trial->control, &schedule, &stop, NULL));
    assert_ok(wb_policy_simulate(&policies[p], &plain, &trial->control, &expected, &stop, NULL));
    holds = (schedule.makespan == expected.makespan &&
             memcmp(schedule.issue_cycle, expected.issue_cycle,
                    schedule.first[schedule.warps] * sizeof(uint32_t)) == 0) ||
            sm_refute(trial, "%s: another schedule", policies[p].name);
  }
  FREED_BY(wb_search_free) struct wb_search dense;
  assert_ok(
      wb_dense_search(&plain, plain.warps * plain.string.length, &trial->control, &dense, NULL));
  holds = holds && holds_search(trial, NULL, (uint32_t)dense.makespan[plain.warps]);
  return holds;
}

TEST(it_agrees_with_one_partition)
{
  sm_trial_run_many(sm_instance_random_plain, agrees_with_one_partition, runs_of_each(), NULL);
}
