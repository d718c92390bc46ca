/* Checks, standardises and sorts the data of a fit. */
#include "evt/fit/fit_sample.h"

#include "evt/math/special_functions.h"
#include "evt/samples/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void wb_fit_sample_free(struct wb_fit_sample *sample)
{
  free(sample->memory);
  sample->memory = NULL;
}

static void find_free_places(struct wb_fit_sample *sample, bool has_trend)
{
  const enum wb_tail_family family = sample->likelihood.family;
  sample->free_count = 0;
  if (wb_tail_is_of_maxima(family))
    sample->free[sample->free_count++] = WB_LOCATION;
  if (has_trend)
    sample->free[sample->free_count++] = WB_TREND;
  sample->free[sample->free_count++] = WB_LOG_SCALE;
  if (wb_tail_has_shape(family))
    sample->free[sample->free_count++] = WB_SHAPE;
}

static warpbound_status check_values(const struct wb_fit_data *data, enum wb_tail_family family,
                                     warpbound_error *error)
{
  const bool excesses = !wb_tail_is_of_maxima(family);
  if (data->covariate && excesses)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "a %s fit has no trend of the location",
                   wb_tail_name(family));
  for (size_t k = 0; k < data->count; k++) {
    if (!isfinite(data->values[k]) || (data->covariate && !isfinite(data->covariate[k])))
      return wb_fail(error, WARPBOUND_INVALID_INPUT, "value %zu of a %s fit is not finite", k + 1,
                     wb_tail_name(family));
    if (excesses && data->values[k] < data->threshold)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "value %zu of a %s fit is %.17g, below the threshold %.17g", k + 1,
                     wb_tail_name(family), data->values[k], data->threshold);
  }
  return WARPBOUND_OK;
}

/* The number of different values, at most `most`, which is at most WB_LIKELIHOOD_PARAMETERS + 1. */
static unsigned different_values(const double *values, size_t count, unsigned most)
{
  double seen[WB_LIKELIHOOD_PARAMETERS + 1];
  unsigned different = 0;
  for (size_t k = 0; k < count && different < most; k++) {
    unsigned s = 0;
    while (s < different && seen[s] != values[k])
      s++;
    if (s == different)
      seen[different++] = values[k];
  }
  return different;
}

/* Values (value - shift) / unit, by the size of the values; false where there is no such unit. */
static bool standardise(struct wb_fit_sample *sample, double *values, size_t count)
{
  if (!isfinite(sample->shift) || !isfinite(sample->unit) || !(sample->unit > 0))
    return false;
  sample->least = INFINITY;
  sample->greatest = -INFINITY;
  for (size_t k = 0; k < count; k++) {
    values[k] = (values[k] - sample->shift) / sample->unit;
    sample->least = fmin(sample->least, values[k]);
    sample->greatest = fmax(sample->greatest, values[k]);
  }
  return isfinite(sample->least) && isfinite(sample->greatest);
}

static warpbound_status too_wide(warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_INVALID_INPUT,
                 "the values are too large or too small for a fit in double precision");
}

/* A unit in which most values are of size 1, whatever the tail is: the distance of the quartiles,
 * of excesses the median; where that is 0 for ties, a moment. */
static double choose_unit(const double *ascending, size_t count, bool of_maxima, double threshold)
{
  const double low = of_maxima ? ascending[count / 4] : threshold;
  const double distance = ascending[of_maxima ? count / 2 + count / 4 : count / 2] - low;
  if (distance > 0)
    return distance;
  const struct wb_l_moments moments = wb_l_moments_of(ascending, count);
  return of_maxima ? moments.l2 : moments.l1 - threshold;
}

static void take_quantiles(struct wb_fit_sample *sample, const double *ascending, size_t count)
{
  static const size_t tenths[] = {1, 5, 9};
  for (unsigned q = 0; q < 3; q++)
    sample->quantiles[q] = ascending[count / 10 * tenths[q] + count % 10 * tenths[q] / 10];
}

