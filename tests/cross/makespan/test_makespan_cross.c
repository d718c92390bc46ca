/* The makespan engine against the definition, on random instances.
 *   WARPBOUND_CROSS_RUNS  instances (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "base/work_control.h"
#include "both_checkers.h"
#include "brute_force.h"
#include "makespan/beam/beam_portfolio.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/exact/dense_search.h"
#include "makespan/exact/guided_search.h"
#include "makespan/exact/layered_search.h"
#include "makespan/machine/policy.h"
#include "makespan/runs/run_abstraction.h"
#include "trial.h"
#include "unit.h"

/* ---- one instance: everything that must hold ---- */

/* Of the instance: T(1..W), the closed form, and what is said of the run abstraction. Then what was
 * met over all instances. */
struct found {
  uint32_t of[MOST_WARPS + 1];
  uint64_t largest;
  bool said_exact;
  uint64_t exact;
  uint64_t equal;
  uint64_t beams;
};

static struct found *found_of(const struct trial *trial)
{
  return trial->found;
}

static const uint32_t *exact_of(const struct trial *trial)
{
  return found_of(trial)->of;
}

static bool find_exact(struct trial *trial)
{
  struct brute_machine machine = instance_machine(trial->instance);
  uint32_t *exact = found_of(trial)->of;
  for (uint32_t w = 1; w <= trial->instance->warps; w++) {
    if (!brute_makespan(&machine, w, BRUTE_STATE_LIMIT, &exact[w]))
      return refute(trial, "brute force gives up at %u warps", w);
    if (exact[w] < exact[w - 1])
      return refute(trial, "T(%u) = %u is less than T(%u) = %u", w, exact[w], w - 1, exact[w - 1]);
  }
  return true;
}

/* Where the problem says that the cap cannot bind, it must change nothing. */
static bool holds_without_cap(struct trial *trial)
{
  struct brute_machine machine = instance_machine(trial->instance);
  if (machine.issue_slots == 0 || wb_problem_capped(&trial->problem))
    return true;
  machine.issue_slots = 0;
  uint32_t w = trial->instance->warps;
  uint32_t cycles;
  if (!brute_makespan(&machine, w, BRUTE_STATE_LIMIT, &cycles) || cycles != exact_of(trial)[w])
    return refute(trial, "a cap that is said not to bind changes T(%u)", w);
  return true;
}

typedef warpbound_status bound_function(const struct wb_problem *problem, uint64_t *cycles,
                                        warpbound_error *error);

static bool holds_bound(struct trial *trial, bound_function *bound, const char *name, bool upper)
{
  for (uint32_t w = 1; w <= trial->instance->warps; w++) {
    uint64_t cycles;
    trial->problem.warps = w;
    warpbound_status status = bound(&trial->problem, &cycles, NULL);
    trial->problem.warps = trial->instance->warps;
    if (status != WARPBOUND_OK)
      return refute(trial, "%s: status %d for %u warps", name, (int)status, w);
    if (upper ? cycles < exact_of(trial)[w] : cycles > exact_of(trial)[w])
      return refute(trial, "%s: %llu for %u warps, T = %u", name, (unsigned long long)cycles, w,
                    exact_of(trial)[w]);
  }
  return true;
}

static bool compare_dense(struct trial *trial, const struct wb_search *search)
{
  uint32_t warps = trial->instance->warps;
  if (search->stop != WB_STOP_NONE || search->makespan == NULL)
    return refute(trial, "dense: stopped (%d)", (int)search->stop);
  for (uint32_t w = 0; w <= warps; w++) {
    if (search->makespan[w] != exact_of(trial)[w])
      return refute(trial, "dense: T(%u) = %llu, by the definition %u", w,
                    (unsigned long long)search->makespan[w], exact_of(trial)[w]);
  }
  if (search->witness.makespan != exact_of(trial)[warps])
    return refute(trial, "dense: the witness takes %llu cycles, not %u",
                  (unsigned long long)search->witness.makespan, exact_of(trial)[warps]);
  return holds_schedule(trial, &search->witness, "dense");
}

static bool holds_dense(struct trial *trial)
{
  struct wb_search search = {0};
  if (wb_bound_closed_form(&trial->problem, &found_of(trial)->largest, NULL) != WARPBOUND_OK)
    return refute(trial, "closed form fails");
  warpbound_status status =
      wb_dense_search(&trial->problem, found_of(trial)->largest, &trial->control, &search, NULL);
  bool holds = status == WARPBOUND_OK ? compare_dense(trial, &search)
                                      : refute(trial, "dense: status %d", (int)status);
  wb_search_free(&search);
  return holds;
}

