#include "report/gantt.h"

#include "base/checked.h"
#include "base/memory.h"
#include "report/gantt_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a picture can show. */
#define MOST_CYCLES 4000
#define MOST_WARP_ROWS 256
#define MOST_UNIT_ROWS 256
/* With more stretches than this, browsers labour with a tooltip for each. */
#define MOST_TOOLTIPS 2500

/* All lengths are in pixels, whole ones: edges stay sharp. */
#define MARGIN 24
#define LEAST_WIDTH 720
#define PLOT_WIDTH_WANTED 1200
#define WIDEST_CELL 22
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
#define TICK_DISTANCE 56
#define TICK_GAP 8
#define LABEL_GAP 10
#define SHARE_WIDTH 68
#define SWATCH 14

#define TITLE_SIZE 19
#define TEXT_SIZE 13
#define LABEL_SIZE 12
#define TICK_SIZE 11
#define LARGEST_LETTER 13

/* How much of a title or string is read: more fits no line. */
#define LONGEST_TITLE 2000
#define LONGEST_STRING 100

/* What a stretch of a row is painted as: a unit type, or one of these. */
enum paint { PAINT_WAITING = WB_UNIT_COUNT, PAINT_IDLE, PAINT_COUNT, PAINT_NOTHING = PAINT_COUNT };

/* A page under way. Everything goes to one of three layers, for guide lines lie
 * over shapes but under letters; the head, which needs the height, is written
 * last. y: where the next thing goes. line: the row being drawn, a value a cycle. */
struct page {
  const struct wb_problem *problem;
  const struct wb_schedule *schedule;
  struct wb_gantt_window window;
  struct wb_text shapes;
  struct wb_text guides;
  struct wb_text letters;
  uint32_t *line;
  unsigned cell;
  unsigned left;
  unsigned plot_width;
  unsigned width;
  unsigned y;
  unsigned tick_step;
  bool tooltips;
};

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

/* Okabe and Ito's colours: apart for every eye, and light enough for dark letters. */
static const char *const type_colours[WB_UNIT_COUNT] = {
    "#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#f0e442",
};

static const char paint_class[PAINT_COUNT + 1] = "LCSDNwi";

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

static unsigned most(unsigned a, unsigned b)
{
  return a > b ? a : b;
}

