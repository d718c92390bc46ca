/* The scan of thresholds and the rules that choose of it: what is computed at each threshold,
 * ticks, tables, errors. Not here: how near the chosen thresholds are to the true one, and the size
 * of the tests (tests/cross/evt). */
#include "evt/extremes/tail_points.h"
#include "evt/extremes/threshold_tests.h"
#include "evt/extremes/thresholds.h"
#include "evt/fit/tail_fit.h"
#include "evt/samples/samples.h"
#include "samples/make_times.h"
#include "unit.h"

#include <math.h>

#define COUNT 20000

/* From a fifth of the values on; any threshold may be chosen. */
static const struct wb_threshold_range whole = {.lowest_share = 0.2};

static const struct made_times exponential = {
    .family = MADE_EXPONENTIAL, .location = 1000, .scale = 50};

static double *make_ascending(const struct made_times *recipe, size_t count)
{
  double *times = malloc(count * sizeof *times);
  assert_non_null(times);
  make_times(recipe, count, 21, times);
  wb_sort_ascending(times, count);
  return times;
}

static warpbound_status scan_values(const double *ascending, size_t count, double tick,
                                    uint64_t seed, struct wb_threshold_scan *scan,
                                    warpbound_error *error)
{
  const struct wb_control control = wb_control_start(NULL);
  return wb_threshold_scan(ascending, count, &whole, tick, 0.05, seed, &control, scan, error);
}

/* The mean residual life of exponential times is their scale at every threshold, their coefficient
 * of variation 1, the modified scale the scale. */
TEST(test_exponential)
{
  double *ascending = make_ascending(&exponential, COUNT);
  struct wb_threshold_scan scan;
  assert_ok(scan_values(ascending, COUNT, 0, 1, &scan, NULL));
  assert_int_equal(scan.count, WB_THRESHOLD_POINTS);
  assert_int_equal(scan.points[0].exceedances, COUNT / 5);
  assert_int_equal(scan.points[scan.count - 1].exceedances, 40);
  for (size_t p = 0; p < scan.count; p++) {
    const struct wb_threshold_point *point = &scan.points[p];
    assert_true(fabs(point->mean_excess - 50) < 4 * point->mean_excess_error);
    assert_true(fabs(point->shape) < 4 * point->shape_error);
    assert_true(fabs(point->modified_scale - 50) < 4 * point->modified_scale_error);
    assert_true(point->variation_low < 1 && point->variation_high > 1);
    assert_true(p == 0 || point->threshold > scan.points[p - 1].threshold);
  }
  free(ascending);
}

/* A point by its definition, computed here from the values. */
TEST(test_point)
{
  double *ascending = make_ascending(&exponential, COUNT);
  struct wb_threshold_scan scan;
  assert_ok(scan_values(ascending, COUNT, 0, 1, &scan, NULL));
  const struct wb_threshold_point *point = &scan.points[17];
  const size_t kept = point->exceedances;
  const double *top = ascending + (COUNT - kept);
  assert_true(top[0] > point->threshold && top[-1] < point->threshold);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < kept; i++)
    sum += top[i] - point->threshold;
  const double mean = sum / (double)kept;
  for (size_t i = 0; i < kept; i++)
    squares += (top[i] - point->threshold - mean) * (top[i] - point->threshold - mean);
  const double deviation = sqrt(squares / (double)(kept - 1));
  assert_true(fabs(point->mean_excess / mean - 1) < 1e-10);
  assert_true(fabs(point->mean_excess_error / (deviation / sqrt((double)kept)) - 1) < 1e-9);
  assert_true(fabs(point->variation / (deviation / mean) - 1) < 1e-9);
  const struct wb_fit_data data = {.values = top, .count = kept, .threshold = point->threshold};
  struct wb_tail_fit fit;
  assert_ok(wb_tail_fit(&data, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD, &fit, NULL));
  assert_true(point->shape == fit.tail.shape);
  assert_true(fabs(point->modified_scale - (fit.tail.scale - fit.tail.shape * point->threshold)) <
              1e-9);
  free(ascending);
}

/* sigma - xi u of a sample is the first parameter of a model in (sigma - xi u, xi): its error is
 * what the inverse information says of it, here from differences of the likelihood. */