static bool compare_abstraction(struct trial *trial, const struct wb_search *search)
{
  uint32_t warps = trial->instance->warps;
  if (search->stop != WB_STOP_NONE || search->makespan == NULL)
    return refute(trial, "run abstraction: stopped (%d)", (int)search->stop);
  found_of(trial)->said_exact = wb_run_abstraction_exact(&trial->problem);
  found_of(trial)->exact += found_of(trial)->said_exact;
  found_of(trial)->equal += search->makespan[warps] == exact_of(trial)[warps];
  for (uint32_t w = 0; w <= warps; w++) {
    bool wrong = search->makespan[w] < exact_of(trial)[w] ||
                 (found_of(trial)->said_exact && search->makespan[w] != exact_of(trial)[w]);
    if (wrong)
      return refute(trial, "run abstraction: %llu for %u warps, T = %u%s",
                    (unsigned long long)search->makespan[w], w, exact_of(trial)[w],
                    found_of(trial)->said_exact ? " (said to be exact)" : "");
  }
  if (!found_of(trial)->said_exact)
    return search->witness.issue_cycle == NULL ||
           refute(trial, "run abstraction: a witness without a proof that it exists");
  if (search->witness.makespan != exact_of(trial)[warps])
    return refute(trial, "run abstraction: the witness takes %llu cycles",
                  (unsigned long long)search->witness.makespan);
  return holds_schedule(trial, &search->witness, "run abstraction");
}

static bool holds_abstraction(struct trial *trial)
{
  FREED_BY(wb_search_free) struct wb_search search = {0};
  warpbound_status status = wb_run_abstraction_search(
      &trial->problem, UINT64_MAX, UINT64_C(1) << 30, &trial->control, &search, NULL);
  bool holds = status == WARPBOUND_OK ? compare_abstraction(trial, &search)
                                      : refute(trial, "run abstraction: status %d", (int)status);
  return holds;
}

/* From the widest bracket there is, the guided search must come to the truth. */
static bool holds_guided(struct trial *trial)
{
  uint32_t exact = exact_of(trial)[trial->instance->warps];
  struct wb_guided_result guided = {.lower = 1, .upper = found_of(trial)->largest + 1};
  warpbound_status status = wb_guided_search(&trial->problem, NULL, &trial->control, &guided, NULL);
  bool holds = status == WARPBOUND_OK && guided.lower == exact && guided.upper == exact;
  if (!holds)
    refute(trial, "guided search: status %d, %llu to %llu, T = %u", (int)status,
           (unsigned long long)guided.lower, (unsigned long long)guided.upper, exact);
  if (holds && guided.witness.issue_cycle != NULL)
    holds = holds_schedule(trial, &guided.witness, "guided search");
  wb_guided_result_free(&guided);
  return holds;
}

/* One search over a table: what it finds is a schedule; where it is complete, it misses
 * none of the goal's length. */
static bool holds_layers(struct trial *trial, const struct wb_run_table *table, uint64_t goal,
                         size_t width)
{
  uint32_t exact = exact_of(trial)[trial->instance->warps];
  struct wb_layered_options options = {.goal = goal, .width = width, .memory = UINT64_C(1) << 30};
  struct wb_layered_result found;
  if (wb_layered_search(table, &options, &trial->control, &found, NULL) != WARPBOUND_OK)
    return refute(trial, "layered search: failed");
  bool right = found.longest <= exact && (width > 0 || found.complete) &&
               (!found.complete || found.longest == (goal <= exact ? exact : 0));
  bool holds =
      right || refute(trial, "layered search: goal %llu, width %zu, found %llu, T = %u",
                      (unsigned long long)goal, width, (unsigned long long)found.longest, exact);
  if (holds && found.longest > 0)
    holds = holds_schedule(trial, &found.witness, "layered search");
  wb_schedule_free(&found.witness);
  return holds;
}

