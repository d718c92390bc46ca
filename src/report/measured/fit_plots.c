/* Plots of fits to measured times: return levels, quantiles and probabilities, densities. */
#include "report/measured/measured_plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LEVEL_POINTS 160
#define LEVEL_HEIGHT 380u
/* Maxima below the quantile of this survival say nothing of the tail. */
#define MOST_SURVIVAL 0.98
/* The scale is that of the observations: what is farther above the highest one than this many times
 * the span from the median to it leaves the picture, as it would flatten all else. With a proven
 * bound there the axis is logarithmic, up to FARTHEST times the highest observation. */
#define MOST_SPANS 2.0
#define FARTHEST 1e4
/* Upper ends of intervals are shown up to this many times as far above the median as curves. */
#define MOST_ENDS 1.5

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
  struct wb_chart_range range = WB_CHART_NO_RANGE;
  levels->curve_cut = levels->interval_cut = false;
  wb_chart_range_add(&range, levels->median);
  wb_chart_range_add(&range, levels->highest);
  for (size_t f = 0; f < levels->count; f++)
    levels->curve_cut |=
        add_cut(&range, wb_level_curve_at(&levels->fits[f].curve, levels->x.last), most);
  const double most_interval = levels->median + MOST_ENDS * (range.most - levels->median);
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

