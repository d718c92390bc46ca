/* A begin that differs, runs that are slow at regular distances, slow modes that overlap: found
 * with their places, and how seldom where there is nothing to find. */
#include "evt/samples/samples.h"
#include "evt/tests/patterns.h"
#include "evt/tests/ties_and_modes.h"
#include "samples/make_times.h"
#include "unit.h"

#include <math.h>

enum { COUNT = 3000, SAMPLES = 200 };

static const struct made_times normal = {.family = MADE_NORMAL, .location = 1000, .scale = 20};

static double values[COUNT];

static struct wb_test warm_up(size_t count)
{
  struct wb_test test;
  assert_ok(wb_test_warm_up(values, count, &test, NULL));
  return test;
}

static struct wb_test period(size_t count)
{
  struct wb_test test;
  assert_ok(wb_test_period(values, count, &test, NULL));
  return test;
}

TEST(test_warm_up)
{
  static const size_t sizes[] = {1, 5, 12, 40, 300};
  for (size_t s = 0; s < COUNT_OF(sizes); s++)
    for (int sign = -1; sign <= 1; sign += 2) {
      make_times(&normal, COUNT, 7 + s, values);
      for (size_t k = 0; k < sizes[s]; k++)
        values[k] += sign * 200;
      const struct wb_test test = warm_up(COUNT);
      assert_true(test.p_value < 0.05);
      assert_true(test.statistic * sign > 0);
      assert_true(test.detail >= 0.9 * (double)sizes[s] && test.detail <= 1.1 * (double)sizes[s]);
    }
}

/* A begin that falls slowly is named to where the rest no longer differs, not only its first part,
 * which differs most. */
TEST(test_warm_up_that_falls)
{
  for (size_t s = 0; s < 5; s++) {
    make_times(&normal, COUNT, 40 + s, values);
    for (size_t k = 0; k < 30; k++)
      values[k] += 400 * exp(-(double)k / 8);
    const size_t found = (size_t)warm_up(COUNT).detail;
    assert_in_range(found, 13, 40);
    struct wb_test rest;
    assert_ok(wb_test_warm_up(values + found, COUNT - found, &rest, NULL));
    assert_true(rest.p_value > 0.005);
  }
}

/* The first value is the largest of n by chance once in n samples: of few values nothing is said.
 * One of 700 is refused among eight tests at 5 %, and the looks at longer begins do not matter. */
TEST(test_warm_up_of_few)
{
  make_times(&normal, 700, 3, values);
  values[0] = 5000;
  const struct wb_test test = warm_up(700);
  assert_float_equal(test.p_value, 4.0 / 700, 1e-12);
  assert_true(8 * test.p_value < 0.05);
  assert_true(test.detail == 1);
  assert_float_equal(warm_up(50).p_value, 4.0 / 50, 1e-12);
  assert_true(isnan(warm_up(19).p_value));
  for (size_t k = 0; k < 100; k++)
    values[k] = 1;
  assert_true(isnan(warm_up(100).p_value));
}

TEST(test_period)
{
  static const size_t periods[] = {11, 50, 64, 150};
  for (size_t s = 0; s < COUNT_OF(periods); s++) {
    make_times(&normal, COUNT, 70 + s, values);
    for (size_t k = 5; k < COUNT; k += periods[s])
      values[k] += 60;
    const struct wb_test test = period(COUNT);
    assert_true(test.p_value < 1e-3);
    assert_int_equal((size_t)test.detail, periods[s]);
    assert_int_equal((size_t)test.place, 5);
  }
  assert_true(isnan(period(219).p_value));
  assert_true(period(220).p_value > 0);
}

/* Both tests refuse at most 10 of 200 good samples at 5 %, whatever the distribution, with ticks
 * and dependence of neighbours too. */
TEST(test_nothing_to_find)
{
  static const struct made_times recipes[] = {
      {.family = MADE_NORMAL, .location = 1000, .scale = 20},
      {.family = MADE_PARETO, .location = 1000, .scale = 20, .shape = 0.3, .tick = 10},
      {.family = MADE_NORMAL, .location = 1000, .scale = 20, .correlation = 0.3},
  };
  for (size_t r = 0; r < COUNT_OF(recipes); r++) {
    unsigned begins = 0, folds = 0;
    for (uint64_t seed = 0; seed < SAMPLES; seed++) {
      make_times(&recipes[r], 1500, seed, values);
      begins += warm_up(1500).p_value < 0.05;
      folds += period(1500).p_value < 0.05;
    }
    if (recipes[r].correlation == 0 && begins > 10)
      fail_msg("recipe %zu: a warm-up in %u of 200 samples", r, begins);
    if (folds > 10)
      fail_msg("recipe %zu: a period in %u of 200 samples", r, folds);
  }
}

static struct wb_slow_mode mode_of(const struct made_times *recipe, size_t count, uint64_t seed)
{
  struct wb_slow_mode mode;
  double *made = calloc(count, sizeof *made);
  assert_non_null(made);
  make_times(recipe, count, seed, made);
  wb_sort_ascending(made, count);
  double *spread = wb_spread_values(made, count, recipe->tick, seed);
  assert_non_null(spread);
  wb_slow_mode_find(spread, count, &mode);
  free(spread);
  free(made);
  return mode;
}

/* 5 % of the times 3 deviations later, with and without ticks: found in nearly all samples, and
 * what lies above the bump is mostly of the slow mode. */
TEST(test_slow_mode)
{
  for (int ticks = 0; ticks < 2; ticks++) {
    struct made_times recipe = normal;
    recipe.modes = MADE_MODES_MIXED;
    recipe.mode_gap = 60;
    recipe.mode_share = 0.05;
    recipe.tick = ticks == 1 ? 4 : 0;
    unsigned found = 0, few = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
      const struct wb_slow_mode mode = mode_of(&recipe, 10000, seed);
      const struct wb_slow_mode small = mode_of(&recipe, 2500, seed);
      found += mode.found;
      few += small.found || small.possible;
      assert_true(!mode.found || mode.above < 600);
      assert_false(mode.possible); /* of many values it is found, or not */
    }
    assert_true(found >= 38);
    assert_true(few >= 36);
  }
}

/* Smooth tails, rising, falling and constant hazards: at most 12 of 100 samples. */
TEST(test_no_slow_mode)
{
  static const struct made_times recipes[] = {
      {.family = MADE_NORMAL, .location = 1000, .scale = 20},
      {.family = MADE_EXPONENTIAL, .location = 1000, .scale = 20},
      {.family = MADE_LOGNORMAL, .location = 1000, .scale = 20, .shape = 0.5},
      {.family = MADE_PARETO, .location = 1000, .scale = 20, .shape = 0.3},
      {.family = MADE_PARETO, .location = 1000, .scale = 20, .shape = -0.3},
  };
  for (size_t r = 0; r < COUNT_OF(recipes); r++) {
    unsigned found = 0;
    for (uint64_t seed = 0; seed < 100; seed++)
      found += mode_of(&recipes[r], 5000, seed).found;
    if (found > 12)
      fail_msg("recipe %zu: a slow mode in %u of 100 samples", r, found);
  }
  assert_false(mode_of(&recipes[0], 199, 1).found);
}
