/* Return levels: the time that one run exceeds, over the probability that it does. */
#include "base/checked.h"
#include "report/measured/level_curve.h"
#include "report/measured/measured_plots.h"

#include <math.h>
#include <stdio.h>

#define CURVE_POINTS 160
#define HEIGHT 380u
/* A level farther above the highest observation than this many times the span from the median to it
 * would flatten all else: then the axis is logarithmic. What is higher on it than FARTHEST times
 * the highest observation leaves the picture. */
#define MOST_SPANS 10.0
#define FARTHEST 1e4

static const enum wb_measured_fit_kind drawn_fits[] = {
    WB_FIT_OF_GUMBEL,           WB_FIT_OF_EXPONENTIAL, WB_FIT_OF_VARIATION, WB_FIT_OF_GEV_L_MOMENTS,
    WB_FIT_OF_PARETO_L_MOMENTS, WB_FIT_OF_GEV,         WB_FIT_OF_PARETO,
};
#define DRAWN_FITS (sizeof drawn_fits / sizeof drawn_fits[0])

struct levels {
  const struct wb_plot_work *work;
  double median, highest; /* of the observations */
  struct wb_chart_axis x, y;
  bool curve_cut, interval_cut, bound_cut;
};

/* The fits by L-moments are drawn only in place of one by likelihood. */
static bool is_shown(const struct wb_measured_series *series, enum wb_measured_fit_kind kind)
{
  const bool in_place = kind == WB_FIT_OF_GEV_L_MOMENTS || kind == WB_FIT_OF_PARETO_L_MOMENTS;
  if (in_place)
    return kind == wb_main_fit(series, kind == WB_FIT_OF_GEV_L_MOMENTS);
  return wb_fit_is_drawn(series, kind);
}

static bool is_main(const struct wb_measured_series *series, enum wb_measured_fit_kind kind)
{
  return kind == wb_main_fit(series, true) || kind == wb_main_fit(series, false);
}

static double probability_at(const struct levels *levels, size_t point)
{
  return wb_chart_value(&levels->x, (double)point / (CURVE_POINTS - 1));
}

/* From one half to the smallest probability that is asked for or seen. */
static void set_x(struct levels *levels)
{
  const struct wb_measured_options *const options = &levels->work->measured->options;
  double least = 0.5 / (double)(levels->work->series->summary.count + 1);
  for (size_t k = 0; k < options->probability_count; k++)
    if (options->probabilities[k] > 0)
      least = fmin(least, options->probabilities[k]);
  levels->x = (struct wb_chart_axis){
      .first = 0.5,
      .last = fmax(fmin(least, 0.1) * 0.7, 1e-300),
      .logarithmic = true,
      .title = "probability that one run takes longer",
  };
}

static struct wb_level_curve curve_of(const struct levels *levels, enum wb_measured_fit_kind kind)
{
  return wb_level_curve_of(&levels->work->series->fits[kind],
                           levels->work->measured->options.probability_count);
}

/* Adds a value that does not flatten the rest; says whether it did. */
static bool add_within(struct wb_chart_range *range, double value, double most)
{
  wb_chart_range_add(range, fmin(value, most));
  return !(value > most);
}

static void add_fits(struct levels *levels, double most, struct wb_chart_range *range)
{
  const struct wb_plot_work *const work = levels->work;
  for (size_t f = 0; f < DRAWN_FITS; f++) {
    if (!is_shown(work->series, drawn_fits[f]))
      continue;
    const struct wb_level_curve curve = curve_of(levels, drawn_fits[f]);
    const double end = wb_level_curve_at(&curve, levels->x.last);
    levels->curve_cut = !add_within(range, end, most) || levels->curve_cut;
  }
}

static void add_intervals(struct levels *levels, struct wb_chart_range *range)
{
  const struct wb_measured_series *const series = levels->work->series;
  const double most = levels->median + 2.5 * (range->most - levels->median);
  for (int of_maxima = 0; of_maxima < 2; of_maxima++) {
    const enum wb_measured_fit_kind kind = wb_main_fit(series, of_maxima);
    if (kind == WB_MEASURED_FITS)
      continue;
    const struct wb_level_curve curve = curve_of(levels, kind);
    for (size_t k = 0; k < curve.count; k++) {
      const double high = curve.levels[k]->profile.high;
      levels->interval_cut = !add_within(range, high, most) || levels->interval_cut;
    }
  }
}

/* What lies above `most` is left out. */
static struct wb_chart_range range_of(struct levels *levels, double most)
{
  const struct wb_measured_bound *const bound = &levels->work->measured->options.bound;
  struct wb_chart_range range = wb_chart_range_none();
  levels->curve_cut = levels->interval_cut = false;
  wb_chart_range_add(&range, levels->median);
  wb_chart_range_add(&range, levels->highest);
  add_fits(levels, most, &range);
  add_intervals(levels, &range);
  levels->bound_cut = bound->given && !(bound->value <= fmax(most, range.most));
  if (bound->given && !levels->bound_cut)
    wb_chart_range_add(&range, bound->value);
  return range;
}

