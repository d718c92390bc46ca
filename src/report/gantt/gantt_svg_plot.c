/* The SVG picture of a schedule, the plot: a section for each partition with its warps, units and
 * issue slots, and one for the units that the partitions share. */
#include "base/checked.h"
#include "report/gantt/gantt_svg_page.h"
#include "report/svg/svg_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Least distance of labels of rows. */
#define LABEL_DISTANCE 14

/* A row of the plot. unit: WB_UNIT_COUNT for a warp's row. number: that of the warp or the unit,
 * place: of the row among those of its kind and partition; both from 1. */
struct row {
  enum wb_unit unit;
  uint32_t number;
  uint32_t place;
  unsigned y;
  unsigned height;
};

/* A stretch of equal values of a row. */
struct stretch {
  size_t begin;
  size_t length;
  uint32_t value;
};

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
 * come too near each other; y: their baseline. */
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

/* The next stretch of page->line; begins with an empty one at 0. False at the end. */
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
  if (value == WB_GANTT_BARRIER)
    return PAINT_BARRIER;
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
  if (page->tooltips) {
    struct stretch stretch = {0};
    while (next_stretch(page, &stretch)) {
      unsigned paint = paint_of(row, stretch.value);
      if (paint == PAINT_NOTHING)
        continue;
      wb_text_format(&page->shapes,
                     "<rect class=\"%c\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\">",
                     paint_class[paint], stretch_x(page, &stretch), row->y,
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
  } else {
    draw_outlines(page, row);
  }
}

static unsigned letter_size(const struct wb_svg_page *page, unsigned height)
{
  return wb_svg_least(wb_svg_least(page->cell * 3 / 4, height * 5 / 8), LARGEST_LETTER);
}

static void begin_letters(struct wb_svg_page *page, unsigned height)
{
  wb_text_format(&page->letters, "<g class=\"m\" font-size=\"%u\">\n", letter_size(page, height));
}

/* Writes the prefix and the row's number before it, if the rows' labels have room. */
static void label_row(struct wb_svg_page *page, const struct row *row, const char *prefix)
{
  unsigned step = wb_svg_round_step((LABEL_DISTANCE + row->height - 1) / row->height);
  /* With every second row labelled the first would have no label. */
  step = step == 2 ? 5 : step;
  bool first = row->place == 1 && (step - 1) * row->height >= LABEL_DISTANCE;
  if (row->place % step != 0 && !first)
    return;
  char label[32];
  snprintf(label, sizeof label, "%s%" PRIu32, prefix, row->number);
  wb_svg_put_text(&page->letters, "l e", page->left - WB_SVG_LABEL_GAP,
                  wb_svg_baseline(row->y, bar_height(row), WB_SVG_LABEL_SIZE), label);
}

/* Draws row `warp_row` of the window's warps, or `unit_row` of its units, where `row` says. Both
 * overwrite page->line. */
static void draw_warp(struct wb_svg_page *page, const struct row *row, size_t warp_row)
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

static void draw_unit(struct wb_svg_page *page, const struct row *row, size_t unit_row)
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
  wb_text_string(&page->letters, "</g>\n");
}

#define WARPS_HEIGHT_WANTED 640
#define UNITS_HEIGHT_WANTED 320
#define HIGHEST_ROW 22
#define LOWEST_ROW 4
#define LEAST_GROUP_HEIGHT 18
#define GROUP_GAP 6
#define SECTION_GAP 30
#define SECTION_TITLE_HEIGHT 40
#define SLOTS_HEIGHT 36

/* Rows of a group are higher where it would be too low for its label. */
unsigned wb_svg_unit_height(const struct wb_svg_page *page, const struct wb_gantt_pool *pool)
{
  unsigned height = UNITS_HEIGHT_WANTED / page->plan.all_unit_rows;
  height = wb_svg_least(wb_svg_most(height, LOWEST_ROW), HIGHEST_ROW);
  return wb_svg_most(height, (LEAST_GROUP_HEIGHT + pool->rows - 1) / pool->rows);
}

