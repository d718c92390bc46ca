/* Fits against the literature: Coles (2001), whose estimates SciPy 1.17 gives with more digits.
 * Here too: what a fit does not depend on, and L-moments. Not here: data that cannot be fitted
 * (test_tail_fit_refusals.c); bias and coverage (tests/cross/evt). */
#include "evt/fit/fit_sample.h"
#include "evt/fit/tail_fit.h"
#include "samples/assert_double.h"
#include "samples/classic_data.h"

#include <math.h>

/* Four significant digits. */
static void assert_digits(double value, double expected)
{
  if (!(fabs(value - expected) <= 5e-5 * fabs(expected)))
    fail_msg("%.9g is not %.9g", value, expected);
}

static struct wb_tail_fit fit_of(const struct wb_fit_data *data, enum wb_tail_family family,
                                 enum wb_fit_method method)
{
  struct wb_tail_fit fit;
  warpbound_error error = {0};
  if (wb_tail_fit(data, family, method, &fit, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  return fit;
}

/* A row of the literature. parameters and errors in the order of the covariance. */
struct reference {
  enum classic classic;
  enum wb_tail_family family;
  size_t count;
  double likelihood; /* negative log */
  unsigned parameters;
  double estimates[WB_FIT_PARAMETERS], errors[WB_FIT_PARAMETERS];
};

static const struct reference references[] = {
    {PORT_PIRIE,
     WB_TAIL_GEV,
     65,
     -4.339058,
     3,
     {3.874750, 0.198044, -0.050110},
     {0.027932, 0.020249, 0.098255}},
    {PORT_PIRIE, WB_TAIL_GUMBEL, 65, -4.217682, 2, {3.869444, 0.194889}, {0.025494, 0.018855}},
    {FREMANTLE,
     WB_TAIL_GEV,
     86,
     -49.912814,
     4,
     {1.380190, 0.002032, 0.124326, -0.125308},
     {0.030495, 0.000518, 0.010448, 0.069736}},
    {GLASS,
     WB_TAIL_GEV,
     63,
     14.285289,
     3,
     {-1.641626, 0.272864, -0.084347},
     {0.037525, 0.025527, 0.069950}},
    {VENICE,
     WB_TAIL_GEV,
     51,
     222.714530,
     3,
     {111.0979, 17.1760, -0.076723},
     {2.6281, 1.8035, 0.073534}},
    {RAIN, WB_TAIL_PARETO, 152, 485.093721, 2, {7.440269, 0.184499}, {0.958532, 0.101204}},
    {DOW_JONES, WB_TAIL_PARETO, 37, 21.640156, 2, {0.495116, 0.287832}, {0.149563, 0.257804}},
};

static double estimate(const struct wb_tail_fit *fit, unsigned place)
{
  if (place == wb_fit_scale_place(fit))
    return fit->tail.scale;
  if (place == wb_fit_shape_place(fit))
    return fit->tail.shape;
  return place == 0 ? fit->tail.location : fit->trend;
}

/* The trend of Fremantle and its error are printed with four digits and three: half the last. */
static double tolerance(const struct reference *reference, unsigned place, bool error)
{
  const bool trend = reference->classic == FREMANTLE && place == 1;
  return !trend ? 5e-5 : error ? 9.7e-4 : 2.5e-4;
}

TEST(the_literature)
{
  for (size_t k = 0; k < COUNT_OF(references); k++) {
    const struct reference *const reference = &references[k];
    struct classic_data classic;
    const struct wb_fit_data data = classic_read(reference->classic, &classic);
    const struct wb_tail_fit fit = fit_of(&data, reference->family, WB_FIT_LIKELIHOOD);
    assert_int_equal(fit.count, reference->count);
    assert_digits(fit.negative_log_likelihood, reference->likelihood);
    assert_int_equal(fit.parameter_count, reference->parameters);
    assert_true(fit.has_covariance && !fit.at_boundary);
    for (unsigned i = 0; i < fit.parameter_count; i++) {
      assert_near(estimate(&fit, i), reference->estimates[i], tolerance(reference, i, false));
      assert_near(wb_fit_error(&fit, i), reference->errors[i], tolerance(reference, i, true));
    }
  }
}

TEST(port_pirie_covariance_and_levels)
{
  static const double covariance[3][3] = {{0.00078021, 0.00019705, -0.00107407},
                                          {0.00019705, 0.00041003, -0.00077749},
                                          {-0.00107407, -0.00077749, 0.00965406}};
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(PORT_PIRIE, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD);
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned j = 0; j < 3; j++)
      assert_digits(fit.covariance[i][j], covariance[i][j]);
  }
  assert_digits(wb_tail_level(&fit.tail, 0.1), 4.29621);
  assert_near(pow(wb_fit_level_error(&fit, 0.1), 2), 0.003027, 1.7e-4); /* its half last digit */
  assert_digits(wb_tail_level(&fit.tail, 0.01), 4.68840);
  assert_digits(pow(wb_fit_level_error(&fit, 0.01), 2), 0.025224);
}

