/* Inner maxima from several starts, and the maximum on the boundary xi = -1 in closed form. */
#include "evt/fit/maximum_likelihood.h"

#include "evt/math/special_functions.h"

#include <math.h>
#include <string.h>

/* The shape of a start where the known distribution is at the boundary, or near it. */
#define LEAST_START (-0.9)
#define EULER_GAMMA 0.57721566490153286061

/* The objective of a sample as a function of its free parameters, the others as in `fixed`. */
struct free_parameters {
  const struct wb_fit_sample *sample;
  double fixed[WB_LIKELIHOOD_PARAMETERS];
};

static void free_at(const void *context, const double *unknowns, bool with_hessian,
                    struct wb_score *score)
{
  const struct free_parameters *free = context;
  const struct wb_fit_sample *sample = free->sample;
  double parameters[WB_LIKELIHOOD_PARAMETERS];
  struct wb_score whole;
  memcpy(parameters, free->fixed, sizeof parameters);
  for (unsigned i = 0; i < sample->free_count; i++)
    parameters[sample->free[i]] = unknowns[i];
  wb_likelihood_at(&sample->likelihood, parameters, with_hessian, &whole);
  score->value = whole.value;
  for (unsigned i = 0; i < sample->free_count; i++) {
    score->gradient[i] = whole.gradient[sample->free[i]];
    for (unsigned j = 0; j < sample->free_count; j++)
      score->hessian[i][j] = whole.hessian[sample->free[i]][sample->free[j]];
  }
}

/* Minimises from `parameters` with the method; returns whether it converged. *peak is the best
 * place seen in any case, but for its score. */
static bool climb(const struct wb_fit_sample *sample,
                  bool (*method)(const struct wb_objective *, double *, struct wb_score *),
                  const double parameters[WB_LIKELIHOOD_PARAMETERS],
                  struct wb_likelihood_peak *peak)
{
  struct free_parameters free = {.sample = sample};
  const struct wb_objective objective = {
      .count = sample->free_count, .at = free_at, .context = &free};
  double unknowns[WB_LIKELIHOOD_PARAMETERS];
  memcpy(free.fixed, parameters, sizeof free.fixed);
  for (unsigned i = 0; i < sample->free_count; i++)
    unknowns[i] = parameters[sample->free[i]];
  *peak = (struct wb_likelihood_peak){0};
  const bool converged = method(&objective, unknowns, &peak->score);
  memcpy(peak->parameters, free.fixed, sizeof peak->parameters);
  for (unsigned i = 0; i < sample->free_count; i++)
    peak->parameters[sample->free[i]] = unknowns[i];
  peak->value = peak->score.value;
  return converged;
}

bool wb_maximise_likelihood_near(const struct wb_fit_sample *sample,
                                 const double parameters[WB_LIKELIHOOD_PARAMETERS],
                                 struct wb_likelihood_peak *peak)
{
  return climb(sample, wb_newton_minimise, parameters, peak);
}

/* A start at a location, scale and shape, the scale enlarged until all values lie inside. */
static void start_at(const struct wb_fit_sample *sample, double location, double scale,
                     double shape, double *start)
{
  if (shape < 0)
    scale = fmax(scale, -1.1 * shape * (sample->greatest - location));
  if (shape > 0)
    scale = fmax(scale, 1.1 * shape * (location - sample->least));
  start[WB_LOCATION] = location;
  start[WB_TREND] = sample->trend;
  start[WB_LOG_SCALE] = log(scale);
  start[WB_SHAPE] = shape;
}

/* With the location and scale of Gumbel or exponential by L-moments. */
static void start_with_shape(const struct wb_fit_sample *sample, double shape, double *start)
{
  const bool of_maxima = wb_tail_is_of_maxima(sample->likelihood.family);
  const double scale = of_maxima ? sample->moments.l2 / log(2.0) : sample->moments.l1;
  start_at(sample, of_maxima ? sample->moments.l1 - EULER_GAMMA * scale : 0.0, scale, shape, start);
}

/* By L-moments; false where they say little, since the shape has none of a tail so heavy or is far
 * below. */
