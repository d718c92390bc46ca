/* The SVG picture of a schedule: its head (title, notes, legend), measures and style sheet. */
#include "base/checked.h"
#include "base/memory.h"
#include "report/gantt/gantt_svg_page.h"
#include "report/report_words.h"
#include "report/svg/svg_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWATCH 14u
#define TITLE_SIZE 19u
#define TEXT_SIZE 13u
#define TEXT_LINE (TEXT_SIZE + 6)
#define NOTE_LINE (TEXT_SIZE + 7)

/* The limits of a picture. */
#define MOST_CYCLES 4000
#define MOST_WARP_ROWS 256
#define MOST_UNIT_ROWS 256
/* With more stretches than this, browsers labour with a tooltip for each. */
#define MOST_TOOLTIPS 2500
/* How much of the kernel string is read: more fits no line. */
#define LONGEST_STRING 100

#define LEAST_WIDTH 720u
#define PLOT_WIDTH_WANTED 1200u
#define WIDEST_CELL 22u

/* ---- the head ---- */

/* Puts an item, which is freed, after the others of a line of text, or on a line of its own. */
static void add_item(struct wb_gantt_page *page, struct wb_text *line, struct wb_text *item)
{
  const bool fits =
      line->length == 0 || item->length == 0 ||
      wb_svg_text_width(line->data, TEXT_SIZE) + wb_svg_text_width(item->data, TEXT_SIZE) + 24 <=
          page->width - 2 * WB_GANTT_MARGIN;
  if (!fits) {
    page->y += TEXT_LINE;
    wb_svg_put_text(&page->letters, "s", WB_GANTT_MARGIN, page->y, "%s", line->data);
    wb_text_free(line);
  }
  if (line->length > 0 && item->length > 0)
    wb_text_string(line, " \xc2\xb7 ");
  wb_text_join(line, item);
}

/* The instance, in lines of items. */
static void draw_instance(struct wb_gantt_page *page)
{
  const struct wb_sm_problem *problem = page->plan.problem;
  const struct wb_schedule *schedule = page->plan.schedule;
  struct wb_text line = {0}, item = {0}, letters = {0};
  if (problem->string_count > 1)
    wb_text_format(&item, "%zu strings ", problem->string_count);
  else
    wb_text_string(&item, "string ");
  wb_gantt_strings(problem, LONGEST_STRING, &letters);
  if (letters.data != NULL)
    wb_svg_escape(letters.data, TEXT_SIZE, page->width - 2 * WB_GANTT_MARGIN - 220, &item);
  item.failed = item.failed || letters.failed;
  wb_text_free(&letters);
  const size_t length = problem->strings[0].length;
  if (problem->string_count == 1)
    wb_text_format(&item, " (%zu instruction%s)", length, length == 1 ? "" : "s");
  add_item(page, &line, &item);
  wb_gantt_write_units(problem, "units ", false, &item);
  add_item(page, &line, &item);
  wb_gantt_write_units(problem, "shared by all ", true, &item);
  add_item(page, &line, &item);
  if (problem->issue_slots == WB_UNLIMITED)
    wb_text_string(&item, "no cap on issue slots");
  else
    wb_text_format(&item, "at most %" PRIu32 " issued a cycle%s", problem->issue_slots,
                   problem->partitions > 1 ? " in a partition" : "");
  add_item(page, &line, &item);
  wb_text_format(&item, "%" PRIu32 " warp%s", schedule->warps, schedule->warps == 1 ? "" : "s");
  wb_gantt_division(problem, &item);
  add_item(page, &line, &item);
  wb_text_format(&item, "makespan %" PRIu64 " cycle%s", schedule->makespan,
                 schedule->makespan == 1 ? "" : "s");
  add_item(page, &line, &item);
  if (line.length > 0) {
    page->y += TEXT_LINE;
    wb_svg_put_text(&page->letters, "s", WB_GANTT_MARGIN, page->y, "%s", line.data);
  }
  page->letters.failed = page->letters.failed || line.failed;
  wb_text_free(&line);
}

