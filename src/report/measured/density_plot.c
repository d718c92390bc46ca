/* Histograms of all times, of maxima and of peaks, with the fitted densities. */
#include "report/measured/measured_plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_BINS 120
/* Bins of more ticks than this need not begin at one. */
#define MOST_TICKS 1e6
#define CURVE_POINTS 200
#define TOP_HEIGHT 170u
#define FIT_HEIGHT 220u

struct histogram {
  double first, width;
  size_t count; /* bins */
  size_t bins[MOST_BINS];
  size_t highest;
};

/* Bins between least and most. Of a clock with ticks each bin holds the same number of ticks, its
 * edges between them: else some bins would be taller for no reason. */
static void lay_bins(struct histogram *histogram, double least, double most, double width,
                     double tick)
{
  histogram->width = width;
  histogram->first = least;
  if (tick > 0 && width / tick < MOST_TICKS) {
    histogram->width = fmax(1, ceil(width / tick - 1e-6)) * tick;
    histogram->first = least - tick / 2;
  }
  const double bins = floor((most - histogram->first) / histogram->width) + 1;
  histogram->count = bins >= 1 && bins <= MOST_BINS ? (size_t)bins : MOST_BINS;
}

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
    lay_bins(histogram, least, most, fmin(width, span / 8), tick);
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

/* ---- panels ---- */

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
  struct wb_chart_range range = wb_chart_range_none();
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

static double density_at(const struct wb_plot_work *work, enum wb_measured_fit_kind kind,
                         double value)
{
  return exp(wb_tail_log_density(&work->series->fits[kind].fit.tail, value));
}

static double x_of_point(const struct wb_chart_axis *x, size_t point)
{
  return wb_chart_value(x, (double)point / (CURVE_POINTS - 1));
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
  for (size_t f = 0; f < fits->count; f++)
    for (size_t i = 0; i < CURVE_POINTS; i++) {
      const double d = density_at(work, fits->kinds[f], x_of_point(&panel.x, i));
      if (isfinite(d))
        height = fmax(height, fmin(d, 2 * bars));
    }
  panel.y.last = fmin(fmax(1.08 * height, 1e-290), 1e300);
  wb_chart_panel_open(work->chart, &panel);
  draw_bins(work->chart, &histogram, scale);
  for (size_t f = fits->count; f-- > 0;) {
    wb_chart_line_begin(work->chart, wb_fit_class(fits->kinds[f]));
    for (size_t i = 0; i < CURVE_POINTS; i++) {
      const double value = x_of_point(&panel.x, i);
      const double curve = density_at(work, fits->kinds[f], value);
      wb_chart_line_to(work->chart, value, curve > 0 ? curve : NAN);
    }
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
  wb_chart_note(work->chart, work->series->fitted ? WB_MEASURED_WARNING : "Nothing was fitted.");
}
