/* The theorems on blocks and launches: the worked example of doc/launch.md to the digit, launches
 * at the edges of each formula counted by hand, breakdowns that add up, numbers that do not fit.
 * That the theorems are true is not tested here, but by brute force in tests/cross/launch. */
#include "launch/bounds/launch_formula.h"
#include "unit.h"

#include <inttypes.h>

#define PARTS 32

/* The launch of the worked example. */
static const struct wb_launch_shape example_shape = {
    .blocks = 120, .block_warps = 8, .sms = 14, .partitions = 4, .resident_blocks = 3};

/* Its kernel without barriers, and with 8. */
static const struct wb_launch_terms without_barriers = {
    .denominator = PARTS,
    .sum =
        {
            [WB_SUM_ALONE_OWN] = 1088 * PARTS,
            [WB_SUM_ALONE_PARTITION] = 1045 * PARTS / 10,
            [WB_SUM_ALONE_OTHERS] = 225 * PARTS / 10,
            [WB_SUM_OWN] = 10855 * PARTS / 10,
            [WB_SUM_PARTITION] = 102 * PARTS,
            [WB_SUM_OTHERS] = 20 * PARTS,
            [WB_SUM_UNITS] = 82 * PARTS,
            [WB_SUM_PHASE_UNITS] = 82 * PARTS,
            [WB_SUM_GPU] = 25 * PARTS / 10,
        },
    .phases = 1,
    .barriers_known = true};
static const struct wb_launch_terms with_barriers = {
    .denominator = PARTS,
    .sum =
        {
            [WB_SUM_ALONE_OWN] = 1248 * PARTS,
            [WB_SUM_ALONE_PARTITION] = 1125 * PARTS / 10,
            [WB_SUM_ALONE_OTHERS] = 225 * PARTS / 10,
            [WB_SUM_OWN] = 12455 * PARTS / 10,
            [WB_SUM_PARTITION] = 110 * PARTS,
            [WB_SUM_OTHERS] = 20 * PARTS,
            [WB_SUM_UNITS] = 90 * PARTS,
            [WB_SUM_PHASE_UNITS] = 17 * PARTS,
            [WB_SUM_GPU] = 25 * PARTS / 10,
        },
    .longest_unit = 1,
    .phases = 9,
    .barriers_known = true};

/* The parts add up to the number; so do the sums by how often they count, with what the shape adds
 * in whole cycles (`more`). */
static void expect_whole(const struct wb_launch_terms *terms, const struct wb_launch_bound *bound,
                         uint64_t more)
{
  int64_t sum = 0;
  uint64_t counted = more * terms->denominator;
  for (size_t p = 0; p < WB_PART_COUNT; p++) {
    assert_true(p == WB_PART_FLOOR || bound->part[p] >= 0);
    sum += bound->part[p];
  }
  assert_int_equal(sum, (int64_t)(bound->cycles * terms->denominator));
  assert_in_range(-bound->part[WB_PART_FLOOR], 0, terms->denominator - 1);
  for (size_t s = 0; s < WB_SUM_COUNT; s++)
    counted += bound->times[s] * terms->sum[s];
  assert_int_equal(counted, sum - bound->part[WB_PART_FLOOR]);
}

static struct wb_launch_bound bound_of(const struct wb_launch_terms *terms,
                                       const struct wb_launch_shape *shape)
{
  struct wb_launch_bound bound;
  assert_ok(wb_launch_bound_evaluate(terms, shape, &bound, NULL));
  return bound;
}

static struct wb_launch_bound block_bound_of(const struct wb_launch_terms *terms,
                                             const struct wb_launch_shape *shape)
{
  struct wb_launch_bound bound;
  assert_ok(wb_block_bound_evaluate(terms, shape, &bound, NULL));
  return bound;
}

static void expect_part(const struct wb_launch_bound *bound, enum wb_launch_part part,
                        double cycles)
{
  assert_int_equal(bound->part[part], (int64_t)(cycles * PARTS));
}

