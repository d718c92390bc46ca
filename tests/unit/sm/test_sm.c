/* The engine of a whole SM: formulas and phases by hand, threads, limits. */
#include "makespan/machine/policy.h"
#include "sm/annealing/sm_annealing.h"
#include "sm/bounds/sm_bounds.h"
#include "sm/search/sm_portfolio.h"
#include "sm/search/sm_search.h"
#include "unit.h"

#define MOST_STRINGS 4

/* Strings with a blank between them, units as on a command line, letters of shared types. */
static struct wb_sm_problem make_sm(const char *strings, const char *units, const char *shared,
                                    uint32_t slots, uint32_t partitions, uint32_t warps,
                                    uint32_t blocks)
{
  struct wb_sm_configuration sm;
  struct wb_kernel_string kernels[MOST_STRINGS];
  struct wb_sm_problem problem;
  size_t count = 0;
  wb_sm_configuration_start(&sm, "test");
  assert_ok(wb_sm_configuration_parse_units(&sm, units, NULL));
  for (const char *letter = shared; *letter != '\0'; letter++)
    sm.unit[wb_unit_from_letter(*letter)].shared = true;
  sm.issue_slots = slots;
  sm.partitions = partitions;
  while (*strings != '\0') {
    char one[64] = "";
    size_t length = strcspn(strings, " ");
    memcpy(one, strings, length);
    assert_ok(wb_kernel_string_parse(one, NULL, &kernels[count++], NULL));
    strings += length + (strings[length] == ' ');
  }
  assert_ok(wb_sm_problem_normalise(kernels, count, &sm, warps, blocks, &problem, NULL));
  for (size_t k = 0; k < count; k++)
    wb_kernel_string_free(&kernels[k]);
  return problem;
}

static struct wb_sm_bounds bounds_of(struct wb_sm_problem problem)
{
  struct wb_sm_bounds bounds;
  assert_ok(wb_sm_bounds_find(&problem, &bounds, NULL));
  wb_sm_problem_free(&problem);
  return bounds;
}

TEST(bounds_of_one_partition)
{
  assert_int_equal(bounds_of(make_sm("CC", "C=2", "", 0, 1, 4, 1)).upper, 5);
  assert_int_equal(bounds_of(make_sm("LC", "L=2,C=2", "", 2, 1, 4, 1)).upper, 5);
  /* a barrier costs its own cycle where no cap binds: 3 + 3 * 2 */
  assert_int_equal(bounds_of(make_sm("LBL", "L=1", "", 0, 1, 4, 2)).closed_form, 9);
  /* and is an instruction like N where one does: 3 + 3 * 3 */
  assert_int_equal(bounds_of(make_sm("LBL", "L=1", "", 1, 1, 4, 2)).closed_form, 12);
  /* one block, by phases: (2 + 3) + (1 + 3) */
  struct wb_sm_bounds bounds = bounds_of(make_sm("LBL", "L=1", "", 0, 1, 4, 1));
  assert_int_equal(bounds.phases, 9);
  assert_int_equal(bounds.lower, 8);
  assert_int_equal(bounds.serial, 12);
}

TEST(bounds_of_partitions)
{
  assert_int_equal(bounds_of(make_sm("LL", "L=1", "", 0, 2, 2, 1)).upper, 2);
  assert_int_equal(bounds_of(make_sm("LL", "L=1", "L", 0, 2, 2, 1)).upper, 4);
  /* the chain 3; of the other block one L of each phase beside it, and one more where the chain
   * changes its partition within a phase: 3 */
  assert_int_equal(bounds_of(make_sm("LBL", "L=1", "", 0, 2, 4, 2)).upper, 6);
}

TEST(bounds_of_strings)
{
  /* 3 * 2 for the L of all warps, and what a chain has else: C B of one string, then C of the
   * other; separate maxima say 5 + 2 * 4 */
  assert_int_equal(bounds_of(make_sm("LLBC CBLL", "L=1,C=4", "", 0, 1, 3, 1)).upper, 9);
  assert_int_equal(bounds_of(make_sm("LLL C", "L=1,C=1", "", 0, 1, 2, 1)).upper, 6);
}

