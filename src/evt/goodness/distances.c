#include "evt/goodness/distances.h"

#include <assert.h>
#include <math.h>

#define LEAST_PROBABILITY 1e-300

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
    logarithms += (twice / n) * log(fmax(below, LEAST_PROBABILITY)) +
                  ((2 * n - twice) / n) * log(fmax(above, LEAST_PROBABILITY));
    const double difference = below - twice / (2 * n);
    squares += difference * difference;
  }
  return (struct wb_distances){.anderson_darling = -n - logarithms,
                               .cramer_von_mises = 1 / (12 * n) + squares};
}

void wb_spread_ties(const struct wb_tail *tail, double tick, double *ascending, size_t count)
{
  const double lower_end = tail->shape > 0 ? tail->location - tail->scale / tail->shape : -INFINITY;
  const double lowest = wb_tail_is_of_maxima(tail->family) ? lower_end : tail->location;
  const double highest = wb_tail_upper_end(tail);
  size_t end;
  for (size_t first = 0; first < count; first = end) {
    const double value = ascending[first];
    for (end = first + 1; end < count && ascending[end] - value < tick / 2; end++)
      ;
    /* The values of [first, end) are equal within rounding. */
    const double low = fmax(value - tick / 2, lowest), high = fmin(value + tick / 2, highest);
    const double step = (high - low) / (double)(end - first);
    for (size_t k = first; k < end && low <= value && value <= high; k++)
      ascending[k] = low + step * ((double)(k - first) + 0.5);
  }
}
