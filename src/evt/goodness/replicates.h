/* Replicates of the parametric bootstrap: samples drawn from a fit, to which the same family is
 * fitted in the same way. */
#ifndef WB_EVT_GOODNESS_REPLICATES_H
#define WB_EVT_GOODNESS_REPLICATES_H

#include "evt/fit/tail_fit.h"
#include "evt/goodness/distances.h"

/* How replicates are drawn. All borrowed. */
struct wb_replicates {
  const struct wb_tail_fit *fit;
  size_t size;             /* values of a replicate */
  const double *covariate; /* of each of them, where the fit has a trend; else NULL */
  double tick;             /* of the clock; 0: continuous */
  double anchor;           /* a value that the clock can show; above the threshold */
  uint64_t seed;
};

/* The distances of replicate `index` from the fit to it; other indices have independent values, the
 * same index always the same ones. values: room for `size`, which the replicate is left in. Errors:
 * WARPBOUND_INVALID_INPUT where nothing can be fitted to it, WARPBOUND_INTERNAL. */
warpbound_status wb_replicate_distances(const struct wb_replicates *replicates, unsigned index,
                                        double *values, struct wb_distances *distances,
                                        warpbound_error *error);

/* The distances of values from a fit to them. The values are changed: the trend, if there is one,
 * is taken from them, they are sorted, and without a trend equal ones are spread over the tick. */
struct wb_distances wb_fit_distances(const struct wb_tail_fit *fit, const double *covariate,
                                     double tick, double *values, size_t count);

#endif
