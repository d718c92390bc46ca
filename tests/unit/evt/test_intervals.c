/* Intervals by profile likelihood against the literature and against the likelihood itself, and the
 * bootstrap. Not here: coverage (tests/cross/evt). */
#include "evt/fit/intervals.h"
#include "evt/math/special_functions.h"
#include "samples/assert_double.h"
#include "samples/classic_data.h"

#include <math.h>

static struct wb_tail_fit fit_of(const struct wb_fit_data *data, enum wb_tail_family family)
{
  struct wb_tail_fit fit;
  warpbound_error error = {0};
  if (wb_tail_fit(data, family, WB_FIT_LIKELIHOOD, &fit, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  return fit;
}

static struct wb_interval level_interval(const struct wb_fit_data *data,
                                         const struct wb_tail_fit *fit, double survival,
                                         double confidence)
{
  struct wb_interval interval;
  assert_ok(wb_profile_level(data, fit, survival, confidence, &interval, NULL));
  assert_true(interval.found);
  return interval;
}

/* R package texmex, of the level of 100 years of 365.25 days. */
TEST(rain)
{
  static const double texmex[][3] = {
      {0.95, 80.86, 185.04}, {0.90, 83.50, 164.72}, {0.80, 87.06, 146.16}};
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(RAIN, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_PARETO);
  const double survival = RAIN_DAYS / ((double)data.count * 36525);
  for (size_t k = 0; k < 3; k++) {
    const struct wb_interval interval = level_interval(&data, &fit, survival, texmex[k][0]);
    assert_near(interval.low, texmex[k][1], 1e-4);
    assert_near(interval.high, texmex[k][2], 1e-4);
  }
}

/* R package evd 2.3-7: confint(profile(fgev(portpirie, prob = p))). Coles (2001, p. 60) reads 4.19
 * to 4.45 and 4.50 to 5.27 from his figures. */
TEST(port_pirie)
{
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(PORT_PIRIE, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_GEV);
  struct wb_interval interval = level_interval(&data, &fit, 0.1, 0.95);
  assert_near(interval.low, 4.204616, 1e-5);
  assert_near(interval.high, 4.445080, 1e-5);
  interval = level_interval(&data, &fit, 0.01, 0.95);
  assert_near(interval.low, 4.490436, 1e-5);
  assert_near(interval.high, 5.260620, 1e-4);
  assert_ok(wb_profile_shape(&data, &fit, 0.95, &interval, NULL));
  assert_near(interval.low, -0.218157, 1e-4);
  assert_near(interval.high, 0.170404, 1e-4);
  const struct wb_tail_fit gumbel = fit_of(&data, WB_TAIL_GUMBEL);
  interval = level_interval(&data, &gumbel, 0.01, 0.95);
  assert_near(interval.low, 4.596095, 1e-5);
  assert_near(interval.high, 4.985837, 1e-5);
  assert_ok(wb_profile_shape(&data, &gumbel, 0.95, &interval, NULL));
  assert_false(interval.found);
}

/* Of an exponential tail the deviance of a level is a function of the ratio of scales alone. */
TEST(exponential)
{
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(RAIN, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_EXPONENTIAL);
  const struct wb_interval interval = level_interval(&data, &fit, 1e-6, 0.99);
  const double critical = wb_chi_squared_level(0.01, 1);
  for (int end = 0; end < 2; end++) {
    const double level = end == 0 ? interval.low : interval.high;
    const double ratio = (level - 30) / log(1e6) / fit.tail.scale;
    assert_near(2 * 152 * (log(ratio) + 1 / ratio - 1), critical, 1e-6);
  }
}

/* The least negative log likelihood of GPD with a level held: a search over all shapes, in steps,
 * that shares nothing with the profile. */
static double slow_profile(const struct wb_fit_data *data, double survival, double level)
{
  double best = INFINITY;
  for (int step = -4995; step < 20000; step++) {
    const double shape = 2e-4 * step;
    const double k = fabs(shape) < 1e-9 ? -log(survival) : expm1(-shape * log(survival)) / shape;
    const struct wb_tail tail = {WB_TAIL_PARETO, data->threshold, (level - data->threshold) / k,
                                 shape};
    double sum = 0;
    for (size_t v = 0; v < data->count && sum < INFINITY; v++)
      sum -= wb_tail_log_density(&tail, data->values[v]);
    best = fmin(best, sum);
  }
  return best;
}

TEST(ends_by_a_slow_search)
{
  static const double survivals[] = {0.5, 1e-2, 1e-9};
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(DOW_JONES, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_PARETO);
  const double critical = wb_chi_squared_level(0.05, 1);
  for (size_t s = 0; s < 3; s++) {
    const struct wb_interval interval = level_interval(&data, &fit, survivals[s], 0.95);
    for (int end = 0; end < 2; end++) {
      const double level = end == 0 ? interval.low : interval.high;
      const double deviance =
          2 * (slow_profile(&data, survivals[s], level) - fit.negative_log_likelihood);
      assert_near(deviance, critical, 1e-4);
    }
  }
}

/* On both sides of the place where the location takes over from the scale, and for levels below the
 * location, intervals change smoothly and hold the level. */
TEST(levels_of_all_probabilities)
{
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(VENICE, &classic);
  static const enum wb_tail_family families[] = {WB_TAIL_GEV, WB_TAIL_GUMBEL};
  for (size_t f = 0; f < 2; f++) {
    const struct wb_tail_fit fit = fit_of(&data, families[f]);
    struct wb_interval last = {.low = -INFINITY, .high = -INFINITY};
    for (int step = 0; step < 200; step++) {
      const double survival = 0.99 - 0.0049 * step;
      const struct wb_interval interval = level_interval(&data, &fit, survival, 0.95);
      const double level = wb_tail_level(&fit.tail, survival);
      const double error = wb_fit_level_error(&fit, survival);
      assert_true(interval.low < level && level < interval.high);
      assert_true(interval.low > last.low && interval.high > last.high);
      /* Where errors are small the interval is that of the delta method, roughly. */
      assert_near(interval.high - interval.low, 3.92 * error, 0.35);
      last = interval;
    }
  }
}

/* A wider interval for more confidence; ends that are no doubles. */
TEST(far_ends)
{
  static const double few[] = {1, 1.5, 2, 4, 60};
  const struct wb_fit_data data = {.values = few, .count = 5, .threshold = 0.9};
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_PARETO);
  struct wb_interval last = {true, wb_tail_level(&fit.tail, 1e-9), 0};
  for (int step = 0; step < 10; step++) {
    const struct wb_interval interval = level_interval(&data, &fit, 1e-9, 0.5 + 0.049 * step);
    assert_true(interval.low < last.low && interval.high > last.high);
    last = interval;
  }
  last = level_interval(&data, &fit, 1e-150, 0.95);
  assert_true(isfinite(last.low) && last.high == INFINITY);
  /* The level itself is none. */
  assert_ok(wb_profile_level(&data, &fit, 1e-300, 0.95, &last, NULL));
  assert_false(last.found);
}

TEST(intervals_that_there_are_not)
{
  struct classic_data classic;
  struct wb_fit_data data = classic_read(FREMANTLE, &classic);
  struct wb_tail_fit fit = fit_of(&data, WB_TAIL_GEV);
  struct wb_interval interval;
  assert_ok(wb_profile_level(&data, &fit, 0.1, 0.95, &interval, NULL));
  assert_true(!interval.found && isnan(interval.low) && isnan(interval.high));
  assert_ok(wb_profile_shape(&data, &fit, 0.95, &interval, NULL));
  assert_true(interval.found && interval.low < fit.tail.shape && fit.tail.shape < interval.high);
  data = classic_read(PORT_PIRIE, &classic);
  assert_ok(wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_L_MOMENTS, &fit, NULL));
  assert_ok(wb_profile_level(&data, &fit, 0.1, 0.95, &interval, NULL));
  assert_false(interval.found);
}

