/* The SVG picture of a schedule, the plot: a section for each partition with its warps, units and
 * issue slots, and one for the units that the partitions share. */
#include "base/checked.h"
#include "report/gantt/gantt_svg_page.h"
#include "report/svg/svg_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Least size of a cell that a letter is drawn in, and least width of one with a gap behind it. */
#define LEAST_LETTERED_CELL 12u
#define LEAST_LETTERED_ROW 14u
#define LEAST_GAPPED_CELL 6u
#define LARGEST_LETTER 13u
#define WARPS_HEIGHT_WANTED 640u
#define UNITS_HEIGHT_WANTED 320u
#define HIGHEST_ROW 22u
#define LOWEST_ROW 4u
#define LEAST_GROUP_HEIGHT 18u
#define GROUP_GAP 6u
#define SECTION_GAP 30u
#define SECTION_TITLE_HEIGHT 40u
#define SLOTS_HEIGHT 36u
#define LABEL_DISTANCE 14u /* of rows, at least */
#define TICK_DISTANCE 56u
#define TICK_GAP 8u

/* 1, 2, 5, 10, 20, ...: the first that is at least n. */
static unsigned round_step(unsigned n)
{
  unsigned step = 1;
  for (unsigned turn = 0; step < n; turn++)
    step = turn % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

/* The height of rows that together shall have a height. */
static unsigned row_height(unsigned wanted, uint32_t rows)
{
  return (unsigned)wb_minimum(wb_maximum(wanted / rows, LOWEST_ROW), HIGHEST_ROW);
}

/* The height of a row of the units of a pool that has rows. Rows of a group are higher where it
 * would be too low for its label. */
static unsigned unit_height(const struct wb_gantt_page *page, const struct wb_gantt_pool *pool)
{
  return (unsigned)wb_maximum(row_height(UNITS_HEIGHT_WANTED, page->plan.all_unit_rows),
                              (LEAST_GROUP_HEIGHT + pool->rows - 1) / pool->rows);
}

/* Whether cells of rows of a height have room for a letter. */
static bool has_room_for_letters(const struct wb_gantt_page *page, unsigned height)
{
  return page->cell >= LEAST_LETTERED_CELL && height >= LEAST_LETTERED_ROW;
}

bool wb_gantt_numbers_units(const struct wb_gantt_page *page)
{
  bool any = false;
  for (size_t i = 0; i < page->plan.pool_count; i++)
    any = any || has_room_for_letters(page, unit_height(page, &page->plan.pools[i]));
  return any && page->tooltips;
}

void wb_gantt_write_units(const struct wb_sm_problem *problem, const char *before, bool shared,
                          struct wb_text *text)
{
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (!wb_gantt_uses(problem, (enum wb_unit)u) || problem->shared[u] != shared)
      continue;
    wb_text_format(text, "%s%c=%" PRIu32, before, wb_unit_letter((enum wb_unit)u),
                   problem->capacity[u]);
    before = ", ";
  }
}

/* ---- the cycles ---- */

/* The middle of a number's place: its column where that can be seen, else the
 * guide line at the column's end. */
static unsigned tick_x(const struct wb_gantt_page *page, unsigned cycle)
{
  const unsigned end = page->left + cycle * page->cell;
  return page->cell >= LEAST_LETTERED_CELL ? end - page->cell / 2 : end;
}

static unsigned half_tick_width(unsigned cycle)
{
  char number[16];
  snprintf(number, sizeof number, "%u", cycle);
  return (wb_svg_text_width(number, WB_GANTT_TICK_SIZE) + 1) / 2;
}

/* Numbers of the first cycle, of each step and of the last, as far as they do not
 * come too near each other; y: their baseline. */