static void set_y(struct levels *levels, const char *title)
{
  const double span = levels->highest - levels->median;
  const double most = levels->highest + MOST_SPANS * fmax(span, levels->highest * 0.01);
  struct wb_chart_range range = range_of(levels, most);
  levels->y = wb_chart_axis_of(&range, 0.06, title);
  if (!(levels->curve_cut || levels->bound_cut) || !(levels->median > 0))
    return;
  range = range_of(levels, levels->highest * FARTHEST);
  if (range.most < 3 * levels->highest)
    return;
  levels->y = (struct wb_chart_axis){.first = range.least * 0.9,
                                     .last = fmin(range.most * 1.3, 1e300),
                                     .logarithmic = true,
                                     .title = title};
}

/* ---- marks ---- */

/* Where less is expected than was observed: no estimate may lie there. */
static void draw_excluded(const struct levels *levels)
{
  const struct wb_measured_options *const options = &levels->work->measured->options;
  const double seen = options->significance / (double)(levels->work->series->summary.count + 1);
  wb_chart_hatch(levels->work->chart, "hatched", seen, levels->x.last, levels->y.first,
                 levels->highest);
}

static void draw_observed(const struct levels *levels)
{
  const struct wb_measured_series *const series = levels->work->series;
  const size_t count = series->summary.count;
  wb_chart_dots_begin(levels->work->chart, "seen dots");
  for (size_t rank = 1; rank <= count / 2 + 1 && rank <= count; rank++)
    wb_chart_dot(levels->work->chart, (double)rank / (double)(count + 1),
                 series->ascending[count - rank]);
  wb_chart_dots_end(levels->work->chart);
}

static void draw_band(const struct levels *levels, const struct wb_level_curve *curve,
                      const char *classes)
{
  double xs[CURVE_POINTS];
  double lows[CURVE_POINTS];
  double highs[CURVE_POINTS];
  size_t count = 0;
  for (size_t i = 0; i < CURVE_POINTS; i++) {
    const double probability = probability_at(levels, i);
    const struct wb_interval interval = wb_level_curve_interval(curve, probability);
    if (!interval.found)
      continue;
    xs[count] = probability;
    lows[count] = interval.low;
    highs[count++] = interval.high;
  }
  if (count > 1)
    wb_chart_band(levels->work->chart, classes, xs, lows, highs, count);
}

static void draw_fit(const struct levels *levels, enum wb_measured_fit_kind kind)
{
  const struct wb_plot_work *const work = levels->work;
  const struct wb_level_curve curve = curve_of(levels, kind);
  wb_chart_line_begin(work->chart, wb_fit_class(kind));
  for (size_t i = 0; i < CURVE_POINTS; i++) {
    const double probability = probability_at(levels, i);
    wb_chart_line_to(work->chart, probability, wb_level_curve_at(&curve, probability));
  }
  wb_chart_line_end(work->chart);
}

/* The interval at each probability that is asked for. */
static void draw_intervals(const struct levels *levels, enum wb_measured_fit_kind kind)
{
  const struct wb_plot_work *const work = levels->work;
  const struct wb_level_curve curve = curve_of(levels, kind);
  char classes[32];
  snprintf(classes, sizeof classes, "%s thin", wb_fit_class(kind));
  for (size_t k = 0; k < curve.count; k++)
    wb_chart_stroke(work->chart, classes, curve.levels[k]->probability,
                    curve.levels[k]->profile.low, curve.levels[k]->profile.high, true);
  snprintf(classes, sizeof classes, "%s dots", wb_fit_class(kind));
  wb_chart_dots_begin(work->chart, classes);
  for (size_t k = 0; k < curve.count; k++)
    wb_chart_dot(work->chart, curve.levels[k]->probability, curve.levels[k]->level);
  wb_chart_dots_end(work->chart);
}

static const char *area_of(enum wb_measured_fit_kind kind)
{
  return kind == WB_FIT_OF_PARETO ? "pareto-area" : "gev-area";
}

static void draw_fits(const struct levels *levels)
{
  const struct wb_measured_series *const series = levels->work->series;
  for (size_t f = 0; f < DRAWN_FITS; f++)
    if (is_shown(series, drawn_fits[f]) && is_main(series, drawn_fits[f])) {
      const struct wb_level_curve curve = curve_of(levels, drawn_fits[f]);
      draw_band(levels, &curve, area_of(drawn_fits[f]));
    }
  for (size_t f = 0; f < DRAWN_FITS; f++)
    if (is_shown(series, drawn_fits[f]))
      draw_fit(levels, drawn_fits[f]);
  for (size_t f = 0; f < DRAWN_FITS; f++)
    if (is_shown(series, drawn_fits[f]) && is_main(series, drawn_fits[f]))
      draw_intervals(levels, drawn_fits[f]);
}

