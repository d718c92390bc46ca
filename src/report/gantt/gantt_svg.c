/* The SVG picture of a schedule: the page, its measures and its style sheet. */
#include "report/gantt/gantt.h"

#include "base/checked.h"
#include "base/memory.h"
#include "report/gantt/gantt_layout.h"
#include "report/gantt/gantt_svg_page.h"
#include "report/svg/svg_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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
