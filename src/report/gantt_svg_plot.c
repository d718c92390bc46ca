/* The SVG picture of a schedule, the plot: rows of warps and units, issue slots, the
 * axis and its guides. */
#include "base/checked.h"
#include "report/gantt_svg_page.h"
#include "report/svg_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WARPS_HEIGHT_WANTED 640
#define UNITS_HEIGHT_WANTED 320
#define HIGHEST_ROW 22
#define LOWEST_ROW 4
#define LEAST_GROUP_HEIGHT 18
#define GROUP_GAP 6
#define SECTION_GAP 30
#define SLOTS_HEIGHT 36
/* Least cell width and row height for what is drawn inside or between cells. */
#define LEAST_LETTERED_CELL 12
#define LEAST_LETTERED_ROW 14
#define LEAST_GAPPED_CELL 6
#define LABEL_DISTANCE 14
#define TICK_GAP 8
#define LARGEST_LETTER 13

/* What a stretch of a row is painted as: a unit type, or one of these. */
enum paint { PAINT_WAITING = WB_UNIT_COUNT, PAINT_IDLE, PAINT_COUNT, PAINT_NOTHING = PAINT_COUNT };

/* A row of the plot. unit: WB_UNIT_COUNT for a warp's row. number: from 1. */
struct row {
  enum wb_unit unit;
  uint32_t number;
  unsigned y;
  unsigned height;
};

/* A stretch of equal values of a row. */
struct stretch {
  size_t begin;
  size_t length;
  uint32_t value;
};

static const char paint_class[PAINT_COUNT + 1] = "LCSDNBwi";