/* 1, 2, 5, 10, 20, ...: the first that is at least n. */
static unsigned round_step(unsigned n)
{
  unsigned step = 1;
  for (unsigned turn = 0; step < n; turn++)
    step = turn % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

/* ---- Text ---- */

/* One character of UTF-8 and its length in bytes; U+FFFD, one byte long, for what
 * is none or what XML does not allow. */
static uint32_t decode(const char *bytes, size_t *length)
{
  const unsigned char *b = (const unsigned char *)bytes;
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  *length = 1;
  if (b[0] < 0x80)
    return b[0] >= 0x20 ? b[0] : ' ';
  size_t wanted = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
  if (b[0] < 0xc2 || b[0] > 0xf4)
    return 0xfffd;
  uint32_t character = b[0] & (0xffu >> (wanted + 1));
  for (size_t i = 1; i < wanted; i++) {
    if ((b[i] & 0xc0) != 0x80)
      return 0xfffd;
    character = character << 6 | (b[i] & 0x3fu);
  }
  if (character < smallest[wanted] || character > 0x10ffff ||
      (character >= 0xd800 && character < 0xe000) || (character & 0xfffe) == 0xfffe)
    return 0xfffd;
  *length = wanted;
  return character;
}

/* An advance in hundredths of the font size, in the widest sans-serif in use. */
static unsigned advance(uint32_t character)
{
  if (character >= 0x80)
    return 105;
  if (character == ' ' || strchr("ijl.,:;'|!I()[]ftr", (int)character) != NULL)
    return 42;
  if (strchr("mwMW@%", (int)character) != NULL)
    return 102;
  return character >= 'A' && character <= 'Z' ? 77 : 66;
}

static unsigned text_width(const char *string, unsigned size)
{
  unsigned width = 0;
  size_t length;
  for (size_t at = 0; string[at] != '\0' && at < LONGEST_TITLE; at += length)
    width += advance(decode(string + at, &length));
  return width * size / 100 + 1;
}

static void escape_character(const char *bytes, size_t length, uint32_t character,
                             struct wb_text *text)
{
  switch (character) {
  case '&':
    wb_text_string(text, "&amp;");
    break;
  case '<':
    wb_text_string(text, "&lt;");
    break;
  case '>':
    wb_text_string(text, "&gt;");
    break;
  case 0xfffd:
    wb_text_string(text, "\xef\xbf\xbd");
    break;
  case ' ':
    wb_text_string(text, " ");
    break;
  default:
    wb_text_append(text, bytes, length);
  }
}

/* As much of the string as fits into the width, as XML; "..." says what is cut. */
static void escape(const char *string, unsigned size, unsigned width, struct wb_text *text)
{
  bool whole = text_width(string, size) <= width && strlen(string) <= LONGEST_TITLE;
  uint64_t room = (uint64_t)width * 100 / size;
  room = whole ? UINT64_MAX : room - wb_minimum(room, 3 * advance('.'));
  size_t length;
  for (size_t at = 0; string[at] != '\0' && at < LONGEST_TITLE; at += length) {
    uint32_t character = decode(string + at, &length);
    if (advance(character) > room)
      break;
    room -= advance(character);
    escape_character(string + at, length, character, text);
  }
  wb_text_string(text, whole ? "" : "...");
}

/* kind: classes of the style sheet. y: the baseline. */
static void put_text(struct page *page, const char *kind, unsigned x, unsigned y,
                     const char *string)
{
  wb_text_format(&page->letters, "<text class=\"%s\" x=\"%u\" y=\"%u\">%s</text>\n", kind, x, y,
                 string);
}

/* The baseline that centres letters of a size in a band. */
static unsigned baseline(unsigned y, unsigned height, unsigned size)
{
  return y + (height * 50 + size * 36 + 50) / 100;
}

/* ---- Above the plot ---- */

static void draw_title(struct page *page, const char *title)
{
  page->y += TITLE_SIZE;
  wb_text_format(&page->letters, "<text class=\"t\" x=\"%d\" y=\"%u\">", MARGIN, page->y);
  escape(title, TITLE_SIZE, page->width - 2 * MARGIN, &page->letters);
  wb_text_string(&page->letters, "</text>\n");
}

/* Puts an item after the others of a line of text, or on a line of its own. */
static void add_item(struct page *page, struct wb_text *text, const char *item)
{
  unsigned room = page->width - 2 * MARGIN;
  if (text->length > 0 &&
      text_width(text->data, TEXT_SIZE) + text_width(item, TEXT_SIZE) + 24 > room) {
    page->y += TEXT_SIZE + 6;
    put_text(page, "s", MARGIN, page->y, text->data);
    wb_text_free(text);
  }
  wb_text_format(text, "%s%s", text->length > 0 ? " \xc2\xb7 " : "", item);
}

static void end_items(struct page *page, struct wb_text *text)
{
  if (text->length > 0) {
    page->y += TEXT_SIZE + 6;
    put_text(page, "s", MARGIN, page->y, text->data);
  }
  page->letters.failed = page->letters.failed || text->failed;
  wb_text_free(text);
}

static void add_string_item(struct page *page, struct wb_text *text)
{
  const struct wb_kernel_string *string = &page->problem->string;
  struct wb_text letters = {0};
  wb_gantt_string(string, LONGEST_STRING, &letters);
  struct wb_text item = {0};
  wb_text_string(&item, "string ");
  if (!letters.failed && letters.data != NULL)
    escape(letters.data, TEXT_SIZE, page->width - 2 * MARGIN - 220, &item);
  wb_text_format(&item, " (%zu instruction%s)", string->length, string->length == 1 ? "" : "s");
  if (letters.failed || item.failed)
    text->failed = true;
  else
    add_item(page, text, item.data);
  wb_text_free(&letters);
  wb_text_free(&item);
}

static void add_units_item(struct page *page, struct wb_text *text)
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

static void draw_subtitle(struct page *page)
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
static void draw_note(struct page *page, const char *kind, const char *note)
{
  page->y += TEXT_SIZE + 7;
  put_text(page, kind, MARGIN, page->y, note);
}

static void draw_unit_notes(struct page *page, enum wb_unit unit)
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
static void draw_notes(struct page *page)
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

static void draw_legend_item(struct page *page, unsigned *x, const char *kind, const char *sign,
                             const char *meaning)
{
  unsigned width = SWATCH + 6 + text_width(meaning, LABEL_SIZE);
  if (*x > MARGIN && *x + width > page->width - MARGIN) {
    *x = MARGIN;
    page->y += SWATCH + 8;
  }
  wb_text_format(&page->shapes,
                 "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\"/>\n", kind, *x,
                 page->y, SWATCH, SWATCH);
  put_text(page, "b m", *x + SWATCH / 2, baseline(page->y, SWATCH, TICK_SIZE), sign);
  put_text(page, "l", *x + SWATCH + 6, baseline(page->y, SWATCH, LABEL_SIZE), meaning);
  *x += width + 16;
}

static bool has_room_for_letters(const struct page *page, unsigned height)
{
  return page->cell >= LEAST_LETTERED_CELL && height >= LEAST_LETTERED_ROW;
}

static unsigned warp_height(const struct page *page)
{
  return least(most(WARPS_HEIGHT_WANTED / page->window.warp_rows, LOWEST_ROW), HIGHEST_ROW);
}

/* Rows of a group are higher where it would be too low for its label. */
static unsigned unit_height(const struct page *page, enum wb_unit unit)
{
  unsigned height = UNITS_HEIGHT_WANTED / page->window.all_unit_rows;
  height = least(most(height, LOWEST_ROW), HIGHEST_ROW);
  unsigned rows = page->window.unit_rows[unit];
  return most(height, (LEAST_GROUP_HEIGHT + rows - 1) / rows);
}

static bool numbers_units(const struct page *page)
{
  bool any = false;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    any = any || (page->window.unit_rows[u] > 0 &&
                  has_room_for_letters(page, unit_height(page, (enum wb_unit)u)));
  return any && page->tooltips;
}

static void draw_legend(struct page *page)
{
  unsigned x = MARGIN;
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

/* ---- Rows ---- */

static bool next_stretch(const struct page *page, struct stretch *stretch)
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

static unsigned stretch_x(const struct page *page, const struct stretch *stretch)
{
  return page->left + (unsigned)stretch->begin * page->cell;
}

static unsigned stretch_width(const struct page *page, const struct stretch *stretch)
{
  return (unsigned)stretch->length * page->cell - (page->cell >= LEAST_GAPPED_CELL ? 1 : 0);
}

static unsigned bar_height(const struct row *row)
{
  return row->height - (row->height >= LEAST_LETTERED_ROW ? 2 : 1);
}

static void write_tooltip(struct page *page, const struct row *row, const struct stretch *stretch)
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

static void draw_stretches(struct page *page, const struct row *row)
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
static void draw_outlines(struct page *page, const struct row *row)
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

static void draw_row(struct page *page, const struct row *row)
{
  if (page->tooltips)
    draw_stretches(page, row);
  else
    draw_outlines(page, row);
}

static unsigned letter_size(const struct page *page, unsigned height)
{
  return least(least(page->cell * 3 / 4, height * 5 / 8), LARGEST_LETTER);
}

static void begin_letters(struct page *page, unsigned height)
{
  wb_text_format(&page->letters, "<g class=\"m\" font-size=\"%u\">\n", letter_size(page, height));
}

/* A letter in each cell of a warp. */
static void letter_warp(struct page *page, const struct row *row)
{
  unsigned y = baseline(row->y, bar_height(row), letter_size(page, row->height));
  for (size_t at = 0; at < page->window.cycles; at++) {
    if (page->line[at] < WB_UNIT_COUNT)
      wb_text_format(&page->letters, "<text x=\"%u\" y=\"%u\">%c</text>\n",
                     page->left + (unsigned)at * page->cell + page->cell / 2, y,
                     wb_unit_letter((enum wb_unit)page->line[at]));
  }
}

/* The warp that a unit serves, where the stretch has room for its number. */
static void number_unit(struct page *page, const struct row *row)
{
  unsigned size = letter_size(page, row->height);
  struct stretch stretch = {0};
  while (next_stretch(page, &stretch)) {
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, stretch.value);
    unsigned width = stretch_width(page, &stretch);
    if (stretch.value > 0 && text_width(number, size) + 2 <= width)
      wb_text_format(&page->letters, "<text x=\"%u\" y=\"%u\">%s</text>\n",
                     stretch_x(page, &stretch) + width / 2, baseline(row->y, bar_height(row), size),
                     number);
  }
}

static void label_row(struct page *page, const struct row *row, const char *prefix)
{
  unsigned step = round_step((LABEL_DISTANCE + row->height - 1) / row->height);
  /* With every second row labelled the first would have no label. */
  step = step == 2 ? 5 : step;
  bool first = row->number == 1 && (step - 1) * row->height >= LABEL_DISTANCE;
  if (row->number % step != 0 && !first)
    return;
  char label[32];
  snprintf(label, sizeof label, "%s%" PRIu32, prefix, row->number);
  put_text(page, "l e", page->left - LABEL_GAP, baseline(row->y, bar_height(row), LABEL_SIZE),
           label);
}

static void draw_warps(struct page *page)
{
  struct row row = {.unit = WB_UNIT_COUNT, .height = warp_height(page)};
  bool lettered = has_room_for_letters(page, row.height);
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
static void load_unit(struct page *page, size_t unit_row)
{
  const uint32_t *cells = page->window.unit_cells + unit_row * page->window.cycles;
  for (size_t at = 0; at < page->window.cycles; at++)
    page->line[at] = page->tooltips ? cells[at] : cells[at] != 0;
}

static void draw_unit_row(struct page *page, const struct row *row)
{
  load_unit(page, page->window.unit_base[row->unit] + row->number - 1);
  draw_row(page, row);
  if (!page->tooltips || !has_room_for_letters(page, row->height))
    return;
  begin_letters(page, row->height);
  number_unit(page, row);
  wb_text_string(&page->letters, "</g>\n");
}

/* One label for a group that is too low for one at its rows. */
static void label_group(struct page *page, enum wb_unit unit, unsigned height)
{
  char label[32];
  char letter = wb_unit_letter(unit);
  snprintf(label, sizeof label, "%c1-%c%" PRIu32, letter, letter, page->window.unit_rows[unit]);
  put_text(page, "l e", page->left - LABEL_GAP, baseline(page->y, height, LABEL_SIZE), label);
}

static void draw_share(struct page *page, enum wb_unit unit, unsigned height)
{
  char share[32];
  unsigned permille = wb_gantt_busy_permille(page->problem, page->schedule, unit);
  snprintf(share, sizeof share, "%u.%u %%", permille / 10, permille % 10);
  put_text(page, "h e", page->left + page->plot_width + SHARE_WIDTH,
           baseline(page->y, height, LABEL_SIZE), share);
}

static void draw_group(struct page *page, enum wb_unit unit)
{
  unsigned rows = page->window.unit_rows[unit];
  unsigned height = unit_height(page, unit);
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

static void draw_units(struct page *page)
{
  if (page->window.all_unit_rows == 0)
    return;
  put_text(page, "h e", page->left - LABEL_GAP, page->y - 6, "units");
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (page->window.unit_rows[u] > 0)
      draw_group(page, (enum wb_unit)u);
  }
}

/* A bar a cycle: how many of the issue slots are used. */
static void draw_slots(struct page *page)
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
  put_text(page, "l e", page->left - LABEL_GAP, middle - 3, "issued");
  put_text(page, "l e", page->left - LABEL_GAP, middle + LABEL_SIZE, label);
  draw_share(page, WB_UNIT_COUNT, SLOTS_HEIGHT);
  page->y += SLOTS_HEIGHT + GROUP_GAP;
}

/* ---- Axis ---- */

/* The middle of a number's place: its column where that can be seen, else the
 * guide line at the column's end. */
static unsigned tick_x(const struct page *page, unsigned cycle)
{
  unsigned end = page->left + cycle * page->cell;
  return page->cell >= LEAST_LETTERED_CELL ? end - page->cell / 2 : end;
}

static unsigned half_tick_width(unsigned cycle)
{
  char number[16];
  snprintf(number, sizeof number, "%u", cycle);
  return (text_width(number, TICK_SIZE) + 1) / 2;
}

/* Numbers of the first cycle, of each step and of the last, as far as they do not
 * come too near each other. */
static void draw_tick_numbers(struct page *page, unsigned y)
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
    put_text(page, "k m", x, y, number);
    written = x + half + TICK_GAP;
  }
}

