/* Mean and coefficient of variation of excesses over every threshold, from the top down. */
#include "evt/extremes/residual_variation.h"

#include <math.h>

#define LIMIT_COUNT 10000 /* beyond, the limits are exact to four digits */

void wb_top_moments_add(struct wb_top_moments *moments, double value)
{
  const double difference = value - moments->mean;
  moments->count += 1;
  moments->mean += difference / moments->count;
  moments->squares += difference * (value - moments->mean);
}

double wb_top_deviation(const struct wb_top_moments *moments)
{
  return moments->count < 2 ? 0 : sqrt(moments->squares / (moments->count - 1));
}

double wb_top_variation(const struct wb_top_moments *moments, double threshold)
{
  return wb_top_deviation(moments) / (moments->mean - threshold);
}

struct wb_exponential_variation wb_exponential_variation_of(double count)
{
  if (count > LIMIT_COUNT)
    return (struct wb_exponential_variation){.mean = 1 - 1 / count, .deviation = 1 / sqrt(count)};
  /* Central moments of G, the sum of the squared shares that n exponential values have of their
   * total: the shares are uniform spacings, so that the moments of their products are those of
   * Dirichlet's distribution (Moran 1947). */
  const double n = count, pairs = n * (n - 1);
  const double third_product = (n + 1) * (n + 2) * (n + 3) * n;
  const double square = (24 * n + 4 * pairs) / third_product;
  const double cube =
      (720 * n + 144 * pairs + 8 * pairs * (n - 2)) / (third_product * (n + 4) * (n + 5));
  const double g_mean = 2 / (n + 1);
  const double g_second = 4 * (n - 1) / ((n + 1) * (n + 1) * (n + 2) * (n + 3));
  const double g_third = cube - 3 * square * g_mean + 2 * g_mean * g_mean * g_mean;
  /* Y = CV^2 = n / (n - 1) (n G - 1), and the moments of its root by Taylor's series */
  const double factor = count * count / (count - 1);
  const double mean = count / (count + 1);
  const double variance = factor * factor * g_second;
  const double third = factor * factor * factor * g_third;
  const double spread = variance * variance;
  return (struct wb_exponential_variation){
      .mean = sqrt(mean) * (1 - variance / (8 * pow(mean, 2)) + third / (16 * pow(mean, 3)) -
                            15 * spread / (128 * pow(mean, 4))),
      .deviation = sqrt(variance / (4 * mean) - third / (8 * pow(mean, 2)) +
                        7 * spread / (32 * pow(mean, 3))),
  };
}
