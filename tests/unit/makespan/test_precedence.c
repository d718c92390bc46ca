/* Warp precedence strings: the earliest-cycle rule, the templates, and the claim that
 * an order of issue evaluates to the schedule that it came from. */
#include "base/random.h"
#include "makespan/machine/policy.h"
#include "model/instance.h"
#include "unit.h"

static void make(const char *string, const char *units, uint32_t slots, uint32_t warps,
                 struct wb_instance *instance)
{
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string kernel;
  struct wb_sm_configuration sm;
  wb_sm_configuration_start(&sm, "test");
  sm.issue_slots = slots;
  assert_ok(wb_sm_configuration_parse_units(&sm, units, NULL));
  assert_ok(wb_kernel_string_parse(string, NULL, &kernel, NULL));
  assert_ok(wb_instance_make(&kernel, &sm, warps, 1, NULL, instance, NULL));
}

/* Worked by hand: LC, one unit each; the second warp's L is placed first. */
TEST(the_earliest_cycle_counts)
{
  FREED_BY(wb_instance_clear) struct wb_instance instance;
  make("LC", "L=1,C=1", 0, 2, &instance);
  static const uint32_t order[] = {1, 0, 0, 1};
  FREED_BY(wb_schedule_free) struct wb_schedule schedule;
  assert_ok(wb_precedence_evaluate(&instance.problem, order, &schedule, NULL));
  static const uint32_t expected[] = {2, 3, 1, 2};
  assert_memory_equal(schedule.issue_cycle, expected, sizeof expected);
  assert_int_equal(schedule.makespan, 3);
}

TEST(a_later_entry_fills_an_earlier_gap)
{
  FREED_BY(wb_instance_clear) struct wb_instance instance;
  make("LCC", "L=1,C=1", 1, 2, &instance);
  static const uint32_t order[] = {0, 0, 1, 0, 1, 1};
  FREED_BY(wb_schedule_free) struct wb_schedule schedule;
  assert_ok(wb_precedence_evaluate(&instance.problem, order, &schedule, NULL));
  static const uint32_t expected[] = {1, 2, 4, 3, 5, 6};
  assert_memory_equal(schedule.issue_cycle, expected, sizeof expected);
}

TEST(the_templates_are_what_they_say)
{
  FREED_BY(wb_instance_clear) struct wb_instance instance;
  make("LCL", "L=1,C=1", 0, 2, &instance);
  struct wb_control control = wb_control_start(NULL);
  static const uint32_t round_robin[] = {0, 1, 0, 1, 0, 1};
  static const uint32_t fixed_priority[] = {0, 0, 0, 1, 1, 1};
  uint32_t order[6];
  wb_template_fill(WB_TEMPLATE_ROUND_ROBIN, &instance.problem, &control, order, NULL);
  assert_memory_equal(order, round_robin, sizeof order);
  wb_template_fill(WB_TEMPLATE_FIXED_PRIORITY, &instance.problem, &control, order, NULL);
  assert_memory_equal(order, fixed_priority, sizeof order);
  wb_template_fill(WB_TEMPLATE_MOST_PENDING, &instance.problem, &control, order, NULL);
  uint32_t of_first = 0;
  for (size_t k = 0; k < 6; k++)
    of_first += order[k] == 0;
  assert_int_equal(of_first, 3);
}

/* The order of issue of a schedule, cycle by cycle. */
static void order_of(const struct wb_schedule *schedule, uint32_t *order)
{
  size_t at = 0;
  for (uint64_t cycle = 1; cycle <= schedule->makespan; cycle++) {
    for (size_t k = 0; k < schedule->warps * schedule->length; k++) {
      if (schedule->issue_cycle[k] == cycle)
        order[at++] = (uint32_t)(k / schedule->length);
    }
  }
}

/* Every policy's schedule comes back from its own order of issue. */
TEST(schedules_come_back)
{
  static const char letters[] = "LCSN";
  struct wb_random random = {20261121};
  struct wb_control control = wb_control_start(NULL);
  size_t policies;
  const struct wb_policy *rows = wb_policy_rows(&policies);
  for (int round = 0; round < 300; round++) {
    char string[13] = {0};
    size_t length = 1 + wb_random_below(&random, 12);
    for (size_t i = 0; i < length; i++)
      string[i] = letters[wb_random_below(&random, 4)];
    FREED_BY(wb_instance_clear) struct wb_instance instance;
    make(string, round % 2 ? "L=1,C=2,S=1" : "L=2,C=3,S=1", (uint32_t)wb_random_below(&random, 4),
         1 + (uint32_t)wb_random_below(&random, 9), &instance);
    struct wb_schedule schedule, again;
    enum wb_stop stop;
    const struct wb_policy *policy = &rows[wb_random_below(&random, policies)];
    assert_ok(wb_policy_simulate(policy, &instance.problem, &control, &schedule, &stop, NULL));
    uint32_t order[12 * 9];
    order_of(&schedule, order);
    assert_ok(wb_precedence_evaluate(&instance.problem, order, &again, NULL));
    assert_int_equal(schedule.makespan, again.makespan);
    assert_memory_equal(schedule.issue_cycle, again.issue_cycle,
                        schedule.warps * schedule.length * sizeof *schedule.issue_cycle);
    wb_schedule_free(&schedule);
    wb_schedule_free(&again);
  }
}
