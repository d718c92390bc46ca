/* Writers of the result of a launch's analysis: text for people, JSON for scripts, a page for a
 * browser, files for continuous integration (doc/analyze-report.md). */
#ifndef WB_REPORT_ANALYZE_ANALYZE_REPORT_H
#define WB_REPORT_ANALYZE_ANALYZE_REPORT_H

#include "analysis/code/code_results.h"
#include "analysis/launch/launch_result.h"
#include "base/text.h"
#include "base/work_control.h"
#include "launch/simulation/launch_simulation.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is reported. Zero-initialise; all borrowed. The launch has a bound; only wb_analyze_page
 * takes one that lacks facts too. */
struct wb_launch_report {
  const struct warpbound_launch *launch;
  const char *file;        /* the name of the input; NULL: the code's */
  const char *name;        /* of the launch, where a file has several; NULL: the kernel's */
  uint64_t budget;         /* most cycles; 0: none */
  double deadline_seconds; /* most time, at the device's clock; 0: none */
  bool require_proof;      /* an upper end that is an estimate is not allowed */
  bool accesses;           /* text: shows the table of all accesses */
  bool colour;             /* text: with escapes */
  bool quiet;              /* text: the answer alone */
  bool timeless;           /* JSON, page: without the time of the analysis */
  const struct warpbound_input *sources; /* of the page: by source of the module */
  size_t source_count;
  const struct wb_control
      *control; /* of the page: laying out its graph stops with it; NULL: none */
};

/* How a bracket stands to what is allowed. */
enum wb_allowance {
  WB_ALLOWANCE_NONE,      /* nothing is asked */
  WB_ALLOWANCE_MET,       /* the upper end is allowed */
  WB_ALLOWANCE_NOT_SHOWN, /* only the lower end is */
  WB_ALLOWANCE_EXCEEDED,  /* the lower end is not: a run of the model takes longer */
  WB_ALLOWANCE_COUNT
};

/* The most cycles that end within the deadline, which is read to the nanosecond. */
uint64_t wb_analyze_deadline_cycles(const struct wb_launch_report *report);
/* What a launch is allowed to take. */
enum wb_allowed { WB_ALLOWED_DEADLINE, WB_ALLOWED_BUDGET };

enum wb_allowance wb_analyze_verdict(const struct wb_launch_report *report,
                                     enum wb_allowed allowed);
/* Whether the upper end may be of its kind: a proof, where one is asked for. */
bool wb_analyze_proof_kept(const struct wb_launch_report *report);
/* Whether budget and deadline, where they are given, are met by the upper end, and its kind may be.
 */
bool wb_analyze_allowed(const struct wb_launch_report *report);

/* For people: the answer in two lines, then what it is made of and rests on. The caller checks
 * text->failed, here and below. */
void wb_analyze_text(const struct wb_launch_report *report, struct wb_text *text);

/* The launch's object (doc/schema/analyze.json); NULL where memory is out. The caller drops it. */
json_t *wb_analyze_object(const struct wb_launch_report *report);
/* What a launch lacks, a list; NULL where memory is out. The caller drops it. */
json_t *wb_analyze_facts_json(const struct wb_launch_analysis *analysis);
/* The launch's object as text. */
void wb_analyze_json(const struct wb_launch_report *report, struct wb_text *text);

/* Of a launch whose loops have no bounds: what it lacks (doc/schema/missing.json). */
void wb_analyze_missing_json(const struct wb_launch_report *report, struct wb_text *text);

/* Several launches: a table for people, a row each; an object with the launches, and with what
 * those lack whose loops have no bounds. */
void wb_analyze_table(const struct wb_launch_report *reports, size_t count, struct wb_text *text);
void wb_analyze_table_json(const struct wb_launch_report *reports, size_t count,
                           const struct wb_launch_report *lacking, size_t lacking_count,
                           struct wb_text *text);

/* A page that needs no other file and no network. */
void wb_analyze_page(const struct wb_launch_report *report, struct wb_text *text);

/* A launch that could not be analysed. Borrows. */
struct wb_refused_launch {
  const char *name;
  const char *message;
};

struct wb_refused_launches {
  const struct wb_refused_launch *items;
  size_t count;
};

/* Several launches in one file for continuous integration: SARIF 2.1.0, JUnit XML. Those that could
 * not be analysed are errors in it. */
void wb_analyze_sarif(const struct wb_launch_report *reports, size_t count,
                      const struct wb_refused_launches *refused, struct wb_text *text);
void wb_analyze_junit(const struct wb_launch_report *reports, size_t count,
                      const struct wb_refused_launches *refused, struct wb_text *text);

/* ---- pictures: a simulated run, and the bracket over a number that is swept ---- */

/* A row of the sweep: its number, and the ends of the bracket in cycles. */
struct wb_sweep_point {
  uint64_t at;
  uint64_t lower, upper;
};

/* Writes an SVG page; points ascend, at least one. subject: "block". A failure is the text's. */
void wb_sweep_plot(const char *subject, const struct wb_sweep_point *points, size_t count,
                   struct wb_text *text);

/* An SVG page of the events of analysis->worst_run on one SM: that of the block that left last, if
 * it has events, else that of the first event; appends nothing where there are none. A row a warp,
 * by partition; along it what it issues, coloured by unit, its waits, barrier waits and requests.
 * It has no style sheet and no script, its letters take the colour of the text around it: it can
 * be part of a page. Rows and marks are limited, and the picture says what it leaves out. The
 * caller checks text->failed. */
void wb_timeline_svg(const struct wb_launch_analysis *analysis, struct wb_text *text);

#define WB_TIMELINE_MOST_ROWS 48

struct wb_timeline_row {
  uint32_t partition, warp;
  uint64_t block;
};

/* Invariant: rows are by partition, block and warp; from < until. */
struct wb_timeline_rows {
  uint32_t sm;
  struct wb_timeline_row rows[WB_TIMELINE_MOST_ROWS];
  size_t count;
  size_t left_out;      /* warps that have events on the SM too */
  uint64_t from, until; /* cycles of the events of the rows */
};

/* Chooses the SM and its latest warps; false where memory is out. The run has events. */
bool wb_timeline_rows_choose(const struct wb_simulated_launch *run, struct wb_timeline_rows *rows);

/* The row of an event; SIZE_MAX: it is not shown. */
size_t wb_timeline_row_of(const struct wb_timeline_rows *rows, const struct wb_launch_event *event);

/* ---- what all writers say in the same words ---- */

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
/* What a part is, in a sentence for people. */
const char *wb_analyze_part_words(enum wb_launch_part part);

/* "theorem 2, one wave" of a formula's; "chain", "resource", "simulation, greedy-then-oldest" of
 * the lower end. */
void wb_analyze_write_upper_method(const struct wb_launch_analysis *analysis,
                                   const struct wb_launch_bound *bound, struct wb_text *text);
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
