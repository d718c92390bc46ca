/* Beams without a table: what they keep, what they find, and how they end. */
#include "makespan/beam/beam_candidates.h"
#include "makespan/beam/beam_portfolio.h"
#include "makespan/beam/wide_beam.h"
#include "makespan_problems.h"
#include "unit.h"

static void offer(struct wb_beam_candidates *candidates, int64_t value, uint64_t hash,
                  uint32_t word)
{
  struct wb_candidate candidate = {.value = value, .hash = hash, .word_count = 1};
  if (!wb_beam_candidates_wants(candidates, value, hash))
    return;
  uint32_t *words = wb_beam_candidates_add(candidates, &candidate);
  assert_non_null(words);
  words[0] = word;
}

static bool holds_value(const struct wb_beam_candidates *candidates, int64_t value)
{
  for (size_t i = 0; i < candidates->count; i++) {
    const struct wb_candidate *candidate = &candidates->list[i];
    if (candidate->value == value)
      return candidates->words[candidate->words] == (uint32_t)value;
  }
  return false;
}

TEST(candidates_keep_the_most_valued)
{
  FREED_BY(wb_beam_candidates_free) struct wb_beam_candidates candidates;
  assert_true(wb_beam_candidates_start(&candidates, 3));
  for (uint32_t i = 0; i < 1000; i++) {
    uint32_t value = i * 7919 % 1000; /* each of 0..999 once */
    offer(&candidates, value, UINT64_C(0x9e3779b97f4a7c15) * (value + 1), value);
  }
  assert_true(wb_beam_candidates_narrow(&candidates));
  assert_int_equal(candidates.count, 3);
  assert_true(holds_value(&candidates, 999) && holds_value(&candidates, 998) &&
              holds_value(&candidates, 997));
  assert_false(wb_beam_candidates_wants(&candidates, 900, 1));
  wb_beam_candidates_empty(&candidates);
  assert_int_equal(candidates.count, 0);
  assert_true(wb_beam_candidates_wants(&candidates, 0, 1));
}

TEST(candidates_hold_a_state_once)
{
  FREED_BY(wb_beam_candidates_free) struct wb_beam_candidates candidates;
  assert_true(wb_beam_candidates_start(&candidates, 10));
  offer(&candidates, 5, 77, 5);
  offer(&candidates, 5, 77, 5);
  offer(&candidates, 5, 78, 5);
  assert_int_equal(candidates.count, 2);
}

TEST(candidates_break_ties_by_hash)
{
  FREED_BY(wb_beam_candidates_free) struct wb_beam_candidates candidates;
  assert_true(wb_beam_candidates_start(&candidates, 2));
  for (uint64_t hash = 500; hash > 0; hash--)
    offer(&candidates, 5, hash, 5);
  assert_true(wb_beam_candidates_narrow(&candidates));
  assert_int_equal(candidates.count, 2);
  assert_int_equal(candidates.list[0].hash + candidates.list[1].hash, 3);
}

/* LC, two warps: the first L, then C beside the second L, then C. */
TEST(history_makes_a_schedule)
{
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("LC", "L=1,C=1", 0, 1, 2, "");
  FREED_BY(wb_beam_history_free) struct wb_beam_history history = {0};
  const uint32_t both[] = {wb_move_word(1, 1), wb_move_word(0, 1)};
  uint32_t root = wb_beam_history_add(&history, WB_NO_NODE, NULL, 0);
  uint32_t dead = wb_beam_history_add(&history, root, both, 2);
  uint32_t first = wb_beam_history_add(&history, root, both + 1, 1);
  uint32_t second = wb_beam_history_add(&history, first, both, 2);
  uint32_t third = wb_beam_history_add(&history, second, both, 1);
  assert_int_equal(dead, 1);
  assert_true(wb_beam_history_collect(&history, &third, 1));
  assert_int_equal(history.count, 4);
  assert_int_equal(third, 3);
  FREED_BY(wb_schedule_free) struct wb_schedule schedule;
  assert_ok(wb_beam_history_schedule(&history, third, &problem, &schedule, NULL));
  const uint32_t expected[] = {1, 2, 2, 3};
  assert_int_equal(schedule.makespan, 3);
  assert_memory_equal(schedule.issue_cycle, expected, sizeof expected);
}

