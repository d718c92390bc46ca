/* A launch's analysis as text. */

#include "base/checked.h"
#include "base/memory.h"
#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "report/analyze/analyze_report.h"
#include "report/report_words.h"
#include "report/wcet/wcet_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_size(const uint32_t size[3], struct wb_text *text)
{
  wb_text_format(text, "%" PRIu32, size[0]);
  if (size[1] > 1 || size[2] > 1)
    wb_text_format(text, " x %" PRIu32, size[1]);
  if (size[2] > 1)
    wb_text_format(text, " x %" PRIu32, size[2]);
}

static void write_question(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  wb_kernel_title(text, analysis->function->name, report->colour);
  wb_text_format(text, "\n  question             worst-case time of a launch of %s (",
                 WB_COUNT_OF(analysis->shape.blocks, "block"));
  write_size(analysis->grid, text);
  wb_text_format(text, ") of %s (", WB_COUNT_OF(analysis->needs.threads, "thread"));
  write_size(analysis->block, text);
  wb_text_format(text, "), %s\n  device               ",
                 WB_COUNT_OF(analysis->shape.block_warps, "warp"));
  wb_text_clean(text, analysis->device->name);
  if (analysis->device->product != NULL) {
    wb_text_string(text, " (");
    wb_text_clean(text, analysis->device->product);
    wb_text_string(text, ")");
  }
  wb_text_format(text, ", sm_%" PRIu32 ": %s of %s\n", analysis->device->architecture,
                 WB_COUNT_OF(analysis->shape.sms, "SM"),
                 WB_COUNT_OF(analysis->shape.partitions, "partition"));
}

static void write_occupancy(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const struct wb_occupancy *occupancy = &analysis->occupancy;
  const uint64_t most = wb_device_number(analysis->device, analysis->device->residency.max_warps);
  wb_text_format(
      text, "  occupancy            %s an SM, %" PRIu64 " of %" PRIu64 " warps, limited by %s; %s",
      WB_COUNT_OF(occupancy->resident_blocks, "block"),
      (uint64_t)occupancy->resident_blocks * occupancy->warps, most,
      wb_residency_limit_name(occupancy->limit), WB_COUNT_OF(analysis->upper.waves, "wave"));
  /* Which carve-out is the worst, and what the largest would give; nothing where all hold as many
   * blocks. */
  const struct wb_residencies *residencies = &analysis->residencies;
  const struct wb_launch_upper *uppers = &analysis->uppers;
  if (residencies->count > 1) {
    const struct wb_residency *worst = &residencies->items[uppers->worst];
    const struct wb_residency *largest = &residencies->items[0];
    const struct wb_residency *smallest = &residencies->items[residencies->count - 1];
    wb_text_string(text, "\n                       with the worst carve-out, ");
    if (worst->least < worst->most) /* "8192 to 32,768 bytes" */
      wb_text_format(text, "%s to ", WB_COUNT(worst->least));
    wb_text_format(text, "%s of shared memory an SM; ", WB_COUNT_OF(worst->most, "byte"));
    if (uppers->worst == 0)
      wb_text_format(text, "the smallest holds %s",
                     WB_COUNT_OF(smallest->occupancy.resident_blocks, "block"));
    else
      wb_text_format(text, "with the largest, %s: %s, at most %s (--carveout max)",
                     WB_COUNT_OF(largest->most, "byte"),
                     WB_COUNT_OF(largest->occupancy.resident_blocks, "block"),
                     WB_COUNT_OF(uppers->cycles[0], "cycle"));
  }
  wb_text_string(text, "\n                       blocks that each limit allows:");
  for (int l = 0; l < WB_RESIDENCY_LIMIT_COUNT; l++) {
    const char *name = wb_residency_limit_name((enum wb_residency_limit)l);
    if (occupancy->by_limit[l] == UINT32_MAX)
      wb_text_format(text, "%s %s any", l == 0 ? "" : ",", name);
    else
      wb_text_format(text, "%s %s %" PRIu32, l == 0 ? "" : ",", name, occupancy->by_limit[l]);
  }
  wb_text_format(text,
                 "\n                       a block needs %" PRIu32 " registers a thread, %" PRIu64
                 " bytes of shared memory, %" PRIu32 " barrier%s\n",
                 analysis->needs.registers,
                 (uint64_t)analysis->needs.static_shared + analysis->needs.dynamic_shared,
                 analysis->needs.barriers, analysis->needs.barriers == 1 ? "" : "s");
}

