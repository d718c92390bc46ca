/* Instances that refute what the literature says, and the anomalies that forbid
 * short cuts: each by the engine's exact search and by the definition. */
#include "base/work_control.h"
#include "both_checkers.h"
#include "brute_force.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/exact/dense_search.h"
#include "makespan/exact/guided_search.h"
#include "makespan/runs/run_abstraction.h"
#include "unit.h"

#define VORONOI "LLLLLCCCCCCCCCLLCCCCCCCCC"

static uint64_t by_dense_search(const struct instance *instance)
{
  FREED_BY(wb_problem_free) struct wb_problem problem;
  FREED_BY(wb_search_free) struct wb_search search = {0};
  struct wb_control control = wb_control_start(NULL);
  uint64_t largest;
  assert_true(instance_problem(instance, &problem));
  assert_ok(wb_bound_closed_form(&problem, &largest, NULL));
  assert_ok(wb_dense_search(&problem, largest, &control, &search, NULL));
  assert_int_equal(search.stop, WB_STOP_NONE);
  uint64_t cycles = search.makespan[instance->warps];
  assert_true(cycles <= largest);
  assert_int_equal(search.witness.makespan, cycles);
  return cycles;
}

/* The exact makespan, on which both agree. */
static uint64_t exact_makespan(const struct instance *instance)
{
  uint32_t cycles;
  struct brute_machine machine = instance_machine(instance);
  assert_true(brute_makespan(&machine, instance->warps, BRUTE_STATE_LIMIT, &cycles));
  assert_int_equal(by_dense_search(instance), cycles);
  return cycles;
}

static uint64_t bound_of(const struct instance *instance,
                         warpbound_status (*bound)(const struct wb_problem *, uint64_t *,
                                                   warpbound_error *))
{
  FREED_BY(wb_problem_free) struct wb_problem problem;
  uint64_t cycles;
  assert_true(instance_problem(instance, &problem));
  assert_ok(bound(&problem, &cycles, NULL));
  return cycles;
}

static uint64_t tractable_of(const struct instance *instance, uint32_t y, uint64_t makespan_of_y)
{
  FREED_BY(wb_problem_free) struct wb_problem problem;
  uint64_t cycles;
  assert_true(instance_problem(instance, &problem));
  assert_ok(wb_published_tractable(&problem, y, makespan_of_y, &cycles, NULL));
  return cycles;
}

/* ECRTS 2012, eq. 5-7, is below the truth where two warps are served at once. */
TEST(pessimistic_bound_is_unsafe)
{
  const struct instance two = {.letters = "CC", .capacity = {1, 2, 1, 1}, .warps = 4};
  assert_int_equal(exact_makespan(&two), 5);
  assert_int_equal(bound_of(&two, wb_published_pessimistic), 4);
  const struct instance four = {.letters = "CCCC", .capacity = {1, 4, 1, 1}, .warps = 8};
  assert_int_equal(exact_makespan(&four), 11);
  assert_int_equal(bound_of(&four, wb_published_pessimistic), 8);
}

/* With one unit each it is the serial work. */
TEST(pessimistic_bound_holds_with_single_units)
{
  const struct instance single = {.letters = "LCL", .capacity = {1, 1, 1, 1}, .warps = 4};
  assert_int_equal(bound_of(&single, wb_published_pessimistic), 12);
  assert_true(exact_makespan(&single) <= 12);
}

/* ECRTS 2012, eq. 40-41: T(4) would be at most 2 T(2). */
TEST(makespans_are_not_subadditive)
{
  struct instance instance = {.letters = "LCL", .capacity = {1, 1, 1, 1}, .warps = 2};
  assert_int_equal(exact_makespan(&instance), 4);
  instance.warps = 4;
  assert_int_equal(exact_makespan(&instance), 9);
  assert_int_equal(tractable_of(&instance, 2, 4), 8);
  instance.warps = 5;
  assert_int_equal(tractable_of(&instance, 2, 4), 12);
}

/* I + sum over U of floor((W - 1) n_U / sigma_U), which is safe without a cap. */
static uint64_t sum_of_floors(const struct instance *instance)
{
  uint64_t sum = strlen(instance->letters);
  for (unsigned u = 0; u < 5; u++) {
    uint64_t uses = 0;
    for (const char *letter = instance->letters; *letter != '\0'; letter++)
      uses += *letter == "LCSDT"[u];
    if (uses > 0 && instance->capacity[u] <= instance->warps - 1)
      sum += (instance->warps - 1) * uses / instance->capacity[u];
  }
  return sum;
}

TEST(cap_needs_one_floor_over_the_sum)
{
  struct instance instance = {
      .letters = "LC", .capacity = {2, 2, 1, 1}, .issue_slots = 2, .warps = 4};
  assert_int_equal(sum_of_floors(&instance), 4);
  assert_int_equal(exact_makespan(&instance), 5);
  assert_int_equal(bound_of(&instance, wb_bound_closed_form), 5);
  instance.issue_slots = 0;
  assert_int_equal(bound_of(&instance, wb_bound_closed_form), 4);
  assert_int_equal(exact_makespan(&instance), 3);
}

