/* Fits of extreme value distributions: maximum likelihood, L-moments, and the exponential tail of
 * MBPTA-CV. A fit is an estimate, never a bound. */
#ifndef WB_EVT_FIT_TAIL_FIT_H
#define WB_EVT_FIT_TAIL_FIT_H

#include "base/status.h"
#include "base/work_control.h"
#include "evt/fit/fit_data.h"
#include "evt/tail/tail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most parameters of a fit: location, trend, scale, shape. */
#define WB_FIT_PARAMETERS 4

enum wb_fit_method { WB_FIT_LIKELIHOOD, WB_FIT_L_MOMENTS };

/* A fit. The parameters that are estimated, in the order of `covariance`, are those of
 * {location (GEV, Gumbel), trend (with a covariate), scale, shape (GEV, GPD)} that there are. */
struct wb_tail_fit {
  struct wb_tail tail;
  enum wb_fit_method method;
  bool has_trend;
  double trend;
  size_t count; /* of values */
  unsigned parameter_count;
  bool has_covariance; /* of likelihood with xi > -0.5 (below, errors do not follow from the
                          information: Smith 1985) and an observed information that is positive
                          definite; else covariance is 0 */
  double covariance[WB_FIT_PARAMETERS][WB_FIT_PARAMETERS];
  double negative_log_likelihood; /* at the parameters, whatever the method; may be INFINITY */
  bool at_boundary; /* the likelihood grows up to xi = -1, beyond which it has no maximum: the
                       parameters are those at -1 (scipy issue 20094) */
};

/* Fits a family. Fails with WARPBOUND_INVALID_INPUT, saying why, where a value is not finite or
 * lies below the threshold, there are fewer than parameter_count + 1 different values (one for the
 * exponential), or no maximum is found; WARPBOUND_LIMIT where the data's control says to stop;
 * WARPBOUND_INTERNAL out of memory. The likelihood is maximised by NLopt from the L-moments'
 * estimate and, of few values or where that does not lead to a maximum with xi > -0.5, from some
 * other points, with xi >= -1; Newton's method with the exact second derivatives finishes it. The
 * fit is the greatest inner maximum found, or the boundary where that is greater: the likelihood of
 * a GEV is unbounded where values are equal (a spike on these with a very heavy tail), so that
 * "greatest" can only mean that of local maxima. Deterministic; without a covariate it does not
 * depend on the order of the values. Time: that of sorting, and linear in the number of different
 * values for each of some thirty evaluations of the likelihood. */
warpbound_status wb_tail_fit(const struct wb_fit_data *data, enum wb_tail_family family,
                             enum wb_fit_method method, struct wb_tail_fit *fit,
                             warpbound_error *error);
/* The same family and method as `near`, by Newton's method from its parameters: for values drawn
 * from it. Some five evaluations; wb_tail_fit where that does not lead to a maximum with xi > -0.5.
 * Where `near` has xi <= -0.5 any maximum will do, or the boundary where that is greater. The
 * maximum found is that nearest to `near`, which need not be the greatest. near: not of a trend. */
warpbound_status wb_tail_refit(const struct wb_fit_data *data, const struct wb_tail_fit *near,
                               struct wb_tail_fit *fit, warpbound_error *error);

/* The standard error of a parameter by its place in the covariance; NAN where there is none. */
double wb_fit_error(const struct wb_tail_fit *fit, unsigned parameter);
/* The place of the scale and the shape in the covariance; parameter_count where there is none. */
unsigned wb_fit_scale_place(const struct wb_tail_fit *fit);
unsigned wb_fit_shape_place(const struct wb_tail_fit *fit);

/* The standard error of the level that the fitted distribution exceeds with probability `survival`,
 * by the delta method; of a fit with a trend where the covariate is 0. NAN where there is no
 * covariance. */
double wb_fit_level_error(const struct wb_tail_fit *fit, double survival);

#endif
