/* A chart as an SVG picture: panels with real-valued axes, lines, bands, bars and dots in them, a
 * legend and notes below. Light and dark as the reader's screen is (chart.css).
 *
 * Strings are any text unless said otherwise; what is too long is cut. Values that have no place on
 * an axis (not finite; not positive on a logarithmic one) draw nothing; what is outside a panel is
 * not seen. A failure is that of the text. */
#ifndef WB_REPORT_SVG_SVG_CHART_H
#define WB_REPORT_SVG_SVG_CHART_H

#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* From the value at the left or lower end to that at the right or upper end; first may be the
 * larger one. Invariant: finite, different, within 1e300 of 0; of a logarithmic axis positive. */
struct wb_chart_axis {
  double first, last;
  bool logarithmic;
  bool whole;        /* ticks at whole numbers alone */
  const char *title; /* what it is and its unit; borrowed, any text */
};

/* The range of values, grown as they come from WB_CHART_NO_RANGE on; values that are not finite do
 * not count. */
struct wb_chart_range {
  double least, most; /* least > most: no values */
};
#define WB_CHART_NO_RANGE ((struct wb_chart_range){INFINITY, -INFINITY})
void wb_chart_range_add(struct wb_chart_range *range, double value);

/* A linear axis that shows the range with `margin` of its span (as 0.05) at each end, and some
 * span around equal values; from 0 to 1 where there are none. */
struct wb_chart_axis wb_chart_axis_of(const struct wb_chart_range *range, double margin,
                                      const char *title);

/* Where a value stands: 0 at the first end, 1 at the last, beyond them outside, and at most 1e4
 * either way. NAN of what has no place: not finite, or not positive on a logarithmic axis. */
double wb_chart_place(const struct wb_chart_axis *axis, double value);
/* The value at a place from 0 to 1. */
double wb_chart_value(const struct wb_chart_axis *axis, double place);

/* Most ticks of an axis. */
#define WB_CHART_TICKS 24

/* Values at round numbers, in ascending order, about as many as `wanted`. exponent: labels are in
 * units of ten to this power, a multiple of 3, which is 0 but for very large and small numbers. */
struct wb_chart_ticks {
  double values[WB_CHART_TICKS];
  size_t count;
  int exponent, decimals;
  bool plain; /* of a logarithmic axis: numbers, not powers of ten */
};
struct wb_chart_ticks wb_chart_ticks_of(const struct wb_chart_axis *axis, size_t wanted);

/* Room for any label, with its ending zero. */
#define WB_CHART_LABEL 64

/* The number at a tick: "12 345" (with narrow blanks between the thousands), "0.25"; on a
 * logarithmic axis a power of ten as 10 with a raised exponent. XML. */
void wb_chart_tick_label(const struct wb_chart_axis *axis, const struct wb_chart_ticks *ticks,
                         size_t tick, char label[WB_CHART_LABEL]);

/* A number for people with about six digits: "1234567", "12.3457", "1.5e-09"; "-" of NAN,
 * "unlimited" of an infinite one. */
void wb_chart_number(double value, char label[WB_CHART_LABEL]);
/* With about `digits` significant digits, 1 to 15, as "1.2e-09". */
void wb_chart_short_number(double value, int digits, char label[WB_CHART_LABEL]);
/* A power of ten as "10" with a raised exponent, else as wb_chart_short_number: a probability. */
void wb_chart_power(double value, char label[WB_CHART_LABEL]);

/* Pixels: the page, the usual place of a panel that is as wide as it, and room left of, right of
 * and below a panel for ticks and titles. */
#define WB_CHART_WIDTH 800u
#define WB_CHART_LEFT 92u
#define WB_CHART_TOP 84u
#define WB_CHART_RIGHT 24u
#define WB_CHART_BELOW 52u
#define WB_CHART_PLOT_WIDTH (WB_CHART_WIDTH - WB_CHART_LEFT - WB_CHART_RIGHT)

struct wb_chart_panel {
  unsigned left, top, width, height; /* of the frame */
  struct wb_chart_axis x, y;
  const char *name; /* above the panel; NULL: none */
};

/* A chart under way. Starts as {.title, .subtitle, .description, .within_page}. */
struct wb_chart {
  const char *title;
  const char *subtitle;    /* a line below the title */
  const char *description; /* what the picture shows, for those who do not see it */
  bool within_page;        /* a part of an HTML page, which has the style */
  /* This file's. */
  struct wb_text body;
  struct wb_chart_panel panel;
  unsigned bottom;      /* nothing stands below this */
  unsigned legend_left; /* where the next item goes; 0: none yet */
  bool pen_down;
  double dot_x, dot_y; /* the last dot */
};

/* The grid, ticks and titles of a panel, whose marks follow until it is closed. */
void wb_chart_panel_open(struct wb_chart *chart, const struct wb_chart_panel *panel);
void wb_chart_panel_close(struct wb_chart *chart);

/* Colours and strokes are classes of chart.css. */

/* Begins a line, or dots, which wb_chart_path_end ends. */
void wb_chart_path_begin(struct wb_chart *chart, const char *classes);
void wb_chart_path_end(struct wb_chart *chart);
/* A line through points; a point without a place interrupts it. */
void wb_chart_line_to(struct wb_chart *chart, double x, double y);
/* Dots. One that would hide another one, less than a pixel away from the last, is left out: a
 * sorted sample of any size takes some thousand bytes, and no extreme is lost. */
void wb_chart_dot(struct wb_chart *chart, double x, double y);
/* The area between lows and highs; -INFINITY and INFINITY go to the edge, and points that have no
 * place otherwise are left out. */
void wb_chart_band(struct wb_chart *chart, const char *classes, const double *xs,
                   const double *lows, const double *highs, size_t count);
/* A rectangle between two x and two y. */
void wb_chart_bar(struct wb_chart *chart, const char *classes, double x_1, double x_2, double y_1,
                  double y_2);
/* A vertical stroke from low to high, with or without ends across; infinite ones go to the edge. */
void wb_chart_stroke(struct wb_chart *chart, const char *classes, double x, double low, double high,
                     bool ends);
/* A line through the whole panel at an x or a y. */
void wb_chart_rule_x(struct wb_chart *chart, const char *classes, double x);
void wb_chart_rule_y(struct wb_chart *chart, const char *classes, double y);
/* Slanted lines in the rectangle between two x and two y. */
void wb_chart_hatch(struct wb_chart *chart, const char *classes, double x_1, double x_2, double y_1,
                    double y_2);
enum wb_chart_mark { WB_CHART_LINE, WB_CHART_DOTS, WB_CHART_AREA, WB_CHART_HATCH };
/* An item of the legend, after all panels; it goes on in further lines where it is too long. */
void wb_chart_legend(struct wb_chart *chart, enum wb_chart_mark mark, const char *classes,
                     const char *format, ...) WB_PRINTF(4, 5);
/* Lines of small letters, after the legend. */
void wb_chart_note(struct wb_chart *chart, const char *format, ...) WB_PRINTF(2, 3);

/* Appends the picture to text and frees the chart. */
void wb_chart_end(struct wb_chart *chart, struct wb_text *text);

/* Appends the style of charts, for a page. */
void wb_chart_style(struct wb_text *text);

#endif
