/* Return levels: the time that one run exceeds, over the probability that it does. */
#include "report/measured/measured_plots.h"

#include <math.h>
#include <stdio.h>

#define CURVE_POINTS 160
#define HEIGHT 380u
/* Maxima below the quantile of this survival say nothing of the tail. */
#define MOST_SURVIVAL 0.98
/* A level farther above the highest observation than this many times the span from the median to it
 * would flatten all else: then the axis is logarithmic. What is higher on it than FARTHEST times
 * the highest observation leaves the picture. */
#define MOST_SPANS 10.0
#define FARTHEST 1e4

/* ---- a fit as a curve ---- */

struct wb_level_curve wb_level_curve_of(const struct wb_measured_fit *fit, size_t levels)
{
  struct wb_level_curve curve = {.fit = fit};
  for (size_t k = 0; k < levels; k++) {
    const struct wb_measured_level *const level = &fit->levels[k];
    if (!(level->profile.found && isfinite(level->level) && level->profile.low <= level->level &&
          level->profile.high >= level->level && isfinite(level->profile.low)))
      continue;
    /* Sorted by insertion, since there are few. */
    size_t place = curve.count++;
    for (; place > 0 && curve.levels[place - 1]->probability < level->probability; place--)
      curve.levels[place] = curve.levels[place - 1];
    curve.levels[place] = level;
  }
  return curve;
}

double wb_level_curve_at(const struct wb_level_curve *curve, double probability)
{
  const struct wb_tail *const tail = &curve->fit->fit.tail;
  const double survival = wb_measured_survival(curve->fit, probability);
  const double most = wb_tail_is_of_maxima(tail->family) ? MOST_SURVIVAL : 1;
  return survival > 0 && survival < most ? wb_tail_level(tail, survival) : NAN;
}

/* The geometric interpolation of two distances; part: from 0, the first, to 1, the second. */
static double between(double first, double second, double part)
{
  if (first <= 0 || second <= 0 || isinf(first) || isinf(second))
    return part > 0 && part < 1 ? fmax(first, second) : (part > 0 ? second : first);
  return first * pow(second / first, part);
}

struct wb_interval wb_level_curve_interval(const struct wb_level_curve *curve, double probability)
{
  const double level = wb_level_curve_at(curve, probability);
  for (size_t k = 0; k + 1 < curve->count; k++) {
    const struct wb_measured_level *const first = curve->levels[k];
    const struct wb_measured_level *const second = curve->levels[k + 1];
    if (probability > first->probability || probability < second->probability)
      continue;
    const double part =
        log(probability / first->probability) / log(second->probability / first->probability);
    const double below =
        between(first->level - first->profile.low, second->level - second->profile.low, part);
    const double above =
        between(first->profile.high - first->level, second->profile.high - second->level, part);
    /* The ends grow with the level, as those of both neighbours do. */
    return (struct wb_interval){
        .found = isfinite(level) && isfinite(part),
        .low = fmin(fmin(fmax(level - below, first->profile.low), second->profile.low), level),
        .high = fmax(fmax(fmin(level + above, second->profile.high), first->profile.high), level),
    };
  }
  return (struct wb_interval){.found = false};
}

/* ---- axes ---- */

/* A fit that is drawn. */
struct drawn {
  enum wb_measured_fit_kind kind;
  bool is_main; /* of maxima or peaks: with intervals */
  struct wb_level_curve curve;
};

struct levels {
  const struct wb_plot_work *work;
  struct drawn fits[WB_MEASURED_FITS]; /* the main ones last, above the others */
  size_t count;
  double median, highest; /* of the observations */
  struct wb_chart_axis x, y;
  bool curve_cut, interval_cut, bound_cut;
};

/* The fits by L-moments are drawn only in place of one by likelihood. */
static void list_fits(struct levels *levels)
{
  static const enum wb_measured_fit_kind order[WB_MEASURED_FITS] = {
      WB_FIT_OF_GUMBEL,        WB_FIT_OF_EXPONENTIAL,      WB_FIT_OF_VARIATION,
      WB_FIT_OF_GEV_L_MOMENTS, WB_FIT_OF_PARETO_L_MOMENTS, WB_FIT_OF_GEV,
      WB_FIT_OF_PARETO,
  };
  const struct wb_measured_series *const series = levels->work->series;
  const enum wb_measured_fit_kind of_maxima = wb_main_fit(series, true);
  const enum wb_measured_fit_kind of_peaks = wb_main_fit(series, false);
  for (size_t f = 0; f < WB_MEASURED_FITS; f++) {
    const enum wb_measured_fit_kind kind = order[f];
    const bool is_main = kind == of_maxima || kind == of_peaks;
    const bool in_place = kind == WB_FIT_OF_GEV_L_MOMENTS || kind == WB_FIT_OF_PARETO_L_MOMENTS;
    if (in_place ? is_main : wb_fit_is_drawn(series, kind))
      levels->fits[levels->count++] =
          (struct drawn){kind, is_main,
                         wb_level_curve_of(&series->fits[kind],
                                           levels->work->measured->options.probability_count)};
  }
}

