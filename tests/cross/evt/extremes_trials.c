/* Trials of what chooses blocks and thresholds and looks at the largest values. */
#include "extremes_trials.h"

#include "evt/extremes/maxima_and_peaks.h"
#include "evt/extremes/tail_points.h"
#include "evt/extremes/thresholds.h"
#include "evt/samples/samples.h"

#include <math.h>
#include <stdlib.h>

#define SIGNIFICANCE 0.05
#define LOWEST_SHARE 0.2

/* The sample of a trial, in order of time. The caller frees. */
static double *make_sample(const struct extremes_trial *trial, uint64_t seed)
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
  double *values = make_sample(trial, seed);
  wb_sort_ascending(values, trial->count);
  const struct wb_control control = one_thread();
  struct wb_threshold_scan scan;
  if (wb_threshold_scan(values, trial->count, LOWEST_SHARE, trial->recipe.tick, SIGNIFICANCE, seed,
                        &control, &scan, NULL) != WARPBOUND_OK)
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
  double *values = make_sample(trial, seed);
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
  double *values = make_sample(trial, seed);
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
  double *values = make_sample(trial, seed);
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
  double *values = make_sample(trial, seed);
  struct wb_extremal_index index;
  if (wb_extremal_index_of(values, trial->count, made_level(&trial->recipe, 0.02), 0, &index,
                           NULL) == WARPBOUND_OK) {
    results[INDEX_INTERVALS] = index.intervals;
    results[INDEX_RUNS] = index.runs;
  }
  free(values);
}
