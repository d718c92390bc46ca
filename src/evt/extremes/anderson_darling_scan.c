/* The Anderson-Darling test of a generalised Pareto distribution without a bootstrap. */
#include "evt/extremes/anderson_darling_scan.h"

#include "evt/extremes/anderson_darling_table.h"

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

/* The row at or below a shape, and how far the shape lies towards the next one. */
static unsigned find_row(double shape, double *share)
{
  unsigned row = 0;
  while (row + 2 < WB_ANDERSON_DARLING_SHAPES && wb_anderson_darling_shapes[row + 1] <= shape)
    row++;
  const double low = wb_anderson_darling_shapes[row];
  const double high = wb_anderson_darling_shapes[row + 1];
  *share = fmin(1, fmax(0, (shape - low) / (high - low)));
  return row;
}

/* Interpolates in the logarithm of the survival, or of its complement where that is smaller. */
static double interpolate(double from, double to, double share)
{
  if (from > 0.5)
    return -expm1(log1p(-from) + share * (log1p(-to) - log1p(-from)));
  return exp(log(from) + share * (log(to) - log(from)));
}

double wb_anderson_darling_p(double statistic, double shape)
{
  double row_share;
  const unsigned row = find_row(shape, &row_share);
  unsigned level = 0;
  while (level + 2 < WB_ANDERSON_DARLING_LEVELS &&
         quantile_at(row, row_share, level + 1) <= statistic)
    level++;
  const double low = quantile_at(row, row_share, level);
  const double high = quantile_at(row, row_share, level + 1);
  const double share = fmax(0, (statistic - low) / (high - low));
  return interpolate(wb_anderson_darling_survivals[level], wb_anderson_darling_survivals[level + 1],
                     share);
}