unsigned wb_svg_round_step(unsigned n)
{
  unsigned step = 1;
  for (unsigned turn = 0; step < n; turn++)
    step = turn % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

/* ---- Rows ---- */

bool wb_svg_has_room_for_letters(const struct wb_svg_page *page, unsigned height)
{
  return page->cell >= LEAST_LETTERED_CELL && height >= LEAST_LETTERED_ROW;
}

static unsigned warp_height(const struct wb_svg_page *page)
{
  return wb_svg_least(wb_svg_most(WARPS_HEIGHT_WANTED / page->window.warp_rows, LOWEST_ROW),
                      HIGHEST_ROW);
}

/* Rows of a group are higher where it would be too low for its label. */
unsigned wb_svg_unit_height(const struct wb_svg_page *page, enum wb_unit unit)
{
  unsigned height = UNITS_HEIGHT_WANTED / page->window.all_unit_rows;
  height = wb_svg_least(wb_svg_most(height, LOWEST_ROW), HIGHEST_ROW);
  unsigned rows = page->window.unit_rows[unit];
  return wb_svg_most(height, (LEAST_GROUP_HEIGHT + rows - 1) / rows);
}

static bool next_stretch(const struct wb_svg_page *page, struct stretch *stretch)
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

static unsigned paint_of(const struct row *row, uint32_t value)
{
  if (row->unit != WB_UNIT_COUNT)
    return value == 0 ? PAINT_IDLE : (unsigned)row->unit;
  if (value == WB_GANTT_WAITING)
    return PAINT_WAITING;
  return value == WB_GANTT_FINISHED ? PAINT_NOTHING : value;
}

static unsigned stretch_x(const struct wb_svg_page *page, const struct stretch *stretch)
{
  return page->left + (unsigned)stretch->begin * page->cell;
}

static unsigned stretch_width(const struct wb_svg_page *page, const struct stretch *stretch)
{
  return (unsigned)stretch->length * page->cell - (page->cell >= LEAST_GAPPED_CELL ? 1 : 0);
}

static unsigned bar_height(const struct row *row)
{
  return row->height - (row->height >= LEAST_LETTERED_ROW ? 2 : 1);
}

static void write_tooltip(struct wb_svg_page *page, const struct row *row,
                          const struct stretch *stretch)
{
  struct wb_text *text = &page->shapes;
  wb_text_string(text, "<title>");
  if (row->unit == WB_UNIT_COUNT)
    wb_text_format(text, "warp %" PRIu32 ", ", row->number);
  else
    wb_text_format(text, "%c%" PRIu32 ", ", wb_unit_letter(row->unit), row->number);
  if (stretch->length == 1)
    wb_text_format(text, "cycle %zu: ", stretch->begin + 1);
  else
    wb_text_format(text, "cycles %zu to %zu: ", stretch->begin + 1,
                   stretch->begin + stretch->length);
  if (row->unit != WB_UNIT_COUNT && stretch->value > 0)
    wb_text_format(text, "serves warp %" PRIu32, stretch->value);
  else if (row->unit != WB_UNIT_COUNT)
    wb_text_string(text, "idle");
  else
    wb_text_string(text, stretch->value < WB_UNIT_COUNT ? wb_unit_name((enum wb_unit)stretch->value)
                                                        : "waits");
  wb_text_string(text, "</title>");
}

static void draw_stretches(struct wb_svg_page *page, const struct row *row)
{
  struct stretch stretch = {0};
  while (next_stretch(page, &stretch)) {
    unsigned paint = paint_of(row, stretch.value);
    if (paint == PAINT_NOTHING)
      continue;
    wb_text_format(&page->shapes,
                   "<rect class=\"%c\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\">",
                   paint_class[paint], stretch_x(page, &stretch), row->y,
                   stretch_width(page, &stretch), bar_height(row));
    write_tooltip(page, row, &stretch);
    wb_text_string(&page->shapes, "</rect>\n");
  }
}

/* The same as one shape for each paint, without tooltips: a quarter of the bytes,
 * and few shapes for a browser to keep. */
static void draw_outlines(struct wb_svg_page *page, const struct row *row)
{
  for (unsigned paint = 0; paint < PAINT_COUNT; paint++) {
    bool begun = false;
    struct stretch stretch = {0};
    while (next_stretch(page, &stretch)) {
      if (paint_of(row, stretch.value) != paint)
        continue;
      if (!begun)
        wb_text_format(&page->shapes, "<path class=\"%c\" d=\"", paint_class[paint]);
      begun = true;
      unsigned width = stretch_width(page, &stretch);
      wb_text_format(&page->shapes, "M%u %uh%uv%uh-%uz", stretch_x(page, &stretch), row->y, width,
                     bar_height(row), width);
    }
    wb_text_string(&page->shapes, begun ? "\"/>\n" : "");
  }
}

static void draw_row(struct wb_svg_page *page, const struct row *row)
{
  if (page->tooltips)
    draw_stretches(page, row);
  else
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

/* A letter in each cell of a warp. */
static void letter_warp(struct wb_svg_page *page, const struct row *row)
{
  unsigned y = wb_svg_baseline(row->y, bar_height(row), letter_size(page, row->height));
  for (size_t at = 0; at < page->window.cycles; at++) {
    if (page->line[at] < WB_UNIT_COUNT)
      wb_text_format(&page->letters, "<text x=\"%u\" y=\"%u\">%c</text>\n",
                     page->left + (unsigned)at * page->cell + page->cell / 2, y,
                     wb_unit_letter((enum wb_unit)page->line[at]));
  }
}

/* The warp that a unit serves, where the stretch has room for its number. */
static void number_unit(struct wb_svg_page *page, const struct row *row)
{
  unsigned size = letter_size(page, row->height);
  struct stretch stretch = {0};
  while (next_stretch(page, &stretch)) {
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, stretch.value);
    unsigned width = stretch_width(page, &stretch);
    if (stretch.value > 0 && wb_svg_text_width(number, size) + 2 <= width)
      wb_text_format(&page->letters, "<text x=\"%u\" y=\"%u\">%s</text>\n",
                     stretch_x(page, &stretch) + width / 2,
                     wb_svg_baseline(row->y, bar_height(row), size), number);
  }
}

static void label_row(struct wb_svg_page *page, const struct row *row, const char *prefix)
{
  unsigned step = wb_svg_round_step((LABEL_DISTANCE + row->height - 1) / row->height);
  /* With every second row labelled the first would have no label. */
  step = step == 2 ? 5 : step;
  bool first = row->number == 1 && (step - 1) * row->height >= LABEL_DISTANCE;
  if (row->number % step != 0 && !first)
    return;
  char label[32];
  snprintf(label, sizeof label, "%s%" PRIu32, prefix, row->number);
  wb_svg_put_text(&page->letters, "l e", page->left - WB_SVG_LABEL_GAP,
                  wb_svg_baseline(row->y, bar_height(row), WB_SVG_LABEL_SIZE), label);
}

static void draw_warps(struct wb_svg_page *page)
{
  struct row row = {.unit = WB_UNIT_COUNT, .height = warp_height(page)};
  bool lettered = wb_svg_has_room_for_letters(page, row.height);
  if (lettered)
    begin_letters(page, row.height);
  for (uint32_t w = 0; w < page->window.warp_rows; w++) {
    row.number = w + 1;
    row.y = page->y + w * row.height;
    memcpy(page->line, page->window.warp_cells + w * page->window.cycles,
           page->window.cycles * sizeof *page->line);
    draw_row(page, &row);
    if (lettered)
      letter_warp(page, &row);
  }
  wb_text_string(&page->letters, lettered ? "</g>\n" : "");
  for (uint32_t w = 0; w < page->window.warp_rows; w++) {
    row.number = w + 1;
    row.y = page->y + w * row.height;
    label_row(page, &row, "warp ");
  }
  page->y += page->window.warp_rows * row.height;
}

/* With outlines, which warp a unit serves would only cost shapes. */
static void load_unit(struct wb_svg_page *page, size_t unit_row)
{
  const uint32_t *cells = page->window.unit_cells + unit_row * page->window.cycles;
  for (size_t at = 0; at < page->window.cycles; at++)
    page->line[at] = page->tooltips ? cells[at] : cells[at] != 0;
}

static void draw_unit_row(struct wb_svg_page *page, const struct row *row)
{
  load_unit(page, page->window.unit_base[row->unit] + row->number - 1);
  draw_row(page, row);
  if (!page->tooltips || !wb_svg_has_room_for_letters(page, row->height))
    return;
  begin_letters(page, row->height);
  number_unit(page, row);
  wb_text_string(&page->letters, "</g>\n");
}

/* One label for a group that is too low for one at its rows. */
static void label_group(struct wb_svg_page *page, enum wb_unit unit, unsigned height)
{
  char label[32];
  char letter = wb_unit_letter(unit);
  snprintf(label, sizeof label, "%c1-%c%" PRIu32, letter, letter, page->window.unit_rows[unit]);
  wb_svg_put_text(&page->letters, "l e", page->left - WB_SVG_LABEL_GAP,
                  wb_svg_baseline(page->y, height, WB_SVG_LABEL_SIZE), label);
}

static void draw_share(struct wb_svg_page *page, enum wb_unit unit, unsigned height)
{
  char share[32];
  unsigned permille = wb_gantt_busy_permille(page->problem, page->schedule, unit);
  snprintf(share, sizeof share, "%u.%u %%", permille / 10, permille % 10);
  wb_svg_put_text(&page->letters, "h e", page->left + page->plot_width + WB_SVG_SHARE_WIDTH,
                  wb_svg_baseline(page->y, height, WB_SVG_LABEL_SIZE), share);
}

static void draw_group(struct wb_svg_page *page, enum wb_unit unit)
{
  unsigned rows = page->window.unit_rows[unit];
  unsigned height = wb_svg_unit_height(page, unit);
  char prefix[2] = {wb_unit_letter(unit), '\0'};
  bool rows_labelled = height * rows >= 2 * LABEL_DISTANCE || rows == 1;
  for (uint32_t k = 0; k < rows; k++) {
    struct row row = {unit, k + 1, page->y + k * height, height};
    draw_unit_row(page, &row);
    if (rows_labelled)
      label_row(page, &row, prefix);
  }
  if (!rows_labelled)
    label_group(page, unit, rows * height);
  draw_share(page, unit, rows * height);
  page->y += rows * height + GROUP_GAP;
}

static void draw_units(struct wb_svg_page *page)
{
  if (page->window.all_unit_rows == 0)
    return;
  wb_svg_put_text(&page->letters, "h e", page->left - WB_SVG_LABEL_GAP, page->y - 6, "units");
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (page->window.unit_rows[u] > 0)
      draw_group(page, (enum wb_unit)u);
  }
}

