#include "report/gantt.h"

#include "base/checked.h"
#include "report/gantt_layout.h"
#include "report/style.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_COLUMNS 80
#define MOST_COLUMNS 4096
#define LEAST_CELLS 10
#define MOST_BLOCKS 20
/* Counts up to 9 have a digit and up to 35 a letter. */
#define MOST_DIGITS 9
#define MOST_LETTERS 35

/* A picture under way. style: the escape in force, "" for none. */
struct terminal {
  const struct wb_problem *problem;
  const struct wb_schedule *schedule;
  struct wb_text *text;
  struct wb_gantt_window window;
  const uint8_t *types;
  const char *style;
  int label_width;
  size_t columns;
  bool colour;
};

/* Black on a colour that is light in the usual palettes. */
static const char *const type_styles[WB_UNIT_COUNT] = {
    "\033[30;43m", "\033[30;46m", "\033[30;42m", "\033[30;45m", "\033[30;47m", "\033[30;41m",
};

static void set_style(struct terminal *terminal, const char *style)
{
  if (!terminal->colour || terminal->style == style)
    return;
  if (*terminal->style != '\0')
    wb_text_string(terminal->text, wb_style(WB_STYLE_PLAIN, true));
  wb_text_string(terminal->text, style);
  terminal->style = style;
}

static void write_cell(struct terminal *terminal, const char *style, char character)
{
  set_style(terminal, style);
  wb_text_append(terminal->text, &character, 1);
}

static void begin_row(struct terminal *terminal, const char *label)
{
  wb_text_format(terminal->text, "%*s |", terminal->label_width, label);
}

static void end_row(struct terminal *terminal)
{
  set_style(terminal, "");
  wb_text_string(terminal->text, "|\n");
}

static void write_numbered_label(struct terminal *terminal, uint32_t warp, size_t size, char *label)
{
  int digits = snprintf(NULL, 0, "%" PRIu32, terminal->window.warp_rows);
  snprintf(label, size, "warp %*" PRIu32, digits, warp + 1);
}

static void write_unit_label(const struct terminal *terminal, enum wb_unit unit, size_t size,
                             char *label)
{
  snprintf(label, size, "%c of %" PRIu32, wb_unit_letter(unit), terminal->problem->capacity[unit]);
}

static void write_slot_label(const struct terminal *terminal, size_t size, char *label)
{
  snprintf(label, size, "issued of %" PRIu32, terminal->problem->issue_slots);
}

static int wider(int width, const char *label)
{
  int length = snprintf(NULL, 0, "%s", label);
  return length > width ? length : width;
}

static int measure_labels(struct terminal *terminal)
{
  char label[48];
  write_numbered_label(terminal, terminal->window.warp_rows - 1, sizeof label, label);
  int width = wider(0, label);
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (wb_gantt_units(terminal->problem, (enum wb_unit)u) == 0)
      continue;
    write_unit_label(terminal, (enum wb_unit)u, sizeof label, label);
    width = wider(width, label);
  }
  if (wb_problem_capped(terminal->problem)) {
    write_slot_label(terminal, sizeof label, label);
    width = wider(width, label);
  }
  return width;
}

/* Numbers that end above their cycle, every tenth and the block's first. */
static void write_ruler_numbers(struct terminal *terminal)
{
  const struct wb_gantt_window *window = &terminal->window;
  wb_text_format(terminal->text, "%*s  ", terminal->label_width, "cycle");
  char number[24];
  size_t written =
      (size_t)snprintf(number, sizeof number, "%" PRIu64, window->first) % sizeof number;
  wb_text_append(terminal->text, number, written);
  for (size_t at = 0; at < window->cycles; at++) {
    uint64_t cycle = window->first + at;
    size_t length = (size_t)snprintf(number, sizeof number, "%" PRIu64, cycle) % sizeof number;
    if (cycle % 10 != 0 || written + length >= at + 1)
      continue;
    wb_text_fill(terminal->text, ' ', at + 1 - written - length);
    wb_text_append(terminal->text, number, length);
    written = at + 1;
  }
  wb_text_string(terminal->text, "\n");
}

static void write_ruler_ticks(struct terminal *terminal)
{
  wb_text_format(terminal->text, "%*s |", terminal->label_width, "");
  for (size_t at = 0; at < terminal->window.cycles; at++) {
    uint64_t cycle = terminal->window.first + at;
    wb_text_string(terminal->text, cycle % 10 == 0 ? "+" : cycle % 5 == 0 ? "'" : "-");
  }
  wb_text_string(terminal->text, "|\n");
}

