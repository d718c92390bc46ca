/* The SVG picture of a schedule: its head (title, notes, legend), measures and style sheet. */
#include "base/checked.h"
#include "base/memory.h"
#include "report/gantt/gantt.h"
#include "report/gantt/gantt_layout.h"
#include "report/gantt/gantt_svg_page.h"
#include "report/svg/svg_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SWATCH 14

/* How much of the kernel string is read: more fits no line. */
#define LONGEST_STRING 100

static unsigned item_width(const char *item)
{
  return wb_svg_text_width(item, WB_SVG_TEXT_SIZE);
}

/* Puts an item after the others of a line of text, or on a line of its own. */
static void add_item(struct wb_svg_page *page, struct wb_text *text, const char *item)
{
  unsigned room = page->width - 2 * WB_SVG_MARGIN;
  if (text->length > 0 && item_width(text->data) + item_width(item) + 24 > room) {
    page->y += WB_SVG_TEXT_SIZE + 6;
    wb_svg_put_text(&page->letters, "s", WB_SVG_MARGIN, page->y, text->data);
    wb_text_free(text);
  }
  wb_text_format(text, "%s%s", text->length > 0 ? " \xc2\xb7 " : "", item);
}

static void add_string_item(struct wb_svg_page *page, struct wb_text *text)
{
  const struct wb_sm_problem *problem = page->plan.problem;
  struct wb_text letters = {0};
  wb_gantt_strings(problem, LONGEST_STRING, &letters);
  struct wb_text item = {0};
  if (problem->string_count > 1)
    wb_text_format(&item, "%zu strings ", problem->string_count);
  else
    wb_text_string(&item, "string ");
  if (!letters.failed && letters.data != NULL)
    wb_svg_escape(letters.data, WB_SVG_TEXT_SIZE, page->width - 2 * WB_SVG_MARGIN - 220, &item);
  size_t length = problem->strings[0].length;
  if (problem->string_count == 1)
    wb_text_format(&item, " (%zu instruction%s)", length, length == 1 ? "" : "s");
  if (letters.failed || item.failed)
    text->failed = true;
  else
    add_item(page, text, item.data);
  wb_text_free(&letters);
  wb_text_free(&item);
}

/* "units L=1, C=4", of the types that all partitions share or of the others. */
static void add_units_item(struct wb_svg_page *page, struct wb_text *text, bool shared)
{
  const struct wb_sm_problem *problem = page->plan.problem;
  struct wb_text item = {0};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (!wb_gantt_uses(problem, (enum wb_unit)u) || problem->shared[u] != shared)
      continue;
    if (item.length > 0)
      wb_text_string(&item, ", ");
    else
      wb_text_string(&item, shared ? "shared by all " : "units ");
    wb_text_format(&item, "%c=%" PRIu32, wb_unit_letter((enum wb_unit)u), problem->capacity[u]);
  }
  if (item.failed)
    text->failed = true;
  else if (item.length > 0)
    add_item(page, text, item.data);
  wb_text_free(&item);
}

/* kind: "n" for what a reader must not overlook, else "s". */
static void draw_note(struct wb_svg_page *page, const char *kind, const char *note)
{
  page->y += WB_SVG_TEXT_SIZE + 7;
  wb_svg_put_text(&page->letters, kind, WB_SVG_MARGIN, page->y, note);
}

/* The units of a type that have no row. */
static void draw_unit_notes(struct wb_svg_page *page, enum wb_unit unit)
{
  char note[160];
  const struct wb_gantt_plan *plan = &page->plan;
  const struct wb_gantt_pool *pool = wb_gantt_find_pool(plan, unit);
  char letter = wb_unit_letter(unit);
  uint32_t capacity = plan->problem->capacity[unit];
  if (pool == NULL)
    return;
  const char *where = wb_gantt_is_divided(plan) && pool->partition != WB_GANTT_ALL_PARTITIONS
                          ? " of each partition"
                          : "";
  if (pool->rows < pool->units) {
    snprintf(note, sizeof note, "Cut: units %c1 to %c%" PRIu32 " of %" PRIu32 "%s are shown.",
             letter, letter, pool->rows, capacity, where);
    draw_note(page, "n", note);
  } else if (pool->rows < capacity) {
    snprintf(note, sizeof note,
             "Of the %" PRIu32 " units of type %c%s, %" PRIu32 " %s shown: as many as warps.",
             capacity, letter, where, pool->rows, pool->rows == 1 ? "is" : "are");
    draw_note(page, "s", note);
  }
  if (plan->outside[unit] && plan->outside_warps > 0) {
    snprintf(note, sizeof note,
             "%c units are shared with %" PRIu32 " warp%s of other partitions, not shown.", letter,
             plan->outside_warps, plan->outside_warps == 1 ? "" : "s");
    draw_note(page, "n", note);
  }
}

