/* The plots of measured times: which there are, what all of them say, and those that need no fit:
 * the times in their order, their autocorrelation, and what a person judges a threshold by. */
#include "base/memory.h"
#include "evt/samples/samples.h"
#include "report/measured/measured_plots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- fits in plots ---- */

bool wb_fit_is_drawn(const struct wb_measured_series *series, enum wb_measured_fit_kind kind)
{
  const struct wb_measured_fit *const fit = &series->fits[kind];
  const struct wb_tail *const tail = &fit->fit.tail;
  return series->fitted && !fit->failed && fit->fit.count > 0 && isfinite(tail->location) &&
         isfinite(tail->scale) && tail->scale > 0 && isfinite(tail->shape);
}

enum wb_measured_fit_kind wb_main_fit(const struct wb_measured_series *series, bool of_maxima)
{
  static const enum wb_measured_fit_kind choices[2][3] = {
      {WB_FIT_OF_PARETO, WB_FIT_OF_PARETO_L_MOMENTS, WB_FIT_OF_EXPONENTIAL},
      {WB_FIT_OF_GEV, WB_FIT_OF_GEV_L_MOMENTS, WB_FIT_OF_GUMBEL},
  };
  if (of_maxima ? series->maximum_count == 0 : series->peak_count == 0)
    return WB_MEASURED_FITS;
  for (size_t i = 0; i < 3; i++)
    if (wb_fit_is_drawn(series, choices[of_maxima][i]))
      return choices[of_maxima][i];
  return WB_MEASURED_FITS;
}

const char *wb_fit_class(enum wb_measured_fit_kind kind)
{
  static const char *const classes[WB_MEASURED_FITS] = {
      [WB_FIT_OF_GEV] = "gev",
      [WB_FIT_OF_GUMBEL] = "gumbel",
      [WB_FIT_OF_GEV_L_MOMENTS] = "gev",
      [WB_FIT_OF_PARETO] = "pareto",
      [WB_FIT_OF_EXPONENTIAL] = "exponential",
      [WB_FIT_OF_PARETO_L_MOMENTS] = "pareto",
      [WB_FIT_OF_VARIATION] = "variation",
  };
  return classes[kind];
}

/* What is wrong with fits, and how legend and notes say it. */
enum { IMPOSSIBLE = 1, BELOW = 2, ABOVE = 4, REFUSED = 8 };
static const struct {
  unsigned mark;
  const char *word, *note;
} marks[] = {
    {IMPOSSIBLE, "impossible", "Impossible: the fit ends below the highest observation."},
    {BELOW, "below observations",
     "Below observations: at a probability asked for, a longer time was observed more often than "
     "the level allows."},
    {ABOVE, "pessimistic",
     "Pessimistic: above the proven bound, which no run exceeds, at a probability asked for."},
    {REFUSED, "refused",
     "Refused: the values lie farther from the fit than chance allows (Anderson-Darling)."},
};
#define MARKS (sizeof marks / sizeof *marks)

static unsigned marks_of(const struct wb_plot_work *work, enum wb_measured_fit_kind kind)
{
  const struct wb_measured_fit *const fit = &work->series->fits[kind];
  unsigned found = fit->impossible ? IMPOSSIBLE : 0;
  found |= wb_measured_is_refused(&work->measured->options, fit) ? REFUSED : 0;
  for (size_t k = 0; k < work->measured->options.probability_count; k++) {
    found |= fit->levels[k].below_observed ? BELOW : 0;
    found |= fit->levels[k].above_bound ? ABOVE : 0;
  }
  return found;
}

void wb_fit_notes(const struct wb_plot_work *work, unsigned kinds)
{
  unsigned found = 0;
  for (int kind = 0; kind < WB_MEASURED_FITS; kind++)
    if ((kinds >> kind & 1) != 0 && wb_fit_is_drawn(work->series, (enum wb_measured_fit_kind)kind))
      found |= marks_of(work, (enum wb_measured_fit_kind)kind);
  for (size_t m = 0; m < MARKS; m++)
    if ((found & marks[m].mark) != 0)
      wb_chart_note(work->chart, "%s", marks[m].note);
}

