/* Limit distributions of statistics of the Brownian bridge, from their series. */
#include "evt/tests/limits.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* P(sup |B| <= x) by the series dual to it, sqrt(2 pi) / x sum_j exp(-(2 j - 1)^2 pi^2 / (8 x^2)):
 * few terms for small x. */
static double supremum_below(double x)
{
  double sum = 0;
  for (int j = 1; j <= 100; j++) {
    const double odd = 2.0 * j - 1;
    const double term = exp(-odd * odd * pi * pi / (8 * x * x));
    sum += term;
    if (term <= 1e-17 * sum)
      break;
  }
  return sqrt(2 * pi) / x * sum;
}

double wb_bridge_supremum_survival(double x)
{
  if (isnan(x))
    return x;
  if (x <= 0)
    return 1;
  /* 2 sum_j (-1)^(j - 1) exp(-2 j^2 x^2): few terms for large x. */
  if (x < 1)
    return 1 - supremum_below(x);
  double sum = 0;
  for (int j = 1; j <= 100; j++) {
    const double term = exp(-2.0 * j * j * x * x);
    sum += j % 2 != 0 ? term : -term;
    if (term <= 1e-17 * sum)
      break;
  }
  return 2 * sum;
}

/* exp(z) K(z) of the modified Bessel function of order 1/4, z > 0:
 * the integral over t >= 0 of exp(-z (cosh t - 1)) cosh(t / 4), by the trapezoidal rule, whose
 * error for this integrand falls exponentially with the width. */
static double scaled_bessel(double z)
{
  const double width = 1.0 / 32;
  double sum = 0.5;
  for (int k = 1; k <= 1024; k++) {
    const double t = k * width;
    const double half = sinh(t / 2);
    const double term = exp(-2 * z * half * half) * cosh(t / 4);
    sum += term;
    if (term <= 1e-18 * sum)
      break;
  }
  return sum * width;
}

/* Anderson and Darling's series of P(integral <= x). Its terms fall as exp(-(4 j + 1)^2 / (8 x)).
 */
static double square_below(double x)
{
  double sum = 0;
  double binomial = 1; /* (-1)^j binomial(-1/2, j) = (1/2) (3/2) ... / j! */
  for (int j = 0; j < 200; j++) {
    const double odd = 4.0 * j + 1;
    const double z = odd * odd / (16 * x);
    const double term = binomial * sqrt(odd) * exp(-2 * z) * scaled_bessel(z);
    sum += term;
    if (term <= 1e-18 * sum)
      break;
    binomial *= (j + 0.5) / (j + 1);
  }
  return sum / (pi * sqrt(x));
}

double wb_bridge_square_survival(double x)
{
  if (isnan(x))
    return x;
  if (x <= 0)
    return 1;
  const double survival = x < 8 ? 1 - square_below(x) : 0;
  /* The integral is a sum of Z_j^2 / (pi j)^2 of normal Z_j: its upper tail is that of the first
   * term times the product of (1 - 1 / j^2)^(-1/2) over j >= 2, which is sqrt(2). */
  return survival > 1e-10 ? survival : sqrt(2) * erfc(pi * sqrt(x / 2));
}