TEST(rain_level_of_100_years)
{
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(RAIN, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD);
  const double share = (double)data.count / RAIN_DAYS;
  assert_near(wb_tail_level(&fit.tail, 1.0 / (365.0 * 100 * share)), 106.328, 5e-6);
  assert_near(wb_tail_level(&fit.tail, 1.0 / (365.25 * 100 * share)), 106.343, 5e-6);
}

TEST(fits_by_l_moments)
{
  struct classic_data classic;
  struct wb_fit_data data = classic_read(PORT_PIRIE, &classic);
  struct wb_tail_fit fit = fit_of(&data, WB_TAIL_GEV, WB_FIT_L_MOMENTS);
  assert_digits(fit.tail.location, 3.873148);
  assert_digits(fit.tail.scale, 0.203222);
  assert_digits(fit.tail.shape, -0.051212);
  assert_true(!fit.has_covariance && isnan(wb_fit_error(&fit, 0)));
  assert_true(isnan(wb_fit_level_error(&fit, 0.1)));
  data = classic_read(RAIN, &classic);
  fit = fit_of(&data, WB_TAIL_PARETO, WB_FIT_L_MOMENTS);
  assert_digits(fit.tail.scale, 7.299019);
  assert_digits(fit.tail.shape, 0.196516);
}

static int compare_values(const void *first, const void *second)
{
  const double a = *(const double *)first, b = *(const double *)second;
  return (a > b) - (a < b);
}

TEST(l_moments_of_port_pirie)
{
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(PORT_PIRIE, &classic);
  qsort(classic.values, data.count, sizeof *classic.values, compare_values);
  const struct wb_l_moments moments = wb_l_moments_of(classic.values, data.count);
  assert_digits(moments.l1, 3.980615);
  assert_digits(moments.l2, 0.134644);
  assert_digits(moments.t3, 0.137433);
}

/* The definition: means of l over all subsets of two and three; with ties, and as weights. */
TEST(l_moments_by_definition)
{
  static const double values[] = {1, 1, 2, 3.5, 3.5, 3.5, 9};
  static const double joined[] = {1, 2, 3.5, 9}, weights[] = {2, 1, 3, 1};
  enum { COUNT = COUNT_OF(values) };
  double l2 = 0, l3 = 0, pairs = 0, triples = 0;
  for (int i = 0; i < COUNT; i++) {
    for (int j = i + 1; j < COUNT; j++) {
      l2 += (values[j] - values[i]) / 2;
      pairs++;
      for (int k = j + 1; k < COUNT; k++) {
        l3 += (values[k] - 2 * values[j] + values[i]) / 3;
        triples++;
      }
    }
  }
  const struct wb_l_moments moments = wb_l_moments_of(values, COUNT);
  assert_near(moments.l1, 23.5 / 7, 1e-14);
  assert_near(moments.l2, l2 / pairs, 1e-14);
  assert_near(moments.t3, (l3 / triples) / (l2 / pairs), 1e-13);
  const struct wb_l_moments weighted = wb_l_moments_of_weighted(joined, weights, 4, COUNT);
  assert_near(weighted.l1, moments.l1, 1e-14);
  assert_near(weighted.l2, moments.l2, 1e-14);
  assert_near(weighted.t3, moments.t3, 1e-13);
}

/* The L-moments of a distribution, as integrals of its levels, give the distribution back. */
TEST(l_moments_are_inverted)
{
  for (int f = WB_TAIL_GEV; f <= WB_TAIL_EXPONENTIAL; f++) {
    const enum wb_tail_family family = (enum wb_tail_family)f;
    for (int step = 0; step < (wb_tail_has_shape(family) ? 7 : 1); step++) {
      const double shape = -0.6 + 0.15 * step;
      const struct wb_tail tail = {family, 2.0, 3.0, wb_tail_has_shape(family) ? shape : 0.0};
      double sums[3] = {0};
      enum { PARTS = 20000 };
      for (int k = 0; k < PARTS; k++) {
        /* p = 1 - q, q = v^4: both ends are resolved. */
        const double v = (k + 0.5) / PARTS, q = v * v * v * v, p = 1.0 - q;
        const double weight = 4.0 * v * v * v / PARTS * wb_tail_level(&tail, q);
        sums[0] += weight;
        sums[1] += weight * (2.0 * p - 1.0);
        sums[2] += weight * (6.0 * p * p - 6.0 * p + 1.0);
      }
      const struct wb_l_moments moments = {sums[0], sums[1], sums[2] / sums[1]};
      struct wb_tail back;
      assert_true(wb_tail_of_l_moments(family, &moments, tail.location, &back));
      assert_near(back.location, tail.location, 1e-4);
      assert_near(back.scale, tail.scale, 1e-4);
      assert_true(fabs(back.shape - tail.shape) < 1e-4);
    }
  }
}