TEST(example_without_barriers)
{
  const struct wb_launch_bound block = block_bound_of(&without_barriers, &example_shape);
  assert_int_equal(block.cycles, 1327);
  assert_int_equal(block.formula, WB_FORMULA_BLOCK_ALONE);
  expect_part(&block, WB_PART_OWN, 1088);
  expect_part(&block, WB_PART_OWN_BLOCK, 104.5 + 6 * 22.5);
  expect_part(&block, WB_PART_FLOOR, -0.5);
  expect_whole(&without_barriers, &block, 0);

  const struct wb_launch_bound launch = bound_of(&without_barriers, &example_shape);
  assert_int_equal(launch.cycles, 9242);
  assert_int_equal(launch.formula, WB_FORMULA_PAIRS);
  assert_int_equal(launch.waves, 3);
  assert_int_equal(launch.slot_blocks, 2);
  expect_part(&launch, WB_PART_OWN, 2 * 1085.5);
  expect_part(&launch, WB_PART_OWN_BLOCK, 2 * (102 + 6 * 20));
  expect_part(&launch, WB_PART_OTHER_BLOCKS, 6 * 324);
  expect_part(&launch, WB_PART_BARRIERS, 2 * 164);
  expect_part(&launch, WB_PART_TAIL, 1307.5 + 2 * 324);
  expect_part(&launch, WB_PART_GPU, 2400);
  expect_part(&launch, WB_PART_FLOOR, -0.5);
  expect_whole(&without_barriers, &launch, 0);
}

/* The store's last 44 cycles at L2 and 68 at DRAM, less the shares of its own requests, need
 * nothing of the SM: both blocks of the slot before the last one leave so much sooner. */
TEST(blocks_leave_before_their_stores_end)
{
  struct wb_launch_terms terms = without_barriers;
  terms.after = (uint64_t)(111.5 * PARTS);
  const struct wb_launch_bound launch = bound_of(&terms, &example_shape);
  assert_int_equal(launch.cycles, 9019);
  assert_int_equal(launch.left, 2);
  expect_part(&launch, WB_PART_OWN, 2 * (1085.5 - 111.5));
  expect_part(&launch, WB_PART_TAIL, 1307.5 + 2 * 324);
  assert_int_equal(block_bound_of(&terms, &example_shape).cycles, 1327);

  struct wb_launch_shape one_wave = example_shape;
  one_wave.blocks = 14 * 3;
  assert_int_equal(bound_of(&terms, &one_wave).cycles,
                   bound_of(&without_barriers, &one_wave).cycles);
}

TEST(example_with_barriers)
{
  const struct wb_launch_bound block = block_bound_of(&with_barriers, &example_shape);
  assert_int_equal(block.cycles, 1495);
  expect_whole(&with_barriers, &block, 0);

  const struct wb_launch_bound launch = bound_of(&with_barriers, &example_shape);
  assert_int_equal(launch.cycles, 11360);
  assert_int_equal(launch.formula, WB_FORMULA_PAIRS);
  assert_int_equal(launch.slot_blocks, 2);
  expect_part(&launch, WB_PART_OWN, 2 * 1245.5);
  expect_part(&launch, WB_PART_OWN_BLOCK, 2 * (110 + 6 * 20));
  expect_part(&launch, WB_PART_OTHER_BLOCKS, 6 * 340);
  expect_part(&launch, WB_PART_BARRIERS, 6 * 8 + 2 * 17 * 35);
  expect_part(&launch, WB_PART_TAIL, 1475.5 + 2 * 628);
  expect_part(&launch, WB_PART_GPU, 2400);
  expect_part(&launch, WB_PART_FLOOR, -0.5);
  /* e counts in whole cycles: (N - h) (f - 1), in M, and twice in O+. */
  expect_whole(&with_barriers, &launch, 6 * 8 + 2 * 17 + 2 * 8 * 2);
}

