/* Ranks of values: what tests that hold for any distribution see of them. */
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

#endif
