#include "evt/goodness/ties.h"

#include <math.h>

static double lower_end(const struct wb_tail *tail)
{
  if (!wb_tail_is_of_maxima(tail->family))
    return tail->location;
  return tail->shape > 0 ? tail->location - tail->scale / tail->shape : -INFINITY;
}

/* The values of [first, end) are equal within rounding. */
static void spread(double *ascending, size_t first, size_t end, double low, double high)
{
  const double value = ascending[first], step = (high - low) / (double)(end - first);
  if (!(low <= value && value <= high))
    return;
  for (size_t k = first; k < end; k++)
    ascending[k] = low + step * ((double)(k - first) + 0.5);
}

void wb_spread_ties(const struct wb_tail *tail, double tick, double *ascending, size_t count)
{
  const double lowest = lower_end(tail), highest = wb_tail_upper_end(tail);
  size_t end;
  for (size_t first = 0; first < count; first = end) {
    const double value = ascending[first];
    for (end = first + 1; end < count && ascending[end] - value < tick / 2; end++)
      ;
    spread(ascending, first, end, fmax(value - tick / 2, lowest), fmin(value + tick / 2, highest));
  }
}
