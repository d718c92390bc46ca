#include "report/analyze/sweep_plot.h"

#include "base/checked.h"
#include "report/svg/svg_plot.h"

#include <stdio.h>

/* Most marks of the x axis. */
#define MOST_MARKS 16

static double x_of(const struct wb_sweep_point *points, size_t count, uint64_t at)
{
  const uint64_t first = points[0].at;
  const uint64_t span = wb_maximum(points[count - 1].at - first, 1);
  return WB_PLOT_LEFT + (double)WB_PLOT_WIDTH * (double)(at - first) / (double)span;
}

static void write_line(const struct wb_svg_plot *plot, const struct wb_sweep_point *points,
                       size_t count, bool upper)
{
  wb_text_format(plot->text, "<polyline class=\"%s\" points=\"", upper ? "u" : "l");
  for (size_t p = 0; p < count; p++)
    wb_text_format(plot->text, "%s%.1f,%.1f", p > 0 ? " " : "", x_of(points, count, points[p].at),
                   wb_svg_plot_y(plot, upper ? points[p].upper : points[p].lower));
  wb_text_string(plot->text, "\"/>\n");
}

void wb_sweep_plot(const char *subject, const struct wb_sweep_point *points, size_t count,
                   struct wb_text *text)
{
  struct wb_svg_plot plot = {.text = text, .least = 0, .most = 1};
  char title[96];
  for (size_t p = 0; p < count; p++)
    plot.most = wb_maximum(plot.most, points[p].upper);
  snprintf(title, sizeof title, "Worst case of the launch over %.60s", subject);
  wb_svg_plot_open(&plot, title,
                   "polyline{fill:none;stroke-width:2}.u{stroke:#b3261e}.l{stroke:#1f6feb}");
  wb_svg_plot_levels(&plot);
  const size_t step = count / MOST_MARKS + 1;
  for (size_t p = 0; p < count; p += step)
    wb_svg_plot_mark(&plot, x_of(points, count, points[p].at), points[p].at);
  write_line(&plot, points, count, true);
  write_line(&plot, points, count, false);
  wb_svg_plot_axes(&plot, subject, "cycles");
  const unsigned place = wb_svg_plot_legend(&plot, 0, "u", "upper end");
  wb_svg_plot_legend(&plot, place, "l", "lower end");
  wb_svg_plot_close(&plot);
}
