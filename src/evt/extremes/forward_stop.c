/* Control of false discoveries in an ordered list of tests. */
#include "evt/extremes/forward_stop.h"

#include <math.h>

#define LARGEST_P (1 - 1e-12) /* so that the sum stays finite */

void wb_forward_stop(const double *p_values, size_t count, double *adjusted)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    if (!isnan(p_values[i]))
      sum -= log1p(-fmin(p_values[i], LARGEST_P));
    adjusted[i] = fmin(1, sum / (double)(i + 1));
  }
  for (size_t i = count; i-- > 1;)
    adjusted[i - 1] = fmin(adjusted[i - 1], adjusted[i]);
}
