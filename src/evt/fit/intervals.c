/* Profile likelihoods: a point by Newton's method in the parameters that are free, with the one
 * that follows from them by the chain rule. Ends of profile intervals: steps away from the maximum
 * until the likelihood has fallen by enough, then a root in the logarithms of distance and
 * deviance, which nearly are in proportion. */
#include "evt/fit/intervals.h"

#include "evt/fit/maximum_likelihood.h"
#include "evt/math/special_functions.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Least y of a level by which the scale is found: there k > 0.4 for every xi > -1. */
#define UPPER_TAIL 0.5
#define MOST_STEPS 100
/* Points of the profile that may be missed before an end is given up. */
#define MOST_MISSES 8
#define MOST_ROOT_STEPS 60
/* A level above this (in standardised units), or a shape, is taken as infinite. */
#define FARTHEST_LEVEL 1e300
#define FARTHEST_SHAPE 1e4
/* A step towards a limit of the held quantity takes this part of the rest of the way. */
#define TOWARDS_LIMIT 0.5

/* ---- a profile ---- */

/* What is held. */
enum profile_kind { HELD_LEVEL, HELD_SHAPE };

/* A profile of a standardised sample, which it borrows. A level is exceeded with a probability
 * whose reduced level is y (wb_tail_reduced_level). One parameter follows from the held quantity
 * and the others: the shape from itself; of a level the scale, and where the level is not in the
 * upper tail of maxima, so that k below may be 0, the location: level = location + scale k, k =
 * (exp(xi y) - 1) / xi. */
struct profile {
  const struct wb_fit_sample *sample;
  enum profile_kind kind;
  double y;
  unsigned held;                             /* place of the parameter that follows */
  unsigned count;                            /* of the other free parameters */
  unsigned places[WB_LIKELIHOOD_PARAMETERS]; /* theirs, ascending */
};

/* A place of the profile: what is held, the greatest likelihood with it, and where that is. */
struct profile_point {
  double at;
  double value; /* negative log likelihood */
  double parameters[WB_LIKELIHOOD_PARAMETERS];
};

/* The profile of a level by its y, or of the shape. */
static struct profile make(const struct wb_fit_sample *sample, enum profile_kind kind, double y,
                           unsigned held)
{
  struct profile profile = {.sample = sample, .kind = kind, .y = y, .held = held};
  for (unsigned i = 0; i < sample->free_count; i++) {
    if (sample->free[i] != held)
      profile.places[profile.count++] = sample->free[i];
  }
  return profile;
}

/* What the parameters have of the quantity that is held. */
static double held_of(const struct profile *profile,
                      const double parameters[WB_LIKELIHOOD_PARAMETERS])
{
  if (profile->kind == HELD_SHAPE)
    return parameters[WB_SHAPE];
  const double y = profile->y;
  return parameters[WB_LOCATION] +
         exp(parameters[WB_LOG_SCALE]) * y * wb_exp_ratio(parameters[WB_SHAPE] * y);
}

/* The objective of a point. */
struct held_likelihood {
  const struct profile *profile;
  double at;
};

/* The parameter that follows and its derivatives by all parameters. */
struct follower {
  double value, first[WB_LIKELIHOOD_PARAMETERS];
  double second[WB_LIKELIHOOD_PARAMETERS][WB_LIKELIHOOD_PARAMETERS];
};

