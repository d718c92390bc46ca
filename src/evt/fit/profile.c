/* A point of a profile by Newton's method in the parameters that are free, with the one that
 * follows from them by the chain rule. */
#include "evt/fit/profile.h"

#include "evt/math/shape_ratios.h"

#include <math.h>
#include <string.h>

/* Least y of a level by which the scale is found: there k > 0.4 for every xi > -1. */
#define UPPER_TAIL 0.5

static struct wb_profile make(const struct wb_fit_sample *sample, enum wb_profile_kind kind,
                              double y, unsigned held)
{
  struct wb_profile profile = {.sample = sample, .kind = kind, .y = y, .held = held};
  for (unsigned i = 0; i < sample->free_count; i++) {
    if (sample->free[i] != held)
      profile.places[profile.count++] = sample->free[i];
  }
  return profile;
}

struct wb_profile wb_profile_of_level(const struct wb_fit_sample *sample, double survival)
{
  const enum wb_tail_family family = sample->likelihood.family;
  const double y = wb_tail_reduced_level(family, survival);
  const bool by_location = wb_tail_is_of_maxima(family) && y < UPPER_TAIL;
  return make(sample, WB_PROFILE_LEVEL, y, by_location ? WB_LOCATION : WB_LOG_SCALE);
}

struct wb_profile wb_profile_of_shape(const struct wb_fit_sample *sample)
{
  return make(sample, WB_PROFILE_SHAPE, NAN, WB_SHAPE);
}

double wb_profile_held(const struct wb_profile *profile,
                       const double parameters[WB_LIKELIHOOD_PARAMETERS])
{
  if (profile->kind == WB_PROFILE_SHAPE)
    return parameters[WB_SHAPE];
  const double y = profile->y;
  return parameters[WB_LOCATION] +
         exp(parameters[WB_LOG_SCALE]) * y * wb_exp_ratio(parameters[WB_SHAPE] * y);
}

/* The objective of a point. */
struct held_likelihood {
  const struct wb_profile *profile;
  double at;
};

/* The parameter that follows and its derivatives by all parameters. */
struct follower {
  double value, first[WB_LIKELIHOOD_PARAMETERS];
  double second[WB_LIKELIHOOD_PARAMETERS][WB_LIKELIHOOD_PARAMETERS];
};

/* log scale = log(level - location) - log k(xi); NAN where the level is not above the location. */
static void follow_scale(double y, double at, const double *parameters, struct follower *follower)
{
  const struct wb_curve ratio = wb_log_of_exp_ratio(parameters[WB_SHAPE] * y);
  const double above = at - parameters[WB_LOCATION];
  follower->value = above > 0 ? log(above) - log(y) - ratio.value : NAN;
  follower->first[WB_LOCATION] = -1.0 / above;
  follower->first[WB_SHAPE] = -y * ratio.first;
  follower->second[WB_LOCATION][WB_LOCATION] = -1.0 / (above * above);
  follower->second[WB_SHAPE][WB_SHAPE] = -y * y * ratio.second;
}

/* location = level - scale k(xi). */
static void follow_location(double y, double at, const double *parameters,
                            struct follower *follower)
{
  const double t = parameters[WB_SHAPE] * y;
  const struct wb_curve ratio = wb_log_of_exp_ratio(t);
  const double above = exp(parameters[WB_LOG_SCALE]) * y * wb_exp_ratio(t);
  const double by_shape = above * y * ratio.first;
  follower->value = at - above;
  follower->first[WB_LOG_SCALE] = -above;
  follower->first[WB_SHAPE] = -by_shape;
  follower->second[WB_LOG_SCALE][WB_LOG_SCALE] = -above;
  follower->second[WB_LOG_SCALE][WB_SHAPE] = -by_shape;
  follower->second[WB_SHAPE][WB_LOG_SCALE] = -by_shape;
  follower->second[WB_SHAPE][WB_SHAPE] =
      -above * y * y * (ratio.second + ratio.first * ratio.first);
}

