/* The picture of a schedule for a terminal, around its rows: head, legend, shares. */
#include "base/checked.h"
#include "report/gantt/gantt_terminal_page.h"
#include "report/style.h"

#include <inttypes.h>
#include <stdio.h>

const char *const wb_terminal_type_styles[WB_UNIT_COUNT] = {
    "\033[30;43m", "\033[30;46m", "\033[30;42m", "\033[30;45m",
    "\033[37;44m", "\033[30;47m", "\033[30;41m",
};

const char wb_terminal_barrier_style[] = "\033[31m";

void wb_terminal_set_style(struct wb_terminal_page *terminal, const char *style)
{
  if (!terminal->colour || terminal->style == style)
    return;
  if (*terminal->style != '\0')
    wb_text_string(terminal->text, wb_style(WB_STYLE_PLAIN, true));
  wb_text_string(terminal->text, style);
  terminal->style = style;
}

void wb_terminal_write_head(struct wb_terminal_page *terminal)
{
  const struct wb_sm_problem *problem = terminal->plan.problem;
  uint32_t warps = terminal->plan.schedule->warps;
  uint64_t makespan = terminal->plan.schedule->makespan;
  wb_gantt_strings(problem, terminal->columns / 2, terminal->text);
  wb_text_format(terminal->text, ": %" PRIu32 " warp%s", warps, warps == 1 ? "" : "s");
  wb_gantt_division(problem, terminal->text);
  wb_text_format(terminal->text, ", %" PRIu64 " cycle%s\n", makespan, makespan == 1 ? "" : "s");
}

/* Adds an item of a legend, on a new line where it would not fit. */
static void write_legend_item(struct wb_terminal_page *terminal, size_t *column, const char *style,
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
  wb_terminal_set_style(terminal, style);
  wb_text_string(terminal->text, sign);
  wb_terminal_set_style(terminal, "");
  wb_text_format(terminal->text, " %s", meaning);
}

void wb_terminal_write_legend(struct wb_terminal_page *terminal)
{
  const struct wb_gantt_plan *plan = &terminal->plan;
  const char barrier[] = {WB_TERMINAL_BARRIER_SIGN, '\0'};
  size_t column = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    char sign[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
    if (wb_gantt_uses(plan->problem, (enum wb_unit)u))
      write_legend_item(terminal, &column, wb_terminal_type_styles[u], sign,
                        wb_unit_name((enum wb_unit)u));
  }
  write_legend_item(terminal, &column, "", ".", "waiting");
  if (wb_gantt_uses(plan->problem, WB_UNIT_BARRIER))
    write_legend_item(terminal, &column, wb_terminal_barrier_style, barrier,
                      "waiting at a barrier");
  write_legend_item(terminal, &column, "", "blank", "finished");
  /* The largest count that a row of units or of issue slots can show. */
  uint32_t largest = plan->capped ? plan->problem->issue_slots : 0;
  for (size_t i = 0; i < plan->pool_count; i++)
    largest = (uint32_t)wb_maximum(largest, plan->pools[i].units);
  if (largest > 0)
    write_legend_item(terminal, &column, "", "-", "no unit busy");
  if (largest > WB_TERMINAL_MOST_DIGITS)
    write_legend_item(terminal, &column, "", "a..z", "10 to 35 busy");
  if (largest > WB_TERMINAL_MOST_LETTERS)
    write_legend_item(terminal, &column, "", "+", "more");
  wb_text_string(terminal->text, "\n");
}

/* Behind a number of units or slots: where they are, if there are several partitions. */
static void write_place(struct wb_terminal_page *terminal, bool shared)
{
  if (wb_gantt_is_divided(&terminal->plan) && shared)
    wb_text_string(terminal->text, " shared by all partitions");
  else if (wb_gantt_is_divided(&terminal->plan))
    wb_text_format(terminal->text, " in each of %" PRIu32 " partitions", terminal->plan.partitions);
  wb_text_string(terminal->text, "\n");
}

static void write_share(struct wb_terminal_page *terminal, enum wb_unit unit)
{
  const struct wb_sm_problem *problem = terminal->plan.problem;
  unsigned permille = wb_gantt_busy_permille(&terminal->plan, unit, WB_GANTT_ALL_PARTITIONS);
  wb_text_format(terminal->text, "busy %3u.%u %%  ", permille / 10, permille % 10);
  if (unit == WB_UNIT_COUNT) {
    wb_text_format(terminal->text, "issue slots, %" PRIu32 " a cycle", problem->issue_slots);
    write_place(terminal, false);
    return;
  }
  char letter[2] = {wb_unit_letter(unit), '\0'};
  uint32_t units = problem->capacity[unit];
  wb_terminal_set_style(terminal, wb_terminal_type_styles[unit]);
  wb_text_string(terminal->text, letter);
  wb_terminal_set_style(terminal, "");
  wb_text_format(terminal->text, " %s, %" PRIu32 " unit%s", wb_unit_name(unit), units,
                 units == 1 ? "" : "s");
  write_place(terminal, problem->shared[unit]);
}

void wb_terminal_write_shares(struct wb_terminal_page *terminal)
{
  wb_text_string(terminal->text, "\n");
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (wb_gantt_uses(terminal->plan.problem, (enum wb_unit)u))
      write_share(terminal, (enum wb_unit)u);
  }
  if (terminal->plan.capped)
    write_share(terminal, WB_UNIT_COUNT);
}
