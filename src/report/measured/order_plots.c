/* The times in the order of measurement: the run sequence, and the autocorrelation. */
#include "report/measured/measured_plots.h"

#include <math.h>
#include <stdio.h>

#define HEIGHT 320u
/* More values than this are drawn as the least and the largest of each column of pixels. */
#define MOST_DOTS 2000
/* Parts whose means are drawn. */
#define MEANS ((size_t)60)

static struct wb_chart_panel panel_of(void)
{
  return (struct wb_chart_panel){
      .left = WB_CHART_LEFT,
      .top = WB_CHART_TOP - 14,
      .width = WB_CHART_PLOT_WIDTH,
      .height = HEIGHT,
  };
}

/* ---- run sequence ---- */

static void draw_dots(const struct wb_plot_work *work)
{
  wb_chart_dots_begin(work->chart, "seen small");
  for (size_t i = 0; i < work->series->series->count; i++)
    wb_chart_dot(work->chart, (double)i + 1, work->series->series->values[i]);
  wb_chart_dots_end(work->chart);
}

/* The values of a column of pixels. */
struct column {
  double least, most, mean;
};

static struct column column_of(const double *values, size_t begin, size_t end)
{
  struct column column = {values[begin], values[begin], 0};
  for (size_t i = begin; i < end; i++) {
    column.least = fmin(column.least, values[i]);
    column.most = fmax(column.most, values[i]);
    column.mean += (values[i] - column.mean) / (double)(i - begin + 1);
  }
  return column;
}

static void draw_columns(const struct wb_plot_work *work)
{
  const struct wb_series *const series = work->series->series;
  const size_t columns = WB_CHART_PLOT_WIDTH;
  double xs[WB_CHART_PLOT_WIDTH];
  double lows[WB_CHART_PLOT_WIDTH];
  double highs[WB_CHART_PLOT_WIDTH];
  for (size_t c = 0; c < columns; c++) {
    /* Below the limit of samples the products do not overflow. */
    const size_t begin = series->count * c / columns;
    const size_t end = series->count * (c + 1) / columns;
    const struct column column = column_of(series->values, begin, end);
    xs[c] = ((double)begin + (double)end) / 2 + 0.5;
    lows[c] = column.least;
    highs[c] = column.most;
  }
  for (size_t c = 0; c < columns; c++)
    wb_chart_stroke(work->chart, "seen faded", xs[c], lows[c], highs[c], false);
}

/* The mean of each part of the sequence. */
static void draw_means(const struct wb_plot_work *work)
{
  const struct wb_series *const series = work->series->series;
  if (series->count < MEANS)
    return;
  wb_chart_line_begin(work->chart, "gev");
  for (size_t m = 0; m < MEANS; m++) {
    const size_t begin = series->count * m / MEANS;
    const size_t end = series->count * (m + 1) / MEANS;
    wb_chart_line_to(work->chart, ((double)begin + (double)end) / 2 + 0.5,
                     column_of(series->values, begin, end).mean);
  }
  wb_chart_line_end(work->chart);
}

/* The change of the level that the checks found, or NULL. */
static const struct wb_measured_check *change_of(const struct wb_measured_series *series)
{
  for (size_t k = 0; k < WB_MEASURED_CHECKS; k++) {
    const struct wb_measured_check *const check = &series->checks[k];
    if (check->kind == WB_CHECK_CHANGE_POINT && check->done && check->outcome != WB_APPLICABLE &&
        check->detail >= 0)
      return check;
  }
  return NULL;
}

static void put_change(const struct wb_plot_work *work, const struct wb_measured_check *change)
{
  struct wb_text words = {0};
  wb_text_format(&words, "the level changes after measurement %.0f (change point, p = %.2g)",
                 change->detail + 1, change->p_value);
  wb_plot_legend(work->chart, WB_CHART_LINE, "chosen", &words);
}

