/* Control of false discoveries in an ordered list of tests. */
#ifndef WB_EVT_EXTREMES_FORWARD_STOP_H
#define WB_EVT_EXTREMES_FORWARD_STOP_H

#include <stddef.h>

/* ForwardStop (G'Sell, Wager, Chouldechova and Tibshirani 2016; Bader, Yan and Zhang 2018, eq. 4):
 * of hypotheses in order, the first k are refused, k the largest index with
 * -(1 / k) sum of log(1 - p[i]), i <= k, at most the rate of false discoveries. adjusted[i] is the
 * least rate at which hypothesis i is refused; it does not fall with i. A p-value of 0 stands for a
 * hypothesis that is refused for certain; NAN counts as 0. Independent p-values are assumed; those
 * of nested samples are not, see doc/measured/evt-thresholds.md. Linear. */
void wb_forward_stop(const double *p_values, size_t count, double *adjusted);

#endif
