/* Launches together: the worked examples of doc/launches/together.md to the digit, mixes counted by
 * hand, graphs at the edges of the theorem, numbers that do not fit. That the theorem is true is
 * not tested here, but by brute force in tests/cross/together. */
#include "launch/together/apart.h"
#include "launch/together/together.h"
#include "unit.h"

#define PARTS 32

/* The kernel of the worked example of doc/launch.md. */
static const struct wb_launch_terms example = {.denominator = PARTS,
                                               .sum =
                                                   {
                                                       [WB_SUM_OWN] = 10855 * PARTS / 10,
                                                       [WB_SUM_PARTITION] = 102 * PARTS,
                                                       [WB_SUM_OTHERS] = 20 * PARTS,
                                                       [WB_SUM_UNITS] = 82 * PARTS,
                                                       [WB_SUM_PHASE_UNITS] = 82 * PARTS,
                                                       [WB_SUM_GPU] = 25 * PARTS / 10,
                                                   },
                                               .phases = 1,
                                               .barriers_known = true};

static struct wb_launch_shape shape_of(uint64_t blocks)
{
  return (struct wb_launch_shape){
      .blocks = blocks, .block_warps = 8, .sms = 14, .partitions = 4, .resident_blocks = 3};
}

/* Three blocks of any kernels fit. */
static struct wb_mixes three(size_t kernels)
{
  struct wb_mixes mixes = {.kernel_count = kernels, .room_count = 1};
  mixes.rooms[0].capacity = 3;
  for (size_t k = 0; k < kernels; k++) {
    mixes.most[k] = 3;
    mixes.rooms[0].size[k] = 1;
  }
  return mixes;
}

static void expect_whole(const struct wb_together_bound *bound)
{
  int64_t sum = 0;
  for (unsigned p = 0; p < WB_TOGETHER_PART_COUNT; p++)
    sum += bound->part[p];
  assert_int_equal(sum, (int64_t)(bound->cycles * bound->denominator));
}

static uint64_t evaluate(const struct wb_together_question *question)
{
  struct wb_together_bound bound;
  warpbound_error error = {0};
  assert_int_equal(wb_together_evaluate(question, &bound, &error), WARPBOUND_OK);
  expect_whole(&bound);
  return bound.cycles;
}

/* 120 blocks beside a launch of 60, which is there from the begin, or comes later. */
TEST(test_same_sms)
{
  const struct wb_launch_shape first = shape_of(120);
  const struct wb_launch_shape second = shape_of(60);
  const struct wb_together_kernel kernels[] = {{&example, &first}, {&example, &second}};
  const struct wb_mixes mixes = three(2);
  struct wb_together_step steps[] = {{.kernel = 0}, {.kernel = 1, .times = 1}};
  const struct wb_together_question question = {
      .kernels = kernels, .mixes = &mixes, .mix_count = 1, .steps = steps, .step_count = 2};
  /* 1307.5 + 648 + 179 * 761.17 / 14 + 3600 */
  assert_int_equal(evaluate(&question), 15287);
  /* + 648 + 3 * 761.17 */
  steps[1].late = 1;
  assert_int_equal(evaluate(&question), 18219);
  /* The first one comes 100 cycles late, when blocks of the other one, which was there, have been
   * counted where they waited: they are paid again. */
  steps[0].gap = 100;
  steps[1].late = 0;
  assert_int_equal(evaluate(&question), 15287 + 100 + 2284);
  steps[1].late = 1;
  assert_int_equal(evaluate(&question), 18219 + 100);
  steps[1].times = 2;
  /* + 60 * 761.17 / 14 + 1200, and F of the first one again: 3 * 761.17 */
  assert_int_equal(evaluate(&question), 18219 + 100 + 6745);
}

