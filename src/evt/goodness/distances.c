#include "evt/goodness/distances.h"

#include <assert.h>
#include <math.h>

#define LEAST_PROBABILITY 1e-300

static double log_probability(double probability)
{
  return log(fmax(probability, LEAST_PROBABILITY));
}

/* The sum of Stephens has ln F of the i-th smallest with ln (1 - F) of the i-th largest; by value
 * each i counts 2i - 1 times for the former and 2n + 1 - 2i times for the latter. */
struct wb_distances wb_distances_of(const struct wb_tail *tail, const double *ascending,
                                    size_t count)
{
  assert(count > 0);
  const double n = (double)count;
  double logarithms = 0, squares = 0;
  for (size_t k = 0; k < count; k++) {
    const double twice = 2 * (double)k + 1; /* 2i - 1 */
    const double below = wb_tail_distribution(tail, ascending[k]);
    const double above = wb_tail_survival(tail, ascending[k]);
    logarithms +=
        (twice / n) * log_probability(below) + ((2 * n - twice) / n) * log_probability(above);
    const double difference = below - twice / (2 * n);
    squares += difference * difference;
  }
  return (struct wb_distances){.anderson_darling = -n - logarithms,
                               .cramer_von_mises = 1 / (12 * n) + squares};
}
