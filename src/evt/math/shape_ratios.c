/* Closed forms away from 0, Taylor series near it, where the closed forms cancel. */
#include "evt/math/shape_ratios.h"

#include <math.h>

/* Below this, the series of log(1 + t) / t has all digits after SERIES_TERMS terms. */
#define SERIES_RANGE 0.02
#define SERIES_TERMS 9

double wb_log_ratio(double t)
{
  return fabs(t) < 1e-300 ? 1.0 : log1p(t) / t;
}

double wb_log_ratio_first(double t, double value)
{
  if (fabs(t) >= SERIES_RANGE)
    return (1.0 / (1.0 + t) - value) / t;
  double sum = 0;
  for (int k = SERIES_TERMS; k >= 1; k--)
    sum = (double)k / (k + 1) - t * sum;
  return -sum;
}

static double log_ratio_second(double t, double first)
{
  if (fabs(t) >= SERIES_RANGE)
    return -(1.0 / ((1.0 + t) * (1.0 + t)) + 2.0 * first) / t;
  double sum = 0;
  for (int k = SERIES_TERMS + 1; k >= 2; k--)
    sum = (double)k * (k - 1) / (k + 1) - t * sum;
  return sum;
}

struct wb_curve wb_log_ratio_curve(double t)
{
  const double value = wb_log_ratio(t);
  const double first = wb_log_ratio_first(t, value);
  return (struct wb_curve){value, first, log_ratio_second(t, first)};
}

double wb_exp_ratio(double t)
{
  return fabs(t) < 1e-300 ? 1.0 : expm1(t) / t;
}

struct wb_curve wb_log_of_exp_ratio(double t)
{
  if (fabs(t) < 0.5) {
    /* log(E(t)) = t / 2 + log(sinh(h) / h), h = t / 2, whose series in h is even. */
    static const double term[] = {1.0 / 6,      -1.0 / 180,   1.0 / 2835,
                                  -1.0 / 37800, 1.0 / 467775, -691.0 / 3831077250.0};
    const double h = 0.5 * t;
    double value = 0, first = 0, second = 0;
    for (int k = 5; k >= 0; k--) {
      const double power = 2.0 * (k + 1);
      value = value * h * h + term[k];
      first = first * h * h + power * term[k];
      second = second * h * h + power * (power - 1.0) * term[k];
    }
    return (struct wb_curve){h + value * h * h, 0.5 + 0.5 * first * h, 0.25 * second};
  }
  /* With q = exp(-|t|): log((1 - q) / |t|), and t more for t > 0. */
  const double q = exp(-fabs(t)), rest = -expm1(-fabs(t));
  return (struct wb_curve){
      log(rest / fabs(t)) + fmax(t, 0.0),
      (t > 0 ? 1.0 / rest : -q / rest) - 1.0 / t,
      1.0 / (t * t) - q / (rest * rest),
  };
}
