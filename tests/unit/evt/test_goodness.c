/* Goodness of fit and likelihood ratio: what is compared, threads and seeds, trends, limits. Not
 * here: size and power (tests/cross/evt). */
#include "evt/goodness/goodness.h"
#include "samples/make_times.h"
#include "unit.h"

#include <math.h>

#define REPLICATES 99
#define SEED 19

static const struct made_times gev = {
    .family = MADE_GEV, .location = 1000, .scale = 20, .shape = 0.1};
static const struct made_times two_modes = {.family = MADE_GEV,
                                            .location = 1000,
                                            .scale = 20,
                                            .modes = MADE_MODES_MIXED,
                                            .mode_gap = 200,
                                            .mode_share = 0.4};

static struct wb_control control_of(unsigned threads)
{
  struct wb_control control = wb_control_start(NULL);
  control.threads = threads;
  return control;
}

/* Fits the family to the values and tests the fit. */
static struct wb_goodness test_values(const struct wb_fit_data *data, enum wb_tail_family family,
                                      double tick, unsigned threads, uint64_t seed)
{
  struct wb_tail_fit fit;
  struct wb_goodness goodness;
  const struct wb_control control = control_of(threads);
  assert_ok(wb_tail_fit(data, family, WB_FIT_LIKELIHOOD, &fit, NULL));
  assert_ok(wb_goodness_of_fit(data, &fit, tick, REPLICATES, seed, &control, &goodness, NULL));
  return goodness;
}

/* Fits a GEV to `count` times of the recipe and tests it. */
static struct wb_goodness test_times(const struct made_times *recipe, size_t count, double tick,
                                     unsigned threads, uint64_t seed)
{
  double *times = malloc(count * sizeof *times);
  assert_non_null(times);
  make_times(recipe, count, SEED, times);
  const struct wb_fit_data data = {.values = times, .count = count};
  const struct wb_goodness goodness = test_values(&data, WB_TAIL_GEV, tick, threads, seed);
  free(times);
  return goodness;
}

TEST(test_right_family)
{
  const struct wb_goodness goodness = test_times(&gev, 300, 0, 1, SEED);
  assert_int_equal(goodness.compared, 300);
  assert_int_equal(goodness.replicates, REPLICATES);
  assert_true(goodness.anderson_darling_p > 0.05 && goodness.anderson_darling_p <= 1);
  assert_true(goodness.cramer_von_mises_p > 0.05 && goodness.cramer_von_mises_p <= 1);
}

/* Nothing drawn from the fit is as far from its own: the least p-value that there is. */
TEST(test_two_modes)
{
  const struct wb_goodness goodness = test_times(&two_modes, 300, 0, 1, SEED);
  assert_true(goodness.anderson_darling_p == 1.0 / (REPLICATES + 1));
  assert_true(goodness.cramer_von_mises_p == 1.0 / (REPLICATES + 1));
}

TEST(test_threads)
{
  const struct wb_goodness one = test_times(&gev, 200, 0, 1, SEED);
  const struct wb_goodness four = test_times(&gev, 200, 0, 4, SEED);
  assert_memory_equal(&one, &four, sizeof one);
}

/* Another seed: the same statistic, another p-value of one of the tests. */
TEST(test_seeds)
{
  const struct wb_goodness one = test_times(&gev, 200, 0, 2, 1);
  const struct wb_goodness two = test_times(&gev, 200, 0, 2, 2);
  assert_true(one.anderson_darling == two.anderson_darling);
  assert_true(one.anderson_darling_p != two.anderson_darling_p ||
              one.cramer_von_mises_p != two.cramer_von_mises_p);
}

/* Large samples are compared whole where the clock is fine, else a part of them. */
TEST(test_large_samples)
{
  struct made_times ticked = gev;
  assert_int_equal(test_times(&ticked, 4000, 0, 2, SEED).compared, 4000);
  ticked.tick = 1;
  const struct wb_goodness fine = test_times(&ticked, 4000, 1, 2, SEED);
  assert_int_equal(fine.compared, 4000);
  assert_true(fine.anderson_darling_p > 0.05);
  ticked.tick = 10;
  const struct wb_goodness coarse = test_times(&ticked, 5000, 10, 2, SEED);
  assert_int_equal(coarse.compared, WB_PART_VALUES);
  assert_true(coarse.anderson_darling_p > 0.05);
}

/* Ticks that the replicates are not rounded to, as the values were, make a good fit look bad. */
TEST(test_ticks)
{
  struct made_times ticked = gev;
  ticked.tick = 20;
  assert_true(test_times(&ticked, 500, 20, 2, SEED).anderson_darling_p > 0.05);
  assert_true(test_times(&ticked, 500, 0, 2, SEED).anderson_darling_p < 0.05);
}

