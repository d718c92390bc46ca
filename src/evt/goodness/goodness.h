/* Whether a fitted distribution is one that the values can come from. */
#ifndef WB_EVT_GOODNESS_GOODNESS_H
#define WB_EVT_GOODNESS_GOODNESS_H

#include "evt/fit/tail_fit.h"

/* Statistics of the distance between the empirical and the fitted distribution, with p-values by
 * parametric bootstrap (the parameters are fitted to each replicate again: the textbook tables hold
 * for known parameters alone). */
struct wb_goodness {
  double anderson_darling, anderson_darling_p; /* A squared, which weighs the tails */
  double cramer_von_mises, cramer_von_mises_p; /* W squared */
  unsigned replicates;                         /* that could be fitted */
  size_t compared; /* values that entered: large samples are thinned evenly by rank; see .c */
};

/* tick: the resolution of the clock in the unit of the values, to which replicates are rounded as
 * the values were; 0: continuous. The same for the same seed on any number of threads. Errors:
 * WARPBOUND_LIMIT, WARPBOUND_INTERNAL. */
warpbound_status wb_goodness_of_fit(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                    double tick, unsigned replicates, uint64_t seed,
                                    const struct wb_control *control, struct wb_goodness *goodness,
                                    warpbound_error *error);

/* The likelihood ratio test of a family in a larger one (Gumbel in GEV, exponential in GPD, no
 * trend in a trend): twice the gain, and the p-value by chi-squared of 1 degree of freedom. */
struct wb_likelihood_ratio {
  double statistic, p_value;
};
struct wb_likelihood_ratio wb_likelihood_ratio_of(const struct wb_tail_fit *smaller,
                                                  const struct wb_tail_fit *larger);

#endif