static void write_warp(struct terminal *terminal, uint32_t warp)
{
  char label[48];
  write_numbered_label(terminal, warp, sizeof label, label);
  begin_row(terminal, label);
  const uint32_t *cells = terminal->window.warp_cells + warp * terminal->window.cycles;
  for (size_t at = 0; at < terminal->window.cycles; at++) {
    if (cells[at] < WB_UNIT_COUNT)
      write_cell(terminal, type_styles[cells[at]], wb_unit_letter((enum wb_unit)cells[at]));
    else
      write_cell(terminal, "", cells[at] == WB_GANTT_WAITING ? '.' : ' ');
  }
  end_row(terminal);
}

static char count_sign(uint32_t count)
{
  static const char signs[] = "-123456789abcdefghijklmnopqrstuvwxyz";
  return count <= MOST_LETTERS ? signs[count] : '+';
}

static void write_units(struct terminal *terminal, enum wb_unit unit)
{
  if (wb_gantt_units(terminal->problem, unit) == 0)
    return;
  char label[48];
  write_unit_label(terminal, unit, sizeof label, label);
  begin_row(terminal, label);
  const uint32_t *used = terminal->window.used + unit * terminal->window.cycles;
  for (size_t at = 0; at < terminal->window.cycles; at++)
    write_cell(terminal, used[at] > 0 ? type_styles[unit] : "", count_sign(used[at]));
  end_row(terminal);
}

static void write_slots(struct terminal *terminal)
{
  if (!wb_problem_capped(terminal->problem))
    return;
  char label[48];
  write_slot_label(terminal, sizeof label, label);
  begin_row(terminal, label);
  for (size_t at = 0; at < terminal->window.cycles; at++)
    write_cell(terminal, "", count_sign(wb_gantt_issued(&terminal->window, at)));
  end_row(terminal);
}

/* One block: the cycles from `first` on. */
static void write_block(struct terminal *terminal, uint64_t first, size_t cycles)
{
  terminal->window.first = first;
  terminal->window.cycles = cycles;
  uint32_t rows = terminal->window.warp_rows;
  if (wb_gantt_window_make(terminal->problem, terminal->schedule, terminal->types,
                           &terminal->window)) {
    wb_text_string(terminal->text, "\n");
    write_ruler_numbers(terminal);
    write_ruler_ticks(terminal);
    for (uint32_t w = 0; w < rows; w++)
      write_warp(terminal, w);
    write_ruler_ticks(terminal);
    for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
      write_units(terminal, (enum wb_unit)u);
    write_slots(terminal);
  } else {
    terminal->text->failed = true;
  }
  wb_gantt_window_free(&terminal->window);
  terminal->window.warp_rows = rows;
}

static void write_head(struct terminal *terminal)
{
  const struct wb_problem *problem = terminal->problem;
  wb_gantt_string(&problem->string, terminal->columns / 2, terminal->text);
  wb_text_format(terminal->text, ": %" PRIu32 " warp%s, %" PRIu64 " cycle%s\n", problem->warps,
                 problem->warps == 1 ? "" : "s", terminal->schedule->makespan,
                 terminal->schedule->makespan == 1 ? "" : "s");
}

/* Adds an item of a legend, on a new line where it would not fit. */
static void write_legend_item(struct terminal *terminal, size_t *column, const char *style,
                              const char *sign, const char *meaning)
{
  int width = snprintf(NULL, 0, "%s %s", sign, meaning);
  size_t length = width > 0 ? (size_t)width : 0;
  if (*column > 0 && *column + 3 + length > terminal->columns) {
    wb_text_string(terminal->text, "\n");
    *column = 0;
  }
  wb_text_string(terminal->text, *column > 0 ? "   " : "");
  *column += length + (*column > 0 ? 3 : 0);
  set_style(terminal, style);
  wb_text_string(terminal->text, sign);
  set_style(terminal, "");
  wb_text_format(terminal->text, " %s", meaning);
}

/* The largest count that a row of units or of issue slots can show. */
static uint32_t largest_count(const struct wb_problem *problem)
{
  uint32_t largest = wb_problem_capped(problem) ? problem->issue_slots : 0;
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    largest = (uint32_t)wb_maximum(largest, wb_gantt_units(problem, (enum wb_unit)u));
  return largest;
}

