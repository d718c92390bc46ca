/* The statistical analysis of measured times: one table of steps; and its words. */
#include "analysis/measured/measured_steps.h"
#include "base/memory.h"
#include "evt/samples/samples.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

const char *wb_applicability_words(enum wb_applicability applicability)
{
  static const char *const words[] = {"applicable", "applicable with care", "not applicable"};
  assert(applicability <= WB_NOT_APPLICABLE);
  return words[applicability];
}

const struct wb_measured_words wb_measured_check_words[WB_MEASURED_CHECKS] = {
    [WB_CHECK_SIZE] = {"sample-size", "enough samples"},
    [WB_CHECK_CONSTANT] = {"variation", "the times vary"},
    [WB_CHECK_RESOLUTION] = {"resolution", "clock resolution and ties"},
    [WB_CHECK_LJUNG_BOX] = {"ljung-box", "independence (Ljung-Box)"},
    [WB_CHECK_RUNS] = {"runs", "independence (runs about the median)"},
    [WB_CHECK_KPSS] = {"kpss", "stationarity (KPSS)"},
    [WB_CHECK_HALVES] = {"halves", "same distribution in both halves (Kolmogorov-Smirnov)"},
    [WB_CHECK_CHANGE_POINT] = {"change-point", "no change of the level (Pettitt)"},
    [WB_CHECK_WARM_UP] = {"warm-up", "the first runs are as the others (ranks)"},
    [WB_CHECK_PERIOD] = {"period", "no slow runs at regular distances (folding)"},
    [WB_CHECK_TREND] = {"trend", "no trend of the maxima (Mann-Kendall)"},
    [WB_CHECK_CLUSTERS] = {"clusters", "long times come alone (extremal index)"},
    [WB_CHECK_MODES] = {"modes", "one mode of behaviour (valleys and bumps)"},
    [WB_CHECK_TAIL_POINTS] = {"tail", "the largest times are of one tail (after TailID)"},
};

const struct wb_measured_words wb_measured_fit_words[WB_MEASURED_FITS] = {
    [WB_FIT_OF_GEV] = {"gev", "GEV, maximum likelihood"},
    [WB_FIT_OF_GUMBEL] = {"gumbel", "Gumbel, maximum likelihood"},
    [WB_FIT_OF_GEV_L_MOMENTS] = {"gev-l-moments", "GEV, L-moments"},
    [WB_FIT_OF_PARETO] = {"gpd", "GPD, maximum likelihood"},
    [WB_FIT_OF_EXPONENTIAL] = {"exponential", "exponential, maximum likelihood"},
    [WB_FIT_OF_PARETO_L_MOMENTS] = {"gpd-l-moments", "GPD, L-moments"},
    [WB_FIT_OF_VARIATION] = {"exponential-cv", "exponential tail by variation (MBPTA-CV)"},
};

/* ---- times ---- */

/* Most decimals, and the magnitude from which on a double has none to show. */
#define MOST_DECIMALS 9
#define MOST_DIGITS 15
#define LARGEST_PLAIN 1e15

const char *wb_measured_time(const struct wb_measured_series *series, double value,
                             char text[WB_MEASURED_TIME])
{
  const double deviation = series->summary.deviation;
  const double wanted = deviation > 0 ? 3 - floor(log10(deviation)) : 0;
  /* Digits that show a thousandth of the deviation; all of a double without a deviation. */
  const bool all = deviation <= 0 || value == 0;
  const double digits = all ? MOST_DIGITS : floor(log10(fabs(value))) - floor(log10(deviation)) + 4;
  const int decimals = (int)fmin(MOST_DECIMALS, fmax(0, wanted));
  if (isnan(value))
    snprintf(text, WB_MEASURED_TIME, "-");
  else if (isinf(value))
    snprintf(text, WB_MEASURED_TIME, value > 0 ? "unlimited" : "none");
  else if (fabs(value) >= LARGEST_PLAIN || deviation == 0 || wanted > MOST_DECIMALS)
    snprintf(text, WB_MEASURED_TIME, "%.*g", (int)fmin(MOST_DIGITS, fmax(4, digits)), value);
  else
    snprintf(text, WB_MEASURED_TIME, "%.*f", decimals, value);
  return text;
}

/* ---- options ---- */

static bool is_within(double value, double least, double most)
{
  return value >= least && value <= most; /* false of NaN */
}

