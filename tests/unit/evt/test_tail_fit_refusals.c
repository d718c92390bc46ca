/* Data that no fit or none with errors can be made to, and data that are hard: each is refused with
 * the reason, or fitted as far as it can be. */
#include "evt/fit/intervals.h"
#include "unit.h"

#include <math.h>

static const enum wb_tail_family families[] = {WB_TAIL_GEV, WB_TAIL_GUMBEL, WB_TAIL_PARETO,
                                               WB_TAIL_EXPONENTIAL};

static void refused(const struct wb_fit_data *data, enum wb_tail_family family, const char *reason)
{
  for (int method = WB_FIT_LIKELIHOOD; method <= WB_FIT_L_MOMENTS; method++) {
    struct wb_tail_fit fit;
    warpbound_error error = {0};
    assert_invalid(wb_tail_fit(data, family, (enum wb_fit_method)method, &fit, &error));
    if (!strstr(error.message, reason))
      fail_msg("\"%s\" does not say \"%s\"", error.message, reason);
  }
}

TEST(too_few_different_values)
{
  static const double constant[] = {5, 5, 5, 5, 5, 5, 5, 5}, two[] = {5, 6, 5, 6, 6},
                      three[] = {5, 6, 7, 6, 6};
  const struct wb_fit_data none = {.values = constant, .count = 0};
  const struct wb_fit_data one = {.values = constant, .count = 8, .threshold = 1};
  const struct wb_fit_data pair = {.values = two, .count = 5, .threshold = 1};
  const struct wb_fit_data triple = {.values = three, .count = 5, .threshold = 1};
  for (size_t f = 0; f < 4; f++)
    refused(&none, families[f], "different value");
  for (size_t f = 0; f < 3; f++)
    refused(&one, families[f], "different values; there is 1");
  refused(&pair, WB_TAIL_GEV, "at least 4 different values; there are 2");
  refused(&pair, WB_TAIL_PARETO, "at least 3 different values; there are 2");
  refused(&pair, WB_TAIL_GUMBEL, "at least 3 different values; there are 2");
  refused(&triple, WB_TAIL_GEV, "at least 4 different values; there are 3");
  struct wb_tail_fit fit;
  assert_ok(wb_tail_fit(&one, WB_TAIL_EXPONENTIAL, WB_FIT_LIKELIHOOD, &fit, NULL));
  assert_true(fabs(fit.tail.scale - 4) < 1e-12);
}

TEST(values_that_are_no_times)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (size_t b = 0; b < 3; b++) {
    const double values[] = {1, 2, 3, bad[b], 5, 6};
    const struct wb_fit_data data = {.values = values, .count = 6};
    for (size_t f = 0; f < 4; f++)
      refused(&data, families[f], "value 4");
  }
  static const double below[] = {5, 6, 7, 8, 2.5, 9};
  const struct wb_fit_data data = {.values = below, .count = 6, .threshold = 3};
  refused(&data, WB_TAIL_PARETO, "value 5 of a GPD fit is 2.5, below the threshold 3");
  refused(&data, WB_TAIL_EXPONENTIAL, "below the threshold");
}

TEST(covariates_that_are_none)
{
  static const double values[] = {1, 2, 3, 4, 6, 9}, constant[] = {7, 7, 7, 7, 7, 7},
                      years[] = {1, 2, 3, 4, 5, NAN};
  struct wb_fit_data data = {.values = values, .count = 6, .covariate = constant};
  refused(&data, WB_TAIL_GEV, "covariate");
  data.covariate = years;
  refused(&data, WB_TAIL_GUMBEL, "not finite");
  data.covariate = values;
  refused(&data, WB_TAIL_PARETO, "trend");
  struct wb_tail_fit fit;
  assert_invalid(wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_L_MOMENTS, &fit, NULL));
}

