/* Tests of independence: autocorrelation and runs. */
#include "evt/tests/series_tests.h"

#include "base/memory.h"
#include "evt/math/special_functions.h"
#include "evt/samples/samples.h"
#include "evt/tests/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void wb_autocorrelations(const double *values, size_t count, size_t lags, double *correlations)
{
  double sum = 0, square_sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i] - values[0];
  const double mean = count > 0 ? values[0] + sum / (double)count : 0;
  for (size_t i = 0; i < count; i++)
    square_sum += (values[i] - mean) * (values[i] - mean);
  wb_lag_products(values, count, mean, lags, correlations);
  for (size_t k = 0; k < lags; k++)
    correlations[k] = square_sum > 0 ? correlations[k] / square_sum : 0;
}

/* Moments of sum c_i c_{i + lag} over all orders of the centred ranks c, by the sums s2 of c^2 and
 * s4 of c^4: pairs of its terms share two ranks, one or none. Without ties they are those of Dufour
 * and Roy (1986). */
struct moments {
  double mean, variance;
};

static struct moments moments_of(double n, double lag, double s2, double s4)
{
  const double terms = n - lag;
  const double sharing_one = fmax(0, 2 * (n - 2 * lag));
  const double both = (s2 * s2 - s4) / (n * (n - 1));
  const double one = (2 * s4 - s2 * s2) / (n * (n - 1) * (n - 2));
  const double none = (3 * s2 * s2 - 6 * s4) / (n * (n - 1) * (n - 2) * (n - 3));
  const double mean = -terms * s2 / (n * (n - 1));
  const double square =
      terms * both + sharing_one * one + (terms * terms - terms - sharing_one) * none;
  return (struct moments){mean, square - mean * mean};
}

static warpbound_status ljung_box_of_ranks(const struct wb_ranks *ranks, size_t lags,
                                           struct wb_test *test, warpbound_error *error)
{
  double *const products = wb_allocate(lags, sizeof *products);
  if (products == NULL)
    return wb_out_of_memory(error);
  wb_lag_products(ranks->centred, ranks->count, 0, lags, products);
  /* The sum of the squares of the standardised autocorrelations, and the lag of the largest. */
  double s4 = 0, largest = 0;
  for (size_t i = 0; i < ranks->count; i++) {
    const double square = ranks->centred[i] * ranks->centred[i];
    s4 += square * square;
  }
  for (size_t k = 1; k <= lags; k++) {
    const struct moments moments =
        moments_of((double)ranks->count, (double)k, ranks->square_sum, s4);
    const double deviation = products[k - 1] - moments.mean;
    const double square = deviation * deviation / moments.variance;
    test->statistic += square;
    if (square > largest) {
      largest = square;
      test->detail = (double)k;
    }
  }
  /* The mean of the statistic is that of chi-squared, `lags`, exactly; its variance is not 2 lags
   * but near 2 lags (1 + (2 lags - 5) / count), within 2 % for count >= 50 and lags of 1 to 20 (of
   * 10^5 random orders). The statistic is drawn to its mean accordingly; without that a test of 5 %
   * of 100 values with 10 lags would reject 5.8 % of the time. */
  const double mean = (double)lags;
  const double excess = 1 + (2 * mean - 5) / (double)ranks->count;
  test->p_value =
      wb_chi_squared_survival(mean + (test->statistic - mean) / sqrt(excess), (unsigned)lags);
  free(products);
  return WARPBOUND_OK;
}

warpbound_status wb_test_ljung_box(const double *values, size_t count, size_t lags,
                                   struct wb_test *test, warpbound_error *error)
{
  *test = (struct wb_test){.p_value = NAN};
  if (count < WB_TEST_FEWEST)
    return WARPBOUND_OK;
  if (lags == 0)
    lags = count / 5 < 10 ? count / 5 : 10;
  struct wb_ranks ranks;
  warpbound_status status = wb_ranks_of(values, count, &ranks, error);
  if (status == WARPBOUND_OK && ranks.square_sum > 0)
    status = ljung_box_of_ranks(&ranks, lags < count / 2 ? lags : count / 2, test, error);
  wb_ranks_free(&ranks);
  return status;
}

/* Probabilities, to a common factor, of numbers of runs: below, at and above the number seen. */
struct run_weights {
  double below, at, above;
};

static void add_weight(struct run_weights *weights, size_t runs, size_t seen, double weight)
{
  *(runs < seen ? &weights->below : runs > seen ? &weights->above : &weights->at) += weight;
}

