/* What distributions of extremes are fitted to: maxima of blocks of consecutive measurements, and
 * peaks of clusters of exceedances. */
#ifndef WB_EVT_EXTREMES_MAXIMA_AND_PEAKS_H
#define WB_EVT_EXTREMES_MAXIMA_AND_PEAKS_H

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
 * range, from 20 (10 where there are fewer than 1,000 values), or more where more than
 * 100 (n / 2000)^0.1 maxima would be left of n values, to that which leaves 50 maxima: of more
 * maxima the bias of blocks that are too small outgrows the width of intervals. Of each size the
 * p-value is twice the smaller of those of the GEV's goodness of fit (likelihood, Anderson-Darling
 * by bootstrap of 99 replicates) and of the independence of the maxima (Ljung-Box); ForwardStop
 * refuses the smallest sizes up to some. The same for the same seed. Errors:
 * WARPBOUND_INVALID_INPUT (fewer than 500 values; nothing is tried then), WARPBOUND_LIMIT,
 * WARPBOUND_INTERNAL. */
warpbound_status wb_block_size_choose(const struct wb_block_question *question,
                                      struct wb_block_sizes *sizes, warpbound_error *error);

/* Clusters of exceedances: dependent measurements exceed a threshold together. */

/* The extremal index, 0 < theta <= 1: the reciprocal of the mean number of exceedances of a
 * cluster; 1 where exceedances come alone. By intervals (Ferro and Segers 2003, eq. 5 and 6), which
 * also give the run length for declustering (their section 4); and by the runs method with that
 * length: clusters over exceedances. NAN where fewer than 10 values exceed. */
struct wb_extremal_index {
  double intervals, runs;
  size_t run_length; /* values at or below the threshold between two clusters, at least; 0: each
                        exceedance is a cluster */
  size_t exceedances, clusters;
};
/* values: in the order of measurement. run_length 0: by intervals. Errors: WARPBOUND_INTERNAL
 * (memory). Linear in the values, and n log n in the exceedances. */
warpbound_status wb_extremal_index_of(const double *values, size_t count, double threshold,
                                      size_t run_length, struct wb_extremal_index *index,
                                      warpbound_error *error);

/* The largest value of each cluster, in order, into peaks, which has room for all exceedances:
 * a cluster ends when run_length consecutive values do not exceed the threshold. Returns how many.
 * run_length 0: each exceedance is a peak. */
size_t wb_decluster(const double *values, size_t count, double threshold, size_t run_length,
                    double *peaks);

#endif
