/* Ranks of values: what tests that hold for any distribution see of them; and the variance of sums
 * of ranks that depend on each other. */
#ifndef WB_EVT_TESTS_RANKS_H
#define WB_EVT_TESTS_RANKS_H

#include "base/status.h"

#include <stddef.h>

/* The rank of each value less the mean rank (count + 1) / 2, in the order of the values; equal
 * values have the mean of their ranks. All are multiples of 1/2 and their sum is 0. */
struct wb_ranks {
  double *centred; /* owned */
  size_t count;
  double square_sum; /* of centred; 0 where all values are equal */
};

/* The ranks of values, none of which is NAN. Time: linear in count (a radix sort); 40 bytes a
 * value. Fails with WARPBOUND_INTERNAL (memory). wb_ranks_free frees. */
warpbound_status wb_ranks_of(const double *values, size_t count, struct wb_ranks *ranks,
                             warpbound_error *error);
void wb_ranks_free(struct wb_ranks *ranks);

/* sums[k - 1] = sum over i of (values[i] - mean) (values[i + k] - mean), for k = 1 .. lags; 0 where
 * lags >= count. Time: count * lags. */
void wb_lag_products(const double *values, size_t count, double mean, size_t lags, double *sums);

/* The long-run variance of a series: of independent values their variance, of others that of long
 * sums divided by their length. */
struct wb_long_run {
  double share; /* of the variance of the ranks: 1 where they are independent; above 0 */
  size_t lags;  /* autocorrelations that were used */
};

/* With Bartlett's weights (Newey and West 1987), and the lags of Andrews (1991) for a first-order
 * autoregressive process with the autocorrelation at lag 1, at most 12 (n / 100)^(1/4). ranks not
 * all equal. Fails with WARPBOUND_INTERNAL (memory). */
warpbound_status wb_long_run_of(const struct wb_ranks *ranks, struct wb_long_run *long_run,
                                warpbound_error *error);

/* The same where the autocorrelation at lag 1 exceeds two standard errors of independent values;
 * else a share of 1: for tests that are exact for these, and go on to hold for others. */
warpbound_status wb_long_run_if_dependent(const struct wb_ranks *ranks,
                                          struct wb_long_run *long_run, warpbound_error *error);

#endif