static double modified_likelihood(const double *values, size_t count, double threshold,
                                  double modified, double shape)
{
  const struct wb_tail tail = {WB_TAIL_PARETO, threshold, modified + shape * threshold, shape};
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum -= wb_tail_log_density(&tail, values[i]);
  return sum;
}

TEST(test_modified_scale_error)
{
  const struct made_times recipe = {.family = MADE_PARETO, .location = 5, .scale = 2, .shape = 0.2};
  double *ascending = make_ascending(&recipe, 5000);
  struct wb_threshold_scan scan;
  assert_ok(scan_values(ascending, 5000, 0, 1, &scan, NULL));
  const struct wb_threshold_point *point = &scan.points[0];
  const double *top = ascending + (5000 - point->exceedances);
  const double steps[2] = {1e-3, 1e-4};
  double second[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double sum = 0;
      for (int a = -1; a <= 1; a += 2)
        for (int b = -1; b <= 1; b += 2) {
          const double modified =
              point->modified_scale + (i == 0) * a * steps[0] + (j == 0) * b * steps[0];
          const double shape = point->shape + (i == 1) * a * steps[1] + (j == 1) * b * steps[1];
          sum += a * b *
                 modified_likelihood(top, point->exceedances, point->threshold, modified, shape);
        }
      second[i][j] = sum / (4 * steps[i] * steps[j]);
    }
  const double determinant = second[0][0] * second[1][1] - second[0][1] * second[1][0];
  assert_true(fabs(point->modified_scale_error / sqrt(second[1][1] / determinant) - 1) < 1e-2);
  assert_true(fabs(point->shape_error / sqrt(second[0][0] / determinant) - 1) < 1e-2);
  free(ascending);
}

TEST(test_ticks)
{
  struct made_times recipe = exponential;
  recipe.tick = 8;
  double *ascending = make_ascending(&recipe, COUNT);
  struct wb_threshold_scan scan;
  assert_ok(scan_values(ascending, COUNT, 8, 1, &scan, NULL));
  for (size_t p = 0; p < scan.count; p++) {
    const struct wb_threshold_point *point = &scan.points[p];
    assert_true(fabs(fmod(point->threshold, 8) - 4) < 1e-9);
    assert_true(ascending[COUNT - point->exceedances] > point->threshold);
    assert_true(ascending[COUNT - point->exceedances - 1] < point->threshold);
    assert_true(fabs(point->mean_excess - 50) < 4 * point->mean_excess_error);
  }
  /* as many ties as there are would refuse a continuous distribution if they were not spread */
  assert_true(scan.points[0].anderson_darling_p > 1e-3);
  free(ascending);
}

TEST(test_same_seed)
{
  struct made_times recipe = exponential;
  recipe.tick = 8;
  double *ascending = make_ascending(&recipe, COUNT);
  struct wb_threshold_scan first, second, other;
  assert_ok(scan_values(ascending, COUNT, 8, 4, &first, NULL));
  assert_ok(scan_values(ascending, COUNT, 8, 4, &second, NULL));
  assert_ok(scan_values(ascending, COUNT, 8, 5, &other, NULL));
  assert_true(first.points[3].anderson_darling_p == second.points[3].anderson_darling_p);
  assert_true(first.points[3].anderson_darling_p != other.points[3].anderson_darling_p);
  free(ascending);
}

TEST(test_errors)
{
  double *ascending = make_ascending(&exponential, 600);
  struct wb_threshold_scan scan;
  warpbound_error error;
  assert_invalid(scan_values(ascending, 249, 0, 1, &scan, &error));
  assert_non_null(strstr(error.message, "249 values leave 49 exceedances"));
  for (size_t i = 0; i < 600; i++)
    ascending[i] = 1000;
  assert_invalid(scan_values(ascending, 600, 0, 1, &scan, &error));
  assert_non_null(strstr(error.message, "no two thresholds differ"));
  for (size_t i = 0; i < 600; i++)
    ascending[i] = (double)i;
  struct wb_control control = wb_control_start(NULL);
  control.deadline = 1e-9;
  assert_limit(wb_threshold_scan(ascending, 600, &whole, 0, 0.05, 1, &control, &scan, &error));
  free(ascending);
}