void wb_fit_words(const struct wb_plot_work *work, enum wb_measured_fit_kind kind,
                  struct wb_text *words)
{
  const struct wb_measured_fit *const fit = &work->series->fits[kind];
  const unsigned found = marks_of(work, kind);
  wb_text_string(words, wb_measured_fit_words[kind].title);
  if (wb_tail_has_shape(fit->fit.tail.family)) {
    const double error = wb_fit_error(&fit->fit, wb_fit_shape_place(&fit->fit));
    wb_text_format(words, ", xi = %.3f", fit->fit.tail.shape);
    if (fit->shape.found && isfinite(fit->shape.low) && isfinite(fit->shape.high))
      wb_text_format(words, " [%.3f, %.3f]", fit->shape.low, fit->shape.high);
    else if (isfinite(error))
      wb_text_format(words, " (error %.3f)", error);
    wb_text_string(words, " (" WB_MEASURED_SIGN ")");
    if (fit->fit.at_boundary)
      wb_text_string(words, ", at the boundary xi = -1");
  }
  for (size_t m = 0; m < MARKS; m++)
    if ((found & marks[m].mark) != 0)
      wb_text_format(words, " \xe2\x80\x93 %s", marks[m].word);
}

void wb_fit_legend(const struct wb_plot_work *work, enum wb_measured_fit_kind kind)
{
  struct wb_text words = {0};
  wb_fit_words(work, kind, &words);
  if (words.failed)
    work->chart->body.failed = true;
  else
    wb_chart_legend(work->chart, WB_CHART_LINE, wb_fit_class(kind), "%s", words.data);
  wb_text_free(&words);
}

/* ---- parts of a chart ---- */

struct wb_chart_panel wb_plot_panel(unsigned height)
{
  return (struct wb_chart_panel){
      .left = WB_CHART_LEFT,
      .top = WB_CHART_TOP - 14,
      .width = WB_CHART_PLOT_WIDTH,
      .height = height,
  };
}

double *wb_plot_sorted(const struct wb_plot_work *work, bool of_maxima, size_t *count)
{
  const struct wb_measured_series *const series = work->series;
  const double *const values = of_maxima ? series->maxima : series->peaks;
  *count = of_maxima ? series->maximum_count : series->peak_count;
  double *const copy = wb_allocate(*count, sizeof *copy);
  if (copy == NULL) {
    work->chart->body.failed = true;
    return NULL;
  }
  if (*count > 0)
    memcpy(copy, values, *count * sizeof *copy);
  wb_sort_ascending(copy, *count);
  return copy;
}

void wb_time_title(const struct wb_measured *measured, const char *what, char title[WB_AXIS_TITLE])
{
  if (measured->samples->unit != NULL && measured->samples->unit[0] != '\0')
    snprintf(title, WB_AXIS_TITLE, "%s (%.60s)", what, measured->samples->unit);
  else
    snprintf(title, WB_AXIS_TITLE, "%s (cycles, assumed)", what);
}

void wb_plot_segment(struct wb_chart *chart, const char *classes, double x_1, double y_1,
                     double x_2, double y_2)
{
  wb_chart_path_begin(chart, classes);
  wb_chart_line_to(chart, x_1, y_1);
  wb_chart_line_to(chart, x_2, y_2);
  wb_chart_path_end(chart);
}

#define ORDER_HEIGHT 320u
/* More values than this are drawn as the least and the largest of each column of pixels. */
#define MOST_DOTS 2000
/* Parts whose means are drawn. */
#define MEANS ((size_t)60)

/* The values of one of `parts` equal parts of a series, as a column of pixels shows them. */
struct part {
  double middle; /* in x */
  double least, most, mean;
};