static bool holds_cut(struct trial *trial, struct wb_run_cut cut)
{
  uint32_t warps = trial->instance->warps;
  FREED_BY(wb_run_table_free) struct wb_run_table table = {0};
  uint64_t needed, done;
  enum wb_stop stop;
  const struct wb_run_table_options options = {
      .cut = cut, .whole = true, .most = exact_of(trial)[warps] + 1};
  uint64_t states = wb_run_table_plan(&trial->problem, &options, UINT64_C(1) << 30, &needed);
  bool made = states > 0 &&
              wb_run_table_start(&table, &trial->problem, &options, NULL) == WARPBOUND_OK &&
              wb_run_table_fill(&table, &trial->control, &stop, &done, NULL) == WARPBOUND_OK &&
              done == states;
  bool holds = made || refute(trial, "a cut of %zu runs: no table", cut.count);
  for (uint32_t w = 1; holds && w <= warps; w++)
    holds = table.makespan[w] >= exact_of(trial)[w] ||
            refute(trial, "a cut of %zu runs: %u warps below T", cut.count, w);
  holds = holds && holds_layers(trial, &table, 1, 0) &&
          holds_layers(trial, &table, exact_of(trial)[warps], 0) &&
          holds_layers(trial, &table, exact_of(trial)[warps] + 1, 0) &&
          holds_layers(trial, &table, 1, 2);
  return holds;
}

/* The string's own runs, and the finest cut there is. */
static bool holds_cuts(struct trial *trial)
{
  struct wb_run single[INSTANCE_LENGTH_LIMIT];
  size_t count = 0;
  const struct wb_kernel_string *string = &trial->problem.string;
  for (size_t r = 0; r < string->run_count; r++) {
    for (size_t i = 0; i < string->runs[r].length; i++)
      single[count++] = (struct wb_run){string->runs[r].unit, 1};
  }
  return holds_cut(trial, wb_run_cut_of(&trial->problem)) &&
         holds_cut(trial, (struct wb_run_cut){single, count});
}

static bool holds_policies(struct trial *trial)
{
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  for (size_t i = 0; i < count; i++) {
    struct wb_schedule schedule = {0};
    enum wb_stop stop = WB_STOP_NONE;
    warpbound_status status =
        wb_policy_simulate(&policies[i], &trial->problem, &trial->control, &schedule, &stop, NULL);
    bool holds = status == WARPBOUND_OK && stop == WB_STOP_NONE;
    if (!holds)
      refute(trial, "%s: status %d", policies[i].name, (int)status);
    holds = holds && holds_schedule(trial, &schedule, policies[i].name);
    if (holds && schedule.makespan > exact_of(trial)[trial->instance->warps])
      holds =
          refute(trial, "%s: %llu cycles, more than T = %u", policies[i].name,
                 (unsigned long long)schedule.makespan, exact_of(trial)[trial->instance->warps]);
    wb_schedule_free(&schedule);
    if (!holds)
      return false;
  }
  return true;
}

/* Steps of the beams on each instance: enough for some generations. */
#define BEAM_STEPS 4000

/* Beams without a table find schedules, often the longest there is. */
static bool holds_beams(struct trial *trial)
{
  uint32_t exact = exact_of(trial)[trial->instance->warps];
  struct wb_control control = trial->control;
  control.threads = 1; /* starting others would take longer than the work */
  struct wb_portfolio_options options = {.upper = UINT64_MAX, .steps = BEAM_STEPS};
  struct wb_portfolio_result beams;
  if (wb_beam_portfolio(&trial->problem, &options, &control, &beams, NULL) != WARPBOUND_OK)
    return refute(trial, "beams: failed");
  bool holds = beams.longest > 0 && beams.longest <= exact;
  found_of(trial)->beams += beams.longest == exact;
  if (!holds)
    refute(trial, "beams: found %llu, T = %u", (unsigned long long)beams.longest, exact);
  holds = holds && holds_schedule(trial, &beams.witness, "beams");
  wb_schedule_free(&beams.witness);
  return holds;
}

static bool holds_all(struct trial *trial)
{
  return find_exact(trial) && holds_without_cap(trial) &&
         (holds_bound(trial, wb_bound_volume, "volume", false) &&
          holds_bound(trial, wb_bound_closed_form, "closed form", true) &&
          holds_bound(trial, wb_bound_serial, "serial", true)) &&
         holds_dense(trial) && holds_abstraction(trial) && holds_guided(trial) &&
         holds_cuts(trial) && holds_policies(trial) && holds_beams(trial);
}

TEST(engine_agrees_with_definition)
{
  struct found found = {.largest = 0};
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  trial_run_many(instance_random, holds_all, runs, &found);
  print_message(
      "# run abstraction: said to be exact on %llu, equal on %llu; beams: as long as T on "
      "%llu\n",
      (unsigned long long)found.exact, (unsigned long long)found.equal,
      (unsigned long long)found.beams);
  assert_true(runs < 1000 || found.beams > runs / 100 * 95);
  assert_true(runs < 1000 || (found.exact > runs / 20 && found.equal > found.exact));
}

/* ---- the tools themselves ---- */