/* So large that their differences overflow, or so small that they have no digits. */
TEST(sizes_out_of_range)
{
  static const double large[] = {-1.7e308, -1e308, 0, 1e308, 1.7e308, 1.2e308};
  static const double small[] = {0, 5e-324, 1e-323, 1.5e-323, 2e-323, 4e-323};
  for (size_t f = 0; f < 4; f++) {
    struct wb_fit_data data = {.values = large, .count = 6, .threshold = -1.75e308};
    struct wb_tail_fit fit;
    warpbound_error error;
    const warpbound_status status =
        wb_tail_fit(&data, families[f], WB_FIT_LIKELIHOOD, &fit, &error);
    assert_true(status == WARPBOUND_OK ? fit.tail.scale > 0 : status == WARPBOUND_INVALID_INPUT);
    data = (struct wb_fit_data){.values = small, .count = 6};
    assert_true(wb_tail_fit(&data, families[f], WB_FIT_LIKELIHOOD, &fit, &error) != WARPBOUND_OK ||
                fit.tail.scale > 0);
  }
}

/* The likelihood of equally spaced excesses grows up to xi = -1, the uniform distribution. */
TEST(boundary_of_excesses)
{
  double values[100];
  for (size_t k = 0; k < 100; k++)
    values[k] = 10 + 0.01 * (double)(k + 1);
  const struct wb_fit_data data = {.values = values, .count = 100, .threshold = 10};
  struct wb_tail_fit fit;
  assert_ok(wb_tail_fit(&data, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD, &fit, NULL));
  assert_true(fit.at_boundary && !fit.has_covariance);
  assert_true(fit.tail.shape == -1.0 && fabs(fit.tail.scale - 1.0) < 1e-12);
  assert_true(fabs(fit.negative_log_likelihood) < 1e-9);
  assert_true(isnan(wb_fit_error(&fit, 0)) && isnan(wb_fit_level_error(&fit, 0.1)));
  struct wb_interval interval;
  assert_ok(wb_profile_level(&data, &fit, 1e-6, 0.95, &interval, NULL));
  assert_true(!interval.found && isnan(interval.low) && isnan(interval.high));
  assert_ok(wb_profile_shape(&data, &fit, 0.95, &interval, NULL));
  assert_false(interval.found);
}

/* Maxima whose distances from an end are exponential: xi = -1, scale the mean distance. With a
 * trend too: the end is the least line above all. */
TEST(boundary_of_maxima)
{
  double values[50], covariate[50], sum = 0;
  for (size_t k = 0; k < 50; k++) {
    const double distance = 2.0 * -log((double)(k + 1) / 50.0);
    covariate[k] = (double)(k * 7 % 50);
    values[k] = 100 - distance;
    sum += distance / 50;
  }
  struct wb_fit_data data = {.values = values, .count = 50};
  struct wb_tail_fit fit;
  assert_ok(wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD, &fit, NULL));
  assert_true(fit.at_boundary && fit.tail.shape == -1.0);
  assert_true(fabs(wb_tail_upper_end(&fit.tail) - 100) < 1e-9);
  assert_true(fabs(fit.tail.scale - sum) < 1e-9);
  assert_true(fabs(fit.negative_log_likelihood - 50 * (log(sum) + 1)) < 1e-9);
  for (size_t k = 0; k < 50; k++)
    values[k] += 3.0 * covariate[k];
  data.covariate = covariate;
  assert_ok(wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD, &fit, NULL));
  assert_true(fit.at_boundary && fit.tail.shape == -1.0 && fit.parameter_count == 4);
  /* No line above all values has a smaller mean distance than the one that they were made with. */
  assert_true(fit.tail.scale <= sum + 1e-9 && fit.tail.scale > 0.5 * sum);
  for (size_t k = 0; k < 50; k++)
    assert_true(values[k] <= wb_tail_upper_end(&fit.tail) + fit.trend * covariate[k] + 1e-9);
}

/* The negative log likelihood of GEV and GPD at xi = -1. */
static double likelihood_at_boundary(const struct wb_fit_data *data, enum wb_tail_family family)
{
  const double n = (double)data->count;
  double end = -INFINITY, mean = 0;
  for (size_t k = 0; k < data->count; k++) {
    end = fmax(end, data->values[k]);
    mean += data->values[k] / n;
  }
  return family == WB_TAIL_GEV ? n * (log(end - mean) + 1) : n * log(end - data->threshold);
}