static void draw_tick_numbers(struct wb_gantt_page *page, unsigned y)
{
  const unsigned last = (unsigned)page->window.cycles;
  const unsigned last_begin = tick_x(page, last) - half_tick_width(last) - TICK_GAP;
  unsigned written = 0;
  for (unsigned cycle = 1; cycle <= last; cycle++) {
    const unsigned x = tick_x(page, cycle);
    const unsigned half = half_tick_width(cycle);
    const bool wanted = cycle == 1 || cycle == last || cycle % page->tick_step == 0;
    const bool fits = cycle == last || (x + half <= last_begin && x - half >= written);
    if (!wanted || !fits)
      continue;
    wb_svg_put_text(&page->letters, "k m", x, y, "%u", cycle);
    written = x + half + TICK_GAP;
  }
}

static void draw_guide(struct wb_gantt_page *page, unsigned cycle, unsigned top, unsigned bottom)
{
  wb_text_format(&page->guides, "M%u.5 %uV%u", page->left + cycle * page->cell - 1, top, bottom);
}

/* Lines after every step and the last cycle. */
static void draw_guides(struct wb_gantt_page *page, unsigned top, unsigned bottom)
{
  const unsigned last = (unsigned)page->window.cycles;
  wb_text_string(&page->guides, "<path class=\"g\" d=\"");
  for (unsigned cycle = 0; cycle < last; cycle += page->tick_step)
    draw_guide(page, cycle, top, bottom);
  draw_guide(page, last, top, bottom);
  wb_text_string(&page->guides, "\"/>\n");
}

/* ---- rows ---- */

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

/* The next stretch of page->line; begins with an empty one at 0. False at the end. */
static bool next_stretch(const struct wb_gantt_page *page, struct stretch *stretch)
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

static unsigned stretch_x(const struct wb_gantt_page *page, const struct stretch *stretch)
{
  return page->left + (unsigned)stretch->begin * page->cell;
}

static unsigned stretch_width(const struct wb_gantt_page *page, const struct stretch *stretch)
{
  return (unsigned)stretch->length * page->cell - (page->cell >= LEAST_GAPPED_CELL ? 1 : 0);
}

static unsigned bar_height(const struct row *row)
{
  return row->height - (row->height >= LEAST_LETTERED_ROW ? 2 : 1);
}

/* The class of a value in a row: a unit type's letter, waiting, waiting at a barrier, idle; a blank
 * where nothing is drawn. */
static char paint_of(const struct row *row, uint32_t value)
{
  if (row->unit != WB_UNIT_COUNT)
    return value == 0 ? 'i' : wb_unit_letter(row->unit);
  if (value < WB_UNIT_COUNT)
    return wb_unit_letter((enum wb_unit)value);
  return value == WB_GANTT_WAITING ? 'w' : value == WB_GANTT_BARRIER ? 'z' : ' ';
}

/* One shape for each paint, without tooltips: a quarter of the bytes, and few shapes for a browser
 * to keep. */
static void draw_outlines(struct wb_gantt_page *page, const struct row *row)
{
  for (const char *paint = "LCSDTNBwzi"; *paint != '\0'; paint++) {
    bool begun = false;
    struct stretch stretch = {0};
    while (next_stretch(page, &stretch)) {
      if (paint_of(row, stretch.value) != *paint)
        continue;
      if (!begun)
        wb_text_format(&page->shapes, "<path class=\"%c\" d=\"", *paint);
      begun = true;
      const unsigned width = stretch_width(page, &stretch);
      wb_text_format(&page->shapes, "M%u %uh%uv%uh-%uz", stretch_x(page, &stretch), row->y, width,
                     bar_height(row), width);
    }
    wb_text_string(&page->shapes, begun ? "\"/>\n" : "");
  }
}

/* A shape with a tooltip for each stretch. */
static void draw_stretches(struct wb_gantt_page *page, const struct row *row)
{
  struct wb_text *text = &page->shapes;
  struct stretch stretch = {0};
  while (next_stretch(page, &stretch)) {
    const char paint = paint_of(row, stretch.value);
    if (paint == ' ')
      continue;
    wb_text_format(text, "<rect class=\"%c\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"><title>",
                   paint, stretch_x(page, &stretch), row->y, stretch_width(page, &stretch),
                   bar_height(row));
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
    wb_text_string(text, "</title></rect>\n");
  }
}

