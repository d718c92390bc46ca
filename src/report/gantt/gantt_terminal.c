/* The picture for a terminal: its rows. */
#include "report/gantt/gantt.h"

#include "base/checked.h"
#include "report/gantt/gantt_terminal_page.h"

#include <inttypes.h>
#include <stdio.h>

#define DEFAULT_COLUMNS 80
#define MOST_COLUMNS 4096
#define LEAST_CELLS 10
#define MOST_STRETCHES 20

static void write_cell(struct wb_terminal_page *terminal, const char *style, char character)
{
  wb_terminal_set_style(terminal, style);
  wb_text_append(terminal->text, &character, 1);
}

static void begin_row(struct wb_terminal_page *terminal, const char *label)
{
  wb_text_format(terminal->text, "%*s |", terminal->label_width, label);
}

static void end_row(struct wb_terminal_page *terminal)
{
  wb_terminal_set_style(terminal, "");
  wb_text_string(terminal->text, "|\n");
}

static void write_numbered_label(const struct wb_terminal_page *terminal, uint32_t warp,
                                 size_t size, char *label)
{
  snprintf(label, size, "warp %*" PRIu32, terminal->digits, warp + 1);
}

static void write_unit_label(const struct wb_terminal_page *terminal, enum wb_unit unit,
                             size_t size, char *label)
{
  snprintf(label, size, "%c of %" PRIu32, wb_unit_letter(unit),
           terminal->plan.problem->capacity[unit]);
}

static void write_slot_label(const struct wb_terminal_page *terminal, size_t size, char *label)
{
  snprintf(label, size, "issued of %" PRIu32, terminal->plan.problem->issue_slots);
}

static int wider(int width, const char *label)
{
  int length = snprintf(NULL, 0, "%s", label);
  return length > width ? length : width;
}

static void write_ruler_ticks(struct wb_terminal_page *terminal)
{
  wb_text_format(terminal->text, "%*s |", terminal->label_width, "");
  for (size_t at = 0; at < terminal->window.cycles; at++) {
    uint64_t cycle = terminal->window.first + at;
    wb_text_string(terminal->text, cycle % 10 == 0 ? "+" : cycle % 5 == 0 ? "'" : "-");
  }
  wb_text_string(terminal->text, "|\n");
}

static char count_sign(uint32_t count)
{
  static const char signs[] = "-123456789abcdefghijklmnopqrstuvwxyz";
  return count <= WB_TERMINAL_MOST_LETTERS ? signs[count] : '+';
}

/* The pools of a partition, or the shared ones. */
static void write_pools(struct wb_terminal_page *terminal, uint32_t partition)
{
  for (size_t i = 0; i < terminal->plan.pool_count; i++) {
    if (terminal->plan.pools[i].partition == partition) {
      enum wb_unit unit = terminal->plan.pools[i].unit;
      char label[48];
      write_unit_label(terminal, unit, sizeof label, label);
      begin_row(terminal, label);
      const uint32_t *used = terminal->window.used + i * terminal->window.cycles;
      for (size_t at = 0; at < terminal->window.cycles; at++)
        write_cell(terminal, used[at] > 0 ? wb_terminal_type_styles[unit] : "",
                   count_sign(used[at]));
      end_row(terminal);
    }
  }
}

static void write_partition(struct wb_terminal_page *terminal, uint32_t partition)
{
  if (wb_gantt_is_divided(&terminal->plan))
    wb_text_format(terminal->text, "partition %" PRIu32 "\n", partition + 1);
  /* The warps of a partition, each block under its name where there are several. */
  const struct wb_gantt_plan *plan = &terminal->plan;
  uint32_t first = plan->first_row[partition];
  for (uint32_t row = first; row < plan->first_row[partition + 1]; row++) {
    uint32_t block = wb_sm_block_of(plan->problem, plan->warps[row]);
    bool begins = row == first || wb_sm_block_of(plan->problem, plan->warps[row - 1]) != block;
    if (begins && plan->problem->blocks > 1)
      wb_text_format(terminal->text, "block %" PRIu32 "\n", block + 1);
    char label[48];
    write_numbered_label(terminal, terminal->plan.warps[row], sizeof label, label);
    begin_row(terminal, label);
    const uint32_t *cells = terminal->window.warp_cells + row * terminal->window.cycles;
    for (size_t at = 0; at < terminal->window.cycles; at++) {
      if (cells[at] < WB_UNIT_COUNT)
        write_cell(terminal, wb_terminal_type_styles[cells[at]],
                   wb_unit_letter((enum wb_unit)cells[at]));
      else if (cells[at] == WB_GANTT_BARRIER)
        write_cell(terminal, wb_terminal_barrier_style, WB_TERMINAL_BARRIER_SIGN);
      else
        write_cell(terminal, "", cells[at] == WB_GANTT_WAITING ? '.' : ' ');
    }
    end_row(terminal);
  }
  write_ruler_ticks(terminal);
  write_pools(terminal, partition);
  if (!terminal->plan.capped)
    return;
  char slots_label[48];
  write_slot_label(terminal, sizeof slots_label, slots_label);
  begin_row(terminal, slots_label);
  const uint32_t *issued = terminal->window.issued + partition * terminal->window.cycles;
  for (size_t at = 0; at < terminal->window.cycles; at++)
    write_cell(terminal, "", count_sign(issued[at]));
  end_row(terminal);
}

