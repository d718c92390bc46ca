/* The standard normal distribution, and the chi-squared distribution of an integer number of
 * degrees of freedom. */
#ifndef WB_EVT_MATH_CHI_SQUARED_H
#define WB_EVT_MATH_CHI_SQUARED_H

/* P(X > x) of a normal X, however small, with a relative error of about 1e-16 (1 + x^2). NAN gives
 * NAN. */
double wb_normal_survival(double x);
/* The x that is exceeded with probability `survival`: wb_normal_level(0.025) is 1.96. -INFINITY at
 * 1, INFINITY at 0, NAN outside 0 to 1. Relative accuracy about 1e-15 for survival <= 0.5; above
 * that it is limited by the digits of 1 - survival. */
double wb_normal_level(double survival);

/* P(X > x) of `degrees` >= 1 degrees of freedom: the p-value of a statistic x. Finite sums of
 * positive terms (Abramowitz and Stegun 26.4.4 and 26.4.5), so it has no cancellation for small
 * probabilities: relative accuracy about 1e-12 for degrees up to 10^5. 1 for x <= 0, NAN for NAN.
 * Time: linear in the square root of degrees, about. */
double wb_chi_squared_survival(double x, unsigned degrees);
/* The x that is exceeded with probability `survival`: wb_chi_squared_level(0.05, 1) is 3.84. 0 at
 * 1, INFINITY at 0, NAN outside 0 to 1. */
double wb_chi_squared_level(double survival, unsigned degrees);

#endif
