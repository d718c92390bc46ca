/* Tests of whether measured times are such that extreme value statistics may be applied to them:
 * independent, identically distributed, on a clock that is fine enough. */
#ifndef WB_EVT_TESTS_SERIES_TESTS_H
#define WB_EVT_TESTS_SERIES_TESTS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* A test's statistic, and the probability of one as extreme where the hypothesis holds. p_value is
 * NAN where the test says nothing: too few values, all equal. */
struct wb_test {
  double statistic, p_value;
  double detail; /* what the test names beside: see each */
};

/* values: in the order of measurement. Errors of all: WARPBOUND_INTERNAL (memory). */

/* Independence: no autocorrelation at lags 1 to `lags` (Ljung and Box 1978). detail: the lag of the
 * largest autocorrelation. lags 0: min(10, count / 5) */
warpbound_status wb_test_ljung_box(const double *values, size_t count, size_t lags,
                                   struct wb_test *test, warpbound_error *error);
/* Independence: the number of runs above and below the median (Wald and Wolfowitz 1940); values
 * equal to the median are left out. Two-sided. detail: the number of runs. */
warpbound_status wb_test_runs(const double *values, size_t count, struct wb_test *test,
                              warpbound_error *error);
/* Stationarity around a level (Kwiatkowski, Phillips, Schmidt and Shin 1992), long-run variance by
 * Bartlett's weights. detail: the number of lags. The p-value is from the limit distribution, not
 * interpolated between the four values of the paper's table. */
warpbound_status wb_test_kpss(const double *values, size_t count, struct wb_test *test,
                              warpbound_error *error);
/* Identical distribution: two-sample Kolmogorov-Smirnov between the first and the second half.
 * detail: the value at which they differ most. */
warpbound_status wb_test_halves(const double *values, size_t count, struct wb_test *test,
                                warpbound_error *error);
/* One change of the level: Pettitt 1979, by ranks. detail: the index after which it changes. */
warpbound_status wb_test_change_point(const double *values, size_t count, struct wb_test *test,
                                      warpbound_error *error);
/* Two-sample Kolmogorov-Smirnov of any two samples (in any order): for runs that are compared. */
warpbound_status wb_test_two_samples(const double *first, size_t first_count, const double *second,
                                     size_t second_count, struct wb_test *test,
                                     warpbound_error *error);

/* Autocorrelations at lags 1 .. lags into correlations[0 .. lags - 1]; 0 where all are equal. */
void wb_autocorrelations(const double *values, size_t count, size_t lags, double *correlations);

/* The ticks of the clock and equal values. */
struct wb_resolution {
  double tick;       /* the largest number of which all differences are multiples (within
                        rounding); 0: none is seen */
  size_t distinct;   /* different values */
  double tied_share; /* of values that equal another one */
  double most_common_share;
  double most_common;
  double tail_tied_share; /* of the largest tenth, those that equal another one */
};
/* ascending: the values sorted. */
struct wb_resolution wb_resolution_of(const double *ascending, size_t count);

#endif
