/* Sums of products of values that lie some lag apart. */
#ifndef WB_EVT_TESTS_LAG_PRODUCTS_H
#define WB_EVT_TESTS_LAG_PRODUCTS_H

#include <stddef.h>

/* sums[k - 1] = sum over i of (values[i] - mean) (values[i + k] - mean), for k = 1 .. lags; 0 where
 * lags >= count. Time: count * lags. */
void wb_lag_products(const double *values, size_t count, double mean, size_t lags, double *sums);

#endif
