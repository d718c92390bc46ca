/* Distributions of extreme values by their reduced value y: exp(-exp(-y)) is the GEV, 1 - exp(-y)
 * the GPD, and y = log(1 + xi z) / xi of the standardised value z. */
#include "evt/tail/tail.h"

#include "evt/math/special_functions.h"

#include <assert.h>
#include <math.h>

const char *wb_tail_name(enum wb_tail_family family)
{
  static const char *const names[] = {"GEV", "Gumbel", "GPD", "exponential"};
  return names[family];
}

bool wb_tail_is_of_maxima(enum wb_tail_family family)
{
  return family == WB_TAIL_GEV || family == WB_TAIL_GUMBEL;
}

bool wb_tail_has_shape(enum wb_tail_family family)
{
  return family == WB_TAIL_GEV || family == WB_TAIL_PARETO;
}

/* y; INFINITY above the upper end, -INFINITY below a lower end. */
static double reduced(const struct wb_tail *tail, double value)
{
  const double z = (value - tail->location) / tail->scale;
  if (!wb_tail_is_of_maxima(tail->family) && z < 0)
    return -INFINITY;
  if (tail->shape == 0 || isinf(z))
    return tail->shape < 0 && z > 0 ? INFINITY : z;
  const double t = tail->shape * z;
  if (t <= -1.0)
    return tail->shape < 0 ? INFINITY : -INFINITY;
  return isinf(t) ? log1p(t) / tail->shape : z * wb_log_ratio(t);
}

double wb_tail_log_density(const struct wb_tail *tail, double value)
{
  if (isnan(value))
    return NAN;
  const double y = reduced(tail, value);
  if (y == -INFINITY)
    return -INFINITY;
  if (y == INFINITY && tail->shape >= -1.0) {
    /* At xi = -1 the density is positive up to and including the end. */
    const bool at_end = tail->shape == -1.0 && value == wb_tail_upper_end(tail);
    return at_end ? -log(tail->scale) : -INFINITY;
  }
  if (y == INFINITY)
    return value == wb_tail_upper_end(tail) ? INFINITY : -INFINITY;
  const double body = log(tail->scale) + (1.0 + tail->shape) * y;
  return wb_tail_is_of_maxima(tail->family) ? -body - exp(-y) : -body;
}

double wb_tail_distribution(const struct wb_tail *tail, double value)
{
  const double y = isnan(value) ? NAN : reduced(tail, value);
  if (wb_tail_is_of_maxima(tail->family))
    return exp(-exp(-y));
  return y < 0 ? 0.0 : -expm1(-y);
}

double wb_tail_survival(const struct wb_tail *tail, double value)
{
  const double y = isnan(value) ? NAN : reduced(tail, value);
  if (wb_tail_is_of_maxima(tail->family))
    return -expm1(-exp(-y));
  return y < 0 ? 1.0 : exp(-y);
}

double wb_tail_reduced_level(enum wb_tail_family family, double survival)
{
  return wb_tail_is_of_maxima(family) ? -log(-log1p(-survival)) : -log(survival);
}

double wb_tail_level(const struct wb_tail *tail, double survival)
{
  assert(survival > 0 && survival < 1);
  const double y = wb_tail_reduced_level(tail->family, survival);
  return tail->location + tail->scale * (y * wb_exp_ratio(tail->shape * y));
}

double wb_tail_upper_end(const struct wb_tail *tail)
{
  return tail->shape < 0 ? tail->location - tail->scale / tail->shape : INFINITY;
}

double wb_tail_draw(const struct wb_tail *tail, struct wb_random *random)
{
  /* The middle of one of 2^52 equal parts of 0 to 1. */
  const double uniform = ((double)(wb_random_next(random) >> 12) + 0.5) * 0x1p-52;
  return wb_tail_level(tail, uniform);
}