/* Covariates less their mean, with variance 1; the trend of the values by least squares. */
static bool standardise_covariates(struct wb_fit_sample *sample, const double *values,
                                   double *covariates, size_t count)
{
  double sum = 0, squares = 0, products = 0;
  for (size_t k = 0; k < count; k++)
    sum += covariates[k];
  sample->covariate_shift = sum / (double)count;
  for (size_t k = 0; k < count; k++) {
    covariates[k] -= sample->covariate_shift;
    squares += covariates[k] * covariates[k];
  }
  sample->covariate_unit = sqrt(squares / (double)count);
  if (!isfinite(sample->covariate_unit) || !(sample->covariate_unit > 0))
    return false;
  for (size_t k = 0; k < count; k++) {
    covariates[k] /= sample->covariate_unit;
    products += covariates[k] * values[k];
  }
  sample->trend = products / (double)count;
  return isfinite(sample->trend);
}

/* With a covariate: values in their order, L-moments of what the trend by least squares leaves. */
static warpbound_status fill_with_trend(struct wb_fit_sample *sample,
                                        const struct wb_fit_data *data, warpbound_error *error)
{
  const size_t count = data->count;
  double *const values = sample->memory;
  double *const covariates = values + count;
  double *const rest = covariates + count;
  memcpy(covariates, data->covariate, count * sizeof *covariates);
  memcpy(rest, values, count * sizeof *rest);
  wb_sort_ascending(rest, count);
  sample->shift = rest[count / 2];
  sample->unit = choose_unit(rest, count, true, 0.0);
  if (!standardise(sample, values, count) ||
      !standardise_covariates(sample, values, covariates, count))
    return too_wide(error);
  for (size_t k = 0; k < count; k++)
    rest[k] = values[k] - sample->trend * covariates[k];
  wb_sort_ascending(rest, count);
  take_quantiles(sample, rest, count);
  sample->moments = wb_l_moments_of(rest, count);
  sample->likelihood.values = values;
  sample->likelihood.covariates = covariates;
  sample->likelihood.count = count;
  return WARPBOUND_OK;
}

static bool allocate(struct wb_fit_sample *sample, const struct wb_fit_data *data, unsigned arrays)
{
  if (data->count > SIZE_MAX / sizeof(double) / arrays)
    return false;
  sample->memory = malloc(data->count * arrays * sizeof(double));
  if (!sample->memory)
    return false;
  memcpy(sample->memory, data->values, data->count * sizeof(double));
  sample->total = (double)data->count;
  return true;
}

warpbound_status wb_fit_sample_make(const struct wb_fit_data *data, enum wb_tail_family family,
                                    struct wb_fit_sample *sample, warpbound_error *error)
{
  *sample = (struct wb_fit_sample){.likelihood = {.family = family, .control = data->control},
                                   .covariate_unit = 1.0};
  find_free_places(sample, data->covariate != NULL);
  const warpbound_status status = check_values(data, family, error);
  if (status != WARPBOUND_OK)
    return status;
  const unsigned needed = family == WB_TAIL_EXPONENTIAL ? 1 : sample->free_count + 1;
  const unsigned found = different_values(data->values, data->count, needed);
  if (found < needed)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "a fit of %s needs at least %u different value%s; there %s %u",
                   wb_tail_name(family), needed, needed == 1 ? "" : "s", found == 1 ? "is" : "are",
                   found);
  if (data->covariate && different_values(data->covariate, data->count, 2) < 2)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "a trend needs at least 2 different values of the covariate");
  if (!allocate(sample, data, data->covariate ? 3 : 2))
    return wb_out_of_memory(error);
  /* Without a covariate: sorted values with weights. */
  if (data->covariate)
    return fill_with_trend(sample, data, error);
  double *const values = sample->memory;
  double *const weights = values + data->count;
  wb_sort_ascending(values, data->count);
  const bool of_maxima = wb_tail_is_of_maxima(sample->likelihood.family);
  sample->shift = of_maxima ? values[data->count / 2] : data->threshold;
  sample->unit = choose_unit(values, data->count, of_maxima, data->threshold);
  if (!standardise(sample, values, data->count))
    return too_wide(error);
  take_quantiles(sample, values, data->count);
  /* Joins equal neighbours. */
  size_t count = 0;
  for (size_t k = 0; k < data->count; k++) {
    if (count > 0 && values[k] == values[count - 1]) {
      weights[count - 1] += 1.0;
      continue;
    }
    weights[count] = 1.0;
    values[count++] = values[k];
  }
  sample->moments = wb_l_moments_of_weighted(values, weights, count, sample->total);
  sample->likelihood.values = values;
  sample->likelihood.weights = weights;
  sample->likelihood.count = count;
  return WARPBOUND_OK;
}