/* ETFA 2013: 176 cycles for 16 warps as four times those of four warps. */
TEST(voronoi_takes_45_cycles)
{
  const uint64_t published_of_16 = 176;
  const struct instance instance = {.letters = VORONOI, .capacity = {1, 4, 1, 1}, .warps = 4};
  assert_int_equal(exact_makespan(&instance), 45);
  assert_true(
      published_of_16 <
      tractable_of(&(struct instance){.letters = VORONOI, .capacity = {1, 4, 1, 1}, .warps = 16}, 4,
                   45));
  assert_int_equal(published_of_16 / 4, 44);
}

/* Two states of a machine: `more` has one instruction more to do than `less`. */
struct state_pair {
  uint8_t less[2];
  uint8_t more[2];
  uint32_t cycles_less;
  uint32_t cycles_more;
};

TEST(more_work_can_take_less_time)
{
  const struct brute_machine machine = {.letters = "CLC", .capacity = {1, 1, 1, 1}};
  struct state_pair pair = {0};
  struct brute_force *brute = brute_start(&machine, 2, false, BRUTE_STATE_LIMIT);
  assert_non_null(brute);
  /* All pairs of two warps on CLC; returns how many of them are anomalous, the last of
   * which in *pair. */
  unsigned count = 0;
  for (uint8_t a = 0; a <= 3; a++) {
    for (uint8_t b = 1; b <= 3; b++) {
      struct state_pair tried = {.less = {a, b}, .more = {a, (uint8_t)(b - 1)}};
      assert_true(brute_longest(brute, tried.less, &tried.cycles_less));
      assert_true(brute_longest(brute, tried.more, &tried.cycles_more));
      if (tried.cycles_more < tried.cycles_less) {
        pair = tried;
        count++;
      }
    }
  }

  brute_free(brute);
  assert_int_equal(count, 1);
  print_message("# CLC, one unit each: from positions %u %u T = %u, from %u %u T = %u\n",
                pair.less[0], pair.less[1], pair.cycles_less, pair.more[0], pair.more[1],
                pair.cycles_more);
  assert_int_equal(pair.cycles_less, 4);
  assert_int_equal(pair.cycles_more, 3);
}

/* The bracket that the guided search leaves of the one given. */
static void search_guided(const struct instance *instance, uint64_t lower, uint64_t upper,
                          uint64_t expected)
{
  FREED_BY(wb_problem_free) struct wb_problem problem;
  struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_guided_result_free) struct wb_guided_result guided = {.lower = lower, .upper = upper};
  assert_true(instance_problem(instance, &problem));
  assert_ok(wb_guided_search(&problem, NULL, &control, &guided, NULL));
  assert_int_equal(guided.lower, expected);
  assert_int_equal(guided.upper, expected);
  assert_int_equal(guided.witness.makespan, expected);
  const uint32_t *cycles[16];
  size_t counts[16];
  for (size_t w = 0; w < problem.warps; w++) {
    cycles[w] = guided.witness.issue_cycle + w * problem.string.length;
    counts[w] = problem.string.length;
  }
  struct both_claims both;
  claim_for_both(&both, instance, cycles, counts);
  uint64_t makespan;
  assert_ok(wb_check_schedule(&both.claim, &makespan, NULL));
  assert_int_equal(makespan, expected);
}

/* ETFA 2013 gives 176 as an upper bound for 16 warps. The table for these has 68
 * million cells: not for builds that ask for small tables. */
TEST(sixteen_warps_exceed_the_published_bound)
{
  struct instance instance = {.letters = VORONOI, .capacity = {1, 4, 1, 1}, .warps = 8};
  search_guided(&instance, 56, 105, 86);
  instance.issue_slots = 4;
  search_guided(&instance, 56, 105, 98);
  const char *mebibytes = getenv("WARPBOUND_CROSS_MIB");
  if (mebibytes != NULL && atoi(mebibytes) < 64)
    return;
  instance.warps = 16;
  search_guided(&instance, 112, 225, 184);
}

/* With a type that serves two a cycle the run abstraction is only a bound. */
TEST(run_abstraction_can_be_above_the_truth)
{
  struct instance instance = {.letters = "CCCLCL", .capacity = {1, 2, 1, 1}, .warps = 2};
  assert_int_equal(exact_makespan(&instance), 7);
  FREED_BY(wb_problem_free) struct wb_problem problem;
  FREED_BY(wb_search_free) struct wb_search search = {0};
  struct wb_control control = wb_control_start(NULL);
  assert_true(instance_problem(&instance, &problem));
  assert_false(wb_run_abstraction_exact(&problem));
  assert_ok(wb_run_abstraction_search(&problem, UINT64_MAX, 1 << 20, &control, &search, NULL));
  assert_int_equal(search.makespan[2], 8);
}

TEST(longer_string_can_take_less_time)
{
  struct instance instance = {.letters = "LL", .capacity = {2, 2, 2, 2}, .warps = 4};
  assert_int_equal(exact_makespan(&instance), 5);
  strcpy(instance.letters, "LCL");
  assert_int_equal(exact_makespan(&instance), 4);
}

TEST(more_units_can_take_more_time)
{
  struct instance instance = {.letters = "LCL", .capacity = {3, 2, 1, 1}, .warps = 7};
  assert_int_equal(exact_makespan(&instance), 6);
  instance.capacity[WB_UNIT_CORE] = 3;
  assert_int_equal(exact_makespan(&instance), 7);
}
