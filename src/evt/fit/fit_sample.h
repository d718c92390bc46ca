/* Data of a fit, checked and brought to a location near 0 and a scale near 1; their L-moments, and
 * their likelihood with its first and second derivatives. */
#ifndef WB_EVT_FIT_FIT_SAMPLE_H
#define WB_EVT_FIT_FIT_SAMPLE_H

#include "base/status.h"
#include "base/work_control.h"
#include "evt/fit/fit_data.h"
#include "evt/fit/minimise.h"
#include "evt/tail/tail.h"

#include <stdbool.h>
#include <stddef.h>

/* Sample L-moments l1, l2 and the ratio t3 = l3 / l2 (0 where l2 is 0). */
struct wb_l_moments {
  double l1, l2, t3;
};

/* Unbiased estimates (Hosking, J. R. Statist. Soc. B 52, 1990). count >= 1, values in ascending
 * order; l2 is 0 for one value, t3 for fewer than three. Linear in count. */
struct wb_l_moments wb_l_moments_of(const double *ascending, size_t count);
/* The same where values[k] stands weights[k] times (a whole number); total: the sum of weights. */
struct wb_l_moments wb_l_moments_of_weighted(const double *ascending, const double *weights,
                                             size_t count, double total);

/* The distribution of a family that has these L-moments; of GPD and exponential with location
 * `threshold`. Exact for all families, of GEV too, where t3 = 2 (1 - 3^xi) / (1 - 2^xi) - 3 is
 * solved for xi (Hosking 1985 has an approximation). False where there is none: l2 <= 0, |t3| >= 1
 * for GEV, l1 <= threshold for exponential and GPD. The shape of GPD is 2 - (l1 - u) / l2 and may
 * be below -1. */
bool wb_tail_of_l_moments(enum wb_tail_family family, const struct wb_l_moments *moments,
                          double threshold, struct wb_tail *tail);

/* Places of the parameters of a likelihood. */
enum { WB_LOCATION, WB_TREND, WB_LOG_SCALE, WB_SHAPE, WB_LIKELIHOOD_PARAMETERS };
_Static_assert(WB_LIKELIHOOD_PARAMETERS == WB_UNKNOWNS, "the likelihood fills a whole score");

/* Data of a likelihood, all borrowed: values[k] stands weights[k] times (NULL: once) and has
 * covariates[k] (NULL: none). Of GPD and exponential the values are excesses, >= 0, and location
 * and trend have to be 0. */
struct wb_likelihood {
  enum wb_tail_family family;
  const double *values, *weights, *covariates;
  size_t count;
  const struct wb_control *control; /* asked by evaluations of many values; NULL: never */
};

/* Negative log likelihood at location, trend (per unit of the covariate), logarithm of the scale,
 * and shape; INFINITY where a value lies outside the support or xi <= -1, and always once the
 * control says to stop, so that searches end soon; who started them asks the control what to think
 * of it. The derivatives are by all four, whether the family has them or not; garbage where the
 * value is infinite. Summed in the order of the values. Time: linear in count, some 30 ns a value.
 */
void wb_likelihood_at(const struct wb_likelihood *likelihood,
                      const double parameters[WB_LIKELIHOOD_PARAMETERS], bool with_hessian,
                      struct wb_score *score);

/* A standardised value is (value - shift) / unit, a covariate likewise. Owns `memory`, where the
 * arrays of `likelihood` lie. Equal values stand once, with a weight, but where there is a
 * covariate or the sample was made near a known distribution. */
struct wb_fit_sample {
  struct wb_likelihood likelihood;
  double shift, unit, covariate_shift, covariate_unit;
  double total;                /* of values */
  struct wb_l_moments moments; /* of standardised values, of those less their trend */
  double quantiles[3];         /* of the same: a tenth, a half and nine tenths lie below */
  double trend;                /* by least squares, standardised; 0 without a covariate */
  double least, greatest;      /* standardised value */
  unsigned free_count;         /* of parameters that are estimated */
  unsigned free[WB_LIKELIHOOD_PARAMETERS]; /* their places, ascending */
  void *memory;
};

/* WARPBOUND_INVALID_INPUT where values are not finite, lie below the threshold, have fewer
 * different values than a fit of the family needs, or cannot be standardised; WARPBOUND_INTERNAL
 * out of memory. Time: that of sorting. The caller frees the sample, after an error too. */
warpbound_status wb_fit_sample_make(const struct wb_fit_data *data, enum wb_tail_family family,
                                    struct wb_fit_sample *sample, warpbound_error *error);
/* The same without sorting, L-moments, quantiles and the check of different values, standardised by
 * the location and scale of `near`; a covariate is left out. */
warpbound_status wb_fit_sample_make_near(const struct wb_fit_data *data, const struct wb_tail *near,
                                         struct wb_fit_sample *sample, warpbound_error *error);
void wb_fit_sample_free(struct wb_fit_sample *sample);

/* Between a fit's parameters and those of the likelihood of the standardised sample. */
void wb_fit_sample_standardise(const struct wb_fit_sample *sample, const struct wb_tail *tail,
                               double trend, double parameters[WB_LIKELIHOOD_PARAMETERS]);
struct wb_tail wb_fit_sample_tail(const struct wb_fit_sample *sample,
                                  const double parameters[WB_LIKELIHOOD_PARAMETERS], double *trend);
/* Negative log likelihood in the unit of the data. */
double wb_fit_sample_value(const struct wb_fit_sample *sample, double standardised_value);

#endif