warpbound_status wb_fit_sample_make_near(const struct wb_fit_data *data, const struct wb_tail *near,
                                         struct wb_fit_sample *sample, warpbound_error *error)
{
  *sample = (struct wb_fit_sample){.likelihood = {.family = near->family, .control = data->control},
                                   .covariate_unit = 1.0};
  find_free_places(sample, false);
  const warpbound_status status = check_values(data, near->family, error);
  if (status != WARPBOUND_OK)
    return status;
  if (data->count == 0 || !allocate(sample, data, 1))
    return data->count == 0 ? too_wide(error) : wb_out_of_memory(error);
  sample->shift = wb_tail_is_of_maxima(near->family) ? near->location : data->threshold;
  sample->unit = near->scale;
  if (!standardise(sample, sample->memory, data->count))
    return too_wide(error);
  sample->likelihood.values = sample->memory;
  sample->likelihood.count = data->count;
  return WARPBOUND_OK;
}

void wb_fit_sample_standardise(const struct wb_fit_sample *sample, const struct wb_tail *tail,
                               double trend, double parameters[WB_LIKELIHOOD_PARAMETERS])
{
  const double location = tail->location - sample->shift + trend * sample->covariate_shift;
  parameters[WB_LOCATION] = location / sample->unit;
  parameters[WB_TREND] = trend * sample->covariate_unit / sample->unit;
  parameters[WB_LOG_SCALE] = log(tail->scale / sample->unit);
  parameters[WB_SHAPE] = tail->shape;
}

struct wb_tail wb_fit_sample_tail(const struct wb_fit_sample *sample,
                                  const double parameters[WB_LIKELIHOOD_PARAMETERS], double *trend)
{
  *trend = parameters[WB_TREND] * sample->unit / sample->covariate_unit;
  return (struct wb_tail){
      .family = sample->likelihood.family,
      .location =
          sample->shift + sample->unit * parameters[WB_LOCATION] - *trend * sample->covariate_shift,
      .scale = sample->unit * exp(parameters[WB_LOG_SCALE]),
      .shape = parameters[WB_SHAPE],
  };
}

double wb_fit_sample_value(const struct wb_fit_sample *sample, double standardised_value)
{
  return standardised_value + sample->total * log(sample->unit);
}

/* L-moments by probability weighted moments, and their inverse for each family. */

#define EULER_GAMMA 0.57721566490153286061

/* The least shape of a GEV that is sought; t3 differs from -1 by 1e-9 there. */
#define LEAST_SHAPE (-30.0)

/* b0, b1 and b2 of Hosking, of values less the middle one, so that l2 and t3 keep their digits
 * where values differ little. A value of weight w stands for equal ones of ranks j = before ..
 * before + w
 * - 1, of which the sums of j and of j (j - 1) are taken in closed form. */