enum { LEVELS = 3, REPLICATES = 400 };
static const double survivals[LEVELS] = {0.1, 0.01, 1e-6};

static void run_bootstrap(const struct wb_tail_fit *fit, unsigned threads, uint64_t seed,
                          struct wb_interval *intervals)
{
  struct wb_control control = wb_control_start(NULL);
  control.threads = threads;
  unsigned failed;
  assert_ok(wb_bootstrap_levels(fit, survivals, LEVELS, 0.95, REPLICATES, seed, &control, intervals,
                                &failed, NULL));
  assert_true(failed < REPLICATES / 50);
}

/* The same bits on any number of threads; about the interval of the delta method where that is
 * good; another seed, other bits. */
TEST(bootstrap)
{
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(PORT_PIRIE, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_GEV);
  struct wb_interval one[LEVELS], many[LEVELS], other[LEVELS];
  run_bootstrap(&fit, 1, 7, one);
  run_bootstrap(&fit, 5, 7, many);
  run_bootstrap(&fit, 2, 8, other);
  for (size_t k = 0; k < LEVELS; k++) {
    assert_true(one[k].found && one[k].low == many[k].low && one[k].high == many[k].high);
    assert_true(one[k].low != other[k].low && one[k].high != other[k].high);
    assert_true(one[k].low < wb_tail_level(&fit.tail, survivals[k]));
    assert_true(one[k].high > wb_tail_level(&fit.tail, survivals[k]));
  }
  assert_near(one[0].high - one[0].low, 3.92 * wb_fit_level_error(&fit, 0.1), 0.15);
}

