/* The Anderson-Darling test of a generalised Pareto distribution without a bootstrap. */
#ifndef WB_EVT_EXTREMES_ANDERSON_DARLING_SCAN_H
#define WB_EVT_EXTREMES_ANDERSON_DARLING_SCAN_H

#include "evt/tail/tail.h"

#include <stddef.h>

/* A squared of sorted values and a distribution: linear. INFINITY where a value lies outside the
 * support. */
double wb_anderson_darling_of(const double *ascending, size_t count, const struct wb_tail *tail);

/* P(A squared > statistic) of a GPD that was fitted by maximum likelihood, by the quantiles of the
 * limit distribution (Choulakian and Stephens 2001): linear between the shapes of the table, and
 * between its levels linear in the logarithm of the probability (below the median, of its
 * complement); beyond the last level along the last step. Shapes outside -0.5 to 5 count as these.
 */
double wb_anderson_darling_p(double statistic, double shape);

#endif