/* What the picture leaves out. */
static void draw_notes(struct wb_gantt_page *page)
{
  const struct wb_gantt_plan *plan = &page->plan;
  const uint32_t warps = plan->schedule->warps;
  const uint32_t partitions = plan->problem->partitions;
  if (page->window.cycles < plan->schedule->makespan) {
    page->y += NOTE_LINE;
    wb_svg_put_text(&page->letters, "n", WB_GANTT_MARGIN, page->y,
                    "Cut: cycles 1 to %zu of %" PRIu64 " are shown.", page->window.cycles,
                    plan->schedule->makespan);
  }
  if (plan->warp_rows < warps) {
    page->y += NOTE_LINE;
    wb_svg_put_text(&page->letters, "n", WB_GANTT_MARGIN, page->y,
                    "Cut: the %" PRIu32 " warps that finish last are shown, %" PRIu32 " of %" PRIu32
                    " left out; the units serve all of them.",
                    plan->warp_rows, warps - plan->warp_rows, warps);
  }
  if (plan->partitions < partitions) {
    page->y += NOTE_LINE;
    wb_svg_put_text(&page->letters, "s", WB_GANTT_MARGIN, page->y,
                    "%" PRIu32 " of the %" PRIu32 " partitions have no warps.",
                    partitions - plan->partitions, partitions);
  }
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    const struct wb_gantt_pool *pool = wb_gantt_pool_of(plan, 0, u);
    const char letter = wb_unit_letter((enum wb_unit)u);
    const uint32_t capacity = plan->problem->capacity[u];
    if (pool == NULL)
      continue;
    const bool each = plan->partitions > 1 && pool->partition != WB_GANTT_ALL_PARTITIONS;
    const char *where = each ? " of each partition" : "";
    if (pool->rows < pool->units) {
      page->y += NOTE_LINE;
      wb_svg_put_text(&page->letters, "n", WB_GANTT_MARGIN, page->y,
                      "Cut: units %c1 to %c%" PRIu32 " of %" PRIu32 "%s are shown.", letter, letter,
                      pool->rows, capacity, where);
    } else if (pool->rows < capacity) {
      page->y += NOTE_LINE;
      wb_svg_put_text(&page->letters, "s", WB_GANTT_MARGIN, page->y,
                      "Of the %" PRIu32 " units of type %c%s, %" PRIu32
                      " %s shown: as many as warps.",
                      capacity, letter, where, pool->rows, pool->rows == 1 ? "is" : "are");
    }
    if (plan->outside[u] && plan->outside_warps > 0) {
      page->y += NOTE_LINE;
      wb_svg_put_text(&page->letters, "n", WB_GANTT_MARGIN, page->y,
                      "%c units are shared with %" PRIu32 " warp%s of other partitions, not shown.",
                      letter, plan->outside_warps, plan->outside_warps == 1 ? "" : "s");
    }
  }
}

static void draw_legend_item(struct wb_gantt_page *page, unsigned *x, const char *kind,
                             const char *sign, const char *meaning)
{
  const unsigned width = SWATCH + 6 + wb_svg_text_width(meaning, WB_GANTT_LABEL_SIZE);
  if (*x > WB_GANTT_MARGIN && *x + width > page->width - WB_GANTT_MARGIN) {
    *x = WB_GANTT_MARGIN;
    page->y += SWATCH + 8;
  }
  wb_text_format(&page->shapes,
                 "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>\n", kind, *x,
                 page->y, SWATCH, SWATCH);
  wb_svg_put_text(&page->letters, "b m", *x + SWATCH / 2,
                  wb_svg_baseline(page->y, SWATCH, WB_GANTT_TICK_SIZE), "%s", sign);
  wb_svg_put_text(&page->letters, "l", *x + SWATCH + 6,
                  wb_svg_baseline(page->y, SWATCH, WB_GANTT_LABEL_SIZE), "%s", meaning);
  *x += width + 16;
}

static void draw_legend(struct wb_gantt_page *page)
{
  const struct wb_gantt_plan *plan = &page->plan;
  unsigned x = WB_GANTT_MARGIN;
  page->y += 16;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    const char sign[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
    if (wb_gantt_uses(plan->problem, (enum wb_unit)u))
      draw_legend_item(page, &x, sign, sign, wb_unit_name((enum wb_unit)u));
  }
  draw_legend_item(page, &x, "w", "", "warp waiting");
  if (wb_gantt_uses(plan->problem, WB_UNIT_BARRIER))
    draw_legend_item(page, &x, "z", "", "warp waiting at a barrier");
  draw_legend_item(page, &x, "f", "", "warp finished");
  if (plan->all_unit_rows > 0)
    draw_legend_item(page, &x, "i", "", "unit idle");
  if (wb_gantt_numbers_units(page))
    draw_legend_item(page, &x, "f", "3", "in a unit: the warp it serves");
  page->y += SWATCH;
}

/* ---- the page ---- */

/* Okabe and Ito's colours, their blue made lighter: apart for every eye, and light enough for dark
 * letters. */
static const char *const type_colours[WB_UNIT_COUNT] = {
    "#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#3f86c6", "#f0e442", "#d55e00",
};

static size_t count_stretches(const uint32_t *cells, size_t rows, size_t cycles)
{
  size_t count = 0;
  for (size_t at = 0; at < rows * cycles; at++)
    count += at % cycles == 0 || cells[at] != cells[at - 1];
  return count;
}

