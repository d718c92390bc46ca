/* Measured times and their analysis, of the public header. */
#include "analysis/measured/measured_result.h"

#include "api/arguments.h"
#include "base/memory.h"
#include "base/work_control.h"
#include "formats/samples/samples_file.h"
#include "report/measured/measured_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The handle of measured times. Owns the series. */
struct warpbound_samples {
  struct wb_samples samples;
};

/* ---- measured times ---- */

warpbound_status warpbound_samples_parse(const char *name, const char *text, size_t length,
                                         const warpbound_samples_options *options,
                                         warpbound_samples **samples, warpbound_error *error)
{
  struct wb_samples_choice choice = {0};
  warpbound_status status = wb_require_place(samples, "samples", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(text, "text", "measured times", error);
  if (status != WARPBOUND_OK)
    return status;
  if (options != NULL)
    choice =
        (struct wb_samples_choice){options->column, options->group, options->unit, options->skip};
  warpbound_samples *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  status = wb_samples_parse(name != NULL ? name : "", text, length, &choice, &made->samples, error);
  if (status == WARPBOUND_OK)
    *samples = made;
  else
    free(made);
  return status;
}

/* One series of the values. Also where it fails all that was made belongs to the samples. */
static warpbound_status take_values(struct wb_samples *samples, const double *values, size_t count,
                                    const char *unit, warpbound_error *error)
{
  const warpbound_status status = wb_require(values, "values", "measured times", error);
  if (status != WARPBOUND_OK)
    return status;
  if (count == 0 || count > WB_SAMPLES_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE, "count: expected 1 to %zu values, found %zu",
                   WB_SAMPLES_LIMIT, count);
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(values[i]) || values[i] < 0)
      return wb_fail(error, WARPBOUND_USAGE,
                     "values: expected a finite number of 0 or more at index %zu, found %g", i,
                     values[i]);
  }
  const char *known = unit != NULL ? wb_time_unit(unit, strlen(unit)) : NULL;
  if (unit != NULL && known == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "unit: expected cycles, ns, us, ms or s, found '%.40s'",
                   unit);
  samples->unit = known != NULL ? wb_copy_text(known, strlen(known)) : NULL;
  samples->file = wb_copy_text("", 0);
  if (samples->file == NULL || (known != NULL && samples->unit == NULL) ||
      !wb_grow(samples->series, &samples->capacity, (size_t)1))
    return wb_out_of_memory(error);
  struct wb_series *series = &samples->series[0];
  *series =
      (struct wb_series){.name = wb_copy_text("", 0), .values = wb_allocate(count, sizeof *values)};
  samples->count = 1;
  if (series->name == NULL || series->values == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; i < count; i++)
    series->values[i] = fabs(values[i]); /* -0 */
  series->count = series->capacity = count;
  return WARPBOUND_OK;
}

