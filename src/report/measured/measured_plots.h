/* The plots of measured times, one function each, and what they share with the page. */
#ifndef WB_REPORT_MEASURED_MEASURED_PLOTS_H
#define WB_REPORT_MEASURED_MEASURED_PLOTS_H

#include "report/measured/measured_report.h"
#include "report/svg/svg_chart.h"

/* Said on every plot and page. */
#define WB_MEASURED_WARNING "A fit is an estimate, never a bound."
#define WB_MEASURED_SIGN "xi > 0 = heavy tail"

/* A plot under way: of which series, and the chart that it draws on. */
struct wb_plot_work {
  const struct wb_measured *measured;
  const struct wb_measured_series *series;
  enum wb_measured_plot plot;
  struct wb_chart *chart;
};

/* Each draws panels, legend and notes; the series has what it shows (wb_measured_plot_is_there). */
void wb_draw_return_levels(const struct wb_plot_work *work);
void wb_draw_agreement(const struct wb_plot_work *work); /* quantiles, or probabilities */
void wb_draw_densities(const struct wb_plot_work *work);
void wb_draw_choices(const struct wb_plot_work *work);
/* Whether a block size, or a threshold, has levels that can be drawn. */
bool wb_has_choices(const struct wb_measured_series *series, bool of_maxima);

/* ---- fits ---- */

/* Whether a fit was made and can be drawn. */
bool wb_fit_is_drawn(const struct wb_measured_series *series, enum wb_measured_fit_kind kind);
/* The fit that stands for maxima, or peaks, in plots of one fit: by likelihood with a free shape,
 * else by L-moments, else that of two parameters; WB_MEASURED_FITS where there is none. */
enum wb_measured_fit_kind wb_main_fit(const struct wb_measured_series *series, bool of_maxima);
/* Its colour in chart.css. */
const char *wb_fit_class(enum wb_measured_fit_kind kind);
/* Its name, its shape with interval and sign convention where it has one, and what is wrong with
 * it: impossible, below observations, above the proven bound ("pessimistic"), refused. */
void wb_fit_words(const struct wb_plot_work *work, enum wb_measured_fit_kind kind,
                  struct wb_text *words);
/* These words in the legend, beside a line of the fit's colour. */
void wb_fit_legend(const struct wb_plot_work *work, enum wb_measured_fit_kind kind);
/* Notes on what the marks in the legends of some fits mean. kinds: bit k is set for fit k. */
void wb_fit_notes(const struct wb_plot_work *work, unsigned kinds);

/* A fit as a curve of levels over the probability that one run exceeds them. */
struct wb_level_curve {
  const struct wb_measured_fit *fit;
  /* The probabilities asked for whose level has a profile interval, from the largest. */
  size_t count;
  const struct wb_measured_level *levels[WB_MEASURED_LEVELS];
};
/* fit: one that is drawn (wb_fit_is_drawn), needed as long as the curve. levels: how many it has.
 */
struct wb_level_curve wb_level_curve_of(const struct wb_measured_fit *fit, size_t levels);
/* NAN where the fit does not speak of the probability: below the threshold, of peaks; at the low
 * end of maxima. */
double wb_level_curve_at(const struct wb_level_curve *curve, double probability);
/* The profile interval: exact at the probabilities asked for, between two of them with distances
 * from the curve that are interpolated geometrically. Not found elsewhere. */
struct wb_interval wb_level_curve_interval(const struct wb_level_curve *curve, double probability);

/* ---- parts of a chart ---- */

/* The panel of a plot that has no other, `height` pixels high. */
struct wb_chart_panel wb_plot_panel(unsigned height);
/* The maxima, or the peaks, in ascending order, which the caller frees; NULL where memory is out,
 * which fails the chart. */
double *wb_plot_sorted(const struct wb_plot_work *work, bool of_maxima, size_t *count);
/* "time (cycles)" into title, or "time (cycles, assumed)". */
#define WB_AXIS_TITLE 160
void wb_time_title(const struct wb_measured *measured, const char *what, char title[WB_AXIS_TITLE]);
/* A line between two points. */
void wb_plot_segment(struct wb_chart *chart, const char *classes, double x_1, double y_1,
                     double x_2, double y_2);

#endif
