/* Trials of the fits to samples of known distributions. */
#include "fit_trials.h"

#include "evt/fit/intervals.h"
#include "evt/goodness/goodness.h"
#include "evt/samples/samples.h"

#include <math.h>
#include <stdlib.h>

#define CONFIDENCE 0.95
#define NORMAL_LEVEL 1.959963984540054

/* The largest values by the trial's share, in place; the threshold is the value below them, or half
 * a tick above it. */
static size_t keep_largest(const struct fit_trial *trial, double *values, double *threshold)
{
  wb_sort_ascending(values, trial->count);
  size_t below = trial->count - (size_t)((double)trial->count * trial->share);
  *threshold = values[below - 1] + trial->recipe.tick / 2;
  size_t kept = 0;
  for (size_t k = below; k < trial->count; k++)
    if (values[k] > *threshold)
      values[kept++] = values[k];
  return kept;
}

/* The sample of a trial. The caller frees data->values. */
static double *make_sample(const struct fit_trial *trial, uint64_t seed, struct wb_fit_data *data)
{
  const size_t block = trial->block > 1 ? trial->block : 1;
  size_t count = trial->count * block;
  double *values = malloc((count > 0 ? count : 1) * sizeof *values);
  if (values == NULL)
    abort();
  make_times(&trial->recipe, trial->count * block, seed, values);
  for (size_t k = 0; block > 1 && k < trial->count; k++) {
    double most = values[k * block];
    for (size_t i = 1; i < block; i++)
      most = fmax(most, values[k * block + i]);
    values[k] = most;
  }
  *data = (struct wb_fit_data){
      .values = values, .count = trial->count, .threshold = trial->recipe.location};
  if (trial->share > 0)
    data->count = keep_largest(trial, values, &data->threshold);
  return values;
}

void goodness_trial(const void *context, uint64_t seed, double results[TRIAL_RESULTS])
{
  const struct fit_trial *trial = context;
  struct wb_control control = wb_control_start(NULL);
  control.threads = 1;
  struct wb_fit_data data;
  double *values = make_sample(trial, seed, &data);
  struct wb_tail_fit fit;
  struct wb_goodness goodness;
  if (wb_tail_fit(&data, trial->family, trial->method, &fit, NULL) == WARPBOUND_OK &&
      wb_goodness_of_fit(&data, &fit, trial->recipe.tick, trial->replicates, seed, &control,
                         &goodness, NULL) == WARPBOUND_OK) {
    results[GOODNESS_A] = goodness.anderson_darling_p;
    results[GOODNESS_W] = goodness.cramer_von_mises_p;
  }
  free(values);
}

void ratio_trial(const void *context, uint64_t seed, double results[TRIAL_RESULTS])
{
  const struct fit_trial *trial = context;
  struct wb_fit_data data;
  double *values = make_sample(trial, seed, &data);
  const enum wb_tail_family larger = trial->family == WB_TAIL_GUMBEL ? WB_TAIL_GEV : WB_TAIL_PARETO;
  struct wb_tail_fit small, large;
  if (wb_tail_fit(&data, trial->family, WB_FIT_LIKELIHOOD, &small, NULL) == WARPBOUND_OK &&
      wb_tail_fit(&data, larger, WB_FIT_LIKELIHOOD, &large, NULL) == WARPBOUND_OK)
    results[RATIO_P] = wb_likelihood_ratio_of(&small, &large).p_value;
  free(values);
}

static double misses(struct wb_interval interval, double value)
{
  if (!interval.found)
    return NAN;
  return interval.low <= value && value <= interval.high ? 0 : 1;
}

static double lies_below(struct wb_interval interval, double value)
{
  return interval.found ? (interval.high < value ? 1 : 0) : NAN;
}

/* The interval of a normal estimate; not found where it has no error. */
static struct wb_interval normal_interval(double estimate, double error)
{
  return (struct wb_interval){.found = !isnan(error),
                              .low = estimate - NORMAL_LEVEL * error,
                              .high = estimate + NORMAL_LEVEL * error};
}

static void try_level(const struct fit_trial *trial, const struct wb_fit_data *data,
                      const struct wb_tail_fit *fit, uint64_t seed, double results[TRIAL_RESULTS])
{
  const double level = made_level(&trial->recipe, trial->survival);
  struct wb_interval interval = {.found = false};
  if (wb_profile_level(data, fit, trial->survival, CONFIDENCE, &interval, NULL) == WARPBOUND_OK) {
    results[COVER_PROFILE] = misses(interval, level);
    results[COVER_LOW] = lies_below(interval, level);
    results[COVER_OPEN] = isinf(interval.high) ? 1 : 0;
  }
  interval = normal_interval(wb_tail_level(&fit->tail, trial->survival),
                             wb_fit_level_error(fit, trial->survival));
  results[COVER_DELTA] = misses(interval, level);
  results[COVER_DELTA_LOW] = lies_below(interval, level);
  struct wb_control control = wb_control_start(NULL);
  control.threads = 1;
  unsigned failed;
  if (trial->replicates > 0 &&
      wb_bootstrap_levels(fit, &trial->survival, 1, CONFIDENCE, trial->replicates, seed, &control,
                          &interval, &failed, NULL) == WARPBOUND_OK) {
    results[COVER_BOOTSTRAP] = misses(interval, level);
    results[COVER_BOOTSTRAP_LOW] = lies_below(interval, level);
  }
}

void coverage_trial(const void *context, uint64_t seed, double results[TRIAL_RESULTS])
{
  const struct fit_trial *trial = context;
  struct wb_fit_data data;
  double *values = make_sample(trial, seed, &data);
  struct wb_tail_fit fit;
  const bool fitted =
      wb_tail_fit(&data, trial->family, WB_FIT_LIKELIHOOD, &fit, NULL) == WARPBOUND_OK;
  results[COVER_FAILED] = fitted ? 0 : 1;
  if (fitted) {
    const double shape = trial->recipe.shape;
    struct wb_interval interval = {.found = false};
    results[COVER_SHAPE_ERROR] = fit.tail.shape - shape;
    if (wb_profile_shape(&data, &fit, CONFIDENCE, &interval, NULL) == WARPBOUND_OK)
      results[COVER_SHAPE] = misses(interval, shape);
    const double error = wb_fit_error(&fit, wb_fit_shape_place(&fit));
    results[COVER_SHAPE_WALD] = misses(normal_interval(fit.tail.shape, error), shape);
    try_level(trial, &data, &fit, seed, results);
  }
  free(values);
}
