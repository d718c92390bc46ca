/* Pieces of SVG pages: text whose width is known, and the page of a plot whose y axis is cycles. */
#ifndef WB_REPORT_SVG_SVG_PAGE_H
#define WB_REPORT_SVG_SVG_PAGE_H

#include "base/text.h"

#include <stdint.h>

/* ---- text ---- */

/* How many bytes of a string are read: more fits no line. */
#define WB_SVG_LONGEST_TEXT 2000

/* Pixels that UTF-8 of a font size takes, at most: as in the widest sans-serif in
 * use. */
unsigned wb_svg_text_width(const char *string, unsigned size);

/* Appends as much of the string as fits into the width, as XML; "..." says what is
 * cut. The string need not be UTF-8: what is none becomes U+FFFD. */
void wb_svg_escape(const char *string, unsigned size, unsigned width, struct wb_text *text);

/* Appends the start of a page of width times height pixels with its title. attributes: further ones
 * of its element, as " font-size=\"13\"". */
void wb_svg_open(struct wb_text *text, unsigned width, unsigned height, const char *attributes,
                 const char *title);

/* Appends a text element. kind: classes of the style sheet. y: the baseline. format: of
 * XML. */
void wb_svg_put_text(struct wb_text *text, const char *kind, unsigned x, unsigned y,
                     const char *format, ...) WB_PRINTF(5, 6);

/* The baseline that centres letters of a size in a band. */
unsigned wb_svg_baseline(unsigned y, unsigned height, unsigned size);

/* ---- a plot ---- */

/* Pixels. Below the plot there is room for the x axis and two rows of legend. */
#define WB_PLOT_LEFT 64u
#define WB_PLOT_TOP 64u
#define WB_PLOT_WIDTH 660u
#define WB_PLOT_HEIGHT 340u
#define WB_PLOT_BOTTOM (WB_PLOT_TOP + WB_PLOT_HEIGHT)

/* Values at the lower and the upper edge, least < most; the page goes to text, whose `failed` the
 * caller checks. */
struct wb_svg_plot {
  struct wb_text *text;
  uint64_t least;
  uint64_t most;
  unsigned legend; /* where its next item goes: pixels along all of its rows */
};

/* Opens the page, with a line and a number at round values of y. title: any text; styles: rules of
 * the style sheet beside those of this file, which are text: .m middle, .e end; lines: .g of the
 * grid, .a of the axes, .v thick and black. "</svg>\n" ends the page. */
void wb_svg_plot_open(const struct wb_svg_plot *plot, const char *title, const char *styles);

/* A line and a number for a value of the x axis at x. */
void wb_svg_plot_mark(const struct wb_svg_plot *plot, double x, uint64_t value);

/* The axes, and what they are: XML. */
void wb_svg_plot_axes(const struct wb_svg_plot *plot, const char *x, const char *y);

/* The next item of the legend, on a new row where it does not fit: a line as in the plot, and its
 * name in XML. */
void wb_svg_plot_legend(struct wb_svg_plot *plot, const char *classes, const char *name);

double wb_svg_plot_y(const struct wb_svg_plot *plot, uint64_t value);

/* A distance of 1, 2 or 5 times a power of ten that cuts a span into few parts. */
uint64_t wb_svg_plot_step(uint64_t span);

#endif
