/* How a fit agrees with the data: quantile-quantile and probability-probability plots, of maxima
 * and of peaks beside each other. */
#include "report/measured/measured_plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HEIGHT 300u

/* What a fit was made from. */
struct extremes {
  const double *values;
  size_t count;
};

typedef void panel_function(const struct wb_plot_work *work, const struct wb_measured_fit *fit,
                            const double *ascending, size_t count, struct wb_chart_panel *panel);

static const char *name_of(enum wb_measured_fit_kind kind, bool of_maxima, char name[80])
{
  snprintf(name, 80, "%s: %.60s", of_maxima ? "Maxima" : "Peaks", wb_measured_fit_title(kind));
  return name;
}

/* ---- panels ---- */

/* Both axes alike, so that the line is a diagonal, unless the one would flatten the other. */
static void share_range(struct wb_chart_range *first, struct wb_chart_range *second)
{
  struct wb_chart_range both = *first;
  wb_chart_range_add(&both, second->least);
  wb_chart_range_add(&both, second->most);
  const double least = fmin(first->most - first->least, second->most - second->least);
  if (both.most - both.least > 3 * least)
    return;
  *first = both;
  *second = both;
}

static void draw_quantile_panel(const struct wb_plot_work *work, const struct wb_measured_fit *fit,
                                const double *ascending, size_t count, struct wb_chart_panel *panel)
{
  char x_title[WB_AXIS_TITLE];
  char y_title[WB_AXIS_TITLE];
  struct wb_chart_range seen = wb_chart_range_none();
  struct wb_chart_range fitted = wb_chart_range_none();
  wb_time_title(work->measured, "quantile of the fit", x_title);
  wb_time_title(work->measured, "observed", y_title);
  wb_chart_range_add(&seen, ascending[0]);
  wb_chart_range_add(&seen, ascending[count - 1]);
  wb_chart_range_add(&fitted, wb_tail_level(&fit->fit.tail, (double)count / (double)(count + 1)));
  wb_chart_range_add(&fitted, wb_tail_level(&fit->fit.tail, 1 / (double)(count + 1)));
  share_range(&seen, &fitted);
  panel->x = wb_chart_axis_of(&fitted, 0.05, x_title);
  panel->y = wb_chart_axis_of(&seen, 0.05, y_title);
  wb_chart_panel_open(work->chart, panel);
  wb_chart_line_begin(work->chart, "equal");
  wb_chart_line_to(work->chart, panel->x.first, panel->x.first);
  wb_chart_line_to(work->chart, panel->x.last, panel->x.last);
  wb_chart_line_end(work->chart);
  wb_chart_dots_begin(work->chart, "seen dots");
  for (size_t rank = count; rank > 0; rank--)
    wb_chart_dot(work->chart,
                 wb_tail_level(&fit->fit.tail, (double)(count + 1 - rank) / (double)(count + 1)),
                 ascending[rank - 1]);
  wb_chart_dots_end(work->chart);
  wb_chart_panel_close(work->chart);
}

static void draw_probability_panel(const struct wb_plot_work *work,
                                   const struct wb_measured_fit *fit, const double *ascending,
                                   size_t count, struct wb_chart_panel *panel)
{
  panel->x =
      (struct wb_chart_axis){.first = 0, .last = 1, .title = "probability by the fit, of at most"};
  panel->y = (struct wb_chart_axis){.first = 0, .last = 1, .title = "share observed, of at most"};
  wb_chart_panel_open(work->chart, panel);
  wb_chart_line_begin(work->chart, "equal");
  wb_chart_line_to(work->chart, 0, 0);
  wb_chart_line_to(work->chart, 1, 1);
  wb_chart_line_end(work->chart);
  wb_chart_dots_begin(work->chart, "seen dots");
  for (size_t rank = count; rank > 0; rank--)
    wb_chart_dot(work->chart, wb_tail_distribution(&fit->fit.tail, ascending[rank - 1]),
                 (double)rank / (double)(count + 1));
  wb_chart_dots_end(work->chart);
  wb_chart_panel_close(work->chart);
}

/* ---- both panels ---- */

static void draw_panel(const struct wb_plot_work *work, enum wb_measured_fit_kind kind,
                       const struct extremes *extremes, panel_function *draw,
                       struct wb_chart_panel *panel)
{
  double *const ascending = wb_sorted_copy(extremes->values, extremes->count);
  if (ascending == NULL) {
    work->chart->body.failed = true;
    return;
  }
  draw(work, &work->series->fits[kind], ascending, extremes->count, panel);
  free(ascending);
}

/* Maxima on the left, peaks on the right; one of them alone in the middle. */
static void draw_both(const struct wb_plot_work *work, panel_function *draw)
{
  const struct wb_measured_series *const series = work->series;
  const enum wb_measured_fit_kind of_maxima = wb_main_fit(series, true);
  const enum wb_measured_fit_kind of_peaks = wb_main_fit(series, false);
  const bool both = of_maxima != WB_MEASURED_FITS && of_peaks != WB_MEASURED_FITS;
  struct wb_chart_panel panel = {
      .left = both ? WB_CHART_LEFT : WB_CHART_LEFT + WB_CHART_WIDTH / 4,
      .top = WB_CHART_TOP,
      .width = HEIGHT - 12,
      .height = HEIGHT - 12,
  };
  char name[80];
  if (of_maxima != WB_MEASURED_FITS) {
    const struct extremes maxima = {series->maxima, series->maximum_count};
    panel.name = name_of(of_maxima, true, name);
    draw_panel(work, of_maxima, &maxima, draw, &panel);
    panel.left += WB_CHART_WIDTH / 2;
  }
  if (of_peaks != WB_MEASURED_FITS) {
    const struct extremes peaks = {series->peaks, series->peak_count};
    panel.name = name_of(of_peaks, false, name);
    draw_panel(work, of_peaks, &peaks, draw, &panel);
  }
}

static void put_fit(const struct wb_plot_work *work, bool of_maxima)
{
  const enum wb_measured_fit_kind kind = wb_main_fit(work->series, of_maxima);
  struct wb_text words = {0};
  if (kind == WB_MEASURED_FITS)
    return;
  wb_fit_legend(work, kind, &words);
  if (words.failed || words.data == NULL)
    work->chart->body.failed = true;
  else
    wb_chart_note(work->chart, words.data);
  wb_text_free(&words);
}

static void put_words(const struct wb_plot_work *work, const char *advice)
{
  wb_chart_legend(work->chart, WB_CHART_DOTS, "seen dots", "extremes");
  wb_chart_legend(work->chart, WB_CHART_LINE, "equal", "where they would lie on a perfect fit");
  put_fit(work, true);
  put_fit(work, false);
  wb_chart_note(work->chart, advice);
  wb_fit_notes(work,
               1u << wb_main_fit(work->series, true) | 1u << wb_main_fit(work->series, false));
  wb_chart_note(work->chart, WB_MEASURED_WARNING);
}

void wb_draw_quantiles(const struct wb_plot_work *work)
{
  draw_both(work, draw_quantile_panel);
  put_words(work, "Dots above the line at the right end: the longest times are longer than the fit "
                  "says, which is the unsafe side.");
}

void wb_draw_probabilities(const struct wb_plot_work *work)
{
  draw_both(work, draw_probability_panel);
  put_words(work, "It shows the bulk of the extremes rather than the largest ones, which are in "
                  "the quantile plot.");
}