static bool start_by_moments(const struct wb_fit_sample *sample, double *start)
{
  struct wb_tail tail;
  if (!wb_tail_of_l_moments(sample->likelihood.family, &sample->moments, 0.0, &tail) ||
      !(tail.shape > -0.9 && tail.shape < 0.6))
    return false;
  start_at(sample, tail.location, tail.scale, tail.shape, start);
  return true;
}

/* (exp(xi b) - exp(xi a)) / xi. */
static double level_difference(double shape, double a, double b)
{
  return exp(shape * a) * (b - a) * wb_exp_ratio(shape * (b - a));
}

/* The distribution that has the sample's quantiles: the ratio of their distances gives the shape.
 */
static bool start_by_quantiles(const struct wb_fit_sample *sample, double *start)
{
  const enum wb_tail_family family = sample->likelihood.family;
  const double *const q = sample->quantiles;
  const double first = wb_tail_is_of_maxima(family) ? q[0] : 0.0;
  const double ratio = (q[2] - q[1]) / (q[1] - first);
  double low = -0.9, high = 50.0;
  /* Reduced levels of the sample's quantiles: of probabilities 0.1, 0.5 and 0.9 to be below; of
   * excesses the first is that of the threshold. */
  const double y[] = {wb_tail_is_of_maxima(family) ? wb_tail_reduced_level(family, 0.9) : 0.0,
                      wb_tail_reduced_level(family, 0.5), wb_tail_reduced_level(family, 0.1)};
  if (!(ratio > 0) || isinf(ratio))
    return false;
  for (int step = 0; step < 50; step++) {
    const double shape = 0.5 * (low + high);
    if (level_difference(shape, y[1], y[2]) / level_difference(shape, y[0], y[1]) < ratio)
      low = shape;
    else
      high = shape;
  }
  const double scale = (q[1] - first) / level_difference(low, y[0], y[1]);
  const double location = q[1] - scale * level_difference(low, 0.0, y[1]);
  start_at(sample, wb_tail_is_of_maxima(family) ? location : 0.0, scale, low, start);
  return true;
}

typedef bool minimiser(const struct wb_objective *objective, double *unknowns,
                       struct wb_score *score);

/* What the starts have led to. */
struct search {
  const struct wb_fit_sample *sample;
  struct wb_likelihood_peak *best; /* the best inner maximum */
  bool found;                      /* there is one */
  double least;                    /* value seen, of a maximum or not */
  double boundary;                 /* value there */
};

/* Climbs from one more start and keeps the better peak. */
static void try_start(struct search *search, minimiser *method, const double *start)
{
  struct wb_likelihood_peak peak;
  const bool converged = climb(search->sample, method, start, &peak);
  search->least = fmin(search->least, peak.value);
  if (converged && (!search->found || peak.value < search->best->value)) {
    *search->best = peak;
    search->found = true;
  }
}

static void find_inner(struct search *search)
{
  static const double shapes[] = {0.0, 0.3, -0.2, -0.5, 0.8};
  const struct wb_fit_sample *const sample = search->sample;
  const bool few = sample->total <= WB_FEW_VALUES;
  minimiser *const first = few ? wb_minimise : wb_minimise_by_gradient;
  double start[WB_LIKELIHOOD_PARAMETERS];
  if (!wb_tail_has_shape(sample->likelihood.family)) {
    start_with_shape(sample, 0.0, start);
    try_start(search, wb_minimise, start);
    return;
  }
  if (start_by_moments(sample, start))
    try_start(search, first, start);
  const bool regular = search->found && search->best->parameters[WB_SHAPE] > -0.5;
  if ((few || !regular) && start_by_quantiles(sample, start))
    try_start(search, first, start);
  for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
    /* Of many values, the two starts near the estimates will do where they led to a maximum, or to
     * nothing better than the boundary. */
    if (!few && (search->found || search->boundary <= search->least))
      return;
    start_with_shape(sample, shapes[k], start);
    try_start(search, wb_minimise, start);
  }
}

/* The least upper end, at the mean of the covariate, that a line of this slope has above all
 * values; convex in the slope. */
static double end_of_slope(const struct wb_likelihood *likelihood, double slope)
{
  double end = -INFINITY;
  for (size_t k = 0; k < likelihood->count; k++)
    end = fmax(end, likelihood->values[k] - slope * likelihood->covariates[k]);
  return end;
}