static void write_buffers(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const struct wb_launch_buffers *buffers = &analysis->buffers;
  const bool first = buffers->first_kept || buffers->why_not_first != NULL;
  uint64_t bytes = 0;
  for (size_t b = 0; b < analysis->launch.buffer_count; b++)
    bytes += analysis->launch.buffers[b].bytes;
  if (analysis->launch.buffer_count == 0)
    return;
  wb_text_format(text, "  buffers              %s of ",
                 WB_COUNT_OF(analysis->launch.buffer_count, "buffer"));
  wb_text_bytes(text, bytes);
  if (buffers->why_outside == NULL) {
    wb_text_format(text, ": all accesses lie in them (%s)", wb_launch_buffers_verdict(analysis));
  } else {
    const struct wb_instruction *at = &analysis->function->instructions[buffers->outside];
    wb_text_format(text, ": %s at 0x%04" PRIx32 " need not lie in one: %s", at->opcode, at->address,
                   buffers->why_outside);
  }
  wb_text_format(text, "\n                       %s in L2", buffers->kept ? "kept" : "not kept");
  if (buffers->why_not_kept != NULL)
    wb_text_format(text, ": %s", buffers->why_not_kept);
  if (buffers->needed > 0)
    wb_text_format(text, "; they need %s of it", WB_COUNT_OF(buffers->needed, "byte"));
  if (first)
    wb_text_format(text, "\n                       %s in first caches",
                   buffers->first_kept ? "kept" : "not kept");
  if (buffers->why_not_first != NULL)
    wb_text_format(text, ": %s", buffers->why_not_first);
  if (buffers->first_needed > 0)
    wb_text_format(text, "; they need %s of each", WB_COUNT_OF(buffers->first_needed, "byte"));
  for (size_t b = 0; buffers->launch_lines != NULL && b < analysis->launch.buffer_count; b++) {
    const uint64_t lines = wb_launch_lines_used(analysis, b);
    if (lines < wb_divide_up(analysis->launch.buffers[b].bytes, WB_LINE_BYTES))
      wb_text_format(text,
                     "\n                       the launch accesses %s of the buffer at %" PRIu32
                     " at most (as addresses show)",
                     WB_COUNT_OF(lines, "line"), analysis->launch.buffers[b].parameter);
  }
  for (size_t b = 0; first && buffers->block_lines != NULL && b < analysis->launch.buffer_count;
       b++) {
    const bool said = wb_block_lines_are_said(analysis, b);
    if (!said && buffers->block_lines[b] == UINT64_MAX)
      continue;
    wb_text_format(
        text,
        "\n                       a block accesses %s of the buffer at %" PRIu32 " at most (%s)",
        WB_COUNT_OF(wb_block_lines_used(analysis, b), "line"),
        analysis->launch.buffers[b].parameter, !said ? "as addresses show" : "as declared");
    if (said && buffers->block_lines[b] != UINT64_MAX)
      wb_text_format(text, ", where addresses show %" PRIu64, buffers->block_lines[b]);
  }
  wb_text_string(text, "\n");
}

/* The width of the longest bar, and what a bar of what is allowed may be of the upper end. */
#define BAR_COLUMNS 48
#define MOST_ALLOWED 2
/* Rows of lists that are not asked for. */
#define MOST_ADVICE 6
#define MOST_ROWS 10
/* Where lines of values end. */
#define VALUE_COLUMNS 118

static void write_more(size_t count, const char *things, struct wb_text *text)
{
  if (count > 0)
    wb_text_format(text, "    and %zu more %s (--json)\n", count, things);
}

