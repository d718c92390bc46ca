#include "trials.h"

#include "base/system/process.h"
#include "evt/extremes/maxima_and_peaks.h"
#include "evt/extremes/tail_points.h"
#include "evt/extremes/thresholds.h"
#include "evt/fit/intervals.h"
#include "evt/goodness/goodness.h"
#include "evt/samples/samples.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
  trial_function *trial;
  const void *context;
  size_t count;
  uint64_t first_seed;
  atomic_size_t next;
  double (*rows)[TRIAL_RESULTS];
};

static void *work(void *argument)
{
  struct shared *shared = argument;
  for (;;) {
    const size_t k = atomic_fetch_add(&shared->next, 1);
    if (k >= shared->count)
      return NULL;
    for (size_t result = 0; result < TRIAL_RESULTS; result++)
      shared->rows[k][result] = NAN;
    shared->trial(shared->context, shared->first_seed + k, shared->rows[k]);
  }
}

double (*run_trials(trial_function *trial, const void *context, size_t count, uint64_t first_seed,
                    unsigned threads))[TRIAL_RESULTS]
{
  struct shared shared = {
      .trial = trial, .context = context, .count = count, .first_seed = first_seed};
  shared.rows = malloc((count > 0 ? count : 1) * sizeof *shared.rows);
  if (shared.rows == NULL)
    abort();
  wb_workers_run(work, &shared, threads, 0);
  return shared.rows;
}

double share_at_most(double (*rows)[TRIAL_RESULTS], size_t count, size_t result, double limit)
{
  size_t known = 0, small = 0;
  for (size_t k = 0; k < count; k++) {
    known += isnan(rows[k][result]) ? 0 : 1;
    small += rows[k][result] <= limit ? 1 : 0;
  }
  return known == 0 ? NAN : (double)small / (double)known;
}

double mean_result(double (*rows)[TRIAL_RESULTS], size_t count, size_t result)
{
  size_t known = 0;
  double sum = 0;
  for (size_t k = 0; k < count; k++) {
    known += isnan(rows[k][result]) ? 0 : 1;
    sum += isnan(rows[k][result]) ? 0 : rows[k][result];
  }
  return known == 0 ? NAN : sum / (double)known;
}

/* Trials of what chooses blocks and thresholds and looks at the largest values. */

#define SIGNIFICANCE 0.05
#define LOWEST_SHARE 0.2

/* The sample of a trial, in order of time. The caller frees. */
static double *make_extremes_sample(const struct extremes_trial *trial, uint64_t seed)
{
  double *values = malloc((trial->count + 1) * sizeof *values);
  if (values == NULL)
    abort();
  make_times(&trial->recipe, trial->count, seed, values);
  struct wb_random random = {.state = ~seed};
  for (size_t i = 0; trial->tail_share > 0 && i < trial->count; i++)
    if (made_uniform(&random) >= trial->tail_share)
      values[i] = trial->recipe.location - trial->body * made_uniform(&random);
  for (size_t i = 0; i < trial->outliers; i++)
    values[i] = made_level(&trial->recipe, trial->outlier_level) *
                (1 + trial->outlier_spread * made_uniform(&random));
  return values;
}

/* Values above a threshold, of sorted ones. */
static size_t count_above(const double *ascending, size_t count, double threshold)
{
  size_t above = 0;
  while (above < count && ascending[count - 1 - above] > threshold)
    above++;
  return above;
}

static struct wb_control one_thread(void)
{
  struct wb_control control = wb_control_start(NULL);
  control.threads = 1;
  return control;
}