/* A row whose cells are in page->line, with letters in what has room for them: in each cell of a
 * warp its unit, in a stretch of a unit the warp that it serves. */
static void draw_row(struct wb_gantt_page *page, const struct row *row)
{
  const unsigned size =
      (unsigned)wb_minimum(wb_minimum(page->cell * 3 / 4, row->height * 5 / 8), LARGEST_LETTER);
  const unsigned y = wb_svg_baseline(row->y, bar_height(row), size);
  const bool of_warp = row->unit == WB_UNIT_COUNT;
  if (page->tooltips)
    draw_stretches(page, row);
  else
    draw_outlines(page, row);
  if (!has_room_for_letters(page, row->height) || (!of_warp && !page->tooltips))
    return;
  wb_text_format(&page->letters, "<g class=\"m\" font-size=\"%u\">\n", size);
  for (size_t at = 0; of_warp && at < page->window.cycles; at++) {
    if (page->line[at] < WB_UNIT_COUNT)
      wb_text_format(&page->letters, "<text x=\"%u\" y=\"%u\">%c</text>\n",
                     page->left + (unsigned)at * page->cell + page->cell / 2, y,
                     wb_unit_letter((enum wb_unit)page->line[at]));
  }
  struct stretch stretch = {0};
  while (!of_warp && next_stretch(page, &stretch)) {
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, stretch.value);
    const unsigned width = stretch_width(page, &stretch);
    if (stretch.value > 0 && wb_svg_text_width(number, size) + 2 <= width)
      wb_text_format(&page->letters, "<text x=\"%u\" y=\"%u\">%s</text>\n",
                     stretch_x(page, &stretch) + width / 2, y, number);
  }
  wb_text_string(&page->letters, "</g>\n");
}

/* Writes the prefix and the row's number before it, if the rows' labels have room. */
static void label_row(struct wb_gantt_page *page, const struct row *row, const char *prefix)
{
  unsigned step = round_step((LABEL_DISTANCE + row->height - 1) / row->height);
  /* With every second row labelled the first would have no label. */
  step = step == 2 ? 5 : step;
  const bool first = row->place == 1 && (step - 1) * row->height >= LABEL_DISTANCE;
  if (row->place % step == 0 || first)
    wb_svg_put_text(&page->letters, "l e", page->left - WB_GANTT_LABEL_GAP,
                    wb_svg_baseline(row->y, bar_height(row), WB_GANTT_LABEL_SIZE), "%s%" PRIu32,
                    prefix, row->number);
}

/* ---- sections ---- */

/* The right edge of the column "busy". */
static unsigned share_x(const struct wb_gantt_page *page)
{
  return page->left + page->plot_width + WB_GANTT_SHARE_WIDTH;
}

/* The warps of a partition, its blocks apart. */
static void draw_warps(struct wb_gantt_page *page, uint32_t partition)
{
  const struct wb_gantt_plan *plan = &page->plan;
  const size_t cycles = page->window.cycles;
  const unsigned height = row_height(WARPS_HEIGHT_WANTED, plan->warp_rows);
  const uint32_t first = plan->first_row[partition];
  const uint32_t end = plan->first_row[partition + 1];
  unsigned top = page->y;
  for (uint32_t at = first; at < end; at++) {
    const uint32_t warp = plan->warps[at];
    const uint32_t block = wb_sm_block_of(plan->problem, warp);
    const struct row row = {WB_UNIT_COUNT, warp + 1, at - first + 1, page->y, height};
    memcpy(page->line, page->window.warp_cells + at * cycles, cycles * sizeof *page->line);
    draw_row(page, &row);
    label_row(page, &row, "warp ");
    page->y += height;
    if (at + 1 < end && wb_sm_block_of(plan->problem, plan->warps[at + 1]) == block)
      continue;
    /* Names the block of the rows from `top` on. */
    if (plan->problem->blocks != 1 && page->y - top >= LABEL_DISTANCE)
      wb_svg_put_text(&page->letters, "l e", share_x(page),
                      wb_svg_baseline(top, page->y - top, WB_GANTT_LABEL_SIZE), "block %" PRIu32,
                      block + 1);
    page->y += at + 1 < end ? GROUP_GAP : 0;
    top = page->y;
  }
}

