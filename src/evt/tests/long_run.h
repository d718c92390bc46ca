/* The variance of sums of ranks that depend on each other. */
#ifndef WB_EVT_TESTS_LONG_RUN_H
#define WB_EVT_TESTS_LONG_RUN_H

#include "evt/tests/ranks.h"

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
