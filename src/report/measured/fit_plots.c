/* How a fit agrees with the data: quantile-quantile and probability-probability plots, of maxima
 * and of peaks beside each other. */
#include "report/measured/measured_plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HEIGHT 300u

typedef void panel_function(const struct wb_plot_work *work, const struct wb_tail *tail,
                            const double *ascending, size_t count, struct wb_chart_panel *panel);

static void draw_quantile_panel(const struct wb_plot_work *work, const struct wb_tail *tail,
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
  wb_chart_range_add(&fitted, wb_tail_level(tail, (double)count / (double)(count + 1)));
  wb_chart_range_add(&fitted, wb_tail_level(tail, 1 / (double)(count + 1)));
  /* Both axes alike, so that the line is a diagonal, unless the one would flatten the other. */
  struct wb_chart_range both = seen;
  wb_chart_range_add(&both, fitted.least);
  wb_chart_range_add(&both, fitted.most);
  const double least = fmin(seen.most - seen.least, fitted.most - fitted.least);
  if (both.most - both.least <= 3 * least) {
    seen = both;
    fitted = both;
  }
  panel->x = wb_chart_axis_of(&fitted, 0.05, x_title);
  panel->y = wb_chart_axis_of(&seen, 0.05, y_title);
  wb_chart_panel_open(work->chart, panel);
  wb_plot_segment(work->chart, "equal", panel->x.first, panel->x.first, panel->x.last,
                  panel->x.last);
  wb_chart_dots_begin(work->chart, "seen dots");
  for (size_t rank = count; rank > 0; rank--)
    wb_chart_dot(work->chart, wb_tail_level(tail, (double)(count + 1 - rank) / (double)(count + 1)),
                 ascending[rank - 1]);
  wb_chart_path_end(work->chart);
  wb_chart_panel_close(work->chart);
}

static void draw_probability_panel(const struct wb_plot_work *work, const struct wb_tail *tail,
                                   const double *ascending, size_t count,
                                   struct wb_chart_panel *panel)
{
  panel->x =
      (struct wb_chart_axis){.first = 0, .last = 1, .title = "probability by the fit, of at most"};
  panel->y = (struct wb_chart_axis){.first = 0, .last = 1, .title = "share observed, of at most"};
  wb_chart_panel_open(work->chart, panel);
  wb_plot_segment(work->chart, "equal", 0, 0, 1, 1);
  wb_chart_dots_begin(work->chart, "seen dots");
  for (size_t rank = count; rank > 0; rank--)
    wb_chart_dot(work->chart, wb_tail_distribution(tail, ascending[rank - 1]),
                 (double)rank / (double)(count + 1));
  wb_chart_path_end(work->chart);
  wb_chart_panel_close(work->chart);
}

/* Maxima on the left, peaks on the right; one of them alone in the middle. */
static void draw_plot(const struct wb_plot_work *work, panel_function *draw, const char *advice)
{
  const enum wb_measured_fit_kind kinds[] = {wb_main_fit(work->series, true),
                                             wb_main_fit(work->series, false)};
  const bool both = kinds[0] != WB_MEASURED_FITS && kinds[1] != WB_MEASURED_FITS;
  struct wb_chart_panel panel = {
      .left = both ? WB_CHART_LEFT : WB_CHART_LEFT + WB_CHART_WIDTH / 4,
      .top = WB_CHART_TOP,
      .width = HEIGHT - 12,
      .height = HEIGHT - 12,
  };
  for (size_t k = 0; k < 2; k++) {
    char name[80];
    size_t count;
    if (kinds[k] == WB_MEASURED_FITS)
      continue;
    double *const ascending = wb_plot_sorted(work, k == 0, &count);
    snprintf(name, sizeof name, "%s: %.60s", k == 0 ? "Maxima" : "Peaks",
             wb_measured_fit_words[kinds[k]].title);
    panel.name = name;
    if (ascending != NULL)
      draw(work, &work->series->fits[kinds[k]].fit.tail, ascending, count, &panel);
    free(ascending);
    panel.left += WB_CHART_WIDTH / 2;
  }
  wb_chart_legend(work->chart, WB_CHART_DOTS, "seen dots", "extremes");
  wb_chart_legend(work->chart, WB_CHART_LINE, "equal", "where they would lie on a perfect fit");
  for (size_t k = 0; k < 2; k++)
    if (kinds[k] != WB_MEASURED_FITS) {
      struct wb_text words = {0};
      wb_fit_words(work, kinds[k], &words);
      wb_plot_note(work->chart, &words);
    }
  wb_chart_note(work->chart, advice);
  wb_fit_notes(work, 1u << kinds[0] | 1u << kinds[1]);
  wb_chart_note(work->chart, WB_MEASURED_WARNING);
}

void wb_draw_quantiles(const struct wb_plot_work *work)
{
  draw_plot(work, draw_quantile_panel,
            "Dots above the line at the right end: the longest times are longer than the fit "
            "says, which is the unsafe side.");
}

void wb_draw_probabilities(const struct wb_plot_work *work)
{
  draw_plot(work, draw_probability_panel,
            "It shows the bulk of the extremes rather than the largest ones, which are in "
            "the quantile plot.");
}