/* In another unit and from another zero the fit is the same: times of 1e9 that differ by units. */
TEST(unit_and_zero_do_not_matter)
{
  static const struct {
    double factor, shift, relative;
  } changes[] = {{1e-100, 0, 1e-8}, {1e100, 0, 1e-8}, {25.0, 1e9, 1e-5}};
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(PORT_PIRIE, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD);
  for (size_t c = 0; c < COUNT_OF(changes); c++) {
    double values[CLASSIC_VALUES];
    const double factor = changes[c].factor, relative = changes[c].relative;
    for (size_t k = 0; k < data.count; k++)
      values[k] = changes[c].shift + factor * data.values[k];
    const struct wb_fit_data changed = {.values = values, .count = data.count};
    const struct wb_tail_fit other = fit_of(&changed, WB_TAIL_GEV, WB_FIT_LIKELIHOOD);
    assert_near(other.tail.location - changes[c].shift, factor * fit.tail.location, relative);
    assert_near(other.tail.scale, factor * fit.tail.scale, relative);
    assert_near(other.tail.shape, fit.tail.shape, relative);
    assert_near(wb_fit_error(&other, 2), wb_fit_error(&fit, 2), relative);
    assert_near(wb_fit_error(&other, 1), factor * wb_fit_error(&fit, 1), relative);
    assert_near(other.negative_log_likelihood, fit.negative_log_likelihood + 65 * log(factor),
                relative);
  }
}

/* Bit by bit. */
TEST(order_does_not_matter)
{
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(RAIN, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD);
  for (size_t k = 0; k < data.count / 2; k++) {
    const double value = classic.values[k];
    classic.values[k] = classic.values[data.count - 1 - k];
    classic.values[data.count - 1 - k] = value;
  }
  const struct wb_tail_fit other = fit_of(&data, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD);
  assert_memory_equal(&fit.tail, &other.tail, sizeof fit.tail);
  assert_memory_equal(fit.covariance, other.covariance, sizeof fit.covariance);
}

/* A covariate with another zero and unit: the same line. */
TEST(covariate_may_be_shifted)
{
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(FREMANTLE, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD);
  for (size_t k = 0; k < data.count; k++)
    classic.covariates[k] = 10.0 * (classic.covariates[k] + 1896);
  const struct wb_tail_fit other = fit_of(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD);
  assert_near(10.0 * other.trend, fit.trend, 1e-8);
  assert_near(other.tail.location + 18960 * other.trend, fit.tail.location, 1e-8);
  assert_near(10.0 * wb_fit_error(&other, 1), wb_fit_error(&fit, 1), 1e-7);
  assert_near(other.negative_log_likelihood, fit.negative_log_likelihood, 1e-12);
}

/* Of an exponential tail all is known in closed form. */
TEST(exponential_in_closed_form)
{
  struct classic_data classic;
  const struct wb_fit_data data = classic_read(RAIN, &classic);
  const struct wb_tail_fit fit = fit_of(&data, WB_TAIL_EXPONENTIAL, WB_FIT_LIKELIHOOD);
  double mean = 0;
  for (size_t k = 0; k < data.count; k++)
    mean += (data.values[k] - 30) / 152;
  assert_near(fit.tail.scale, mean, 1e-12);
  assert_near(wb_fit_error(&fit, 0), mean / sqrt(152), 1e-10);
  assert_near(fit.negative_log_likelihood, 152 * (log(mean) + 1), 1e-12);
  assert_near(wb_fit_level_error(&fit, 1e-6), mean / sqrt(152) * log(1e6), 1e-10);
  assert_int_equal(wb_fit_shape_place(&fit), 1);
}

/* From near and from far, the second fit finds the first one's maximum. */
TEST(refits_find_the_same)
{
  static const enum wb_tail_family families[] = {WB_TAIL_GEV, WB_TAIL_GUMBEL, WB_TAIL_PARETO};
  for (size_t f = 0; f < 3; f++) {
    struct classic_data classic;
    const struct wb_fit_data data = classic_read(f < 2 ? VENICE : RAIN, &classic);
    const struct wb_tail_fit fit = fit_of(&data, families[f], WB_FIT_LIKELIHOOD);
    for (int away = 0; away < 3; away++) {
      struct wb_tail_fit near = fit, again;
      near.tail.scale *= 1.0 + 0.3 * away;
      near.tail.location += wb_tail_is_of_maxima(families[f]) ? 5.0 * away : 0.0;
      assert_ok(wb_tail_refit(&data, &near, &again, NULL));
      assert_near(again.tail.location, fit.tail.location, 1e-8);
      assert_near(again.tail.scale, fit.tail.scale, 1e-7);
      assert_true(fabs(again.tail.shape - fit.tail.shape) < 1e-7);
      assert_near(wb_fit_error(&again, 0), wb_fit_error(&fit, 0), 1e-5);
      assert_near(again.negative_log_likelihood, fit.negative_log_likelihood, 1e-12);
    }
  }
}