/* Random samples of all sizes, shapes and kinds of ties: nothing crashes, nothing is silently
 * wrong. A fit has the likelihood that it says and is no worse than that by L-moments or at xi =
 * -1. */
static void check_fit(const struct wb_fit_data *data, const struct wb_tail_fit *fit)
{
  const struct wb_tail *const tail = &fit->tail;
  double sum = 0;
  assert_true(isfinite(tail->location) && isfinite(tail->scale) && tail->scale > 0);
  assert_true(tail->shape >= -1.0 && (tail->shape > -1.0) == !fit->at_boundary);
  assert_true(!fit->has_covariance || tail->shape > -0.5);
  for (size_t k = 0; k < data->count && !fit->at_boundary; k++)
    sum -= wb_tail_log_density(tail, data->values[k]);
  if (!fit->at_boundary && !(fabs(sum - fit->negative_log_likelihood) < 1e-5 * (1 + fabs(sum))))
    fail_msg("%.12g is not %.12g", sum, fit->negative_log_likelihood);
  const bool has_boundary = wb_tail_has_shape(tail->family);
  if (has_boundary && fit->negative_log_likelihood >
                          likelihood_at_boundary(data, tail->family) + 1e-6 * (1 + fabs(sum)))
    fail_msg("%s of %zu values: xi = %.6g is worse than -1", wb_tail_name(tail->family),
             data->count, tail->shape);
  struct wb_tail_fit moments;
  if (wb_tail_fit(data, tail->family, WB_FIT_L_MOMENTS, &moments, NULL) == WARPBOUND_OK &&
      moments.tail.shape >= -1.0 &&
      fit->negative_log_likelihood > moments.negative_log_likelihood + 1e-6 * (1 + fabs(sum)))
    fail_msg("%s of %zu values: xi = %.6g, %.9g is worse than xi = %.6g, %.9g",
             wb_tail_name(tail->family), data->count, tail->shape, fit->negative_log_likelihood,
             moments.tail.shape, moments.negative_log_likelihood);
}

static void check_intervals(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                            double survival)
{
  struct wb_interval interval;
  const double level = wb_tail_level(&fit->tail, survival);
  assert_ok(wb_profile_level(data, fit, survival, 0.95, &interval, NULL));
  assert_true(!interval.found || (interval.low <= level && level <= interval.high));
  assert_ok(wb_profile_shape(data, fit, 0.95, &interval, NULL));
  assert_true(!interval.found ||
              (interval.low <= fit->tail.shape && fit->tail.shape <= interval.high));
}

TEST(random_samples)
{
  const uint64_t seed = 20261123;
  struct wb_random random = {seed};
  unsigned fitted = 0;
  for (int trial = 0; trial < 600; trial++) {
    const size_t f = wb_random_below(&random, 4), count = 1 + wb_random_below(&random, 60);
    const double shape = -1.2 + 0.1 * (double)wb_random_below(&random, 35);
    const double unit = pow(10.0, (double)wb_random_below(&random, 19) - 9);
    const double tick = wb_random_below(&random, 3) == 0 ? 0.5 : 0;
    const struct wb_tail tail = {families[f], 10.0, 1.0,
                                 wb_tail_has_shape(families[f]) ? shape : 0.0};
    double values[60];
    for (size_t k = 0; k < count; k++) {
      const double value = wb_tail_draw(&tail, &random);
      values[k] = unit * (tick > 0 ? 10 + tick * ceil((value - 10) / tick) : value);
    }
    const struct wb_fit_data data = {.values = values, .count = count, .threshold = unit * 10.0};
    struct wb_tail_fit fit;
    warpbound_error error = {0};
    const warpbound_status status =
        wb_tail_fit(&data, families[f], WB_FIT_LIKELIHOOD, &fit, &error);
    if (status != WARPBOUND_OK) {
      assert_invalid(status);
      assert_true(error.message[0] != '\0');
      continue;
    }
    fitted++;
    check_fit(&data, &fit);
    check_intervals(&data, &fit, pow(10.0, -(double)wb_random_below(&random, 13) - 0.1));
  }
  print_message("# seed %llu: %u of 600 samples fitted\n", (unsigned long long)seed, fitted);
  assert_true(fitted > 450);
}