/* Of launches one after the other each counts with the worst of its own sizes of shared memory. */
TEST(test_sizes)
{
  static const uint32_t root[] = {0};
  static const uint32_t few[] = {3, 1};
  const struct wb_launch_shape shape = shape_of(120);
  struct wb_together_kernel kernels[] = {{.terms = &example, .shape = &shape},
                                         {.terms = &example, .shape = &shape}};
  const struct wb_mixes mixes = three(2);
  struct wb_together_step steps[] = {{.kernel = 0}, {.kernel = 1, .after = root, .after_count = 1}};
  const struct wb_together_question question = {
      .kernels = kernels, .mixes = &mixes, .mix_count = 1, .steps = steps, .step_count = 2};
  assert_int_equal(evaluate(&question), 18485);
  kernels[1].residents = few;
  kernels[1].resident_count = 1;
  assert_int_equal(evaluate(&question), 18485);
  kernels[1].resident_count = 2;
  const uint64_t fewer = evaluate(&question);
  assert_true(fewer > 18485);
  kernels[0] = kernels[1];
  assert_int_equal(evaluate(&question), 2 * fewer - 18485);
}

/* A launch of 120 blocks, then two of 60 beside each other, then one of 60. */
TEST(test_graph)
{
  static const uint32_t root[] = {0};
  static const uint32_t pair[] = {1, 2};
  const struct wb_launch_shape first = shape_of(120);
  const struct wb_launch_shape second = shape_of(60);
  const struct wb_together_kernel kernels[] = {{&example, &first}, {&example, &second}};
  const struct wb_mixes mixes = three(2);
  struct wb_together_step steps[] = {
      {.kernel = 0},
      {.kernel = 1, .after = root, .after_count = 1},
      {.kernel = 1, .after = root, .after_count = 1},
      {.kernel = 1, .after = pair, .after_count = 2},
  };
  const struct wb_together_question question = {
      .kernels = kernels, .mixes = &mixes, .mix_count = 1, .steps = steps, .step_count = 4};
  struct wb_together_bound bound;
  assert_int_equal(wb_together_evaluate(&question, &bound, NULL), WARPBOUND_OK);
  expect_whole(&bound);
  /* 9242.5 + (1307.5 + 119 * 761.17 / 14 + 2400 + 648) + 5435 = 25502.9 */
  assert_int_equal(bound.cycles, 25502);
  assert_int_equal(bound.pieces, 3);
  assert_int_equal(bound.least_full, 3);
  assert_int_equal(bound.piece[1], 1);
  assert_int_equal(bound.piece[2], 1);
  assert_true(bound.critical[0] && bound.critical[1] && !bound.critical[2] && bound.critical[3]);
  assert_int_equal(bound.slack[2], 0);
  /* A gap of 100 before one of the two: its path is longer by that, and the other has slack. The
   * releases of both are no longer at one time: E of both, and F of one, 3 * 761.17. */
  steps[1].gap = 100;
  assert_int_equal(wb_together_evaluate(&question, &bound, NULL), WARPBOUND_OK);
  assert_int_equal(bound.cycles, 28534);
  assert_int_equal(bound.slack[2], 100);
}

/* Copies on one engine wait for each other; on two they do not. */
TEST(test_copies)
{
  static const uint32_t copies[] = {0, 1};
  const struct wb_launch_shape shape = shape_of(120);
  const struct wb_together_kernel kernel = {&example, &shape};
  const struct wb_mixes mixes = three(1);
  struct wb_together_step steps[] = {
      {.kind = WB_STEP_COPY, .cycles = 1000, .memory = 40},
      {.kind = WB_STEP_COPY, .cycles = 600, .gap = 7},
      {.kernel = 0, .after = copies, .after_count = 2},
      {.kind = WB_STEP_WAIT, .cycles = 10000},
  };
  const struct wb_together_question question = {
      .kernels = &kernel, .mixes = &mixes, .mix_count = 1, .steps = steps, .step_count = 4};
  /* The launch takes 9242.5, and both copies together 1600. */
  steps[3].cycles = 0;
  assert_int_equal(evaluate(&question), 7 + 1600 + 9242);
  steps[1].engine = 1;
  assert_int_equal(evaluate(&question), 1000 + 9242);
  steps[3].cycles = 20000;
  assert_int_equal(evaluate(&question), 20000);
  /* Beside the launch, what the copy holds of the memory counts. */
  steps[2].after_count = 0;
  steps[3].cycles = 0;
  assert_int_equal(evaluate(&question), 9242 + 40);
}