/* All blocks reside at once: own + (min(R, B) - 1) O+ + B w g. */
TEST(one_wave)
{
  struct wb_launch_shape shape = example_shape;
  shape.blocks = 42; /* m R */
  struct wb_launch_bound bound = bound_of(&without_barriers, &shape);
  assert_int_equal(bound.formula, WB_FORMULA_ONE_WAVE);
  assert_int_equal(bound.waves, 1);
  assert_int_equal(bound.slot_blocks, 0);
  assert_int_equal(bound.cycles, 2795); /* 1307.5 + 2 * 324 + 336 * 2.5 = 2795.5 */
  expect_part(&bound, WB_PART_OTHER_BLOCKS, 2 * 324);
  expect_whole(&without_barriers, &bound, 0);

  bound = bound_of(&with_barriers, &shape);
  assert_int_equal(bound.cycles, 3571); /* 1475.5 + 2 * 628 + 840 = 3571.5 */

  /* Two blocks, which may share an SM. */
  shape.blocks = 2;
  assert_int_equal(bound_of(&without_barriers, &shape).cycles, 1671); /* 1307.5 + 324 + 40 */

  /* One: 1307.5 + 8 * 2.5 and theorem 1, 1327.5, are the same here. */
  shape.blocks = 1;
  assert_int_equal(bound_of(&without_barriers, &shape).cycles, 1327);

  /* One block more than reside at once: N = 3, h = 1. */
  shape.blocks = 43;
  bound = bound_of(&without_barriers, &shape);
  assert_int_equal(bound.waves, 2);
  assert_int_equal(bound.slot_blocks, 1);
  /* 2 * 1307.5 + (3 - 1 + 2) 324 + 0 + 344 * 2.5 */
  assert_int_equal(bound.cycles, 4771);
}

/* R = 1: (N + 1) own + B w g. */
TEST(one_resident_block)
{
  struct wb_launch_shape shape = example_shape;
  shape.resident_blocks = 1;
  struct wb_launch_bound bound = bound_of(&without_barriers, &shape);
  assert_int_equal(bound.slot_blocks, 8);
  assert_int_equal(bound.waves, 9);
  assert_int_equal(bound.cycles, 14167); /* 9 * 1307.5 + 2400 = 14167.5 */
  expect_part(&bound, WB_PART_OTHER_BLOCKS, 0);
  expect_part(&bound, WB_PART_BARRIERS, 0);
  bound = bound_of(&with_barriers, &shape);
  assert_int_equal(bound.cycles, 15679); /* 9 * 1475.5 + 2400 = 15679.5 */
}

/* Few steps of its own, long use of units: the sum falls when h grows, so that h is rounded up. */
TEST(rounded_up)
{
  const struct wb_launch_terms terms = {
      .denominator = 1,
      .sum = {[WB_SUM_OWN] = 1, [WB_SUM_PARTITION] = 10, [WB_SUM_OTHERS] = 10},
      .phases = 1,
      .barriers_known = true};
  const struct wb_launch_shape shape = {
      .blocks = 8, .block_warps = 1, .sms = 1, .partitions = 1, .resident_blocks = 2};
  const struct wb_launch_bound bound = bound_of(&terms, &shape);
  /* N = 7, h = 4: 4 * 1 + 3 * 10, then 1 + 10; with h = 3 it would be 3 + 40 + 11. */
  assert_int_equal(bound.slot_blocks, 4);
  assert_int_equal(bound.cycles, 45);
}

/* Many barriers, few of them with work of units: all warps of a block in one partition are less
 * than each change of partition again. */
TEST(all_warps_in_one_partition)
{
  struct wb_launch_terms terms = with_barriers;
  terms.phases = 1000;
  const struct wb_launch_bound bound = bound_of(&terms, &example_shape);
  assert_int_equal(bound.formula, WB_FORMULA_ALL_WARPS);
  /* 3 * 1475.5 + 2 * 880 + 6 * 880 + 2400 = 13866.5 */
  assert_int_equal(bound.cycles, 13866);
  expect_part(&bound, WB_PART_BARRIERS, 0);
  expect_whole(&terms, &bound, 0);
}

/* What the device adds: overhead once; the start of a block to each chain; the dispatcher, once for
 * each block. */
TEST(starts)
{
  struct wb_launch_shape shape = example_shape;
  shape.overhead = 5000;
  shape.block_start = 100;
  shape.dispatch = 2;
  struct wb_launch_bound bound = bound_of(&without_barriers, &shape);
  assert_int_equal(bound.cycles, 9242 + 5000 + 3 * 100 + 120 * 2);
  expect_part(&bound, WB_PART_LAUNCH, 5000);
  expect_part(&bound, WB_PART_GPU, 2400 + 120 * 2);
  expect_whole(&without_barriers, &bound, 5000 + 3 * 100 + 120 * 2);
  bound = block_bound_of(&without_barriers, &shape);
  assert_int_equal(bound.cycles, 1427);
}

