/* How the bracket of a launch stands to a budget and a deadline. */
#include "report/analyze/analyze_report.h"

#include "base/checked.h"
#include "base/text/quantity.h"
#include "report/analyze/analyze_parts.h"
#include "report/report_words.h"

#include <math.h>

#define SECOND UINT64_C(1000000000)

uint64_t wb_analyze_deadline_cycles(const struct wb_launch_report *report)
{
  /* Nanoseconds of a deadline, rounded down but for what its binary fraction takes away. */
  const double seconds = report->deadline_seconds;
  const double nanoseconds = floor(seconds * 1e9 + 1e-3);
  const uint64_t length = nanoseconds >= 0x1p63 ? UINT64_MAX : (uint64_t)nanoseconds;
  const uint64_t clock = wb_analyze_clock(wb_analyze_analysis(report));
  uint64_t whole, rest, cycles;
  if (!wb_multiply(length / SECOND, clock, &whole))
    return UINT64_MAX;
  if (!wb_multiply(length % SECOND, clock, &rest))
    rest = 0; /* A clock above 18 GHz: less is allowed, which is safe. */
  return wb_add(whole, rest / SECOND, &cycles) ? cycles : UINT64_MAX;
}

static enum wb_allowance judge(const struct wb_launch_report *report, uint64_t most)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  if (analysis->upper.cycles <= most)
    return WB_ALLOWANCE_MET;
  return analysis->lower <= most || analysis->lower_kind != WARPBOUND_LOWER ? WB_ALLOWANCE_NOT_SHOWN
                                                                            : WB_ALLOWANCE_EXCEEDED;
}

enum wb_allowance wb_analyze_budget(const struct wb_launch_report *report)
{
  return report->budget > 0 ? judge(report, report->budget) : WB_ALLOWANCE_NONE;
}

enum wb_allowance wb_analyze_deadline(const struct wb_launch_report *report)
{
  return report->deadline_seconds > 0 ? judge(report, wb_analyze_deadline_cycles(report))
                                      : WB_ALLOWANCE_NONE;
}

enum wb_allowance wb_analyze_verdict(const struct wb_launch_report *report, enum wb_allowed allowed)
{
  return allowed == WB_ALLOWED_BUDGET ? wb_analyze_budget(report) : wb_analyze_deadline(report);
}

bool wb_analyze_proof_kept(const struct wb_launch_report *report)
{
  return !report->require_proof || wb_analyze_analysis(report)->upper_kind != WARPBOUND_ESTIMATE;
}

void wb_analyze_doubts(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_estimate_summary(&wb_analyze_analysis(report)->upper_estimate, text);
}

bool wb_analyze_allowed(const struct wb_launch_report *report)
{
  return wb_analyze_budget(report) <= WB_ALLOWANCE_MET &&
         wb_analyze_deadline(report) <= WB_ALLOWANCE_MET && wb_analyze_proof_kept(report);
}

/* ---- in words ---- */

double wb_analyze_ratio(const struct wb_launch_report *report, enum wb_allowed allowed,
                        uint64_t cycles)
{
  return allowed == WB_ALLOWED_BUDGET
             ? (double)cycles / (double)report->budget
             : wb_analyze_seconds(wb_analyze_analysis(report), cycles) / report->deadline_seconds;
}

/* "18.7 times the deadline", with three digits or more, rounded away from 1 for an upper end and
 * down for a lower one. */
static void write_times(double ratio, bool up, const char *what, struct wb_text *text)
{
  const double scale = ratio < 10 ? 100 : ratio < 100 ? 10 : 1;
  const double scaled = up ? ceil(ratio * scale * (1 - 1e-12)) : floor(ratio * scale);
  if (scaled <= scale)
    wb_text_string(text, "more than");
  else if (ratio >= 1000 && scaled < 0x1p63)
    wb_text_count(text, (uint64_t)scaled);
  else
    wb_text_format(text, "%.*f", ratio < 10 ? 2 : ratio < 100 ? 1 : 0, scaled / scale);
  wb_text_format(text, "%s the %s", scaled <= scale ? "" : " times", what);
}

void wb_analyze_write_verdict(const struct wb_launch_report *report, enum wb_allowed allowed,
                              struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  const enum wb_allowance verdict = wb_analyze_verdict(report, allowed);
  const bool estimate = analysis->upper_kind == WARPBOUND_ESTIMATE;
  const char *what = allowed == WB_ALLOWED_BUDGET ? "budget" : "deadline";
  const double upper = wb_analyze_ratio(report, allowed, analysis->upper.cycles);
  if (verdict == WB_ALLOWANCE_MET) {
    wb_text_format(text, "met%s (", estimate ? " by an estimate, not proven" : "");
    if (upper < 1e-4)
      wb_text_string(text, "less than 0.01 % of it)");
    else
      wb_text_format(text, "%.3g %% of it)", 100.0 * upper);
  } else if (verdict == WB_ALLOWANCE_NOT_SHOWN) {
    wb_text_format(text, "not proven: the bound%s is ", estimate ? ", an estimate," : "");
    write_times(upper, true, what, text);
  } else if (verdict == WB_ALLOWANCE_EXCEEDED) {
    wb_text_string(text, "exceeded: a run of the model takes ");
    write_times(wb_analyze_ratio(report, allowed, analysis->lower), false, what, text);
  }
}

const char *wb_allowance_name(enum wb_allowance allowance)
{
  static const char *const names[WB_ALLOWANCE_COUNT] = {
      [WB_ALLOWANCE_NONE] = "none",
      [WB_ALLOWANCE_MET] = "met",
      [WB_ALLOWANCE_NOT_SHOWN] = "not shown",
      [WB_ALLOWANCE_EXCEEDED] = "exceeded",
  };
  return names[allowance];
}