static warpbound_status check_options(const struct wb_measured_options *options,
                                      warpbound_error *error)
{
  if (options->probability_count > WB_MEASURED_LEVELS)
    return wb_fail(error, WARPBOUND_USAGE, "expected at most %d probabilities, found %zu",
                   WB_MEASURED_LEVELS, options->probability_count);
  for (size_t p = 0; p < options->probability_count; p++)
    if (!is_within(options->probabilities[p], 1e-300, 0.5))
      return wb_fail(error, WARPBOUND_USAGE,
                     "probability: expected a number from 1e-300 to 0.5, found %g",
                     options->probabilities[p]);
  if (!is_within(options->confidence, 0.5, 0.9999))
    return wb_fail(error, WARPBOUND_USAGE,
                   "confidence: expected a number from 0.5 to 0.9999, found %g",
                   options->confidence);
  if (!is_within(options->significance, 1e-6, 0.5))
    return wb_fail(error, WARPBOUND_USAGE,
                   "significance: expected a number from 1e-6 to 0.5, found %g",
                   options->significance);
  if (options->has_threshold && !isfinite(options->threshold))
    return wb_fail(error, WARPBOUND_USAGE, "threshold: expected a finite number");
  if (options->bound.given && !isfinite(options->bound.value))
    return wb_fail(error, WARPBOUND_USAGE, "bound: expected a finite number");
  return WARPBOUND_OK;
}

/* ---- one series ---- */

/* Seconds of a unit by its short name; 0 for cycles. */
static double unit_seconds(const char *unit)
{
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  for (size_t u = 0; u < sizeof units / sizeof *units; u++)
    if (strcmp(unit, units[u].name) == 0)
      return units[u].seconds;
  return 0;
}

/* The least value that a share of the values does not exceed. */
static double quantile(const double *ascending, size_t count, double share)
{
  const double rank = ceil(share * (double)count);
  const size_t place = rank < 1 ? 0 : (size_t)rank - 1;
  return ascending[place < count ? place : count - 1];
}

/* Sorted values, summary, resolution and autocorrelations. */
static warpbound_status summarise(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  struct wb_measured_summary *summary = &result->summary;
  const size_t count = work->count;
  double mean = 0, squares = 0;
  result->ascending = wb_allocate(count, sizeof *result->ascending);
  if (result->ascending == NULL)
    return wb_out_of_memory(work->error);
  if (count > 0)
    memcpy(result->ascending, work->values, count * sizeof *work->values);
  wb_sort_ascending(result->ascending, count);
  summary->count = count;
  if (count == 0)
    return WARPBOUND_OK;
  /* In one pass (Welford 1962), which does not cancel. */
  for (size_t k = 0; k < count; k++) {
    const double distance = work->values[k] - mean;
    mean += distance / (double)(k + 1);
    squares += distance * (work->values[k] - mean);
  }
  summary->mean = mean;
  summary->deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
  summary->least = result->ascending[0];
  summary->most = result->ascending[count - 1];
  summary->median = quantile(result->ascending, count, 0.5);
  summary->quantile_95 = quantile(result->ascending, count, 0.95);
  summary->quantile_99 = quantile(result->ascending, count, 0.99);
  summary->quantile_999 = quantile(result->ascending, count, 0.999);
  result->resolution = wb_resolution_of(result->ascending, count);
  if (work->unit != NULL)
    wb_clock_tick(result->ascending, count, unit_seconds(work->unit), &result->resolution);
  result->lag_count = count / 4 < WB_MEASURED_LAGS ? count / 4 : WB_MEASURED_LAGS;
  wb_autocorrelations(work->values, count, result->lag_count, result->correlations);
  return WARPBOUND_OK;
}

/* The verdict, and "not applicable: fails 'stationarity (KPSS)', ...": what decided it. The titles
 * stand in quotes, since most say what should be so, as "the times vary". */
static warpbound_status judge(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  result->verdict = WB_APPLICABLE;
  for (int kind = 0; kind < WB_MEASURED_CHECKS; kind++)
    if (result->checks[kind].outcome > result->verdict)
      result->verdict = result->checks[kind].outcome;
  const char *separator = result->verdict == WB_NOT_APPLICABLE ? ": fails" : ": see";
  snprintf(result->verdict_words, sizeof result->verdict_words, "%s",
           wb_applicability_words(result->verdict));
  for (int kind = 0; result->verdict != WB_APPLICABLE && kind < WB_MEASURED_CHECKS; kind++) {
    if (result->checks[kind].outcome != result->verdict)
      continue;
    const size_t length = strlen(result->verdict_words);
    snprintf(result->verdict_words + length, sizeof result->verdict_words - length, "%s '%s'",
             separator, wb_measured_check_words[kind].title);
    separator = ",";
  }
  const bool varies = result->summary.most > result->summary.least;
  result->fitted = varies && (result->verdict != WB_NOT_APPLICABLE || work->options->fit_anyway);
  return WARPBOUND_OK;
}

