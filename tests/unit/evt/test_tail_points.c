/* The largest values beside the others, Markov's inequality, and the exponential tail. Not here:
 * the rate of false alarms and the power (tests/cross/evt). */
#include "evt/extremes/tail_points.h"
#include "evt/fit/intervals.h"
#include "evt/samples/samples.h"
#include "samples/make_times.h"
#include "unit.h"

#include <math.h>

#define COUNT 1000

static const struct made_times tail_recipe = {
    .family = MADE_PARETO, .location = 1000, .scale = 50, .shape = 0.1};

static void make_ascending(const struct made_times *recipe, size_t count, double *values)
{
  make_times(recipe, count, 8, values);
  wb_sort_ascending(values, count);
}

static struct wb_tail_points_result check(const double *ascending, size_t count)
{
  struct wb_tail_points_result result;
  assert_ok(wb_tail_points_check(ascending, count, 1000, 0, 0.95, &result, NULL));
  return result;
}

TEST(test_alike)
{
  double values[COUNT];
  make_ascending(&tail_recipe, COUNT, values);
  const struct wb_tail_points_result result = check(values, COUNT);
  assert_int_equal(result.outcome, WB_TAIL_POINTS_ALIKE);
  assert_int_equal(result.apart, 0);
  assert_true(isnan(result.first_apart) && result.p_value > 0.05);
  const struct wb_fit_data data = {.values = values, .count = COUNT, .threshold = 1000};
  struct wb_tail_fit fit;
  struct wb_interval interval;
  assert_ok(wb_tail_fit(&data, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD, &fit, NULL));
  assert_ok(wb_profile_shape(&data, &fit, 0.95, &interval, NULL));
  assert_true(interval.found);
  assert_true(fabs(result.shape - fit.tail.shape) < 1e-4);
  assert_true(fabs(result.shape_low - interval.low) < 2e-3);
  assert_true(fabs(result.shape_high - interval.high) < 2e-3);
}

TEST(test_few_apart)
{
  double values[COUNT];
  make_ascending(&tail_recipe, COUNT, values);
  for (unsigned i = 0; i < 5; i++)
    values[COUNT - 5 + i] = 5000 + 10 * i;
  const struct wb_tail_points_result result = check(values, COUNT);
  assert_int_equal(result.outcome, WB_TAIL_POINTS_FEW);
  assert_int_equal(result.apart, 5);
  assert_true(result.first_apart == 5000 && result.p_value < 1e-6);
  assert_true(result.shape_low < 0.1 && result.shape_high > 0.1);
}

TEST(test_mixture)
{
  double values[COUNT];
  make_ascending(&tail_recipe, COUNT, values);
  for (unsigned i = 0; i < 60; i++)
    values[COUNT - 60 + i] = 3000 + 10 * i;
  const struct wb_tail_points_result result = check(values, COUNT);
  assert_int_equal(result.outcome, WB_TAIL_POINTS_MIXTURE);
  assert_true(result.apart > WB_TAIL_POINTS_MINIMUM && result.apart <= 80);
}

/* One value beyond the end of a short tail. */
TEST(test_beyond_the_end)
{
  double values[200];
  static const struct made_times recipe = {.family = MADE_UNIFORM, .location = 1000, .scale = 100};
  make_ascending(&recipe, 200, values);
  assert_int_equal(check(values, 200).outcome, WB_TAIL_POINTS_ALIKE);
  values[199] = 1300;
  const struct wb_tail_points_result result = check(values, 200);
  assert_int_equal(result.outcome, WB_TAIL_POINTS_FEW);
  assert_int_equal(result.apart, 1);
}

TEST(test_tail_point_errors)
{
  double values[60];
  struct wb_tail_points_result result;
  warpbound_error error;
  make_ascending(&tail_recipe, 60, values);
  assert_invalid(wb_tail_points_check(values, 19, 1000, 0, 0.95, &result, &error));
  assert_non_null(strstr(error.message, "19, expected at least 20"));
  assert_invalid(wb_tail_points_check(values, 60, values[0], 0, 0.95, &result, &error));
  assert_invalid(wb_tail_points_check(values, 60, 1000, 0, 1, &result, &error));
  for (unsigned i = 0; i < 40; i++)
    values[i] = 1001;
  for (unsigned i = 40; i < 60; i++)
    values[i] = 1002;
  assert_invalid(wb_tail_points_check(values, 60, 1000, 0, 0.95, &result, &error));
}

/* Half of the largest values equal, on a coarse clock: ties are not parted, nothing hangs. */
TEST(test_ties)
{
  double values[COUNT];
  struct made_times recipe = tail_recipe;
  recipe.tick = 30;
  recipe.location = 1015;
  make_ascending(&recipe, COUNT, values);
  for (unsigned i = COUNT - 100; i < COUNT; i++)
    values[i] = values[COUNT - 1];
  struct wb_tail_points_result result;
  assert_ok(wb_tail_points_check(values, COUNT, 1000, 30, 0.95, &result, NULL));
  assert_true(result.apart == 0 || result.apart >= 100);
}

/* Without censored values the profile's peak is the maximum of the likelihood, and its fall by half
 * a quantile of chi-squared gives the profile interval of the shape, which is monotone in theta. */
