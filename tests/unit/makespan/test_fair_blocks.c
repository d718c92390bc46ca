/* Blocks between which a scheduler is fair: what is read and refused, repetitions, normalisation,
 * and the checker's view of schedules made by hand. */
#include "certificate/schedule/schedule_claim.h"
#include "make_problem.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/exact/forward_search.h"
#include "model/kernel_string.h"
#include "unit.h"
#include "warpbound.h"

TEST(repetitions_are_counted)
{
  static const size_t expected[] = {0, 0, 1, 1, 1, 2, 2, 2, 3};
  const struct wb_fair_blocks blocks = {3, 3, 2};
  const struct wb_fair_blocks none = {0};
  for (size_t i = 0; i < 9; i++) {
    assert_int_equal(wb_fair_repetition(&blocks, i), expected[i]);
    assert_int_equal(wb_fair_repetition(&none, i), 0);
    size_t from, to;
    wb_fair_stretch(&blocks, 9, i, &from, &to);
    assert_true(from <= i && i < to);
    for (size_t k = 0; k < 9; k++)
      assert_int_equal(from <= k && k < to, expected[k] == expected[i]);
    wb_fair_stretch(&none, 9, i, &from, &to);
    assert_true(from == 0 && to == 9);
  }
}

TEST(blocks_grow_with_their_letters)
{
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string string;
  struct wb_fair_blocks repeated;
  const struct wb_fair_blocks blocks = {2, 2, 2};
  const size_t times[WB_UNIT_COUNT] = {[WB_UNIT_LOAD_STORE] = 3, [WB_UNIT_CORE] = 1};
  assert_ok(wb_kernel_string_parse("LLCLC", NULL, &string, NULL));
  assert_ok(wb_fair_blocks_check(&blocks, &string, NULL));
  assert_ok(wb_fair_blocks_repeat(&blocks, &string, times, &repeated, NULL));
  assert_int_equal(repeated.first, 4);
  assert_int_equal(repeated.length, 4);
  assert_int_equal(repeated.count, 2);
}

static warpbound_status check(const char *letters, struct wb_fair_blocks blocks)
{
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string string;
  assert_ok(wb_kernel_string_parse(letters, NULL, &string, NULL));
  warpbound_status status = wb_fair_blocks_check(&blocks, &string, NULL);
  return status;
}

TEST(blocks_beyond_the_string_are_refused)
{
  assert_ok(check("LCLC", (struct wb_fair_blocks){1, 2, 2}));
  assert_ok(check("LCLC", (struct wb_fair_blocks){4, 1, 1}));
  assert_misuse(check("LCLC", (struct wb_fair_blocks){0, 2, 2}));
  assert_misuse(check("LCLC", (struct wb_fair_blocks){1, 0, 2}));
  assert_misuse(check("LCLC", (struct wb_fair_blocks){1, 2, 0}));
  assert_misuse(check("LCLC", (struct wb_fair_blocks){5, 1, 1}));
  assert_misuse(check("LCLC", (struct wb_fair_blocks){2, 2, 2}));
  assert_misuse(check("LCLC", (struct wb_fair_blocks){1, 1, 2}));
  assert_misuse(check("LCLC", (struct wb_fair_blocks){SIZE_MAX, SIZE_MAX, SIZE_MAX}));
  assert_misuse(check("LCLC", (struct wb_fair_blocks){2, SIZE_MAX, 2}));
}

/* LCC twice on L=1, C=2 and two slots, four warps: 14 cycles, and 16 where the scheduler need
 * not be fair. Through the public header. */
TEST(the_library_takes_blocks)
{
  warpbound_error error;
  warpbound_instance *instance;
  warpbound_result *result;
  assert_ok(warpbound_instance_create("LCCLCC", "L=1,C=2", 2, 1, 4, &instance, &error));
  assert_ok(warpbound_makespan(instance, NULL, &result, &error));
  assert_int_equal(warpbound_result_upper(result).cycles, 16);
  warpbound_result_free(result);
  assert_misuse(warpbound_instance_make_fair(instance, 1, 2, 3, &error));
  assert_ok(warpbound_instance_make_fair(instance, 1, 3, 2, &error));
  assert_misuse(warpbound_instance_make_fair(instance, 1, 3, 2, &error));
  assert_ok(warpbound_makespan(instance, NULL, &result, &error));
  assert_int_equal(warpbound_result_upper(result).cycles, 14);
  assert_int_equal(warpbound_result_lower(result).cycles, 14);
  char *json;
  warpbound_verdict *verdict;
  assert_ok(warpbound_result_schedule(result, &json, &error));
  assert_non_null(strstr(json, "\"fair_blocks\": [1, 3, 2]"));
  assert_ok(warpbound_verify("schedule", json, strlen(json), NULL, &verdict, &error));
  assert_int_equal(warpbound_verdict_cycles(verdict), 14);
  warpbound_verdict_free(verdict);
  warpbound_text_free(json);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
}

/* Two warps of an L before, LC twice, and an S behind; one issue slot. */
static warpbound_status judge(const uint32_t first[6], const uint32_t second[6],
                              warpbound_error *error)
{
  const uint32_t *const cycles[] = {first, second};
  const size_t counts[] = {6, 6};
  const struct wb_check_schedule_string string = {"LLCLCS", 6};
  const struct wb_check_schedule_claim claim = {.strings = &string,
                                                .string_count = 1,
                                                .capacity = {1, 1, 1, 0},
                                                .issue_slots = 1,
                                                .warps = 2,
                                                .blocks = 1,
                                                .partitions = 1,
                                                .cycles = cycles,
                                                .counts = counts,
                                                .fair_first = 2,
                                                .fair_length = 2,
                                                .fair_count = 2};
  uint64_t makespan;
  return wb_check_schedule(&claim, &makespan, error);
}

