/* Maxima of blocks and the choice of their size. Not here: the rate of false refusals
 * (tests/cross/evt). */
#include "evt/extremes/maxima_and_peaks.h"
#include "samples/make_times.h"
#include "unit.h"

#define SEED 11

/* What wb_block_size_choose found for times of a recipe. */
struct choice {
  warpbound_status status;
  warpbound_error error;
  struct wb_block_sizes sizes;
};

static struct choice choose(const struct made_times *recipe, size_t count, uint64_t seed)
{
  double *times = malloc(count * sizeof *times);
  assert_non_null(times);
  make_times(recipe, count, SEED, times);
  struct choice choice;
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_block_question question = {.values = times,
                                             .count = count,
                                             .significance = 0.05,
                                             .tick = recipe->tick,
                                             .seed = seed,
                                             .control = &control};
  choice.status = wb_block_size_choose(&question, &choice.sizes, &choice.error);
  free(times);
  return choice;
}

TEST(test_last_part_is_left_out)
{
  const double values[] = {3, 1, 2, 5, 4, 4, 9, 99};
  double maxima[8];
  assert_int_equal(wb_block_maxima(values, 8, 3, maxima), 2);
  assert_true(maxima[0] == 3 && maxima[1] == 5);
  assert_int_equal(wb_block_maxima(values, 8, 1, maxima), 8);
  assert_true(maxima[7] == 99);
  assert_int_equal(wb_block_maxima(values, 8, 9, maxima), 0);
  assert_int_equal(wb_block_maxima(values, 8, 0, maxima), 0);
}

TEST(test_sizes)
{
  static const struct made_times recipe = {
      .family = MADE_EXPONENTIAL, .location = 1000, .scale = 50};
  struct choice choice = choose(&recipe, 500, 1);
  assert_ok(choice.status);
  assert_int_equal(choice.sizes.count, 1);
  assert_int_equal(choice.sizes.tried[0].block, 10);
  choice = choose(&recipe, 20000, 1);
  assert_int_equal(choice.sizes.tried[0].block, 158); /* 100 * 10^0.1 maxima */
  assert_int_equal(choice.sizes.tried[choice.sizes.count - 1].block, 400);
  assert_int_equal(choice.sizes.tried[choice.sizes.count - 1].maxima, 50);
  for (size_t i = 1; i < choice.sizes.count; i++)
    assert_true(choice.sizes.tried[i].block > choice.sizes.tried[i - 1].block);
}

/* Independent exponential times: the smallest blocks are near enough to the limit law. */
TEST(test_independent)
{
  static const struct made_times recipe = {
      .family = MADE_EXPONENTIAL, .location = 1000, .scale = 50};
  const struct choice choice = choose(&recipe, 2000, 1);
  assert_ok(choice.status);
  assert_int_equal(choice.sizes.block, 20);
  assert_false(choice.sizes.refused);
}

/* Clusters of 500 times on average: maxima of blocks that are not much longer depend on each other.
 */
TEST(test_dependent)
{
  static const struct made_times recipe = {
      .family = MADE_EXPONENTIAL, .location = 1000, .scale = 50, .max_dependence = 0.998};
  const struct choice choice = choose(&recipe, 50000, 1);
  assert_ok(choice.status);
  assert_true(choice.sizes.block > choice.sizes.tried[0].block);
  assert_true(choice.sizes.tried[0].independence_p < 1e-3);
}

TEST(test_nothing_to_fit)
{
  static const struct made_times recipe = {
      .family = MADE_UNIFORM, .location = 1000, .scale = 0.1, .tick = 10};
  const struct choice choice = choose(&recipe, 5000, 1);
  assert_ok(choice.status);
  assert_true(choice.sizes.refused);
  for (size_t i = 0; i < choice.sizes.count; i++)
    assert_false(choice.sizes.tried[i].fitted);
}

TEST(test_too_few)
{
  static const struct made_times recipe = {
      .family = MADE_EXPONENTIAL, .location = 1000, .scale = 50};
  const struct choice choice = choose(&recipe, 499, 1);
  assert_invalid(choice.status);
  assert_non_null(strstr(choice.error.message, "499, expected at least 500"));
}

TEST(test_same_seed)
{
  static const struct made_times recipe = {
      .family = MADE_LOGNORMAL, .location = 1000, .scale = 50, .shape = 0.5, .tick = 4};
  const struct choice first = choose(&recipe, 3000, 7);
  const struct choice second = choose(&recipe, 3000, 7);
  assert_int_equal(first.sizes.block, second.sizes.block);
  for (size_t i = 0; i < first.sizes.count; i++)
    assert_true(first.sizes.tried[i].anderson_darling_p ==
                second.sizes.tried[i].anderson_darling_p);
}