TEST(bootstrap_within_limits)
{
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(PORT_PIRIE, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_GEV);
  struct wb_control control = wb_control_start(NULL);
  struct wb_interval intervals[LEVELS];
  unsigned failed;
  control.memory_limit = 1000;
  assert_limit(wb_bootstrap_levels(&fit, survivals, LEVELS, 0.95, 100, 1, &control, intervals,
                                   &failed, NULL));
  assert_false(intervals[0].found);
  control = wb_control_start(NULL);
  control.interrupted = interrupt_at_once;
  assert_limit(wb_bootstrap_levels(&fit, survivals, LEVELS, 0.95, 100000, 1, &control, intervals,
                                   &failed, NULL));
  assert_false(intervals[LEVELS - 1].found);
  control = wb_control_start(NULL);
  assert_ok(
      wb_bootstrap_levels(&fit, survivals, LEVELS, 0.95, 0, 1, &control, intervals, &failed, NULL));
  assert_false(intervals[0].found);
}

/* One replicate: both ends are its level. */
TEST(bootstrap_of_one)
{
  const struct wb_tail_fit fit = {.tail = {WB_TAIL_EXPONENTIAL, 10, 2, 0}, .count = 50};
  struct wb_control control = wb_control_start(NULL);
  struct wb_interval interval;
  unsigned failed;
  assert_ok(wb_bootstrap_levels(&fit, survivals, 1, 0.9, 1, 3, &control, &interval, &failed, NULL));
  assert_true(interval.found && failed == 0 && interval.low == interval.high);
  assert_near(interval.low, 10 + 2 * log(10), 0.4);
}

/* Of three replicates the quartiles are the least and the greatest, as are quantiles further out.
 */
TEST(bootstrap_of_three)
{
  const struct wb_tail_fit fit = {.tail = {WB_TAIL_EXPONENTIAL, 10, 2, 0}, .count = 50};
  static const double confidences[] = {0.5, 0.999, 0.25};
  struct wb_control control = wb_control_start(NULL);
  struct wb_interval intervals[3];
  unsigned failed;
  for (size_t k = 0; k < 3; k++)
    assert_ok(wb_bootstrap_levels(&fit, survivals, 1, confidences[k], 3, 3, &control, &intervals[k],
                                  &failed, NULL));
  assert_true(intervals[0].low == intervals[1].low && intervals[0].high == intervals[1].high);
  /* Half of the way to the middle one. */
  const double low = 2 * intervals[2].low - intervals[0].low;
  assert_near(2 * intervals[2].high - intervals[0].high, low, 1e-12);
}