/* Theorem D: two rounds of 42 slots, each of a block and four others met, in which the dispatcher
 * serves 41 slots; where it takes longer than blocks, it alone. */
TEST(rounds)
{
  struct wb_launch_shape shape = example_shape;
  shape.dispatch = 7;
  struct wb_launch_bound bound = bound_of(&without_barriers, &shape);
  assert_int_equal(bound.formula, WB_FORMULA_ROUNDS);
  /* 1307.5 + 2 * 324 + 2400 + 840 + 2 * (1307.5 + 4 * 324 - 41 * 7) */
  assert_int_equal(bound.cycles, 9828);
  assert_int_equal(bound.slot_blocks, 2);
  expect_part(&bound, WB_PART_OTHER_BLOCKS, 2 * 4 * 324);
  expect_part(&bound, WB_PART_GPU, 2400 + (120 - 2 * 41) * 7);
  expect_whole(&without_barriers, &bound, (120 - 2 * 41) * 7);

  shape.dispatch = 100;
  bound = bound_of(&without_barriers, &shape);
  assert_int_equal(bound.formula, WB_FORMULA_ROUNDS);
  assert_int_equal(bound.cycles, 1307 + 2 * 324 + 2400 + 120 * 100);
  assert_int_equal(bound.slot_blocks, 0);

  shape.resident_blocks = 1;
  shape.dispatch = 7;
  bound = bound_of(&without_barriers, &shape);
  /* 9 * 1307.5 + 2400 + (120 - 8 * 13) * 7 */
  assert_int_equal(bound.formula, WB_FORMULA_ROUNDS);
  assert_int_equal(bound.cycles, 14279);
}

/* Theorem E: 840 / 42 turns of a slot, less by 2316.5 / 2460, since the dispatcher needs 287 for
 * the other slots of the 2603.5 that a turn takes at most: 18.8, so 19 blocks of each slot. */
TEST(mean_of_slots)
{
  struct wb_launch_shape shape = example_shape;
  shape.blocks = 841;
  shape.dispatch = 7;
  struct wb_launch_bound bound = bound_of(&without_barriers, &shape);
  assert_int_equal(bound.formula, WB_FORMULA_MEAN);
  assert_int_equal(bound.slot_blocks, 19);
  /* 1307.5 + 2 * 324 + 841 * (20 + 7) + 19 * (1307.5 + 2 * (324 + 164)) */
  assert_int_equal(bound.cycles, 68049);
  expect_part(&bound, WB_PART_OTHER_BLOCKS, 19 * 2 * 324);
  expect_part(&bound, WB_PART_BARRIERS, 19 * 2 * 164);
  expect_part(&bound, WB_PART_GPU, 841 * 27);
  expect_whole(&without_barriers, &bound, 841 * 7);

  /* Where changes of partition cost more, all warps are taken to be in one: w X. */
  struct wb_launch_terms terms = without_barriers;
  terms.sum[WB_SUM_OTHERS] = 90 * PARTS;
  shape.dispatch = 20;
  bound = bound_of(&terms, &shape);
  assert_int_equal(bound.formula, WB_FORMULA_MEAN);
  expect_part(&bound, WB_PART_OTHER_BLOCKS, 19 * 2 * 816);
  expect_part(&bound, WB_PART_BARRIERS, 0);
}

/* First caches that keep the 50 lines used last, of blocks of 10 lines: those of 3 that reside and
 * of 2 that begin, so that a third one makes each of 2 others fetch again. */