TEST(the_checker_knows_right_from_wrong)
{
  warpbound_error error;
  assert_ok(
      judge((const uint32_t[]){1, 3, 4, 7, 8, 11}, (const uint32_t[]){2, 5, 6, 9, 10, 12}, &error));
  /* What stands before the blocks is earlier than the first of them, */
  assert_int_equal(
      judge((const uint32_t[]){1, 2, 4, 7, 8, 11}, (const uint32_t[]){3, 5, 6, 9, 10, 12}, &error),
      WARPBOUND_CHECK_FAILED);
  assert_non_null(strstr(error.message, "cycle 2, warp 2: idles before instruction 1, of "
                                        "repetition 0, while warp 1 has a unit for instruction 2, "
                                        "of repetition 1"));
  /* and what stands behind them later than the last. */
  assert_int_equal(
      judge((const uint32_t[]){1, 3, 4, 7, 8, 9}, (const uint32_t[]){2, 5, 6, 10, 11, 12}, &error),
      WARPBOUND_CHECK_FAILED);
  assert_non_null(strstr(error.message, "cycle 9, warp 2: idles before instruction 4, of "
                                        "repetition 2, while warp 1 has an issue slot for "
                                        "instruction 6, of repetition 3"));
}

static bool always(void *context)
{
  (void)context;
  return true;
}

/* 16 warps of four times LCCLC: 67,328 states. */
TEST(the_search_stops_when_told)
{
  struct wb_problem problem = make_problem("LCCLCLCCLCLCCLCLCCLC", "L=1,C=2", 2, 1, 16, "");
  problem.fair = (struct wb_fair_blocks){1, 5, 4};
  struct wb_control control = wb_control_start(NULL);
  struct wb_forward_result result;
  control.memory_limit = 100000;
  assert_ok(wb_forward_search(&problem, &control, &result, NULL));
  assert_int_equal(result.stop, WB_STOP_MEMORY);
  assert_null(result.witness.issue_cycle);
  control.memory_limit = 100;
  assert_ok(wb_forward_search(&problem, &control, &result, NULL));
  assert_int_equal(result.stop, WB_STOP_MEMORY);
  control.memory_limit = UINT64_C(1) << 30;
  control.interrupted = always;
  assert_ok(wb_forward_search(&problem, &control, &result, NULL));
  assert_int_equal(result.stop, WB_STOP_INTERRUPTED);
  control.interrupted = NULL;
  assert_ok(wb_forward_search(&problem, &control, &result, NULL));
  assert_int_equal(result.stop, WB_STOP_NONE);
  assert_int_equal(result.longest, 190);
  wb_schedule_free(&result.witness);
  problem.warps = WB_FORWARD_WARP_LIMIT + 1;
  assert_false(wb_forward_search_fits(&problem));
  wb_problem_free(&problem);
}

/* FT of C (LLC)^rep L, or 0 where the instance has another shape. */
static uint64_t fair_time(const char *string, const char *units, uint32_t slots, uint32_t warps,
                          struct wb_fair_blocks fair)
{
  uint64_t cycles = 0;
  struct wb_problem problem = make_problem(string, units, slots, 1, warps, "");
  problem.fair = fair;
  if (!wb_published_fair_time(&problem, &cycles))
    cycles = 0;
  wb_problem_free(&problem);
  return cycles;
}

/* 64 threads are 4 warps of 16: 14 cycles, and 8 for each repetition more. */
TEST(the_formula_of_2011)
{
  static const char one[] = "CLLCL", three[] = "CLLCLLCLLCL", units[] = "L=1,C=2";
  const struct wb_fair_blocks none = {0};
  assert_int_equal(fair_time(one, units, 0, 4, none), 14);
  assert_int_equal(fair_time(one, units, 2, 4, (struct wb_fair_blocks){2, 3, 1}), 14);
  assert_int_equal(fair_time(three, units, 2, 4, (struct wb_fair_blocks){2, 3, 3}), 30);
  assert_int_equal(fair_time(three, units, 3, 1, (struct wb_fair_blocks){2, 3, 3}), 9);
  assert_int_equal(fair_time(three, units, 2, 4, none), 0);
  assert_int_equal(fair_time(three, units, 2, 4, (struct wb_fair_blocks){2, 3, 2}), 0);
  assert_int_equal(fair_time(three, units, 2, 4, (struct wb_fair_blocks){1, 3, 3}), 0);
  assert_int_equal(fair_time(one, "L=1,C=3", 0, 4, none), 0);
  assert_int_equal(fair_time(one, "L=2,C=2", 0, 4, none), 0);
  assert_int_equal(fair_time(one, units, 1, 4, none), 0);
  assert_int_equal(fair_time("LLCL", units, 0, 4, none), 0);
  assert_int_equal(fair_time("CL", units, 0, 4, none), 0);
  assert_int_equal(fair_time("CLLCLL", units, 0, 4, none), 0);
  assert_int_equal(fair_time("CLLCLCL", units, 0, 4, none), 0);
}
