/* A launch's analysis as text. */
#include "report/analyze/analyze_text.h"

#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "report/analyze/analyze_parts.h"
#include "report/kernel_name.h"
#include "report/style.h"
#include "report/wcet/wcet_report.h"

#include <inttypes.h>
#include <stdio.h>

static void write_title(const char *title, bool colour, struct wb_text *text)
{
  wb_text_format(text, "\n%s  %s%s\n", wb_style(WB_STYLE_BOLD, colour), title,
                 wb_style(WB_STYLE_PLAIN, colour));
}

/* ---- the question ---- */

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
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  wb_text_string(text, "\n");
  wb_text_string(text, wb_style(WB_STYLE_BOLD, report->colour));
  wb_kernel_name_write_both(analysis->function->name, text);
  wb_text_format(text, "%s\n", wb_style(WB_STYLE_PLAIN, report->colour));
  wb_text_string(text, "  question             worst-case time of a launch of ");
  wb_text_count_of(text, analysis->shape.blocks, "block");
  wb_text_string(text, " (");
  write_size(analysis->grid, text);
  wb_text_string(text, ") of ");
  wb_text_count_of(text, analysis->needs.threads, "thread");
  wb_text_string(text, " (");
  write_size(analysis->block, text);
  wb_text_string(text, "), ");
  wb_text_count_of(text, analysis->shape.block_warps, "warp");
  wb_text_string(text, "\n  device               ");
  wb_text_clean(text, analysis->device->name);
  if (analysis->device->product != NULL) {
    wb_text_string(text, " (");
    wb_text_clean(text, analysis->device->product);
    wb_text_string(text, ")");
  }
  wb_text_format(text, ", sm_%" PRIu32 ": ", analysis->device->architecture);
  wb_text_count_of(text, analysis->shape.sms, "SM");
  wb_text_string(text, " of ");
  wb_text_count_of(text, analysis->shape.partitions, "partition");
  wb_text_string(text, "\n");
}

/* "8192 bytes", or "8192 to 32,768 bytes". */
static void write_carveouts(const struct wb_residency *residency, struct wb_text *text)
{
  char least[WB_COUNT_SIZE];
  if (residency->least < residency->most)
    wb_text_format(text, "%s to ", wb_count(residency->least, least));
  wb_text_count_of(text, residency->most, "byte");
}

/* Which carve-out is the worst, and what the largest would give; nothing where all hold as many
 * blocks. */
static void write_worst_carveout(const struct wb_launch_analysis *analysis, struct wb_text *text)
{
  const struct wb_residencies *residencies = &analysis->residencies;
  const struct wb_launch_upper *uppers = &analysis->uppers;
  if (residencies->count < 2)
    return;
  wb_text_string(text, "\n                       with the worst carve-out, ");
  write_carveouts(&residencies->items[uppers->worst], text);
  wb_text_string(text, " of shared memory an SM; ");
  if (uppers->worst == 0) {
    wb_text_string(text, "the smallest holds ");
    wb_text_count_of(text, residencies->items[residencies->count - 1].occupancy.resident_blocks,
                     "block");
    return;
  }
  wb_text_string(text, "with the largest, ");
  wb_text_count_of(text, residencies->items[0].most, "byte");
  wb_text_string(text, ": ");
  wb_text_count_of(text, residencies->items[0].occupancy.resident_blocks, "block");
  wb_text_string(text, ", at most ");
  wb_text_count_of(text, uppers->cycles[0], "cycle");
  wb_text_string(text, " (--carveout max)");
}

static void write_occupancy(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  const struct wb_occupancy *occupancy = &analysis->occupancy;
  const uint64_t most = wb_device_number(analysis->device, analysis->device->residency.max_warps);
  wb_text_string(text, "  occupancy            ");
  wb_text_count_of(text, occupancy->resident_blocks, "block");
  wb_text_format(text, " an SM, %" PRIu64 " of %" PRIu64 " warps, limited by %s; ",
                 (uint64_t)occupancy->resident_blocks * occupancy->warps, most,
                 wb_residency_limit_name(occupancy->limit));
  wb_text_count_of(text, analysis->upper.waves, "wave");
  write_worst_carveout(analysis, text);
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

/* ---- the bound ---- */

static void write_alone(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  wb_text_string(text, "  one block alone      ");
  wb_text_string(text, wb_kind_style(analysis->upper_kind, report->colour));
  wb_text_count(text, analysis->block_alone.cycles);
  wb_text_format(text, " (%s)%s", warpbound_kind_name(analysis->upper_kind),
                 wb_style(WB_STYLE_PLAIN, report->colour));
  wb_text_string(text, " cycles by ");
  wb_analyze_write_upper_method(&analysis->block_alone, text);
  wb_text_string(text, "\n");
}

static void write_part(const struct wb_launch_analysis *analysis, enum wb_launch_part part,
                       struct wb_text *text)
{
  const double cycles = wb_analyze_part(analysis, &analysis->upper, part);
  wb_text_format(text, "    %-26s %16.2f  %5.1f%%  %s\n", wb_launch_part_name(part), cycles,
                 100.0 * cycles / (double)analysis->upper.cycles, wb_analyze_part_words(part));
}

static void write_breakdown(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  write_title("what the upper end is made of, in cycles", report->colour, text);
  for (int p = 0; p < WB_PART_COUNT; p++) {
    if (analysis->upper.part[p] != 0)
      write_part(analysis, (enum wb_launch_part)p, text);
  }
  wb_text_format(text, "    %-26s %16.2f  100.0%%  ", "upper end", (double)analysis->upper.cycles);
  wb_analyze_write_upper_method(&analysis->upper, text);
  wb_text_string(text, "\n");
}

/* Assumptions number `first` up to `end` of the list. */
static void write_group(const struct wb_launch_report *report, const char *title, size_t first,
                        size_t end, struct wb_text *text)
{
  const struct wb_list *list = &wb_analyze_analysis(report)->assumptions;
  if (first < end)
    write_title(title, report->colour, text);
  for (size_t i = first; i < end; i++) {
    wb_text_string(text, "  - ");
    wb_text_clean(text, list->items[i]);
    wb_text_string(text, "\n");
  }
}

/* Those of values are said where these are listed. */
static void write_assumptions(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  const size_t machine = analysis->value_assumptions;
  const size_t launch = machine + analysis->machine_assumptions;
  write_group(report, "assumptions on the machine", machine, launch, text);
  write_group(report, "assumptions on this launch", launch, analysis->assumptions.count, text);
}

void wb_analyze_text(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_analyze_answer_text(report, text);
  if (report->quiet)
    return;
  wb_text_string(text, "\n");
  wb_analyze_bars_text(report, text);
  write_question(report, text);
  write_occupancy(report, text);
  write_alone(report, text);
  write_breakdown(report, text);
  wb_analyze_accesses_text(report, report->accesses, text);
  if (wb_analyze_analysis(report)->paths.wcet.forest.loop_count > 0)
    wb_text_string(text, "\n");
  wb_wcet_loops_text(&wb_analyze_analysis(report)->paths.wcet, text);
  wb_analyze_sensitivity_text(report, text);
  wb_analyze_values_text(report, text);
  write_assumptions(report, text);
}