static void draw_legend_item(struct wb_svg_page *page, unsigned *x, const char *kind,
                             const char *sign, const char *meaning)
{
  unsigned width = SWATCH + 6 + wb_svg_text_width(meaning, WB_SVG_LABEL_SIZE);
  if (*x > WB_SVG_MARGIN && *x + width > page->width - WB_SVG_MARGIN) {
    *x = WB_SVG_MARGIN;
    page->y += SWATCH + 8;
  }
  wb_text_format(&page->shapes,
                 "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\"/>\n", kind, *x,
                 page->y, SWATCH, SWATCH);
  wb_svg_put_text(&page->letters, "b m", *x + SWATCH / 2,
                  wb_svg_baseline(page->y, SWATCH, WB_SVG_TICK_SIZE), sign);
  wb_svg_put_text(&page->letters, "l", *x + SWATCH + 6,
                  wb_svg_baseline(page->y, SWATCH, WB_SVG_LABEL_SIZE), meaning);
  *x += width + 16;
}

static void draw_legend(struct wb_svg_page *page)
{
  unsigned x = WB_SVG_MARGIN;
  page->y += 16;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    char sign[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
    if (wb_gantt_uses(page->plan.problem, (enum wb_unit)u))
      draw_legend_item(page, &x, sign, sign, wb_unit_name((enum wb_unit)u));
  }
  draw_legend_item(page, &x, "w", "", "warp waiting");
  if (wb_gantt_uses(page->plan.problem, WB_UNIT_BARRIER))
    draw_legend_item(page, &x, "z", "", "warp waiting at a barrier");
  draw_legend_item(page, &x, "f", "", "warp finished");
  if (page->plan.all_unit_rows > 0)
    draw_legend_item(page, &x, "i", "", "unit idle");
  bool any = false;
  for (size_t i = 0; i < page->plan.pool_count; i++)
    any = any || wb_svg_has_room_for_letters(page, wb_svg_unit_height(page, &page->plan.pools[i]));
  if (any && page->tooltips)
    draw_legend_item(page, &x, "f", "3", "in a unit: the warp it serves");
  page->y += SWATCH;
}

void wb_svg_draw_head(struct wb_svg_page *page, const char *title)
{
  page->y += WB_SVG_TITLE_SIZE;
  wb_text_format(&page->letters, "<text class=\"t\" x=\"%d\" y=\"%u\">", WB_SVG_MARGIN, page->y);
  wb_svg_escape(title, WB_SVG_TITLE_SIZE, page->width - 2 * WB_SVG_MARGIN, &page->letters);
  wb_text_string(&page->letters, "</text>\n");
  char item[64];
  struct wb_text text = {0};
  add_string_item(page, &text);
  add_units_item(page, &text, false);
  add_units_item(page, &text, true);
  const struct wb_sm_problem *problem = page->plan.problem;
  char slots[96];
  if (problem->issue_slots == WB_UNLIMITED)
    snprintf(slots, sizeof slots, "no cap on issue slots");
  else
    snprintf(slots, sizeof slots, "at most %" PRIu32 " issued a cycle%s", problem->issue_slots,
             problem->partitions > 1 ? " in a partition" : "");
  add_item(page, &text, slots);
  struct wb_text division = {0};
  const uint32_t warps = page->plan.schedule->warps;
  wb_text_format(&division, "%" PRIu32 " warp%s", warps, warps == 1 ? "" : "s");
  wb_gantt_division(problem, &division);
  if (division.failed)
    text.failed = true;
  else
    add_item(page, &text, division.data);
  wb_text_free(&division);
  uint64_t makespan = page->plan.schedule->makespan;
  snprintf(item, sizeof item, "makespan %" PRIu64 " cycle%s", makespan, makespan == 1 ? "" : "s");
  add_item(page, &text, item);
  if (text.length > 0) {
    page->y += WB_SVG_TEXT_SIZE + 6;
    wb_svg_put_text(&page->letters, "s", WB_SVG_MARGIN, page->y, text.data);
  }
  page->letters.failed = page->letters.failed || text.failed;
  wb_text_free(&text);
  /* Says what the picture leaves out. */
  char note[160];
  const struct wb_gantt_plan *plan = &page->plan;
  if (page->window.cycles < plan->schedule->makespan) {
    snprintf(note, sizeof note, "Cut: cycles 1 to %zu of %" PRIu64 " are shown.",
             page->window.cycles, plan->schedule->makespan);
    draw_note(page, "n", note);
  }
  if (plan->warp_rows < plan->schedule->warps) {
    snprintf(note, sizeof note,
             "Cut: the %" PRIu32 " warps that finish last are shown, %" PRIu32 " of %" PRIu32
             " left out; the units serve all of them.",
             plan->warp_rows, plan->schedule->warps - plan->warp_rows, plan->schedule->warps);
    draw_note(page, "n", note);
  }
  if (plan->partitions < plan->problem->partitions) {
    snprintf(note, sizeof note, "%" PRIu32 " of the %" PRIu32 " partitions have no warps.",
             plan->problem->partitions - plan->partitions, plan->problem->partitions);
    draw_note(page, "s", note);
  }
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    draw_unit_notes(page, (enum wb_unit)u);
  draw_legend(page);
}