/* The p-value of a GPD above the threshold, fitted to ticks of 10 above 1000. */
static double threshold_p(double threshold)
{
  enum { COUNT = 400 };
  double times[2 * COUNT];
  struct made_times recipe = {
      .family = MADE_PARETO, .location = 1000, .scale = 20, .shape = 0.1, .tick = 10};
  make_times(&recipe, 2 * COUNT, SEED, times);
  size_t count = 0;
  for (size_t k = 0; k < 2 * COUNT && count < COUNT; k++)
    if (times[k] > 1000)
      times[count++] = times[k];
  const struct wb_fit_data data = {.values = times, .count = count, .threshold = threshold};
  const struct wb_goodness goodness = test_values(&data, WB_TAIL_PARETO, 10, 2, SEED);
  assert_int_equal(goodness.replicates, REPLICATES);
  return goodness.anderson_darling_p;
}

/* A threshold half a tick below the least value fits; one on a tick leaves a gap of half a tick in
 * which there can be no values, and is refused. */
TEST(test_threshold_of_ticks)
{
  assert_true(threshold_p(1005) > 0.05);
  assert_true(threshold_p(1000) < 0.05);
}

/* A trend that is fitted is no misfit; one that is not is. */
TEST(test_trend)
{
  enum { COUNT = 300 };
  double times[COUNT], place[COUNT];
  const struct made_times gumbel = {.family = MADE_GEV, .location = 1000, .scale = 20};
  make_times(&gumbel, COUNT, SEED, times);
  for (size_t k = 0; k < COUNT; k++) {
    place[k] = (double)k / COUNT;
    times[k] += 400 * place[k];
  }
  struct wb_fit_data data = {.values = times, .count = COUNT, .covariate = place};
  const struct wb_goodness with = test_values(&data, WB_TAIL_GUMBEL, 0, 2, SEED);
  data.covariate = NULL;
  const struct wb_goodness without = test_values(&data, WB_TAIL_GUMBEL, 0, 2, SEED);
  assert_true(with.anderson_darling_p > 0.05);
  assert_true(without.anderson_darling_p < 0.05);
}

/* No replicates asked for, and none made as the user interrupts. */
TEST(test_no_replicates)
{
  double times[100];
  make_times(&gev, 100, SEED, times);
  const struct wb_fit_data data = {.values = times, .count = 100};
  struct wb_tail_fit fit;
  struct wb_goodness goodness;
  struct wb_control control = control_of(2);
  assert_ok(wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_L_MOMENTS, &fit, NULL));
  assert_ok(wb_goodness_of_fit(&data, &fit, 0, 0, SEED, &control, &goodness, NULL));
  assert_true(isnan(goodness.anderson_darling_p) && isnan(goodness.cramer_von_mises_p));
  assert_true(goodness.anderson_darling > 0 && goodness.replicates == 0);
  control.interrupted = interrupt_at_once;
  assert_limit(wb_goodness_of_fit(&data, &fit, 0, REPLICATES, SEED, &control, &goodness, NULL));
}

/* Port Pirie (Coles 2001, section 3.4.1): log likelihoods 4.339058 of the GEV and 4.217682 of
 * Gumbel; p-values by scipy.stats.chi2.sf(0.242752, 1), and of 0.242752 / (1 + 2.5 / 65). */
TEST(test_likelihood_ratio)
{
  const struct wb_tail_fit larger = {.tail.family = WB_TAIL_GEV,
                                     .negative_log_likelihood = -4.339058};
  struct wb_tail_fit smaller = {.tail.family = WB_TAIL_GUMBEL,
                                .negative_log_likelihood = -4.217682};
  struct wb_likelihood_ratio ratio = wb_likelihood_ratio_of(&smaller, &larger);
  assert_true(fabs(ratio.statistic - 0.242752) < 1e-12);
  assert_true(fabs(ratio.p_value - 0.6222255) < 1e-6);
  smaller.count = 65;
  ratio = wb_likelihood_ratio_of(&smaller, &larger);
  assert_true(fabs(ratio.statistic - 0.242752) < 1e-12);
  assert_true(fabs(ratio.p_value - 0.6287489) < 1e-6);
  smaller.negative_log_likelihood = -4.339059; /* better by rounding alone */
  ratio = wb_likelihood_ratio_of(&smaller, &larger);
  assert_true(ratio.statistic == 0 && ratio.p_value == 1);
  smaller.negative_log_likelihood = INFINITY;
  ratio = wb_likelihood_ratio_of(&smaller, &larger);
  assert_true(ratio.statistic == INFINITY && ratio.p_value == 0);
  ratio = wb_likelihood_ratio_of(&smaller, &smaller);
  assert_true(isnan(ratio.statistic) && isnan(ratio.p_value));
}