/* Below the limit of samples the products do not overflow. */
static struct part part_of(const struct wb_series *series, size_t place, size_t parts)
{
  const size_t begin = series->count * place / parts;
  const size_t end = series->count * (place + 1) / parts;
  struct part part = {((double)begin + (double)end) / 2 + 0.5, series->values[begin],
                      series->values[begin], 0};
  for (size_t i = begin; i < end; i++) {
    part.least = fmin(part.least, series->values[i]);
    part.most = fmax(part.most, series->values[i]);
    part.mean += (series->values[i] - part.mean) / (double)(i - begin + 1);
  }
  return part;
}

static void draw_run_sequence(const struct wb_plot_work *work)
{
  const struct wb_measured_series *const result = work->series;
  const struct wb_series *const series = result->series;
  /* The change of the level that the checks found. */
  const struct wb_measured_check *change = NULL;
  for (size_t k = 0; k < WB_MEASURED_CHECKS && change == NULL; k++) {
    const struct wb_measured_check *const check = &result->checks[k];
    if (check->kind == WB_CHECK_CHANGE_POINT && check->done && check->outcome != WB_APPLICABLE &&
        check->detail >= 0)
      change = check;
  }
  const bool with_means = series->count >= MEANS;
  const bool all_dots = series->count <= MOST_DOTS;
  struct wb_chart *const chart = work->chart;
  struct wb_chart_range order = {1, (double)series->count};
  struct wb_chart_range times = WB_CHART_NO_RANGE;
  struct wb_chart_panel panel = wb_plot_panel(ORDER_HEIGHT);
  char title[WB_AXIS_TITLE];
  wb_time_title(work->measured, "time", title);
  wb_chart_range_add(&times, result->ascending[0]);
  wb_chart_range_add(&times, result->ascending[result->summary.count - 1]);
  panel.x = wb_chart_axis_of(&order, 0.01, "measurement, in order");
  panel.x.whole = true;
  panel.y = wb_chart_axis_of(&times, 0.05, title);
  wb_chart_panel_open(chart, &panel);
  for (size_t c = 0; c < WB_CHART_PLOT_WIDTH && !all_dots; c++) {
    const struct part part = part_of(series, c, WB_CHART_PLOT_WIDTH);
    wb_chart_stroke(chart, "seen faded", part.middle, part.least, part.most, false);
  }
  if (all_dots) {
    wb_chart_path_begin(chart, "seen small");
    for (size_t i = 0; i < series->count; i++)
      wb_chart_dot(chart, (double)i + 1, series->values[i]);
    wb_chart_path_end(chart);
  }
  if (with_means) {
    wb_chart_path_begin(chart, "gev");
    for (size_t m = 0; m < MEANS; m++) {
      const struct part part = part_of(series, m, MEANS);
      wb_chart_line_to(chart, part.middle, part.mean);
    }
    wb_chart_path_end(chart);
  }
  if (change != NULL)
    wb_chart_rule_x(chart, "chosen", change->detail + 1.5);
  wb_chart_panel_close(chart);
  if (all_dots)
    wb_chart_legend(chart, WB_CHART_DOTS, "seen small", "a measurement");
  else
    wb_chart_legend(chart, WB_CHART_LINE, "seen faded",
                    "least to longest of each column of pixels");
  if (with_means)
    wb_chart_legend(chart, WB_CHART_LINE, "gev", "mean of each 60th part");
  if (change != NULL)
    wb_chart_legend(chart, WB_CHART_LINE, "chosen",
                    "the level changes after measurement %.0f (change point, p = %.2g)",
                    change->detail + 1, change->p_value);
  wb_chart_note(chart, "Extreme value statistics need times without drift, steps or "
                       "patterns. " WB_MEASURED_WARNING);
}

