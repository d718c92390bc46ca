/* Scheduling policies against schedules made by hand. */
#include "makespan/machine/policy.h"
#include "makespan_problems.h"
#include "unit.h"

#define GTO "greedy-then-oldest"
#define ROUND_ROBIN "loose-round-robin"
#define GREEDY_ROUND_ROBIN "greedy-then-round-robin"
#define FIXED "fixed-priority"
#define MOST_PENDING "most-pending"

static const char *const names[] = {GTO, ROUND_ROBIN, GREEDY_ROUND_ROBIN, FIXED, MOST_PENDING};
#define NAME_COUNT (COUNT_OF(names))

static void assert_schedule(const char *name, const struct wb_problem *problem,
                            const uint32_t *expected, uint64_t makespan)
{
  FREED_BY(wb_schedule_free) struct wb_schedule schedule = {0};
  enum wb_stop stop = WB_STOP_NONE;
  struct wb_control control = wb_control_start(NULL);
  const struct wb_policy *policy = wb_policy_find(name);
  assert_non_null(policy);
  assert_ok(wb_policy_simulate(policy, problem, &control, &schedule, &stop, NULL));
  assert_int_equal(stop, WB_STOP_NONE);
  assert_int_equal(schedule.warps, problem->warps);
  assert_int_equal(schedule.length, problem->string.length);
  for (size_t i = 0; i < schedule.warps * schedule.length; i++) {
    if (schedule.issue_cycle[i] != expected[i])
      fail_msg("%s: warp %zu, instruction %zu: cycle %u, expected %u", name,
               i / schedule.length + 1, i % schedule.length + 1, schedule.issue_cycle[i],
               expected[i]);
  }
  assert_int_equal(schedule.makespan, makespan);
}

TEST(policies_have_names)
{
  size_t count;
  const struct wb_policy *rows = wb_policy_rows(&count);
  for (size_t i = 0; i < NAME_COUNT; i++)
    assert_non_null(wb_policy_find(names[i]));
  for (size_t i = 0; i < count; i++) {
    assert_ptr_equal(wb_policy_find(rows[i].name), &rows[i]);
    assert_true(strlen(rows[i].description) > 0);
  }
  assert_null(wb_policy_find("Fixed-Priority"));
  assert_null(wb_policy_find("greedy"));
  assert_null(wb_policy_find(""));
}

/* Four warps that have done 2, 0, 1 and 0; in the last cycle warp 2 and then warp 0
 * were served; the turn is at warp 3. */
static void assert_rank(const char *name, const uint32_t expected[4], uint32_t expected_turn)
{
  size_t done[4] = {2, 0, 1, 0};
  uint32_t last[4] = {2, 0};
  bool issued[4] = {true, false, true, false};
  uint32_t order[4] = {2, 3, 0, 1};
  struct wb_policy_scheduler scheduler = {.warps = 4,
                                          .done = done,
                                          .order = order,
                                          .turn_begins = 9,
                                          .issued = last,
                                          .issued_count = 2,
                                          .was_issued = issued,
                                          .round_robin = 3};
  wb_policy_rank(wb_policy_find(name), &scheduler);
  assert_memory_equal(order, expected, sizeof order);
  if (expected_turn < 4)
    assert_int_equal(scheduler.turn_begins, expected_turn);
}

TEST(ranks_are_as_described)
{
  assert_rank(GTO, (const uint32_t[]){2, 0, 1, 3}, 4);
  assert_rank(ROUND_ROBIN, (const uint32_t[]){3, 0, 1, 2}, 0);
  assert_rank(GREEDY_ROUND_ROBIN, (const uint32_t[]){2, 0, 3, 1}, 2);
  assert_rank(FIXED, (const uint32_t[]){0, 1, 2, 3}, 4);
  assert_rank(MOST_PENDING, (const uint32_t[]){1, 3, 2, 0}, 4);
}

TEST(lone_warp_never_waits)
{
  const uint32_t expected[] = {1, 2, 3, 4};
  struct wb_problem problem = make_problem("LCNS", "L=1,C=1,S=1", 1, 1, 1, "");
  for (size_t i = 0; i < NAME_COUNT; i++)
    assert_schedule(names[i], &problem, expected, 4);
  wb_problem_free(&problem);
}

/* One type, one unit: who goes on and who alternates. */
TEST(two_warps_on_one_unit)
{
  const uint32_t in_one_go[] = {1, 2, 3, 4};
  const uint32_t in_turn[] = {1, 3, 2, 4};
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("LL", "L=1", 0, 1, 2, "");
  assert_schedule(GTO, &problem, in_one_go, 4);
  assert_schedule(GREEDY_ROUND_ROBIN, &problem, in_one_go, 4);
  assert_schedule(FIXED, &problem, in_one_go, 4);
  assert_schedule(ROUND_ROBIN, &problem, in_turn, 4);
  assert_schedule(MOST_PENDING, &problem, in_turn, 4);
}

