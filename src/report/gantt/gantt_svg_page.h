/* The SVG picture of a schedule under way: what its parts share. */
#ifndef WB_REPORT_GANTT_GANTT_SVG_PAGE_H
#define WB_REPORT_GANTT_GANTT_SVG_PAGE_H

#include "base/text.h"
#include "report/gantt/gantt_layout.h"

#include <stdbool.h>
#include <stdint.h>

/* All lengths are in pixels, whole ones: edges stay sharp. */
#define WB_SVG_MARGIN 24
#define WB_SVG_LABEL_GAP 10   /* between labels and the plot, left of it */
#define WB_SVG_SHARE_WIDTH 68 /* of the column "busy", right of the plot */

#define WB_SVG_TITLE_SIZE 19
#define WB_SVG_TEXT_SIZE 13
#define WB_SVG_LABEL_SIZE 12
#define WB_SVG_TICK_SIZE 11

/* Least width of a cell that a letter is drawn in. */
#define WB_SVG_LEAST_LETTERED_CELL 12

/* A page under way. Its content goes to one of three layers, for guide lines lie over shapes but
 * under letters; the opening of the page, which needs the height, is written last. Lengths are in
 * pixels. */
struct wb_svg_page {
  struct wb_gantt_plan plan;
  struct wb_gantt_window window;
  struct wb_text shapes;
  struct wb_text guides;
  struct wb_text letters;
  uint32_t *line; /* the row being drawn, a value a cycle */
  unsigned cell;  /* width of a cycle */
  unsigned left;  /* left edge of the plot */
  unsigned plot_width;
  unsigned width;     /* of the page */
  unsigned y;         /* top of the part that comes next */
  unsigned tick_step; /* cycles from one guide line to the next */
  bool tooltips;      /* each stretch is a shape with a tooltip; else a row is a few outlines */
};

static inline unsigned wb_svg_least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

static inline unsigned wb_svg_most(unsigned a, unsigned b)
{
  return a > b ? a : b;
}

/* 1, 2, 5, 10, 20, ...: the first that is at least n. */
unsigned wb_svg_round_step(unsigned n);

/* Whether cells of rows of a height have room for a letter. */
bool wb_svg_has_room_for_letters(const struct wb_svg_page *page, unsigned height);

/* The height of a row of the units of a pool that has rows. */
unsigned wb_svg_unit_height(const struct wb_svg_page *page, const struct wb_gantt_pool *pool);

/* The parts, from page->y on, which they move to their end: title, subtitle, notes
 * and legend; rows, axis and guides. title: UTF-8, not XML. */
void wb_svg_draw_head(struct wb_svg_page *page, const char *title);
void wb_svg_draw_plot(struct wb_svg_page *page);

#endif