static void draw_autocorrelations(const struct wb_plot_work *work)
{
  const struct wb_measured_series *const series = work->series;
  const double band = 1.96 / sqrt((double)series->summary.count);
  struct wb_chart *const chart = work->chart;
  struct wb_chart_range range = {-band, band};
  struct wb_chart_panel panel = wb_plot_panel(ORDER_HEIGHT);
  size_t outside = 0;
  for (size_t k = 0; k < series->lag_count; k++)
    wb_chart_range_add(&range, series->correlations[k]);
  panel.x = (struct wb_chart_axis){.first = 0.3,
                                   .last = (double)series->lag_count + 0.7,
                                   .whole = true,
                                   .title = "lag, in measurements"};
  panel.y = wb_chart_axis_of(&range, 0.15, "autocorrelation");
  wb_chart_panel_open(chart, &panel);
  wb_chart_bar(chart, "gev-area", panel.x.first, panel.x.last, -band, band);
  for (size_t lag = 1; lag <= series->lag_count; lag++) {
    const double correlation = series->correlations[lag - 1];
    const bool is_outside = fabs(correlation) > band;
    outside += is_outside;
    wb_chart_bar(chart, is_outside ? "alarm" : "bars", (double)lag - 0.3, (double)lag + 0.3, 0,
                 correlation);
  }
  wb_chart_rule_y(chart, "zero", 0);
  wb_chart_panel_close(chart);
  wb_chart_legend(chart, WB_CHART_AREA, "bars", "within the band");
  wb_chart_legend(chart, WB_CHART_AREA, "alarm", "outside it");
  wb_chart_legend(chart, WB_CHART_AREA, "gev-area",
                  "95 %% of independent times, \xc2\xb1 1.96 / \xe2\x88\x9an = %.2g", band);
  wb_chart_note(chart,
                "%zu of %zu lags are outside the band; of independent times one in 20 is, by "
                "chance. %s",
                outside, series->lag_count, WB_MEASURED_WARNING);
}

#define EXCESS_HEIGHT 340u
#define PANEL_HEIGHT 190u
/* Standard errors on each side of the 95 % interval by the normal distribution. */
#define WIDE 1.96

static const char *const rule_names[] = {
    [WB_THRESHOLD_ANDERSON_DARLING] = "Anderson-Darling",
    [WB_THRESHOLD_NORTHROP_COLEMAN] = "Northrop-Coleman",
    [WB_THRESHOLD_STABILITY] = "stability",
};
static const char *const rule_classes[] = {"rule-1", "rule-2", "rule-3"};
#define RULES 3

/* The points lie at quantiles: the range of thresholds with the one in use. */
static struct wb_chart_axis thresholds_of(const struct wb_measured_series *series,
                                          const char *title)
{
  struct wb_chart_range range = WB_CHART_NO_RANGE;
  for (size_t p = 0; p < series->scan.count; p++)
    wb_chart_range_add(&range, series->scan.points[p].threshold);
  if (series->has_threshold)
    wb_chart_range_add(&range, series->threshold);
  return wb_chart_axis_of(&range, 0.04, title);
}

static void put_threshold(const struct wb_plot_work *work)
{
  char number[WB_CHART_LABEL];
  if (!work->series->has_threshold)
    return;
  wb_chart_number(work->series->threshold, number);
  wb_chart_legend(
      work->chart, WB_CHART_LINE, "chosen", "threshold in use, %s (%zu times above it, %s)", number,
      work->series->exceedances,
      work->measured->options.has_threshold ? "given" : rule_names[work->measured->options.rule]);
}

static void draw_excess(const struct wb_plot_work *work)
{
  const struct wb_threshold_scan *const scan = &work->series->scan;
  double xs[WB_THRESHOLD_POINTS];
  double lows[WB_THRESHOLD_POINTS];
  double highs[WB_THRESHOLD_POINTS];
  for (size_t p = 0; p < scan->count; p++) {
    const struct wb_threshold_point *const point = &scan->points[p];
    xs[p] = point->threshold;
    lows[p] = point->mean_excess - WIDE * point->mean_excess_error;
    highs[p] = point->mean_excess + WIDE * point->mean_excess_error;
  }
  wb_chart_band(work->chart, "seen-area", xs, lows, highs, scan->count);
  wb_chart_path_begin(work->chart, "seen");
  for (size_t p = 0; p < scan->count; p++)
    wb_chart_line_to(work->chart, xs[p], scan->points[p].mean_excess);
  wb_chart_path_end(work->chart);
  wb_chart_path_begin(work->chart, "seen dots");
  for (size_t p = 0; p < scan->count; p++)
    wb_chart_dot(work->chart, xs[p], scan->points[p].mean_excess);
  wb_chart_path_end(work->chart);
}