/* The warps of a partition, its blocks apart. */
static void draw_warps(struct wb_svg_page *page, uint32_t partition)
{
  const struct wb_gantt_plan *plan = &page->plan;
  unsigned height = wb_svg_least(
      wb_svg_most(WARPS_HEIGHT_WANTED / page->plan.warp_rows, LOWEST_ROW), HIGHEST_ROW);
  unsigned top = page->y;
  uint32_t first = plan->first_row[partition];
  uint32_t end = plan->first_row[partition + 1];
  for (uint32_t at = first; at < end; at++) {
    uint32_t warp = plan->warps[at];
    uint32_t block = wb_sm_block_of(plan->problem, warp);
    struct row row = {WB_UNIT_COUNT, warp + 1, at - first + 1, page->y, height};
    draw_warp(page, &row, at);
    label_row(page, &row, "warp ");
    page->y += height;
    if (at + 1 < end && wb_sm_block_of(plan->problem, plan->warps[at + 1]) == block)
      continue;
    /* Names the block of the rows from `top` on. */
    char label[32];
    if (page->plan.problem->blocks != 1 && page->y - top >= LABEL_DISTANCE) {
      snprintf(label, sizeof label, "block %" PRIu32, block + 1);
      wb_svg_put_text(&page->letters, "l e", page->left + page->plot_width + WB_SVG_SHARE_WIDTH,
                      wb_svg_baseline(top, page->y - top, WB_SVG_LABEL_SIZE), label);
    }
    page->y += at + 1 < end ? GROUP_GAP : 0;
    top = page->y;
  }
}

static void draw_share(struct wb_svg_page *page, enum wb_unit unit, uint32_t partition,
                       unsigned height)
{
  char share[32];
  unsigned permille = wb_gantt_busy_permille(&page->plan, unit, partition);
  snprintf(share, sizeof share, "%u.%u %%", permille / 10, permille % 10);
  wb_svg_put_text(&page->letters, "h e", page->left + page->plot_width + WB_SVG_SHARE_WIDTH,
                  wb_svg_baseline(page->y, height, WB_SVG_LABEL_SIZE), share);
}

/* The pools of a partition, or the shared ones; false where there are none. */
static bool draw_pools(struct wb_svg_page *page, uint32_t partition)
{
  bool any = false;
  for (size_t i = 0; i < page->plan.pool_count; i++) {
    const struct wb_gantt_pool *pool = &page->plan.pools[i];
    if (pool->partition != partition)
      continue;
    any = true;
    unsigned height = wb_svg_unit_height(page, pool);
    char prefix[2] = {wb_unit_letter(pool->unit), '\0'};
    bool rows_labelled = height * pool->rows >= 2 * LABEL_DISTANCE || pool->rows == 1;
    for (uint32_t k = 0; k < pool->rows; k++) {
      struct row row = {pool->unit, k + 1, k + 1, page->y + k * height, height};
      draw_unit(page, &row, pool->base + k);
      if (rows_labelled)
        label_row(page, &row, prefix);
    }
    if (!rows_labelled) {
      /* One label for a group that is too low for one at its rows. */
      char label[32];
      char letter = wb_unit_letter(pool->unit);
      snprintf(label, sizeof label, "%c1-%c%" PRIu32, letter, letter, pool->rows);
      wb_svg_put_text(&page->letters, "l e", page->left - WB_SVG_LABEL_GAP,
                      wb_svg_baseline(page->y, pool->rows * height, WB_SVG_LABEL_SIZE), label);
    }
    draw_share(page, pool->unit, pool->partition, pool->rows * height);
    page->y += pool->rows * height + GROUP_GAP;
  }
  return any;
}

/* "Partition 2: C=1", above what is drawn of it. */
static void draw_section_title(struct wb_svg_page *page, uint32_t partition)
{
  struct wb_text title = {0};
  const struct wb_sm_problem *problem = page->plan.problem;
  bool shared = partition == WB_GANTT_ALL_PARTITIONS;
  if (shared)
    wb_text_string(&title, "Shared by all partitions");
  else
    wb_text_format(&title, "Partition %" PRIu32, partition + 1);
  const char *separator = ": ";
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (!wb_gantt_uses(problem, (enum wb_unit)u) || problem->shared[u] != shared)
      continue;
    wb_text_format(&title, "%s%c=%" PRIu32, separator, wb_unit_letter((enum wb_unit)u),
                   problem->capacity[u]);
    separator = ", ";
  }
  page->y += SECTION_TITLE_HEIGHT;
  if (title.failed)
    page->letters.failed = true;
  else
    wb_svg_put_text(&page->letters, "h", WB_SVG_MARGIN, page->y - 9, title.data);
  wb_text_free(&title);
}

