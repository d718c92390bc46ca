/* The plots of measured times, one function each, and what they share. */
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
  struct wb_chart *chart;
};

/* Each draws panels, legend and notes; the series has what it shows (wb_measured_plot_is_there). */
void wb_draw_return_levels(const struct wb_plot_work *work);
void wb_draw_quantiles(const struct wb_plot_work *work);
void wb_draw_probabilities(const struct wb_plot_work *work);
void wb_draw_densities(const struct wb_plot_work *work);
void wb_draw_mean_excess(const struct wb_plot_work *work);
void wb_draw_stability(const struct wb_plot_work *work);
void wb_draw_autocorrelations(const struct wb_plot_work *work);
void wb_draw_run_sequence(const struct wb_plot_work *work);

/* The plot as a part of a page that has wb_chart_style. */
void wb_measured_plot_in_page(const struct wb_measured *measured,
                              const struct wb_measured_series *series, enum wb_measured_plot plot,
                              struct wb_text *text);
/* What the plot is called, as "Return levels". */
const char *wb_measured_plot_title(enum wb_measured_plot plot);

/* Whether a fit was made and can be drawn. */
bool wb_fit_is_drawn(const struct wb_measured_series *series, enum wb_measured_fit_kind kind);
/* The fit that stands for maxima, or peaks, in plots of one fit: by likelihood with a free shape,
 * else by L-moments, else that of two parameters; WB_MEASURED_FITS where there is none. */
enum wb_measured_fit_kind wb_main_fit(const struct wb_measured_series *series, bool of_maxima);
/* Its colour in chart.css. */
const char *wb_fit_class(enum wb_measured_fit_kind kind);
/* Whether its goodness of fit is below the significance of tests. */
bool wb_fit_is_refused(const struct wb_measured *measured, const struct wb_measured_fit *fit);
/* Its name, its shape with interval and sign convention where it has one, and what is wrong with
 * it: impossible, below observations, above the proven bound ("pessimistic"), refused. */
void wb_fit_legend(const struct wb_plot_work *work, enum wb_measured_fit_kind kind,
                   struct wb_text *words);
/* The values in ascending order, which the caller frees; NULL where memory is out. */
double *wb_sorted_copy(const double *values, size_t count);
/* Notes on what the marks in the legends of some fits mean. kinds: bit k is set for fit k. */
void wb_fit_notes(const struct wb_plot_work *work, unsigned kinds);
/* "time (cycles)" into title, or "time (cycles, assumed)". */
#define WB_AXIS_TITLE 160
void wb_time_title(const struct wb_measured *measured, const char *what, char title[WB_AXIS_TITLE]);
/* A legend item of words that were put together; none where they failed, which fails the chart. */
void wb_plot_legend(struct wb_chart *chart, enum wb_chart_mark mark, const char *classes,
                    struct wb_text *words);

#endif