/* One stretch: the cycles from `first` on. */
static void write_stretch(struct wb_terminal_page *terminal, uint64_t first, size_t cycles)
{
  if (wb_gantt_window_make(&terminal->plan, first, cycles, &terminal->window)) {
    wb_text_string(terminal->text, "\n");
    /* Numbers that end above their cycle, every tenth and the stretch's first. */
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
    write_ruler_ticks(terminal);
    for (uint32_t p = 0; p < terminal->plan.partitions; p++)
      write_partition(terminal, p);
    const struct wb_gantt_plan *plan = &terminal->plan;
    if (plan->pool_count != 0 &&
        plan->pools[plan->pool_count - 1].partition == WB_GANTT_ALL_PARTITIONS) {
      wb_text_string(terminal->text, "shared by all partitions\n");
      write_pools(terminal, WB_GANTT_ALL_PARTITIONS);
    }
  } else {
    terminal->text->failed = true;
  }
  wb_gantt_window_free(&terminal->window);
}

static void write_stretches(struct wb_terminal_page *terminal)
{
  /* Cycles of a stretch. Whole tens, so that the rulers of all stretches look alike. */
  size_t frame = (size_t)terminal->label_width + 3;
  size_t width;
  if (terminal->columns < frame + LEAST_CELLS)
    width = LEAST_CELLS;
  else
    width = (terminal->columns - frame) / 10 * 10;
  uint64_t makespan = terminal->plan.schedule->makespan;
  uint64_t shown = 0;
  for (unsigned turn = 0; turn < MOST_STRETCHES && shown < makespan; turn++) {
    size_t cycles = (size_t)wb_minimum(width, makespan - shown);
    write_stretch(terminal, shown + 1, cycles);
    shown += cycles;
  }
  const struct wb_gantt_plan *plan = &terminal->plan;
  uint64_t last = plan->schedule->makespan;
  uint32_t warps = plan->schedule->warps;
  if (shown < last)
    wb_text_format(terminal->text,
                   "\nLeft out: cycles %" PRIu64 " to %" PRIu64 " (%" PRIu64 " of %" PRIu64 ").\n",
                   shown + 1, last, last - shown, last);
  if (plan->warp_rows < warps)
    wb_text_format(terminal->text,
                   "\nLeft out: %" PRIu32 " of %" PRIu32
                   " warps; those that finish last are shown, the units serve all.\n",
                   warps - plan->warp_rows, warps);
}

void wb_gantt_sm_terminal(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                          size_t columns, size_t rows, bool colour, struct wb_text *text)
{
  struct wb_terminal_page terminal = {.text = text, .style = "", .colour = colour};
  terminal.columns = (size_t)wb_minimum(columns > 0 ? columns : DEFAULT_COLUMNS, MOST_COLUMNS);
  uint32_t limit = (uint32_t)wb_minimum(rows > 0 ? rows : UINT32_MAX, UINT32_MAX);
  if (wb_gantt_plan_make(problem, schedule, limit, 0, &terminal.plan)) {
    const struct wb_gantt_plan *plan = &terminal.plan;
    char label[48];
    uint32_t largest = 1;
    for (uint32_t row = 0; row < plan->warp_rows; row++)
      largest = (uint32_t)wb_maximum(largest, plan->warps[row] + 1);
    terminal.digits = snprintf(NULL, 0, "%" PRIu32, largest);
    write_numbered_label(&terminal, 0, sizeof label, label);
    int width = wider(0, label);
    for (size_t i = 0; i < plan->pool_count; i++) {
      write_unit_label(&terminal, plan->pools[i].unit, sizeof label, label);
      width = wider(width, label);
    }
    if (plan->capped) {
      write_slot_label(&terminal, sizeof label, label);
      width = wider(width, label);
    }
    terminal.label_width = width;
    wb_terminal_write_head(&terminal);
    wb_terminal_write_legend(&terminal);
    write_stretches(&terminal);
    wb_terminal_write_shares(&terminal);
  } else {
    text->failed = true;
  }
  wb_gantt_plan_free(&terminal.plan);
}

void wb_gantt_terminal(const struct wb_problem *problem, const struct wb_schedule *schedule,
                       size_t columns, size_t rows, bool colour, struct wb_text *text)
{
  struct wb_widened_problem wide;
  wb_problem_widen(problem, &wide);
  wb_gantt_sm_terminal(&wide.whole, schedule, columns, rows, colour, text);
}