static void draw_mean_excess(const struct wb_plot_work *work)
{
  const struct wb_measured_series *const series = work->series;
  const enum wb_measured_fit_kind kind = wb_main_fit(series, false);
  /* The fit, where it has a mean. */
  const struct wb_tail *const tail =
      kind != WB_MEASURED_FITS && series->fits[kind].fit.tail.shape < 1
          ? &series->fits[kind].fit.tail
          : NULL;
  char x_title[WB_AXIS_TITLE];
  char y_title[WB_AXIS_TITLE];
  struct wb_chart_range range = WB_CHART_NO_RANGE;
  wb_time_title(work->measured, "threshold", x_title);
  wb_time_title(work->measured, "mean excess", y_title);
  wb_chart_range_add(&range, 0);
  for (size_t p = 0; p < series->scan.count; p++) {
    const struct wb_threshold_point *const point = &series->scan.points[p];
    wb_chart_range_add(&range, point->mean_excess);
    wb_chart_range_add(&range, point->mean_excess + WIDE * point->mean_excess_error);
    wb_chart_range_add(&range, point->mean_excess - WIDE * point->mean_excess_error);
  }
  struct wb_chart_panel panel = wb_plot_panel(EXCESS_HEIGHT);
  panel.x = thresholds_of(series, x_title);
  panel.y = wb_chart_axis_of(&range, 0.05, y_title);
  wb_chart_panel_open(work->chart, &panel);
  if (work->series->has_threshold)
    wb_chart_rule_x(work->chart, "chosen", work->series->threshold);
  draw_excess(work);
  if (tail != NULL) {
    /* The mean excess of GPD(sigma, xi) over u is (sigma + xi (u - u0)) / (1 - xi) where xi < 1
     * (Coles 2001, equation 4.9). */
    const double last = panel.x.last;
    wb_plot_segment(work->chart, "pareto", tail->location, tail->scale / (1 - tail->shape), last,
                    (tail->scale + tail->shape * (last - tail->location)) / (1 - tail->shape));
  }
  wb_chart_panel_close(work->chart);
  wb_chart_legend(work->chart, WB_CHART_LINE, "seen", "mean excess");
  wb_chart_legend(work->chart, WB_CHART_AREA, "seen-area", "its 95 %% interval");
  put_threshold(work);
  if (tail != NULL)
    wb_chart_legend(work->chart, WB_CHART_LINE, "pareto", "mean excess by the fit");
  wb_chart_note(work->chart, "Straight from the threshold on where a generalised Pareto "
                             "distribution holds: rising where the tail is heavy (" WB_MEASURED_SIGN
                             "), level where it is exponential, falling where it ends.");
  wb_chart_note(work->chart, WB_MEASURED_WARNING);
}

/* A parameter and its standard error at a threshold: the modified scale, or the shape. */
struct estimate {
  double value, error;
};

static struct estimate estimate_of(const struct wb_threshold_point *point, bool of_scale)
{
  return of_scale ? (struct estimate){point->modified_scale, point->modified_scale_error}
                  : (struct estimate){point->shape, point->shape_error};
}

