#include "evt/tests/trend.h"

#include "evt/math/normal.h"

#include <math.h>

/* The pairs in order, less those out of order, of value k with earlier ones; *tied: earlier equal
 * ones. */
static double order_of(const double *values, size_t k, double *tied)
{
  double balance = 0;
  *tied = 0;
  for (size_t earlier = 0; earlier < k; earlier++) {
    balance += (values[k] > values[earlier]) - (values[k] < values[earlier]);
    *tied += values[k] == values[earlier];
  }
  return balance;
}

static double variance_term(double count)
{
  return count * (count - 1) * (2 * count + 5) / 18;
}

struct wb_test wb_test_trend(const double *values, size_t count)
{
  struct wb_test test = {.statistic = NAN, .p_value = NAN, .detail = NAN};
  if (count < 10)
    return test;
  double balance = 0, variance = variance_term((double)count);
  for (size_t k = 0; k < count; k++) {
    double tied;
    balance += order_of(values, k, &tied);
    /* The k-th of equal values takes from the variance what its group grows by. */
    variance -= variance_term(tied + 1) - variance_term(tied);
  }
  test.detail = balance / ((double)count * ((double)count - 1) / 2);
  if (!(variance > 0))
    return test;
  test.statistic = balance == 0 ? 0 : (fabs(balance) - 1) / sqrt(variance) * (balance > 0 ? 1 : -1);
  test.p_value = fmin(1, 2 * wb_normal_survival(fabs(test.statistic)));
  return test;
}