TEST(test_profile)
{
  double values[COUNT];
  make_ascending(&tail_recipe, COUNT, values);
  const struct wb_fit_data data = {.values = values, .count = COUNT, .threshold = 1000};
  struct wb_tail_fit fit;
  assert_ok(wb_tail_fit(&data, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD, &fit, NULL));
  const struct wb_censored_excesses excesses = {values, COUNT, COUNT, 1000, 0};
  const double mean = wb_kept_mean(&excesses);
  struct wb_pareto_profile peak;
  double low, high;
  assert_true(wb_pareto_profile_peak(&excesses, mean, 2, &peak, &low, &high));
  assert_true(fabs(peak.shape - fit.tail.shape) < 1e-4);
  assert_true(fabs(peak.theta / mean - fit.tail.shape / fit.tail.scale) < 1e-5);
  assert_true(fabs(wb_pareto_profile_at(&excesses, mean, low).likelihood - peak.likelihood + 2) <
              0.1);
  assert_true(fabs(wb_pareto_profile_at(&excesses, mean, high).likelihood - peak.likelihood + 2) <
              0.1);
}

/* The likelihood of censored values, written out: densities of the kept ones and the survival half
 * a tick above the last of them for each of the others. Differences between two thetas agree. */
TEST(test_censored_likelihood)
{
  const double values[] = {1, 2, 4, 7, 11, 20, 40};
  const struct wb_censored_excesses excesses = {values, 7, 5, 0, 2};
  const double mean = wb_kept_mean(&excesses);
  double difference[2] = {0, 0};
  for (unsigned k = 0; k < 2; k++) {
    const struct wb_pareto_profile point = wb_pareto_profile_at(&excesses, mean, k == 0 ? 0.8 : 2);
    const struct wb_tail tail = {WB_TAIL_PARETO, 0, point.shape / point.theta * mean, point.shape};
    difference[0] += (k == 0 ? 1 : -1) * point.likelihood;
    double sum = 2 * log(wb_tail_survival(&tail, 12));
    for (unsigned i = 0; i < 5; i++)
      sum += wb_tail_log_density(&tail, values[i]);
    difference[1] += (k == 0 ? 1 : -1) * sum;
  }
  assert_true(fabs(difference[0] - difference[1]) < 1e-9);
}

/* Each power by itself, without scaling. */
static double plain_markov(const double *values, size_t count, double survival, unsigned power)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += pow(values[i], power);
  return pow(sum / (double)count / survival, 1.0 / power);
}

TEST(test_markov)
{
  double values[COUNT];
  make_ascending(&tail_recipe, COUNT, values);
  const double survivals[] = {1e-2, 1e-6, 1e-12};
  for (unsigned k = 0; k < 3; k++) {
    const struct wb_markov_level found = wb_markov_level_of(values, COUNT, survivals[k]);
    const double plain = plain_markov(values, COUNT, survivals[k], found.power);
    assert_true(fabs(found.level / plain - 1) < 1e-9);
    assert_true(found.level < plain_markov(values, COUNT, survivals[k], 1));
    assert_true(found.power > 1);
  }
}

TEST(test_markov_limits)
{
  const double zeros[] = {0, 0};
  assert_true(wb_markov_level_of(zeros, 2, 1e-9).level == 0);
  const double one[] = {5};
  const struct wb_markov_level single = wb_markov_level_of(one, 1, 1e-9);
  assert_int_equal(single.power, 1); /* one value is no moment of a higher power */
  assert_true(fabs(single.level / 5e9 - 1) < 1e-12);
  double huge[100];
  for (unsigned i = 0; i < 100; i++)
    huge[i] = 1e300 * (1 + 1e-6 * i);
  const struct wb_markov_level level = wb_markov_level_of(huge, 100, 1e-9);
  assert_true(isfinite(level.level) && level.level > 1e300 && level.power > 1000);
}

static struct wb_exponential_tail find_tail(const struct made_times *recipe)
{
  enum { VALUES = 20000 };
  double *values = malloc(VALUES * sizeof *values);
  assert_non_null(values);
  make_ascending(recipe, VALUES, values);
  struct wb_exponential_tail tail;
  assert_ok(wb_exponential_tail_find(values, VALUES, 0.95, &tail, NULL));
  free(values);
  return tail;
}

TEST(test_exponential_tail)
{
  const struct wb_exponential_tail tail = find_tail(
      &(struct made_times){.family = MADE_EXPONENTIAL, .location = 1000, .scale = 50, .tick = 1});
  assert_true(tail.found && !tail.light && !tail.heavy);
  assert_true(tail.exceedances >= 9500);
  assert_true(fabs(tail.fit.tail.scale - 50) < 4 * 50 / sqrt((double)tail.exceedances));
}

TEST(test_light_and_heavy)
{
  const struct wb_exponential_tail light =
      find_tail(&(struct made_times){.family = MADE_UNIFORM, .location = 1000, .scale = 50});
  assert_true(light.light && !light.heavy);
  const struct wb_exponential_tail heavy = find_tail(
      &(struct made_times){.family = MADE_PARETO, .location = 1000, .scale = 50, .shape = 0.6});
  assert_true(heavy.heavy && !heavy.light && heavy.exceedances < 1000);
}

TEST(test_exponential_tail_errors)
{
  double values[120];
  warpbound_error error;
  struct wb_exponential_tail tail;
  for (unsigned i = 0; i < 120; i++)
    values[i] = 7;
  assert_invalid(wb_exponential_tail_find(values, 99, 0.95, &tail, &error));
  assert_non_null(strstr(error.message, "99, expected at least 100"));
  assert_invalid(wb_exponential_tail_find(values, 120, 0.95, &tail, &error));
  assert_non_null(strstr(error.message, "are equal"));
}