static struct follower follow(const struct wb_profile *profile, double at, const double *parameters)
{
  struct follower follower = {.value = at};
  if (profile->kind == WB_PROFILE_SHAPE)
    return follower;
  if (profile->held == WB_LOG_SCALE)
    follow_scale(profile->y, at, parameters, &follower);
  else
    follow_location(profile->y, at, parameters, &follower);
  return follower;
}

static void held_at(const void *context, const double *unknowns, bool with_hessian,
                    struct wb_score *score)
{
  const struct held_likelihood *held = context;
  const struct wb_profile *const profile = held->profile;
  const unsigned h = profile->held;
  double parameters[WB_LIKELIHOOD_PARAMETERS] = {0};
  for (unsigned i = 0; i < profile->count; i++)
    parameters[profile->places[i]] = unknowns[i];
  const struct follower f = follow(profile, held->at, parameters);
  parameters[h] = f.value;
  struct wb_score whole;
  score->value = INFINITY;
  if (!isfinite(f.value))
    return;
  wb_likelihood_at(&profile->sample->likelihood, parameters, with_hessian, &whole);
  score->value = whole.value;
  for (unsigned i = 0; i < profile->count; i++) {
    const unsigned p = profile->places[i];
    score->gradient[i] = whole.gradient[p] + whole.gradient[h] * f.first[p];
    for (unsigned j = 0; j < profile->count && with_hessian; j++) {
      const unsigned q = profile->places[j];
      score->hessian[i][j] = whole.hessian[p][q] + whole.hessian[p][h] * f.first[q] +
                             whole.hessian[h][q] * f.first[p] +
                             whole.hessian[h][h] * f.first[p] * f.first[q] +
                             whole.gradient[h] * f.second[p][q];
    }
  }
}

static struct wb_objective objective_of(const struct held_likelihood *held)
{
  return (struct wb_objective){.count = held->profile->count, .at = held_at, .context = held};
}

/* A start at the new level that keeps location and scale and changes the shape, to first order. */
static double shape_of_kept_scale(const struct wb_profile *profile, double at,
                                  const struct wb_profile_point *near)
{
  const double shape = near->parameters[WB_SHAPE], location = near->parameters[WB_LOCATION];
  const struct wb_curve ratio = wb_log_of_exp_ratio(shape * profile->y);
  const double change = log((at - location) / (near->at - location)) / (profile->y * ratio.first);
  return shape + (isfinite(change) ? change : 0.0);
}

/* A logarithm of the scale with which all values lie inside at another shape. */
static double log_scale_around(const struct wb_profile *profile, double shape,
                               const struct wb_profile_point *near)
{
  const struct wb_fit_sample *const sample = profile->sample;
  const double location = near->parameters[WB_LOCATION];
  const double reach = shape < 0 ? sample->greatest - location : location - sample->least;
  return fmax(near->parameters[WB_LOG_SCALE], log(fmax(1.1 * fabs(shape) * reach, 1e-300)));
}

/* A second start, besides the free parameters of the near point: of a shape with a scale that is
 * large enough, of a level with the shape by which the scale is kept. */
static void change_start(const struct held_likelihood *held, const struct wb_profile_point *near,
                         double *unknowns)
{
  const struct wb_profile *const profile = held->profile;
  for (unsigned i = 0; i < profile->count; i++) {
    const unsigned place = profile->places[i];
    if (profile->kind == WB_PROFILE_SHAPE && place == WB_LOG_SCALE)
      unknowns[i] = log_scale_around(profile, held->at, near);
    if (profile->held == WB_LOG_SCALE && place == WB_SHAPE)
      unknowns[i] = shape_of_kept_scale(profile, held->at, near);
  }
}

