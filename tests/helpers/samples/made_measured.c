#include "samples/made_measured.h"

#include "evt/samples/samples.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALE 100.0
#define LEAST 1000.0
#define BLOCK 10
#define SHAPE 0.1

static void *take(size_t count, size_t size)
{
  void *const memory = malloc(count > 0 ? count * size : 1);
  if (memory == NULL)
    abort();
  return memory;
}

static void make_levels(const struct wb_measured_options *options, struct wb_measured_fit *fit,
                        double most)
{
  for (size_t k = 0; k < options->probability_count; k++) {
    struct wb_measured_level *const level = &fit->levels[k];
    const double probability = options->probabilities[k];
    const double survival = wb_measured_survival(fit, probability);
    *level = (struct wb_measured_level){
        .probability = probability, .survival = survival, .level = NAN, .error = NAN};
    if (!(survival > 0 && survival < 1))
      continue;
    level->level = wb_tail_level(&fit->fit.tail, survival);
    level->error = 10;
    level->profile = (struct wb_interval){true, level->level - 50, level->level + 150};
    level->extrapolated = level->level > most;
    level->above_bound = level->level > options->bound.value;
  }
}

static void make_fit(struct made_measured *made, struct wb_measured_series *result,
                     enum wb_measured_fit_kind kind, enum wb_tail_family family)
{
  struct wb_measured_fit *const fit = &result->fits[kind];
  const bool maxima = wb_tail_is_of_maxima(family);
  const bool shaped = family == WB_TAIL_GEV || family == WB_TAIL_PARETO;
  *fit = (struct wb_measured_fit){
      .fit = {.tail = {.family = family,
                       .location = maxima ? LEAST + SCALE * log(BLOCK) : result->threshold,
                       .scale = SCALE,
                       .shape = shaped ? SHAPE : 0},
              .count = maxima ? result->maximum_count : result->peak_count,
              .parameter_count = 1u + shaped + maxima,
              .negative_log_likelihood = 1234.5},
      .runs_per_block = BLOCK,
      .share_above = (double)result->exceedances / (double)result->summary.count,
      .goodness = {.anderson_darling_p = 0.5, .cramer_von_mises_p = 0.25, .replicates = 199},
      .has_goodness = true,
  };
  if (shaped)
    fit->shape = (struct wb_interval){true, 0.05, 0.2};
  make_levels(&made->measured.options, fit, result->summary.most);
}

static void make_fits(struct made_measured *made, struct wb_measured_series *result)
{
  for (int kind = 0; kind < WB_MEASURED_FITS; kind++)
    result->fits[kind] = (struct wb_measured_fit){.failed = true};
  snprintf(result->fits[WB_FIT_OF_VARIATION].why, sizeof result->fits[0].why,
           "the variation leaves the band");
  result->fitted = result->maximum_count > 0 && result->peak_count > 0;
  if (!result->fitted)
    return;
  make_fit(made, result, WB_FIT_OF_GEV, WB_TAIL_GEV);
  make_fit(made, result, WB_FIT_OF_GUMBEL, WB_TAIL_GUMBEL);
  make_fit(made, result, WB_FIT_OF_PARETO, WB_TAIL_PARETO);
  make_fit(made, result, WB_FIT_OF_EXPONENTIAL, WB_TAIL_EXPONENTIAL);
}

static void make_extremes(struct wb_measured_series *result)
{
  const struct wb_series *const series = result->series;
  result->block_size = BLOCK;
  result->maximum_count = series->count / BLOCK;
  result->left_out = series->count % BLOCK;
  result->maxima = take(result->maximum_count, sizeof(double));
  wb_block_maxima(series->values, series->count, BLOCK, result->maxima);
  result->has_threshold = true;
  result->threshold = result->ascending[series->count * 8 / 10];
  result->peaks = take(series->count, sizeof(double));
  for (size_t i = 0; i < series->count; i++)
    if (series->values[i] > result->threshold)
      result->peaks[result->peak_count++] = series->values[i];
  result->exceedances = result->peak_count;
  result->index = (struct wb_extremal_index){.intervals = 0.9, .runs = 0.9, .run_length = 2};
}

/* Ten thresholds of a heavy tail; the last one's fit failed. The rules choose the first, the third
 * and none. */
