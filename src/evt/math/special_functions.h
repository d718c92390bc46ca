/* The standard normal distribution, and the chi-squared distribution of an integer number of
 * degrees of freedom. */
#ifndef WB_EVT_MATH_SPECIAL_FUNCTIONS_H
#define WB_EVT_MATH_SPECIAL_FUNCTIONS_H

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

/* log(1 + t) / t and (exp(t) - 1) / t with their derivatives, smooth through t = 0: the two
 * functions by which a shape enters an extreme value distribution. */

/* A function of t at one place, and its first two derivatives. */
struct wb_curve {
  double value, first, second;
};

/* log(1 + t) / t, 1 at t = 0. t > -1. Relative accuracy of the value 1e-15, of the first
 * derivative 1e-14, of the second 1e-11. */
double wb_log_ratio(double t);
double wb_log_ratio_first(double t, double value);
struct wb_curve wb_log_ratio_curve(double t);

/* (exp(t) - 1) / t, 1 at t = 0; INFINITY where it overflows. */
double wb_exp_ratio(double t);
/* Its logarithm, which does not overflow. */
struct wb_curve wb_log_of_exp_ratio(double t);

/* Limit distributions of statistics of the Brownian bridge: p-values of tests of change. */

/* P(sup |B| > x) of a Brownian bridge B on 0 to 1 (Kolmogorov 1933): 1 for x <= 0, NAN for NAN. */
double wb_bridge_supremum_survival(double x);

/* P(integral of B^2 > x) of a Brownian bridge B (Anderson and Darling 1952, equation 4.35): the
 * limit of the statistics of Cramer and von Mises and of Kwiatkowski et al. Absolute accuracy
 * 1e-13; below 1e-10, which it is from about x = 4.6 on, a relative one of some percent. 1 for x <=
 * 0. */
double wb_bridge_square_survival(double x);

#endif
