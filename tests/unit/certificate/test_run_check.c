/* The checker of cuts into runs: longest paths known by hand or from doc/makespan.md,
 * claims refused, and limits. */
#include "certificate/runs/run_check.h"
#include "unit.h"

#define VORONOI "LLLLLCCCCCCCCCLLCCCCCCCCC"
#define MOST_SEGMENTS 32

/* A claim with room for its segments; capacities in the order L, C. */
struct example {
  uint32_t lengths[MOST_SEGMENTS];
  struct wb_check_run_claim claim;
};

/* The whole string in segments of 1. */
static void cut_finely(struct example *example)
{
  example->claim.count = example->claim.problem.length;
  for (size_t r = 0; r < example->claim.count; r++)
    example->lengths[r] = 1;
}

/* The maximal runs of the string. */
static void cut_coarsely(struct example *example)
{
  const char *letters = example->claim.problem.letters;
  example->claim.count = 0;
  for (size_t i = 0; i < example->claim.problem.length; i++) {
    if (i == 0 || letters[i] != letters[i - 1])
      example->lengths[example->claim.count++] = 0;
    example->lengths[example->claim.count - 1]++;
  }
}

static void prepare(struct example *example, const char *letters, uint64_t load_store,
                    uint64_t cores, uint64_t slots, uint32_t warps)
{
  *example = (struct example){.claim = {.problem.letters = letters,
                                        .problem.length = strlen(letters),
                                        .problem.capacity = {load_store, cores, 0, 0},
                                        .problem.issue_slots = slots,
                                        .warps = warps,
                                        .cycles = 254}};
  example->claim.lengths = example->lengths;
  cut_coarsely(example);
}

