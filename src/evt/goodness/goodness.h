/* Whether a fitted distribution is one that the values can come from. */
#ifndef WB_EVT_GOODNESS_GOODNESS_H
#define WB_EVT_GOODNESS_GOODNESS_H

#include "evt/fit/tail_fit.h"
#include "evt/tail/tail.h"

#include <stddef.h>

/* Values that are compared at most, where the clock is not fine. */
#define WB_PART_VALUES 4000

/* Statistics of the distance between the empirical and the fitted distribution, with p-values by
 * parametric bootstrap (the parameters are fitted to each replicate again: the textbook tables hold
 * for known parameters alone). */
struct wb_goodness {
  double anderson_darling, anderson_darling_p; /* A squared, which weighs the tails */
  double cramer_von_mises, cramer_von_mises_p; /* W squared */
  unsigned replicates;                         /* that could be fitted */
  size_t compared; /* values that entered: all, or where the clock's ticks are coarse and the
                      sample is large a random part of WB_PART_VALUES */
};

/* data, fit: what was fitted (count > 0), and the fit. tick: the resolution of the clock in the
 * unit of the values, to which replicates are rounded as the values were; 0: continuous. Above a
 * threshold that is not half a tick below the least value, ticks are a misfit of their own. A
 * p-value is (1 + replicates that lie as far from their fit) / (1 + replicates), NAN where there
 * are none (Davison and Hinkley 1997, section 4.2.3; Stute, Gonzales Manteiga and Presedo Quindimil
 * 1993). The same for the same seed on any number of threads. Time: `replicates` fits of up to
 * 1,000 values (4,000 of few different values), and sorting of all. Errors: WARPBOUND_LIMIT (time,
 * an interruption), WARPBOUND_INTERNAL, WARPBOUND_INVALID_INPUT where nothing can be fitted to a
 * part. */
warpbound_status wb_goodness_of_fit(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                    double tick, unsigned replicates, uint64_t seed,
                                    const struct wb_control *control, struct wb_goodness *goodness,
                                    warpbound_error *error);

/* The likelihood ratio test of a family in a larger one (Gumbel in GEV, exponential in GPD, no
 * trend in a trend) on the same data: twice the gain in likelihood, and the p-value by chi-squared
 * of 1 degree of freedom. For the p-value of a family in a larger one the statistic of n values is
 * divided by its mean under the hypothesis, 1 + 2.5 / n or 1 + 9 / n (Bartlett's correction, by
 * simulation): without it the exponential is refused at 5 % in 8 % of samples of 50. NAN where
 * neither has a likelihood. */
struct wb_likelihood_ratio {
  double statistic, p_value;
};
struct wb_likelihood_ratio wb_likelihood_ratio_of(const struct wb_tail_fit *smaller,
                                                  const struct wb_tail_fit *larger);

/* The distance between the empirical distribution of values and a given one. */

struct wb_distances {
  double anderson_darling; /* A squared: the squared difference, weighed by 1 / (F (1 - F)) */
  double cramer_von_mises; /* W squared: the squared difference */
};

/* Both, by the sums of Stephens (1974, section 2). Each probability is taken as at least 1e-300, so
 * that values outside the support, which a fit by L-moments can have, give a large distance rather
 * than an infinite one. count > 0; ascending: sorted values, none NAN. Linear in count. */
struct wb_distances wb_distances_of(const struct wb_tail *tail, const double *ascending,
                                    size_t count);

/* Places equal values evenly over the tick around them, as far as it lies within the support of the
 * distribution; values outside the support stay. Without it the steps of the ticks are most of what
 * distances measure, and hide a misfit. ascending: sorted, and so afterwards; tick > 0. */
void wb_spread_ties(const struct wb_tail *tail, double tick, double *ascending, size_t count);

#endif