/* Where no common denominator fits, weights are rounded up. The chain of 4, and by each type one
 * instruction: 65535 others on a few units less. */
TEST(large_numbers_stay_safe)
{
  const char *units = "L=65521,C=65519,S=65497,T=65479";
  assert_int_equal(bounds_of(make_sm("LCST", units, "", 0, 1, 65536, 1)).upper, 8);
}

static void assert_phase(const struct wb_sm_problem *phase, size_t string, const char *expected)
{
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string wanted;
  assert_ok(wb_kernel_string_parse(expected, NULL, &wanted, NULL));
  assert_true(string < phase->string_count);
  assert_int_equal(phase->strings[string].run_count, wanted.run_count);
  for (size_t r = 0; r < wanted.run_count; r++) {
    assert_int_equal(phase->strings[string].runs[r].unit, wanted.runs[r].unit);
    assert_int_equal(phase->strings[string].runs[r].length, wanted.runs[r].length);
  }
}

TEST(strings_are_cut_at_barriers)
{
  struct wb_sm_problem problem = make_sm("LLBBLLBCB LCBBLLBB", "L=1,C=1", "", 0, 1, 2, 1);
  struct wb_sm_phases phases;
  assert_ok(wb_sm_phases_cut(&problem, &phases, NULL));
  assert_int_equal(phases.count, 4);
  assert_phase(&phases.problems[0], 0, "LLN");
  assert_phase(&phases.problems[0], 1, "LCN");
  assert_int_equal(phases.problems[1].string_count, 1);
  assert_phase(&phases.problems[1], 0, "N");
  assert_int_equal(phases.problems[2].string_count, 1);
  assert_phase(&phases.problems[2], 0, "LLN");
  assert_phase(&phases.problems[3], 0, "CN");
  assert_phase(&phases.problems[3], 1, "N");
  wb_sm_phases_free(&phases);
  wb_sm_problem_free(&problem);
  problem = make_sm("LBLBLB", "L=1", "", 0, 1, 2, 1);
  assert_ok(wb_sm_phases_cut(&problem, &phases, NULL));
  assert_int_equal(phases.count, 1);
  assert_int_equal(phases.times[0], 3);
  wb_sm_phases_free(&phases);
  wb_sm_problem_free(&problem);
}

/* The partitions are first by turns. */
TEST(shared_units_go_round)
{
  struct wb_sm_problem problem = make_sm("LLL", "L=1", "L", 0, 2, 2, 1);
  const struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_schedule_free) struct wb_schedule schedule;
  enum wb_stop stop;
  assert_ok(wb_sm_simulate(wb_policy_find("fixed-priority"), &problem, NULL, &control, &schedule,
                           &stop, NULL));
  const uint32_t expected[] = {1, 3, 5, 2, 4, 6};
  assert_int_equal(schedule.first[2], 6);
  assert_memory_equal(schedule.issue_cycle, expected, sizeof expected);
  wb_sm_problem_free(&problem);
}

static void assert_same(const struct wb_schedule *a, const struct wb_schedule *b)
{
  assert_int_equal(a->makespan, b->makespan);
  assert_memory_equal(a->string_of, b->string_of, a->warps * sizeof *a->string_of);
  assert_memory_equal(a->issue_cycle, b->issue_cycle, a->first[a->warps] * sizeof *a->issue_cycle);
}

static struct wb_schedule anneal(const struct wb_sm_problem *problem, unsigned threads,
                                 enum wb_annealing_variant variant)
{
  const struct wb_annealing_options options = {
      .variant = variant, .initial = WB_ANNEALING_ALL, .iterations = 500, .runs = 8, .seed = 5};
  struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_annealing_result_free) struct wb_annealing_result result;
  control.threads = threads;
  assert_ok(wb_sm_annealing_search(problem, NULL, &options, UINT64_MAX, &control, &result, NULL));
  assert_int_equal(result.run_count, 8);
  struct wb_schedule witness = {0};
  wb_schedule_swap(&witness, &result.witness);
  return witness;
}