static double probability_at(const struct levels *levels, size_t point)
{
  return wb_chart_value(&levels->x, (double)point / (CURVE_POINTS - 1));
}

/* Adds a value, or `most` where it is greater; says whether it was. */
static bool add_cut(struct wb_chart_range *range, double value, double most)
{
  wb_chart_range_add(range, fmin(value, most));
  return value > most;
}

/* The range of y up to about `most`; records what lies above it. */
static struct wb_chart_range range_of(struct levels *levels, double most)
{
  const struct wb_measured_bound *const bound = &levels->work->measured->options.bound;
  struct wb_chart_range range = wb_chart_range_none();
  levels->curve_cut = levels->interval_cut = false;
  wb_chart_range_add(&range, levels->median);
  wb_chart_range_add(&range, levels->highest);
  for (size_t f = 0; f < levels->count; f++)
    levels->curve_cut |=
        add_cut(&range, wb_level_curve_at(&levels->fits[f].curve, levels->x.last), most);
  const double most_interval = levels->median + 2.5 * (range.most - levels->median);
  for (size_t f = 0; f < levels->count; f++) {
    const struct wb_level_curve *const curve = &levels->fits[f].curve;
    for (size_t k = 0; levels->fits[f].is_main && k < curve->count; k++)
      levels->interval_cut |= add_cut(&range, curve->levels[k]->profile.high, most_interval);
  }
  levels->bound_cut = bound->given && !(bound->value <= fmax(most, range.most));
  if (bound->given && !levels->bound_cut)
    wb_chart_range_add(&range, bound->value);
  return range;
}

/* ---- marks ---- */

static void draw_band(const struct levels *levels, const struct drawn *fit)
{
  double xs[CURVE_POINTS];
  double lows[CURVE_POINTS];
  double highs[CURVE_POINTS];
  size_t count = 0;
  for (size_t i = 0; i < CURVE_POINTS; i++) {
    const double probability = probability_at(levels, i);
    const struct wb_interval interval = wb_level_curve_interval(&fit->curve, probability);
    if (!interval.found)
      continue;
    xs[count] = probability;
    lows[count] = interval.low;
    highs[count++] = interval.high;
  }
  if (count > 1)
    wb_chart_band(levels->work->chart, fit->kind == WB_FIT_OF_PARETO ? "pareto-area" : "gev-area",
                  xs, lows, highs, count);
}

static void draw_panel(const struct levels *levels)
{
  const struct wb_measured_series *const series = levels->work->series;
  const struct wb_measured_options *const options = &levels->work->measured->options;
  const size_t count = series->summary.count;
  struct wb_chart *const chart = levels->work->chart;
  struct wb_chart_panel panel = wb_plot_panel(HEIGHT);
  panel.x = levels->x;
  panel.y = levels->y;
  wb_chart_panel_open(chart, &panel);
  /* Where less is expected than was observed: no estimate may lie there. */
  wb_chart_hatch(chart, "hatched", options->significance / (double)(count + 1), levels->x.last,
                 levels->y.first, levels->highest);
  if (options->bound.given)
    wb_chart_rule_y(chart, "bound", options->bound.value);
  wb_chart_dots_begin(chart, "seen dots");
  for (size_t rank = 1; rank <= count / 2 + 1 && rank <= count; rank++)
    wb_chart_dot(chart, (double)rank / (double)(count + 1), series->ascending[count - rank]);
  wb_chart_path_end(chart);
  for (size_t f = 0; f < levels->count; f++)
    if (levels->fits[f].is_main)
      draw_band(levels, &levels->fits[f]);
  for (size_t f = 0; f < levels->count; f++) {
    wb_chart_line_begin(chart, wb_fit_class(levels->fits[f].kind));
    for (size_t i = 0; i < CURVE_POINTS; i++) {
      const double probability = probability_at(levels, i);
      wb_chart_line_to(chart, probability, wb_level_curve_at(&levels->fits[f].curve, probability));
    }
    wb_chart_path_end(chart);
  }
  for (size_t f = 0; f < levels->count; f++)
    if (levels->fits[f].is_main) {
      /* The interval at each probability that is asked for. */
      const struct wb_level_curve *const curve = &levels->fits[f].curve;
      char classes[32];
      snprintf(classes, sizeof classes, "%s thin", wb_fit_class(levels->fits[f].kind));
      for (size_t k = 0; k < curve->count; k++)
        wb_chart_stroke(chart, classes, curve->levels[k]->probability,
                        curve->levels[k]->profile.low, curve->levels[k]->profile.high, true);
      snprintf(classes, sizeof classes, "%s dots", wb_fit_class(levels->fits[f].kind));
      wb_chart_dots_begin(chart, classes);
      for (size_t k = 0; k < curve->count; k++)
        wb_chart_dot(chart, curve->levels[k]->probability, curve->levels[k]->level);
      wb_chart_path_end(chart);
    }
  wb_chart_panel_close(chart);
}

