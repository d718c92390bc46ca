/* The parts of a launch's analysis as text for people. */
#ifndef WB_REPORT_ANALYZE_ANALYZE_TEXT_H
#define WB_REPORT_ANALYZE_ANALYZE_TEXT_H

#include "base/text.h"
#include "report/analyze/analyze_report.h"

#include <stdbool.h>

/* "worst case: at least 5620 cycles (lower, 4.323 us), at most 11,360 cycles (upper, 8.739 us), at
 * 1.3 GHz on orin-agx": both ends are of the worst case of the model, and no range of times that
 * runs take. */
void wb_analyze_bracket_text(const struct wb_launch_report *report, struct wb_text *text);

/* The answer: both ends; what limits the upper one, and the verdicts. */
void wb_analyze_answer_text(const struct wb_launch_report *report, struct wb_text *text);

/* Both ends and what is allowed, as bars on one scale. */
void wb_analyze_bars_text(const struct wb_launch_report *report, struct wb_text *text);

/* Accesses: all of them, or those that take more than they had to, the most wasteful first. */
void wb_analyze_accesses_text(const struct wb_launch_report *report, bool all,
                              struct wb_text *text);

/* How the upper end changes with smaller bounds, latencies and services. */
void wb_analyze_sensitivity_text(const struct wb_launch_report *report, struct wb_text *text);

/* The numbers of the device that the bound rests on. */
void wb_analyze_values_text(const struct wb_launch_report *report, struct wb_text *text);

#endif