warpbound_status warpbound_samples_create(const double *values, size_t count, const char *unit,
                                          warpbound_samples **samples, warpbound_error *error)
{
  warpbound_status status = wb_require_place(samples, "samples", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  warpbound_samples *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  status = take_values(&made->samples, values, count, unit, error);
  if (status == WARPBOUND_OK)
    *samples = made;
  else
    warpbound_samples_free(made);
  return status;
}

void warpbound_samples_free(warpbound_samples *samples)
{
  if (samples != NULL)
    wb_samples_free(&samples->samples);
  free(samples);
}

const char *warpbound_samples_unit(const warpbound_samples *samples)
{
  return samples != NULL && samples->samples.unit != NULL ? samples->samples.unit : "";
}

size_t warpbound_samples_series_count(const warpbound_samples *samples)
{
  return samples != NULL ? samples->samples.count : 0;
}

/* The series, or NULL. */
static const struct wb_series *series_at(const warpbound_samples *samples, size_t series)
{
  return series < warpbound_samples_series_count(samples) ? &samples->samples.series[series] : NULL;
}

const char *warpbound_samples_series_name(const warpbound_samples *samples, size_t series)
{
  const struct wb_series *found = series_at(samples, series);
  return found != NULL ? found->name : "";
}

size_t warpbound_samples_count(const warpbound_samples *samples, size_t series)
{
  const struct wb_series *found = series_at(samples, series);
  return found != NULL ? found->count : 0;
}

const double *warpbound_samples_values(const warpbound_samples *samples, size_t series)
{
  const struct wb_series *found = series_at(samples, series);
  return found != NULL ? found->values : NULL;
}

/* ---- options ---- */

#define DEFAULT_CONFIDENCE 0.95
#define DEFAULT_SIGNIFICANCE 0.05
#define DEFAULT_REPLICATES 199
#define MOST_REPLICATES 100000

static warpbound_status check_options(const warpbound_measured_options *options,
                                      warpbound_error *error)
{
  warpbound_status status =
      wb_require_choice((int)options->method, WARPBOUND_TAIL_PEAKS + 1, "method", error);
  if (status == WARPBOUND_OK)
    status =
        wb_require_choice((int)options->rule, WARPBOUND_THRESHOLD_STABILITY + 1, "rule", error);
  if (status == WARPBOUND_OK && options->probability_count > 0)
    status = wb_require(options->probabilities, "probabilities", "numbers", error);
  if (status != WARPBOUND_OK)
    return status;
  if (options->probability_count > WB_MEASURED_LEVELS)
    return wb_fail(error, WARPBOUND_USAGE, "probabilities: expected at most %d, found %zu",
                   WB_MEASURED_LEVELS, options->probability_count);
  if (options->replicates > MOST_REPLICATES || options->bootstrap > MOST_REPLICATES)
    return wb_fail(error, WARPBOUND_USAGE, "bootstrap: expected at most %d replicates",
                   MOST_REPLICATES);
  if (options->has_bound && !(isfinite(options->bound) && options->bound > 0))
    return wb_fail(error, WARPBOUND_USAGE, "bound: expected a finite number above 0, found %g",
                   options->bound);
  return WARPBOUND_OK;
}

/* ---- the analysis ---- */

warpbound_status warpbound_measured_analyse(const warpbound_samples *samples,
                                            const warpbound_measured_options *options,
                                            const warpbound_options *limits,
                                            warpbound_measured **measured, warpbound_error *error)
{
  static const warpbound_measured_options defaults = {0};
  warpbound_status status =
      wb_require_place(measured, "measured", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  if (options == NULL)
    options = &defaults;
  status = wb_require(samples, "samples", "measured times", error);
  if (status == WARPBOUND_OK)
    status = check_options(options, error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(limits, error);
  if (status != WARPBOUND_OK)
    return status;
  warpbound_measured *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  const char *source = options->bound_source != NULL ? options->bound_source : "given";
  made->bound_source = wb_copy_text(source, strlen(source));
  if (made->bound_source == NULL) {
    status = wb_out_of_memory(error);
  } else {
    const struct wb_control control = wb_control_start(limits);
    static const double usual[] = {1e-3, 1e-6, 1e-9, 1e-12};
    const bool given = options->probability_count > 0;
    const double *probabilities = given ? options->probabilities : usual;
    static const enum wb_measured_method methods[] = {WB_MEASURED_BOTH, WB_MEASURED_MAXIMA,
                                                      WB_MEASURED_PEAKS};
    static const enum wb_threshold_rule rules[] = {
        WB_THRESHOLD_ANDERSON_DARLING, WB_THRESHOLD_NORTHROP_COLEMAN, WB_THRESHOLD_STABILITY};
    struct wb_measured_options taken = {
        .method = methods[options->method],
        .block_size = options->block_size,
        .has_threshold = options->has_threshold,
        .threshold = options->threshold,
        .rule = rules[options->rule],
        .decluster = !options->no_declustering,
        .run_length = options->run_length,
        .probability_count = given ? options->probability_count : sizeof usual / sizeof *usual,
        .confidence = options->confidence != 0 ? options->confidence : DEFAULT_CONFIDENCE,
        .significance = options->significance != 0 ? options->significance : DEFAULT_SIGNIFICANCE,
        .replicates = options->replicates > 0 ? options->replicates : DEFAULT_REPLICATES,
        .bootstrap = options->bootstrap,
        .seed = options->seed,
        .fit_anyway = options->fit_anyway,
        .bound = {.given = options->has_bound,
                  .value = options->bound,
                  .source = made->bound_source},
    };
    memcpy(taken.probabilities, probabilities, taken.probability_count * sizeof *probabilities);
    status = wb_measured_analyse(&samples->samples, &taken, &control, &made->result, error);
  }
  if (status == WARPBOUND_OK || (status == WARPBOUND_LIMIT && made->result.count > 0))
    *measured = made;
  else
    warpbound_measured_free(made);
  return status;
}

void warpbound_measured_free(warpbound_measured *measured)
{
  if (measured == NULL)
    return;
  wb_measured_free(&measured->result);
  free(measured->bound_source);
  free(measured);
}

/* ---- verdict and checks ---- */

size_t warpbound_measured_series_count(const warpbound_measured *measured)
{
  return measured != NULL ? measured->result.count : 0;
}

const char *warpbound_applicability_name(warpbound_applicability applicability)
{
  switch (applicability) {
  case WARPBOUND_APPLICABLE:
    return wb_applicability_words(WB_APPLICABLE);
  case WARPBOUND_APPLICABLE_WITH_CARE:
    return wb_applicability_words(WB_APPLICABLE_WITH_CARE);
  case WARPBOUND_NOT_APPLICABLE:
    return wb_applicability_words(WB_NOT_APPLICABLE);
  }
  return "unknown";
}

static warpbound_applicability applicability_of(enum wb_applicability applicability)
{
  return applicability == WB_APPLICABLE             ? WARPBOUND_APPLICABLE
         : applicability == WB_APPLICABLE_WITH_CARE ? WARPBOUND_APPLICABLE_WITH_CARE
                                                    : WARPBOUND_NOT_APPLICABLE;
}

/* The analysis of a series, or NULL. */
static const struct wb_measured_series *series_of(const warpbound_measured *measured, size_t series)
{
  return measured != NULL && series < measured->result.count ? &measured->result.series[series]
                                                             : NULL;
}

warpbound_applicability warpbound_measured_applicability(const warpbound_measured *measured,
                                                         size_t series)
{
  const struct wb_measured_series *found = series_of(measured, series);
  return found != NULL ? applicability_of(found->verdict) : WARPBOUND_NOT_APPLICABLE;
}

const char *warpbound_measured_verdict(const warpbound_measured *measured, size_t series)
{
  const struct wb_measured_series *found = series_of(measured, series);
  return found != NULL ? found->verdict_words : "";
}

size_t warpbound_measured_check_count(const warpbound_measured *measured)
{
  return measured != NULL ? WB_MEASURED_CHECKS : 0;
}

warpbound_measured_check warpbound_measured_check_at(const warpbound_measured *measured,
                                                     size_t series, size_t check)
{
  const struct wb_measured_series *found = series_of(measured, series);
  if (found == NULL || check >= WB_MEASURED_CHECKS)
    return (warpbound_measured_check){
        .name = "", .title = "", .meaning = "", .advice = "", .outcome = WARPBOUND_NOT_APPLICABLE};
  const struct wb_measured_check *made = &found->checks[check];
  return (warpbound_measured_check){
      .name = wb_measured_check_words[made->kind].name,
      .title = wb_measured_check_words[made->kind].title,
      .done = made->done,
      .statistic = made->statistic,
      .p_value = made->p_value,
      .adjusted = made->adjusted,
      .outcome = applicability_of(made->outcome),
      .meaning = made->meaning,
      .advice = made->advice,
  };
}

/* ---- fits ---- */

size_t warpbound_measured_fit_count(const warpbound_measured *measured)
{
  return measured != NULL ? WB_MEASURED_FITS : 0;
}

/* Whether a fit was made. */
static bool is_made(const struct wb_measured_series *series, const struct wb_measured_fit *fit)
{
  return series->fitted && !fit->failed && fit->fit.count > 0;
}

warpbound_measured_fit warpbound_measured_fit_at(const warpbound_measured *measured, size_t series,
                                                 size_t fit)
{
  const struct wb_measured_series *found = series_of(measured, series);
  if (found == NULL || fit >= WB_MEASURED_FITS)
    return (warpbound_measured_fit){.name = "", .title = "", .why = ""};
  const struct wb_measured_fit *made = &found->fits[fit];
  warpbound_measured_fit result = {
      .name = wb_measured_fit_words[fit].name,
      .title = wb_measured_fit_words[fit].title,
      .why = !found->fitted ? found->verdict_words
             : made->failed ? made->why
                            : "not asked for",
  };
  if (is_made(found, made)) {
    /* The numbers of a fit that was made. */
    const struct wb_tail_fit *tail = &made->fit;
    result.made = true;
    result.why = "";
    result.count = tail->count;
    result.location = tail->tail.location;
    result.location_error =
        wb_tail_is_of_maxima(tail->tail.family) ? wb_fit_error(tail, 0) : (double)NAN;
    result.scale = tail->tail.scale;
    result.scale_error = wb_fit_error(tail, wb_fit_scale_place(tail));
    result.shape = tail->tail.shape;
    result.shape_error = wb_fit_error(tail, wb_fit_shape_place(tail));
    result.shape_low = made->shape.found ? made->shape.low : (double)NAN;
    result.shape_high = made->shape.found ? made->shape.high : (double)NAN;
    result.negative_log_likelihood = tail->negative_log_likelihood;
    result.anderson_darling_p =
        made->has_goodness ? made->goodness.anderson_darling_p : (double)NAN;
    result.cramer_von_mises_p =
        made->has_goodness ? made->goodness.cramer_von_mises_p : (double)NAN;
    result.at_boundary = tail->at_boundary;
    result.impossible = made->impossible;
  }
  return result;
}

size_t warpbound_measured_level_count(const warpbound_measured *measured)
{
  return measured != NULL ? measured->result.options.probability_count : 0;
}

static void write_interval(const struct wb_interval *interval, double *low, double *high)
{
  *low = interval->found ? interval->low : (double)NAN;
  *high = interval->found ? interval->high : (double)NAN;
}

warpbound_measured_level warpbound_measured_level_at(const warpbound_measured *measured,
                                                     size_t series, size_t fit, size_t level)
{
  const struct wb_measured_series *found = series_of(measured, series);
  if (found == NULL || fit >= WB_MEASURED_FITS || level >= warpbound_measured_level_count(measured))
    return (warpbound_measured_level){0};
  warpbound_measured_level result = {.probability = measured->result.options.probabilities[level],
                                     .level = NAN,
                                     .error = NAN,
                                     .low = NAN,
                                     .high = NAN,
                                     .bootstrap_low = NAN,
                                     .bootstrap_high = NAN};
  if (!is_made(found, &found->fits[fit]))
    return result;
  const struct wb_measured_level *made = &found->fits[fit].levels[level];
  result.level = made->level;
  result.error = made->error;
  write_interval(&made->profile, &result.low, &result.high);
  write_interval(&made->bootstrap, &result.bootstrap_low, &result.bootstrap_high);
  result.extrapolated = made->extrapolated;
  result.below_observed = made->below_observed;
  result.above_bound = made->above_bound;
  return result;
}

/* ---- the one answer ---- */

size_t warpbound_measured_recommended(const warpbound_measured *measured, size_t series)
{
  const struct wb_measured_series *found = series_of(measured, series);
  return found != NULL && found->recommended.given ? (size_t)found->recommended.kind
                                                   : warpbound_measured_fit_count(measured);
}

const char *warpbound_measured_reason(const warpbound_measured *measured, size_t series)
{
  const struct wb_measured_series *found = series_of(measured, series);
  return found != NULL ? found->recommended.reason : "";
}

warpbound_recommended_level warpbound_measured_recommended_at(const warpbound_measured *measured,
                                                              size_t series, size_t level)
{
  const struct wb_measured_series *found = series_of(measured, series);
  if (found == NULL || level >= warpbound_measured_level_count(measured))
    return (warpbound_recommended_level){.level = NAN, .low = NAN, .high = NAN};
  const struct wb_measured_recommended_level *made = &found->recommended.levels[level];
  const bool given = found->recommended.given;
  return (warpbound_recommended_level){.probability = measured->result.options.probabilities[level],
                                       .level = given ? made->level : (double)NAN,
                                       .low = given ? made->low : (double)NAN,
                                       .high = given ? made->high : (double)NAN,
                                       .observed = given && made->observed};
}

/* ---- texts ---- */

static warpbound_status write(const warpbound_measured *measured,
                              void (*writer)(const struct wb_measured *measured,
                                             struct wb_text *text),
                              char **text, warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = wb_require_text_of(measured, "measured", "a result", text, error);
  if (status == WARPBOUND_OK)
    writer(&measured->result, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, text, error) : status;
}

warpbound_status warpbound_measured_text(const warpbound_measured *measured, char **text,
                                         warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = wb_require_text_of(measured, "measured", "a result", text, error);
  if (status == WARPBOUND_OK)
    wb_measured_text(&measured->result, false, false, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, text, error) : status;
}

warpbound_status warpbound_measured_json(const warpbound_measured *measured, char **json,
                                         warpbound_error *error)
{
  return write(measured, wb_measured_json, json, error);
}

warpbound_status warpbound_measured_page(const warpbound_measured *measured, char **html,
                                         warpbound_error *error)
{
  return write(measured, wb_measured_page, html, error);
}