/* ---- words ---- */

static void put_notes(const struct levels *levels)
{
  struct wb_chart *const chart = levels->work->chart;
  unsigned kinds = 0;
  bool any_main = false;
  for (size_t f = 0; f < levels->count; f++) {
    kinds |= 1u << levels->fits[f].kind;
    any_main = any_main || levels->fits[f].is_main;
  }
  wb_chart_note(chart, levels->work->series->fitted
                           ? WB_MEASURED_WARNING
                           " Right of the observations all curves extrapolate."
                           : "Nothing was fitted: the data fail the tests of applicability.");
  if (any_main) {
    char note[240];
    snprintf(note, sizeof note,
             "Strokes: %g %% intervals by profile likelihood at the probabilities asked for; bands "
             "join them.%s",
             100 * levels->work->measured->options.confidence,
             levels->interval_cut ? " Some go on above the picture." : "");
    wb_chart_note(chart, note);
  }
  if (levels->curve_cut)
    wb_chart_note(chart, "A curve leaves the picture at the top.");
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
  list_fits(&levels);
  /* From one half to the smallest probability that is asked for or seen. */
  const struct wb_measured_options *const options = &work->measured->options;
  double least = 0.5 / (double)(count + 1);
  for (size_t k = 0; k < options->probability_count; k++)
    if (options->probabilities[k] > 0)
      least = fmin(least, options->probabilities[k]);
  levels.x = (struct wb_chart_axis){
      .first = 0.5,
      .last = fmax(fmin(least, 0.1) * 0.7, 1e-300),
      .logarithmic = true,
      .title = "probability that one run takes longer",
  };
  const double span = levels.highest - levels.median;
  const double most = levels.highest + MOST_SPANS * fmax(span, levels.highest * 0.01);
  struct wb_chart_range range = range_of(&levels, most);
  levels.y = wb_chart_axis_of(&range, 0.06, title);
  if ((levels.curve_cut || levels.bound_cut) && levels.median > 0) {
    range = range_of(&levels, levels.highest * FARTHEST);
    if (range.most >= 3 * levels.highest)
      levels.y = (struct wb_chart_axis){.first = range.least * 0.9,
                                        .last = fmin(range.most * 1.3, 1e300),
                                        .logarithmic = true,
                                        .title = title};
  }
  draw_panel(&levels);
  struct wb_chart *const chart = work->chart;
  const struct wb_measured_bound *const bound = &work->measured->options.bound;
  struct wb_text words = {0};
  char number[WB_CHART_LABEL];
  wb_chart_number(levels.highest, number);
  wb_chart_legend(chart, WB_CHART_DOTS, "seen dots", "observed");
  wb_text_format(&words, "below the highest observation, %s: an estimate here is refuted", number);
  wb_plot_legend(chart, WB_CHART_HATCH, "hatched", &words);
  for (size_t f = levels.count; f-- > 0;)
    wb_fit_legend(work, levels.fits[f].kind);
  if (bound->given) {
    wb_chart_number(bound->value, number);
    wb_text_format(&words, "proven bound %s", number);
    if (bound->source != NULL)
      wb_text_format(&words, " (%s)", bound->source);
    if (levels.bound_cut)
      wb_text_string(&words, ", above this picture");
    if (bound->value < levels.highest)
      wb_text_string(&words, " \xe2\x80\x93 but a longer time was measured");
    wb_plot_legend(chart, WB_CHART_LINE, "bound", &words);
  }
  put_notes(&levels);
}
