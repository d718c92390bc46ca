/* The SVG picture of a schedule, above the plot: title, subtitle, notes, legend. */
#include "report/gantt_svg_page.h"
#include "report/svg_text.h"

#include <inttypes.h>
#include <stdio.h>

#define SWATCH 14

/* How much of the kernel string is read: more fits no line. */
#define LONGEST_STRING 100

static void draw_title(struct wb_svg_page *page, const char *title)
{
  page->y += WB_SVG_TITLE_SIZE;
  wb_text_format(&page->letters, "<text class=\"t\" x=\"%d\" y=\"%u\">", WB_SVG_MARGIN, page->y);
  wb_svg_escape(title, WB_SVG_TITLE_SIZE, page->width - 2 * WB_SVG_MARGIN, &page->letters);
  wb_text_string(&page->letters, "</text>\n");
}

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

static void end_items(struct wb_svg_page *page, struct wb_text *text)
{
  if (text->length > 0) {
    page->y += WB_SVG_TEXT_SIZE + 6;
    wb_svg_put_text(&page->letters, "s", WB_SVG_MARGIN, page->y, text->data);
  }
  page->letters.failed = page->letters.failed || text->failed;
  wb_text_free(text);
}

static void add_string_item(struct wb_svg_page *page, struct wb_text *text)
{
  const struct wb_kernel_string *string = &page->problem->string;
  struct wb_text letters = {0};
  wb_gantt_string(string, LONGEST_STRING, &letters);
  struct wb_text item = {0};
  wb_text_string(&item, "string ");
  if (!letters.failed && letters.data != NULL)
    wb_svg_escape(letters.data, WB_SVG_TEXT_SIZE, page->width - 2 * WB_SVG_MARGIN - 220, &item);
  wb_text_format(&item, " (%zu instruction%s)", string->length, string->length == 1 ? "" : "s");
  if (letters.failed || item.failed)
    text->failed = true;
  else
    add_item(page, text, item.data);
  wb_text_free(&letters);
  wb_text_free(&item);
}

static void add_units_item(struct wb_svg_page *page, struct wb_text *text)
{
  char item[96];
  size_t length = 0;
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (page->problem->string.count[u] == 0 || length >= sizeof item)
      continue;
    int written =
        snprintf(item + length, sizeof item - length, "%s%c=%" PRIu32, length > 0 ? ", " : "units ",
                 wb_unit_letter((enum wb_unit)u), page->problem->capacity[u]);
    length += written > 0 ? (size_t)written : 0;
  }
  if (length > 0)
    add_item(page, text, item);
  if (page->problem->issue_slots == WB_UNLIMITED)
    snprintf(item, sizeof item, "no cap on issue slots");
  else
    snprintf(item, sizeof item, "at most %" PRIu32 " issued a cycle", page->problem->issue_slots);
  add_item(page, text, item);
}

static void draw_subtitle(struct wb_svg_page *page)
{
  char item[64];
  struct wb_text text = {0};
  add_string_item(page, &text);
  add_units_item(page, &text);
  uint32_t warps = page->problem->warps;
  snprintf(item, sizeof item, "%" PRIu32 " warp%s", warps, warps == 1 ? "" : "s");
  add_item(page, &text, item);
  uint64_t makespan = page->schedule->makespan;
  snprintf(item, sizeof item, "makespan %" PRIu64 " cycle%s", makespan, makespan == 1 ? "" : "s");
  add_item(page, &text, item);
  end_items(page, &text);
}

/* kind: "n" for what a reader must not overlook, else "s". */
static void draw_note(struct wb_svg_page *page, const char *kind, const char *note)
{
  page->y += WB_SVG_TEXT_SIZE + 7;
  wb_svg_put_text(&page->letters, kind, WB_SVG_MARGIN, page->y, note);
}

static void draw_unit_notes(struct wb_svg_page *page, enum wb_unit unit)
{
  char note[160];
  const struct wb_problem *problem = page->problem;
  char letter = wb_unit_letter(unit);
  uint32_t rows = page->window.unit_rows[unit];
  if (rows < wb_gantt_units(problem, unit)) {
    snprintf(note, sizeof note, "Cut: units %c1 to %c%" PRIu32 " of %" PRIu32 " are shown.", letter,
             letter, rows, problem->capacity[unit]);
    draw_note(page, "n", note);
  } else if (rows > 0 && rows < problem->capacity[unit]) {
    snprintf(note, sizeof note,
             "Of the %" PRIu32 " units of type %c, %" PRIu32 " %s shown: as many as warps.",
             problem->capacity[unit], letter, rows, rows == 1 ? "is" : "are");
    draw_note(page, "s", note);
  }
  if (rows > 0 && problem->shared[unit] && problem->outside_warps > 0) {
    snprintf(note, sizeof note,
             "%c units are shared with %" PRIu32 " warp%s of other partitions, not shown.", letter,
             problem->outside_warps, problem->outside_warps == 1 ? "" : "s");
    draw_note(page, "n", note);
  }
}

/* Says what the picture leaves out. */
static void draw_notes(struct wb_svg_page *page)
{
  char note[160];
  if (page->window.cycles < page->schedule->makespan) {
    snprintf(note, sizeof note, "Cut: cycles 1 to %zu of %" PRIu64 " are shown.",
             page->window.cycles, page->schedule->makespan);
    draw_note(page, "n", note);
  }
  if (page->window.warp_rows < page->problem->warps) {
    snprintf(note, sizeof note,
             "Cut: warps 1 to %" PRIu32 " of %" PRIu32 " are shown; the units serve all of them.",
             page->window.warp_rows, page->problem->warps);
    draw_note(page, "n", note);
  }
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    draw_unit_notes(page, (enum wb_unit)u);
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

static bool numbers_units(const struct wb_svg_page *page)
{
  bool any = false;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    any = any || (page->window.unit_rows[u] > 0 &&
                  wb_svg_has_room_for_letters(page, wb_svg_unit_height(page, (enum wb_unit)u)));
  return any && page->tooltips;
}

static void draw_legend(struct wb_svg_page *page)
{
  unsigned x = WB_SVG_MARGIN;
  page->y += 16;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    char sign[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
    if (page->problem->string.count[u] > 0)
      draw_legend_item(page, &x, sign, sign, wb_unit_name((enum wb_unit)u));
  }
  draw_legend_item(page, &x, "w", "", "warp waiting");
  draw_legend_item(page, &x, "f", "", "warp finished");
  if (page->window.all_unit_rows > 0)
    draw_legend_item(page, &x, "i", "", "unit idle");
  if (numbers_units(page))
    draw_legend_item(page, &x, "f", "3", "in a unit: the warp it serves");
  page->y += SWATCH;
}

void wb_svg_draw_head(struct wb_svg_page *page, const char *title)
{
  draw_title(page, title);
  draw_subtitle(page);
  draw_notes(page);
  draw_legend(page);
}