void scan_trial(const void *context, uint64_t seed, double results[TRIAL_RESULTS])
{
  const struct extremes_trial *trial = context;
  double *values = make_extremes_sample(trial, seed);
  wb_sort_ascending(values, trial->count);
  const struct wb_control control = one_thread();
  struct wb_threshold_scan scan;
  if (wb_threshold_scan(
          values, trial->count, &(struct wb_threshold_range){.lowest_share = LOWEST_SHARE},
          trial->recipe.tick, SIGNIFICANCE, seed, &control, &scan, NULL) != WARPBOUND_OK)
    abort();
  results[SCAN_ANDERSON_DARLING] = scan.points[0].anderson_darling_p;
  results[SCAN_NORTHROP_COLEMAN] = scan.points[0].northrop_coleman_p;
  const double lowest = (double)scan.points[0].exceedances;
  const double true_number =
      fmin(lowest, (double)count_above(values, trial->count, trial->recipe.location));
  for (int rule = 0; rule < SCAN_RULES; rule++)
    if (scan.chosen[rule] < scan.count)
      results[SCAN_KEPT + rule] = (double)scan.points[scan.chosen[rule]].exceedances / true_number;
  free(values);
}

void points_trial(const void *context, uint64_t seed, double results[TRIAL_RESULTS])
{
  const struct extremes_trial *trial = context;
  double *values = make_extremes_sample(trial, seed);
  wb_sort_ascending(values, trial->count);
  double threshold = trial->recipe.location;
  if (trial->share > 0)
    threshold = values[trial->count - 1 - (size_t)((double)trial->count * trial->share)];
  const size_t above = count_above(values, trial->count, threshold);
  struct wb_tail_points_result found;
  if (wb_tail_points_check(values + (trial->count - above), above, threshold, trial->recipe.tick,
                           1 - SIGNIFICANCE, &found, NULL) == WARPBOUND_OK) {
    results[POINTS_P] = found.p_value;
    results[POINTS_APART] = (double)found.apart;
    results[POINTS_MIXTURE] = found.outcome == WB_TAIL_POINTS_MIXTURE;
  }
  free(values);
}

void variation_trial(const void *context, uint64_t seed, double results[TRIAL_RESULTS])
{
  const struct extremes_trial *trial = context;
  double *values = make_extremes_sample(trial, seed);
  wb_sort_ascending(values, trial->count);
  struct wb_exponential_tail tail;
  if (wb_exponential_tail_find(values, trial->count, 1 - SIGNIFICANCE, &tail, NULL) ==
      WARPBOUND_OK) {
    results[VARIATION_FOUND] = tail.found;
    results[VARIATION_LIGHT] = tail.light;
    results[VARIATION_HEAVY] = tail.heavy;
    results[VARIATION_EXCEEDANCES] = (double)tail.exceedances;
  }
  free(values);
}

void block_trial(const void *context, uint64_t seed, double results[TRIAL_RESULTS])
{
  const struct extremes_trial *trial = context;
  double *values = make_extremes_sample(trial, seed);
  const struct wb_control control = one_thread();
  const struct wb_block_question question = {.values = values,
                                             .count = trial->count,
                                             .significance = SIGNIFICANCE,
                                             .tick = trial->recipe.tick,
                                             .seed = seed,
                                             .control = &control};
  struct wb_block_sizes sizes;
  if (wb_block_size_choose(&question, &sizes, NULL) == WARPBOUND_OK) {
    size_t place = 0;
    while (sizes.tried[place].block != sizes.block)
      place++;
    results[BLOCK_PLACE] = (double)place;
    results[BLOCK_REFUSED] = sizes.refused;
    results[BLOCK_SIZE] = (double)sizes.block;
  }
  free(values);
}

void index_trial(const void *context, uint64_t seed, double results[TRIAL_RESULTS])
{
  const struct extremes_trial *trial = context;
  double *values = make_extremes_sample(trial, seed);
  struct wb_extremal_index index;
  if (wb_extremal_index_of(values, trial->count, made_level(&trial->recipe, 0.02), 0, &index,
                           NULL) == WARPBOUND_OK) {
    results[INDEX_INTERVALS] = index.intervals;
    results[INDEX_RUNS] = index.runs;
  }
  free(values);
}

/* Trials of the fits to samples of known distributions. */

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
static double *make_fit_sample(const struct fit_trial *trial, uint64_t seed,
                               struct wb_fit_data *data)
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
  double *values = make_fit_sample(trial, seed, &data);
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
  double *values = make_fit_sample(trial, seed, &data);
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
  double *values = make_fit_sample(trial, seed, &data);
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
