/* A plot as an SVG page: its head, its frame and its y axis, whose values are cycles. */
#ifndef WB_REPORT_SVG_SVG_PLOT_H
#define WB_REPORT_SVG_SVG_PLOT_H

#include "base/text.h"

#include <stdint.h>

/* Pixels. Below the plot there is room for the x axis and two rows of legend. */
#define WB_PLOT_LEFT 64u
#define WB_PLOT_TOP 64u
#define WB_PLOT_WIDTH 660u
#define WB_PLOT_HEIGHT 340u
#define WB_PLOT_BOTTOM (WB_PLOT_TOP + WB_PLOT_HEIGHT)
#define WB_PLOT_LEGEND (WB_PLOT_BOTTOM + 66u)

/* Values at the lower and the upper edge, least < most; the page goes to text, whose `failed` the
 * caller checks. */
struct wb_svg_plot {
  struct wb_text *text;
  uint64_t least;
  uint64_t most;
};

/* Opens the page. title: any text; styles: rules of the style sheet beside those of this file,
 * which are text: .m middle, .e end; lines: .g of the grid, .a of the axes, .v thick and black. */
void wb_svg_plot_open(const struct wb_svg_plot *plot, const char *title, const char *styles);

/* A line and a number at round values of y, the axes, and what they are. x, y: XML. */
void wb_svg_plot_levels(const struct wb_svg_plot *plot);
void wb_svg_plot_axes(const struct wb_svg_plot *plot, const char *x, const char *y);

/* A line and a number for a value of the x axis at x. */
void wb_svg_plot_mark(const struct wb_svg_plot *plot, double x, uint64_t value);

/* A line as in the plot and its name, at a place in the legend (the first is 0), or at the begin of
 * the next row where it does not fit; returns the next one's place. */
unsigned wb_svg_plot_legend(const struct wb_svg_plot *plot, unsigned place, const char *classes,
                            const char *name);

void wb_svg_plot_close(const struct wb_svg_plot *plot);

double wb_svg_plot_y(const struct wb_svg_plot *plot, uint64_t value);

/* A distance of 1, 2 or 5 times a power of ten that cuts a span into few parts. */
uint64_t wb_svg_plot_step(uint64_t span);

#endif