static void draw_guide(struct page *page, unsigned cycle, unsigned top, unsigned bottom)
{
  wb_text_format(&page->guides, "M%u.5 %uV%u", page->left + cycle * page->cell - 1, top, bottom);
}

/* Lines after every step and the last cycle. */
static void draw_guides(struct page *page, unsigned top, unsigned bottom)
{
  wb_text_string(&page->guides, "<path class=\"g\" d=\"");
  unsigned last = (unsigned)page->window.cycles;
  for (unsigned cycle = 0; cycle < last; cycle += page->tick_step)
    draw_guide(page, cycle, top, bottom);
  draw_guide(page, last, top, bottom);
  wb_text_string(&page->guides, "\"/>\n");
}

/* Pale lines between the cells of a stretch, so that they can be counted. */
static void draw_separators(struct page *page, unsigned top, unsigned bottom)
{
  if (page->cell < LEAST_LETTERED_CELL)
    return;
  wb_text_string(&page->guides, "<path class=\"c\" d=\"");
  for (unsigned cycle = 1; cycle < page->window.cycles; cycle++)
    draw_guide(page, cycle, top, bottom);
  wb_text_string(&page->guides, "\"/>\n");
}

static void draw_plot(struct page *page)
{
  page->y += 34;
  unsigned top = page->y;
  put_text(page, "h e", page->left - LABEL_GAP, top - 10, "cycle");
  draw_tick_numbers(page, top - 10);
  draw_warps(page);
  draw_separators(page, top, page->y);
  page->y += SECTION_GAP - GROUP_GAP;
  unsigned units_top = page->y;
  draw_units(page);
  draw_slots(page);
  if (page->y > units_top)
    put_text(page, "h e", page->left + page->plot_width + SHARE_WIDTH, units_top - 6, "busy");
  page->y -= GROUP_GAP;
  draw_guides(page, top - 6, page->y + 5);
  draw_tick_numbers(page, page->y + 9 + TICK_SIZE);
  page->y += 9 + TICK_SIZE;
}