/* Blocks of 4 and 1 of 5 places: one small one leaves no room for a large one, or five do. */
TEST(test_mixes)
{
  static const uint64_t values[] = {10, 3};
  static const bool small[] = {false, true};
  const struct wb_mixes mixes = {
      .kernel_count = 2,
      .most = {1, 5},
      .rooms = {{.capacity = 5, .size = {4, 1}}},
      .room_count = 1,
  };
  assert_int_equal(wb_mixes_least_full(&mixes, NULL), 1);
  assert_int_equal(wb_mixes_least_full(&mixes, small), 5);
  assert_int_equal(wb_mixes_most(&mixes, NULL, WB_NO_KERNEL, values), 15); /* five small ones */
  assert_int_equal(wb_mixes_most(&mixes, NULL, 0, values), 3);
  assert_int_equal(wb_mixes_most(&mixes, NULL, 1, values), 12);
  assert_int_equal(wb_mixes_most(&mixes, small, 1, values), 12);
}

/* So many kernels that not all mixes are tried: the number is never too small. */
TEST(test_many_kernels)
{
  struct wb_mixes mixes = {.kernel_count = 12, .room_count = 2};
  uint64_t values[WB_TOGETHER_KERNELS];
  mixes.rooms[0].capacity = 16;
  mixes.rooms[1].capacity = 64;
  for (size_t k = 0; k < 12; k++) {
    mixes.most[k] = 16;
    mixes.rooms[0].size[k] = 1;
    mixes.rooms[1].size[k] = 4;
    values[k] = 100 + k;
  }
  assert_int_equal(wb_mixes_most(&mixes, NULL, WB_NO_KERNEL, values), 16 * 111);
}

TEST(test_refused)
{
  static const uint32_t later[] = {1};
  const struct wb_launch_shape shape = shape_of(UINT64_MAX);
  const struct wb_launch_shape small = shape_of(2);
  struct wb_launch_terms kept = example;
  struct wb_together_kernel kernel = {&example, &shape};
  const struct wb_mixes mixes = three(1);
  struct wb_together_step steps[] = {{.kernel = 0}, {.kernel = 0}};
  const struct wb_together_question question = {
      .kernels = &kernel, .mixes = &mixes, .mix_count = 1, .steps = steps, .step_count = 2};
  struct wb_together_bound bound;
  warpbound_error error = {0};
  assert_int_equal(wb_together_evaluate(&question, &bound, &error), WARPBOUND_INVALID_INPUT);
  assert_non_null(strstr(error.message, "does not fit into 64 bits"));
  kernel.shape = &small;
  steps[0].after = later;
  steps[0].after_count = 1;
  assert_int_equal(wb_together_evaluate(&question, &bound, &error), WARPBOUND_INVALID_INPUT);
  assert_non_null(strstr(error.message, "step 1: expected to come after earlier steps"));
  steps[0].after_count = 0;
  kept.kept = true;
  kernel.terms = &kept;
  assert_int_equal(wb_together_evaluate(&question, &bound, &error), WARPBOUND_INVALID_INPUT);
  assert_non_null(strstr(error.message, "without kept data"));
}

/* 60 blocks elsewhere: theorem 2, and what they ask of the GPU: 9242.5 + 1200. */
TEST(test_own_sms)
{
  static const uint64_t times[] = {0, 1};
  const struct wb_launch_shape first = shape_of(120);
  const struct wb_launch_shape second = shape_of(60);
  const struct wb_together_kernel kernels[] = {{&example, &first}, {&example, &second}};
  struct wb_apart_bound bound;
  assert_int_equal(wb_apart_evaluate(kernels, 2, 0, times, 0, 0, &bound, NULL), WARPBOUND_OK);
  assert_int_equal(bound.cycles, 10442);
  /* Half of the memory is others'. */
  assert_int_equal(wb_apart_evaluate(kernels, 2, 0, times, 500000, 0, &bound, NULL), WARPBOUND_OK);
  assert_int_equal(bound.cycles, 20885);
}