static void draw_share(struct wb_gantt_page *page, enum wb_unit unit, uint32_t partition,
                       unsigned height)
{
  const unsigned permille = wb_gantt_busy_permille(&page->plan, unit, partition);
  wb_svg_put_text(&page->letters, "h e", share_x(page),
                  wb_svg_baseline(page->y, height, WB_GANTT_LABEL_SIZE), "%u.%u %%", permille / 10,
                  permille % 10);
}

/* The pools of a partition, or the shared ones; false where there are none. */
static bool draw_pools(struct wb_gantt_page *page, uint32_t partition)
{
  const size_t cycles = page->window.cycles;
  bool any = false;
  for (size_t i = 0; i < page->plan.pool_count; i++) {
    const struct wb_gantt_pool *pool = &page->plan.pools[i];
    if (pool->partition != partition)
      continue;
    any = true;
    const unsigned height = unit_height(page, pool);
    const char letter[2] = {wb_unit_letter(pool->unit), '\0'};
    const bool rows_labelled = height * pool->rows >= 2 * LABEL_DISTANCE || pool->rows == 1;
    for (uint32_t k = 0; k < pool->rows; k++) {
      const struct row row = {pool->unit, k + 1, k + 1, page->y + k * height, height};
      /* With outlines, which warp a unit serves would only cost shapes. */
      const uint32_t *cells = page->window.unit_cells + (pool->base + k) * cycles;
      for (size_t at = 0; at < cycles; at++)
        page->line[at] = page->tooltips ? cells[at] : cells[at] != 0;
      draw_row(page, &row);
      if (rows_labelled)
        label_row(page, &row, letter);
    }
    if (!rows_labelled) /* One label for a group that is too low for one at its rows. */
      wb_svg_put_text(&page->letters, "l e", page->left - WB_GANTT_LABEL_GAP,
                      wb_svg_baseline(page->y, pool->rows * height, WB_GANTT_LABEL_SIZE),
                      "%s1-%s%" PRIu32, letter, letter, pool->rows);
    draw_share(page, pool->unit, pool->partition, pool->rows * height);
    page->y += pool->rows * height + GROUP_GAP;
  }
  return any;
}

/* "Partition 2: C=1", above what is drawn of it. */
static void draw_section_title(struct wb_gantt_page *page, uint32_t partition)
{
  struct wb_text title = {0};
  const bool shared = partition == WB_GANTT_ALL_PARTITIONS;
  if (shared)
    wb_text_string(&title, "Shared by all partitions");
  else
    wb_text_format(&title, "Partition %" PRIu32, partition + 1);
  wb_gantt_write_units(page->plan.problem, ": ", shared, &title);
  page->y += SECTION_TITLE_HEIGHT;
  if (title.failed)
    page->letters.failed = true;
  else
    wb_svg_put_text(&page->letters, "h", WB_GANTT_MARGIN, page->y - 9, "%s", title.data);
  wb_text_free(&title);
}