/* A slot for one: the same by the cap. */
TEST(two_warps_on_one_slot)
{
  const uint32_t in_one_go[] = {1, 2, 3, 4};
  const uint32_t in_turn[] = {1, 3, 2, 4};
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("LN", "L=2", 1, 1, 2, "");
  assert_schedule(GTO, &problem, in_one_go, 4);
  assert_schedule(GREEDY_ROUND_ROBIN, &problem, in_one_go, 4);
  assert_schedule(FIXED, &problem, in_one_go, 4);
  assert_schedule(ROUND_ROBIN, &problem, in_turn, 4);
  assert_schedule(MOST_PENDING, &problem, in_turn, 4);
}

/* CLLS, one unit each, three warps. In cycle 4 warp 0 leaves L; greedy ones go on with
 * warp 2, which issued in cycle 3, fixed priority takes warp 1, most pending warp 2
 * too, but for what it has left, and in turn it is still at warp 0. */
TEST(three_warps_meet_at_one_unit)
{
  const uint32_t greedy[] = {1, 2, 3, 4, 2, 6, 7, 8, 3, 4, 5, 6};
  const uint32_t in_turn[] = {1, 2, 4, 5, 2, 3, 5, 6, 3, 6, 7, 8};
  const uint32_t fixed[] = {1, 2, 3, 4, 2, 4, 5, 6, 3, 6, 7, 8};
  const uint32_t most_pending[] = {1, 2, 5, 6, 2, 3, 6, 7, 3, 4, 7, 8};
  struct wb_problem problem = make_problem("C2LS", "L=1,C=1,S=1", 0, 1, 3, "");
  assert_schedule(GTO, &problem, greedy, 8);
  assert_schedule(GREEDY_ROUND_ROBIN, &problem, greedy, 8);
  assert_schedule(ROUND_ROBIN, &problem, in_turn, 8);
  assert_schedule(FIXED, &problem, fixed, 8);
  assert_schedule(MOST_PENDING, &problem, most_pending, 8);
  wb_problem_free(&problem);
}

/* LCCLC, one unit each, four warps. In cycle 10 warp 3 is done, and warps 1 and 2 want
 * the one C: the oldest is warp 1, the turn, which warp 1 had in cycle 8, warp 2's. */
TEST(greedy_policies_differ_in_who_is_next)
{
  const uint32_t oldest[] = {1, 2, 3, 4, 5, 2, 8, 10, 11, 12, 3, 4, 11, 12, 13, 5, 6, 7, 8, 9};
  const uint32_t turn[] = {1, 2, 3, 4, 5, 2, 8, 11, 12, 13, 3, 4, 10, 11, 12, 5, 6, 7, 8, 9};
  struct wb_problem problem = make_problem("L2CLC", "L=1,C=1", 0, 1, 4, "");
  assert_schedule(GTO, &problem, oldest, 13);
  assert_schedule(GREEDY_ROUND_ROBIN, &problem, turn, 13);
  wb_problem_free(&problem);
}

/* Two C a cycle for three warps, one of which must wait. */
TEST(two_units_serve_two_warps)
{
  const uint32_t fixed[] = {1, 2, 1, 2, 3, 4};
  const uint32_t in_turn[] = {1, 2, 1, 3, 2, 3};
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("CC", "C=2", 0, 1, 3, "");
  assert_schedule(FIXED, &problem, fixed, 4);
  assert_schedule(GTO, &problem, fixed, 4);
  assert_schedule(ROUND_ROBIN, &problem, in_turn, 3);
  assert_schedule(MOST_PENDING, &problem, in_turn, 3);
}

TEST(policies_stop_when_interrupted)
{
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("2000L", "L=1", 0, 1, 100, "");
  struct wb_control control = wb_control_start(NULL);
  control.interrupted = interrupt_at_once;
  for (size_t i = 0; i < NAME_COUNT; i++) {
    struct wb_schedule schedule = {0};
    enum wb_stop stop = WB_STOP_NONE;
    assert_ok(
        wb_policy_simulate(wb_policy_find(names[i]), &problem, &control, &schedule, &stop, NULL));
    assert_int_equal(stop, WB_STOP_INTERRUPTED);
    assert_null(schedule.issue_cycle);
  }
}

TEST(too_large_schedules_are_refused)
{
  struct wb_problem problem = make_problem("2000L", "L=1", 0, 1, 65536, "");
  struct wb_control control = wb_control_start(NULL);
  struct wb_schedule schedule = {0};
  enum wb_stop stop;
  warpbound_error error = {0};
  assert_limit(
      wb_policy_simulate(wb_policy_find(FIXED), &problem, &control, &schedule, &stop, &error));
  assert_non_null(strstr(error.message, "65536 warps"));
  assert_null(schedule.issue_cycle);
  wb_problem_free(&problem);
}