static void write_legend(struct terminal *terminal)
{
  size_t column = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    char sign[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
    if (terminal->problem->string.count[u] > 0)
      write_legend_item(terminal, &column, type_styles[u], sign, wb_unit_name((enum wb_unit)u));
  }
  write_legend_item(terminal, &column, "", ".", "waiting");
  write_legend_item(terminal, &column, "", "blank", "finished");
  uint32_t largest = largest_count(terminal->problem);
  if (largest > 0)
    write_legend_item(terminal, &column, "", "-", "no unit busy");
  if (largest > MOST_DIGITS)
    write_legend_item(terminal, &column, "", "a..z", "10 to 35 busy");
  if (largest > MOST_LETTERS)
    write_legend_item(terminal, &column, "", "+", "more");
  wb_text_string(terminal->text, "\n");
}

static void write_share(struct terminal *terminal, enum wb_unit unit)
{
  unsigned permille = wb_gantt_busy_permille(terminal->problem, terminal->schedule, unit);
  wb_text_format(terminal->text, "busy %3u.%u %%  ", permille / 10, permille % 10);
  if (unit == WB_UNIT_COUNT) {
    wb_text_format(terminal->text, "issue slots, %" PRIu32 " a cycle\n",
                   terminal->problem->issue_slots);
    return;
  }
  char letter[2] = {wb_unit_letter(unit), '\0'};
  uint32_t units = terminal->problem->capacity[unit];
  set_style(terminal, type_styles[unit]);
  wb_text_string(terminal->text, letter);
  set_style(terminal, "");
  wb_text_format(terminal->text, " %s, %" PRIu32 " unit%s\n", wb_unit_name(unit), units,
                 units == 1 ? "" : "s");
}

/* How busy each type is over the whole schedule, shown or not. */
static void write_shares(struct terminal *terminal)
{
  const struct wb_problem *problem = terminal->problem;
  wb_text_string(terminal->text, "\n");
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0)
      write_share(terminal, (enum wb_unit)u);
  }
  if (wb_problem_capped(problem))
    write_share(terminal, WB_UNIT_COUNT);
}

static void write_left_out(struct terminal *terminal, uint64_t shown)
{
  uint64_t makespan = terminal->schedule->makespan;
  uint32_t rows = terminal->window.warp_rows;
  if (shown < makespan)
    wb_text_format(terminal->text,
                   "\nLeft out: cycles %" PRIu64 " to %" PRIu64 " (%" PRIu64 " of %" PRIu64 ").\n",
                   shown + 1, makespan, makespan - shown, makespan);
  if (rows < terminal->problem->warps)
    wb_text_format(terminal->text,
                   "\nLeft out: warps %" PRIu32 " to %" PRIu32 " of %" PRIu32
                   "; the units serve them too.\n",
                   rows + 1, terminal->problem->warps, terminal->problem->warps);
}

/* Cycles of a block. Whole tens, so that the rulers of all blocks look alike. */
static size_t block_cycles(const struct terminal *terminal)
{
  size_t frame = (size_t)terminal->label_width + 3;
  if (terminal->columns < frame + LEAST_CELLS)
    return LEAST_CELLS;
  return (terminal->columns - frame) / 10 * 10;
}

static void write_blocks(struct terminal *terminal)
{
  size_t width = block_cycles(terminal);
  uint64_t shown = 0;
  for (unsigned block = 0; block < MOST_BLOCKS && shown < terminal->schedule->makespan; block++) {
    uint64_t rest = terminal->schedule->makespan - shown;
    size_t cycles = (size_t)wb_minimum(width, rest);
    write_block(terminal, shown + 1, cycles);
    shown += cycles;
  }
  write_left_out(terminal, shown);
}

void wb_gantt_terminal(const struct wb_problem *problem, const struct wb_schedule *schedule,
                       size_t columns, size_t rows, bool colour, struct wb_text *text)
{
  struct terminal terminal = {
      .problem = problem, .schedule = schedule, .text = text, .style = "", .colour = colour};
  terminal.columns = (size_t)wb_minimum(columns > 0 ? columns : DEFAULT_COLUMNS, MOST_COLUMNS);
  terminal.window.warp_rows =
      rows > 0 ? (uint32_t)wb_minimum(rows, problem->warps) : problem->warps;
  terminal.label_width = measure_labels(&terminal);
  uint8_t *types = wb_kernel_string_expand(&problem->string);
  terminal.types = types;
  if (types == NULL) {
    text->failed = true;
    return;
  }
  write_head(&terminal);
  write_legend(&terminal);
  write_blocks(&terminal);
  write_shares(&terminal);
  free(types);
}