/* ---- The page ---- */

static void write_style(const struct page *page, struct wb_text *text)
{
  wb_text_format(text,
                 "<style>text{fill:#1a1a1a}.t{font-size:%dpx;font-weight:bold}.s{font-size:%dpx}"
                 ".n{font-size:%dpx;font-weight:bold;fill:#8a3000}.l{font-size:%dpx}"
                 ".h{font-size:%dpx;font-weight:bold}.k,.b{font-size:%dpx}"
                 ".m{text-anchor:middle}.e{text-anchor:end}\n",
                 TITLE_SIZE, TEXT_SIZE, TEXT_SIZE, LABEL_SIZE, LABEL_SIZE, TICK_SIZE);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (page->problem->string.count[u] > 0)
      wb_text_format(text, ".%c{fill:%s}", wb_unit_letter((enum wb_unit)u), type_colours[u]);
  }
  wb_text_string(text, ".w{fill:#d9d9d9}.i{fill:url(#idle)}.f{fill:#fff;stroke:#b3b3b3}"
                       ".q{fill:#ececec}.u{fill:#595959}"
                       ".g{fill:none;stroke:#000;stroke-opacity:.3}"
                       ".c{fill:none;stroke:#fff;stroke-opacity:.55}</style>\n"
                       "<defs><pattern id=\"idle\" width=\"5\" height=\"5\" "
                       "patternUnits=\"userSpaceOnUse\"><rect width=\"5\" height=\"5\" "
                       "fill=\"#fafafa\"/><path d=\"M-1 1l2-2M0 5l5-5M4 6l2-2\" stroke=\"#a6a6a6\" "
                       "stroke-width=\"1\"/></pattern></defs>\n");
}

