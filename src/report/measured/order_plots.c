/* The times in the order of measurement: the run sequence, and the autocorrelation. */
#include "report/measured/measured_plots.h"

#include <math.h>

#define HEIGHT 320u
/* More values than this are drawn as the least and the largest of each column of pixels. */
#define MOST_DOTS 2000
/* Parts whose means are drawn. */
#define MEANS ((size_t)60)

/* ---- run sequence ---- */

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

/* The change of the level that the checks found; NULL: none. */
static const struct wb_measured_check *find_change(const struct wb_measured_series *result)
{
  const struct wb_measured_check *change = NULL;
  for (size_t k = 0; k < WB_MEASURED_CHECKS && change == NULL; k++) {
    const struct wb_measured_check *const check = &result->checks[k];
    if (check->kind == WB_CHECK_CHANGE_POINT && check->done && check->outcome != WB_APPLICABLE &&
        check->detail >= 0)
      change = check;
  }
  return change;
}

void wb_draw_run_sequence(const struct wb_plot_work *work)
{
  const struct wb_measured_series *const result = work->series;
  const struct wb_series *const series = result->series;
  const struct wb_measured_check *change = find_change(result);
  const bool with_means = series->count >= MEANS;
  const bool all_dots = series->count <= MOST_DOTS;
  struct wb_chart *const chart = work->chart;
  struct wb_chart_range order = {1, (double)series->count};
  struct wb_chart_range times = wb_chart_range_none();
  struct wb_chart_panel panel = wb_plot_panel(HEIGHT);
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
    wb_chart_dots_begin(chart, "seen small");
    for (size_t i = 0; i < series->count; i++)
      wb_chart_dot(chart, (double)i + 1, series->values[i]);
    wb_chart_path_end(chart);
  }
  if (with_means) {
    wb_chart_line_begin(chart, "gev");
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
  if (change != NULL) {
    struct wb_text words = {0};
    wb_text_format(&words, "the level changes after measurement %.0f (change point, p = %.2g)",
                   change->detail + 1, change->p_value);
    wb_plot_legend(chart, WB_CHART_LINE, "chosen", &words);
  }
  wb_chart_note(chart, "Extreme value statistics need times without drift, steps or "
                       "patterns. " WB_MEASURED_WARNING);
}

/* ---- autocorrelation ---- */

void wb_draw_autocorrelations(const struct wb_plot_work *work)
{
  const struct wb_measured_series *const series = work->series;
  const double band = 1.96 / sqrt((double)series->summary.count);
  struct wb_chart *const chart = work->chart;
  struct wb_chart_range range = {-band, band};
  struct wb_chart_panel panel = wb_plot_panel(HEIGHT);
  struct wb_text words = {0};
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
  wb_text_format(&words, "95 %% of independent times, \xc2\xb1 1.96 / \xe2\x88\x9an = %.2g", band);
  wb_plot_legend(chart, WB_CHART_AREA, "gev-area", &words);
  wb_text_format(&words,
                 "%zu of %zu lags are outside the band; of independent times one in 20 is, by "
                 "chance. %s",
                 outside, series->lag_count, WB_MEASURED_WARNING);
  wb_plot_note(chart, &words);
}