struct wb_l_moments wb_l_moments_of_weighted(const double *ascending, const double *weights,
                                             size_t count, double total)
{
  const double n = total, middle = ascending[count / 2];
  double b0 = 0, b1 = 0, b2 = 0, before = 0;
  for (size_t k = 0; k < count; k++) {
    const double w = weights ? weights[k] : 1.0, x = ascending[k] - middle;
    const double ranks = 0.5 * w * (w - 1.0);
    const double squares = ranks * (2.0 * w - 1.0) / 3.0;
    b0 += w * x;
    b1 += (w * before + ranks) * x;
    b2 += (w * before * (before - 1.0) + (2.0 * before - 1.0) * ranks + squares) * x;
    before += w;
  }
  b0 /= n;
  b1 /= n > 1 ? n * (n - 1.0) : INFINITY;
  b2 /= n > 2 ? n * (n - 1.0) * (n - 2.0) : INFINITY;
  struct wb_l_moments moments = {middle + b0, n > 1 ? 2.0 * b1 - b0 : 0.0, 0.0};
  if (n > 2 && moments.l2 > 0)
    moments.t3 = (6.0 * b2 - 6.0 * b1 + b0) / moments.l2;
  return moments;
}

struct wb_l_moments wb_l_moments_of(const double *ascending, size_t count)
{
  return wb_l_moments_of_weighted(ascending, NULL, count, (double)count);
}

static double gev_shape(double t3)
{
  double low = LEAST_SHAPE, high = 1.0;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high)
      return middle;
    const double log2_ratio = wb_exp_ratio(middle * log(2.0)) * log(2.0);
    const double log3_ratio = wb_exp_ratio(middle * log(3.0)) * log(3.0);
    if ((2.0 * log3_ratio / log2_ratio - 3.0) < t3)
      low = middle;
    else
      high = middle;
  }
}

/* (gamma(1 - xi) - 1) / xi, smooth through 0, where log gamma has a series. xi < 1. */
static double gamma_ratio(double shape)
{
  static const double zeta[] = {EULER_GAMMA,        1.6449340668482264, 1.2020569031595943,
                                1.0823232337111382, 1.0369277551433699, 1.0173430619844491,
                                1.0083492773819228};
  if (fabs(shape) > 0.005)
    return (tgamma(1.0 - shape) - 1.0) / shape;
  double sum = 0;
  for (int k = 6; k >= 0; k--)
    sum = sum * shape + zeta[k] / (k + 1);
  return sum * wb_exp_ratio(sum * shape);
}

bool wb_tail_of_l_moments(enum wb_tail_family family, const struct wb_l_moments *moments,
                          double threshold, struct wb_tail *tail)
{
  const double excess = moments->l1 - threshold;
  *tail = (struct wb_tail){.family = family, .location = threshold};
  if (family == WB_TAIL_EXPONENTIAL) {
    tail->scale = excess;
    return excess > 0;
  }
  if (!(moments->l2 > 0))
    return false;
  if (family == WB_TAIL_GEV) {
    if (!(fabs(moments->t3) < 1))
      return false;
    const double shape = gev_shape(moments->t3);
    const double ratio = tgamma(1.0 - shape) * wb_exp_ratio(shape * log(2.0)) * log(2.0);
    tail->shape = shape;
    tail->scale = moments->l2 / ratio;
    tail->location = moments->l1 - tail->scale * gamma_ratio(shape);
    return isfinite(tail->scale) && tail->scale > 0 && isfinite(tail->location);
  }
  if (family == WB_TAIL_GUMBEL) {
    tail->scale = moments->l2 / log(2.0);
    tail->location = moments->l1 - EULER_GAMMA * tail->scale;
    return true;
  }
  tail->shape = 2.0 - excess / moments->l2;
  tail->scale = excess * (1.0 - tail->shape);
  return excess > 0 && tail->scale > 0;
}

/* The likelihood by the reduced value y = log(1 + xi z) / xi: a value adds
 * log sigma + (1 + xi) y, and of maxima exp(-y) more. */

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