static void draw_panel(const struct levels *levels)
{
  struct wb_chart *const chart = levels->work->chart;
  const struct wb_measured_bound *const bound = &levels->work->measured->options.bound;
  wb_chart_panel_open(chart, &(struct wb_chart_panel){
                                 .left = WB_CHART_LEFT,
                                 .top = WB_CHART_TOP - 14,
                                 .width = WB_CHART_PLOT_WIDTH,
                                 .height = HEIGHT,
                                 .x = levels->x,
                                 .y = levels->y,
                             });
  draw_excluded(levels);
  if (bound->given)
    wb_chart_rule_y(chart, "bound", bound->value);
  draw_observed(levels);
  draw_fits(levels);
  wb_chart_panel_close(chart);
}

/* ---- words ---- */

static void put_bound(const struct levels *levels)
{
  const struct wb_measured_bound *const bound = &levels->work->measured->options.bound;
  struct wb_text words = {0};
  char number[WB_CHART_LABEL];
  if (!bound->given)
    return;
  wb_chart_number(bound->value, number);
  wb_text_format(&words, "proven bound %s", number);
  if (bound->source != NULL)
    wb_text_format(&words, " (%s)", bound->source);
  if (levels->bound_cut)
    wb_text_string(&words, ", above this picture");
  if (bound->value < levels->highest)
    wb_text_string(&words, " \xe2\x80\x93 but a longer time was measured");
  wb_plot_legend(levels->work->chart, WB_CHART_LINE, "bound", &words);
}

static void put_observed(const struct levels *levels)
{
  struct wb_chart *const chart = levels->work->chart;
  struct wb_text words = {0};
  char number[WB_CHART_LABEL];
  wb_chart_number(levels->highest, number);
  wb_chart_legend(chart, WB_CHART_DOTS, "seen dots", "observed");
  wb_text_format(&words, "below the highest observation, %s: an estimate here is refuted", number);
  wb_plot_legend(chart, WB_CHART_HATCH, "hatched", &words);
}

static void put_fits(const struct levels *levels)
{
  const struct wb_measured_series *const series = levels->work->series;
  for (size_t f = DRAWN_FITS; f-- > 0;) {
    struct wb_text words = {0};
    if (!is_shown(series, drawn_fits[f]))
      continue;
    wb_fit_legend(levels->work, drawn_fits[f], &words);
    wb_plot_legend(levels->work->chart, WB_CHART_LINE, wb_fit_class(drawn_fits[f]), &words);
  }
}

static void put_notes(const struct levels *levels)
{
  struct wb_chart *const chart = levels->work->chart;
  const struct wb_measured_series *const series = levels->work->series;
  char note[240];
  if (!series->fitted)
    wb_chart_note(chart, "Nothing was fitted: the data fail the tests of applicability.");
  else
    wb_chart_note(chart, WB_MEASURED_WARNING " Right of the observations all curves extrapolate.");
  const bool any = wb_main_fit(series, true) != WB_MEASURED_FITS ||
                   wb_main_fit(series, false) != WB_MEASURED_FITS;
  if (any) {
    snprintf(note, sizeof note,
             "Strokes: %g %% intervals by profile likelihood at the probabilities asked for; bands "
             "join them.%s",
             100 * levels->work->measured->options.confidence,
             levels->interval_cut ? " Some go on above the picture." : "");
    wb_chart_note(chart, note);
  }
  if (levels->curve_cut)
    wb_chart_note(chart, "A curve leaves the picture at the top.");
  unsigned kinds = 0;
  for (size_t f = 0; f < DRAWN_FITS; f++)
    if (is_shown(series, drawn_fits[f]))
      kinds |= 1u << drawn_fits[f];
  wb_fit_notes(levels->work, kinds);
}

void wb_draw_return_levels(const struct wb_plot_work *work)
{
  const struct wb_measured_series *const series = work->series;
  const size_t count = series->summary.count;
  char title[WB_AXIS_TITLE];
  struct levels levels = {
      .work = work,
      .median = series->ascending[(count - 1) / 2],
      .highest = series->ascending[count - 1],
  };
  wb_time_title(work->measured, "time of one run", title);
  set_x(&levels);
  set_y(&levels, title);
  draw_panel(&levels);
  put_observed(&levels);
  put_fits(&levels);
  put_bound(&levels);
  put_notes(&levels);
}
