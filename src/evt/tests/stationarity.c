/* Tests of stationarity: of the level by Kwiatkowski et al., of one change of it by Pettitt; both
 * by ranks. */
#include "evt/tests/series_tests.h"

#include "evt/tests/limits.h"
#include "evt/tests/long_run.h"

#include <math.h>

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
  struct wb_long_run long_run;
  const warpbound_status status = wb_long_run_of(ranks, &long_run, error);
  if (status != WARPBOUND_OK)
    return status;
  test->detail = (double)long_run.lags;
  test->statistic =
      square_of_sums(ranks) / ((double)ranks->count * ranks->square_sum * long_run.share);
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
 * step, times the share of the long run. */
static warpbound_status change_point_of_ranks(const struct wb_ranks *ranks, struct wb_test *test,
                                              warpbound_error *error)
{
  struct wb_long_run long_run;
  const warpbound_status status = wb_long_run_if_dependent(ranks, &long_run, error);
  if (status != WARPBOUND_OK)
    return status;
  size_t place = 0;
  const double farthest = farthest_sum(ranks, &place);
  const double n = (double)ranks->count;
  const double step = sqrt(ranks->square_sum / (n - 1) * long_run.share);
  test->statistic = 2 * farthest; /* max |U| of Pettitt, whose U is twice the sum */
  test->detail = (double)place;
  test->p_value = wb_bridge_supremum_survival((farthest / step + overshoot) / sqrt(n));
  return WARPBOUND_OK;
}

warpbound_status wb_test_change_point(const double *values, size_t count, struct wb_test *test,
                                      warpbound_error *error)
{
  return test_ranks(values, count, change_point_of_ranks, test, error);
}
