/* Annealing against evaluation from scratch, against proven makespans and against both
 * checkers.
 *   WARPBOUND_SEED        seed of the random instances
 *   WARPBOUND_CROSS_RUNS  how many (20000)
 *   WARPBOUND_CROSS_ITERATIONS  of the annealing of each golden row (4000) */
#include "base/work_control.h"
#include "both_checkers.h"
#include "golden_rows.h"
#include "makespan/annealing/annealing.h"
#include "makespan/annealing/annealing_evaluation.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/exact/dense_search.h"
#include "makespan/machine/policy.h"
#include "unit.h"

#define CHANGES_OF_AN_INSTANCE 40
#define GOLDEN_ITERATIONS UINT64_C(4000)
#define SMALL_ENTRIES 60

static struct golden_row rows[GOLDEN_MOST_ROWS];
static size_t row_count;

static int read_golden(void **state)
{
  (void)state;
  return golden_read(rows, &row_count) ? 0 : -1;
}

static uint64_t closed_form(const struct wb_problem *problem)
{
  uint64_t cycles;
  assert_ok(wb_bound_closed_form(problem, &cycles, NULL));
  return cycles;
}

/* The string's cycles and makespan as the plain rule gives them; what `given` says. */
static void compare_with_scratch(const struct wb_annealing_evaluation *e,
                                 const struct wb_problem *problem, uint32_t makespan,
                                 bool with_cycles, const char *command, uint64_t seed)
{
  FREED_BY(wb_schedule_free) struct wb_schedule schedule;
  assert_ok(wb_precedence_evaluate(problem, e->order, &schedule, NULL));
  uint32_t *done = calloc(problem->warps, sizeof *done);
  if (schedule.makespan != makespan)
    fail_msg("seed %llu, %s: makespan %u, from scratch %llu", (unsigned long long)seed, command,
             makespan, (unsigned long long)schedule.makespan);
  for (size_t k = 0; with_cycles && k < e->entries; k++) {
    uint32_t warp = e->order[k];
    uint32_t cycle = schedule.issue_cycle[warp * schedule.length + done[warp]++];
    if (cycle != e->cycle[k])
      fail_msg("seed %llu, %s: place %zu in cycle %u, from scratch %u", (unsigned long long)seed,
               command, k, e->cycle[k], cycle);
    if (e->canonical && k > 0)
      assert_true(e->cycle[k] >= e->cycle[k - 1]);
  }
  free(done);
}

/* Random changes of a string, some kept and some dropped. little: as few states kept as
 * possible. */
static void change_at_random(const struct instance *instance, const struct wb_problem *problem,
                             bool canonical, bool little, uint64_t seed)
{
  char command[200];
  struct wb_random random = {seed};
  struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_annealing_evaluation_free) struct wb_annealing_evaluation e;
  instance_command(instance, command, sizeof command);
  assert_ok(wb_annealing_evaluation_start(&e, problem, closed_form(problem), canonical,
                                          little ? 0 : 1 << 20, NULL));
  uint32_t *order = calloc(e.entries, sizeof *order);
  assert_ok(wb_template_fill(WB_TEMPLATE_ROUND_ROBIN, problem, &control, order, NULL));
  wb_annealing_evaluation_set(&e, order);
  compare_with_scratch(&e, problem, e.makespan, true, command, seed);
  for (int i = 0; e.entries > 1 && i < CHANGES_OF_AN_INSTANCE; i++) {
    bool changed;
    if (wb_random_below(&random, 2) == 0)
      wb_annealing_swap_any(&e, &random);
    else
      wb_annealing_change_window(&e, (size_t)wb_random_below(&random, e.entries - 1), &random);
    uint32_t makespan = wb_annealing_evaluation_try(&e, &changed);
    if (!changed)
      assert_int_equal(makespan, e.makespan);
    else if (!canonical) /* a canonical string may get new names behind the change */
      compare_with_scratch(&e, problem, makespan, false, command, seed);
    if (changed && wb_random_below(&random, 3) == 0)
      wb_annealing_evaluation_drop(&e);
    else if (changed)
      wb_annealing_evaluation_keep(&e);
    compare_with_scratch(&e, problem, e.makespan, true, command, seed);
  }
  free(order);
}

/* Longer strings than instance_random makes, so that there are several kept states. */
static struct instance longer_instance(struct wb_random *random)
{
  struct instance instance = instance_random(random);
  size_t length = strlen(instance.letters);
  while (wb_random_below(random, 3) != 0 && 2 * length <= INSTANCE_LENGTH_LIMIT) {
    memcpy(instance.letters + length, instance.letters, length);
    length *= 2;
    instance.letters[length] = '\0';
  }
  instance.warps += (uint32_t)wb_random_below(random, 12);
  return instance;
}

