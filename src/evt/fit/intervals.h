/* Confidence intervals of fits by likelihood. */
#ifndef WB_EVT_FIT_INTERVALS_H
#define WB_EVT_FIT_INTERVALS_H

#include "evt/fit/tail_fit.h"

/* low is -INFINITY, high INFINITY where the likelihood does not limit that side (or the end is
 * above the largest double). found: false where it was not computed (no likelihood fit, a maximum
 * on the boundary, a level above the largest double, a profile that could not be followed, as may
 * be of fewer than some twenty values); then both are NAN. */
struct wb_interval {
  bool found;
  double low, high;
};

/* The interval of the level that the distribution exceeds with probability `survival` (0 < survival
 * < 1), by profile likelihood (Coles 2001, 2.6.6): all levels whose profile is within half the
 * quantile of chi-squared of 1 degree of freedom from the maximum, over shapes xi >= -1. The
 * threshold and the share of values above it are taken as known. confidence: 0.5 to 0.9999. Of a
 * fit with a trend or at the boundary: not found. Where the fit has xi <= -0.5, the quantile of
 * chi-squared is not that of the likelihood ratio, and the interval need not cover as said.
 * Time: that of a fit's sorting and some hundred evaluations of the likelihood. Errors: those of
 * wb_tail_fit. */
warpbound_status wb_profile_level(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                  double survival, double confidence, struct wb_interval *interval,
                                  warpbound_error *error);
/* The same of the shape, of a fit with a trend too; low is -1 where the profile is within the limit
 * down to there. Of Gumbel and exponential: not found. */
warpbound_status wb_profile_shape(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                  double confidence, struct wb_interval *interval,
                                  warpbound_error *error);

/* Intervals of levels by the parametric bootstrap: quantiles of the levels of fits (wb_tail_refit)
 * to `replicates` samples of fit->count values drawn from the fit. survivals[k] gives
 * intervals[k]. The same for the same seed on any number of threads. Replicates whose fit fails are
 * counted in *failed and left out. Of a fit with a trend, or of 0 replicates: not found. Errors:
 * WARPBOUND_LIMIT (time, interruption, or not enough memory for one thread), WARPBOUND_INTERNAL;
 * then no interval is found. Time: a fit a replicate, shared by the threads. */
warpbound_status wb_bootstrap_levels(const struct wb_tail_fit *fit, const double *survivals,
                                     size_t level_count, double confidence, unsigned replicates,
                                     uint64_t seed, const struct wb_control *control,
                                     struct wb_interval *intervals, unsigned *failed,
                                     warpbound_error *error);

#endif
