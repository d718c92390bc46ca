/* The likelihood of extreme value distributions with its first and second derivatives. */
#ifndef WB_EVT_FIT_LIKELIHOOD_H
#define WB_EVT_FIT_LIKELIHOOD_H

#include "base/work_control.h"
#include "evt/fit/minimise.h"
#include "evt/tail/tail.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
