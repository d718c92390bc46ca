/* What all writers of a launch's analysis say in the same words. */
#ifndef WB_REPORT_ANALYZE_ANALYZE_PARTS_H
#define WB_REPORT_ANALYZE_ANALYZE_PARTS_H

#include "base/text.h"
#include "report/analyze/analyze_report.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool wb_analyze_has_bound(const struct wb_launch_report *report);
/* The device's clock in Hz, at least 1. */
uint64_t wb_analyze_clock(const struct wb_launch_analysis *analysis);
double wb_analyze_seconds(const struct wb_launch_analysis *analysis, uint64_t cycles);

/* Appends a time with four digits: "8.739 us"; up: rounded up, as an upper end has to be, else
 * down. */
void wb_analyze_write_time(double seconds, bool up, struct wb_text *text);
/* Cycles of a part of a bound, as a number for people: the fraction is lost. */
double wb_analyze_part(const struct wb_launch_analysis *analysis,
                       const struct wb_launch_bound *bound, enum wb_launch_part part);
/* The greatest part of the upper end but for the fraction cut off. */
enum wb_launch_part wb_analyze_greatest_part(const struct wb_launch_analysis *analysis);
/* What a part is, in a sentence for people. */
const char *wb_analyze_part_words(enum wb_launch_part part);

/* "theorem 2, one wave" of a formula's; "chain", "resource", "simulation, greedy-then-oldest" of
 * the lower end. */
void wb_analyze_write_upper_method(const struct wb_launch_bound *bound, struct wb_text *text);
void wb_analyze_write_lower_method(const struct wb_launch_analysis *analysis, struct wb_text *text);

/* "worst case: at least 5620 cycles (lower, 4.323 us), at most 11,360 cycles (upper, 8.739 us), at
 * 1.3 GHz on orin-agx": both ends are of the worst case of the model, and no range of times that
 * runs take. */
void wb_analyze_bracket_text(const struct wb_launch_report *report, struct wb_text *text);

/* The answer: both ends; what limits the upper one, and the verdicts. */
void wb_analyze_answer_text(const struct wb_launch_report *report, struct wb_text *text);

/* Cycles over what is allowed; a verdict for people: "met (3.68 % of it)", "not proven: the bound
 * is 18.7 times the deadline", "exceeded: the worst case is 30 times the deadline or more". */
double wb_analyze_ratio(const struct wb_launch_report *report, enum wb_allowed allowed,
                        uint64_t cycles);
void wb_analyze_write_verdict(const struct wb_launch_report *report, enum wb_allowed allowed,
                              struct wb_text *text);

/* Of an access: "load", "store" or "atomic"; the transactions that count for its space; what they
 * are called. */
const char *wb_access_kind_name(const struct wb_access *access);
uint32_t wb_access_transactions(const struct wb_access *access);
const char *wb_access_transaction_name(const struct wb_access *access, uint32_t count);
/* Whether it takes more than it had to. */
bool wb_access_is_wasteful(const struct wb_access *access);
const char *wb_memory_space_name(enum wb_memory_space space);
const char *wb_access_pattern_name(enum wb_access_pattern pattern);

/* Executions of an instruction on the worst path of one warp; 0 where no path is known. */
uint64_t wb_analyze_runs(const struct wb_launch_analysis *analysis, uint32_t instruction);

/* The first instruction of the loop that a sensitivity is about. */
const struct wb_instruction *
wb_sensitive_loop_start(const struct wb_launch_analysis *analysis,
                        const struct wb_launch_sensitivity *sensitivity);

#endif
