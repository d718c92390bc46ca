/* The distribution of the two-sample Kolmogorov-Smirnov statistic over all orders of the values. */
#ifndef WB_EVT_TESTS_TWO_SAMPLES_H
#define WB_EVT_TESTS_TWO_SAMPLES_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

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

#endif
