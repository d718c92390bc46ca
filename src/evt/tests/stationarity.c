/* Tests of stationarity: of the level by Kwiatkowski et al., of one change of it by Pettitt; both
 * by ranks. */
#include "evt/tests/series_tests.h"

#include "base/memory.h"
#include "evt/tests/lag_products.h"
#include "evt/tests/limits.h"
#include "evt/tests/ranks.h"

#include <math.h>
#include <stdlib.h>

/* The lags of the long-run variance: Andrews's (1991) for a first-order autoregressive process with
 * the autocorrelation at lag 1, at most 12 (n / 100)^(1/4), the larger of the two rules of
 * Kwiatkowski et al. A fixed number would take dependence for a change of the level, or see changes
 * of short series too rarely. */
static size_t lags_of(const struct wb_ranks *ranks)
{
  const double n = (double)ranks->count;
  double product;
  wb_lag_products(ranks->centred, ranks->count, 0, 1, &product);
  const double r = product / ranks->square_sum;
  const double part = 2 * r / (1 - r * r);
  return (size_t)fmin(1.1447 * cbrt(part * part * n), fmin(12 * pow(n / 100, 0.25), n - 1));
}

/* With Bartlett's weights 1 - k / (lags + 1), which keep it from falling below 0. A series that
 * alternates strictly has none: a share of the variance is the least that is assumed. */
static double long_run_variance(const struct wb_ranks *ranks, size_t lags, const double *products)
{
  const double all = (double)lags + 1;
  double sum = ranks->square_sum;
  for (size_t k = 1; k <= lags; k++)
    sum += 2 * (1 - (double)k / all) * products[k - 1];
  return fmax(sum, ranks->square_sum / all) / (double)ranks->count;
}

/* The sum over all places of the square of the sum of the ranks up to there. */
static double square_of_sums(const struct wb_ranks *ranks)
{
  double sum = 0, squares = 0;
  for (size_t i = 0; i < ranks->count; i++) {
    sum += ranks->centred[i];
    squares += sum * sum;
  }
  return squares;
}

static warpbound_status kpss_of_ranks(const struct wb_ranks *ranks, struct wb_test *test,
                                      warpbound_error *error)
{
  const size_t lags = lags_of(ranks);
  double *const products = wb_allocate(lags, sizeof *products);
  if (products == NULL)
    return wb_out_of_memory(error);
  wb_lag_products(ranks->centred, ranks->count, 0, lags, products);
  const double n = (double)ranks->count;
  test->detail = (double)lags;
  test->statistic = square_of_sums(ranks) / (n * n * long_run_variance(ranks, lags, products));
  test->p_value = wb_bridge_square_survival(test->statistic);
  free(products);
  return WARPBOUND_OK;
}

warpbound_status wb_test_kpss(const double *values, size_t count, struct wb_test *test,
                              warpbound_error *error)
{
  *test = (struct wb_test){.p_value = NAN};
  if (count < WB_TEST_FEWEST)
    return WARPBOUND_OK;
  struct wb_ranks ranks;
  warpbound_status status = wb_ranks_of(values, count, &ranks, error);
  if (status == WARPBOUND_OK && ranks.square_sum > 0)
    status = kpss_of_ranks(&ranks, test, error);
  wb_ranks_free(&ranks);
  return status;
}

/* The sum of the ranks up to some place that is farthest from 0, and the place. */
static double farthest_sum(const struct wb_ranks *ranks, size_t *place)
{
  double sum = 0, farthest = 0;
  for (size_t i = 0; i < ranks->count; i++) {
    sum += ranks->centred[i];
    if (fabs(sum) > farthest) {
      farthest = fabs(sum);
      *place = i;
    }
  }
  return farthest;
}

/* A walk of uniform steps, as the ranks are, that is looked at after each step falls short of the
 * supremum of the Brownian motion by this many standard deviations of a step: minus the integral of
 * log(2 (1 - f(t)) / t^2) / t^2 over t > 0, divided by pi, of their characteristic function f
 * (Siegmund 1985, chapter X). Without it a test of 5 % of 100 values would reject 3.6 % of the
 * time.
 */
static const double overshoot = 0.516;

/* Given the ties the sums of the ranks have the variance of a bridge: i (n - i) / n times that of a
 * step. */
static double change_point_p_value(const struct wb_ranks *ranks, double farthest)
{
  const double n = (double)ranks->count;
  const double step = sqrt(ranks->square_sum / (n - 1));
  return wb_bridge_supremum_survival((farthest / step + overshoot) / sqrt(n));
}

warpbound_status wb_test_change_point(const double *values, size_t count, struct wb_test *test,
                                      warpbound_error *error)
{
  *test = (struct wb_test){.p_value = NAN};
  if (count < WB_TEST_FEWEST)
    return WARPBOUND_OK;
  struct wb_ranks ranks;
  const warpbound_status status = wb_ranks_of(values, count, &ranks, error);
  if (status == WARPBOUND_OK && ranks.square_sum > 0) {
    size_t place = 0;
    const double farthest = farthest_sum(&ranks, &place);
    test->statistic = 2 * farthest; /* max |U| of Pettitt, whose U is twice the sum */
    test->detail = (double)place;
    test->p_value = change_point_p_value(&ranks, farthest);
  }
  wb_ranks_free(&ranks);
  return status;
}