static void draw_estimates(const struct wb_plot_work *work, struct wb_chart_panel *panel,
                           bool of_scale, const char *title)
{
  const struct wb_threshold_scan *const scan = &work->series->scan;
  /* Errors at high thresholds would flatten the rest: what is farther than this many times the span
   * of the estimates is cut. */
  struct wb_chart_range values = WB_CHART_NO_RANGE;
  for (size_t p = 0; p < scan->count; p++)
    if (scan->points[p].fitted)
      wb_chart_range_add(&values, estimate_of(&scan->points[p], of_scale).value);
  struct wb_chart_range range = values;
  const double most = 3 * fmax(values.most - values.least, fabs(values.most) * 1e-6);
  for (size_t p = 0; p < scan->count; p++) {
    const struct estimate estimate = estimate_of(&scan->points[p], of_scale);
    if (!scan->points[p].fitted || !isfinite(estimate.error))
      continue;
    wb_chart_range_add(&range, fmin(estimate.value + WIDE * estimate.error, values.most + most));
    wb_chart_range_add(&range, fmax(estimate.value - WIDE * estimate.error, values.least - most));
  }
  panel->y = wb_chart_axis_of(&range, 0.08, title);
  wb_chart_panel_open(work->chart, panel);
  wb_chart_rule_y(work->chart, "zero", 0);
  if (work->series->has_threshold)
    wb_chart_rule_x(work->chart, "chosen", work->series->threshold);
  for (size_t r = 0; r < RULES; r++)
    if (scan->chosen[r] < scan->count)
      wb_chart_rule_x(work->chart, rule_classes[r], scan->points[scan->chosen[r]].threshold);
  for (size_t p = 0; p < scan->count; p++) {
    const struct estimate estimate = estimate_of(&scan->points[p], of_scale);
    if (scan->points[p].fitted && isfinite(estimate.error))
      wb_chart_stroke(work->chart, "seen", scan->points[p].threshold,
                      estimate.value - WIDE * estimate.error,
                      estimate.value + WIDE * estimate.error, true);
  }
  wb_chart_path_begin(work->chart, "seen dots");
  for (size_t p = 0; p < scan->count; p++)
    if (scan->points[p].fitted)
      wb_chart_dot(work->chart, scan->points[p].threshold,
                   estimate_of(&scan->points[p], of_scale).value);
  wb_chart_path_end(work->chart);
  wb_chart_panel_close(work->chart);
}

static void draw_stability(const struct wb_plot_work *work)
{
  char x_title[WB_AXIS_TITLE];
  char y_title[WB_AXIS_TITLE];
  wb_time_title(work->measured, "threshold", x_title);
  wb_time_title(work->measured, "scale", y_title);
  struct wb_chart_panel panel = wb_plot_panel(PANEL_HEIGHT);
  panel.top = WB_CHART_TOP;
  panel.x = thresholds_of(work->series, x_title);
  panel.name = "Shape xi (" WB_MEASURED_SIGN ")";
  draw_estimates(work, &panel, false, "shape xi");
  panel.top += PANEL_HEIGHT + WB_CHART_BELOW + 34;
  panel.name = "Modified scale, sigma \xe2\x88\x92 xi u";
  draw_estimates(work, &panel, true, y_title);
  wb_chart_legend(work->chart, WB_CHART_DOTS, "seen dots", "fit by likelihood, 95 %% interval");
  put_threshold(work);
  const struct wb_threshold_scan *const scan = &work->series->scan;
  for (size_t r = 0; r < RULES; r++) {
    char number[WB_CHART_LABEL] = "none passes";
    if (scan->chosen[r] < scan->count)
      wb_chart_number(scan->points[scan->chosen[r]].threshold, number);
    wb_chart_legend(work->chart, WB_CHART_LINE, rule_classes[r], "%s: %s", rule_names[r], number);
  }
  wb_chart_note(work->chart, "Both are constant from the threshold on where a generalised Pareto "
                             "distribution holds. Intervals of neighbours overlap in their data.");
  wb_chart_note(work->chart, WB_MEASURED_WARNING);
}

/* ---- which plots there are ---- */