static struct wb_schedule go_by_beams(const struct wb_sm_problem *problem, unsigned threads)
{
  const struct wb_portfolio_options options = {.upper = UINT64_MAX, .steps = 500000};
  struct wb_control control = wb_control_start(NULL);
  struct wb_portfolio_result portfolio;
  control.threads = threads;
  assert_ok(wb_sm_portfolio_search(problem, NULL, &options, &control, &portfolio, NULL));
  return portfolio.witness;
}

TEST(threads_change_nothing)
{
  struct wb_sm_problem problem = make_sm("LCLDCBCDL 3C2L2DB5C", "L=1,C=2,D=1", "D", 1, 2, 12, 2);
  struct wb_schedule one, three;
  for (unsigned variant = 0; variant < 2; variant++) {
    one = anneal(&problem, 1, (enum wb_annealing_variant)variant);
    three = anneal(&problem, 3, (enum wb_annealing_variant)variant);
    assert_same(&one, &three);
    wb_schedule_free(&one);
    wb_schedule_free(&three);
  }
  one = go_by_beams(&problem, 1);
  three = go_by_beams(&problem, 3);
  assert_same(&one, &three);
  wb_schedule_free(&one);
  wb_schedule_free(&three);
  wb_sm_problem_free(&problem);
}

TEST(beams_reach_the_worst)
{
  struct wb_sm_problem problem = make_sm("LLCLBCLL", "L=1,C=1", "", 0, 1, 8, 2);
  const struct wb_control control = wb_control_start(NULL);
  struct wb_sm_search search;
  assert_ok(wb_sm_search(&problem, NULL, &control, &search, NULL));
  struct wb_schedule found = go_by_beams(&problem, 1);
  assert_int_equal(found.makespan, search.longest);
  wb_schedule_free(&found);
  wb_schedule_free(&search.witness);
  wb_sm_problem_free(&problem);
}

TEST(searches_keep_to_limits)
{
  struct wb_sm_problem problem = make_sm("5L9C2L9C", "L=1,C=4", "", 0, 2, 24, 2);
  struct wb_control control = wb_control_start(NULL);
  struct wb_sm_search search;
  control.memory_limit = 1 << 20;
  assert_ok(wb_sm_search(&problem, NULL, &control, &search, NULL));
  assert_int_equal(search.stop, WB_STOP_MEMORY);
  assert_null(search.witness.issue_cycle);
  const struct wb_portfolio_options options = {.upper = UINT64_MAX};
  struct wb_portfolio_result portfolio;
  control.memory_limit = 1 << 12;
  assert_ok(wb_sm_portfolio_search(&problem, NULL, &options, &control, &portfolio, NULL));
  assert_int_equal(portfolio.stop, WB_STOP_MEMORY);
  const struct wb_annealing_options annealing = {.iterations = 1};
  struct wb_annealing_result result;
  assert_ok(
      wb_sm_annealing_search(&problem, NULL, &annealing, UINT64_MAX, &control, &result, NULL));
  assert_int_equal(result.stop, WB_STOP_MEMORY);
  wb_annealing_result_free(&result);
  control.memory_limit = WB_DEFAULT_MEMORY_LIMIT;
  control.interrupted = interrupt_at_once;
  assert_ok(wb_sm_search(&problem, NULL, &control, &search, NULL));
  assert_int_equal(search.stop, WB_STOP_INTERRUPTED);
  assert_ok(wb_sm_portfolio_search(&problem, NULL, &options, &control, &portfolio, NULL));
  assert_int_equal(portfolio.stop, WB_STOP_INTERRUPTED);
  wb_schedule_free(&portfolio.witness);
  wb_sm_problem_free(&problem);
}