static struct follower follow(const struct profile *profile, double at, const double *parameters)
{
  struct follower follower = {.value = at};
  if (profile->kind == HELD_SHAPE)
    return follower;
  if (profile->held == WB_LOG_SCALE) {
    /* log scale = log(level - location) - log k(xi); NAN where the level is not above the location.
     */
    const struct wb_curve ratio = wb_log_of_exp_ratio(parameters[WB_SHAPE] * profile->y);
    const double above = at - parameters[WB_LOCATION];
    follower.value = above > 0 ? log(above) - log(profile->y) - ratio.value : NAN;
    follower.first[WB_LOCATION] = -1.0 / above;
    follower.first[WB_SHAPE] = -profile->y * ratio.first;
    follower.second[WB_LOCATION][WB_LOCATION] = -1.0 / (above * above);
    follower.second[WB_SHAPE][WB_SHAPE] = -profile->y * profile->y * ratio.second;
  } else {
    /* location = level - scale k(xi). */
    const double t = parameters[WB_SHAPE] * profile->y;
    const struct wb_curve ratio = wb_log_of_exp_ratio(t);
    const double above = exp(parameters[WB_LOG_SCALE]) * profile->y * wb_exp_ratio(t);
    const double by_shape = above * profile->y * ratio.first;
    follower.value = at - above;
    follower.first[WB_LOG_SCALE] = -above;
    follower.first[WB_SHAPE] = -by_shape;
    follower.second[WB_LOG_SCALE][WB_LOG_SCALE] = -above;
    follower.second[WB_LOG_SCALE][WB_SHAPE] = -by_shape;
    follower.second[WB_SHAPE][WB_LOG_SCALE] = -by_shape;
    follower.second[WB_SHAPE][WB_SHAPE] =
        -above * profile->y * profile->y * (ratio.second + ratio.first * ratio.first);
  }
  return follower;
}