/* The better of the two starts. */
static void choose_start(const struct held_likelihood *held, const struct wb_profile_point *near,
                         double *unknowns)
{
  const struct wb_profile *const profile = held->profile;
  double other[WB_UNKNOWNS] = {0};
  struct wb_score kept, changed;
  for (unsigned i = 0; i < profile->count; i++)
    unknowns[i] = other[i] = near->parameters[profile->places[i]];
  change_start(held, near, other);
  held_at(held, unknowns, false, &kept);
  held_at(held, other, false, &changed);
  if (changed.value < kept.value)
    memcpy(unknowns, other, profile->count * sizeof *unknowns);
}

/* The greatest likelihood with xi = -1 and the level held, in closed form. Of GPD all values have
 * density 1 / scale up to the end, the scale. Of GEV the sum of the terms is n (log scale + (level
 * - mean) / scale + exp(-y)), of which the best scale is level - mean where that puts the end,
 * level + scale exp(-y), above the greatest value. */
static bool boundary_of_level(const struct wb_profile *profile, double at,
                              struct wb_profile_point *point)
{
  const struct wb_fit_sample *const sample = profile->sample;
  const double k = -expm1(-profile->y), greatest = sample->greatest, mean = sample->moments.l1;
  *point = (struct wb_profile_point){.at = at};
  double scale = at / k;
  if (wb_tail_is_of_maxima(sample->likelihood.family)) {
    scale = fmax(at - mean, (greatest - at) * exp(profile->y));
    point->parameters[WB_LOCATION] = at - scale * k;
    point->value = sample->total * (log(scale) + (at - mean) / scale + exp(-profile->y));
  } else {
    point->value = sample->total * log(scale);
  }
  point->parameters[WB_LOG_SCALE] = log(scale);
  point->parameters[WB_SHAPE] = -1.0;
  const double end = point->parameters[WB_LOCATION] + scale;
  return scale > 0 && end >= greatest * (1.0 - 1e-15) && isfinite(point->value);
}

/* Newton's method, and where it fails the search of NLopt. A shape that runs into -1 has no inner
 * maximum: *ran is set then. */
static bool find_inner(const struct wb_profile *profile, double at,
                       const struct wb_profile_point *near, struct wb_profile_point *point,
                       bool *ran)
{
  const struct held_likelihood held = {profile, at};
  const struct wb_objective objective = objective_of(&held);
  double start[WB_UNKNOWNS] = {0}, unknowns[WB_UNKNOWNS];
  struct wb_score score;
  choose_start(&held, near, start);
  memcpy(unknowns, start, sizeof unknowns);
  bool found = wb_newton_minimise(&objective, unknowns, &score);
  if (!found) {
    memcpy(unknowns, start, sizeof unknowns);
    const bool few = profile->sample->total <= WB_FEW_VALUES;
    found = (few ? wb_minimise : wb_minimise_by_gradient)(&objective, unknowns, &score);
  }
  *point = (struct wb_profile_point){.at = at, .value = score.value};
  for (unsigned i = 0; i < profile->count; i++)
    point->parameters[profile->places[i]] = unknowns[i];
  point->parameters[profile->held] = follow(profile, at, point->parameters).value;
  *ran = !found && isfinite(score.value) && point->parameters[WB_SHAPE] < -0.9;
  return found;
}

bool wb_profile_at(const struct wb_profile *profile, double at, const struct wb_profile_point *near,
                   struct wb_profile_point *point)
{
  bool ran = false;
  struct wb_profile_point boundary;
  const bool found = find_inner(profile, at, near, point, &ran);
  if (profile->kind == WB_PROFILE_SHAPE || !wb_tail_has_shape(profile->sample->likelihood.family) ||
      !boundary_of_level(profile, at, &boundary))
    return found || ran;
  if ((found || ran) && point->value <= boundary.value)
    return true;
  /* Not better than a boundary: where nothing inside was found, it may have been missed. */
  if (!found && !ran && near->parameters[WB_SHAPE] > -0.5)
    return false;
  *point = boundary;
  return true;
}
