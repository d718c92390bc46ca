/* Tests of a generalised Pareto distribution above one threshold, and above several. */
#ifndef WB_EVT_EXTREMES_THRESHOLD_TESTS_H
#define WB_EVT_EXTREMES_THRESHOLD_TESTS_H

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

/* The Anderson-Darling test of a generalised Pareto distribution without a bootstrap. */

/* A squared of sorted values and a distribution: linear. INFINITY where a value lies outside the
 * support. */
double wb_anderson_darling_of(const double *ascending, size_t count, const struct wb_tail *tail);

/* P(A squared > statistic) of a GPD that was fitted by maximum likelihood, by the quantiles of the
 * limit distribution (Choulakian and Stephens 2001): linear between the shapes of the table, and
 * between its levels linear in the logarithm of the probability (below the median, of its
 * complement); beyond the last level along the last step. Shapes outside -0.5 to 5 count as these.
 */
double wb_anderson_darling_p(double statistic, double shape);

/* Quantiles of the statistic with estimated scale and shape, in the limit of many values. */
#define WB_ANDERSON_DARLING_SHAPES 20
#define WB_ANDERSON_DARLING_LEVELS 24

/* xi, ascending from -0.5; below that the largest value is known so well that only one parameter is
 * estimated, and the distribution is that at -0.5. */
extern const double wb_anderson_darling_shapes[WB_ANDERSON_DARLING_SHAPES];
/* P(statistic > quantile), descending. */
extern const double wb_anderson_darling_survivals[WB_ANDERSON_DARLING_LEVELS];
extern const double wb_anderson_darling_quantiles[WB_ANDERSON_DARLING_SHAPES]
                                                 [WB_ANDERSON_DARLING_LEVELS];

#endif