static void make_scan(struct wb_measured_series *result)
{
  struct wb_threshold_scan *const scan = &result->scan;
  scan->count = 10;
  for (size_t p = 0; p < scan->count; p++)
    scan->points[p] = (struct wb_threshold_point){
        .threshold = result->threshold + 10 * (double)p,
        .exceedances = 100 - 5 * p,
        .mean_excess = SCALE + (double)p,
        .mean_excess_error = 5 + (double)p,
        .fitted = p + 1 < scan->count,
        .shape = SHAPE,
        .shape_error = 0.05,
        .modified_scale = SCALE,
        .modified_scale_error = 5,
    };
  scan->chosen[WB_THRESHOLD_ANDERSON_DARLING] = 0;
  scan->chosen[WB_THRESHOLD_NORTHROP_COLEMAN] = 2;
  scan->chosen[WB_THRESHOLD_STABILITY] = scan->count;
}

static void summarise(struct wb_measured_series *result)
{
  const size_t count = result->series->count;
  const double *const ascending = result->ascending;
  result->summary = (struct wb_measured_summary){
      .count = count,
      .least = ascending[0],
      .most = ascending[count - 1],
      .mean = ascending[count / 2],
      .deviation = 1,
      .median = ascending[count / 2],
      .quantile_95 = ascending[count * 95 / 100],
      .quantile_99 = ascending[count * 99 / 100],
      .quantile_999 = ascending[count * 999 / 1000],
  };
  result->resolution.distinct = count;
}

static void make_result(struct made_measured *made, size_t place)
{
  struct wb_measured_series *const result = &made->results[place];
  const struct wb_series *const series = &made->series[place];
  *result = (struct wb_measured_series){.series = series};
  result->ascending = take(series->count, sizeof(double));
  memcpy(result->ascending, series->values, series->count * sizeof(double));
  wb_sort_ascending(result->ascending, series->count);
  summarise(result);
  result->lag_count = series->count > WB_MEASURED_LAGS ? WB_MEASURED_LAGS : 0;
  for (size_t k = 0; k < result->lag_count; k++)
    result->correlations[k] = k == 4 ? 0.9 : 0;
  for (int kind = 0; kind < WB_MEASURED_CHECKS; kind++) {
    struct wb_measured_check *const check = &result->checks[kind];
    *check = (struct wb_measured_check){.kind = (enum wb_measured_check_kind)kind,
                                        .done = true,
                                        .statistic = 1.5,
                                        .detail = NAN,
                                        .p_value = 0.5,
                                        .adjusted = 1};
    snprintf(check->meaning, sizeof check->meaning, "check %d says so", kind);
  }
  snprintf(result->verdict_words, sizeof result->verdict_words, "applicable");
  make_extremes(result);
  make_scan(result);
  make_fits(made, result);
  for (size_t k = 0; k < made->measured.options.probability_count; k++)
    result->markov[k] = (struct wb_markov_level){7000, 3};
}

static void free_result(struct wb_measured_series *result)
{
  free(result->ascending);
  free(result->maxima);
  free(result->peaks);
}

void made_measured_start(struct made_measured *made, size_t count, size_t size)
{
  static char names[MADE_SERIES][8] = {"cold", "warm", "third"};
  static char file[] = "times.csv";
  static char unit[] = "cycles";
  assert(count <= MADE_SERIES);
  *made = (struct made_measured){
      .samples = {.file = file, .unit = unit, .series = made->series, .count = count}};
  made->measured = (struct wb_measured){
      .samples = &made->samples,
      .options = {.probabilities = {1e-3, 1e-6, 1e-9},
                  .probability_count = 3,
                  .confidence = 0.95,
                  .significance = 0.05,
                  .replicates = 199,
                  .seed = 1,
                  .bound = {true, 5000, "wcet.json"}},
      .series = made->results,
      .count = count,
  };
  for (size_t s = 0; s < count; s++) {
    made->series[s] =
        (struct wb_series){.name = names[s], .values = take(size, sizeof(double)), .count = size};
    for (size_t i = 0; i < size; i++) {
      /* A step that shares no divisor with the size visits each quantile once. */
      const double rank = (double)((i * 7919 + s) % size) + 0.5;
      made->series[s].values[i] = LEAST - SCALE * log1p(-rank / (double)size);
    }
    make_result(made, s);
  }
}

void made_measured_take(struct made_measured *made, const double *values, size_t size)
{
  free(made->series[0].values);
  free_result(&made->results[0]);
  made->series[0].values = take(size, sizeof(double));
  memcpy(made->series[0].values, values, size * sizeof(double));
  made->series[0].count = size;
  make_result(made, 0);
}

void made_measured_free(struct made_measured *made)
{
  for (size_t s = 0; s < made->measured.count; s++) {
    free(made->series[s].values);
    free_result(&made->results[s]);
  }
}