/* The limits of a picture. */
#define MOST_CYCLES 4000
#define MOST_WARP_ROWS 256
#define MOST_UNIT_ROWS 256
/* With more stretches than this, browsers labour with a tooltip for each. */
#define MOST_TOOLTIPS 2500

#define LEAST_WIDTH 720
#define PLOT_WIDTH_WANTED 1200
#define WIDEST_CELL 22
#define TICK_DISTANCE 56

/* Okabe and Ito's colours, their blue made lighter: apart for every eye, and light enough for dark
 * letters. */
static const char *const type_colours[WB_UNIT_COUNT] = {
    "#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#3f86c6", "#f0e442", "#d55e00",
};

static void write_layer(const struct wb_text *layer, const char *attributes, struct wb_text *text)
{
  wb_text_format(text, "<g %s>\n", attributes);
  if (layer->failed)
    text->failed = true;
  else if (layer->data != NULL)
    wb_text_append(text, layer->data, layer->length);
  wb_text_string(text, "</g>\n");
}

static bool start(struct wb_svg_page *page)
{
  uint64_t makespan = wb_maximum(page->plan.schedule->makespan, 1);
  size_t cycles = (size_t)wb_minimum(makespan, MOST_CYCLES);
  page->line = wb_allocate(cycles, sizeof *page->line);
  if (page->line == NULL || !wb_gantt_window_make(&page->plan, 1, cycles, &page->window))
    return false;
  unsigned shown = (unsigned)page->window.cycles;
  page->cell = wb_svg_least(wb_svg_most((PLOT_WIDTH_WANTED + shown / 2) / shown, 1), WIDEST_CELL);
  char label[32];
  snprintf(label, sizeof label, "warp %" PRIu32, page->plan.schedule->warps);
  unsigned width = wb_svg_text_width(label, WB_SVG_LABEL_SIZE);
  width = wb_svg_most(width, wb_svg_text_width("issued", WB_SVG_LABEL_SIZE));
  snprintf(label, sizeof label, "of %" PRIu32, page->plan.problem->issue_slots);
  page->left = WB_SVG_MARGIN +
               (page->plan.capped ? wb_svg_most(width, wb_svg_text_width(label, WB_SVG_LABEL_SIZE))
                                  : width) +
               WB_SVG_LABEL_GAP;
  page->plot_width = page->cell * shown;
  page->width =
      wb_svg_most(page->left + page->plot_width + WB_SVG_SHARE_WIDTH + WB_SVG_MARGIN, LEAST_WIDTH);
  page->tick_step = wb_svg_round_step((TICK_DISTANCE + page->cell - 1) / page->cell);
  /* Stretches of all rows, finished ones too. */
  const struct wb_gantt_window *window = &page->window;
  size_t count = 0;
  for (size_t at = 0; at < page->plan.warp_rows * window->cycles; at++)
    count += at % window->cycles == 0 || window->warp_cells[at] != window->warp_cells[at - 1];
  for (size_t at = 0; at < page->plan.all_unit_rows * window->cycles; at++)
    count += at % window->cycles == 0 || window->unit_cells[at] != window->unit_cells[at - 1];
  page->tooltips = count <= MOST_TOOLTIPS;
  page->y = WB_SVG_MARGIN;
  return true;
}