static void held_at(const void *context, const double *unknowns, bool with_hessian,
                    struct wb_score *score)
{
  const struct held_likelihood *held = context;
  const struct profile *const profile = held->profile;
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

/* The better of the two starts. */
static void choose_start(const struct held_likelihood *held, const struct profile_point *near,
                         double *unknowns)
{
  const struct profile *const profile = held->profile;
  double other[WB_UNKNOWNS] = {0};
  struct wb_score kept, changed;
  for (unsigned i = 0; i < profile->count; i++)
    unknowns[i] = other[i] = near->parameters[profile->places[i]];
  /* A second start, besides the free parameters of the near point: of a shape with a scale that is
   * large enough, of a level with the shape by which the scale is kept. */
  const struct wb_fit_sample *const sample = profile->sample;
  const double location = near->parameters[WB_LOCATION];
  for (unsigned i = 0; i < profile->count; i++) {
    const unsigned place = profile->places[i];
    if (profile->kind == HELD_SHAPE && place == WB_LOG_SCALE) {
      /* A feasible log scale for the new shape. */
      const double shape = held->at;
      const double reach = shape < 0 ? sample->greatest - location : location - sample->least;
      other[i] = fmax(near->parameters[WB_LOG_SCALE], log(fmax(1.1 * fabs(shape) * reach, 1e-300)));
    }
    if (profile->held == WB_LOG_SCALE && place == WB_SHAPE) {
      /* To first order. */
      const double shape = near->parameters[WB_SHAPE];
      const struct wb_curve ratio = wb_log_of_exp_ratio(shape * profile->y);
      const double change =
          log((held->at - location) / (near->at - location)) / (profile->y * ratio.first);
      other[i] = shape + (isfinite(change) ? change : 0.0);
    }
  }
  held_at(held, unknowns, false, &kept);
  held_at(held, other, false, &changed);
  if (changed.value < kept.value)
    memcpy(unknowns, other, profile->count * sizeof *unknowns);
}

/* The point at a standardised level, or at a shape > -1, found from the parameters of a point near
 * it; at xi = -1 where that is greater than any inner maximum found. False where none was found. */
static bool profile_at(const struct profile *profile, double at, const struct profile_point *near,
                       struct profile_point *point)
{
  /* Newton's method, and where it fails the search of NLopt. A shape that runs into -1 has no inner
   * maximum. */
  const struct held_likelihood held = {profile, at};
  const struct wb_objective objective = {.count = profile->count, .at = held_at, .context = &held};
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
  *point = (struct profile_point){.at = at, .value = score.value};
  for (unsigned i = 0; i < profile->count; i++)
    point->parameters[profile->places[i]] = unknowns[i];
  point->parameters[profile->held] = follow(profile, at, point->parameters).value;
  const bool ran = !found && isfinite(score.value) && point->parameters[WB_SHAPE] < -0.9;
  if (profile->kind == HELD_SHAPE || !wb_tail_has_shape(profile->sample->likelihood.family))
    return found || ran;
  /* The greatest likelihood with xi = -1 and the level held, in closed form. Of GPD all values have
   * density 1 / scale up to the end, the scale. Of GEV the sum of the terms is n (log scale +
   * (level - mean) / scale + exp(-y)), of which the best scale is level - mean where that puts the
   * end, level + scale exp(-y), above the greatest value. */
  const struct wb_fit_sample *const sample = profile->sample;
  const double k = -expm1(-profile->y), greatest = sample->greatest, mean = sample->moments.l1;
  struct profile_point boundary = {.at = at};
  double scale = at / k;
  if (wb_tail_is_of_maxima(sample->likelihood.family)) {
    scale = fmax(at - mean, (greatest - at) * exp(profile->y));
    boundary.parameters[WB_LOCATION] = at - scale * k;
    boundary.value = sample->total * (log(scale) + (at - mean) / scale + exp(-profile->y));
  } else {
    boundary.value = sample->total * log(scale);
  }
  boundary.parameters[WB_LOG_SCALE] = log(scale);
  boundary.parameters[WB_SHAPE] = -1.0;
  const double end = boundary.parameters[WB_LOCATION] + scale;
  if (!(scale > 0 && end >= greatest * (1.0 - 1e-15) && isfinite(boundary.value)))
    return found || ran;
  if ((found || ran) && point->value <= boundary.value)
    return true;
  /* Not better than a boundary: where nothing inside was found, it may have been missed. */
  if (!found && !ran && near->parameters[WB_SHAPE] > -0.5)
    return false;
  *point = boundary;
  return true;
}

/* ---- an end ---- */

/* A search for one end. Distances are of shapes themselves; of levels, whose intervals can reach
 * from 1 to 1e300, of u = arsinh(level), which is the level near 0 and its logarithm far out. */
struct end_search {
  const struct profile *profile;
  struct profile_point peak;
  double side;     /* 1: the upper end, -1: the lower */
  double critical; /* deviance at the end */
  double limit;    /* greatest distance from the peak that the held quantity can have */
  double farthest; /* distance above which the end is infinite */
};

/* A place of a search: its distance from the peak and log(deviance / critical). */
struct distant {
  double distance, excess;
  struct profile_point point;
};

static double held_at_distance(const struct end_search *search, double distance)
{
  const double away = search->side * distance;
  if (search->profile->kind == HELD_SHAPE)
    return search->peak.at + away;
  return sinh(asinh(search->peak.at) + away);
}

static bool evaluate(const struct end_search *search, double distance,
                     const struct profile_point *near, struct distant *place)
{
  place->distance = distance;
  if (!profile_at(search->profile, held_at_distance(search, distance), near, &place->point))
    return false;
  const double deviance = 2.0 * (place->point.value - search->peak.value);
  place->excess = log(fmax(deviance, 1e-300) / search->critical);
  return true;
}

/* Steps from a place inside to one outside, longer ones while that goes well. Returns whether it
 * came out; *infinite where it never did. */
static bool step_out(const struct end_search *search, struct distant *inside,
                     struct distant *outside, bool *infinite)
{
  double factor = 1.5;
  int misses = 0;
  for (int step = 0; step < MOST_STEPS && misses < MOST_MISSES; step++) {
    const double distance =
        fmin(inside->distance * factor,
             inside->distance + TOWARDS_LIMIT * (search->limit - inside->distance));
    if (distance > search->farthest) {
      *infinite = true;
      return false;
    }
    if (distance <= inside->distance)
      return false;
    if (!evaluate(search, distance, &inside->point, outside)) {
      factor = 1.0 + 0.25 * (factor - 1.0);
      misses++;
      continue;
    }
    if (outside->excess >= 0)
      return true;
    *inside = *outside;
    factor = fmin(factor * 1.2, 2.0);
  }
  return false;
}

/* The first place inside: the distance is shortened until it is. */
static bool step_in(const struct end_search *search, double distance, struct distant *inside,
                    struct distant *outside, bool *has_outside)
{
  *has_outside = false;
  int misses = 0;
  for (int step = 0; step < MOST_STEPS && misses < MOST_MISSES; step++) {
    if (!evaluate(search, ldexp(distance, -step), &search->peak, inside)) {
      misses++;
      continue;
    }
    if (inside->excess < 0)
      return true;
    *outside = *inside;
    *has_outside = true;
  }
  return false;
}

/* The root by false position (Illinois) in the logarithms. */
static bool find_root(const struct end_search *search, struct distant inside,
                      struct distant outside, double *distance)
{
  double low = inside.excess, high = outside.excess;
  int last_side = 0;
  for (int step = 0; step < MOST_ROOT_STEPS; step++) {
    const double a = log(inside.distance), b = log(outside.distance);
    double next = exp(b - high * (b - a) / (high - low));
    if (!(next > inside.distance && next < outside.distance))
      next = 0.5 * (inside.distance + outside.distance);
    struct distant place;
    if (!evaluate(search, next, &inside.point, &place) &&
        !evaluate(search, next, &outside.point, &place))
      return false;
    *distance = next;
    const int side = place.excess < 0 ? -1 : 1;
    if (side < 0) {
      inside = place;
      low = place.excess;
      high *= last_side < 0 ? 0.5 : 1.0;
    } else {
      outside = place;
      high = place.excess;
      low *= last_side > 0 ? 0.5 : 1.0;
    }
    last_side = side;
    if (fabs(place.excess) < 1e-9 || outside.distance - inside.distance < 1e-12 * next)
      return true;
  }
  return false;
}

/* The end, looked for from a first distance; infinite where the profile does not fall by enough. */
static bool find_end(const struct end_search *search, double first, double *end)
{
  struct distant inside, outside;
  bool infinite = false, has_outside;
  if (isfinite(search->limit))
    first = fmin(first, 0.5 * search->limit);
  if (!step_in(search, first, &inside, &outside, &has_outside))
    return false;
  if (!has_outside && !step_out(search, &inside, &outside, &infinite)) {
    *end = search->side * INFINITY;
    return infinite;
  }
  double distance;
  if (!find_root(search, inside, outside, &distance))
    return false;
  *end = held_at_distance(search, distance);
  return true;
}

/* What both kinds of intervals need: the sample, the peak, the deviance at the ends. */
struct profiling {
  struct wb_fit_sample sample;
  struct wb_likelihood_peak peak;
  double critical;
};

/* A profile that was stopped has no interval. */
static warpbound_status check_control(const struct wb_fit_data *data, struct wb_interval *interval,
                                      warpbound_error *error)
{
  if (data->control == NULL || wb_control_stopped(data->control) == WB_STOP_NONE)
    return WARPBOUND_OK;
  *interval = (struct wb_interval){.low = NAN, .high = NAN};
  return wb_fail(error, WARPBOUND_LIMIT,
                 "a profile likelihood of %zu values was ended by a limit of time or an "
                 "interruption",
                 data->count);
}

/* Whether there is a peak to start from; the sample is to be freed whatever it says. */
static warpbound_status start(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                              double confidence, struct profiling *profiling, bool *found,
                              warpbound_error *error)
{
  *found = false;
  profiling->sample = (struct wb_fit_sample){0};
  if (fit->method != WB_FIT_LIKELIHOOD || fit->at_boundary)
    return WARPBOUND_OK;
  const warpbound_status status =
      wb_fit_sample_make(data, fit->tail.family, &profiling->sample, error);
  if (status != WARPBOUND_OK)
    return status;
  double parameters[WB_LIKELIHOOD_PARAMETERS];
  wb_fit_sample_standardise(&profiling->sample, &fit->tail, fit->trend, parameters);
  if (!wb_tail_is_of_maxima(fit->tail.family))
    parameters[WB_LOCATION] = 0.0;
  *found = wb_maximise_likelihood_near(&profiling->sample, parameters, &profiling->peak);
  profiling->critical = wb_chi_squared_level(1.0 - confidence, 1);
  return WARPBOUND_OK;
}

static struct end_search search_of(const struct profiling *profiling, const struct profile *profile)
{
  struct end_search search = {.profile = profile,
                              .side = 1.0,
                              .critical = profiling->critical,
                              .limit = INFINITY,
                              .farthest = FARTHEST_SHAPE};
  for (unsigned i = 0; i < WB_LIKELIHOOD_PARAMETERS; i++)
    search.peak.parameters[i] = profiling->peak.parameters[i];
  search.peak.value = profiling->peak.value;
  search.peak.at = held_of(profile, profiling->peak.parameters);
  return search;
}

/* Both ends of a level, standardised. deviation: about its standard error, INFINITY or NAN where
 * that is not known. Excesses cannot have levels below 0. */
static bool level_ends(const struct profiling *profiling, double survival, double deviation,
                       struct wb_interval *interval)
{
  const enum wb_tail_family family = profiling->sample.likelihood.family;
  const double y = wb_tail_reduced_level(family, survival);
  const bool by_location = wb_tail_is_of_maxima(family) && y < UPPER_TAIL;
  const struct profile profile =
      make(&profiling->sample, HELD_LEVEL, y, by_location ? WB_LOCATION : WB_LOG_SCALE);
  struct end_search search = search_of(profiling, &profile);
  const double peak = asinh(search.peak.at), farthest = asinh(FARTHEST_LEVEL);
  const double guess = sqrt(profiling->critical) * deviation / hypot(1.0, search.peak.at);
  const double first = guess > 1e-8 && guess < 1.0 ? guess : 0.1;
  if (!isfinite(search.peak.at))
    return false;
  search.farthest = farthest - peak;
  if (!find_end(&search, first, &interval->high))
    return false;
  search.side = -1.0;
  search.farthest = farthest + peak;
  if (!wb_tail_is_of_maxima(profiling->sample.likelihood.family))
    search.limit = peak;
  return find_end(&search, first, &interval->low);
}

warpbound_status wb_profile_level(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                  double survival, double confidence, struct wb_interval *interval,
                                  warpbound_error *error)
{
  assert(survival > 0 && survival < 1 && confidence > 0 && confidence < 1);
  *interval = (struct wb_interval){.low = NAN, .high = NAN};
  if (fit->has_trend)
    return WARPBOUND_OK;
  struct profiling profiling;
  bool found;
  const warpbound_status status = start(data, fit, confidence, &profiling, &found, error);
  if (status == WARPBOUND_OK && found) {
    const struct wb_fit_sample *const sample = &profiling.sample;
    const double deviation = wb_fit_level_error(fit, survival) / sample->unit;
    struct wb_interval ends;
    if (level_ends(&profiling, survival, deviation, &ends))
      *interval = (struct wb_interval){true, sample->shift + sample->unit * ends.low,
                                       sample->shift + sample->unit * ends.high};
  }
  wb_fit_sample_free(&profiling.sample);
  return status == WARPBOUND_OK ? check_control(data, interval, error) : status;
}

warpbound_status wb_profile_shape(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                  double confidence, struct wb_interval *interval,
                                  warpbound_error *error)
{
  assert(confidence > 0 && confidence < 1);
  *interval = (struct wb_interval){.low = NAN, .high = NAN};
  if (!wb_tail_has_shape(fit->tail.family))
    return WARPBOUND_OK;
  struct profiling profiling;
  bool found;
  const warpbound_status status = start(data, fit, confidence, &profiling, &found, error);
  if (status == WARPBOUND_OK && found) {
    const struct profile profile = make(&profiling.sample, HELD_SHAPE, NAN, WB_SHAPE);
    struct end_search search = search_of(&profiling, &profile);
    const double deviation = wb_fit_error(fit, wb_fit_shape_place(fit));
    const double first = sqrt(profiling.critical) * (deviation > 0 ? deviation : 0.1);
    const double boundary = wb_boundary_likelihood(&profiling.sample);
    double high, low = -1.0; /* where the profile has not fallen by enough there */
    bool found_ends = find_end(&search, first, &high);
    if (found_ends && 2.0 * (boundary - profiling.peak.value) > profiling.critical) {
      search.side = -1.0;
      search.limit = search.peak.at + 1.0;
      found_ends = find_end(&search, first, &low);
    }
    if (found_ends)
      *interval = (struct wb_interval){true, low, high};
  }
  wb_fit_sample_free(&profiling.sample);
  return status == WARPBOUND_OK ? check_control(data, interval, error) : status;
}
