/* What a person looks at to judge a threshold: mean residual life, and the stability of the
 * parameters. */
#include "report/measured/measured_plots.h"

#include <math.h>
#include <stdio.h>

#define HEIGHT 340u
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
  struct wb_chart_range range = wb_chart_range_none();
  for (size_t p = 0; p < series->scan.count; p++)
    wb_chart_range_add(&range, series->scan.points[p].threshold);
  if (series->has_threshold)
    wb_chart_range_add(&range, series->threshold);
  return wb_chart_axis_of(&range, 0.04, title);
}

static void draw_threshold(const struct wb_plot_work *work)
{
  if (work->series->has_threshold)
    wb_chart_rule_x(work->chart, "chosen", work->series->threshold);
}

static void put_threshold(const struct wb_plot_work *work)
{
  struct wb_text words = {0};
  char number[WB_CHART_LABEL];
  if (!work->series->has_threshold)
    return;
  wb_chart_number(work->series->threshold, number);
  wb_text_format(
      &words, "threshold in use, %s (%zu times above it, %s)", number, work->series->exceedances,
      work->measured->options.has_threshold ? "given" : rule_names[work->measured->options.rule]);
  wb_plot_legend(work->chart, WB_CHART_LINE, "chosen", &words);
}

/* ---- mean residual life ---- */

static void add_excess_range(const struct wb_threshold_scan *scan, struct wb_chart_range *range)
{
  wb_chart_range_add(range, 0);
  for (size_t p = 0; p < scan->count; p++) {
    const struct wb_threshold_point *const point = &scan->points[p];
    wb_chart_range_add(range, point->mean_excess);
    wb_chart_range_add(range, point->mean_excess + WIDE * point->mean_excess_error);
    wb_chart_range_add(range, point->mean_excess - WIDE * point->mean_excess_error);
  }
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
  wb_chart_line_begin(work->chart, "seen");
  for (size_t p = 0; p < scan->count; p++)
    wb_chart_line_to(work->chart, xs[p], scan->points[p].mean_excess);
  wb_chart_line_end(work->chart);
  wb_chart_dots_begin(work->chart, "seen dots");
  for (size_t p = 0; p < scan->count; p++)
    wb_chart_dot(work->chart, xs[p], scan->points[p].mean_excess);
  wb_chart_dots_end(work->chart);
}

/* The mean excess of GPD(sigma, xi) over u is (sigma + xi (u - u0)) / (1 - xi) where xi < 1 (Coles
 * 2001, equation 4.9). */
static bool has_expected(const struct wb_measured_series *series)
{
  const enum wb_measured_fit_kind kind = wb_main_fit(series, false);
  return kind != WB_MEASURED_FITS && series->fits[kind].fit.tail.shape < 1;
}

static void draw_expected(const struct wb_plot_work *work, double last)
{
  if (!has_expected(work->series))
    return;
  const struct wb_tail *const tail = &work->series->fits[wb_main_fit(work->series, false)].fit.tail;
  const double first_excess = tail->scale / (1 - tail->shape);
  const double last_excess =
      (tail->scale + tail->shape * (last - tail->location)) / (1 - tail->shape);
  wb_chart_line_begin(work->chart, "pareto");
  wb_chart_line_to(work->chart, tail->location, first_excess);
  wb_chart_line_to(work->chart, last, last_excess);
  wb_chart_line_end(work->chart);
}

void wb_draw_mean_excess(const struct wb_plot_work *work)
{
  char x_title[WB_AXIS_TITLE];
  char y_title[WB_AXIS_TITLE];
  struct wb_chart_range range = wb_chart_range_none();
  wb_time_title(work->measured, "threshold", x_title);
  wb_time_title(work->measured, "mean excess", y_title);
  add_excess_range(&work->series->scan, &range);
  struct wb_chart_panel panel = {
      .left = WB_CHART_LEFT,
      .top = WB_CHART_TOP - 14,
      .width = WB_CHART_PLOT_WIDTH,
      .height = HEIGHT,
      .x = thresholds_of(work->series, x_title),
      .y = wb_chart_axis_of(&range, 0.05, y_title),
  };
  wb_chart_panel_open(work->chart, &panel);
  draw_threshold(work);
  draw_excess(work);
  draw_expected(work, panel.x.last);
  wb_chart_panel_close(work->chart);
  wb_chart_legend(work->chart, WB_CHART_LINE, "seen", "mean excess");
  wb_chart_legend(work->chart, WB_CHART_AREA, "seen-area", "its 95 % interval");
  put_threshold(work);
  if (has_expected(work->series))
    wb_chart_legend(work->chart, WB_CHART_LINE, "pareto", "mean excess by the fit");
  wb_chart_note(work->chart, "Straight from the threshold on where a generalised Pareto "
                             "distribution holds: rising where the tail is heavy (" WB_MEASURED_SIGN
                             "), level where it is exponential, falling where it ends.");
  wb_chart_note(work->chart, WB_MEASURED_WARNING);
}

/* ---- stability ---- */

/* A parameter and its standard error at a threshold. */
struct estimate {
  double value, error;
};
typedef struct estimate estimate_function(const struct wb_threshold_point *point);