TEST(evaluation_equals_scratch)
{
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 20 + 1;
  uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  print_message("# %llu instances from seed %llu\n", (unsigned long long)runs,
                (unsigned long long)first);
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct wb_random random = {seed};
    struct instance instance = longer_instance(&random);
    FREED_BY(wb_problem_free) struct wb_problem problem;
    assert_true(instance_problem(&instance, &problem));
    change_at_random(&instance, &problem, false, seed % 2, seed);
    change_at_random(&instance, &problem, true, seed % 2, seed);
  }
}

/* Both checkers accept the schedule. */
static void check_schedule(const struct instance *instance, const struct wb_schedule *schedule)
{
  const uint32_t *cycles[64];
  size_t counts[64];
  uint64_t makespan;
  assert_true(schedule->warps <= 64);
  for (uint32_t w = 0; w < schedule->warps; w++) {
    cycles[w] = schedule->issue_cycle + w * schedule->length;
    counts[w] = schedule->length;
  }
  struct both_claims both;
  claim_for_both(&both, instance, cycles, counts);
  assert_ok(wb_check_schedule(&both.claim, &makespan, NULL));
  assert_int_equal(makespan, schedule->makespan);
}

static uint64_t anneal(const struct instance *instance, const struct wb_problem *problem,
                       enum wb_annealing_variant variant, uint64_t iterations)
{
  struct wb_control control = wb_control_start(NULL);
  struct wb_annealing_options options = {.variant = variant,
                                         .initial = WB_ANNEALING_ALL,
                                         .iterations = iterations,
                                         .runs = 4,
                                         .guide_memory = 1 << 20};
  FREED_BY(wb_annealing_result_free) struct wb_annealing_result result;
  control.threads = 1;
  assert_ok(wb_annealing_search(problem, &options, closed_form(problem), &control, &result, NULL));
  assert_int_equal(result.stop, WB_STOP_NONE);
  check_schedule(instance, &result.witness);
  uint64_t makespan = result.witness.makespan;
  return makespan;
}

/* Never above the proven makespan; the windowed variant mostly reaches it. */
TEST_BETWEEN(read_golden, NULL, golden_rows_are_not_exceeded)
{
  uint64_t iterations = number_from_environment("WARPBOUND_CROSS_ITERATIONS", GOLDEN_ITERATIONS);
  size_t small = 0, reached = 0, reached_as_published = 0, all_reached = 0;
  double start = wb_clock();
  double longest = 0;
  for (size_t i = 0; i < row_count; i++) {
    const struct golden_row *row = &rows[i];
    FREED_BY(wb_problem_free) struct wb_problem problem;
    double begin = wb_clock();
    assert_true(instance_problem(&row->instance, &problem));
    uint64_t cycles = anneal(&row->instance, &problem, WB_ANNEALING_WINDOWED, iterations);
    longest = wb_clock() - begin > longest ? wb_clock() - begin : longest;
    uint64_t as_published = anneal(&row->instance, &problem, WB_ANNEALING_PUBLISHED, iterations);
    if (cycles > row->makespan)
      golden_fail(row, "windowed annealing", cycles);
    if (as_published > row->makespan)
      golden_fail(row, "published annealing", as_published);
    all_reached += cycles == row->makespan;
    if (strlen(row->instance.letters) * row->instance.warps <= SMALL_ENTRIES) {
      small++;
      reached += cycles == row->makespan;
      reached_as_published += as_published == row->makespan;
    }
  }
  print_message("# of %zu rows with I * W <= 60 windowed reaches %zu, published %zu; of all %zu "
                "windowed reaches %zu; 4 runs of %llu iterations, at most %.2f s; %.1f s\n",
                small, reached, reached_as_published, row_count, all_reached,
                (unsigned long long)iterations, longest, wb_clock() - start);
  assert_true(100 * reached >= 95 * small);
}

TEST(random_instances_are_not_exceeded)
{
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 40 + 1;
  uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct wb_control control = wb_control_start(NULL);
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct wb_random random = {seed};
    struct instance instance = instance_random(&random);
    FREED_BY(wb_problem_free) struct wb_problem problem;
    FREED_BY(wb_search_free) struct wb_search search;
    char command[200];
    assert_true(instance_problem(&instance, &problem));
    assert_ok(wb_dense_search(&problem, closed_form(&problem), &control, &search, NULL));
    instance_command(&instance, command, sizeof command);
    for (int v = WB_ANNEALING_WINDOWED; v <= WB_ANNEALING_PUBLISHED; v++) {
      uint64_t cycles = anneal(&instance, &problem, (enum wb_annealing_variant)v, 300);
      if (cycles > search.makespan[instance.warps])
        fail_msg("seed %llu, %s: annealing %llu, exact %llu", (unsigned long long)seed, command,
                 (unsigned long long)cycles, (unsigned long long)search.makespan[instance.warps]);
    }
  }
}