/* The measures of the page. */
static bool start(struct wb_gantt_page *page)
{
  const struct wb_gantt_plan *plan = &page->plan;
  const struct wb_gantt_window *window = &page->window;
  const size_t cycles = (size_t)wb_minimum(wb_maximum(plan->schedule->makespan, 1), MOST_CYCLES);
  page->line = wb_allocate(cycles, sizeof *page->line);
  if (page->line == NULL || !wb_gantt_window_make(plan, 1, cycles, &page->window))
    return false;
  const unsigned shown = (unsigned)cycles;
  page->cell =
      (unsigned)wb_minimum(wb_maximum((PLOT_WIDTH_WANTED + shown / 2) / shown, 1), WIDEST_CELL);
  char labels[3][32] = {"", "issued", ""};
  snprintf(labels[0], sizeof labels[0], "warp %" PRIu32, plan->schedule->warps);
  if (plan->capped)
    snprintf(labels[2], sizeof labels[2], "of %" PRIu32, plan->problem->issue_slots);
  unsigned width = 0;
  for (size_t l = 0; l < sizeof labels / sizeof *labels; l++)
    width = (unsigned)wb_maximum(width, wb_svg_text_width(labels[l], WB_GANTT_LABEL_SIZE));
  page->left = WB_GANTT_MARGIN + width + WB_GANTT_LABEL_GAP;
  page->plot_width = page->cell * shown;
  page->width = (unsigned)wb_maximum(
      page->left + page->plot_width + WB_GANTT_SHARE_WIDTH + WB_GANTT_MARGIN, LEAST_WIDTH);
  /* Stretches of all rows, finished ones too. */
  page->tooltips = count_stretches(window->warp_cells, plan->warp_rows, cycles) +
                       count_stretches(window->unit_cells, plan->all_unit_rows, cycles) <=
                   MOST_TOOLTIPS;
  page->y = WB_GANTT_MARGIN;
  return true;
}

static void write_layer(struct wb_text *layer, const char *attributes, struct wb_text *text)
{
  wb_text_format(text, "<g %s>\n", attributes);
  wb_text_join(text, layer);
  wb_text_string(text, "</g>\n");
}

static void write_page(struct wb_gantt_page *page, const char *title, struct wb_text *text)
{
  const unsigned height = page->y + WB_GANTT_MARGIN;
  wb_svg_open(text, page->width, height, "", title);
  wb_text_format(text,
                 "<style>text{fill:#1a1a1a}.t{font-size:%upx;font-weight:bold}.s{font-size:%upx}"
                 ".n{font-size:%upx;font-weight:bold;fill:#8a3000}.l{font-size:%upx}"
                 ".h{font-size:%upx;font-weight:bold}.k,.b{font-size:%upx}"
                 ".m{text-anchor:middle}.e{text-anchor:end}\n",
                 TITLE_SIZE, TEXT_SIZE, TEXT_SIZE, WB_GANTT_LABEL_SIZE, WB_GANTT_LABEL_SIZE,
                 WB_GANTT_TICK_SIZE);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (wb_gantt_uses(page->plan.problem, (enum wb_unit)u))
      wb_text_format(text, ".%c{fill:%s}", wb_unit_letter((enum wb_unit)u), type_colours[u]);
  }
  wb_text_format(text,
                 ".w{fill:#d9d9d9}.z{fill:#f6cfb5}.i{fill:url(#idle)}.f{fill:#fff;stroke:#b3b3b3}"
                 ".q{fill:#ececec}.u{fill:#595959}"
                 ".g{fill:none;stroke:#000;stroke-opacity:.3}"
                 ".c{fill:none;stroke:#fff;stroke-opacity:.55}</style>\n"
                 "<defs><pattern id=\"idle\" width=\"5\" height=\"5\" "
                 "patternUnits=\"userSpaceOnUse\"><rect width=\"5\" height=\"5\" "
                 "fill=\"#fafafa\"/><path d=\"M-1 1l2-2M0 5l5-5M4 6l2-2\" stroke=\"#a6a6a6\" "
                 "stroke-width=\"1\"/></pattern></defs>\n"
                 "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
                 page->width, height);
  write_layer(&page->shapes, "shape-rendering=\"crispEdges\"", text);
  write_layer(&page->guides, "pointer-events=\"none\"", text);
  write_layer(&page->letters, "pointer-events=\"none\"", text);
  wb_text_string(text, "</svg>\n");
}

void wb_gantt_svg(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                  const struct wb_problem *part, const char *title, struct wb_text *text)
{
  struct wb_gantt_page page = {0};
  title = title != NULL ? title : "Schedule";
  bool made = wb_gantt_plan_make(problem, schedule, MOST_WARP_ROWS, MOST_UNIT_ROWS, &page.plan);
  if (made && part != NULL) {
    page.plan.outside_warps = part->outside_warps;
    memcpy(page.plan.outside, part->shared, sizeof part->shared);
  }
  made = made && start(&page);
  if (made) {
    page.y += TITLE_SIZE;
    wb_text_format(&page.letters, "<text class=\"t\" x=\"%u\" y=\"%u\">", WB_GANTT_MARGIN, page.y);
    wb_svg_escape(title, TITLE_SIZE, page.width - 2 * WB_GANTT_MARGIN, &page.letters);
    wb_text_string(&page.letters, "</text>\n");
    draw_instance(&page);
    draw_notes(&page);
    draw_legend(&page);
    wb_gantt_draw_plot(&page);
    write_page(&page, title, text);
  }
  text->failed = text->failed || !made;
  wb_gantt_window_free(&page.window);
  wb_gantt_plan_free(&page.plan);
  free(page.line);
}
