/* The SVG picture of a schedule, the plot: a section for each partition with its warps, units and
 * issue slots, and one for the units that the partitions share. */
#include "base/checked.h"
#include "report/gantt/gantt_svg_axis.h"
#include "report/gantt/gantt_svg_row.h"
#include "report/svg/svg_text.h"

#include <inttypes.h>
#include <stdio.h>

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
    struct wb_svg_row row = {WB_UNIT_COUNT, warp + 1, at - first + 1, page->y, height};
    wb_svg_draw_warp(page, &row, at);
    wb_svg_label_row(page, &row, "warp ");
    page->y += height;
    if (at + 1 < end && wb_sm_block_of(plan->problem, plan->warps[at + 1]) == block)
      continue;
    /* Names the block of the rows from `top` on. */
    char label[32];
    if (page->plan.problem->blocks != 1 && page->y - top >= WB_SVG_LABEL_DISTANCE) {
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
    if (page->plan.pools[i].partition != partition)
      continue;
    any = true;
    unsigned height = wb_svg_unit_height(page, &page->plan.pools[i]);
    char prefix[2] = {wb_unit_letter(page->plan.pools[i].unit), '\0'};
    bool rows_labelled = height * page->plan.pools[i].rows >= 2 * WB_SVG_LABEL_DISTANCE ||
                         page->plan.pools[i].rows == 1;
    for (uint32_t k = 0; k < page->plan.pools[i].rows; k++) {
      struct wb_svg_row row = {page->plan.pools[i].unit, k + 1, k + 1, page->y + k * height,
                               height};
      wb_svg_draw_unit(page, &row, page->plan.pools[i].base + k);
      if (rows_labelled)
        wb_svg_label_row(page, &row, prefix);
    }
    if (!rows_labelled) {
      /* One label for a group that is too low for one at its rows. */
      char label[32];
      char letter = wb_unit_letter(page->plan.pools[i].unit);
      snprintf(label, sizeof label, "%c1-%c%" PRIu32, letter, letter, page->plan.pools[i].rows);
      wb_svg_put_text(
          &page->letters, "l e", page->left - WB_SVG_LABEL_GAP,
          wb_svg_baseline(page->y, page->plan.pools[i].rows * height, WB_SVG_LABEL_SIZE), label);
    }
    draw_share(page, page->plan.pools[i].unit, page->plan.pools[i].partition,
               page->plan.pools[i].rows * height);
    page->y += page->plan.pools[i].rows * height + GROUP_GAP;
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
  wb_svg_draw_separators(page, top, page->y);
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
    struct wb_svg_stretch stretch = {0};
    while (wb_svg_next_stretch(page, &stretch)) {
      unsigned height = (unsigned)((uint64_t)stretch.value * SLOTS_HEIGHT / slots);
      unsigned width = (unsigned)stretch.length * page->cell;
      wb_text_format(&page->shapes, "M%u %uh%uv%uh-%uz", wb_svg_stretch_x(page, &stretch),
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
  wb_svg_draw_guides(page, top - 6, page->y + 5);
}

void wb_svg_draw_plot(struct wb_svg_page *page)
{
  page->y += 34;
  wb_svg_put_text(&page->letters, "h e", page->left - WB_SVG_LABEL_GAP, page->y - 10, "cycle");
  wb_svg_draw_tick_numbers(page, page->y - 10);
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
    wb_svg_draw_guides(page, top - 6, page->y + 5);
  }
  wb_svg_draw_tick_numbers(page, page->y + 9 + WB_SVG_TICK_SIZE);
  page->y += 9 + WB_SVG_TICK_SIZE;
}
