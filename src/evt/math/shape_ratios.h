/* log(1 + t) / t and (exp(t) - 1) / t with their derivatives, smooth through t = 0: the two
 * functions by which a shape enters an extreme value distribution. */
#ifndef WB_EVT_MATH_SHAPE_RATIOS_H
#define WB_EVT_MATH_SHAPE_RATIOS_H

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

#endif
