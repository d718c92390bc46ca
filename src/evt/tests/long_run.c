#include "evt/tests/long_run.h"

#include "base/memory.h"
#include "evt/tests/lag_products.h"

#include <math.h>
#include <stdlib.h>

static double first_autocorrelation(const struct wb_ranks *ranks)
{
  double product;
  wb_lag_products(ranks->centred, ranks->count, 0, 1, &product);
  return product / ranks->square_sum;
}

/* A fixed number of lags would take dependence for a change of the level, or see changes of short
 * series too rarely. 12 (n / 100)^(1/4) is the larger of the two rules of Kwiatkowski et al. */
static size_t lags_of(const struct wb_ranks *ranks)
{
  const double n = (double)ranks->count;
  const double r = first_autocorrelation(ranks);
  const double part = 2 * r / (1 - r * r);
  return (size_t)fmin(1.1447 * cbrt(part * part * n), fmin(12 * pow(n / 100, 0.25), n - 1));
}

/* Bartlett's weights 1 - k / (lags + 1) keep it from falling below 0. A series that alternates
 * strictly has none: a share of the variance is the least that is assumed. */
static double share_of(const struct wb_ranks *ranks, size_t lags, const double *products)
{
  const double all = (double)lags + 1;
  double sum = ranks->square_sum;
  for (size_t k = 1; k <= lags; k++)
    sum += 2 * (1 - (double)k / all) * products[k - 1];
  return fmax(sum / ranks->square_sum, 1 / all);
}

warpbound_status wb_long_run_of(const struct wb_ranks *ranks, struct wb_long_run *long_run,
                                warpbound_error *error)
{
  const size_t lags = lags_of(ranks);
  double *const products = wb_allocate(lags, sizeof *products);
  if (products == NULL)
    return wb_out_of_memory(error);
  wb_lag_products(ranks->centred, ranks->count, 0, lags, products);
  *long_run = (struct wb_long_run){share_of(ranks, lags, products), lags};
  free(products);
  return WARPBOUND_OK;
}

warpbound_status wb_long_run_if_dependent(const struct wb_ranks *ranks,
                                          struct wb_long_run *long_run, warpbound_error *error)
{
  *long_run = (struct wb_long_run){.share = 1};
  if (fabs(first_autocorrelation(ranks)) * sqrt((double)ranks->count) <= 2)
    return WARPBOUND_OK;
  return wb_long_run_of(ranks, long_run, error);
}
