/* Tests of whether measured times are such that extreme value statistics may be applied to them:
 * independent, identically distributed, on a clock that is fine enough. */
#ifndef WB_EVT_TESTS_SERIES_TESTS_H
#define WB_EVT_TESTS_SERIES_TESTS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* A test's statistic, and the probability of one as extreme where the hypothesis holds. p_value is
 * NAN where the test says nothing: fewer than WB_TEST_FEWEST values, all equal. */
struct wb_test {
  double statistic, p_value;
  double detail; /* what the test names beside: see each */
  double place;  /* of a period: the index of the first slow value */
};
#define WB_TEST_FEWEST 10

/* The tests look at the ranks of values, not at the values: where the hypothesis holds all orders
 * are equally likely, whatever the distribution, so that a heavy tail neither hides a change nor
 * makes one. Equal values have the mean of their ranks. Of 5 % each rejects 4 to 6 % of the time
 * for 100 values and more (doc/measured/evt-tests.md). values: in the order of measurement, none of
 * them NAN. Errors of all: WARPBOUND_INTERNAL (memory). Time of all: n log n, and n times the lags.
 */

/* Independence: no autocorrelation at lags 1 to `lags` (Ljung and Box 1978), of ranks with their
 * exact mean and variance (Dufour and Roy 1986). The statistic is the sum of the squares of the
 * standardised autocorrelations, the p-value by chi-squared with a correction for short series.
 * detail: the lag of the largest. lags 0: min(10, count / 5); at most count / 2 are used. */
warpbound_status wb_test_ljung_box(const double *values, size_t count, size_t lags,
                                   struct wb_test *test, warpbound_error *error);
/* Independence: the number of runs above and below the median (Wald and Wolfowitz 1940). One value
 * that equals the median is left out; several belong to the smaller side. Two-sided, mid-p value of
 * the exact distribution. The statistic is the standardised number of runs (negative: too few);
 * detail: the number of runs. NAN also where fewer than 2 values are different. */
warpbound_status wb_test_runs(const double *values, size_t count, struct wb_test *test,
                              warpbound_error *error);
/* Stationarity around a level (Kwiatkowski, Phillips, Schmidt and Shin 1992) of ranks (Pelagatti
 * and Sen 2013), long-run variance by Bartlett's weights. detail: the number of lags (Andrews
 * 1991). The p-value is from the limit distribution, not interpolated between the four values of
 * the paper's table. */
warpbound_status wb_test_kpss(const double *values, size_t count, struct wb_test *test,
                              warpbound_error *error);
/* Identical distribution: two-sample Kolmogorov-Smirnov between the first and the second half; of
 * an even count the value in the middle is left out. Where the autocorrelation at lag 1 exceeds two
 * standard errors, the distance is judged as that of independent values by the long-run variance,
 * so that dependence alone is not taken for a change. detail: the value at which they differ most.
 */
warpbound_status wb_test_halves(const double *values, size_t count, struct wb_test *test,
                                warpbound_error *error);
/* One change of the level: Pettitt 1979, by ranks, with the long-run variance as of the halves. The
 * statistic is his K; the p-value is not his approximation, which rejects too rarely. detail: the
 * index after which it changes. */
warpbound_status wb_test_change_point(const double *values, size_t count, struct wb_test *test,
                                      warpbound_error *error);
/* No monotonic trend (Mann 1945, Kendall 1975), whatever the distribution: statistic is the
 * standardised number of pairs in order less those out of order, with the correction for ties and
 * for continuity; p_value by the normal distribution, two-sided, for 10 values and more (else NAN);
 * detail is Kendall's tau, -1 to 1. Quadratic: meant for some hundred maxima of blocks. */
struct wb_test wb_test_trend(const double *values, size_t count);
/* Two-sample Kolmogorov-Smirnov of any two samples, in any order. Of
 * any number of values from 1 on. share: the variance of sums of the values in that of independent
 * ones, at least 1; the distance is taken for that of independent values divided by its root. The
 * p-value is exact, with ties too, up to some 10^4 values (2 * 10^7 steps), beyond that from the
 * limit distribution. detail: the value at which they differ most. */
warpbound_status wb_test_two_samples(const double *first, size_t first_count, const double *second,
                                     size_t second_count, double share, struct wb_test *test,
                                     warpbound_error *error);

/* Two samples as the statistic sees them: how many values each has, and how many values of both are
 * equal to each other, from the least on. */
struct wb_sample_pair {
  size_t first, second;
  const size_t *tied; /* sizes of the groups of equal values; their sum is first + second */
  size_t groups;
  int64_t
      distance; /* first * second * D: the largest |i * second - j * first| at the end of a group,
                   of whose values and those below i are of the first sample and j of the second */
};

/* P(the distance is at least that of the pair) where all orders of the values are equally likely:
 * exact, with ties too (Hodges 1958; with ties Schroer and Trenkler 1995). Relative accuracy about
 * 1e-10 however small it is. Fails with WARPBOUND_INTERNAL (memory). */
warpbound_status wb_lattice_path_survival(const struct wb_sample_pair *pair, double *survival,
                                          warpbound_error *error);

/* The same in the limit of large samples with these shares of ties: P(|B| reaches the distance at
 * the end of a group) of a Brownian bridge B. Absolute accuracy about 1e-3 of it; where many values
 * are different, and below 1e-6, that of the whole bridge, which is greater. Fails with
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_tied_bridge_survival(const struct wb_sample_pair *pair, double *survival,
                                         warpbound_error *error);

/* Autocorrelations, of the values themselves, at lags 1 .. lags into correlations[0 .. lags - 1]; 0
 * where all are equal, and at lags >= count. Time: count * lags. */
void wb_autocorrelations(const double *values, size_t count, size_t lags, double *correlations);

/* The ticks of the clock and equal values. */
struct wb_resolution {
  /* The largest number of which all differences are multiples, within the rounding of doubles (here
   * 10^-11 of the largest value) or of 32-bit numbers (2 * 10^-7 of it). 0: there is none of at
   * least 100 times that. Of two different values: their difference. */
  double tick;
  /* Values that differ by rounding of doubles alone are equal. */
  const char *clock; /* words for the clock whose tick that is (wb_clock_tick); NULL: not known */
  size_t distinct;   /* different values */
  double tied_share; /* of values that equal another one */
  double most_common_share;
  double most_common;
  double tail_tied_share; /* of the largest tenth, those that equal another one */
};
/* ascending: the values sorted. */
struct wb_resolution wb_resolution_of(const double *ascending, size_t count);

/* A step of a GPU's clocks of which all values are multiples, though the values were rounded to
 * 32-bit numbers, as CUDA's events are (milliseconds), or to decimals: then their differences alone
 * do not show it. Known are 32 ns and 1 us (%globaltimer, by device; events), 500 ns (events of
 * older devices) and 1.024 us. found: what wb_resolution_of saw; 0: nothing. unit_seconds: of the
 * values. Sets the tick and the clock of *resolution where all values lie within their rounding of
 * multiples of a larger step by more than chance: once in 10^9 where they were anywhere. ascending:
 * sorted. */
void wb_clock_tick(const double *ascending, size_t count, double unit_seconds,
                   struct wb_resolution *resolution);

#endif
