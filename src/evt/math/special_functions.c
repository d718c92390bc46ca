/* The normal distribution by erfc of the C library, chi-squared by its finite sums of Poisson
 * terms.
 */
#include "evt/math/special_functions.h"

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

/* Closed forms away from 0, Taylor series near it, where the closed forms cancel. */

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

/* Limit distributions of statistics of the Brownian bridge, from their series. */

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
