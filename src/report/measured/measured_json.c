/* The analysis of measured times as JSON (doc/schema/evt.json). */
#include "report/measured/measured_report.h"

#include "formats/json/json_output.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* JSON has no NAN and no infinity: both are null, whose meaning the schema says. */
static json_t *number(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static void put(json_t **object, const char *name, double value)
{
  wb_json_put(object, name, number(value));
}

/* [low, high], an end that is not limited being null; null where it was not computed. */
static json_t *interval_json(const struct wb_interval *interval)
{
  if (!interval->found)
    return json_null();
  json_t *array = json_array();
  wb_json_push(&array, number(interval->low));
  wb_json_push(&array, number(interval->high));
  return array;
}

static json_t *summary_json(const struct wb_measured_summary *summary)
{
  json_t *object = json_object();
  wb_put_number(&object, "count", summary->count);
  put(&object, "least", summary->least);
  put(&object, "most", summary->most);
  put(&object, "mean", summary->mean);
  put(&object, "deviation", summary->deviation);
  put(&object, "median", summary->median);
  put(&object, "quantile_95", summary->quantile_95);
  put(&object, "quantile_99", summary->quantile_99);
  put(&object, "quantile_999", summary->quantile_999);
  return object;
}

static json_t *parameter_json(double value, double error)
{
  json_t *object = json_object();
  put(&object, "value", value);
  put(&object, "standard_error", error);
  return object;
}

static json_t *level_json(const struct wb_measured_level *level)
{
  json_t *object = json_object();
  put(&object, "probability", level->probability);
  put(&object, "level", level->level);
  wb_put_text(&object, "kind", "estimate");
  put(&object, "standard_error", level->error);
  wb_json_put(&object, "profile_interval", interval_json(&level->profile));
  wb_json_put(&object, "bootstrap_interval", interval_json(&level->bootstrap));
  wb_put_flag(&object, "extrapolated", level->extrapolated);
  wb_put_flag(&object, "below_observed", level->below_observed);
  wb_put_flag(&object, "above_bound", level->above_bound);
  return object;
}

static json_t *fit_json(const struct wb_measured *measured, const struct wb_measured_fit *fit,
                        enum wb_measured_fit_kind kind)
{
  json_t *object = json_object();
  wb_put_text(&object, "name", wb_measured_fit_words[kind].name);
  wb_put_text(&object, "title", wb_measured_fit_words[kind].title);
  wb_put_text(&object, "kind", "estimate");
  wb_put_flag(&object, "fitted", !fit->failed);
  if (fit->failed) {
    wb_put_text(&object, "why", fit->why);
    return object;
  }
  wb_put_number(&object, "values", fit->fit.count);
  const unsigned scale = wb_fit_scale_place(&fit->fit), shape = wb_fit_shape_place(&fit->fit);
  const bool maxima = wb_tail_is_of_maxima(fit->fit.tail.family);
  json_t *parameters = json_object();
  if (maxima)
    wb_json_put(&parameters, "location",
                parameter_json(fit->fit.tail.location, wb_fit_error(&fit->fit, 0)));
  else
    put(&parameters, "threshold", fit->fit.tail.location);
  wb_json_put(&parameters, "scale",
              parameter_json(fit->fit.tail.scale, wb_fit_error(&fit->fit, scale)));
  if (shape < fit->fit.parameter_count)
    wb_json_put(&parameters, "shape",
                parameter_json(fit->fit.tail.shape, wb_fit_error(&fit->fit, shape)));
  wb_json_put(&object, "parameters", parameters);
  wb_put_text(&object, "shape_sign", "xi > 0: heavy tail");
  json_t *rows = fit->fit.has_covariance ? json_array() : json_null();
  for (unsigned r = 0; fit->fit.has_covariance && r < fit->fit.parameter_count; r++) {
    json_t *row = json_array();
    for (unsigned c = 0; c < fit->fit.parameter_count; c++)
      wb_json_push(&row, number(fit->fit.covariance[r][c]));
    wb_json_push(&rows, row);
  }
  wb_json_put(&object, "covariance", rows);
  put(&object, "negative_log_likelihood", fit->fit.negative_log_likelihood);
  wb_put_flag(&object, "at_boundary", fit->fit.at_boundary);
  wb_put_flag(&object, "impossible", fit->impossible);
  wb_put_flag(&object, "refused", wb_measured_is_refused(&measured->options, fit));
  put(&object, "upper_end", wb_tail_upper_end(&fit->fit.tail));
  wb_json_put(&object, "shape_interval", interval_json(&fit->shape));
  if (fit->has_goodness) {
    json_t *distances = json_object();
    put(&distances, "anderson_darling", fit->goodness.anderson_darling);
    put(&distances, "anderson_darling_p_value", fit->goodness.anderson_darling_p);
    put(&distances, "cramer_von_mises", fit->goodness.cramer_von_mises);
    put(&distances, "cramer_von_mises_p_value", fit->goodness.cramer_von_mises_p);
    wb_put_number(&distances, "replicates", fit->goodness.replicates);
    wb_put_number(&distances, "compared", fit->goodness.compared);
    wb_json_put(&object, "goodness_of_fit", distances);
  }
  if (fit->has_ratio) {
    put(&object, "likelihood_ratio", fit->ratio.statistic);
    put(&object, "likelihood_ratio_p_value", fit->ratio.p_value);
  }
  json_t *levels = json_array();
  for (size_t p = 0; p < measured->options.probability_count; p++)
    wb_json_push(&levels, level_json(&fit->levels[p]));
  wb_json_put(&object, "levels", levels);
  return object;
}

static json_t *maxima_json(const struct wb_measured_series *series)
{
  if (series->maxima == NULL)
    return json_null();
  json_t *object = json_object(), *tried = json_array();
  wb_put_number(&object, "block", series->block_size);
  wb_put_number(&object, "maxima", series->maximum_count);
  wb_put_number(&object, "left_out", series->left_out);
  wb_put_flag(&object, "refused", series->blocks.refused);
  for (size_t k = 0; k < series->blocks.count; k++) {
    const struct wb_block_choice *choice = &series->blocks.tried[k];
    json_t *size = json_object();
    wb_put_number(&size, "block", choice->block);
    wb_put_number(&size, "maxima", choice->maxima);
    put(&size, "shape", choice->fitted ? choice->shape : NAN);
    put(&size, "anderson_darling_p_value", choice->fitted ? choice->anderson_darling_p : NAN);
    put(&size, "independence_p_value", choice->independence_p);
    wb_json_push(&tried, size);
  }
  wb_json_put(&object, "tried", tried);
  return object;
}

static json_t *peaks_json(const struct wb_measured_series *series)
{
  if (series->peaks == NULL)
    return json_null();
  json_t *object = json_object(), *tried = json_array();
  put(&object, "threshold", series->threshold);
  wb_put_flag(&object, "refused", series->threshold_refused);
  wb_put_number(&object, "exceedances", series->exceedances);
  wb_put_number(&object, "peaks", series->peak_count);
  wb_put_flag(&object, "declustered", series->declustered);
  wb_put_number(&object, "run_length", series->index.run_length);
  put(&object, "extremal_index", series->index.intervals);
  put(&object, "extremal_index_by_runs", series->index.runs);
  for (size_t k = 0; k < series->scan.count; k++) {
    const struct wb_threshold_point *point = &series->scan.points[k];
    json_t *row = json_object();
    put(&row, "threshold", point->threshold);
    wb_put_number(&row, "exceedances", point->exceedances);
    put(&row, "mean_excess", point->mean_excess);
    put(&row, "mean_excess_error", point->mean_excess_error);
    put(&row, "shape", point->fitted ? point->shape : NAN);
    put(&row, "shape_error", point->fitted ? point->shape_error : NAN);
    put(&row, "modified_scale", point->fitted ? point->modified_scale : NAN);
    put(&row, "modified_scale_error", point->fitted ? point->modified_scale_error : NAN);
    put(&row, "anderson_darling_p_value", point->anderson_darling_p);
    put(&row, "false_discovery_p_value", point->false_discovery_p);
    put(&row, "northrop_coleman_p_value", point->northrop_coleman_p);
    put(&row, "variation", point->variation);
    wb_json_push(&tried, row);
  }
  wb_json_put(&object, "tried", tried);
  return object;
}

static json_t *levels_over_choices_json(const struct wb_measured *measured,
                                        const struct wb_measured_series *series)
{
  json_t *array = json_array();
  for (size_t k = 0; series->choice_levels != NULL && k < series->choice_count; k++) {
    const struct wb_measured_choice *choice = &series->choices[k];
    json_t *object = json_object(), *levels = json_array();
    wb_put_text(&object, "method", choice->of_maxima ? "gev" : "gpd");
    if (choice->of_maxima)
      wb_put_number(&object, "block", choice->block);
    else
      put(&object, "threshold", choice->threshold);
    wb_put_number(&object, "values", choice->values);
    wb_put_flag(&object, "in_use", choice->in_use);
    wb_put_flag(&object, "averaged", choice->averaged);
    put(&object, "shape", choice->made ? choice->shape : NAN);
    for (size_t p = 0; p < measured->options.probability_count; p++) {
      const struct wb_measured_choice_level *level =
          &series->choice_levels[k * measured->options.probability_count + p];
      json_t *row = json_object();
      put(&row, "probability", measured->options.probabilities[p]);
      put(&row, "level", level->level);
      wb_json_put(&row, "interval", interval_json(&level->interval));
      wb_json_push(&levels, row);
    }
    wb_json_put(&object, "levels", levels);
    wb_json_push(&array, object);
  }
  return array;
}

static json_t *outliers_json(const struct wb_measured *measured,
                             const struct wb_measured_series *series)
{
  json_t *array = json_array();
  for (size_t k = 0; k < series->outlier_count; k++) {
    json_t *object = json_object();
    wb_put_number(&object, "run", measured->samples->skipped + series->outliers[k] + 1);
    put(&object, "value", series->series->values[series->outliers[k]]);
    wb_json_push(&array, object);
  }
  return array;
}

/* {method, block or threshold, levels, reason}; null where none is recommended. */
static json_t *recommended_json(const struct wb_measured *measured,
                                const struct wb_measured_series *series)
{
  const struct wb_measured_recommendation *recommended = &series->recommended;
  if (!recommended->given)
    return json_null();
  json_t *object = json_object(), *levels = json_array();
  wb_put_text(&object, "method", wb_measured_fit_words[recommended->kind].name);
  wb_put_text(&object, "kind", "estimate");
  if (recommended->kind == WB_FIT_OF_GEV)
    wb_put_number(&object, "block", series->block_size);
  else
    put(&object, "threshold", series->threshold);
  wb_put_number(&object, "averaged", recommended->averaged);
  for (size_t p = 0; p < measured->options.probability_count; p++) {
    const struct wb_measured_recommended_level *level = &recommended->levels[p];
    json_t *row = json_object(), *ends = json_array();
    put(&row, "probability", measured->options.probabilities[p]);
    put(&row, "level", level->level);
    wb_json_push(&ends, number(level->low));
    wb_json_push(&ends, number(level->high));
    wb_json_put(&row, "interval", ends);
    wb_put_text(&row, "basis", level->observed ? "observed" : "fit");
    wb_json_push(&levels, row);
  }
  wb_json_put(&object, "levels", levels);
  wb_put_text(&object, "reason", recommended->reason);
  return object;
}

static json_t *series_json(const struct wb_measured *measured,
                           const struct wb_measured_series *series)
{
  json_t *object = json_object();
  json_t *checks = json_array(), *fits = json_array(), *markov = json_array();
  wb_put_text(&object, "name", series->series->name);
  wb_put_text(&object, "verdict", wb_applicability_words(series->verdict));
  wb_put_text(&object, "verdict_text", series->verdict_words);
  wb_put_flag(&object, "fitted", series->fitted);
  wb_json_put(&object, "recommended", recommended_json(measured, series));
  if (!series->recommended.given)
    wb_put_text(&object, "not_recommended", series->recommended.reason);
  wb_json_put(&object, "levels_over_choices", levels_over_choices_json(measured, series));
  wb_json_put(&object, "outliers", outliers_json(measured, series));
  wb_put_flag(&object, "bound_contradicted",
              measured->options.bound.given &&
                  series->summary.most > measured->options.bound.value);
  wb_json_put(&object, "summary", summary_json(&series->summary));
  const struct wb_resolution *resolution = &series->resolution;
  json_t *clock = json_object();
  put(&clock, "tick", resolution->tick);
  wb_json_put(&clock, "clock",
              resolution->clock != NULL ? json_string(resolution->clock) : json_null());
  wb_put_number(&clock, "distinct", resolution->distinct);
  put(&clock, "tied_share", resolution->tied_share);
  put(&clock, "tail_tied_share", resolution->tail_tied_share);
  wb_json_put(&object, "resolution", clock);
  for (int kind = 0; kind < WB_MEASURED_CHECKS; kind++) {
    const struct wb_measured_check *check = &series->checks[kind];
    json_t *row = json_object();
    wb_put_text(&row, "name", wb_measured_check_words[check->kind].name);
    wb_put_text(&row, "title", wb_measured_check_words[check->kind].title);
    wb_put_flag(&row, "done", check->done);
    put(&row, "statistic", check->statistic);
    put(&row, "detail", check->done ? check->detail : NAN);
    put(&row, "p_value", check->p_value);
    put(&row, "adjusted_p_value", check->adjusted);
    wb_put_text(&row, "outcome", wb_applicability_words(check->outcome));
    wb_put_text(&row, "meaning", check->meaning);
    wb_put_text(&row, "advice", check->advice);
    wb_json_push(&checks, row);
  }
  wb_json_put(&object, "checks", checks);
  wb_json_put(&object, "block_maxima", maxima_json(series));
  wb_json_put(&object, "peaks_over_threshold", peaks_json(series));
  for (int kind = 0; kind < WB_MEASURED_FITS; kind++)
    wb_json_push(&fits, fit_json(measured, &series->fits[kind], (enum wb_measured_fit_kind)kind));
  wb_json_put(&object, "fits", fits);
  wb_put_flag(&object, "variation_heavy", series->variation_heavy);
  for (size_t p = 0; p < measured->options.probability_count; p++) {
    json_t *level = json_object();
    put(&level, "probability", measured->options.probabilities[p]);
    put(&level, "level", series->markov[p].level);
    wb_put_text(&level, "kind", "estimate");
    wb_put_number(&level, "power", series->markov[p].power);
    wb_json_push(&markov, level);
  }
  wb_json_put(&object, "markov", markov);
  return object;
}

void wb_measured_json(const struct wb_measured *measured, struct wb_text *text)
{
  const struct wb_samples *samples = measured->samples;
  const struct wb_measured_bound *bound = &measured->options.bound;
  json_t *object = json_object(), *array = json_array();
  wb_put_text(&object, "file", samples->file);
  wb_json_put(&object, "unit", samples->unit != NULL ? wb_json_clean(samples->unit) : json_null());
  const struct wb_measured_options *options = &measured->options;
  json_t *asked = json_object();
  char digits[24];
  put(&asked, "confidence", options->confidence);
  put(&asked, "significance", options->significance);
  wb_put_number(&asked, "replicates", options->replicates);
  wb_put_number(&asked, "bootstrap", options->bootstrap);
  /* A number, or where JSON libraries have none so large its digits. */
  snprintf(digits, sizeof digits, "%" PRIu64, options->seed);
  wb_json_put(&asked, "seed",
              options->seed <= INT64_MAX ? json_integer((json_int_t)options->seed)
                                         : json_string(digits));
  wb_put_flag(&asked, "fit_anyway", options->fit_anyway);
  wb_json_put(&object, "options", asked);
  json_t *proven = bound->given ? json_object() : json_null();
  if (bound->given) {
    put(&proven, "value", bound->value);
    wb_put_text(&proven, "source", bound->source);
  }
  wb_json_put(&object, "bound", proven);
  for (size_t s = 0; s < measured->count; s++)
    wb_json_push(&array, series_json(measured, &measured->series[s]));
  wb_json_put(&object, "series", array);
  if (measured->count < samples->count) {
    json_t *missing = json_array(); /* the series that a limit left out */
    for (size_t s = measured->count; s < samples->count; s++)
      wb_json_push(&missing, wb_json_clean(samples->series[s].name));
    wb_json_put(&object, "not_analysed", missing);
  }
  wb_json_append(object, text);
}