/* At xi = -1 the density is 1 / sigma times (of maxima) the exponential of -(end - value) / sigma
 * up to its end, so that the least end is the best. Standardised covariates have mean 0. */
static void find_boundary(const struct wb_fit_sample *sample, struct wb_likelihood_peak *peak)
{
  const struct wb_likelihood *const likelihood = &sample->likelihood;
  const double n = sample->total;
  *peak = (struct wb_likelihood_peak){.at_boundary = true};
  double end = sample->greatest, scale = end;
  if (likelihood->covariates) {
    /* The slope of the least end by ternary search: no slope beyond the greatest difference of
     * values over the mean distance of covariates 1 can be better than a level line. */
    double high = sample->greatest - sample->least;
    for (size_t k = 0; k < sample->likelihood.count; k++) {
      const double distance = fabs(sample->likelihood.covariates[k]);
      if (distance > 0.5)
        high = fmax(high, (sample->greatest - sample->least) / distance);
    }
    double low = -high;
    for (int step = 0; step < 200; step++) {
      const double third = (high - low) / 3.0;
      if (end_of_slope(&sample->likelihood, low + third) <
          end_of_slope(&sample->likelihood, high - third))
        high -= third;
      else
        low += third;
    }
    peak->parameters[WB_TREND] = 0.5 * (low + high);
    end = end_of_slope(likelihood, peak->parameters[WB_TREND]);
  }
  if (wb_tail_is_of_maxima(likelihood->family)) {
    double sum = 0;
    for (size_t k = 0; k < likelihood->count; k++)
      sum += (end - likelihood->values[k]) * (likelihood->weights ? likelihood->weights[k] : 1.0);
    scale = sum / n;
    peak->parameters[WB_LOCATION] = end - scale;
  }
  peak->parameters[WB_LOG_SCALE] = log(scale);
  peak->parameters[WB_SHAPE] = -1.0;
  peak->value = n * log(scale) + (wb_tail_is_of_maxima(likelihood->family) ? n : 0.0);
}

double wb_boundary_likelihood(const struct wb_fit_sample *sample)
{
  struct wb_likelihood_peak boundary;
  find_boundary(sample, &boundary);
  return boundary.value;
}

/* The inner maximum or the boundary, whichever is greater. */
static bool take_greater(const struct search *search, const struct wb_likelihood_peak *boundary,
                         struct wb_likelihood_peak *peak)
{
  if (!isfinite(boundary->value) || (search->found && peak->value <= boundary->value))
    return search->found;
  /* Elsewhere the likelihood was greater: it grows, without a maximum, to another end than this. */
  if (search->least < boundary->value - 1e-6 * search->sample->total)
    return search->found;
  *peak = *boundary;
  return true;
}

bool wb_maximise_likelihood(const struct wb_fit_sample *sample, struct wb_likelihood_peak *peak)
{
  struct search search = {.sample = sample, .best = peak, .least = INFINITY, .boundary = INFINITY};
  struct wb_likelihood_peak boundary = {.value = INFINITY};
  if (wb_tail_has_shape(sample->likelihood.family)) {
    find_boundary(sample, &boundary);
    search.boundary = boundary.value;
  }
  find_inner(&search);
  return wb_tail_has_shape(sample->likelihood.family) ? take_greater(&search, &boundary, peak)
                                                      : search.found;
}

bool wb_maximise_likelihood_of_draw(const struct wb_fit_sample *sample,
                                    const double parameters[WB_LIKELIHOOD_PARAMETERS],
                                    struct wb_likelihood_peak *peak)
{
  struct search search = {.sample = sample, .best = peak, .least = INFINITY};
  struct wb_likelihood_peak boundary;
  double start[WB_LIKELIHOOD_PARAMETERS];
  start_at(sample, parameters[WB_LOCATION], exp(parameters[WB_LOG_SCALE]),
           fmax(parameters[WB_SHAPE], LEAST_START), start);
  try_start(&search, wb_newton_minimise, start);
  find_boundary(sample, &boundary);
  return take_greater(&search, &boundary, peak);
}