TEST(lines_used_last)
{
  struct wb_launch_terms terms = without_barriers;
  struct wb_launch_bound bound;
  warpbound_error error;
  terms.first_of_block = true;
  terms.first = (struct wb_cold_terms){.wait = 30 * PARTS, .sm = 9 * PARTS, .gpu = 3 * PARTS};
  bound = bound_of(&terms, &example_shape);
  /* 9242.5, and 3 blocks that wait, 11 on an SM and 120 at the GPU's resources. */
  assert_int_equal(bound.cycles, 9242 + 3 * 30 + 11 * 9 + 120 * 3);
  terms.first_recent = 50;
  terms.first_lines = 10;
  bound = bound_of(&terms, &example_shape);
  /* The 6 blocks beside the slot make it wait a third each. */
  assert_int_equal(bound.cycles, 9242 + 3 * 30 + 6 * 10 + 11 * 15 + 120 * 5);
  expect_part(&bound, WB_PART_OTHER_BLOCKS, 6 * (324 + 10 + 15));
  expect_part(&bound, WB_PART_TAIL, 1307.5 + 30 + 15 + 2 * (324 + 15));
  expect_part(&bound, WB_PART_FETCHES, 120 * 5);

  /* As many blocks begin in a round as reside beside: no rounds, unless as many more fit. */
  struct wb_launch_shape shape = example_shape;
  shape.dispatch = 7;
  assert_int_equal(bound_of(&terms, &shape).formula, WB_FORMULA_ROUNDS);
  terms.first_recent = 49;
  assert_int_equal(bound_of(&terms, &shape).formula, WB_FORMULA_PAIRS);
  terms.first_recent = 40;
  assert_int_equal(bound_of(&terms, &shape).formula, WB_FORMULA_PAIRS);

  /* The last block begins beside others: one such must not make them fetch again. */
  terms.first_recent = 39;
  assert_int_equal(wb_launch_bound_evaluate(&terms, &shape, &bound, &error),
                   WARPBOUND_INVALID_INPUT);
  shape.blocks = 2; /* and no more reside */
  assert_int_equal(bound_of(&terms, &shape).formula, WB_FORMULA_ONE_WAVE);
}

/* One step or service after the other, where it is less and where nothing is known of barriers. */
TEST(total)
{
  struct wb_launch_terms terms = without_barriers;
  struct wb_launch_shape shape = example_shape;
  terms.sum[WB_SUM_TOTAL] = 9 * PARTS;
  shape.overhead = 10;
  shape.block_start = 2;
  shape.dispatch = 1;
  struct wb_launch_bound bound = bound_of(&terms, &shape);
  assert_int_equal(bound.formula, WB_FORMULA_TOTAL);
  assert_int_equal(bound.cycles, 10 + 120 * (8 * 9 + 2 + 1));
  expect_whole(&terms, &bound, 10 + 120 * 3);

  terms.sum[WB_SUM_TOTAL] = 2000 * PARTS;
  assert_int_equal(bound_of(&terms, &shape).formula, WB_FORMULA_PAIRS);
  terms.barriers_known = false;
  bound = bound_of(&terms, &shape);
  assert_int_equal(bound.formula, WB_FORMULA_TOTAL);
  assert_int_equal(bound.cycles, 10 + 120 * (8 * 2000 + 2 + 1));
  bound = block_bound_of(&terms, &shape);
  assert_int_equal(bound.formula, WB_FORMULA_TOTAL);
  assert_int_equal(bound.cycles, 8 * 2000 + 2);

  terms.sum[WB_SUM_TOTAL] = 0;
  assert_invalid(wb_launch_bound_evaluate(&terms, &shape, &bound, NULL));
}

/* Fewer warps than partitions: a block has one at most in each. */
TEST(few_warps)
{
  struct wb_launch_shape shape = example_shape;
  shape.block_warps = 3;
  assert_int_equal(block_bound_of(&without_barriers, &shape).cycles, 1088 + 2 * 225 / 10);
  shape.block_warps = 5;                                                    /* w_P = 2 */
  assert_int_equal(block_bound_of(&without_barriers, &shape).cycles, 1260); /* 1088+104.5+67.5 */
}