/* A bar a cycle: how many of a partition's issue slots are used. */
static void draw_slots(struct wb_gantt_page *page, uint32_t partition)
{
  const uint32_t slots = page->plan.problem->issue_slots;
  const uint32_t *issued = page->window.issued + partition * page->window.cycles;
  const unsigned middle = page->y + SLOTS_HEIGHT / 2;
  for (size_t at = 0; at < page->window.cycles; at++)
    page->line[at] = (uint32_t)wb_minimum(issued[at], slots);
  wb_text_format(&page->shapes,
                 "<rect class=\"q\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>\n"
                 "<path class=\"u\" d=\"",
                 page->left, page->y, page->plot_width, SLOTS_HEIGHT);
  struct stretch stretch = {0};
  while (next_stretch(page, &stretch)) {
    const unsigned height = (unsigned)((uint64_t)stretch.value * SLOTS_HEIGHT / slots);
    const unsigned width = (unsigned)stretch.length * page->cell;
    wb_text_format(&page->shapes, "M%u %uh%uv%uh-%uz", stretch_x(page, &stretch),
                   page->y + SLOTS_HEIGHT - height, width, height, width);
  }
  wb_text_string(&page->shapes, "\"/>\n");
  wb_svg_put_text(&page->letters, "l e", page->left - WB_GANTT_LABEL_GAP, middle - 3, "issued");
  wb_svg_put_text(&page->letters, "l e", page->left - WB_GANTT_LABEL_GAP,
                  middle + WB_GANTT_LABEL_SIZE, "of %" PRIu32, slots);
  draw_share(page, WB_UNIT_COUNT, partition, SLOTS_HEIGHT);
}

/* Draws a partition: its warps, its units, its issue slots. */
static void draw_partition(struct wb_gantt_page *page, uint32_t partition)
{
  if (page->plan.partitions > 1)
    draw_section_title(page, partition);
  const unsigned top = page->y;
  draw_warps(page, partition);
  /* Pale lines between the cells of a stretch, so that they can be counted; none where cells are
   * narrow. */
  if (page->cell >= LEAST_LETTERED_CELL) {
    wb_text_string(&page->guides, "<path class=\"c\" d=\"");
    for (unsigned cycle = 1; cycle < page->window.cycles; cycle++)
      draw_guide(page, cycle, top, page->y);
    wb_text_string(&page->guides, "\"/>\n");
  }
  page->y += SECTION_GAP - GROUP_GAP;
  const unsigned units_top = page->y;
  const bool any = draw_pools(page, partition);
  if (any)
    wb_svg_put_text(&page->letters, "h e", page->left - WB_GANTT_LABEL_GAP, units_top - 6, "units");
  if (page->plan.capped) {
    page->y += GROUP_GAP;
    draw_slots(page, partition);
    page->y += SLOTS_HEIGHT + GROUP_GAP;
  }
  if (any || page->plan.capped)
    wb_svg_put_text(&page->letters, "h e", share_x(page), units_top - 6, "busy");
  else if (page->plan.partitions > 1)
    page->y -= SECTION_GAP - 2 * GROUP_GAP;
  page->y -= GROUP_GAP;
  draw_guides(page, top - 6, page->y + 5);
}

void wb_gantt_draw_plot(struct wb_gantt_page *page)
{
  page->tick_step = round_step((TICK_DISTANCE + page->cell - 1) / page->cell);
  page->y += 34;
  wb_svg_put_text(&page->letters, "h e", page->left - WB_GANTT_LABEL_GAP, page->y - 10, "cycle");
  draw_tick_numbers(page, page->y - 10);
  for (uint32_t p = 0; p < page->plan.partitions; p++)
    draw_partition(page, p);
  if (wb_gantt_has_shared_pools(&page->plan)) {
    draw_section_title(page, WB_GANTT_ALL_PARTITIONS);
    const unsigned top = page->y;
    wb_svg_put_text(&page->letters, "h e", share_x(page), top - 6, "busy");
    draw_pools(page, WB_GANTT_ALL_PARTITIONS);
    page->y -= GROUP_GAP;
    draw_guides(page, top - 6, page->y + 5);
  }
  page->y += 9 + WB_GANTT_TICK_SIZE;
  draw_tick_numbers(page, page->y);
}
