/* The picture of a schedule for a terminal: head, legend, rows, shares. */
#include "base/checked.h"
#include "base/text.h"
#include "report/gantt/gantt.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Counts up to 9 have a digit and up to 35 a letter. */
#define MOST_DIGITS 9
#define MOST_LETTERS 35

/* The sign of a warp that waits at a barrier. */
#define BARRIER_SIGN ':'

/* A picture under way. style: the escape in force, "" for none. */
struct page {
  struct wb_gantt_plan plan;
  struct wb_text *text;
  struct wb_gantt_window window;
  const char *style;
  int digits; /* of the largest number of a warp that is shown */
  int label_width;
  size_t columns;
  bool colour;
};

static const char *const type_styles[WB_UNIT_COUNT] = {
    "\033[30;43m", "\033[30;46m", "\033[30;42m", "\033[30;45m",
    "\033[37;44m", "\033[30;47m", "\033[30;41m",
};

static const char barrier_style[] = "\033[31m";

/* Changes the escape in force, where there is colour; style: static, "" for none. */
static void set_style(struct page *terminal, const char *style)
{
  if (!terminal->colour || terminal->style == style)
    return;
  if (*terminal->style != '\0')
    wb_text_string(terminal->text, wb_style(WB_STYLE_PLAIN, true));
  wb_text_string(terminal->text, style);
  terminal->style = style;
}