/* A bar a cycle: how many of the issue slots are used. */
static void draw_slots(struct wb_svg_page *page)
{
  uint32_t slots = page->problem->issue_slots;
  if (!wb_problem_capped(page->problem))
    return;
  page->y += GROUP_GAP;
  for (size_t at = 0; at < page->window.cycles; at++)
    page->line[at] = (uint32_t)wb_minimum(wb_gantt_issued(&page->window, at), slots);
  wb_text_format(&page->shapes,
                 "<rect class=\"q\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\"/>\n"
                 "<path class=\"u\" d=\"",
                 page->left, page->y, page->plot_width, SLOTS_HEIGHT);
  struct stretch stretch = {0};
  while (next_stretch(page, &stretch)) {
    unsigned height = (unsigned)((uint64_t)stretch.value * SLOTS_HEIGHT / slots);
    unsigned width = (unsigned)stretch.length * page->cell;
    wb_text_format(&page->shapes, "M%u %uh%uv%uh-%uz", stretch_x(page, &stretch),
                   page->y + SLOTS_HEIGHT - height, width, height, width);
  }
  wb_text_string(&page->shapes, "\"/>\n");
  char label[32];
  snprintf(label, sizeof label, "of %" PRIu32, slots);
  unsigned middle = page->y + SLOTS_HEIGHT / 2;
  wb_svg_put_text(&page->letters, "l e", page->left - WB_SVG_LABEL_GAP, middle - 3, "issued");
  wb_svg_put_text(&page->letters, "l e", page->left - WB_SVG_LABEL_GAP, middle + WB_SVG_LABEL_SIZE,
                  label);
  draw_share(page, WB_UNIT_COUNT, SLOTS_HEIGHT);
  page->y += SLOTS_HEIGHT + GROUP_GAP;
}

