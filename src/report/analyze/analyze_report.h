/* Writers of the result of a launch's analysis: text for people, JSON for scripts, a page for a
 * browser, files for continuous integration (doc/analyze-report.md). */
#ifndef WB_REPORT_ANALYZE_ANALYZE_REPORT_H
#define WB_REPORT_ANALYZE_ANALYZE_REPORT_H

#include "analysis/code/code_results.h"
#include "base/text.h"
#include "base/work_control.h"

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
/* The same as text. */
void wb_analyze_json(const struct wb_launch_report *report, struct wb_text *text);

/* Several launches: a table for people, a row each; an object with the launches and their number.
 */
void wb_analyze_table(const struct wb_launch_report *reports, size_t count, struct wb_text *text);
void wb_analyze_table_json(const struct wb_launch_report *reports, size_t count,
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

#endif