static const struct {
  const char *name, *title, *description;
  void (*draw)(const struct wb_plot_work *work);
} plots[WB_MEASURED_PLOTS] = {
    [WB_PLOT_RETURN_LEVEL] =
        {"return-level", "Return levels",
         "The time that one run exceeds, over the probability that it does: observed and by each "
         "fit, with intervals.",
         wb_draw_return_levels},
    [WB_PLOT_QUANTILES] = {"quantiles", "Quantiles",
                           "Observed times over the quantiles of the fit: near the line where the "
                           "fit holds.",
                           wb_draw_agreement},
    [WB_PLOT_PROBABILITIES] =
        {"probabilities", "Probabilities",
         "Empirical probabilities over those of the fit: near the line where the fit holds.",
         wb_draw_agreement},
    [WB_PLOT_DENSITY] = {"density", "Density",
                         "Histograms of all times and of the extremes, with the fitted densities.",
                         wb_draw_densities},
    [WB_PLOT_MEAN_EXCESS] =
        {"mean-excess", "Mean residual life",
         "The mean excess over each threshold: a straight line where a generalised Pareto "
         "distribution holds.",
         draw_mean_excess},
    [WB_PLOT_STABILITY] =
        {"stability", "Stability of parameters",
         "Shape and modified scale by threshold: constant where a generalised Pareto distribution "
         "holds.",
         draw_stability},
    [WB_PLOT_CHOICES] =
        {"choices", "Levels over block sizes and thresholds",
         "The levels of each block size and threshold with their intervals: near each other where "
         "the answer does not hang on the choice.",
         wb_draw_choices},
    [WB_PLOT_AUTOCORRELATION] =
        {"autocorrelation", "Autocorrelation",
         "The correlation of times with those some measurements before: within the band where "
         "they are independent.",
         draw_autocorrelations},
    [WB_PLOT_RUN_SEQUENCE] = {"run-sequence", "Run sequence",
                              "The times in the order of measurement.", draw_run_sequence},
};

const char *wb_measured_plot_name(enum wb_measured_plot plot)
{
  return plots[plot].name;
}

bool wb_measured_plot_is_there(const struct wb_measured_series *series, enum wb_measured_plot plot)
{
  switch (plot) {
  case WB_PLOT_QUANTILES:
  case WB_PLOT_PROBABILITIES:
    return wb_main_fit(series, true) != WB_MEASURED_FITS ||
           wb_main_fit(series, false) != WB_MEASURED_FITS;
  case WB_PLOT_MEAN_EXCESS:
  case WB_PLOT_STABILITY:
    return series->scan.count > 0;
  case WB_PLOT_CHOICES:
    return series->summary.count > 0 &&
           (wb_has_choices(series, true) || wb_has_choices(series, false));
  case WB_PLOT_AUTOCORRELATION:
    return series->lag_count > 0;
  default:
    return series->summary.count > 0;
  }
}

void wb_measured_plot_svg(const struct wb_measured *measured,
                          const struct wb_measured_series *series, enum wb_measured_plot plot,
                          bool within_page, struct wb_text *text)
{
  const char *const name = series->series->name;
  struct wb_text title = {0};
  struct wb_text subtitle = {0};
  wb_text_string(&title, plots[plot].title);
  if (name != NULL && name[0] != '\0')
    wb_text_format(&title, ": %s", name);
  else if (measured->samples->file != NULL)
    wb_text_format(&title, ": %s", measured->samples->file);
  wb_text_format(&subtitle, "%zu measured times; %s. %s", series->summary.count,
                 wb_applicability_words(series->verdict), WB_MEASURED_WARNING);
  if (title.failed || subtitle.failed) {
    text->failed = true;
  } else {
    struct wb_chart chart = {
        .title = title.data,
        .subtitle = subtitle.data,
        .description = plots[plot].description,
        .within_page = within_page,
    };
    plots[plot].draw(&(struct wb_plot_work){measured, series, plot, &chart});
    wb_chart_end(&chart, text);
  }
  wb_text_free(&title);
  wb_text_free(&subtitle);
}