static uint64_t longest_path(const struct example *example, unsigned threads)
{
  struct wb_control control = wb_control_start(NULL);
  struct wb_check_run_verdict proof = {0};
  warpbound_error error = {0};
  control.threads = threads;
  if (wb_check_run(&example->claim, &control, &proof, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  return proof.cycles;
}

/* Both cuts of a string. */
static void expect_paths(const char *letters, uint64_t load_store, uint64_t cores, uint64_t slots,
                         uint32_t warps, uint64_t coarse, uint64_t fine)
{
  struct example example;
  prepare(&example, letters, load_store, cores, slots, warps);
  assert_int_equal(longest_path(&example, 1), coarse);
  cut_finely(&example);
  assert_int_equal(longest_path(&example, 2), fine);
}

static void expect_verdict(const struct example *example, const struct wb_control *control,
                           warpbound_status verdict, const char *part)
{
  struct wb_check_run_verdict proof = {.cycles = 77};
  warpbound_error error = {0};
  assert_int_equal(wb_check_run(&example->claim, control, &proof, &error), verdict);
  if (strstr(error.message, part) == NULL)
    fail_msg("expected '%s' in '%s'", part, error.message);
  assert_int_equal(proof.cycles, 77);
}

static void expect_refusal(const struct example *example, warpbound_status verdict,
                           const char *part)
{
  struct wb_control control = wb_control_start(NULL);
  expect_verdict(example, &control, verdict, part);
}

/* T(W) = 4 W + 1. */
TEST(one_unit_each)
{
  for (uint32_t warps = 1; warps <= 12; warps++)
    expect_paths("LLCLL", 1, 1, 0, warps, 4 * warps + 1, 4 * warps + 1);
}

/* One warp takes the length of the string, one slot the instructions of all. */
TEST(a_lone_warp_and_a_lone_slot)
{
  expect_paths("L", 1, 0, 0, 1, 1, 1);
  expect_paths(VORONOI, 1, 4, 0, 1, 25, 25);
  expect_paths("LLCCCLC", 2, 2, 1, 4, 28, 28);
}

/* doc/makespan.md: what refutes the published bounds, and the anomalies. */
TEST(counterexamples)
{
  expect_paths("CC", 0, 2, 0, 4, 5, 5);
  expect_paths("CCCC", 0, 4, 0, 8, 11, 11);
  expect_paths("LCL", 1, 1, 0, 2, 4, 4);
  expect_paths("LCL", 1, 1, 0, 4, 9, 9);
  expect_paths("LC", 2, 2, 2, 4, 5, 5);
  expect_paths("LL", 2, 2, 0, 4, 5, 5);
  expect_paths("LCL", 2, 2, 0, 4, 4, 4);
  expect_paths("LCL", 3, 2, 0, 7, 6, 6);
  expect_paths("LCL", 3, 3, 0, 7, 7, 7);
}

/* doc/makespan.md: where two warps are served at once the runs are not exact. */
TEST(the_abstraction_is_not_always_exact)
{
  expect_paths("CCCLCL", 1, 2, 0, 2, 8, 7);
  expect_paths("CCCCC", 0, 4, 0, 6, 12, 11);
}

TEST(voronoi)
{
  expect_paths(VORONOI, 1, 4, 0, 4, 51, 45);
}

/* N takes a slot and no unit: the two of a string of N alone run side by side. */
TEST(issue_only)
{
  expect_paths("NN", 0, 0, 0, 5, 2, 2);
  expect_paths("NN", 0, 0, 2, 5, 6, 6);
}

/* The answer is the same for any number of threads and both widths of a cell. */
TEST(threads_and_widths_agree)
{
  struct example example;
  prepare(&example, VORONOI, 1, 4, 0, 7);
  uint64_t cycles = longest_path(&example, 1);
  for (unsigned threads = 2; threads <= 5; threads++)
    assert_int_equal(longest_path(&example, threads), cycles);
  example.claim.cycles = 255;
  assert_int_equal(longest_path(&example, 3), cycles);
}

/* Paths around the largest value of a byte, and beyond it: C on one unit, as many cycles
 * as warps. */
TEST(paths_beyond_a_byte)
{
  struct example example;
  for (uint32_t warps = 250; warps <= 260; warps++) {
    prepare(&example, "C", 0, 1, 0, warps);
    example.claim.cycles = warps;
    assert_int_equal(longest_path(&example, 2), warps);
    char words[80];
    example.claim.cycles = warps - 1;
    snprintf(words, sizeof words, "the longest path has %s%u cycles, %u are claimed",
             warps == 255 ? "at least " : "", warps, warps - 1);
    expect_refusal(&example, WARPBOUND_CHECK_FAILED, words);
  }
  example.claim.cycles = 254;
  expect_refusal(&example, WARPBOUND_CHECK_FAILED, "at least 255 cycles, 254 are claimed");
}

TEST(too_few_cycles)
{
  struct example example;
  prepare(&example, VORONOI, 1, 4, 0, 4);
  example.claim.cycles = 50;
  expect_refusal(&example, WARPBOUND_CHECK_FAILED, "the longest path has 51 cycles, 50 are");
  example.claim.cycles = 0;
  expect_refusal(&example, WARPBOUND_CHECK_FAILED, "the longest path has 51 cycles, 0 are");
}

TEST(segments_must_be_the_string)
{
  struct example example;
  prepare(&example, "LLCLL", 1, 1, 0, 4);
  example.lengths[0] = 3;
  expect_refusal(&example, WARPBOUND_INVALID_INPUT,
                 "runs, entry 1: expected instructions of one type, but instruction 1 is of type L "
                 "and instruction 3 of type C");
  prepare(&example, "LLCLL", 1, 1, 0, 4);
  example.lengths[2] = 3;
  expect_refusal(&example, WARPBOUND_INVALID_INPUT,
                 "runs, entry 3: expected 1 to the 2 instructions that are left, found 3");
  example.lengths[2] = 1;
  expect_refusal(&example, WARPBOUND_INVALID_INPUT,
                 "runs: expected the 5 instructions of the string in all, found 4");
  example.lengths[1] = 0;
  expect_refusal(&example, WARPBOUND_INVALID_INPUT, "runs, entry 2");
}

TEST(nonsense_is_invalid_input)
{
  struct example example;
  prepare(&example, "LX", 1, 1, 0, 4);
  expect_refusal(&example, WARPBOUND_INVALID_INPUT, "instruction 2 is of no type");
  prepare(&example, "LC", 1, 0, 0, 4);
  expect_refusal(&example, WARPBOUND_INVALID_INPUT, "instruction 2 is of type C, for which no");
  prepare(&example, "LC", 1, 1, 0, 0);
  expect_refusal(&example, WARPBOUND_INVALID_INPUT, "at least one");
  prepare(&example, "", 1, 1, 0, 1);
  expect_refusal(&example, WARPBOUND_INVALID_INPUT, "at least one");
}

TEST(memory_is_known_before)
{
  struct example example;
  struct wb_control control = wb_control_start(NULL);
  struct wb_check_run_verdict proof = {0};
  char words[100];
  prepare(&example, "LLCLL", 1, 1, 0, 40);
  control.threads = 1;
  assert_ok(wb_check_run(&example.claim, &control, &proof, NULL));
  assert_int_equal(proof.cycles, 161);
  assert_true(proof.bytes < proof.states); /* some levels at a time */
  control.memory_limit = proof.bytes;
  assert_ok(wb_check_run(&example.claim, &control, &proof, NULL));
  control.memory_limit--;
  snprintf(words, sizeof words, "it needs %llu bytes, the memory limit is %llu",
           (unsigned long long)proof.bytes, (unsigned long long)control.memory_limit);
  expect_verdict(&example, &control, WARPBOUND_LIMIT, words);
}

/* The states of W warps in one segment of l instructions: the sum of n (l - 1) + 1. */
TEST(states_are_counted)
{
  struct example example;
  struct wb_control control = wb_control_start(NULL);
  struct wb_check_run_verdict proof = {0};
  prepare(&example, "CCCC", 0, 2, 0, 10);
  assert_ok(wb_check_run(&example.claim, &control, &proof, NULL));
  assert_int_equal(proof.states, 3 * 55 + 11);
  cut_finely(&example);
  assert_ok(wb_check_run(&example.claim, &control, &proof, NULL));
  assert_int_equal(proof.states, 1001); /* 14 over 4 */
}

TEST(too_large_to_count)
{
  struct example example;
  prepare(&example, VORONOI, 1, 4, 0, 65536);
  expect_refusal(&example, WARPBOUND_LIMIT, "it needs more than 2^64 bytes");
  prepare(&example, "C", 0, 1, 0, 1);
  example.claim.cycles = 65535;
  expect_refusal(&example, WARPBOUND_LIMIT, "65535 cycles are claimed, at most 65534");
}

TEST(it_can_be_stopped)
{
  struct example example;
  struct wb_control control = wb_control_start(NULL);
  prepare(&example, VORONOI, 1, 4, 0, 10);
  control.interrupted = interrupt_at_once;
  control.threads = 2;
  expect_verdict(&example, &control, WARPBOUND_LIMIT, "interrupted");
  control.interrupted = NULL;
  control.deadline = control.start - 1;
  control.threads = 1;
  expect_verdict(&example, &control, WARPBOUND_LIMIT, "the time limit was reached");
}

static void remember_fraction(void *context, const char *phase, double fraction)
{
  double *last = context;
  assert_non_null(phase);
  assert_true(fraction >= *last && fraction <= 1);
  *last = fraction;
}

TEST(it_says_how_far_it_is)
{
  struct example example;
  double fraction = 0;
  struct wb_control control = wb_control_start(NULL);
  struct wb_check_run_verdict proof = {0};
  prepare(&example, VORONOI, 1, 4, 0, 10);
  control.progress = remember_fraction;
  control.context = &fraction;
  control.threads = 2;
  assert_ok(wb_check_run(&example.claim, &control, &proof, NULL));
  assert_true(fraction > 0);
}