/* "busy" heads the column of shares, above the first units. */
static void draw_busy(struct wb_svg_page *page, unsigned y)
{
  wb_svg_put_text(&page->letters, "h e", page->left + page->plot_width + WB_SVG_SHARE_WIDTH, y - 6,
                  "busy");
}

/* Draws a partition: its warps, its units, its issue slots. */
static void draw_partition(struct wb_svg_page *page, uint32_t partition)
{
  if (wb_gantt_is_divided(&page->plan))
    draw_section_title(page, partition);
  unsigned top = page->y;
  draw_warps(page, partition);
  /* Pale lines between the cells of a stretch, so that they can be counted; none where cells are
   * narrow. */
  if (page->cell >= WB_SVG_LEAST_LETTERED_CELL) {
    wb_text_string(&page->guides, "<path class=\"c\" d=\"");
    for (unsigned cycle = 1; cycle < page->window.cycles; cycle++)
      draw_guide(page, cycle, top, page->y);
    wb_text_string(&page->guides, "\"/>\n");
  }
  page->y += SECTION_GAP - GROUP_GAP;
  unsigned units_top = page->y;
  bool any = draw_pools(page, partition);
  if (any)
    wb_svg_put_text(&page->letters, "h e", page->left - WB_SVG_LABEL_GAP, units_top - 6, "units");
  /* A bar a cycle: how many of a partition's issue slots are used. */
  if (page->plan.capped) {
    page->y += GROUP_GAP;
    uint32_t slots = page->plan.problem->issue_slots;
    const uint32_t *issued = page->window.issued + partition * page->window.cycles;
    for (size_t at = 0; at < page->window.cycles; at++)
      page->line[at] = (uint32_t)wb_minimum(issued[at], slots);
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
    snprintf(label, sizeof label, "of %" PRIu32, page->plan.problem->issue_slots);
    unsigned middle = page->y + SLOTS_HEIGHT / 2;
    wb_svg_put_text(&page->letters, "l e", page->left - WB_SVG_LABEL_GAP, middle - 3, "issued");
    wb_svg_put_text(&page->letters, "l e", page->left - WB_SVG_LABEL_GAP,
                    middle + WB_SVG_LABEL_SIZE, label);
    draw_share(page, WB_UNIT_COUNT, partition, SLOTS_HEIGHT);
    page->y += SLOTS_HEIGHT + GROUP_GAP;
  }
  if (any || page->plan.capped)
    draw_busy(page, units_top);
  else if (wb_gantt_is_divided(&page->plan))
    page->y -= SECTION_GAP - 2 * GROUP_GAP;
  page->y -= GROUP_GAP;
  draw_guides(page, top - 6, page->y + 5);
}

void wb_svg_draw_plot(struct wb_svg_page *page)
{
  page->y += 34;
  wb_svg_put_text(&page->letters, "h e", page->left - WB_SVG_LABEL_GAP, page->y - 10, "cycle");
  draw_tick_numbers(page, page->y - 10);
  for (uint32_t p = 0; p < page->plan.partitions; p++)
    draw_partition(page, p);
  const struct wb_gantt_plan *plan = &page->plan;
  if (plan->pool_count != 0 &&
      plan->pools[plan->pool_count - 1].partition == WB_GANTT_ALL_PARTITIONS) {
    draw_section_title(page, WB_GANTT_ALL_PARTITIONS);
    unsigned top = page->y;
    draw_busy(page, top);
    draw_pools(page, WB_GANTT_ALL_PARTITIONS);
    page->y -= GROUP_GAP;
    draw_guides(page, top - 6, page->y + 5);
  }
  draw_tick_numbers(page, page->y + 9 + WB_SVG_TICK_SIZE);
  page->y += 9 + WB_SVG_TICK_SIZE;
}
