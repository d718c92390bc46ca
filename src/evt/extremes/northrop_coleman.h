/* The score test that the shape is the same at several thresholds. */
#ifndef WB_EVT_EXTREMES_NORTHROP_COLEMAN_H
#define WB_EVT_EXTREMES_NORTHROP_COLEMAN_H

#include "evt/tail/tail.h"

#include <stddef.h>

/* Most thresholds of a test. */
#define WB_SCORE_THRESHOLDS 40

/* The p-value of the hypothesis that one GPD holds above the first threshold, within the model of
 * Northrop and Coleman (2014) whose shape may change at each threshold while the scale follows
 * continuously: score statistic with the expected information, chi-squared of threshold_count - 1
 * degrees of freedom. ascending: the values above thresholds[0], sorted; thresholds: ascending,
 * different, 2 to WB_SCORE_THRESHOLDS; tail: the maximum of the likelihood of a GPD above
 * thresholds[0]. NAN where xi <= -1/2, where the information is infinite, or where it is singular.
 * Linear in the values, cubic in the thresholds. */
double wb_northrop_coleman_p(const double *ascending, size_t count, const double *thresholds,
                             size_t threshold_count, const struct wb_tail *tail);

#endif
