/* The standard normal distribution by erfc of the C library. */
#include "evt/math/normal.h"

#include <math.h>

double wb_normal_distribution(double x)
{
  return wb_normal_survival(-x);
}

double wb_normal_survival(double x)
{
  return 0.5 * erfc(x * M_SQRT1_2);
}

/* A start with an error below 4.5e-4 (Abramowitz and Stegun 26.2.23); 0 < survival <= 0.5. */
static double rough_level(double survival)
{
  const double t = sqrt(-2.0 * log(survival));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

/* Halley's method on the survival; each step makes the error its third power. */
static double upper_level(double survival)
{
  double x = rough_level(survival);
  for (int step = 0; step < 3; step++) {
    const double density = exp(-0.5 * x * x) / sqrt(2.0 * M_PI);
    if (density <= 0)
      break;
    const double newton = (wb_normal_survival(x) - survival) / density;
    x += newton / (1.0 + 0.5 * x * newton);
  }
  return x;
}

double wb_normal_level(double survival)
{
  if (!(survival >= 0 && survival <= 1))
    return NAN;
  if (survival == 0 || survival == 1)
    return survival == 0 ? INFINITY : -INFINITY;
  return survival <= 0.5 ? upper_level(survival) : -upper_level(1.0 - survival);
}