/* Adds an item of a legend, on a new line where it would not fit. */
static void write_legend_item(struct page *terminal, size_t *column, const char *style,
                              const char *sign, const char *meaning)
{
  const size_t length = strlen(sign) + 1 + strlen(meaning);
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

static void write_legend(struct page *terminal)
{
  const struct wb_gantt_plan *plan = &terminal->plan;
  const char barrier[] = {BARRIER_SIGN, '\0'};
  size_t column = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    char sign[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
    if (wb_gantt_uses(plan->problem, (enum wb_unit)u))
      write_legend_item(terminal, &column, type_styles[u], sign, wb_unit_name((enum wb_unit)u));
  }
  write_legend_item(terminal, &column, "", ".", "waiting");
  if (wb_gantt_uses(plan->problem, WB_UNIT_BARRIER))
    write_legend_item(terminal, &column, barrier_style, barrier, "waiting at a barrier");
  write_legend_item(terminal, &column, "", "blank", "finished");
  /* The largest count that a row of units or of issue slots can show. */
  uint32_t largest = plan->capped ? plan->problem->issue_slots : 0;
  for (size_t i = 0; i < plan->pool_count; i++)
    largest = (uint32_t)wb_maximum(largest, plan->pools[i].units);
  if (largest > 0)
    write_legend_item(terminal, &column, "", "-", "no unit busy");
  if (largest > MOST_DIGITS)
    write_legend_item(terminal, &column, "", "a..z", "10 to 35 busy");
  if (largest > MOST_LETTERS)
    write_legend_item(terminal, &column, "", "+", "more");
  wb_text_string(terminal->text, "\n");
}

static void write_share(struct page *terminal, enum wb_unit unit)
{
  const struct wb_gantt_plan *plan = &terminal->plan;
  const struct wb_sm_problem *problem = plan->problem;
  const unsigned permille = wb_gantt_busy_permille(plan, unit, WB_GANTT_ALL_PARTITIONS);
  bool shared = false;
  wb_text_format(terminal->text, "busy %3u.%u %%  ", permille / 10, permille % 10);
  if (unit == WB_UNIT_COUNT) {
    wb_text_format(terminal->text, "issue slots, %" PRIu32 " a cycle", problem->issue_slots);
  } else {
    const uint32_t units = problem->capacity[unit];
    const char letter[2] = {wb_unit_letter(unit), '\0'};
    shared = problem->shared[unit];
    set_style(terminal, type_styles[unit]);
    wb_text_string(terminal->text, letter);
    set_style(terminal, "");
    wb_text_format(terminal->text, " %s, %" PRIu32 " unit%s", wb_unit_name(unit), units,
                   units == 1 ? "" : "s");
  }
  /* Where they are, if there are several partitions. */
  if (plan->partitions > 1 && shared)
    wb_text_string(terminal->text, " shared by all partitions");
  else if (plan->partitions > 1)
    wb_text_format(terminal->text, " in each of %" PRIu32 " partitions", plan->partitions);
  wb_text_string(terminal->text, "\n");
}

#define DEFAULT_COLUMNS 80
#define MOST_COLUMNS 4096
#define LEAST_CELLS 10
#define MOST_STRETCHES 20

static void write_cell(struct page *terminal, const char *style, char character)
{
  set_style(terminal, style);
  wb_text_append(terminal->text, &character, 1);
}

/* The label of a row of units, or of issue slots for WB_UNIT_COUNT; its length. */
static int write_label(const struct page *terminal, enum wb_unit unit, char label[48])
{
  const struct wb_sm_problem *problem = terminal->plan.problem;
  return unit == WB_UNIT_COUNT
             ? snprintf(label, 48, "issued of %" PRIu32, problem->issue_slots)
             : snprintf(label, 48, "%c of %" PRIu32, wb_unit_letter(unit), problem->capacity[unit]);
}

/* A row of numbers of busy units of a type, or of issue slots for WB_UNIT_COUNT. */
static void write_counts(struct page *terminal, enum wb_unit unit, const uint32_t *counts)
{
  static const char signs[] = "-123456789abcdefghijklmnopqrstuvwxyz";
  char label[48];
  write_label(terminal, unit, label);
  wb_text_format(terminal->text, "%*s |", terminal->label_width, label);
  for (size_t at = 0; at < terminal->window.cycles; at++)
    write_cell(terminal, unit != WB_UNIT_COUNT && counts[at] > 0 ? type_styles[unit] : "",
               counts[at] <= MOST_LETTERS ? signs[counts[at]] : '+');
  set_style(terminal, "");
  wb_text_string(terminal->text, "|\n");
}

static void write_ruler_ticks(struct page *terminal)
{
  wb_text_format(terminal->text, "%*s |", terminal->label_width, "");
  for (size_t at = 0; at < terminal->window.cycles; at++) {
    uint64_t cycle = terminal->window.first + at;
    wb_text_string(terminal->text, cycle % 10 == 0 ? "+" : cycle % 5 == 0 ? "'" : "-");
  }
  wb_text_string(terminal->text, "|\n");
}

/* The pools of a partition, or the shared ones. */
static void write_pools(struct page *terminal, uint32_t partition)
{
  for (size_t i = 0; i < terminal->plan.pool_count; i++) {
    const struct wb_gantt_pool *pool = &terminal->plan.pools[i];
    if (pool->partition == partition)
      write_counts(terminal, pool->unit, terminal->window.used + i * terminal->window.cycles);
  }
}

static void write_partition(struct page *terminal, uint32_t partition)
{
  if (terminal->plan.partitions > 1)
    wb_text_format(terminal->text, "partition %" PRIu32 "\n", partition + 1);
  /* The warps of a partition, each block under its name where there are several. */
  const struct wb_gantt_plan *plan = &terminal->plan;
  uint32_t first = plan->first_row[partition];
  for (uint32_t row = first; row < plan->first_row[partition + 1]; row++) {
    uint32_t block = wb_sm_block_of(plan->problem, plan->warps[row]);
    bool begins = row == first || wb_sm_block_of(plan->problem, plan->warps[row - 1]) != block;
    if (begins && plan->problem->blocks > 1)
      wb_text_format(terminal->text, "block %" PRIu32 "\n", block + 1);
    wb_text_format(terminal->text, "%*swarp %*" PRIu32 " |",
                   terminal->label_width - terminal->digits - 5, "", terminal->digits,
                   plan->warps[row] + 1);
    const uint32_t *cells = terminal->window.warp_cells + row * terminal->window.cycles;
    for (size_t at = 0; at < terminal->window.cycles; at++) {
      if (cells[at] < WB_UNIT_COUNT)
        write_cell(terminal, type_styles[cells[at]], wb_unit_letter((enum wb_unit)cells[at]));
      else if (cells[at] == WB_GANTT_BARRIER)
        write_cell(terminal, barrier_style, BARRIER_SIGN);
      else
        write_cell(terminal, "", cells[at] == WB_GANTT_WAITING ? '.' : ' ');
    }
    set_style(terminal, "");
    wb_text_string(terminal->text, "|\n");
  }
  write_ruler_ticks(terminal);
  write_pools(terminal, partition);
  if (plan->capped)
    write_counts(terminal, WB_UNIT_COUNT,
                 terminal->window.issued + partition * terminal->window.cycles);
}

/* Numbers that end above their cycle, every tenth and the stretch's first. */
static void write_numbers(struct page *terminal)
{
  const struct wb_gantt_window *window = &terminal->window;
  char number[24];
  wb_text_format(terminal->text, "\n%*s  ", terminal->label_width, "cycle");
  size_t written = 0;
  for (size_t at = 0; at < window->cycles; at++) {
    const uint64_t cycle = window->first + at;
    const size_t length = (size_t)snprintf(number, sizeof number, "%" PRIu64, cycle);
    if (at > 0 && (cycle % 10 != 0 || written + length >= at + 1))
      continue;
    if (at > 0)
      wb_text_fill(terminal->text, ' ', at + 1 - written - length);
    wb_text_append(terminal->text, number, length);
    written = at > 0 ? at + 1 : length;
  }
  wb_text_string(terminal->text, "\n");
}

static void write_stretches(struct page *terminal)
{
  /* Cycles of a stretch. Whole tens, so that the rulers of all stretches look alike. */
  size_t frame = (size_t)terminal->label_width + 3;
  const bool narrow = terminal->columns < frame + LEAST_CELLS;
  const size_t width = narrow ? LEAST_CELLS : (terminal->columns - frame) / 10 * 10;
  const struct wb_gantt_plan *plan = &terminal->plan;
  const uint64_t makespan = plan->schedule->makespan;
  uint64_t shown = 0;
  for (unsigned turn = 0; turn < MOST_STRETCHES && shown < makespan; turn++) {
    const size_t cycles = (size_t)wb_minimum(width, makespan - shown);
    if (wb_gantt_window_make(plan, shown + 1, cycles, &terminal->window)) {
      write_numbers(terminal);
      write_ruler_ticks(terminal);
      for (uint32_t p = 0; p < plan->partitions; p++)
        write_partition(terminal, p);
      if (wb_gantt_has_shared_pools(plan)) {
        wb_text_string(terminal->text, "shared by all partitions\n");
        write_pools(terminal, WB_GANTT_ALL_PARTITIONS);
      }
    } else {
      terminal->text->failed = true;
    }
    wb_gantt_window_free(&terminal->window);
    shown += cycles;
  }
  const uint32_t warps = plan->schedule->warps;
  if (shown < makespan)
    wb_text_format(terminal->text,
                   "\nLeft out: cycles %" PRIu64 " to %" PRIu64 " (%" PRIu64 " of %" PRIu64 ").\n",
                   shown + 1, makespan, makespan - shown, makespan);
  if (plan->warp_rows < warps)
    wb_text_format(terminal->text,
                   "\nLeft out: %" PRIu32 " of %" PRIu32
                   " warps; those that finish last are shown, the units serve all.\n",
                   warps - plan->warp_rows, warps);
}

void wb_gantt_terminal(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                       size_t columns, size_t rows, bool colour, struct wb_text *text)
{
  struct page terminal = {.text = text, .style = "", .colour = colour};
  terminal.columns = (size_t)wb_minimum(columns > 0 ? columns : DEFAULT_COLUMNS, MOST_COLUMNS);
  uint32_t limit = (uint32_t)wb_minimum(rows > 0 ? rows : UINT32_MAX, UINT32_MAX);
  if (wb_gantt_plan_make(problem, schedule, limit, 0, &terminal.plan)) {
    const struct wb_gantt_plan *plan = &terminal.plan;
    char label[48];
    uint32_t largest = 1;
    for (uint32_t row = 0; row < plan->warp_rows; row++)
      largest = (uint32_t)wb_maximum(largest, plan->warps[row] + 1);
    terminal.digits = snprintf(NULL, 0, "%" PRIu32, largest);
    terminal.label_width = terminal.digits + 5;
    for (size_t i = 0; i < plan->pool_count + plan->capped; i++) {
      const bool slots = i == plan->pool_count;
      int width = write_label(&terminal, slots ? WB_UNIT_COUNT : plan->pools[i].unit, label);
      terminal.label_width = width > terminal.label_width ? width : terminal.label_width;
    }
    wb_gantt_strings(problem, terminal.columns / 2, text);
    wb_text_format(text, ": %" PRIu32 " warp%s", schedule->warps, schedule->warps == 1 ? "" : "s");
    wb_gantt_division(problem, text);
    wb_text_format(text, ", %" PRIu64 " cycle%s\n", schedule->makespan,
                   schedule->makespan == 1 ? "" : "s");
    write_legend(&terminal);
    write_stretches(&terminal);
    wb_text_string(terminal.text, "\n");
    for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
      if (wb_gantt_uses(terminal.plan.problem, (enum wb_unit)u))
        write_share(&terminal, (enum wb_unit)u);
    }
    if (terminal.plan.capped)
      write_share(&terminal, WB_UNIT_COUNT);
  } else {
    text->failed = true;
  }
  wb_gantt_plan_free(&terminal.plan);
}
