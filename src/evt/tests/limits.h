/* Limit distributions of statistics of the Brownian bridge: p-values of tests of change. */
#ifndef WB_EVT_TESTS_LIMITS_H
#define WB_EVT_TESTS_LIMITS_H

/* P(sup |B| > x) of a Brownian bridge B on 0 to 1 (Kolmogorov 1933): 1 for x <= 0, NAN for NAN. */
double wb_bridge_supremum_survival(double x);

/* P(integral of B^2 > x) of a Brownian bridge B (Anderson and Darling 1952, equation 4.35): the
 * limit of the statistics of Cramer and von Mises and of Kwiatkowski et al. Absolute accuracy
 * 1e-13; below 1e-10, which it is from about x = 4.6 on, a relative one of some percent. 1 for x <=
 * 0. */
double wb_bridge_square_survival(double x);

#endif