/* Kinds of estimates. */
#define ESTIMATES 8

/* A beam under an estimate: what the instructions left of a warp are worth, more or less, and those
 * of the least advanced one besides. */
static struct wb_beam_result run_beam(const struct wb_problem *problem, unsigned which,
                                      const struct wb_beam_options *options,
                                      const struct wb_control *control)
{
  const size_t length = problem->string.length;
  struct wb_beam_result result;
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  struct wb_state_value value = {.position = wb_arena_array(&arena, int64_t, length + 1),
                                 .last = wb_arena_array(&arena, int64_t, length + 1)};
  assert_false(arena.failed);
  for (size_t p = length; p-- > 0;) {
    value.position[p] = value.position[p + 1] + (WB_VALUE_CYCLE >> which);
    value.last[p] = value.last[p + 1] + WB_VALUE_CYCLE * which / 8;
  }
  assert_ok(wb_wide_beam_search(problem, &value, options, control, &result, NULL));
  return result;
}

/* Wide enough, it is a search of all states, whatever the estimate: T(4) = 45. */
TEST(wide_beam_is_exact)
{
  struct wb_problem problem = make_problem("5L9C2L9C", "L=1,C=4", 0, 1, 4, "");
  struct wb_control control = wb_control_start(NULL);
  struct wb_beam_options options = {
      .width = 4000, .branch = 4000, .longer_than = 44, .memory = UINT64_C(1) << 28};
  for (unsigned which = 0; which < ESTIMATES; which++) {
    struct wb_beam_result result = run_beam(&problem, which, &options, &control);
    assert_int_equal(result.longest, 45);
    assert_int_equal(result.witness.makespan, 45);
    wb_schedule_free(&result.witness);
  }
  options.longer_than = 45;
  struct wb_beam_result result = run_beam(&problem, 0, &options, &control);
  assert_int_equal(result.longest, 45);
  assert_null(result.witness.issue_cycle);
  wb_problem_free(&problem);
}

/* N waits for slots alone: one warp a cycle under a cap of one, else all at once. */
TEST(beam_serves_issue_only_instructions)
{
  struct wb_control control = wb_control_start(NULL);
  struct wb_beam_options options = {
      .width = 10, .branch = 10, .longer_than = 2, .memory = UINT64_C(1) << 20};
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("NN", "C=1", 0, 1, 50, "");
  assert_int_equal(run_beam(&problem, 0, &options, &control).longest, 2);
}

TEST(beam_stops_when_told)
{
  struct wb_problem problem = make_problem("5L9C2L9C", "L=1,C=4", 0, 1, 64, "");
  struct wb_control control = wb_control_start(NULL);
  struct wb_beam_options options = {.width = 1000, .branch = 64, .memory = 1000};
  assert_int_equal(run_beam(&problem, 0, &options, &control).stop, WB_STOP_MEMORY);
  options.memory = UINT64_C(1) << 28;
  options.steps = 100000;
  struct wb_beam_result result = run_beam(&problem, 0, &options, &control);
  assert_true(result.out_of_steps && result.stop == WB_STOP_NONE && result.longest == 0);
  assert_true(result.steps >= 100000 && result.steps < 300000);
  options.steps = 0;
  control.deadline = control.start - 1;
  assert_int_equal(run_beam(&problem, 0, &options, &control).stop, WB_STOP_TIME);
  control.interrupted = interrupt_at_once;
  assert_int_equal(run_beam(&problem, 0, &options, &control).stop, WB_STOP_INTERRUPTED);
  wb_problem_free(&problem);
}

TEST(beam_knows_what_fits)
{
  struct wb_problem problem = make_problem("LC", "L=1,C=1", 0, 1, 65535, "");
  assert_true(wb_wide_beam_fits(&problem));
  problem.warps = 65536;
  assert_false(wb_wide_beam_fits(&problem));
  wb_problem_free(&problem);
  problem = make_problem("5000L", "L=1", 0, 1, 4096, "");
  assert_true(wb_wide_beam_fits(&problem));
  problem.warps = 4097;
  assert_false(wb_wide_beam_fits(&problem));
  wb_problem_free(&problem);
}

