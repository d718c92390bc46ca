/* The independent checker: what it accepts, and the first violation that it names. */
#include "certificate/schedule/schedule_claim.h"
#include "unit.h"

#define WARPS 3
#define LENGTH 2

/* Three warps of LC, one unit of each type. */
struct claim {
  uint32_t cycles[WARPS][LENGTH + 1];
  size_t counts[WARPS];
  const uint32_t *rows[WARPS];
  struct wb_check_schedule_string string;
  struct wb_check_schedule_claim claim;
};

static void prepare(struct claim *c, const uint32_t cycles[WARPS][LENGTH])
{
  memset(c, 0, sizeof *c);
  for (size_t w = 0; w < WARPS; w++) {
    memcpy(c->cycles[w], cycles[w], sizeof cycles[w]);
    c->counts[w] = LENGTH;
    c->rows[w] = c->cycles[w];
  }
  c->string = (struct wb_check_schedule_string){"LC", LENGTH};
  c->claim = (struct wb_check_schedule_claim){.strings = &c->string,
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
  assert_int_equal(wb_check_schedule(&c->claim, &makespan, &error), WARPBOUND_CHECK_FAILED);
  if (strstr(error.message, part) == NULL)
    fail_msg("expected '%s' in '%s'", part, error.message);
  assert_int_equal(makespan, 77);
}

TEST(a_pipeline_is_valid)
{
  struct claim c;
  prepare(&c, pipeline);
  uint64_t makespan;
  assert_ok(wb_check_schedule(&c.claim, &makespan, NULL));
  assert_int_equal(makespan, 4);
}

TEST(a_missing_cycle_is_named)
{
  struct claim c;
  prepare(&c, pipeline);
  c.counts[1] = 1;
  expect_refusal(&c, "warp 2: the string has 2 instructions, the schedule 1");
  c.counts[1] = 3;
  expect_refusal(&c, "warp 2: the string has 2 instructions, the schedule 3");
}

TEST(order_is_checked)
{
  struct claim c;
  prepare(&c, pipeline);
  c.cycles[2][1] = 3;
  expect_refusal(&c, "cycle 3, warp 3: instruction 2 does not come after instruction 1");
  prepare(&c, pipeline);
  c.cycles[0][0] = 0;
  expect_refusal(&c, "cycle 0, warp 1");
}

TEST(capacity_is_checked)
{
  static const uint32_t crowded[WARPS][LENGTH] = {{1, 2}, {1, 3}, {2, 4}};
  struct claim c;
  prepare(&c, crowded);
  expect_refusal(&c, "cycle 1, warp 2: one instruction more of type L than its 1 units");
}

TEST(issue_slots_are_checked)
{
  struct claim c;
  prepare(&c, pipeline);
  c.claim.issue_slots = 1;
  expect_refusal(&c, "cycle 2, warp 2: one instruction more than the 1 issue slots");
}

TEST(idling_is_found_at_its_first_cycle)
{
  static const uint32_t lazy[WARPS][LENGTH] = {{1, 3}, {2, 4}, {3, 5}};
  struct claim c;
  prepare(&c, lazy);
  expect_refusal(&c, "cycle 2, warp 1: idles although a unit of type C");
}

/* The cap explains the wait that would else be idling. */
TEST(a_full_cycle_excuses_idling)
{
  static const uint32_t serial[WARPS][LENGTH] = {{1, 2}, {3, 4}, {5, 6}};
  struct claim c;
  prepare(&c, serial);
  c.claim.issue_slots = 1;
  uint64_t makespan;
  assert_ok(wb_check_schedule(&c.claim, &makespan, NULL));
  assert_int_equal(makespan, 6);
}

TEST(a_late_cycle_costs_no_memory)
{
  struct claim c;
  prepare(&c, pipeline);
  c.cycles[2][1] = UINT32_MAX;
  expect_refusal(&c, "cycle 4294967295, warp 3: later than 6");
}

TEST(nonsense_is_invalid_input)
{
  struct claim c;
  uint64_t makespan;
  prepare(&c, pipeline);
  c.string.letters = "LX";
  assert_invalid(wb_check_schedule(&c.claim, &makespan, NULL));
  prepare(&c, pipeline);
  c.claim.capacity[1] = 0;
  assert_invalid(wb_check_schedule(&c.claim, &makespan, NULL));
  prepare(&c, pipeline);
  c.claim.warps = 0;
  assert_invalid(wb_check_schedule(&c.claim, &makespan, NULL));
}

TEST(issue_only_needs_no_unit)
{
  static const uint32_t together[WARPS][LENGTH] = {{1, 2}, {2, 3}, {3, 4}};
  struct claim c;
  prepare(&c, together);
  c.string.letters = "LN";
  uint64_t makespan;
  assert_ok(wb_check_schedule(&c.claim, &makespan, NULL));
  static const uint32_t waits[WARPS][LENGTH] = {{1, 3}, {2, 4}, {3, 5}};
  prepare(&c, waits);
  c.string.letters = "LN";
  expect_refusal(&c, "cycle 2, warp 1: idles although a unit of type N");
}

/* ---- a whole SM ---- */

#define MOST_WARPS 4
#define MOST_LETTERS 4

/* Up to four warps with lists of up to four cycles; a list ends with its string. */
struct wide {
  struct wb_check_schedule_string strings[2];
  uint32_t string_of[MOST_WARPS];
  uint32_t cycles[MOST_WARPS][MOST_LETTERS];
  const uint32_t *rows[MOST_WARPS];
  size_t counts[MOST_WARPS];
  struct wb_check_schedule_claim claim;
};

/* Warps 1, 2, .. run the strings in turn; one unit of each type. second: NULL for none. */
static void widen(struct wide *wide, size_t warps, const char *first, const char *second,
                  const uint32_t cycles[][MOST_LETTERS])
{
  *wide = (struct wide){.strings = {{first, strlen(first)}}};
  if (second != NULL)
    wide->strings[1] = (struct wb_check_schedule_string){second, strlen(second)};
  wide->claim = (struct wb_check_schedule_claim){.strings = wide->strings,
                                                 .string_count = second != NULL ? 2 : 1,
                                                 .string_of = wide->string_of,
                                                 .capacity = {1, 1, 1, 1},
                                                 .warps = warps,
                                                 .blocks = 1,
                                                 .partitions = 1,
                                                 .cycles = wide->rows,
                                                 .counts = wide->counts};
  for (size_t w = 0; w < warps; w++) {
    wide->string_of[w] = second != NULL ? w % 2 : 0;
    wide->counts[w] = wide->strings[wide->string_of[w]].length;
    memcpy(wide->cycles[w], cycles[w], sizeof cycles[w]);
    wide->rows[w] = wide->cycles[w];
  }
}

static void expect_makespan(const struct wide *wide, uint64_t expected)
{
  uint64_t makespan = 0;
  warpbound_error error = {0};
  if (wb_check_schedule(&wide->claim, &makespan, &error) != WARPBOUND_OK)
    fail_msg("refused: %s", error.message);
  assert_int_equal(makespan, expected);
}

static void expect_status(const struct wide *wide, warpbound_status expected, const char *part)
{
  uint64_t makespan;
  warpbound_error error = {0};
  assert_int_equal(wb_check_schedule(&wide->claim, &makespan, &error), expected);
  if (strstr(error.message, part) == NULL)
    fail_msg("expected '%s' in '%s'", part, error.message);
}

/* Both warps go on in the cycle after that in which the last of them has done its B. */
TEST(a_barrier_holds_until_all_have_come)
{
  struct wide wide;
  widen(&wide, 2, "LBC", NULL, (const uint32_t[][4]){{1, 2, 4}, {2, 3, 5}});
  expect_makespan(&wide, 5);
  widen(&wide, 2, "LBC", NULL, (const uint32_t[][4]){{1, 2, 3}, {2, 3, 4}});
  expect_status(&wide, WARPBOUND_CHECK_FAILED,
                "cycle 3, warp 1: instruction 3 issues before warp 2 of its block has done barrier "
                "1 (cycle 3)");
  widen(&wide, 2, "LBC", NULL, (const uint32_t[][4]){{1, 2, 5}, {2, 3, 6}});
  expect_status(&wide, WARPBOUND_CHECK_FAILED, "cycle 4, warp 1: idles although a unit of type C");
  wide.claim.blocks = 2;
  expect_status(&wide, WARPBOUND_CHECK_FAILED, "cycle 3, warp 1: idles although a unit of type C");
}

TEST(the_barrier_and_its_last_warp_are_named)
{
  struct wide wide;
  widen(&wide, 3, "BLB", NULL, (const uint32_t[][4]){{1, 2, 3}, {1, 3, 4}, {1, 4, 5}});
  expect_makespan(&wide, 5);
  widen(&wide, 3, "BBL", NULL, (const uint32_t[][4]){{1, 3, 4}, {1, 3, 5}, {2, 4, 6}});
  wide.claim.issue_slots = 2;
  expect_status(&wide, WARPBOUND_CHECK_FAILED,
                "cycle 4, warp 1: instruction 3 issues before warp 3 of its block has done barrier "
                "2 (cycle 4)");
  widen(&wide, 2, "B", NULL, (const uint32_t[][4]){{1}, {3}});
  expect_status(&wide, WARPBOUND_CHECK_FAILED, "later than 2, the cycle by which 2 warps of 1");
  widen(&wide, 2, "B", NULL, (const uint32_t[][4]){{1}, {2}});
  expect_status(&wide, WARPBOUND_CHECK_FAILED, "cycle 1, warp 2: idles although a unit of type B");
}

/* Partitions have units and slots of their own, but for what they share. */
TEST(partitions_are_told_apart)
{
  struct wide wide;
  widen(&wide, 3, "LC", NULL, (const uint32_t[][4]){{1, 2}, {1, 2}, {2, 3}});
  wide.claim.partitions = 2;
  expect_makespan(&wide, 3);
  wide.claim.issue_slots = 1;
  expect_status(&wide, WARPBOUND_CHECK_FAILED,
                "cycle 2, warp 3: one instruction more than the 1 issue slots of partition 1");
  wide.claim.issue_slots = 0;
  wide.claim.shared[0] = true;
  expect_status(&wide, WARPBOUND_CHECK_FAILED,
                "cycle 1, warp 2: one instruction more of type L than its 1 units, which all "
                "partitions share");
  widen(&wide, 3, "LC", NULL, (const uint32_t[][4]){{1, 2}, {2, 3}, {3, 4}});
  wide.claim.partitions = 2;
  expect_status(&wide, WARPBOUND_CHECK_FAILED, "cycle 1, warp 2: idles although a unit of type L");
  wide.claim.shared[0] = true;
  expect_makespan(&wide, 4);
  widen(&wide, 3, "LC", NULL, (const uint32_t[][4]){{1, 2}, {1, 2}, {1, 2}});
  wide.claim.partitions = 2;
  expect_status(&wide, WARPBOUND_CHECK_FAILED,
                "cycle 1, warp 3: one instruction more of type L than its 1 units in partition 1");
}

TEST(blocks_are_dealt_out_one_by_one)
{
  struct wide wide;
  widen(&wide, 4, "L", NULL, (const uint32_t[][4]){{1}, {1}, {1}, {2}});
  wide.claim.partitions = 3;
  expect_makespan(&wide, 2);
  wide.claim.blocks = 2;
  expect_status(&wide, WARPBOUND_CHECK_FAILED, "cycle 1, warp 3: one instruction more of type L");
  widen(&wide, 4, "L", NULL, (const uint32_t[][4]){{1}, {1}, {2}, {2}});
  wide.claim.partitions = 3;
  wide.claim.blocks = 2;
  expect_makespan(&wide, 2);
}

TEST(warps_may_run_strings_of_their_own)
{
  struct wide wide;
  widen(&wide, 2, "LBL", "CCB", (const uint32_t[][4]){{1, 2, 4}, {1, 2, 3}});
  expect_makespan(&wide, 4);
  wide.counts[1] = 2;
  expect_status(&wide, WARPBOUND_CHECK_FAILED,
                "warp 2: the string has 3 instructions, the schedule 2 issue cycles");
  widen(&wide, 2, "L", "CC", (const uint32_t[][4]){{9}, {1, 2}});
  expect_status(
      &wide, WARPBOUND_CHECK_FAILED,
      "cycle 9, warp 1: later than 3, the cycle by which 2 warps of 3 instructions in all");
}

TEST(claims_beyond_the_model_are_invalid_input)
{
  static const uint32_t cycles[][4] = {{1, 2}, {2, 3}, {3, 4}};
  struct wide wide;
  widen(&wide, 3, "LC", NULL, cycles);
  wide.claim.blocks = 2;
  expect_status(&wide, WARPBOUND_INVALID_INPUT,
                "blocks: expected a number that divides the 3 warps, found 2");
  wide.claim.blocks = 0;
  expect_status(&wide, WARPBOUND_INVALID_INPUT, "blocks");
  widen(&wide, 3, "LC", NULL, cycles);
  wide.claim.partitions = 0;
  expect_status(&wide, WARPBOUND_INVALID_INPUT, "partition");
  widen(&wide, 3, "LC", NULL, cycles);
  wide.string_of[2] = 1;
  expect_status(&wide, WARPBOUND_INVALID_INPUT,
                "warp 3: expected one of the 1 strings, found string 2");
  widen(&wide, 2, "LB", "CC", cycles);
  expect_status(&wide, WARPBOUND_INVALID_INPUT,
                "expected as many barriers in all strings, found 1 in string 1 and 0 in string 2");
  widen(&wide, 2, "LB", "BX", cycles);
  expect_status(&wide, WARPBOUND_INVALID_INPUT, "string 2, instruction 2: expected one of L, C");
}

/* Fairness is defined for a partition of identical warps without barriers. */
TEST(fairness_is_refused_on_more_than_a_partition)
{
  static const uint32_t cycles[][4] = {{1, 2}, {2, 3}, {3, 4}};
  struct wide wide;
  widen(&wide, 3, "LL", NULL, cycles);
  wide.claim.fair_first = wide.claim.fair_length = 1;
  wide.claim.fair_count = 2;
  wide.claim.partitions = 2;
  expect_status(&wide, WARPBOUND_INVALID_INPUT,
                "fair_blocks: expected one string without barriers, "
                "one block and one partition, found several "
                "partitions");
  wide.claim.partitions = 1;
  wide.claim.blocks = 3;
  expect_status(&wide, WARPBOUND_INVALID_INPUT, "found several blocks");
  wide.claim.blocks = 1;
  wide.strings[0].letters = "BB";
  expect_status(&wide, WARPBOUND_INVALID_INPUT, "found barriers");
  widen(&wide, 2, "LL", "CC", cycles);
  wide.claim.fair_first = wide.claim.fair_length = 1;
  wide.claim.fair_count = 2;
  expect_status(&wide, WARPBOUND_INVALID_INPUT, "found several strings");
}

/* Many more partitions than warps take no more memory than warps do. */
TEST(partitions_without_warps_cost_nothing)
{
  struct wide wide;
  widen(&wide, 2, "L", NULL, (const uint32_t[][4]){{1}, {1}});
  wide.claim.partitions = SIZE_MAX;
  expect_makespan(&wide, 1);
}