static void write_layer(const struct wb_text *layer, const char *attributes, struct wb_text *text)
{
  wb_text_format(text, "<g %s>\n", attributes);
  if (layer->failed)
    text->failed = true;
  else if (layer->data != NULL)
    wb_text_append(text, layer->data, layer->length);
  wb_text_string(text, "</g>\n");
}

static void write_page(const struct page *page, const char *title, struct wb_text *text)
{
  unsigned height = page->y + MARGIN;
  wb_text_format(text,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                 "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" role=\"img\">\n<title>",
                 page->width, height, page->width, height);
  escape(title, 1, LONGEST_TITLE * 2, text);
  wb_text_string(text, "</title>\n");
  write_style(page, text);
  wb_text_format(text, "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n", page->width, height);
  write_layer(&page->shapes, "shape-rendering=\"crispEdges\"", text);
  write_layer(&page->guides, "pointer-events=\"none\"", text);
  write_layer(&page->letters, "pointer-events=\"none\"", text);
  wb_text_string(text, "</svg>\n");
}

/* Stretches of all rows, finished ones too. */
static size_t count_stretches(const struct wb_gantt_window *window)
{
  size_t count = 0;
  for (size_t at = 0; at < window->warp_rows * window->cycles; at++)
    count += at % window->cycles == 0 || window->warp_cells[at] != window->warp_cells[at - 1];
  for (size_t at = 0; at < window->all_unit_rows * window->cycles; at++)
    count += at % window->cycles == 0 || window->unit_cells[at] != window->unit_cells[at - 1];
  return count;
}

