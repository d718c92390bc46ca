/* Modes of a distribution, and trends of a series: what is found, and how often where there is
 * nothing to find. */
#include "evt/samples/samples.h"
#include "evt/tests/series_tests.h"
#include "evt/tests/ties_and_modes.h"
#include "samples/make_times.h"

#include <math.h>

#include "samples/assert_double.h"
#include "unit.h"

static struct wb_modes modes_of(const struct made_times *recipe, size_t count, uint64_t seed)
{
  struct wb_modes modes;
  double *values = calloc(count, sizeof *values);
  assert_non_null(values);
  make_times(recipe, count, seed, values);
  wb_sort_ascending(values, count);
  assert_ok(wb_modes_find(values, count, recipe->tick, &modes, NULL));
  free(values);
  return modes;
}

/* By family, count and tick: at most 2 of 200 samples of one heap are taken for two. */
TEST(test_one_heap)
{
  static const struct made_times recipes[] = {
      {.family = MADE_NORMAL, .location = 1000, .scale = 20},
      {.family = MADE_NORMAL, .location = 1000, .scale = 20, .tick = 8},
      {.family = MADE_EXPONENTIAL, .location = 1000, .scale = 20},
      {.family = MADE_LOGNORMAL, .location = 1000, .scale = 20, .shape = 0.5},
      {.family = MADE_UNIFORM, .location = 1000, .scale = 20},
      {.family = MADE_UNIFORM, .location = 1000, .scale = 20, .tick = 1},
      {.family = MADE_GEV, .location = 1000, .scale = 20, .shape = 0.2},
      {.family = MADE_PARETO, .location = 1000, .scale = 20, .shape = 0.3},
  };
  static const size_t counts[] = {100, 1000, 10000};
  for (size_t r = 0; r < COUNT_OF(recipes); r++)
    for (size_t c = 0; c < COUNT_OF(counts); c++) {
      unsigned found = 0;
      for (uint64_t seed = 0; seed < 200; seed++)
        found += modes_of(&recipes[r], counts[c], seed).found;
      if (found > 2)
        fail_msg("recipe %zu, %zu values: two heaps in %u of 200 samples", r, counts[c], found);
    }
}

TEST(test_two_heaps)
{
  struct made_times recipe = {.family = MADE_NORMAL,
                              .location = 1000,
                              .scale = 20,
                              .modes = MADE_MODES_MIXED,
                              .mode_gap = 120,
                              .mode_share = 0.1};
  for (uint64_t seed = 0; seed < 50; seed++) {
    const struct wb_modes modes = modes_of(&recipe, 10000, seed);
    assert_true(modes.found);
    assert_within(modes.lower, 1000, 25);
    assert_within(modes.upper, 1120, 25);
    assert_true(modes.valley > 1030 && modes.valley < 1110);
    assert_within(modes.upper_share, 0.1, 0.02);
    assert_true(modes.depth >= 0 && modes.depth < 0.5);
  }
  recipe.mode_gap = 30; /* heaps that melt into one */
  for (uint64_t seed = 0; seed < 20; seed++)
    assert_false(modes_of(&recipe, 10000, seed).found);
}

TEST(test_modes_of_few)
{
  static const double same[60] = {0};
  double two[60];
  struct wb_modes modes;
  for (size_t k = 0; k < 60; k++)
    two[k] = k < 30 ? 10 : 20;
  assert_ok(wb_modes_find(same, 60, 0, &modes, NULL));
  assert_false(modes.found);
  assert_ok(wb_modes_find(two, 49, 0, &modes, NULL));
  assert_false(modes.found);
  assert_ok(wb_modes_find(same, 0, 0, &modes, NULL));
  assert_false(modes.found);
}

/* Of 1 3 2 4 ... the pairs are counted by hand: 10 values, one pair of neighbours out of order in
 * each of five: S = 45 - 2 * 5 = 35, variance 10 * 9 * 25 / 18 = 125. */
TEST(test_trend_by_hand)
{
  static const double up[10] = {2, 1, 4, 3, 6, 5, 8, 7, 10, 9};
  const struct wb_test test = wb_test_trend(up, 10);
  assert_within(test.detail, 35.0 / 45, 1e-12);
  assert_within(test.statistic, 34 / sqrt(125), 1e-12);
  assert_within(test.p_value, erfc(34 / sqrt(125) / sqrt(2)), 1e-12);
  double down[10];
  for (size_t k = 0; k < 10; k++)
    down[k] = up[9 - k];
  assert_within(wb_test_trend(down, 10).statistic, -test.statistic, 1e-12);
}

/* Ties: 5 values of 1, then 5 of 2: S = 25, variance (10*9*25 - 2 * 5*4*15) / 18. */
TEST(test_trend_with_ties)
{
  static const double steps[10] = {1, 1, 1, 1, 1, 2, 2, 2, 2, 2};
  static const double same[10] = {0};
  const double variance = (10 * 9 * 25 - 2 * 5 * 4 * 15) / 18.0;
  assert_within(wb_test_trend(steps, 10).statistic, 24 / sqrt(variance), 1e-12);
  assert_true(isnan(wb_test_trend(same, 10).p_value));
  assert_true(isnan(wb_test_trend(steps, 9).p_value));
  assert_true(isnan(wb_test_trend(steps, 0).p_value));
}

/* At 5 % a true hypothesis is refused in 4 to 6 % of 4,000 samples, of maxima of any distribution.
 */
TEST(test_size_of_trend)
{
  static const struct made_times recipes[] = {
      {.family = MADE_GEV, .location = 1000, .scale = 20, .shape = 0.3},
      {.family = MADE_NORMAL, .location = 1000, .scale = 20, .tick = 10},
  };
  for (size_t r = 0; r < 2; r++) {
    unsigned refused = 0;
    double values[200];
    for (uint64_t seed = 0; seed < 4000; seed++) {
      make_times(&recipes[r], 200, 7919 * seed, values);
      refused += wb_test_trend(values, 200).p_value < 0.05;
    }
    if (refused < 160 || refused > 240) /* 200, three deviations of 13.8 */
      fail_msg("recipe %zu: %u of 4,000 refused", r, refused);
  }
}
