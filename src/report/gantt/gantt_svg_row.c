#include "report/gantt/gantt_svg_row.h"

#include "report/svg/svg_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Least row height for what is drawn inside cells, least width for gaps between them. */
#define LEAST_LETTERED_ROW 14
#define LEAST_GAPPED_CELL 6
#define LARGEST_LETTER 13

/* The paint of a stretch of a row: a unit type, or one of these. */
enum paint {
  PAINT_WAITING = WB_UNIT_COUNT,
  PAINT_BARRIER,
  PAINT_IDLE,
  PAINT_COUNT,
  PAINT_NOTHING = PAINT_COUNT
};

static const char paint_class[PAINT_COUNT + 1] = "LCSDTNBwzi";

unsigned wb_svg_round_step(unsigned n)
{
  unsigned step = 1;
  for (unsigned turn = 0; step < n; turn++)
    step = turn % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

bool wb_svg_has_room_for_letters(const struct wb_svg_page *page, unsigned height)
{
  return page->cell >= WB_SVG_LEAST_LETTERED_CELL && height >= LEAST_LETTERED_ROW;
}

bool wb_svg_next_stretch(const struct wb_svg_page *page, struct wb_svg_stretch *stretch)
{
  stretch->begin += stretch->length;
  if (stretch->begin == page->window.cycles)
    return false;
  stretch->value = page->line[stretch->begin];
  size_t end = stretch->begin + 1;
  while (end < page->window.cycles && page->line[end] == stretch->value)
    end++;
  stretch->length = end - stretch->begin;
  return true;
}

static unsigned paint_of(const struct wb_svg_row *row, uint32_t value)
{
  if (row->unit != WB_UNIT_COUNT)
    return value == 0 ? PAINT_IDLE : (unsigned)row->unit;
  if (value == WB_GANTT_WAITING)
    return PAINT_WAITING;
  if (value == WB_GANTT_BARRIER)
    return PAINT_BARRIER;
  return value == WB_GANTT_FINISHED ? PAINT_NOTHING : value;
}

unsigned wb_svg_stretch_x(const struct wb_svg_page *page, const struct wb_svg_stretch *stretch)
{
  return page->left + (unsigned)stretch->begin * page->cell;
}

static unsigned stretch_width(const struct wb_svg_page *page, const struct wb_svg_stretch *stretch)
{
  return (unsigned)stretch->length * page->cell - (page->cell >= LEAST_GAPPED_CELL ? 1 : 0);
}

static unsigned bar_height(const struct wb_svg_row *row)
{
  return row->height - (row->height >= LEAST_LETTERED_ROW ? 2 : 1);
}

/* The same as one shape for each paint, without tooltips: a quarter of the bytes,
 * and few shapes for a browser to keep. */
static void draw_outlines(struct wb_svg_page *page, const struct wb_svg_row *row)
{
  for (unsigned paint = 0; paint < PAINT_COUNT; paint++) {
    bool begun = false;
    struct wb_svg_stretch stretch = {0};
    while (wb_svg_next_stretch(page, &stretch)) {
      if (paint_of(row, stretch.value) != paint)
        continue;
      if (!begun)
        wb_text_format(&page->shapes, "<path class=\"%c\" d=\"", paint_class[paint]);
      begun = true;
      unsigned width = stretch_width(page, &stretch);
      wb_text_format(&page->shapes, "M%u %uh%uv%uh-%uz", wb_svg_stretch_x(page, &stretch), row->y,
                     width, bar_height(row), width);
    }
    wb_text_string(&page->shapes, begun ? "\"/>\n" : "");
  }
}

static void draw_row(struct wb_svg_page *page, const struct wb_svg_row *row)
{
  if (page->tooltips) {
    struct wb_svg_stretch stretch = {0};
    while (wb_svg_next_stretch(page, &stretch)) {
      unsigned paint = paint_of(row, stretch.value);
      if (paint == PAINT_NOTHING)
        continue;
      wb_text_format(&page->shapes,
                     "<rect class=\"%c\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\">",
                     paint_class[paint], wb_svg_stretch_x(page, &stretch), row->y,
                     stretch_width(page, &stretch), bar_height(row));
      struct wb_text *text = &page->shapes;
      wb_text_string(text, "<title>");
      if (row->unit == WB_UNIT_COUNT)
        wb_text_format(text, "warp %" PRIu32 ", ", row->number);
      else
        wb_text_format(text, "%c%" PRIu32 ", ", wb_unit_letter(row->unit), row->number);
      if (stretch.length == 1)
        wb_text_format(text, "cycle %zu: ", stretch.begin + 1);
      else
        wb_text_format(text, "cycles %zu to %zu: ", stretch.begin + 1,
                       stretch.begin + stretch.length);
      if (row->unit != WB_UNIT_COUNT && stretch.value > 0)
        wb_text_format(text, "serves warp %" PRIu32, stretch.value);
      else if (row->unit != WB_UNIT_COUNT)
        wb_text_string(text, "idle");
      else if (stretch.value < WB_UNIT_COUNT)
        wb_text_string(text, wb_unit_name((enum wb_unit)stretch.value));
      else
        wb_text_string(text, stretch.value == WB_GANTT_BARRIER ? "waits at a barrier" : "waits");
      wb_text_string(text, "</title>");
      wb_text_string(&page->shapes, "</rect>\n");
    }
  } else
    draw_outlines(page, row);
}

static unsigned letter_size(const struct wb_svg_page *page, unsigned height)
{
  return wb_svg_least(wb_svg_least(page->cell * 3 / 4, height * 5 / 8), LARGEST_LETTER);
}

static void begin_letters(struct wb_svg_page *page, unsigned height)
{
  wb_text_format(&page->letters, "<g class=\"m\" font-size=\"%u\">\n", letter_size(page, height));
}

void wb_svg_label_row(struct wb_svg_page *page, const struct wb_svg_row *row, const char *prefix)
{
  unsigned step = wb_svg_round_step((WB_SVG_LABEL_DISTANCE + row->height - 1) / row->height);
  /* With every second row labelled the first would have no label. */
  step = step == 2 ? 5 : step;
  bool first = row->place == 1 && (step - 1) * row->height >= WB_SVG_LABEL_DISTANCE;
  if (row->place % step != 0 && !first)
    return;
  char label[32];
  snprintf(label, sizeof label, "%s%" PRIu32, prefix, row->number);
  wb_svg_put_text(&page->letters, "l e", page->left - WB_SVG_LABEL_GAP,
                  wb_svg_baseline(row->y, bar_height(row), WB_SVG_LABEL_SIZE), label);
}

void wb_svg_draw_warp(struct wb_svg_page *page, const struct wb_svg_row *row, size_t warp_row)
{
  memcpy(page->line, page->window.warp_cells + warp_row * page->window.cycles,
         page->window.cycles * sizeof *page->line);
  draw_row(page, row);
  if (!wb_svg_has_room_for_letters(page, row->height))
    return;
  begin_letters(page, row->height);
  /* A letter in each cell of a warp. */
  unsigned y = wb_svg_baseline(row->y, bar_height(row), letter_size(page, row->height));
  for (size_t at = 0; at < page->window.cycles; at++) {
    if (page->line[at] < WB_UNIT_COUNT)
      wb_text_format(&page->letters, "<text x=\"%u\" y=\"%u\">%c</text>\n",
                     page->left + (unsigned)at * page->cell + page->cell / 2, y,
                     wb_unit_letter((enum wb_unit)page->line[at]));
  }
  wb_text_string(&page->letters, "</g>\n");
}

void wb_svg_draw_unit(struct wb_svg_page *page, const struct wb_svg_row *row, size_t unit_row)
{
  /* With outlines, which warp a unit serves would only cost shapes. */
  const uint32_t *cells = page->window.unit_cells + unit_row * page->window.cycles;
  for (size_t at = 0; at < page->window.cycles; at++)
    page->line[at] = page->tooltips ? cells[at] : cells[at] != 0;
  draw_row(page, row);
  if (!page->tooltips || !wb_svg_has_room_for_letters(page, row->height))
    return;
  begin_letters(page, row->height);
  /* The warp that a unit serves, where the stretch has room for its number. */
  unsigned size = letter_size(page, row->height);
  struct wb_svg_stretch stretch = {0};
  while (wb_svg_next_stretch(page, &stretch)) {
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, stretch.value);
    unsigned width = stretch_width(page, &stretch);
    if (stretch.value > 0 && wb_svg_text_width(number, size) + 2 <= width)
      wb_text_format(&page->letters, "<text x=\"%u\" y=\"%u\">%s</text>\n",
                     wb_svg_stretch_x(page, &stretch) + width / 2,
                     wb_svg_baseline(row->y, bar_height(row), size), number);
  }
  wb_text_string(&page->letters, "</g>\n");
}
