/* The plots of measured times: which there are, and what all of them say. */
#include "base/memory.h"
#include "evt/samples/ascending.h"
#include "report/measured/measured_plots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
                           wb_draw_quantiles},
    [WB_PLOT_PROBABILITIES] =
        {"probabilities", "Probabilities",
         "Empirical probabilities over those of the fit: near the line where the fit holds.",
         wb_draw_probabilities},
    [WB_PLOT_DENSITY] = {"density", "Density",
                         "Histograms of all times and of the extremes, with the fitted densities.",
                         wb_draw_densities},
    [WB_PLOT_MEAN_EXCESS] =
        {"mean-excess", "Mean residual life",
         "The mean excess over each threshold: a straight line where a generalised Pareto "
         "distribution holds.",
         wb_draw_mean_excess},
    [WB_PLOT_STABILITY] =
        {"stability", "Stability of parameters",
         "Shape and modified scale by threshold: constant where a generalised Pareto distribution "
         "holds.",
         wb_draw_stability},
    [WB_PLOT_AUTOCORRELATION] =
        {"autocorrelation", "Autocorrelation",
         "The correlation of times with those some measurements before: within the band where "
         "they are independent.",
         wb_draw_autocorrelations},
    [WB_PLOT_RUN_SEQUENCE] = {"run-sequence", "Run sequence",
                              "The times in the order of measurement.", wb_draw_run_sequence},
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
    plots[plot].draw(&(struct wb_plot_work){measured, series, &chart});
    wb_chart_end(&chart, text);
  }
  wb_text_free(&title);
  wb_text_free(&subtitle);
}

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

bool wb_fit_is_refused(const struct wb_measured *measured, const struct wb_measured_fit *fit)
{
  return fit->has_goodness && fit->goodness.anderson_darling_p < measured->options.significance;
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
  found |= wb_fit_is_refused(work->measured, fit) ? REFUSED : 0;
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
      wb_chart_note(work->chart, marks[m].note);
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
  wb_plot_legend(work->chart, WB_CHART_LINE, wb_fit_class(kind), &words);
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
  wb_chart_line_begin(chart, classes);
  wb_chart_line_to(chart, x_1, y_1);
  wb_chart_line_to(chart, x_2, y_2);
  wb_chart_path_end(chart);
}

void wb_plot_legend(struct wb_chart *chart, enum wb_chart_mark mark, const char *classes,
                    struct wb_text *words)
{
  chart->body.failed = chart->body.failed || words->failed;
  if (!words->failed)
    wb_chart_legend(chart, mark, classes, words->data);
  wb_text_free(words);
}

void wb_plot_note(struct wb_chart *chart, struct wb_text *words)
{
  chart->body.failed = chart->body.failed || words->failed;
  if (!words->failed)
    wb_chart_note(chart, words->data);
  wb_text_free(words);
}
