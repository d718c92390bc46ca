/* Tests of stationarity: of the level by Kwiatkowski et al., of one change of it by Pettitt, both
 * by ranks; of a trend by Mann and Kendall. */
#include "evt/tests/series_tests.h"

#include "evt/math/chi_squared.h"
#include "evt/tests/limits.h"
#include "evt/tests/ranks.h"

#include <math.h>

static warpbound_status kpss_of_ranks(const struct wb_ranks *ranks, struct wb_test *test,
                                      warpbound_error *error)
{
  struct wb_long_run long_run;
  const warpbound_status status = wb_long_run_of(ranks, &long_run, error);
  if (status != WARPBOUND_OK)
    return status;
  double sum = 0, squares = 0; /* of the sums of the ranks up to each place */
  for (size_t i = 0; i < ranks->count; i++) {
    sum += ranks->centred[i];
    squares += sum * sum;
  }
  test->detail = (double)long_run.lags;
  test->statistic = squares / ((double)ranks->count * ranks->square_sum * long_run.share);
  test->p_value = wb_bridge_square_survival(test->statistic);
  return WARPBOUND_OK;
}

typedef warpbound_status rank_test(const struct wb_ranks *ranks, struct wb_test *test,
                                   warpbound_error *error);

/* The test of the ranks of values, where they say something. */
static warpbound_status test_ranks(const double *values, size_t count, rank_test *tested,
                                   struct wb_test *test, warpbound_error *error)
{
  *test = (struct wb_test){.p_value = NAN};
  if (count < WB_TEST_FEWEST)
    return WARPBOUND_OK;
  struct wb_ranks ranks;
  warpbound_status status = wb_ranks_of(values, count, &ranks, error);
  if (status == WARPBOUND_OK && ranks.square_sum > 0)
    status = tested(&ranks, test, error);
  wb_ranks_free(&ranks);
  return status;
}

warpbound_status wb_test_kpss(const double *values, size_t count, struct wb_test *test,
                              warpbound_error *error)
{
  return test_ranks(values, count, kpss_of_ranks, test, error);
}

/* A walk of uniform steps, as the ranks are, that is looked at after each step falls short of the
 * supremum of the Brownian motion by this many standard deviations of a step: minus the integral of
 * log(2 (1 - f(t)) / t^2) / t^2 over t > 0, divided by pi, of their characteristic function f
 * (Siegmund 1985, chapter X). Without it a test of 5 % of 100 values would reject 3.6 % of the
 * time.
 */
static const double overshoot = 0.516;

/* Given the ties the sums of the ranks have the variance of a bridge: i (n - i) / n times that of a
 * step, times the share of the long run. */
static warpbound_status change_point_of_ranks(const struct wb_ranks *ranks, struct wb_test *test,
                                              warpbound_error *error)
{
  struct wb_long_run long_run;
  const warpbound_status status = wb_long_run_if_dependent(ranks, &long_run, error);
  if (status != WARPBOUND_OK)
    return status;
  double sum = 0, farthest = 0; /* of the sums of the ranks up to each place */
  for (size_t i = 0; i < ranks->count; i++) {
    sum += ranks->centred[i];
    if (fabs(sum) > farthest) {
      farthest = fabs(sum);
      test->detail = (double)i;
    }
  }
  const double n = (double)ranks->count;
  const double step = sqrt(ranks->square_sum / (n - 1) * long_run.share);
  test->statistic = 2 * farthest; /* max |U| of Pettitt, whose U is twice the sum */
  test->p_value = wb_bridge_supremum_survival((farthest / step + overshoot) / sqrt(n));
  return WARPBOUND_OK;
}

warpbound_status wb_test_change_point(const double *values, size_t count, struct wb_test *test,
                                      warpbound_error *error)
{
  return test_ranks(values, count, change_point_of_ranks, test, error);
}

/* ---- trend ---- */

static double variance_term(double count)
{
  return count * (count - 1) * (2 * count + 5) / 18;
}

struct wb_test wb_test_trend(const double *values, size_t count)
{
  struct wb_test test = {.statistic = NAN, .p_value = NAN, .detail = NAN};
  if (count < 10)
    return test;
  double balance = 0, variance = variance_term((double)count);
  for (size_t k = 0; k < count; k++) {
    /* Kendall's score of value k: concordant minus discordant pairs with earlier values. */
    double score = 0, tied = 0;
    for (size_t earlier = 0; earlier < k; earlier++) {
      score += (values[k] > values[earlier]) - (values[k] < values[earlier]);
      tied += values[k] == values[earlier];
    }
    balance += score;
    /* The k-th of equal values takes from the variance what its group grows by. */
    variance -= variance_term(tied + 1) - variance_term(tied);
  }
  test.detail = balance / ((double)count * ((double)count - 1) / 2);
  if (!(variance > 0))
    return test;
  test.statistic = balance == 0 ? 0 : (fabs(balance) - 1) / sqrt(variance) * (balance > 0 ? 1 : -1);
  test.p_value = fmin(1, 2 * wb_normal_survival(fabs(test.statistic)));
  return test;
}