static void put_sequence_words(const struct wb_plot_work *work)
{
  const struct wb_measured_check *const change = change_of(work->series);
  const bool dots = work->series->series->count <= MOST_DOTS;
  if (dots) {
    wb_chart_legend(work->chart, WB_CHART_DOTS, "seen small", "a measurement");
  } else {
    wb_chart_legend(work->chart, WB_CHART_LINE, "seen faded",
                    "least to longest of each column of pixels");
  }
  if (work->series->series->count >= MEANS)
    wb_chart_legend(work->chart, WB_CHART_LINE, "gev", "mean of each 60th part");
  if (change != NULL)
    put_change(work, change);
  wb_chart_note(work->chart, "Extreme value statistics need times without drift, steps or "
                             "patterns. " WB_MEASURED_WARNING);
}

void wb_draw_run_sequence(const struct wb_plot_work *work)
{
  const struct wb_measured_series *const series = work->series;
  const struct wb_measured_check *const change = change_of(series);
  struct wb_chart_range order = {1, (double)series->series->count};
  struct wb_chart_range times = wb_chart_range_none();
  struct wb_chart_panel panel = panel_of();
  char title[WB_AXIS_TITLE];
  wb_time_title(work->measured, "time", title);
  wb_chart_range_add(&times, series->ascending[0]);
  wb_chart_range_add(&times, series->ascending[series->summary.count - 1]);
  panel.x = wb_chart_axis_of(&order, 0.01, "measurement, in order");
  panel.x.whole = true;
  panel.y = wb_chart_axis_of(&times, 0.05, title);
  wb_chart_panel_open(work->chart, &panel);
  if (series->series->count <= MOST_DOTS)
    draw_dots(work);
  else
    draw_columns(work);
  draw_means(work);
  if (change != NULL)
    wb_chart_rule_x(work->chart, "chosen", change->detail + 1.5);
  wb_chart_panel_close(work->chart);
  put_sequence_words(work);
}

/* ---- autocorrelation ---- */

static void draw_lags(const struct wb_plot_work *work, double band)
{
  const struct wb_measured_series *const series = work->series;
  for (size_t lag = 1; lag <= series->lag_count; lag++) {
    const double correlation = series->correlations[lag - 1];
    wb_chart_bar(work->chart, fabs(correlation) > band ? "alarm" : "bars", (double)lag - 0.3,
                 (double)lag + 0.3, 0, correlation);
  }
}

static void put_lag_words(const struct wb_plot_work *work, double band)
{
  const struct wb_measured_series *const series = work->series;
  struct wb_text words = {0};
  size_t outside = 0;
  for (size_t k = 0; k < series->lag_count; k++)
    outside += fabs(series->correlations[k]) > band;
  wb_chart_legend(work->chart, WB_CHART_AREA, "bars", "within the band");
  wb_chart_legend(work->chart, WB_CHART_AREA, "alarm", "outside it");
  wb_text_format(&words, "95 %% of independent times, \xc2\xb1 1.96 / \xe2\x88\x9an = %.2g", band);
  wb_plot_legend(work->chart, WB_CHART_AREA, "gev-area", &words);
  wb_text_format(&words,
                 "%zu of %zu lags are outside the band; of independent times one in 20 is, by "
                 "chance. %s",
                 outside, series->lag_count, WB_MEASURED_WARNING);
  if (words.failed)
    work->chart->body.failed = true;
  else
    wb_chart_note(work->chart, words.data);
  wb_text_free(&words);
}

void wb_draw_autocorrelations(const struct wb_plot_work *work)
{
  const struct wb_measured_series *const series = work->series;
  const double band = 1.96 / sqrt((double)series->summary.count);
  struct wb_chart_range range = wb_chart_range_none();
  struct wb_chart_panel panel = panel_of();
  wb_chart_range_add(&range, band);
  wb_chart_range_add(&range, -band);
  for (size_t k = 0; k < series->lag_count; k++)
    wb_chart_range_add(&range, series->correlations[k]);
  panel.x = (struct wb_chart_axis){.first = 0.3,
                                   .last = (double)series->lag_count + 0.7,
                                   .whole = true,
                                   .title = "lag, in measurements"};
  panel.y = wb_chart_axis_of(&range, 0.15, "autocorrelation");
  wb_chart_panel_open(work->chart, &panel);
  wb_chart_bar(work->chart, "gev-area", panel.x.first, panel.x.last, -band, band);
  draw_lags(work, band);
  wb_chart_rule_y(work->chart, "zero", 0);
  wb_chart_panel_close(work->chart);
  put_lag_words(work, band);
}
