/* How the bracket of a launch stands to a budget and a deadline. */
#include "report/analyze/analyze_report.h"

#include "base/checked.h"
#include "report/analyze/analyze_parts.h"

#include <math.h>

#define SECOND UINT64_C(1000000000)

/* Nanoseconds of a deadline, rounded down but for what its binary fraction takes away. */
static uint64_t nanoseconds(double seconds)
{
  const double length = floor(seconds * 1e9 + 1e-3);
  return length >= 0x1p63 ? UINT64_MAX : (uint64_t)length;
}

uint64_t wb_analyze_deadline_cycles(const struct wb_launch_report *report)
{
  const uint64_t length = nanoseconds(report->deadline_seconds);
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

bool wb_analyze_allowed(const struct wb_launch_report *report)
{
  return wb_analyze_budget(report) <= WB_ALLOWANCE_MET &&
         wb_analyze_deadline(report) <= WB_ALLOWANCE_MET;
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