static void finish(struct wb_svg_page *page)
{
  wb_gantt_window_free(&page->window);
  wb_gantt_plan_free(&page->plan);
  wb_text_free(&page->shapes);
  wb_text_free(&page->guides);
  wb_text_free(&page->letters);
  free(page->line);
}

/* A page of the plan that it has. */
static void draw(struct wb_svg_page *page, const char *title, struct wb_text *text)
{
  title = title != NULL ? title : "Schedule";
  if (start(page)) {
    wb_svg_draw_head(page, title);
    wb_svg_draw_plot(page);
    unsigned height = page->y + WB_SVG_MARGIN;
    wb_text_format(text,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                   "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" role=\"img\">\n<title>",
                   page->width, height, page->width, height);
    wb_svg_escape(title, 1, WB_SVG_LONGEST_TEXT * 2, text);
    wb_text_string(text, "</title>\n");
    wb_text_format(text,
                   "<style>text{fill:#1a1a1a}.t{font-size:%dpx;font-weight:bold}.s{font-size:%dpx}"
                   ".n{font-size:%dpx;font-weight:bold;fill:#8a3000}.l{font-size:%dpx}"
                   ".h{font-size:%dpx;font-weight:bold}.k,.b{font-size:%dpx}"
                   ".m{text-anchor:middle}.e{text-anchor:end}\n",
                   WB_SVG_TITLE_SIZE, WB_SVG_TEXT_SIZE, WB_SVG_TEXT_SIZE, WB_SVG_LABEL_SIZE,
                   WB_SVG_LABEL_SIZE, WB_SVG_TICK_SIZE);
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      if (wb_gantt_uses(page->plan.problem, (enum wb_unit)u))
        wb_text_format(text, ".%c{fill:%s}", wb_unit_letter((enum wb_unit)u), type_colours[u]);
    }
    wb_text_string(text,
                   ".w{fill:#d9d9d9}.z{fill:#f6cfb5}.i{fill:url(#idle)}.f{fill:#fff;stroke:#b3b3b3}"
                   ".q{fill:#ececec}.u{fill:#595959}"
                   ".g{fill:none;stroke:#000;stroke-opacity:.3}"
                   ".c{fill:none;stroke:#fff;stroke-opacity:.55}</style>\n"
                   "<defs><pattern id=\"idle\" width=\"5\" height=\"5\" "
                   "patternUnits=\"userSpaceOnUse\"><rect width=\"5\" height=\"5\" "
                   "fill=\"#fafafa\"/><path d=\"M-1 1l2-2M0 5l5-5M4 6l2-2\" stroke=\"#a6a6a6\" "
                   "stroke-width=\"1\"/></pattern></defs>\n");
    wb_text_format(text, "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n", page->width, height);
    write_layer(&page->shapes, "shape-rendering=\"crispEdges\"", text);
    write_layer(&page->guides, "pointer-events=\"none\"", text);
    write_layer(&page->letters, "pointer-events=\"none\"", text);
    wb_text_string(text, "</svg>\n");
  } else {
    text->failed = true;
  }
}

void wb_gantt_sm_svg(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                     const char *title, struct wb_text *text)
{
  struct wb_svg_page page = {0};
  if (wb_gantt_plan_make(problem, schedule, MOST_WARP_ROWS, MOST_UNIT_ROWS, &page.plan))
    draw(&page, title, text);
  else
    text->failed = true;
  finish(&page);
}

void wb_gantt_svg(const struct wb_problem *problem, const struct wb_schedule *schedule,
                  const char *title, struct wb_text *text)
{
  struct wb_svg_page page = {0};
  struct wb_widened_problem wide;
  wb_problem_widen(problem, &wide);
  if (wb_gantt_plan_make(&wide.whole, schedule, MOST_WARP_ROWS, MOST_UNIT_ROWS, &page.plan)) {
    wb_gantt_plan_outside(&page.plan, problem);
    draw(&page, title, text);
  } else {
    text->failed = true;
  }
  finish(&page);
}