static struct estimate shape_of(const struct wb_threshold_point *point)
{
  return (struct estimate){point->shape, point->shape_error};
}

static struct estimate scale_of(const struct wb_threshold_point *point)
{
  return (struct estimate){point->modified_scale, point->modified_scale_error};
}

/* Errors at high thresholds would flatten the rest: what is farther than this many times the span
 * of the estimates is cut. */
static struct wb_chart_range range_of(const struct wb_threshold_scan *scan,
                                      estimate_function *estimate_of)
{
  struct wb_chart_range values = wb_chart_range_none();
  for (size_t p = 0; p < scan->count; p++)
    if (scan->points[p].fitted)
      wb_chart_range_add(&values, estimate_of(&scan->points[p]).value);
  struct wb_chart_range range = values;
  const double most = 3 * fmax(values.most - values.least, fabs(values.most) * 1e-6);
  for (size_t p = 0; p < scan->count; p++) {
    const struct estimate estimate = estimate_of(&scan->points[p]);
    if (!scan->points[p].fitted || !isfinite(estimate.error))
      continue;
    wb_chart_range_add(&range, fmin(estimate.value + WIDE * estimate.error, values.most + most));
    wb_chart_range_add(&range, fmax(estimate.value - WIDE * estimate.error, values.least - most));
  }
  return range;
}

static void draw_estimates(const struct wb_plot_work *work, estimate_function *estimate_of)
{
  const struct wb_threshold_scan *const scan = &work->series->scan;
  for (size_t p = 0; p < scan->count; p++) {
    const struct estimate estimate = estimate_of(&scan->points[p]);
    if (scan->points[p].fitted && isfinite(estimate.error))
      wb_chart_stroke(work->chart, "seen", scan->points[p].threshold,
                      estimate.value - WIDE * estimate.error,
                      estimate.value + WIDE * estimate.error, true);
  }
  wb_chart_dots_begin(work->chart, "seen dots");
  for (size_t p = 0; p < scan->count; p++)
    if (scan->points[p].fitted)
      wb_chart_dot(work->chart, scan->points[p].threshold, estimate_of(&scan->points[p]).value);
  wb_chart_dots_end(work->chart);
}

static void draw_rules(const struct wb_plot_work *work)
{
  const struct wb_threshold_scan *const scan = &work->series->scan;
  draw_threshold(work);
  for (size_t r = 0; r < RULES; r++)
    if (scan->chosen[r] < scan->count)
      wb_chart_rule_x(work->chart, rule_classes[r], scan->points[scan->chosen[r]].threshold);
}

static void draw_panel(const struct wb_plot_work *work, struct wb_chart_panel *panel,
                       estimate_function *estimate_of, const char *title)
{
  const struct wb_chart_range range = range_of(&work->series->scan, estimate_of);
  panel->y = wb_chart_axis_of(&range, 0.08, title);
  wb_chart_panel_open(work->chart, panel);
  wb_chart_rule_y(work->chart, "zero", 0);
  draw_rules(work);
  draw_estimates(work, estimate_of);
  wb_chart_panel_close(work->chart);
}

static void put_rules(const struct wb_plot_work *work)
{
  const struct wb_threshold_scan *const scan = &work->series->scan;
  for (size_t r = 0; r < RULES; r++) {
    struct wb_text words = {0};
    char number[WB_CHART_LABEL];
    if (scan->chosen[r] < scan->count) {
      wb_chart_number(scan->points[scan->chosen[r]].threshold, number);
      wb_text_format(&words, "%s: %s", rule_names[r], number);
    } else {
      wb_text_format(&words, "%s: none passes", rule_names[r]);
    }
    wb_plot_legend(work->chart, WB_CHART_LINE, rule_classes[r], &words);
  }
}

void wb_draw_stability(const struct wb_plot_work *work)
{
  char x_title[WB_AXIS_TITLE];
  char y_title[WB_AXIS_TITLE];
  wb_time_title(work->measured, "threshold", x_title);
  wb_time_title(work->measured, "scale", y_title);
  struct wb_chart_panel panel = {
      .left = WB_CHART_LEFT,
      .top = WB_CHART_TOP,
      .width = WB_CHART_PLOT_WIDTH,
      .height = PANEL_HEIGHT,
      .x = thresholds_of(work->series, x_title),
      .name = "Shape xi (" WB_MEASURED_SIGN ")",
  };
  draw_panel(work, &panel, shape_of, "shape xi");
  panel.top += PANEL_HEIGHT + WB_CHART_BELOW + 34;
  panel.name = "Modified scale, sigma \xe2\x88\x92 xi u";
  draw_panel(work, &panel, scale_of, y_title);
  wb_chart_legend(work->chart, WB_CHART_DOTS, "seen dots", "fit by likelihood, 95 % interval");
  put_threshold(work);
  put_rules(work);
  wb_chart_note(work->chart, "Both are constant from the threshold on where a generalised Pareto "
                             "distribution holds. Intervals of neighbours overlap in their data.");
  wb_chart_note(work->chart, WB_MEASURED_WARNING);
}
