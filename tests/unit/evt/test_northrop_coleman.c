/* The score test of Northrop and Coleman against a slow second way: the likelihood of the model as
 * written in the paper, its score by differences, and the information as the expectation of the
 * product of scores, by sums over quantiles. Not here: its size (tests/cross/evt). */
#include "evt/extremes/threshold_tests.h"
#include "evt/fit/tail_fit.h"
#include "evt/math/special_functions.h"
#include "evt/samples/samples.h"
#include "samples/make_times.h"
#include "unit.h"

#include <math.h>

#define THRESHOLDS 4
#define PARAMETERS (THRESHOLDS + 1)
#define COUNT 400
#define QUANTILES 200000
#define DIFFERENCE 1e-5

static const double thresholds[THRESHOLDS] = {0, 20, 45, 100};

/* log of the density: survival of each interval before, then a GPD. parameters: the first scale,
 * the shapes. */
static double log_density(const double parameters[PARAMETERS], double value)
{
  double scale = parameters[0];
  double result = 0;
  for (unsigned j = 0;; j++) {
    const double shape = parameters[1 + j];
    const bool is_last = j + 1 == THRESHOLDS || value <= thresholds[j + 1];
    const double length = (is_last ? value : thresholds[j + 1]) - thresholds[j];
    const double inner = 1 + shape * length / scale;
    if (is_last)
      return result - log(scale) - (1 + 1 / shape) * log(inner);
    result -= log(inner) / shape;
    scale += shape * length;
  }
}

static void score_of(const double parameters[PARAMETERS], double value, double score[PARAMETERS])
{
  double moved[PARAMETERS];
  for (unsigned k = 0; k < PARAMETERS; k++)
    moved[k] = parameters[k];
  for (unsigned k = 0; k < PARAMETERS; k++) {
    const double step = DIFFERENCE * (k == 0 ? parameters[0] : 1);
    moved[k] = parameters[k] + step;
    const double above = log_density(moved, value);
    moved[k] = parameters[k] - step;
    const double below = log_density(moved, value);
    moved[k] = parameters[k];
    score[k] = (above - below) / (2 * step);
  }
}

static void sum_scores(const double parameters[PARAMETERS], const double *values,
                       double sums[PARAMETERS])
{
  for (unsigned k = 0; k < PARAMETERS; k++)
    sums[k] = 0;
  for (unsigned i = 0; i < COUNT; i++) {
    double score[PARAMETERS];
    score_of(parameters, values[i], score);
    for (unsigned k = 0; k < PARAMETERS; k++)
      sums[k] += score[k];
  }
}

/* score' matrix^-1 score by Gauss's elimination. */
static double quadratic_form(double matrix[PARAMETERS][PARAMETERS], double score[PARAMETERS])
{
  double sum = 0;
  for (unsigned k = 0; k < PARAMETERS; k++) {
    sum += score[k] * score[k] / matrix[k][k];
    for (unsigned l = k + 1; l < PARAMETERS; l++) {
      const double factor = matrix[l][k] / matrix[k][k];
      score[l] -= factor * score[k];
      for (unsigned m = k; m < PARAMETERS; m++)
        matrix[l][m] -= factor * matrix[k][m];
    }
  }
  return sum;
}

static double slow_p(const struct wb_tail *tail, const double *values)
{
  double parameters[PARAMETERS] = {tail->scale};
  for (unsigned k = 1; k < PARAMETERS; k++)
    parameters[k] = tail->shape;
  double score[PARAMETERS];
  double matrix[PARAMETERS][PARAMETERS] = {{0}};
  sum_scores(parameters, values, score);
  for (unsigned q = 0; q < QUANTILES; q++) {
    double one[PARAMETERS];
    score_of(parameters, wb_tail_level(tail, (q + 0.5) / QUANTILES), one);
    for (unsigned k = 0; k < PARAMETERS; k++)
      for (unsigned l = 0; l < PARAMETERS; l++)
        matrix[k][l] += one[k] * one[l] / QUANTILES;
  }
  return wb_chi_squared_survival(quadratic_form(matrix, score) / COUNT, THRESHOLDS - 1);
}

static struct wb_tail fit_values(const struct made_times *recipe, uint64_t seed, double *values)
{
  make_times(recipe, COUNT, seed, values);
  wb_sort_ascending(values, COUNT);
  const struct wb_fit_data data = {.values = values, .count = COUNT, .threshold = 0};
  struct wb_tail_fit fit;
  assert_ok(wb_tail_fit(&data, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD, &fit, NULL));
  return fit.tail;
}

TEST(test_second_way)
{
  static const struct made_times recipes[] = {
      {.family = MADE_PARETO, .scale = 40, .shape = 0.2},
      {.family = MADE_PARETO, .scale = 60, .shape = -0.25},
      {.family = MADE_UNIFORM,
       .scale = 90,
       .modes = MADE_MODES_MIXED,
       .mode_share = 0.3,
       .mode_gap = 70},
      {.family = MADE_LOGNORMAL, .scale = 20, .shape = 0.9},
  };
  for (unsigned k = 0; k < COUNT_OF(recipes); k++) {
    double values[COUNT];
    const struct wb_tail tail = fit_values(&recipes[k], 5 + k, values);
    const double fast = wb_northrop_coleman_p(values, COUNT, thresholds, THRESHOLDS, &tail);
    if (tail.shape <= -0.5) {
      assert_true(isnan(fast));
      continue;
    }
    const double slow = slow_p(&tail, values);
    print_message("# shape %.3f: p %.5g, second way %.5g\n", tail.shape, fast, slow);
    assert_true(fabs(fast - slow) < 0.002 + 0.02 * slow);
  }
}

/* Near xi = 0 the closed forms give way to series: no step. */
TEST(test_zero_shape)
{
  double values[COUNT];
  static const struct made_times recipe = {.family = MADE_EXPONENTIAL, .scale = 40};
  struct wb_tail tail = fit_values(&recipe, 3, values);
  double p[5];
  static const double shapes[5] = {-1e-3, -1e-9, 0, 1e-9, 1e-3};
  for (unsigned k = 0; k < 5; k++) {
    tail.shape = shapes[k];
    p[k] = wb_northrop_coleman_p(values, COUNT, thresholds, THRESHOLDS, &tail);
  }
  assert_true(fabs(p[1] - p[2]) < 1e-7 && fabs(p[3] - p[2]) < 1e-7);
  assert_true(fabs((p[0] + p[4]) / 2 - p[2]) < 1e-3);
}

TEST(test_says_nothing)
{
  const double values[] = {1, 2, 3, 30, 50, 120};
  const struct wb_tail short_tail = {WB_TAIL_PARETO, 0, 100, -0.5};
  const struct wb_tail outside = {WB_TAIL_PARETO, 0, 20, -0.4};
  const struct wb_tail tail = {WB_TAIL_PARETO, 0, 30, 0.1};
  assert_true(isnan(wb_northrop_coleman_p(values, 6, thresholds, THRESHOLDS, &short_tail)));
  assert_true(isnan(wb_northrop_coleman_p(values, 6, thresholds, THRESHOLDS, &outside)));
  assert_true(isnan(wb_northrop_coleman_p(values, 6, thresholds, 1, &tail)));
  assert_true(wb_northrop_coleman_p(values, 6, thresholds, 2, &tail) >= 0);
}
