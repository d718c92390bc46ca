/* Confidence intervals of fits by likelihood. */
#ifndef WB_EVT_FIT_INTERVALS_H
#define WB_EVT_FIT_INTERVALS_H

#include "evt/fit/tail_fit.h"

/* low is -INFINITY, high INFINITY where the likelihood does not limit that side. found: false where
 * it was not computed (no likelihood fit, a profile that could not be followed). */
struct wb_interval {
  bool found;
  double low, high;
};

/* The interval of the level that the distribution exceeds with probability `survival` (0 < survival
 * < 1), by profile likelihood: all levels whose profile is within half the quantile of chi-squared
 * of 1 degree of freedom from the maximum. confidence: 0.5 to 0.9999. Of a fit with a trend:
 * not found. */
warpbound_status wb_profile_level(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                  double survival, double confidence, struct wb_interval *interval,
                                  warpbound_error *error);
/* The same of the shape. */
warpbound_status wb_profile_shape(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                  double confidence, struct wb_interval *interval,
                                  warpbound_error *error);

/* Intervals of levels by the parametric bootstrap: quantiles of the levels of fits to `replicates`
 * samples drawn from the fit. survivals[k] gives intervals[k]. The same for the same seed on any
 * number of threads. Replicates whose fit fails are counted in *failed and left out. Errors:
 * WARPBOUND_LIMIT, WARPBOUND_INTERNAL. */
warpbound_status wb_bootstrap_levels(const struct wb_tail_fit *fit, const double *survivals,
                                     size_t level_count, double confidence, unsigned replicates,
                                     uint64_t seed, const struct wb_control *control,
                                     struct wb_interval *intervals, unsigned *failed,
                                     warpbound_error *error);

#endif
