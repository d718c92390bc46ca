/* The distance between the empirical distribution of values and a given one. */
#ifndef WB_EVT_GOODNESS_DISTANCES_H
#define WB_EVT_GOODNESS_DISTANCES_H

#include "evt/tail/tail.h"

#include <stddef.h>

struct wb_distances {
  double anderson_darling; /* A squared: the squared difference, weighed by 1 / (F (1 - F)) */
  double cramer_von_mises; /* W squared: the squared difference */
};

/* Both, by the sums of Stephens (1974, section 2). Each probability is taken as at least 1e-300, so
 * that values outside the support, which a fit by L-moments can have, give a large distance rather
 * than an infinite one. count > 0; ascending: sorted values, none NAN. Linear in count. */
struct wb_distances wb_distances_of(const struct wb_tail *tail, const double *ascending,
                                    size_t count);

/* Places equal values evenly over the tick around them, as far as it lies within the support of the
 * distribution; values outside the support stay. Without it the steps of the ticks are most of what
 * distances measure, and hide a misfit. ascending: sorted, and so afterwards; tick > 0. */
void wb_spread_ties(const struct wb_tail *tail, double tick, double *ascending, size_t count);

#endif
