/* The SVG picture of a schedule under way: what its head and its plot share. */
#ifndef WB_REPORT_GANTT_GANTT_SVG_PAGE_H
#define WB_REPORT_GANTT_GANTT_SVG_PAGE_H

#include "base/text.h"
#include "report/gantt/gantt.h"

#include <stdbool.h>
#include <stdint.h>

/* All lengths are in pixels, whole ones: edges stay sharp. */
#define WB_GANTT_MARGIN 24u
#define WB_GANTT_LABEL_GAP 10u   /* between labels and the plot, left of it */
#define WB_GANTT_SHARE_WIDTH 68u /* of the column "busy", right of the plot */
#define WB_GANTT_LABEL_SIZE 12u  /* of letters */
#define WB_GANTT_TICK_SIZE 11u

/* A page under way. Its content goes to one of three layers, for guide lines lie over shapes but
 * under letters; the opening of the page, which needs the height, is written last. */
struct wb_gantt_page {
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

/* Sections for each partition and for the units that they share, from page->y on, which moves to
 * their end. */
void wb_gantt_draw_plot(struct wb_gantt_page *page);

/* Whether the plot has units in which the warps that they serve are numbered. */
bool wb_gantt_numbers_units(const struct wb_gantt_page *page);

/* Appends "units L=1, C=4", of the types that all partitions share or of the others; nothing where
 * there are none. before: "units ". */
void wb_gantt_write_units(const struct wb_sm_problem *problem, const char *before, bool shared,
                          struct wb_text *text);

#endif
