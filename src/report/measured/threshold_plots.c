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
  wb_chart_path_end(work->chart);
  wb_chart_dots_begin(work->chart, "seen dots");
  for (size_t p = 0; p < scan->count; p++)
    wb_chart_dot(work->chart, xs[p], scan->points[p].mean_excess);
  wb_chart_path_end(work->chart);
}

void wb_draw_mean_excess(const struct wb_plot_work *work)
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
  struct wb_chart_range range = wb_chart_range_none();
  wb_time_title(work->measured, "threshold", x_title);
  wb_time_title(work->measured, "mean excess", y_title);
  wb_chart_range_add(&range, 0);
  for (size_t p = 0; p < series->scan.count; p++) {
    const struct wb_threshold_point *const point = &series->scan.points[p];
    wb_chart_range_add(&range, point->mean_excess);
    wb_chart_range_add(&range, point->mean_excess + WIDE * point->mean_excess_error);
    wb_chart_range_add(&range, point->mean_excess - WIDE * point->mean_excess_error);
  }
  struct wb_chart_panel panel = wb_plot_panel(HEIGHT);
  panel.x = thresholds_of(series, x_title);
  panel.y = wb_chart_axis_of(&range, 0.05, y_title);
  wb_chart_panel_open(work->chart, &panel);
  draw_threshold(work);
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
  wb_chart_legend(work->chart, WB_CHART_AREA, "seen-area", "its 95 % interval");
  put_threshold(work);
  if (tail != NULL)
    wb_chart_legend(work->chart, WB_CHART_LINE, "pareto", "mean excess by the fit");
  wb_chart_note(work->chart, "Straight from the threshold on where a generalised Pareto "
                             "distribution holds: rising where the tail is heavy (" WB_MEASURED_SIGN
                             "), level where it is exponential, falling where it ends.");
  wb_chart_note(work->chart, WB_MEASURED_WARNING);
}

/* ---- stability ---- */

/* A parameter and its standard error at a threshold: the modified scale, or the shape. */
struct estimate {
  double value, error;
};

static struct estimate estimate_of(const struct wb_threshold_point *point, bool of_scale)
{
  return of_scale ? (struct estimate){point->modified_scale, point->modified_scale_error}
                  : (struct estimate){point->shape, point->shape_error};
}

static void draw_panel(const struct wb_plot_work *work, struct wb_chart_panel *panel, bool of_scale,
                       const char *title)
{
  const struct wb_threshold_scan *const scan = &work->series->scan;
  /* Errors at high thresholds would flatten the rest: what is farther than this many times the span
   * of the estimates is cut. */
  struct wb_chart_range values = wb_chart_range_none();
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
  draw_threshold(work);
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
  wb_chart_dots_begin(work->chart, "seen dots");
  for (size_t p = 0; p < scan->count; p++)
    if (scan->points[p].fitted)
      wb_chart_dot(work->chart, scan->points[p].threshold,
                   estimate_of(&scan->points[p], of_scale).value);
  wb_chart_path_end(work->chart);
  wb_chart_panel_close(work->chart);
}

void wb_draw_stability(const struct wb_plot_work *work)
{
  char x_title[WB_AXIS_TITLE];
  char y_title[WB_AXIS_TITLE];
  wb_time_title(work->measured, "threshold", x_title);
  wb_time_title(work->measured, "scale", y_title);
  struct wb_chart_panel panel = wb_plot_panel(PANEL_HEIGHT);
  panel.top = WB_CHART_TOP;
  panel.x = thresholds_of(work->series, x_title);
  panel.name = "Shape xi (" WB_MEASURED_SIGN ")";
  draw_panel(work, &panel, false, "shape xi");
  panel.top += PANEL_HEIGHT + WB_CHART_BELOW + 34;
  panel.name = "Modified scale, sigma \xe2\x88\x92 xi u";
  draw_panel(work, &panel, true, y_title);
  wb_chart_legend(work->chart, WB_CHART_DOTS, "seen dots", "fit by likelihood, 95 % interval");
  put_threshold(work);
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
  wb_chart_note(work->chart, "Both are constant from the threshold on where a generalised Pareto "
                             "distribution holds. Intervals of neighbours overlap in their data.");
  wb_chart_note(work->chart, WB_MEASURED_WARNING);
}