static void draw_band(const struct levels *levels, const struct drawn *fit)
{
  double xs[LEVEL_POINTS];
  double lows[LEVEL_POINTS];
  double highs[LEVEL_POINTS];
  size_t count = 0;
  for (size_t i = 0; i < LEVEL_POINTS; i++) {
    const double probability = wb_chart_value(&levels->x, (double)i / (LEVEL_POINTS - 1));
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
  struct wb_chart_panel panel = wb_plot_panel(LEVEL_HEIGHT);
  panel.x = levels->x;
  panel.y = levels->y;
  wb_chart_panel_open(chart, &panel);
  /* Where less is expected than was observed: no estimate may lie there. */
  wb_chart_hatch(chart, "hatched", options->significance / (double)(count + 1), levels->x.last,
                 levels->y.first, levels->highest);
  if (options->bound.given)
    wb_chart_rule_y(chart, "bound", options->bound.value);
  wb_chart_path_begin(chart, "seen dots");
  for (size_t rank = 1; rank <= count / 2 + 1 && rank <= count; rank++)
    wb_chart_dot(chart, (double)rank / (double)(count + 1), series->ascending[count - rank]);
  wb_chart_path_end(chart);
  for (size_t f = 0; f < levels->count; f++)
    if (levels->fits[f].is_main)
      draw_band(levels, &levels->fits[f]);
  for (size_t f = 0; f < levels->count; f++) {
    wb_chart_path_begin(chart, wb_fit_class(levels->fits[f].kind));
    for (size_t i = 0; i < LEVEL_POINTS; i++) {
      const double probability = wb_chart_value(&levels->x, (double)i / (LEVEL_POINTS - 1));
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
      wb_chart_path_begin(chart, classes);
      for (size_t k = 0; k < curve->count; k++)
        wb_chart_dot(chart, curve->levels[k]->probability, curve->levels[k]->level);
      wb_chart_path_end(chart);
    }
  wb_chart_panel_close(chart);
}

static void put_notes(const struct levels *levels)
{
  struct wb_chart *const chart = levels->work->chart;
  unsigned kinds = 0;
  bool any_main = false;
  for (size_t f = 0; f < levels->count; f++) {
    kinds |= 1u << levels->fits[f].kind;
    any_main = any_main || levels->fits[f].is_main;
  }
  wb_chart_note(chart, "%s",
                levels->work->series->fitted
                    ? WB_MEASURED_WARNING " Right of the observations all curves extrapolate."
                    : "Nothing was fitted: the data fail the tests of applicability.");
  if (any_main) {
    wb_chart_note(chart,
                  "Strokes: %g %% intervals by profile likelihood at the probabilities asked for; "
                  "bands join them.%s",
                  100 * levels->work->measured->options.confidence,
                  levels->interval_cut ? " Some go on above the picture." : "");
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
  if (levels.bound_cut && levels.median > 0) {
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
  char number[WB_CHART_LABEL];
  wb_chart_number(levels.highest, number);
  wb_chart_legend(chart, WB_CHART_DOTS, "seen dots", "observed");
  wb_chart_legend(chart, WB_CHART_HATCH, "hatched",
                  "below the highest observation, %s: an estimate here is refuted", number);
  for (size_t f = levels.count; f-- > 0;)
    wb_fit_legend(work, levels.fits[f].kind);
  if (bound->given) {
    wb_chart_number(bound->value, number);
    const char *source = bound->source != NULL ? bound->source : "";
    wb_chart_legend(chart, WB_CHART_LINE, "bound", "proven bound %s%s%s%s%s%s", number,
                    bound->source != NULL ? " (" : "", source, bound->source != NULL ? ")" : "",
                    levels.bound_cut ? ", above this picture" : "",
                    bound->value < levels.highest ? " \xe2\x80\x93 but a longer time was measured"
                                                  : "");
  }
  put_notes(&levels);
}

#define SQUARE 288u

/* Quantiles observed over those of the fit. */
static void set_quantile_axes(const struct wb_tail *tail, const double *ascending, size_t count,
                              struct wb_chart_panel *panel)
{
  struct wb_chart_range seen = WB_CHART_NO_RANGE;
  struct wb_chart_range fitted = WB_CHART_NO_RANGE;
  wb_chart_range_add(&seen, ascending[0]);
  wb_chart_range_add(&seen, ascending[count - 1]);
  wb_chart_range_add(&fitted, wb_tail_level(tail, (double)count / (double)(count + 1)));
  wb_chart_range_add(&fitted, wb_tail_level(tail, 1 / (double)(count + 1)));
  /* Both axes alike, so that the line is a diagonal, unless the one would flatten the other. */
  struct wb_chart_range both = seen;
  wb_chart_range_add(&both, fitted.least);
  wb_chart_range_add(&both, fitted.most);
  const double least = fmin(seen.most - seen.least, fitted.most - fitted.least);
  const bool alike = both.most - both.least <= 3 * least;
  panel->x = wb_chart_axis_of(alike ? &both : &fitted, 0.05, panel->x.title);
  panel->y = wb_chart_axis_of(alike ? &both : &seen, 0.05, panel->y.title);
}

/* How a fit agrees with the extremes: quantiles, or probabilities. */
static void draw_agreement(const struct wb_plot_work *work, const struct wb_tail *tail,
                           const double *ascending, size_t count, struct wb_chart_panel *panel)
{
  const bool quantiles = work->plot == WB_PLOT_QUANTILES;
  char x_title[WB_AXIS_TITLE] = "probability by the fit, of at most";
  char y_title[WB_AXIS_TITLE] = "share observed, of at most";
  if (quantiles) {
    wb_time_title(work->measured, "quantile of the fit", x_title);
    wb_time_title(work->measured, "observed", y_title);
  }
  panel->x = (struct wb_chart_axis){.first = 0, .last = 1, .title = x_title};
  panel->y = (struct wb_chart_axis){.first = 0, .last = 1, .title = y_title};
  if (quantiles)
    set_quantile_axes(tail, ascending, count, panel);
  wb_chart_panel_open(work->chart, panel);
  wb_plot_segment(work->chart, "equal", panel->x.first, panel->x.first, panel->x.last,
                  panel->x.last);
  wb_chart_path_begin(work->chart, "seen dots");
  for (size_t rank = count; rank > 0; rank--) {
    const double value = ascending[rank - 1];
    if (quantiles)
      wb_chart_dot(work->chart,
                   wb_tail_level(tail, (double)(count + 1 - rank) / (double)(count + 1)), value);
    else
      wb_chart_dot(work->chart, wb_tail_distribution(tail, value),
                   (double)rank / (double)(count + 1));
  }
  wb_chart_path_end(work->chart);
  wb_chart_panel_close(work->chart);
}

/* Maxima on the left, peaks on the right; one of them alone in the middle. */
void wb_draw_agreement(const struct wb_plot_work *work)
{
  const enum wb_measured_fit_kind kinds[] = {wb_main_fit(work->series, true),
                                             wb_main_fit(work->series, false)};
  const bool both = kinds[0] != WB_MEASURED_FITS && kinds[1] != WB_MEASURED_FITS;
  struct wb_chart_panel panel = {
      .left = both ? WB_CHART_LEFT : WB_CHART_LEFT + WB_CHART_WIDTH / 4,
      .top = WB_CHART_TOP,
      .width = SQUARE,
      .height = SQUARE,
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
      draw_agreement(work, &work->series->fits[kinds[k]].fit.tail, ascending, count, &panel);
    free(ascending);
    panel.left += WB_CHART_WIDTH / 2;
  }
  wb_chart_legend(work->chart, WB_CHART_DOTS, "seen dots", "extremes");
  wb_chart_legend(work->chart, WB_CHART_LINE, "equal", "where they would lie on a perfect fit");
  for (size_t k = 0; k < 2; k++) {
    struct wb_text words = {0};
    if (kinds[k] == WB_MEASURED_FITS)
      continue;
    wb_fit_words(work, kinds[k], &words);
    work->chart->body.failed = work->chart->body.failed || words.failed;
    if (!words.failed)
      wb_chart_note(work->chart, "%s", words.data);
    wb_text_free(&words);
  }
  wb_chart_note(
      work->chart, "%s",
      work->plot == WB_PLOT_QUANTILES
          ? "Dots above the line at the right end: the longest times are longer than the "
            "fit says, which is the unsafe side."
          : "It shows the bulk of the extremes rather than the largest ones, which are in "
            "the quantile plot.");
  wb_fit_notes(work, 1u << kinds[0] | 1u << kinds[1]);
  wb_chart_note(work->chart, WB_MEASURED_WARNING);
}

#define MOST_BINS 120
/* Bins of more ticks than this need not begin at one. */
#define MOST_TICKS 1e6
#define DENSITY_POINTS 200
#define TOP_HEIGHT 170u
#define FIT_HEIGHT 220u

struct histogram {
  double first, width;
  size_t count; /* bins */
  size_t bins[MOST_BINS];
  size_t highest;
};

static void make_histogram(struct histogram *histogram, const double *ascending, size_t count,
                           double tick)
{
  const double least = ascending[0];
  const double most = ascending[count - 1];
  const double span = most - least;
  *histogram = (struct histogram){0};
  if (span > fmax(most * 1e-12, 1e-290)) {
    /* The rule of Freedman and Diaconis, 2 IQR / n^(1/3), within the number of bins. */
    const double quartiles = ascending[(count - 1) / 4 * 3] - ascending[(count - 1) / 4];
    const double width = fmax(2 * quartiles / cbrt((double)count), span / (MOST_BINS - 2));
    histogram->width = fmin(width, span / 8);
    histogram->first = least;
    /* Of a clock with ticks each bin holds the same number of ticks, its edges between them: else
     * some bins would be taller for no reason. */
    if (tick > 0 && histogram->width / tick < MOST_TICKS) {
      histogram->width = fmax(1, ceil(histogram->width / tick - 1e-6)) * tick;
      histogram->first = least - tick / 2;
    }
    const double bins = floor((most - histogram->first) / histogram->width) + 1;
    histogram->count = bins >= 1 && bins <= MOST_BINS ? (size_t)bins : MOST_BINS;
  } else {
    /* All values equal: one bin around them. */
    histogram->width = most > 0 ? most * 1e-3 : 1;
    histogram->first = least - histogram->width / 2;
    histogram->count = 1;
  }
  for (size_t i = 0; i < count; i++) {
    const double bin = floor((ascending[i] - histogram->first) / histogram->width);
    const double last = (double)histogram->count - 1;
    histogram->bins[(size_t)fmax(0, fmin(bin, last))]++;
  }
  for (size_t b = 0; b < histogram->count; b++)
    if (histogram->bins[b] > histogram->highest)
      histogram->highest = histogram->bins[b];
}

static double edge(const struct histogram *histogram, size_t bin)
{
  return histogram->first + (double)bin * histogram->width;
}

/* scale: the height of a bin with one value. */
static void draw_bins(struct wb_chart *chart, const struct histogram *histogram, double scale)
{
  for (size_t b = 0; b < histogram->count; b++)
    if (histogram->bins[b] > 0)
      wb_chart_bar(chart, "bars", edge(histogram, b), edge(histogram, b + 1), 0,
                   (double)histogram->bins[b] * scale);
}

static struct wb_chart_axis x_axis_of(const struct histogram *histogram, const char *title)
{
  struct wb_chart_range range = WB_CHART_NO_RANGE;
  wb_chart_range_add(&range, edge(histogram, 0));
  wb_chart_range_add(&range, edge(histogram, histogram->count));
  return wb_chart_axis_of(&range, histogram->count == 1 ? 2 : 0.02, title);
}

/* The fits of maxima, or of peaks, that are shown: the main one, and that of two parameters. */
struct fits {
  enum wb_measured_fit_kind kinds[2];
  size_t count; /* 0: nothing was fitted */
};

static struct fits fits_of(const struct wb_measured_series *series, bool of_maxima)
{
  const enum wb_measured_fit_kind second = of_maxima ? WB_FIT_OF_GUMBEL : WB_FIT_OF_EXPONENTIAL;
  struct fits fits = {{wb_main_fit(series, of_maxima), second}, 0};
  if (fits.kinds[0] != WB_MEASURED_FITS)
    fits.count = second != fits.kinds[0] && wb_fit_is_drawn(series, second) ? 2 : 1;
  return fits;
}

/* The panel of maxima, or of peaks. */
static void draw_fits(const struct wb_plot_work *work, const struct fits *fits, bool of_maxima,
                      unsigned left, unsigned width)
{
  struct histogram histogram;
  size_t count;
  char title[WB_AXIS_TITLE];
  char density[WB_AXIS_TITLE];
  const char *const unit = work->measured->samples->unit;
  double *const ascending = wb_plot_sorted(work, of_maxima, &count);
  if (ascending == NULL)
    return;
  make_histogram(&histogram, ascending, count, work->series->resolution.tick);
  free(ascending);
  wb_time_title(work->measured, "time", title);
  snprintf(density, sizeof density, "density (1/%.60s)", unit != NULL ? unit : "cycle");
  const double scale = 1 / ((double)count * histogram.width);
  struct wb_chart_panel panel = {
      .left = left,
      .top = WB_CHART_TOP + TOP_HEIGHT + WB_CHART_BELOW + 34,
      .width = width,
      .height = FIT_HEIGHT,
      .x = x_axis_of(&histogram, title),
      .y = {.title = density},
      .name = of_maxima ? "Block maxima" : "Peaks over the threshold",
  };
  /* The highest bin and the curves, but not a pole at the upper end of a curve with xi < -1/2. */
  const double bars = (double)histogram.highest * scale;
  double height = bars;
  double values[DENSITY_POINTS], densities[2][DENSITY_POINTS];
  for (size_t i = 0; i < DENSITY_POINTS; i++) {
    values[i] = wb_chart_value(&panel.x, (double)i / (DENSITY_POINTS - 1));
    for (size_t f = 0; f < fits->count; f++) {
      const struct wb_tail *const tail = &work->series->fits[fits->kinds[f]].fit.tail;
      densities[f][i] = exp(wb_tail_log_density(tail, values[i]));
      if (isfinite(densities[f][i]))
        height = fmax(height, fmin(densities[f][i], 2 * bars));
    }
  }
  panel.y.last = fmin(fmax(1.08 * height, 1e-290), 1e300);
  wb_chart_panel_open(work->chart, &panel);
  draw_bins(work->chart, &histogram, scale);
  for (size_t f = fits->count; f-- > 0;) {
    wb_chart_path_begin(work->chart, wb_fit_class(fits->kinds[f]));
    for (size_t i = 0; i < DENSITY_POINTS; i++)
      wb_chart_line_to(work->chart, values[i], densities[f][i] > 0 ? densities[f][i] : NAN);
    wb_chart_path_end(work->chart);
  }
  wb_chart_panel_close(work->chart);
}

void wb_draw_densities(const struct wb_plot_work *work)
{
  const struct fits maxima = fits_of(work->series, true);
  const struct fits peaks = fits_of(work->series, false);
  const bool both = maxima.count > 0 && peaks.count > 0;
  const unsigned width = both ? 288 : WB_CHART_PLOT_WIDTH;
  const struct wb_measured_series *const series = work->series;
  const size_t count = series->summary.count;
  struct histogram histogram;
  char title[WB_AXIS_TITLE];
  char name[96];
  char bin[WB_CHART_LABEL];
  make_histogram(&histogram, series->ascending, count, series->resolution.tick);
  wb_time_title(work->measured, "time of one run", title);
  wb_chart_short_number(histogram.width, 4, bin);
  snprintf(name, sizeof name, "All %zu times, in bins of %s", count, bin);
  struct wb_chart_panel panel = wb_plot_panel(TOP_HEIGHT);
  panel.top = WB_CHART_TOP;
  panel.x = x_axis_of(&histogram, title);
  panel.y.last = 1.08 * (double)histogram.highest;
  panel.y.title = "times in a bin";
  panel.name = name;
  wb_chart_panel_open(work->chart, &panel);
  draw_bins(work->chart, &histogram, 1);
  wb_chart_panel_close(work->chart);
  if (maxima.count > 0)
    draw_fits(work, &maxima, true, WB_CHART_LEFT, width);
  if (peaks.count > 0)
    draw_fits(work, &peaks, false, WB_CHART_LEFT + (both ? WB_CHART_WIDTH / 2 : 0), width);
  wb_chart_legend(work->chart, WB_CHART_AREA, "bars", "observed");
  for (size_t f = 0; f < maxima.count; f++)
    wb_fit_legend(work, maxima.kinds[f]);
  for (size_t f = 0; f < peaks.count; f++)
    wb_fit_legend(work, peaks.kinds[f]);
  wb_fit_notes(work, 1u << maxima.kinds[0] | 1u << peaks.kinds[0] | 1u << WB_FIT_OF_GUMBEL |
                         1u << WB_FIT_OF_EXPONENTIAL);
  wb_chart_note(work->chart, "%s",
                work->series->fitted ? WB_MEASURED_WARNING : "Nothing was fitted.");
}