static void write_bar(const char *name, uint64_t cycles, uint64_t most, struct wb_text *text)
{
  const bool cut = cycles > most;
  const double share = cut ? 1 : (double)cycles / (double)most;
  const size_t columns = (size_t)(share * BAR_COLUMNS + 0.5);
  wb_text_format(text, "  %-9s ", name);
  wb_text_fill(text, '#', columns > 0 ? columns - (cut ? 1 : 0) : 1);
  wb_text_string(text, cut ? ">" : "");
  wb_text_fill(text, ' ', BAR_COLUMNS - (columns > 0 ? columns : 1));
  wb_text_format(text, " %14s  ", WB_COUNT(cycles));
}

static void write_bars(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const uint64_t upper = analysis->upper.cycles;
  const uint64_t deadline = report->deadline_seconds > 0 ? wb_analyze_deadline_cycles(report) : 0;
  uint64_t most = wb_maximum(upper, wb_maximum(deadline, report->budget));
  most = wb_maximum(most, analysis->upper_without_series);
  if (most / MOST_ALLOWED > upper)
    most = upper <= UINT64_MAX / MOST_ALLOWED ? upper * MOST_ALLOWED : UINT64_MAX;
  if (analysis->lower > 0) {
    write_bar("lower", analysis->lower, most, text);
    wb_analyze_write_lower_method(analysis, text);
    wb_text_string(text, "\n");
  }
  write_bar("upper", upper, most, text);
  wb_analyze_write_upper_method(analysis, &analysis->upper, text);
  wb_text_string(text, "\n");
  if (analysis->upper_without_series > 0) {
    write_bar("upper (W)", analysis->upper_without_series, most, text);
    wb_text_string(text, analysis->series || analysis->pair
                             ? "queues may be full\n"
                             : "queues may be full: --queues gives no less\n");
  }
  for (enum wb_allowed allowed = WB_ALLOWED_DEADLINE; allowed <= WB_ALLOWED_BUDGET; allowed++) {
    if (wb_analyze_verdict(report, allowed) == WB_ALLOWANCE_NONE)
      continue;
    const bool budget = allowed == WB_ALLOWED_BUDGET;
    write_bar(budget ? "budget" : "deadline", budget ? report->budget : deadline, most, text);
    wb_analyze_write_verdict(report, allowed, text);
    wb_text_string(text, "\n");
  }
}

/* An access and what its waste costs: transactions too many on the worst path of a warp. */
struct row {
  const struct wb_access *access;
  uint64_t runs;
  double waste;
};

static int by_waste(const void *a, const void *b)
{
  const struct row *x = a;
  const struct row *y = b;
  if (x->waste < y->waste || x->waste > y->waste)
    return x->waste > y->waste ? -1 : 1;
  return (x->access->instruction > y->access->instruction) -
         (x->access->instruction < y->access->instruction);
}

static void write_accesses(const struct wb_launch_report *report, bool all, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const struct wb_accesses *accesses = &analysis->accesses;
  struct row *rows = wb_allocate(accesses->count + 1, sizeof *rows);
  size_t count = 0;
  if (rows == NULL) {
    text->failed = true;
    return;
  }
  for (size_t a = 0; a < accesses->count; a++) {
    const struct wb_access *access = &accesses->items[a];
    const uint64_t runs = wb_analyze_runs(analysis, access->instruction);
    const uint32_t more = wb_access_transactions(access) - access->ideal;
    if (wb_access_is_wasteful(access))
      rows[count++] = (struct row){access, runs, (double)more * (double)runs};
    else if (all)
      rows[count++] = (struct row){access, runs, 0};
  }
  if (!all)
    qsort(rows, count, sizeof *rows, by_waste);
  if (count > 0) {
    wb_text_title(text, all ? "accesses to memory" : "accesses worth mending", report->colour);
    wb_text_string(text, "    address access           transactions   ideal       runs  lanes\n");
  }
  const size_t shown = all || count < MOST_ROWS ? count : MOST_ROWS;
  for (size_t r = 0; r < shown; r++) {
    const struct wb_access *access = rows[r].access;
    const struct wb_instruction *at = &analysis->function->instructions[access->instruction];
    const uint32_t transactions = wb_access_transactions(access);
    char what[32];
    snprintf(what, sizeof what, "%s %s", wb_memory_space_name(access->space),
             wb_access_kind_name(access));
    wb_text_format(text, "    0x%04" PRIx32 "  %-15s %2" PRIu32 " %-10s %5" PRIu32 " %10s  ",
                   at->address, what, transactions,
                   wb_access_transaction_name(access, transactions), access->ideal,
                   WB_COUNT(rows[r].runs));
    /* How far the lanes' addresses are known. */
    if (access->unbounded)
      wb_text_string(text, "no bound");
    else if (access->pattern == WB_ACCESS_STRIDED)
      wb_text_format(text, "strided by %" PRId64, access->stride);
    else if (access->pattern == WB_ACCESS_UNKNOWN && access->known)
      wb_text_string(text, "known lane by lane");
    else
      wb_text_string(text, wb_access_pattern_name(access->pattern));
    wb_source_line_write(analysis->code, at, "  ", text);
    if (access->reason != NULL) {
      wb_text_string(text, "\n            ");
      wb_text_clean(text, access->reason);
    }
    wb_text_string(text, "\n");
  }
  write_more(count - shown, "accesses", text);
  free(rows);
}

