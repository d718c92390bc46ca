#include "evt/tests/lag_products.h"

/* The lag is the inner loop: the values stay in the cache, and the sums can be computed side by
 * side in the order in which each is defined. */
void wb_lag_products(const double *values, size_t count, double mean, size_t lags, double *sums)
{
  for (size_t k = 0; k < lags; k++)
    sums[k] = 0;
  for (size_t i = 0; i + 1 < count; i++) {
    const double here = values[i] - mean;
    const double *const later = values + i + 1;
    const size_t most = count - 1 - i < lags ? count - 1 - i : lags;
    for (size_t k = 0; k < most; k++)
      sums[k] += here * (later[k] - mean);
  }
}