/* No more than 20,000 exceedances whatever the number of values. */
TEST(test_many)
{
  double *ascending = make_ascending(&exponential, 200000);
  struct wb_threshold_scan scan;
  assert_ok(scan_values(ascending, 200000, 0, 1, &scan, NULL));
  assert_int_equal(scan.points[0].exceedances, 20000);
  free(ascending);
}

/* Choulakian and Stephens 2001, table 2 (there k = -xi): the p-value of each published quantile is
 * its level, but for the digits of the table and its simulation at the smallest level. */
TEST(test_published_quantiles)
{
  static const double levels[8] = {0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.001};
  static const struct {
    double shape, quantiles[8];
  } rows[] = {
      {0.9, {0.339, 0.471, 0.641, 0.771, 0.905, 1.086, 1.226, 1.559}},
      {0.5, {0.356, 0.499, 0.685, 0.830, 0.978, 1.180, 1.336, 1.707}},
      {0.2, {0.376, 0.534, 0.741, 0.903, 1.069, 1.296, 1.471, 1.893}},
      {0.0, {0.397, 0.569, 0.796, 0.974, 1.158, 1.409, 1.603, 2.064}},
      {-0.1, {0.410, 0.591, 0.831, 1.020, 1.215, 1.481, 1.687, 2.176}},
      {-0.3, {0.445, 0.649, 0.924, 1.140, 1.365, 1.672, 1.909, 2.475}},
      {-0.5, {0.496, 0.735, 1.061, 1.321, 1.590, 1.958, 2.243, 2.922}},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++)
    for (unsigned l = 0; l < 8; l++) {
      const double p = wb_anderson_darling_p(rows[r].quantiles[l], rows[r].shape);
      assert_true(fabs(p / levels[l] - 1) < 0.025);
    }
}

TEST(test_p_values)
{
  assert_true(wb_anderson_darling_p(INFINITY, 0) == 0);
  assert_true(wb_anderson_darling_p(0, 0) > 0.998);
  assert_true(wb_anderson_darling_p(20, 0.1) > 0 && wb_anderson_darling_p(20, 0.1) < 1e-12);
  assert_true(wb_anderson_darling_p(1, -0.9) == wb_anderson_darling_p(1, -0.5));
  assert_true(wb_anderson_darling_p(1, 9) == wb_anderson_darling_p(1, 5));
  for (double shape = -0.7; shape < 6; shape += 0.37)
    for (double statistic = 0.02; statistic < 6; statistic += 0.01)
      assert_true(wb_anderson_darling_p(statistic + 0.01, shape) <
                  wb_anderson_darling_p(statistic, shape) + 1e-12);
}

/* A squared as an integral of (empirical - F)^2 / (F (1 - F)) over F, by small steps. */
TEST(test_statistic)
{
  const double values[] = {1, 3, 4, 9, 30};
  const struct wb_tail tail = {WB_TAIL_PARETO, 0, 8, 0.2};
  double sum = 0;
  enum { STEPS = 1000000 };
  for (unsigned step = 0; step < STEPS; step++) {
    const double at = (step + 0.5) / STEPS;
    double empirical = 0;
    for (unsigned i = 0; i < 5; i++)
      empirical += wb_tail_distribution(&tail, values[i]) <= at ? 0.2 : 0;
    sum += (empirical - at) * (empirical - at) / (at * (1 - at)) / STEPS;
  }
  assert_true(fabs(wb_anderson_darling_of(values, 5, &tail) - 5 * sum) < 1e-4);
  const struct wb_tail ends = {WB_TAIL_PARETO, 0, 8, -0.3};
  assert_true(isinf(wb_anderson_darling_of(values, 5, &ends)));
}

/* By hand: sums of -log(1 - p) over k are .0513, .0357, .1621, .6979: at a rate of .05 the first
 * two are refused, although the first alone would not be. */