/* Of a values of one sort and b of the other there are 2 C(a - 1, k - 1) C(b - 1, k - 1) orders of
 * 2 k runs, and C(a - 1, k) C(b - 1, k - 1) + C(a - 1, k - 1) C(b - 1, k) of 2 k + 1. common is
 * C(a - 1, k - 1) C(b - 1, k - 1). */
static void add_pair(struct run_weights *weights, size_t a, size_t b, size_t k, double common,
                     size_t seen)
{
  add_weight(weights, 2 * k, seen, 2 * common);
  add_weight(weights, 2 * k + 1, seen, common * (double)(a + b - 2 * k) / (double)k);
}

/* Sums all weights, outward from the most frequent number of runs, whose factor is 1, until they
 * vanish: no logarithm of a factorial is needed, and about 80 standard deviations are summed. */
static struct run_weights weigh_runs(size_t a, size_t b, size_t seen)
{
  struct run_weights weights = {0};
  const size_t least = a < b ? a : b;
  size_t middle = (size_t)((double)a * (double)b / (double)(a + b));
  middle = middle < 1 ? 1 : middle > least ? least : middle;
  double common = 1;
  for (size_t k = middle; k <= least && common > 0; k++) {
    add_pair(&weights, a, b, k, common, seen);
    common *= (double)(a - k) / (double)k * ((double)(b - k) / (double)k);
  }
  common = 1;
  for (size_t k = middle; k-- > 1 && common > 0;) {
    common *= (double)k / (double)(a - k) * ((double)k / (double)(b - k));
    add_pair(&weights, a, b, k, common, seen);
  }
  return weights;
}

/* Values below and above a level, and their runs. */
struct runs {
  size_t below, above, runs;
};

warpbound_status wb_test_runs(const double *values, size_t count, struct wb_test *test,
                              warpbound_error *error)
{
  *test = (struct wb_test){.p_value = NAN};
  if (count < WB_TEST_FEWEST)
    return WARPBOUND_OK;
  double *const ascending = wb_allocate(count, sizeof *ascending);
  if (ascending == NULL)
    return wb_out_of_memory(error);
  memcpy(ascending, values, count * sizeof *values);
  wb_sort_ascending(ascending, count);
  const double low = ascending[(count - 1) / 2];
  const double median = low + (ascending[count / 2] - low) / 2;
  /* One value that equals the median is left out. Several, of a clock with ticks, belong to the
   * side that has fewer values without them: where most values are the least one, there would else
   * be none below. */
  size_t below = 0, above = 0;
  while (below < count && ascending[below] < median)
    below++;
  while (above < count && ascending[count - 1 - above] > median)
    above++;
  free(ascending);
  const int at_median = below + above + 1 >= count ? 0 : below < above ? -1 : 1;
  /* at_level: the side of values that equal the level, -1, 0 (they are left out) or 1. */
  struct runs runs = {0};
  int last = 0;
  for (size_t i = 0; i < count; i++) {
    const int side = values[i] == median ? at_median : values[i] > median ? 1 : -1;
    if (side == 0)
      continue;
    *(side < 0 ? &runs.below : &runs.above) += 1;
    runs.runs += side != last;
    last = side;
  }
  test->detail = (double)runs.runs;
  if (runs.below == 0 || runs.above == 0)
    return WARPBOUND_OK;
  /* Twice the smaller tail, in which the number seen counts half (the mid-p value of Lancaster
   * 1961): a number of runs is so coarse that the whole of it would make the test reject too
   * rarely.
   */
  const struct run_weights weights = weigh_runs(runs.below, runs.above, runs.runs);
  const double tail = fmin(weights.below, weights.above) + weights.at / 2;
  test->p_value = fmin(1, 2 * tail / (weights.below + weights.at + weights.above));
  /* Of the number of runs, by its mean and variance where all orders are equally likely. */
  const double n = (double)(runs.below + runs.above);
  const double twice = 2 * (double)runs.below * (double)runs.above;
  const double mean = twice / n + 1;
  const double variance = twice * (twice - n) / (n * n * (n - 1));
  test->statistic = variance > 0 ? ((double)runs.runs - mean) / sqrt(variance) : 0;
  return WARPBOUND_OK;
}

/* Tests of stationarity: of the level by Kwiatkowski et al., of one change of it by Pettitt, both
 * by ranks; of a trend by Mann and Kendall. */

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