TEST(sorting_warps_changes_nothing)
{
  struct wb_random random = {DEFAULT_SEED};
  const uint8_t start[BRUTE_WARP_LIMIT] = {0};
  for (int run = 0; run < 300; run++) {
    struct instance instance = instance_random(&random);
    if (instance.warps > 4)
      instance.warps = 4;
    struct brute_machine machine = instance_machine(&instance);
    uint32_t with;
    uint32_t without;
    struct brute_force *brute = brute_start(&machine, instance.warps, false, BRUTE_STATE_LIMIT);
    assert_non_null(brute);
    assert_true(brute_longest(brute, start, &without));
    assert_true(brute_makespan(&machine, instance.warps, BRUTE_STATE_LIMIT, &with));
    assert_int_equal(with, without);
    brute_free(brute);
  }
}

TEST(brute_force_gives_up)
{
  struct brute_machine machine = {.letters = "LCLCLC", .capacity = {1, 1, 1, 1}};
  uint32_t cycles;
  assert_true(brute_makespan(&machine, 4, 1000, &cycles));
  assert_false(brute_makespan(&machine, 4, 20, &cycles));
  assert_false(brute_makespan(&machine, BRUTE_WARP_LIMIT + 1, 1000, &cycles));
}

/* "fails" where two C stand in it, three warps run and there is a cap. */
static bool has_two_cores_and_cap(const struct instance *instance, void *context)
{
  (void)context;
  const char *first = strchr(instance->letters, 'C');
  return first != NULL && strchr(first + 1, 'C') != NULL && instance->warps >= 3 &&
         instance->issue_slots > 0 && instance->capacity[1] >= 2;
}

TEST(shrinking_ends_at_the_smallest)
{
  struct instance instance = {
      .letters = "LCLSNCCD", .capacity = {3, 4, 2, 1}, .issue_slots = 6, .warps = 6};
  char command[200];
  assert_true(has_two_cores_and_cap(&instance, NULL));
  instance = instance_shrink(instance, has_two_cores_and_cap, NULL);
  instance_command(&instance, command, sizeof command);
  assert_string_equal(command, "warpbound makespan CC --units C=2 --issue-slots 1 -W 3");
}

/* LC with one unit each, two warps: 1 2 / 2 3 is the only schedule. */
/* ---- limits ---- */

/* LLCLL, 40 warps: a table of C(45, 5) = 1221759 states. */
static void searches_stop(struct wb_control control, uint64_t memory, enum wb_stop expected)
{
  struct instance instance = {.letters = "LLCLL", .capacity = {1, 1, 1, 1}, .warps = 40};
  FREED_BY(wb_problem_free) struct wb_problem problem;
  FREED_BY(wb_search_free) struct wb_search dense = {0};
  FREED_BY(wb_search_free) struct wb_search abstraction = {0};
  assert_true(instance_problem(&instance, &problem));
  control.memory_limit = memory;
  assert_ok(wb_dense_search(&problem, 200, &control, &dense, NULL));
  assert_int_equal(dense.stop, expected);
  assert_null(dense.makespan);
  assert_null(dense.witness.issue_cycle);
  assert_ok(wb_run_abstraction_search(&problem, UINT64_MAX, memory, &control, &abstraction, NULL));
  assert_int_equal(abstraction.stop, expected);
  assert_null(abstraction.makespan);
  assert_null(abstraction.witness.issue_cycle);
}

TEST(searches_stop_when_told)
{
  struct wb_control control = wb_control_start(NULL);
  searches_stop(control, 1000, WB_STOP_MEMORY);
  control.interrupted = interrupt_at_once;
  searches_stop(control, UINT64_C(1) << 26, WB_STOP_INTERRUPTED);
  control.interrupted = NULL;
  control.deadline = control.start - 1;
  searches_stop(control, UINT64_C(1) << 26, WB_STOP_TIME);
}

TEST(dense_says_what_it_needs)
{
  struct instance instance = {.letters = "LLCLL", .capacity = {1, 1, 1, 1}, .warps = 40};
  FREED_BY(wb_problem_free) struct wb_problem problem;
  struct wb_search search = {0};
  struct wb_control control = wb_control_start(NULL);
  assert_true(instance_problem(&instance, &problem));
  control.memory_limit = 1000;
  assert_ok(wb_dense_search(&problem, 200, &control, &search, NULL));
  assert_true(search.needed >= 1221759);
  control.memory_limit = search.needed;
  wb_search_free(&search);
  assert_ok(wb_dense_search(&problem, 200, &control, &search, NULL));
  assert_int_equal(search.stop, WB_STOP_NONE);
  assert_non_null(search.makespan);
  wb_search_free(&search);
}
