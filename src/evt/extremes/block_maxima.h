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

/* What is asked. All borrowed. */
struct wb_block_question {
  const double *values; /* in the order of measurement */
  size_t count;
  double significance; /* the rate of false discoveries */
  double tick;         /* as of wb_goodness_of_fit */
  uint64_t seed;
  const struct wb_control *control;
};

/* Most sizes that are tried. */
#define WB_BLOCK_CHOICES 16

struct wb_block_sizes {
  size_t block; /* the size that is chosen */
  bool refused; /* all are refused; it is that of the largest p-value */
  struct wb_block_choice tried[WB_BLOCK_CHOICES]; /* ascending */
  size_t count;
};

/* Chooses the smallest block size that is not refused. Tried are at most 10 sizes of a geometric
 * range, from 20 (10 where there are fewer than 1,000 values; more where more than 5,000 maxima
 * would be left, a bound on time) to that which leaves 50 maxima. Of each size the p-value is twice
 * the smaller of those of the GEV's goodness of fit (likelihood, Anderson-Darling by bootstrap of
 * 99 replicates) and of the independence of the maxima (Ljung-Box); ForwardStop refuses the
 * smallest sizes up to some. The same for the same seed. Errors: WARPBOUND_INVALID_INPUT (fewer
 * than 500 values; nothing is tried then), WARPBOUND_LIMIT, WARPBOUND_INTERNAL. */
warpbound_status wb_block_size_choose(const struct wb_block_question *question,
                                      struct wb_block_sizes *sizes, warpbound_error *error);

#endif
