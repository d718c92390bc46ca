/* The Anderson-Darling test of a generalised Pareto distribution without a bootstrap. */
#include "evt/extremes/anderson_darling_scan.h"

#include <math.h>

double wb_anderson_darling_of(const double *ascending, size_t count, const struct wb_tail *tail)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const double below = wb_tail_distribution(tail, ascending[i]);
    const double above = wb_tail_survival(tail, ascending[i]);
    if (!(below > 0 && above > 0))
      return INFINITY;
    sum += (2 * (double)i + 1) * log(below) + (2 * (double)(count - i) - 1) * log(above);
  }
  return -(double)count - sum / (double)count;
}

/* The quantile of a level at a shape. */
static double quantile_at(unsigned row, double share, unsigned level)
{
  const double low = wb_anderson_darling_quantiles[row][level];
  const double high = wb_anderson_darling_quantiles[row + 1][level];
  return low + share * (high - low);
}

double wb_anderson_darling_p(double statistic, double shape)
{
  unsigned row = 0, level = 0; /* the row at or below the shape */
  while (row + 2 < WB_ANDERSON_DARLING_SHAPES && wb_anderson_darling_shapes[row + 1] <= shape)
    row++;
  const double row_low = wb_anderson_darling_shapes[row];
  const double row_high = wb_anderson_darling_shapes[row + 1];
  const double row_share = fmin(1, fmax(0, (shape - row_low) / (row_high - row_low)));
  while (level + 2 < WB_ANDERSON_DARLING_LEVELS &&
         quantile_at(row, row_share, level + 1) <= statistic)
    level++;
  const double low = quantile_at(row, row_share, level);
  const double high = quantile_at(row, row_share, level + 1);
  const double share = fmax(0, (statistic - low) / (high - low));
  const double from = wb_anderson_darling_survivals[level];
  const double to = wb_anderson_darling_survivals[level + 1];
  /* In the logarithm of the survival, or of its complement where that is smaller. */
  if (from > 0.5)
    return -expm1(log1p(-from) + share * (log1p(-to) - log1p(-from)));
  return exp(log(from) + share * (log(to) - log(from)));
}
