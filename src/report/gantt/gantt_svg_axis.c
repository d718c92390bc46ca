#include "report/gantt/gantt_svg_axis.h"

#include "report/svg/svg_text.h"

#include <stdio.h>

#define TICK_GAP 8

/* The middle of a number's place: its column where that can be seen, else the
 * guide line at the column's end. */
static unsigned tick_x(const struct wb_svg_page *page, unsigned cycle)
{
  unsigned end = page->left + cycle * page->cell;
  return page->cell >= WB_SVG_LEAST_LETTERED_CELL ? end - page->cell / 2 : end;
}

static unsigned half_tick_width(unsigned cycle)
{
  char number[16];
  snprintf(number, sizeof number, "%u", cycle);
  return (wb_svg_text_width(number, WB_SVG_TICK_SIZE) + 1) / 2;
}

/* Numbers of the first cycle, of each step and of the last, as far as they do not
 * come too near each other. */
void wb_svg_draw_tick_numbers(struct wb_svg_page *page, unsigned y)
{
  unsigned last = (unsigned)page->window.cycles;
  unsigned last_begin = tick_x(page, last) - half_tick_width(last) - TICK_GAP;
  unsigned written = 0;
  for (unsigned cycle = 1; cycle <= last; cycle++) {
    if (cycle != 1 && cycle != last && cycle % page->tick_step != 0)
      continue;
    unsigned x = tick_x(page, cycle);
    unsigned half = half_tick_width(cycle);
    bool fits = cycle == last || (x + half <= last_begin && x - half >= written);
    if (!fits)
      continue;
    char number[16];
    snprintf(number, sizeof number, "%u", cycle);
    wb_svg_put_text(&page->letters, "k m", x, y, number);
    written = x + half + TICK_GAP;
  }
}

static void draw_guide(struct wb_svg_page *page, unsigned cycle, unsigned top, unsigned bottom)
{
  wb_text_format(&page->guides, "M%u.5 %uV%u", page->left + cycle * page->cell - 1, top, bottom);
}

/* Lines after every step and the last cycle. */
void wb_svg_draw_guides(struct wb_svg_page *page, unsigned top, unsigned bottom)
{
  wb_text_string(&page->guides, "<path class=\"g\" d=\"");
  unsigned last = (unsigned)page->window.cycles;
  for (unsigned cycle = 0; cycle < last; cycle += page->tick_step)
    draw_guide(page, cycle, top, bottom);
  draw_guide(page, last, top, bottom);
  wb_text_string(&page->guides, "\"/>\n");
}

/* Pale lines between the cells of a stretch, so that they can be counted. */
void wb_svg_draw_separators(struct wb_svg_page *page, unsigned top, unsigned bottom)
{
  if (page->cell < WB_SVG_LEAST_LETTERED_CELL)
    return;
  wb_text_string(&page->guides, "<path class=\"c\" d=\"");
  for (unsigned cycle = 1; cycle < page->window.cycles; cycle++)
    draw_guide(page, cycle, top, bottom);
  wb_text_string(&page->guides, "\"/>\n");
}