/* The last fit before the first: a step whose end leaves no fit out. */
#define NO_FIT WB_FIT_OF_GUMBEL, WB_FIT_OF_GEV

/* In this order: nothing is fitted before the verdict. The fits of a step are left out where a
 * limit of time ends it; what has none is done in any case, as without it nothing could be said. */
static const struct {
  const char *phase;
  warpbound_status (*run)(struct wb_measured_work *work);
  bool fits;
  enum wb_measured_fit_kind first, last;
} steps[] = {
    {"summary", summarise, false, 0, 0},
    {"checks", wb_measured_check_all, false, 0, 0},
    {"verdict", judge, false, 0, 0},
    {"block maxima", wb_measured_fit_maxima, true, WB_FIT_OF_GEV, WB_FIT_OF_GEV_L_MOMENTS},
    {"peaks over a threshold", wb_measured_fit_peaks, true, WB_FIT_OF_PARETO, WB_FIT_OF_VARIATION},
    {"levels over blocks and thresholds", wb_measured_try_choices, true, NO_FIT},
    {"levels without a fit", wb_measured_bound_levels, false, 0, 0},
    {"recommendation", wb_measured_recommend, false, 0, 0},
};
enum { STEPS = sizeof steps / sizeof *steps };

uint64_t wb_measured_seed(const struct wb_measured_work *work, unsigned step)
{
  struct wb_random random = {.state = work->options->seed ^ (uint64_t)step << 32};
  return wb_random_next(&random);
}

static void free_series(struct wb_measured_series *series)
{
  free(series->ascending);
  free(series->maxima);
  free(series->peaks);
  free(series->choice_levels);
  free(series->outliers);
  *series = (struct wb_measured_series){0};
}

/* Runs the steps of a series. *limited: a limit of time ended fits, which are left out. */
static warpbound_status analyse_series(struct wb_measured_work *work,
                                       const struct wb_control *control, bool *limited)
{
  const struct wb_control necessary = wb_control_without_deadline(control);
  warpbound_status status = WARPBOUND_OK;
  for (size_t k = 0; status == WARPBOUND_OK && k < STEPS; k++) {
    work->control = steps[k].fits ? control : &necessary;
    const enum wb_stop stop =
        wb_control_poll(work->control, steps[k].phase, (double)k / (double)STEPS);
    status = stop == WB_STOP_NONE ? steps[k].run(work) : WARPBOUND_LIMIT;
    if (status != WARPBOUND_LIMIT || !steps[k].fits)
      continue;
    wb_measured_fail_fits(work, steps[k].first, steps[k].last,
                          "a limit was reached before it was done");
    *limited = true;
    status = WARPBOUND_OK;
  }
  work->control = control;
  return status;
}

warpbound_status wb_measured_analyse(const struct wb_samples *samples,
                                     const struct wb_measured_options *options,
                                     const struct wb_control *control, struct wb_measured *measured,
                                     warpbound_error *error)
{
  *measured = (struct wb_measured){.samples = samples, .options = *options};
  warpbound_status status = check_options(options, error);
  if (status != WARPBOUND_OK)
    return status;
  measured->series = wb_allocate(samples->count, sizeof *measured->series);
  if (measured->series == NULL)
    return wb_out_of_memory(error);
  bool limited = false;
  for (size_t s = 0; status == WARPBOUND_OK && !limited && s < samples->count; s++) {
    measured->series[s].series = &samples->series[s];
    struct wb_measured_work work = {.options = options,
                                    .result = &measured->series[s],
                                    .values = samples->series[s].values,
                                    .count = samples->series[s].count,
                                    .skipped = samples->skipped,
                                    .unit = samples->unit,
                                    .error = error};
    status = analyse_series(&work, control, &limited);
    if (status == WARPBOUND_OK)
      measured->count++;
    else
      free_series(&measured->series[s]);
  }
  status = status == WARPBOUND_OK && limited ? WARPBOUND_LIMIT : status;
  /* Says which series the limit ended, in words of its own. */
  if (status == WARPBOUND_LIMIT && samples->count == 1)
    return wb_fail(error, status,
                   "a limit of time or an interruption ended the statistics before they were done");
  if (status == WARPBOUND_LIMIT)
    return wb_fail(
        error, status,
        "a limit of time or an interruption ended the statistics at '%.100s': %zu of %zu "
        "series are done",
        samples->series[measured->count - limited].name, measured->count - limited, samples->count);
  if (status != WARPBOUND_OK)
    wb_measured_free(measured);
  return status;
}

void wb_measured_free(struct wb_measured *measured)
{
  for (size_t s = 0; s < measured->count; s++)
    free_series(&measured->series[s]);
  free(measured->series);
  *measured = (struct wb_measured){0};
}
