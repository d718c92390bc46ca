/* The SVG picture of a schedule: one row of a warp or a unit. */
#ifndef WB_REPORT_GANTT_GANTT_SVG_ROW_H
#define WB_REPORT_GANTT_GANTT_SVG_ROW_H

#include "report/gantt/gantt_svg_page.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Least distance of labels of rows. */
#define WB_SVG_LABEL_DISTANCE 14

/* A row of the plot. unit: WB_UNIT_COUNT for a warp's row. number: that of the warp or the unit,
 * place: of the row among those of its kind and partition; both from 1. */
struct wb_svg_row {
  enum wb_unit unit;
  uint32_t number;
  uint32_t place;
  unsigned y;
  unsigned height;
};

/* A stretch of equal values of a row. */
struct wb_svg_stretch {
  size_t begin;
  size_t length;
  uint32_t value;
};

/* The next stretch of page->line; begins with an empty one at 0. False at the end. */
bool wb_svg_next_stretch(const struct wb_svg_page *page, struct wb_svg_stretch *stretch);
unsigned wb_svg_stretch_x(const struct wb_svg_page *page, const struct wb_svg_stretch *stretch);

/* Draws row `warp_row` of the window's warps, or `unit_row` of its units, where `row` says. Both
 * overwrite page->line. */
void wb_svg_draw_warp(struct wb_svg_page *page, const struct wb_svg_row *row, size_t warp_row);
void wb_svg_draw_unit(struct wb_svg_page *page, const struct wb_svg_row *row, size_t unit_row);

/* Writes the prefix and the row's number before it, if the rows' labels have room. */
void wb_svg_label_row(struct wb_svg_page *page, const struct wb_svg_row *row, const char *prefix);

#endif