static void write_advice(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const size_t shown = analysis->advice_count < MOST_ADVICE ? analysis->advice_count : MOST_ADVICE;
  if (shown > 0)
    wb_text_title(text, "what to do, and the share of the upper end that it is about",
                  report->colour);
  for (size_t a = 0; a < shown; a++) {
    const struct wb_launch_advice *advice = &analysis->advice[a];
    wb_text_format(text, "    %3.0f%%  ", 100.0 * advice->cycles / (double)analysis->upper.cycles);
    if (advice->instruction != UINT32_MAX) {
      const struct wb_instruction *at = &analysis->function->instructions[advice->instruction];
      const size_t length = text->length;
      wb_source_line_write(analysis->code, at, "", text);
      if (text->length == length)
        wb_text_format(text, "0x%04" PRIx32, at->address);
      wb_text_string(text, ": ");
    }
    wb_text_clean(text, advice->words);
    wb_text_string(text, "\n");
  }
  write_more(analysis->advice_count - shown, "remedies", text);
}

static void write_sensitivity(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const size_t count = analysis->sensitivity_count;
  const size_t shown = count < MOST_ROWS ? count : MOST_ROWS;
  if (count == 0)
    return;
  wb_text_title(text, "how the upper end changes with smaller numbers, in cycles", report->colour);
  wb_text_format(text, "    %14s %14s %12s  %s\n", "by one less", "by 10 % less", "now", "number");
  for (size_t s = 0; s < shown; s++) {
    const struct wb_launch_sensitivity *row = &analysis->sensitivity[s];
    wb_text_format(text, "    %+14.1f %+14.1f %12s  ", -row->per_unit, -row->tenth,
                   WB_COUNT(row->now));
    if (row->kind == WB_SENSITIVE_LOOP) {
      wb_text_format(text, "bound of the loop at 0x%04" PRIx32,
                     wb_sensitive_loop_start(analysis, row)->address);
      wb_source_line_write(analysis->code, wb_wcet_loop_line(&analysis->paths.wcet, row->index),
                           "  ", text);
    } else {
      wb_text_clean(text, analysis->device->values[row->index].name);
    }
    wb_text_string(text, "\n");
  }
  write_more(count - shown, "numbers", text);
}

/* Rows of values, by their kind and whether the device file gives them. */
static const struct value_row {
  enum wb_value_kind kind;
  bool left_out;
  const char *words;
} value_rows[] = {
    {WB_VALUE_DOCUMENTED, false, "documented"},
    {WB_VALUE_MEASURED, false,
     "measured on an idle device, and taken as the most that they can be"},
    {WB_VALUE_DECLARED, false, "declared by the user"},
    {WB_VALUE_ASSUMED, false, "assumed, for no source is known"},
    {WB_VALUE_ASSUMED, true, "not given by the device file, 0 assumed"},
};

