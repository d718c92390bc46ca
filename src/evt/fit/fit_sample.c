/* Checks, standardises and sorts the data of a fit. */
#include "evt/fit/fit_sample.h"

#include "evt/samples/ascending.h"

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
