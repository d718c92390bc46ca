/* Ends of profile intervals: steps away from the maximum until the likelihood has fallen by enough,
 * then a root in the logarithms of distance and deviance, which nearly are in proportion. */
#include "evt/fit/intervals.h"

#include "evt/fit/profile.h"
#include "evt/math/chi_squared.h"

#include <assert.h>
#include <math.h>

#define MOST_STEPS 100
/* Points of the profile that may be missed before an end is given up. */
#define MOST_MISSES 8
#define MOST_ROOT_STEPS 60
/* A level above this (in standardised units), or a shape, is taken as infinite. */
#define FARTHEST_LEVEL 1e300
#define FARTHEST_SHAPE 1e4
/* A step towards a limit of the held quantity takes this part of the rest of the way. */
#define TOWARDS_LIMIT 0.5

/* A search for one end. Distances are of shapes themselves; of levels, whose intervals can reach
 * from 1 to 1e300, of u = arsinh(level), which is the level near 0 and its logarithm far out. */
struct end_search {
  const struct wb_profile *profile;
  struct wb_profile_point peak;
  double side;     /* 1: the upper end, -1: the lower */
  double critical; /* deviance at the end */
  double limit;    /* greatest distance from the peak that the held quantity can have */
  double farthest; /* distance above which the end is infinite */
};

/* A place of a search: its distance from the peak and log(deviance / critical). */
struct distant {
  double distance, excess;
  struct wb_profile_point point;
};

static double held_at_distance(const struct end_search *search, double distance)
{
  const double away = search->side * distance;
  if (search->profile->kind == WB_PROFILE_SHAPE)
    return search->peak.at + away;
  return sinh(asinh(search->peak.at) + away);
}

static bool look(const struct end_search *search, double distance,
                 const struct wb_profile_point *near, struct distant *place)
{
  place->distance = distance;
  if (!wb_profile_at(search->profile, held_at_distance(search, distance), near, &place->point))
    return false;
  const double deviance = 2.0 * (place->point.value - search->peak.value);
  place->excess = log(fmax(deviance, 1e-300) / search->critical);
  return true;
}

/* The next distance outwards, by a factor; half of the way where a limit is nearer. */
static double outwards(const struct end_search *search, double distance, double factor)
{
  return fmin(distance * factor, distance + TOWARDS_LIMIT * (search->limit - distance));
}

/* Steps from a place inside to one outside, longer ones while that goes well. Returns whether it
 * came out; *infinite where it never did. */
static bool step_out(const struct end_search *search, struct distant *inside,
                     struct distant *outside, bool *infinite)
{
  double factor = 1.5;
  int misses = 0;
  for (int step = 0; step < MOST_STEPS && misses < MOST_MISSES; step++) {
    const double distance = outwards(search, inside->distance, factor);
    if (distance > search->farthest) {
      *infinite = true;
      return false;
    }
    if (distance <= inside->distance)
      return false;
    if (!look(search, distance, &inside->point, outside)) {
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
    if (!look(search, ldexp(distance, -step), &search->peak, inside)) {
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
    if (!look(search, next, &inside.point, &place) && !look(search, next, &outside.point, &place))
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

static struct end_search search_of(const struct profiling *profiling,
                                   const struct wb_profile *profile)
{
  struct end_search search = {.profile = profile,
                              .side = 1.0,
                              .critical = profiling->critical,
                              .limit = INFINITY,
                              .farthest = FARTHEST_SHAPE};
  for (unsigned i = 0; i < WB_LIKELIHOOD_PARAMETERS; i++)
    search.peak.parameters[i] = profiling->peak.parameters[i];
  search.peak.value = profiling->peak.value;
  search.peak.at = wb_profile_held(profile, profiling->peak.parameters);
  return search;
}

/* Both ends of a level, standardised. deviation: about its standard error, INFINITY or NAN where
 * that is not known. Excesses cannot have levels below 0. */
static bool level_ends(const struct profiling *profiling, double survival, double deviation,
                       struct wb_interval *interval)
{
  const struct wb_profile profile = wb_profile_of_level(&profiling->sample, survival);
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

/* The lower end of a shape; -1 where the profile has not fallen by enough there. */
static bool lower_shape(const struct profiling *profiling, struct end_search *search, double first,
                        double *low)
{
  const double boundary = wb_boundary_likelihood(&profiling->sample);
  *low = -1.0;
  if (2.0 * (boundary - profiling->peak.value) <= profiling->critical)
    return true;
  search->side = -1.0;
  search->limit = search->peak.at + 1.0;
  return find_end(search, first, low);
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
    const struct wb_profile profile = wb_profile_of_shape(&profiling.sample);
    struct end_search search = search_of(&profiling, &profile);
    const double deviation = wb_fit_error(fit, wb_fit_shape_place(fit));
    const double first = sqrt(profiling.critical) * (deviation > 0 ? deviation : 0.1);
    double high, low;
    if (find_end(&search, first, &high) && lower_shape(&profiling, &search, first, &low))
      *interval = (struct wb_interval){true, low, high};
  }
  wb_fit_sample_free(&profiling.sample);
  return status == WARPBOUND_OK ? check_control(data, interval, error) : status;
}
