/* Maxima of blocks of consecutive measurements. */
#ifndef WB_EVT_EXTREMES_BLOCK_MAXIMA_H
#define WB_EVT_EXTREMES_BLOCK_MAXIMA_H

#include "base/status.h"
#include "base/work_control.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest of each whole block of `block` values, count / block of them, into maxima. The last
 * values that fill no block are left out: the maximum of a part is no maximum of a block. Returns
 * how many maxima there are. */
size_t wb_block_maxima(const double *values, size_t count, size_t block, double *maxima);

/* A size of blocks that was tried. */
struct wb_block_choice {
  size_t block, maxima;
  bool fitted;
  double shape, anderson_darling_p; /* of the GEV fit by likelihood */
  double independence_p;            /* Ljung-Box of the maxima */
};

/* Most sizes that are tried. */
#define WB_BLOCK_CHOICES 16

/* Chooses the smallest block size that is not refused. Tried are at most 10 sizes of a geometric
 * range, from 20 (10 where there are fewer than 1,000 values; more where more than 5,000 maxima
 * would be left, a bound on time) to that which leaves 50 maxima. Of each size the p-value is twice
 * the smaller of those of the GEV's goodness of fit (likelihood, Anderson-Darling by bootstrap of
 * 99 replicates) and of the independence of the maxima (Ljung-Box); ForwardStop with the rate
 * `significance` of false discoveries refuses the smallest sizes up to some. Where all are refused,
 * the block is that of the largest p-value and *refused is true. What was tried is in choices,
 * *choice_count of them, ascending. tick as of wb_goodness_of_fit. The same for the same seed.
 * Errors: WARPBOUND_INVALID_INPUT (fewer than 500 values), WARPBOUND_LIMIT, WARPBOUND_INTERNAL. */
warpbound_status wb_block_size_choose(const double *values, size_t count, double significance,
                                      double tick, uint64_t seed, const struct wb_control *control,
                                      size_t *block, bool *refused,
                                      struct wb_block_choice choices[WB_BLOCK_CHOICES],
                                      size_t *choice_count, warpbound_error *error);

#endif
