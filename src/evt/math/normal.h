/* The standard normal distribution. */
#ifndef WB_EVT_MATH_NORMAL_H
#define WB_EVT_MATH_NORMAL_H

/* P(X <= x), however small, with a relative error of about 1e-16 (1 + x^2). NAN gives NAN. */
double wb_normal_distribution(double x);
/* P(X > x), without cancellation for large x. */
double wb_normal_survival(double x);
/* The x that is exceeded with probability `survival`: wb_normal_level(0.025) is 1.96. -INFINITY at
 * 1, INFINITY at 0, NAN outside 0 to 1. Relative accuracy about 1e-15 for survival <= 0.5; above
 * that it is limited by the digits of 1 - survival. */
double wb_normal_level(double survival);

#endif