static bool is_of_row(const struct wb_launch_analysis *analysis, const struct value_row *row,
                      size_t v)
{
  const struct wb_device_value *value = &analysis->device->values[v];
  return value->kind == row->kind && value->left_out == row->left_out &&
         (analysis->value_used == NULL || analysis->value_used[v]);
}

static void write_values(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  bool any = false;
  for (size_t v = 0; v < analysis->device->value_count; v++)
    any = any || (analysis->value_used == NULL || analysis->value_used[v]);
  if (!any)
    return;
  wb_text_title(text,
                "numbers of the device that the result rests on; each with its source by --json",
                report->colour);
  for (size_t r = 0; r < sizeof value_rows / sizeof *value_rows; r++) {
    size_t left = 0;
    size_t column = 0;
    for (size_t v = 0; v < analysis->device->value_count; v++)
      left += is_of_row(analysis, &value_rows[r], v);
    if (left > 0)
      wb_text_format(text, "    %zu %s", left, value_rows[r].words);
    for (size_t v = 0; v < analysis->device->value_count && left > 0; v++) {
      const struct wb_device_value *value = &analysis->device->values[v];
      struct wb_text listed = {0};
      if (!is_of_row(analysis, &value_rows[r], v))
        continue;
      wb_text_string(&listed, value->name);
      if (!value_rows[r].left_out)
        wb_text_format(&listed, " = %" PRIu64, value->value);
      /* On a new line where the present one, which ends at `column`, is full. */
      const size_t length = listed.length + 2;
      if (column == 0 || column + length > VALUE_COLUMNS) {
        wb_text_string(text, "\n       ");
        column = 7;
      }
      wb_text_string(text, " ");
      wb_text_join_clean(text, &listed);
      wb_text_string(text, --left == 0 ? "\n" : ",");
      column += length;
    }
  }
}

void wb_analyze_text(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  wb_analyze_answer_text(report, text);
  if (report->quiet)
    return;
  wb_text_string(text, "\n");
  write_bars(report, text);
  write_question(report, text);
  write_occupancy(report, text);
  write_buffers(report, text);
  wb_text_format(text, "  one block alone      %s%s (%s)%s cycles by ",
                 wb_kind_style(analysis->upper_kind, report->colour),
                 WB_COUNT(analysis->block_alone.cycles), warpbound_kind_name(analysis->upper_kind),
                 wb_style(WB_STYLE_PLAIN, report->colour));
  wb_analyze_write_upper_method(analysis, &analysis->block_alone, text);
  wb_text_string(text, "\n");
  wb_text_title(text, "what the upper end is made of, in cycles", report->colour);
  for (int p = 0; p < WB_PART_COUNT; p++) {
    const enum wb_launch_part part = (enum wb_launch_part)p;
    const double cycles = wb_analyze_part(analysis, &analysis->upper, part);
    if (analysis->upper.part[p] != 0)
      wb_text_format(text, "    %-26s %16.2f  %5.1f%%  %s\n", wb_launch_part_name(part), cycles,
                     100.0 * cycles / (double)analysis->upper.cycles, wb_analyze_part_words(part));
  }
  wb_text_format(text, "    %-26s %16.2f  100.0%%  ", "upper end", (double)analysis->upper.cycles);
  wb_analyze_write_upper_method(analysis, &analysis->upper, text);
  wb_text_string(text, "\n");
  write_advice(report, text);
  write_accesses(report, report->accesses, text);
  if (analysis->paths.wcet.forest.loop_count > 0)
    wb_text_string(text, "\n");
  wb_wcet_loops_text(&analysis->paths.wcet, text);
  write_sensitivity(report, text);
  write_values(report, text);
  /* Those of values are said where these are listed. */
  const size_t launch = analysis->value_assumptions + analysis->machine_assumptions;
  const struct wb_list *assumptions = &analysis->assumptions;
  if (analysis->machine_assumptions > 0)
    wb_text_title(text, "assumptions on the machine", report->colour);
  wb_text_items(text, assumptions, analysis->value_assumptions, launch);
  if (assumptions->count > launch)
    wb_text_title(text, "assumptions on this launch", report->colour);
  wb_text_items(text, assumptions, launch, assumptions->count);
}