/* A formula whose numbers do not fit is left out; an error where none is left. */
TEST(large_numbers)
{
  struct wb_launch_terms terms = with_barriers;
  struct wb_launch_shape shape = example_shape;
  struct wb_launch_bound bound;
  warpbound_error error = {0};
  terms.phases = UINT64_C(1) << 62;
  assert_int_equal(bound_of(&terms, &shape).formula, WB_FORMULA_ALL_WARPS);
  assert_int_equal(bound_of(&terms, &shape).cycles, 13866);
  shape.blocks = UINT64_C(1) << 60;
  assert_invalid(wb_launch_bound_evaluate(&terms, &shape, &bound, &error));
  assert_non_null(strstr(error.message, "64 bits"));
  terms = without_barriers;
  terms.sum[WB_SUM_GPU] = UINT64_MAX;
  shape.blocks = 1; /* theorem 1 has no g */
  assert_int_equal(bound_of(&terms, &shape).formula, WB_FORMULA_BLOCK_ALONE);
  shape.sms = 0;
  assert_invalid(wb_launch_bound_evaluate(&terms, &shape, &bound, &error));
  assert_invalid(wb_block_bound_evaluate(&terms, &shape, &bound, &error));
}

/* More blocks, warps or residents, and fewer SMs or partitions, never make a bound smaller. */
TEST(monotone)
{
  for (uint64_t blocks = 1; blocks < 200; blocks++) {
    struct wb_launch_shape shape = example_shape;
    struct wb_launch_shape more = example_shape;
    shape.blocks = blocks;
    more.blocks = blocks + 1;
    assert_true(bound_of(&with_barriers, &shape).cycles <= bound_of(&with_barriers, &more).cycles);
    more.blocks = blocks;
    more.block_warps++;
    assert_true(bound_of(&with_barriers, &shape).cycles <= bound_of(&with_barriers, &more).cycles);
    more = shape;
    more.sms--;
    assert_true(bound_of(&with_barriers, &shape).cycles <= bound_of(&with_barriers, &more).cycles);
    more = shape;
    more.partitions--;
    assert_true(bound_of(&with_barriers, &shape).cycles <= bound_of(&with_barriers, &more).cycles);
  }
}

/* Every sum, part and formula has a name of its own. */
TEST(names)
{
  for (unsigned a = 0; a < WB_SUM_COUNT; a++) {
    for (unsigned b = 0; b < a; b++)
      assert_string_not_equal(wb_launch_sum_name(a), wb_launch_sum_name(b));
  }
  for (unsigned a = 0; a < WB_PART_COUNT; a++) {
    for (unsigned b = 0; b < a; b++)
      assert_string_not_equal(wb_launch_part_name(a), wb_launch_part_name(b));
  }
  for (unsigned a = 0; a < WB_FORMULA_COUNT; a++) {
    for (unsigned b = 0; b < a; b++)
      assert_string_not_equal(wb_launch_formula_name(a), wb_launch_formula_name(b));
  }
}

/* Of two paths, A 1085.5 and X 60, A 700 and X 102; the second has g 1. All other sums are those of
 * the example. */
TEST(one_path_for_all_warps)
{
  struct wb_launch_terms terms = without_barriers;
  const struct wb_launch_bound apart = bound_of(&terms, &example_shape);
  uint64_t first = 0, second = 0;
  for (size_t s = 0; s < WB_SUM_COUNT; s++) {
    const uint64_t times = apart.times[s];
    terms.one_path_times[s] = times;
    first += times * (s == WB_SUM_PARTITION ? 60 * PARTS : terms.sum[s]);
    second += times * (s == WB_SUM_OWN ? 700 * PARTS : s == WB_SUM_GPU ? PARTS : terms.sum[s]);
  }
  assert_true(first > second);
  terms.one_path = first;
  const struct wb_launch_bound together = bound_of(&terms, &example_shape);
  assert_int_equal(together.cycles, first / PARTS);
  assert_true(together.cycles < apart.cycles);
  int64_t sum = 0;
  for (size_t p = 0; p < WB_PART_COUNT; p++) {
    assert_true(p == WB_PART_FLOOR || together.part[p] >= 0);
    sum += together.part[p];
  }
  assert_int_equal(sum, (int64_t)together.cycles * PARTS);
  /* A sum that counts once more is taken at its most: X at 102. */
  terms.one_path_times[WB_SUM_PARTITION]--;
  terms.one_path -= 60 * PARTS;
  assert_int_equal(bound_of(&terms, &example_shape).cycles, together.cycles + 42);
}
