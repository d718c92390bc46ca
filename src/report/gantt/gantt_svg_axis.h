/* The SVG picture of a schedule: cycle numbers and the lines between cycles. */
#ifndef WB_REPORT_GANTT_GANTT_SVG_AXIS_H
#define WB_REPORT_GANTT_GANTT_SVG_AXIS_H

#include "report/gantt/gantt_svg_page.h"

/* Numbers of the first cycle, of each step and of the last, as far as they do not
 * come too near each other; y: their baseline. */
void wb_svg_draw_tick_numbers(struct wb_svg_page *page, unsigned y);

/* Lines after every step and the last cycle. */
void wb_svg_draw_guides(struct wb_svg_page *page, unsigned top, unsigned bottom);

/* Pale lines between the cells of a stretch, so that they can be counted; none where cells are
 * narrow. */
void wb_svg_draw_separators(struct wb_svg_page *page, unsigned top, unsigned bottom);

#endif
