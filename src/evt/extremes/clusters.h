/* Clusters of exceedances: dependent measurements exceed a threshold together. */
#ifndef WB_EVT_EXTREMES_CLUSTERS_H
#define WB_EVT_EXTREMES_CLUSTERS_H

#include "base/status.h"

#include <stddef.h>

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