/* ---- Axis ---- */

/* The middle of a number's place: its column where that can be seen, else the
 * guide line at the column's end. */
static unsigned tick_x(const struct wb_svg_page *page, unsigned cycle)
{
  unsigned end = page->left + cycle * page->cell;
  return page->cell >= LEAST_LETTERED_CELL ? end - page->cell / 2 : end;
}

static unsigned half_tick_width(unsigned cycle)
{
  char number[16];
  snprintf(number, sizeof number, "%u", cycle);
  return (wb_svg_text_width(number, WB_SVG_TICK_SIZE) + 1) / 2;
}

/* Numbers of the first cycle, of each step and of the last, as far as they do not
 * come too near each other. */
static void draw_tick_numbers(struct wb_svg_page *page, unsigned y)
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
static void draw_guides(struct wb_svg_page *page, unsigned top, unsigned bottom)
{
  wb_text_string(&page->guides, "<path class=\"g\" d=\"");
  unsigned last = (unsigned)page->window.cycles;
  for (unsigned cycle = 0; cycle < last; cycle += page->tick_step)
    draw_guide(page, cycle, top, bottom);
  draw_guide(page, last, top, bottom);
  wb_text_string(&page->guides, "\"/>\n");
}

/* Pale lines between the cells of a stretch, so that they can be counted. */
static void draw_separators(struct wb_svg_page *page, unsigned top, unsigned bottom)
{
  if (page->cell < LEAST_LETTERED_CELL)
    return;
  wb_text_string(&page->guides, "<path class=\"c\" d=\"");
  for (unsigned cycle = 1; cycle < page->window.cycles; cycle++)
    draw_guide(page, cycle, top, bottom);
  wb_text_string(&page->guides, "\"/>\n");
}

void wb_svg_draw_plot(struct wb_svg_page *page)
{
  page->y += 34;
  unsigned top = page->y;
  wb_svg_put_text(&page->letters, "h e", page->left - WB_SVG_LABEL_GAP, top - 10, "cycle");
  draw_tick_numbers(page, top - 10);
  draw_warps(page);
  draw_separators(page, top, page->y);
  page->y += SECTION_GAP - GROUP_GAP;
  unsigned units_top = page->y;
  draw_units(page);
  draw_slots(page);
  if (page->y > units_top)
    wb_svg_put_text(&page->letters, "h e", page->left + page->plot_width + WB_SVG_SHARE_WIDTH,
                    units_top - 6, "busy");
  page->y -= GROUP_GAP;
  draw_guides(page, top - 6, page->y + 5);
  draw_tick_numbers(page, page->y + 9 + WB_SVG_TICK_SIZE);
  page->y += 9 + WB_SVG_TICK_SIZE;
}
