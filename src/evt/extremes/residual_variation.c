/* Mean and coefficient of variation of excesses over every threshold, from the top down. */
#include "evt/extremes/residual_variation.h"

#include <math.h>

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
  /* CV^2 = n / (n - 1) (n G - 1) with G the sum of squared shares of the total, whose moments are
   * those of uniform spacings (Moran 1947). */
  const double mean = count / (count + 1);
  const double greenwood =
      4 * (count - 1) / ((count + 1) * (count + 1) * (count + 2) * (count + 3));
  const double factor = count * count / (count - 1);
  const double variance = factor * factor * greenwood;
  return (struct wb_exponential_variation){
      .mean = sqrt(mean) * (1 - variance / (8 * mean * mean)),
      .deviation = sqrt(variance / (4 * mean)),
  };
}