static struct wb_portfolio_result run_portfolio(const struct wb_problem *problem,
                                                const struct wb_portfolio_options *options,
                                                const struct wb_control *control)
{
  struct wb_portfolio_result result;
  assert_ok(wb_beam_portfolio(problem, options, control, &result, NULL));
  return result;
}

/* Exact values (all states of the machine) that no policy reaches. */
TEST(portfolio_reaches_the_worst_case)
{
  static const struct {
    const char *string, *units;
    uint32_t slots, warps;
    uint64_t longest;
  } rows[] = {
      {"CCLCCCLLLCCLLLCLLCCCC", "L=3,C=3", 0, 8, 55},
      {"CCCLLLCLCCCCLCLCLCCCCLC", "L=2,C=2", 0, 8, 77},
      {"CCLCCCCCLCCCCLCLLCLCLLCLC", "L=3,C=3", 0, 8, 64},
      {"5L9C2L9C", "L=1,C=4", 0, 16, 160},
      {"5L9C2L9C", "L=1,C=4", 4, 16, 184},
      {"LLCLLCLL", "L=1,C=1", 0, 420, 2522},
  };
  struct wb_control control = wb_control_start(NULL);
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    struct wb_problem problem =
        make_problem(rows[i].string, rows[i].units, rows[i].slots, 1, rows[i].warps, "");
    struct wb_portfolio_options options = {.upper = rows[i].longest, .steps = UINT64_C(1) << 26};
    struct wb_portfolio_result result = run_portfolio(&problem, &options, &control);
    assert_int_equal(result.longest, rows[i].longest);
    assert_int_equal(result.witness.makespan, rows[i].longest);
    wb_schedule_free(&result.witness);
    wb_problem_free(&problem);
  }
}

TEST(portfolio_is_the_same_on_any_threads)
{
  struct wb_problem problem = make_problem("3L5CS2L9C4S", "L=1,C=4,S=2", 4, 1, 20, "");
  struct wb_control control = wb_control_start(NULL);
  struct wb_portfolio_options options = {.upper = UINT64_MAX, .steps = 3000000};
  control.threads = 1;
  struct wb_portfolio_result one = run_portfolio(&problem, &options, &control);
  control.threads = 5;
  struct wb_portfolio_result five = run_portfolio(&problem, &options, &control);
  assert_int_equal(one.longest, five.longest);
  assert_int_equal(one.beams, five.beams);
  assert_int_equal(one.steps, five.steps);
  assert_int_equal(one.bytes, five.bytes);
  assert_memory_equal(one.witness.issue_cycle, five.witness.issue_cycle,
                      one.witness.warps * one.witness.length * sizeof *one.witness.issue_cycle);
  wb_schedule_free(&one.witness);
  wb_schedule_free(&five.witness);
  wb_problem_free(&problem);
}

TEST(portfolio_ends_at_its_limits)
{
  struct wb_problem problem = make_problem("5L9C2L9C", "L=1,C=4", 0, 1, 16, "");
  struct wb_control control = wb_control_start(NULL);
  struct wb_portfolio_options options = {.lower = 170, .upper = 200, .steps = 2000000};
  struct wb_portfolio_result result = run_portfolio(&problem, &options, &control);
  assert_true(result.longest == 170 && result.witness.issue_cycle == NULL); /* T is 160 */
  assert_int_equal(result.stop, WB_STOP_NONE);
  assert_true(result.steps < 3000000);
  options.steps = 0;
  control.deadline = wb_clock() + 0.05;
  assert_int_equal(run_portfolio(&problem, &options, &control).stop, WB_STOP_TIME);
  control.deadline = 0;
  control.memory_limit = UINT64_C(1) << 18;
  assert_int_equal(run_portfolio(&problem, &options, &control).stop, WB_STOP_MEMORY);
  control.memory_limit = WB_DEFAULT_MEMORY_LIMIT;
  control.interrupted = interrupt_at_once;
  assert_int_equal(run_portfolio(&problem, &options, &control).stop, WB_STOP_INTERRUPTED);
  wb_problem_free(&problem);
}
