/* The normal distribution by erfc of the C library, chi-squared by its finite sums of Poisson
 * terms.
 */
#include "evt/math/chi_squared.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

double wb_normal_survival(double x)
{
  return 0.5 * erfc(x * M_SQRT1_2);
}

/* The level of 0 < survival <= 0.5: a start with an error below 4.5e-4 (Abramowitz and Stegun
 * 26.2.23), and Halley's method, of which each step makes the error its third power. */
static double upper_level(double survival)
{
  const double t = sqrt(-2.0 * log(survival));
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                     (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
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

/* exp(-h) h^z / gamma(z + 1), h > 0, z >= 0. The C library's lgamma writes a global sign, and its
 * size would cancel against z log h: for large z by Stirling's series around h = z instead. */
static double poisson_term(double z, double h)
{
  if (z < 100)
    return exp(z * log(h) - h - log(tgamma(z + 1.0)));
  const double remainder = (1.0 / 12 - (1.0 / 360 - 1.0 / (1260 * z * z)) / (z * z)) / z;
  const double ratio = (h - z) / z;
  return exp(z * (log1p(ratio) - ratio) - remainder) / sqrt(2.0 * M_PI * z);
}

/* The sum of poisson_term over z = first, first + 1 ... last, from its greatest term outwards. */
static double poisson_sum(double first, double last, double h)
{
  double peak = first;
  if (h > first)
    peak = fmin(last, first + floor(h - first));
  double sum = poisson_term(peak, h);
  const double negligible = sum * 1e-17;
  double term = sum, z = peak;
  while (z > first && term > negligible) {
    term *= z / h;
    sum += term;
    z -= 1.0;
  }
  term = poisson_term(peak, h);
  z = peak + 1.0;
  while (z <= last && term > negligible) {
    term *= h / z;
    sum += term;
    z += 1.0;
  }
  return sum;
}

double wb_chi_squared_survival(double x, unsigned degrees)
{
  assert(degrees >= 1);
  if (isnan(x))
    return NAN;
  if (x <= 0)
    return 1.0;
  if (isinf(x))
    return 0.0;
  const double h = 0.5 * x;
  const bool odd = degrees % 2 == 1;
  double survival = odd ? erfc(sqrt(h)) : 0.0;
  if (degrees > 1)
    survival += poisson_sum(odd ? 0.5 : 0.0, 0.5 * degrees - 1.0, h);
  return fmin(survival, 1.0);
}

double wb_chi_squared_level(double survival, unsigned degrees)
{
  if (!(survival >= 0 && survival <= 1))
    return NAN;
  if (survival == 0 || survival == 1)
    return survival == 0 ? INFINITY : 0.0;
  if (degrees == 1) {
    const double level = wb_normal_level(0.5 * survival);
    return level * level;
  }
  double low = 0, high = degrees;
  while (wb_chi_squared_survival(high, degrees) > survival) {
    low = high;
    high *= 2.0;
  }
  for (;;) {
    const double middle = low + 0.5 * (high - low);
    if (middle <= low || middle >= high)
      return middle;
    if (wb_chi_squared_survival(middle, degrees) > survival)
      low = middle;
    else
      high = middle;
  }
}