TEST(test_forward_stop)
{
  const double p_values[] = {0.05, 0.02, 0.34, 0.9};
  double adjusted[4];
  wb_forward_stop(p_values, 4, adjusted);
  const double second = -(log(0.95) + log(0.98)) / 2;
  assert_true(fabs(adjusted[0] - second) < 1e-12 && fabs(adjusted[1] - second) < 1e-12);
  assert_true(fabs(adjusted[2] - (2 * second - log(0.66)) / 3) < 1e-12);
  assert_true(fabs(adjusted[3] - (2 * second - log(0.66) - log(0.1)) / 4) < 1e-12);
  const double ends[] = {NAN, 0, 1};
  wb_forward_stop(ends, 3, adjusted);
  assert_true(adjusted[0] == 0 && adjusted[1] == 0 && adjusted[2] == 1);
}

/* A scan of five points by hand. */
static struct wb_threshold_scan five_points(void)
{
  struct wb_threshold_scan scan = {.count = 5};
  static const double anderson_darling[5] = {0.001, 0.01, 0.4, 0.6, 0.7};
  static const double score[5] = {0.001, 0.3, 0.02, 0.4, NAN};
  static const double shape[5] = {0.9, 0.3, 0.22, 0.2, 0.1};
  for (unsigned p = 0; p < 5; p++)
    scan.points[p] = (struct wb_threshold_point){.threshold = p,
                                                 .fitted = true,
                                                 .shape = shape[p],
                                                 .shape_error = 0.03 * (p + 1),
                                                 .modified_scale = 7,
                                                 .modified_scale_error = 1,
                                                 .anderson_darling_p = anderson_darling[p],
                                                 .northrop_coleman_p = score[p]};
  return scan;
}

TEST(test_rules)
{
  struct wb_threshold_scan scan = five_points();
  wb_threshold_rules_apply(&scan, 0.05);
  assert_int_equal(scan.chosen[WB_THRESHOLD_ANDERSON_DARLING], 2);
  assert_int_equal(scan.chosen[WB_THRESHOLD_NORTHROP_COLEMAN], 3);
  /* .3 is inside .22 +- .176, .2 +- .235 and .1 +- .294; .9 is in none */
  assert_int_equal(scan.chosen[WB_THRESHOLD_STABILITY], 1);
  scan.points[4].modified_scale = 10;
  scan.points[2].fitted = false;
  scan.points[2].anderson_darling_p = NAN;
  wb_threshold_rules_apply(&scan, 0.05);
  assert_int_equal(scan.chosen[WB_THRESHOLD_ANDERSON_DARLING], 3);
  assert_int_equal(scan.chosen[WB_THRESHOLD_STABILITY], 4);
  scan.points[4].northrop_coleman_p = 0.01;
  for (unsigned p = 0; p < 5; p++)
    scan.points[p].anderson_darling_p = 0;
  wb_threshold_rules_apply(&scan, 0.05);
  assert_int_equal(scan.chosen[WB_THRESHOLD_ANDERSON_DARLING], 5);
  assert_int_equal(scan.chosen[WB_THRESHOLD_NORTHROP_COLEMAN], 5);
}

/* The moments of the coefficient of variation of 50 exponential values, by simulation. */
TEST(test_exponential_variation)
{
  enum { TRIALS = 20000, VALUES = 50 };
  struct wb_top_moments of_variations = {0};
  struct wb_random random = {5};
  for (unsigned t = 0; t < TRIALS; t++) {
    struct wb_top_moments moments = {0};
    for (unsigned i = 0; i < VALUES; i++)
      wb_top_moments_add(&moments, -log(made_uniform(&random)));
    wb_top_moments_add(&of_variations, wb_top_variation(&moments, 0));
  }
  const struct wb_exponential_variation expected = wb_exponential_variation_of(VALUES);
  print_message("# mean %.4f, expected %.4f; deviation %.4f, expected %.4f\n", of_variations.mean,
                expected.mean, wb_top_deviation(&of_variations), expected.deviation);
  assert_true(fabs(of_variations.mean - expected.mean) < 0.003);
  assert_true(fabs(wb_top_deviation(&of_variations) / expected.deviation - 1) < 0.03);
  const struct wb_exponential_variation below = wb_exponential_variation_of(10000);
  const struct wb_exponential_variation above = wb_exponential_variation_of(10001);
  assert_true(fabs(below.mean - above.mean) < 1e-6);
  assert_true(fabs(below.deviation / above.deviation - 1) < 1e-3);
}
