/* The likelihood by the reduced value y = log(1 + xi z) / xi: a value adds
 * log sigma + (1 + xi) y, and of maxima exp(-y) more. */
#include "evt/fit/likelihood.h"

#include "evt/math/shape_ratios.h"

#include <math.h>
#include <string.h>

/* Values of an evaluation, some 30 us, from which on the control is asked before it. */
#define MANY_VALUES 1000

/* One value's part of the likelihood but log sigma, and its derivatives by z and xi. */
struct term {
  double value, z, shape, zz, z_shape, shape_shape;
};

/* y and its derivatives by z and xi. w = 1 + xi z > 0. */
struct reduced {
  double y, z, shape, zz, z_shape, shape_shape;
};

static struct reduced reduced_at(double z, double shape, bool second)
{
  const double t = shape * z, inverse = 1.0 / (1.0 + t);
  struct reduced r = {.z = inverse};
  if (!second) {
    const double ratio = wb_log_ratio(t);
    r.y = z * ratio;
    r.shape = z * z * wb_log_ratio_first(t, ratio);
    return r;
  }
  const struct wb_curve ratio = wb_log_ratio_curve(t);
  r.y = z * ratio.value;
  r.shape = z * z * ratio.first;
  r.zz = -shape * inverse * inverse;
  r.z_shape = -z * inverse * inverse;
  r.shape_shape = z * z * z * ratio.second;
  return r;
}

static void add_second(struct wb_score *score, const struct term *term, double weight, double z,
                       double by_location, double c)
{
  double(*h)[WB_UNKNOWNS] = score->hessian;
  const double twice = weight * term->zz * by_location * by_location;
  const double with_scale = -weight * (term->zz * z + term->z) * by_location;
  const double with_shape = weight * term->z_shape * by_location;
  h[WB_LOCATION][WB_LOCATION] += twice;
  h[WB_LOCATION][WB_TREND] += twice * c;
  h[WB_TREND][WB_TREND] += twice * c * c;
  h[WB_LOCATION][WB_LOG_SCALE] += with_scale;
  h[WB_TREND][WB_LOG_SCALE] += with_scale * c;
  h[WB_LOCATION][WB_SHAPE] += with_shape;
  h[WB_TREND][WB_SHAPE] += with_shape * c;
  h[WB_LOG_SCALE][WB_LOG_SCALE] += weight * (term->zz * z + term->z) * z;
  h[WB_LOG_SCALE][WB_SHAPE] -= weight * term->z_shape * z;
  h[WB_SHAPE][WB_SHAPE] += weight * term->shape_shape;
}

void wb_likelihood_at(const struct wb_likelihood *likelihood,
                      const double parameters[WB_LIKELIHOOD_PARAMETERS], bool with_hessian,
                      struct wb_score *score)
{
  const bool of_maxima = wb_tail_is_of_maxima(likelihood->family);
  const double shape = parameters[WB_SHAPE], log_scale = parameters[WB_LOG_SCALE];
  const double inverse_scale = exp(-log_scale);
  const bool stopped = likelihood->control != NULL && likelihood->count >= MANY_VALUES &&
                       wb_control_stopped(likelihood->control) != WB_STOP_NONE;
  const size_t count = stopped ? 0 : likelihood->count;
  double total = 0;
  memset(score, 0, sizeof *score);
  for (size_t k = 0; k < count && shape > -1.0; k++) {
    const double weight = likelihood->weights ? likelihood->weights[k] : 1.0;
    const double c = likelihood->covariates ? likelihood->covariates[k] : 0.0;
    const double place = parameters[WB_LOCATION] + parameters[WB_TREND] * c;
    const double z = (likelihood->values[k] - place) * inverse_scale;
    if (!(shape * z > -1.0))
      break;
    const struct reduced r = reduced_at(z, shape, with_hessian);
    const double e = of_maxima ? exp(-r.y) : 0.0;
    const double by_y = 1.0 + shape - e;
    struct term term = {
        .value = (1.0 + shape) * r.y + e,
        .z = by_y * r.z,
        .shape = by_y * r.shape + r.y,
    };
    if (with_hessian) {
      term.zz = by_y * r.zz + e * r.z * r.z;
      term.z_shape = by_y * r.z_shape + e * r.z * r.shape + r.z;
      term.shape_shape = by_y * r.shape_shape + e * r.shape * r.shape + 2.0 * r.shape;
    }
    /* z = (value - location - trend c) exp(-eta): its derivatives are -1/sigma, -c/sigma and -z. */
    const double location = weight * term.z * (-inverse_scale);
    score->value += weight * term.value;
    score->gradient[WB_LOCATION] += location;
    score->gradient[WB_TREND] += location * c;
    score->gradient[WB_LOG_SCALE] -= weight * term.z * z;
    score->gradient[WB_SHAPE] += weight * term.shape;
    if (with_hessian)
      add_second(score, &term, weight, z, -inverse_scale, c);
    total += weight;
    if (k + 1 < count)
      continue;
    score->value += total * log_scale;
    score->gradient[WB_LOG_SCALE] += total;
    for (unsigned i = 0; i < WB_UNKNOWNS; i++)
      for (unsigned j = 0; j < i; j++)
        score->hessian[i][j] = score->hessian[j][i];
    if (isfinite(score->value))
      return;
  }
  score->value = INFINITY;
}
