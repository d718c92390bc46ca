/* The answer of a launch's analysis as text: its first lines, and the table of several launches. */

#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "report/analyze/analyze_parts.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <stdio.h>

/* Launches of a table whose reasons are shown. */
#define MOST_DOUBTS 3

static void write_name(const struct wb_launch_report *report, struct wb_text *text)
{
  if (report->name != NULL)
    wb_text_clean(text, report->name);
  else
    wb_kernel_name_write(wb_analyze_analysis(report)->function->name, text);
}

/* ---- both ends ---- */

/* "5620 cycles (lower, 4.323 us)" */
static void write_end(const struct wb_launch_report *report, bool upper, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  const uint64_t cycles = upper ? analysis->upper.cycles : analysis->lower;
  const warpbound_kind kind = upper ? analysis->upper_kind : analysis->lower_kind;
  wb_text_format(text, "%s%s (%s, ", wb_kind_style(kind, report->colour),
                 WB_COUNT_OF(cycles, "cycle"), warpbound_kind_name(kind));
  wb_analyze_write_time(wb_analyze_seconds(analysis, cycles), upper, text);
  wb_text_format(text, ")%s", wb_style(WB_STYLE_PLAIN, report->colour));
}

void wb_analyze_bracket_text(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  wb_text_string(text, "worst case: ");
  if (analysis->lower > 0) {
    wb_text_string(text, "at least ");
    write_end(report, false, text);
    wb_text_string(text, ", ");
  }
  wb_text_string(text, "at most ");
  write_end(report, true, text);
  wb_text_string(text, ", at ");
  wb_analyze_write_clock(wb_analyze_clock(analysis), text);
  wb_text_string(text, " on ");
  wb_text_clean(text, analysis->device->name);
  wb_text_string(text, analysis->lower > 0 ? "" : "; no lower end is known");
}

/* ---- what is allowed ---- */

/* A verdict in its colour. */
static void write_verdict(const struct wb_launch_report *report, enum wb_allowed allowed,
                          struct wb_text *text)
{
  const bool proven = wb_analyze_verdict(report, allowed) == WB_ALLOWANCE_MET &&
                      wb_analyze_analysis(report)->upper_kind != WARPBOUND_ESTIMATE;
  wb_text_format(text, " %s",
                 wb_kind_style(proven ? WARPBOUND_UPPER : WARPBOUND_ESTIMATE, report->colour));
  wb_analyze_write_verdict(report, allowed, text);
  wb_text_string(text, wb_style(WB_STYLE_PLAIN, report->colour));
}

void wb_analyze_answer_text(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  const enum wb_launch_part greatest = wb_analyze_greatest_part(analysis);
  const double cycles = wb_analyze_part(analysis, &analysis->upper, greatest);
  write_name(report, text);
  wb_text_string(text, ": ");
  wb_analyze_bracket_text(report, text);
  wb_text_format(text, "\nlimited by: %s (%s of %s, %.0f %%)", wb_launch_part_name(greatest),
                 WB_COUNT((uint64_t)cycles), WB_COUNT(analysis->upper.cycles),
                 100.0 * cycles / (double)analysis->upper.cycles);
  if (report->deadline_seconds > 0) {
    wb_text_string(text, "; deadline of ");
    wb_analyze_write_time(report->deadline_seconds, false, text);
    write_verdict(report, WB_ALLOWED_DEADLINE, text);
  }
  if (report->budget > 0) {
    wb_text_format(text, "; budget of %s", WB_COUNT_OF(report->budget, "cycle"));
    write_verdict(report, WB_ALLOWED_BUDGET, text);
  }
  wb_text_string(text, "\n");
  if (wb_is_estimate(&analysis->upper_estimate))
    wb_estimate_text(&analysis->upper_estimate, "estimate", report->colour, text);
  else
    wb_estimate_text(&analysis->lower_estimate, "lower end an estimate", report->colour, text);
}

/* ---- several launches ---- */

void wb_analyze_table(const struct wb_launch_report *reports, size_t count, struct wb_text *text)
{
  size_t allowed = 0;
  size_t longest = 0;
  for (size_t r = 0; r < count; r++) {
    allowed += wb_analyze_allowed(&reports[r]);
    if (wb_analyze_analysis(&reports[r])->upper.cycles >
        wb_analyze_analysis(&reports[longest])->upper.cycles)
      longest = r;
  }
  if (count == 0)
    return;
  wb_text_format(text, "%zu launch%s: %zu as allowed; the longest is ", count,
                 count == 1 ? "" : "es", allowed);
  write_name(&reports[longest], text);
  wb_text_string(text, ": ");
  wb_analyze_bracket_text(&reports[longest], text);
  wb_text_format(text, "\n\n%s  %-28s %14s %14s %-8s %12s %6s  %s%s\n",
                 wb_style(WB_STYLE_BOLD, reports[0].colour), "launch", "at least", "at most",
                 "kind", "time at most", "blocks", "limited by",
                 wb_style(WB_STYLE_PLAIN, reports[0].colour));
  for (size_t r = 0; r < count; r++) {
    const struct wb_launch_analysis *analysis = wb_analyze_analysis(&reports[r]);
    struct wb_text name = {0}, time = {0};
    write_name(&reports[r], &name);
    wb_analyze_write_time(wb_analyze_seconds(analysis, analysis->upper.cycles), true, &time);
    text->failed = text->failed || name.failed || time.failed;
    if (!text->failed)
      wb_text_format(
          text, "  %-28.60s %14s %14s %s%-8s%s %12s %6" PRIu32 "  %s%s\n", name.data,
          analysis->lower > 0 ? WB_COUNT(analysis->lower) : "-", WB_COUNT(analysis->upper.cycles),
          wb_kind_style(analysis->upper_kind, reports[r].colour),
          warpbound_kind_name(analysis->upper_kind), wb_style(WB_STYLE_PLAIN, reports[r].colour),
          time.data, analysis->occupancy.resident_blocks,
          wb_launch_part_name(wb_analyze_greatest_part(analysis)),
          wb_analyze_allowed(&reports[r])      ? ""
          : wb_analyze_proof_kept(&reports[r]) ? ", NOT ALLOWED"
                                               : ", NOT PROVEN");
    wb_text_free(&name);
    wb_text_free(&time);
  }
  /* Why launches are estimates, the first few. */
  size_t estimates = 0;
  for (size_t r = 0; r < count; r++) {
    const struct wb_estimate *estimate = &wb_analyze_analysis(&reports[r])->upper_estimate;
    if (!wb_is_estimate(estimate) || ++estimates > MOST_DOUBTS)
      continue;
    wb_text_string(text, estimates == 1 ? "\n" : "");
    write_name(&reports[r], text);
    wb_text_string(text, ": estimate because: ");
    wb_estimate_summary(estimate, text);
    wb_text_string(text, "\n");
  }
  if (estimates > MOST_DOUBTS)
    wb_text_format(text, "and %zu more launches are estimates (--json)\n", estimates - MOST_DOUBTS);
}
