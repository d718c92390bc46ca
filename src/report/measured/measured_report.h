/* Writers of the analysis of measured times: text for people, JSON for scripts, plots, and a page
 * with all of them. */
#ifndef WB_REPORT_MEASURED_MEASURED_REPORT_H
#define WB_REPORT_MEASURED_MEASURED_REPORT_H

#include "analysis/measured/measured_result.h"
#include "base/text.h"

#include <stdbool.h>

/* The handle of the public header. Owns the result, and the text that its bound's source points to.
 */
struct warpbound_measured {
  struct wb_measured result;
  char *bound_source;
};

/* A failure is the text's. */
void wb_measured_text(const struct wb_measured *measured, bool quiet, bool colour,
                      struct wb_text *text);
/* doc/schema/evt.json */
void wb_measured_json(const struct wb_measured *measured, struct wb_text *text);

/* The plots, each an SVG page of one series. */
enum wb_measured_plot {
  WB_PLOT_RETURN_LEVEL,
  WB_PLOT_QUANTILES,
  WB_PLOT_PROBABILITIES,
  WB_PLOT_DENSITY,
  WB_PLOT_MEAN_EXCESS,
  WB_PLOT_STABILITY,
  WB_PLOT_CHOICES,
  WB_PLOT_AUTOCORRELATION,
  WB_PLOT_RUN_SEQUENCE,
  WB_MEASURED_PLOTS
};
/* The file's name without ending, as "return-level". */
const char *wb_measured_plot_name(enum wb_measured_plot plot);
/* Whether the series has what the plot shows: without fits, not all do. */
bool wb_measured_plot_is_there(const struct wb_measured_series *series, enum wb_measured_plot plot);
/* within_page: as a part of a page that has wb_chart_style and the title in a heading. */
void wb_measured_plot_svg(const struct wb_measured *measured,
                          const struct wb_measured_series *series, enum wb_measured_plot plot,
                          bool within_page, struct wb_text *text);
/* One HTML page, without network, with verdicts, tables and all plots of all series. */
void wb_measured_page(const struct wb_measured *measured, struct wb_text *text);

#endif
