/* Sample L-moments and the distributions that have given ones. */
#ifndef WB_EVT_FIT_L_MOMENTS_H
#define WB_EVT_FIT_L_MOMENTS_H

#include "evt/tail/tail.h"

#include <stdbool.h>
#include <stddef.h>

/* Sample L-moments l1, l2 and the ratio t3 = l3 / l2 (0 where l2 is 0). */
struct wb_l_moments {
  double l1, l2, t3;
};

/* Unbiased estimates (Hosking, J. R. Statist. Soc. B 52, 1990). count >= 1, values in ascending
 * order; l2 is 0 for one value, t3 for fewer than three. Linear in count. */
struct wb_l_moments wb_l_moments_of(const double *ascending, size_t count);
/* The same where values[k] stands weights[k] times (a whole number); total: the sum of weights. */
struct wb_l_moments wb_l_moments_of_weighted(const double *ascending, const double *weights,
                                             size_t count, double total);

/* The distribution of a family that has these L-moments; of GPD and exponential with location
 * `threshold`. Exact for all families, of GEV too, where t3 = 2 (1 - 3^xi) / (1 - 2^xi) - 3 is
 * solved for xi (Hosking 1985 has an approximation). False where there is none: l2 <= 0, |t3| >= 1
 * for GEV, l1 <= threshold for exponential and GPD. The shape of GPD is 2 - (l1 - u) / l2 and may
 * be below -1. */
bool wb_tail_of_l_moments(enum wb_tail_family family, const struct wb_l_moments *moments,
                          double threshold, struct wb_tail *tail);

#endif