static unsigned widest_label(const struct page *page)
{
  char label[32];
  snprintf(label, sizeof label, "warp %" PRIu32, page->window.warp_rows);
  unsigned width = text_width(label, LABEL_SIZE);
  width = most(width, text_width("issued", LABEL_SIZE));
  snprintf(label, sizeof label, "of %" PRIu32, page->problem->issue_slots);
  return wb_problem_capped(page->problem) ? most(width, text_width(label, LABEL_SIZE)) : width;
}

static void measure(struct page *page)
{
  unsigned cycles = (unsigned)page->window.cycles;
  page->cell = least(most((PLOT_WIDTH_WANTED + cycles / 2) / cycles, 1), WIDEST_CELL);
  page->left = MARGIN + widest_label(page) + LABEL_GAP;
  page->plot_width = page->cell * cycles;
  page->width = most(page->left + page->plot_width + SHARE_WIDTH + MARGIN, LEAST_WIDTH);
  page->tick_step = round_step((TICK_DISTANCE + page->cell - 1) / page->cell);
  page->tooltips = count_stretches(&page->window) <= MOST_TOOLTIPS;
  page->y = MARGIN;
}

static unsigned types_with_units(const struct wb_problem *problem)
{
  unsigned types = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    types += wb_gantt_units(problem, (enum wb_unit)u) > 0;
  return types;
}

static bool start(struct page *page)
{
  const struct wb_problem *problem = page->problem;
  page->window = (struct wb_gantt_window){
      .first = 1,
      .cycles = (size_t)wb_minimum(wb_maximum(page->schedule->makespan, 1), MOST_CYCLES),
      .warp_rows = (uint32_t)wb_minimum(problem->warps, MOST_WARP_ROWS),
      .unit_row_limit = MOST_UNIT_ROWS / most(types_with_units(problem), 1),
  };
  uint8_t *types = wb_kernel_string_expand(&problem->string);
  page->line = wb_allocate(page->window.cycles, sizeof *page->line);
  bool started = types != NULL && page->line != NULL &&
                 wb_gantt_window_make(problem, page->schedule, types, &page->window);
  free(types);
  if (started)
    measure(page);
  return started;
}

static void finish(struct page *page)
{
  wb_gantt_window_free(&page->window);
  wb_text_free(&page->shapes);
  wb_text_free(&page->guides);
  wb_text_free(&page->letters);
  free(page->line);
}

void wb_gantt_svg(const struct wb_problem *problem, const struct wb_schedule *schedule,
                  const char *title, struct wb_text *text)
{
  struct page page = {.problem = problem, .schedule = schedule};
  title = title != NULL ? title : "Schedule";
  if (start(&page)) {
    draw_title(&page, title);
    draw_subtitle(&page);
    draw_notes(&page);
    draw_legend(&page);
    draw_plot(&page);
    write_page(&page, title, text);
  } else {
    text->failed = true;
  }
  finish(&page);
}
