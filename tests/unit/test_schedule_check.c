/* The independent checker: what it accepts, and the first violation that it names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "certificate/schedule_check.h"

#include <stdio.h>
#include <string.h>

#define WARPS 3
#define LENGTH 2

/* Three warps of LC, one unit of each type. */
struct claim {
  uint32_t cycles[WARPS][LENGTH + 1];
  size_t counts[WARPS];
  const uint32_t *rows[WARPS];
  struct wb_claim_string string;
  struct wb_schedule_claim claim;
};

static void prepare(struct claim *c, const uint32_t cycles[WARPS][LENGTH])
{
  memset(c, 0, sizeof *c);
  for (size_t w = 0; w < WARPS; w++) {
    memcpy(c->cycles[w], cycles[w], sizeof cycles[w]);
    c->counts[w] = LENGTH;
    c->rows[w] = c->cycles[w];
  }
  c->string = (struct wb_claim_string){"LC", LENGTH};
  c->claim = (struct wb_schedule_claim){.strings = &c->string,
                                        .string_count = 1,
                                        .capacity = {1, 1, 0, 0},
                                        .warps = WARPS,
                                        .blocks = 1,
                                        .partitions = 1,
                                        .cycles = c->rows,
                                        .counts = c->counts};
}

static const uint32_t pipeline[WARPS][LENGTH] = {{1, 2}, {2, 3}, {3, 4}};

static void expect_refusal(const struct claim *c, const char *part)
{
  warpbound_error error = {0};
  uint64_t makespan = 77;
  assert_int_equal(wb_schedule_check(&c->claim, &makespan, &error), WARPBOUND_CHECK_FAILED);
  if (strstr(error.message, part) == NULL)
    fail_msg("expected '%s' in '%s'", part, error.message);
  assert_int_equal(makespan, 77);
}

static void a_pipeline_is_valid(void **state)
{
  (void)state;
  struct claim c;
  prepare(&c, pipeline);
  uint64_t makespan;
  assert_int_equal(wb_schedule_check(&c.claim, &makespan, NULL), WARPBOUND_OK);
  assert_int_equal(makespan, 4);
}

static void a_missing_cycle_is_named(void **state)
{
  (void)state;
  struct claim c;
  prepare(&c, pipeline);
  c.counts[1] = 1;
  expect_refusal(&c, "warp 2: the string has 2 instructions, the schedule 1");
  c.counts[1] = 3;
  expect_refusal(&c, "warp 2: the string has 2 instructions, the schedule 3");
}

static void order_is_checked(void **state)
{
  (void)state;
  struct claim c;
  prepare(&c, pipeline);
  c.cycles[2][1] = 3;
  expect_refusal(&c, "cycle 3, warp 3: instruction 2 does not come after instruction 1");
  prepare(&c, pipeline);
  c.cycles[0][0] = 0;
  expect_refusal(&c, "cycle 0, warp 1");
}

static void capacity_is_checked(void **state)
{
  (void)state;
  static const uint32_t crowded[WARPS][LENGTH] = {{1, 2}, {1, 3}, {2, 4}};
  struct claim c;
  prepare(&c, crowded);
  expect_refusal(&c, "cycle 1, warp 2: one instruction more of type L than its 1 units");
}

static void issue_slots_are_checked(void **state)
{
  (void)state;
  struct claim c;
  prepare(&c, pipeline);
  c.claim.issue_slots = 1;
  expect_refusal(&c, "cycle 2, warp 2: one instruction more than the 1 issue slots");
}

static void idling_is_found_at_its_first_cycle(void **state)
{
  (void)state;
  static const uint32_t lazy[WARPS][LENGTH] = {{1, 3}, {2, 4}, {3, 5}};
  struct claim c;
  prepare(&c, lazy);
  expect_refusal(&c, "cycle 2, warp 1: idles although a unit of type C");
}

/* The cap explains the wait that would else be idling. */
static void a_full_cycle_excuses_idling(void **state)
{
  (void)state;
  static const uint32_t serial[WARPS][LENGTH] = {{1, 2}, {3, 4}, {5, 6}};
  struct claim c;
  prepare(&c, serial);
  c.claim.issue_slots = 1;
  uint64_t makespan;
  assert_int_equal(wb_schedule_check(&c.claim, &makespan, NULL), WARPBOUND_OK);
  assert_int_equal(makespan, 6);
}

static void a_late_cycle_costs_no_memory(void **state)
{
  (void)state;
  struct claim c;
  prepare(&c, pipeline);
  c.cycles[2][1] = UINT32_MAX;
  expect_refusal(&c, "cycle 4294967295, warp 3: later than 6");
}

static void nonsense_is_invalid_input(void **state)
{
  (void)state;
  struct claim c;
  uint64_t makespan;
  prepare(&c, pipeline);
  c.string.letters = "LX";
  assert_int_equal(wb_schedule_check(&c.claim, &makespan, NULL), WARPBOUND_INVALID_INPUT);
  prepare(&c, pipeline);
  c.claim.capacity[1] = 0;
  assert_int_equal(wb_schedule_check(&c.claim, &makespan, NULL), WARPBOUND_INVALID_INPUT);
  prepare(&c, pipeline);
  c.claim.warps = 0;
  assert_int_equal(wb_schedule_check(&c.claim, &makespan, NULL), WARPBOUND_INVALID_INPUT);
}

static void issue_only_needs_no_unit(void **state)
{
  (void)state;
  static const uint32_t together[WARPS][LENGTH] = {{1, 2}, {2, 3}, {3, 4}};
  struct claim c;
  prepare(&c, together);
  c.string.letters = "LN";
  uint64_t makespan;
  assert_int_equal(wb_schedule_check(&c.claim, &makespan, NULL), WARPBOUND_OK);
  static const uint32_t waits[WARPS][LENGTH] = {{1, 3}, {2, 4}, {3, 5}};
  prepare(&c, waits);
  c.string.letters = "LN";
  expect_refusal(&c, "cycle 2, warp 1: idles although a unit of type N");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pipeline_is_valid),
      cmocka_unit_test(a_missing_cycle_is_named),
      cmocka_unit_test(order_is_checked),
      cmocka_unit_test(capacity_is_checked),
      cmocka_unit_test(issue_slots_are_checked),
      cmocka_unit_test(idling_is_found_at_its_first_cycle),
      cmocka_unit_test(a_full_cycle_excuses_idling),
      cmocka_unit_test(a_late_cycle_costs_no_memory),
      cmocka_unit_test(nonsense_is_invalid_input),
      cmocka_unit_test(issue_only_needs_no_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
