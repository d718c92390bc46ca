/* Writers of the result of a launch's analysis: text for people, JSON for scripts, a page for a
 * browser, files for continuous integration (doc/analyze-report.md). */
#ifndef WB_REPORT_ANALYZE_ANALYZE_REPORT_H
#define WB_REPORT_ANALYZE_ANALYZE_REPORT_H

#include "analysis/launch/launch_result.h"
#include "base/text.h"
#include "base/work_control.h"
#include "model/flow_facts.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A source file that the user gave. Borrows its bytes, which may be any. */
struct wb_launch_source {
  const char *text; /* NULL: not given */
  size_t length;
};

/* What is reported. Zero-initialise; all borrowed. analysis: complete, or of an analysis that ended
 * with WARPBOUND_FACTS_MISSING (missing_facts): then only control flow, loops, facts and occupancy
 * are of use, and only wb_analyze_page takes it. */
struct wb_launch_report {
  const struct wb_launch_analysis *analysis;
  const char *name;                  /* of the launch, of a file of several; NULL: the kernel's */
  bool missing_facts;                /* no bound: facts are missing */
  uint64_t clock;                    /* Hz, of --clock; 0: as the device says */
  uint64_t budget;                   /* most cycles, of --budget; 0: none */
  uint64_t deadline;                 /* nanoseconds, of --deadline; 0: none */
  const struct wb_flow_facts *facts; /* the user's, for the template; NULL: none */
  const struct wb_launch_source *sources; /* by file of the code; NULL: none */
  const struct wb_control *control;       /* of the page: Graphviz stops with it; NULL: none */
};

/* How a bracket stands to what is allowed. */
enum wb_allowance_verdict {
  WB_ALLOWANCE_NONE,      /* nothing is asked */
  WB_ALLOWANCE_MET,       /* the upper end is allowed */
  WB_ALLOWANCE_NOT_SHOWN, /* only the lower end is */
  WB_ALLOWANCE_EXCEEDED,  /* the lower end is not: some run takes longer */
  WB_ALLOWANCE_COUNT
};

/* The clock in Hz that times are at. */
uint64_t wb_analyze_clock(const struct wb_launch_report *report);
/* The most cycles that end within the deadline; UINT64_MAX where they are more. */
uint64_t wb_analyze_deadline_cycles(const struct wb_launch_report *report);
enum wb_allowance_verdict wb_analyze_budget(const struct wb_launch_report *report);
enum wb_allowance_verdict wb_analyze_deadline(const struct wb_launch_report *report);
/* Whether budget and deadline, if any, are met: else a command ends with 1. */
bool wb_analyze_allowed(const struct wb_launch_report *report);

/* For people: the answer in two lines, then (unless quiet) what it is made of and rests on. The
 * caller checks text->failed, here and below. */
void wb_analyze_text(const struct wb_launch_report *report, bool quiet, bool colour,
                     struct wb_text *text);

/* For people: all accesses to memory, with their reasons. */
void wb_analyze_accesses_text(const struct wb_launch_report *report, bool colour,
                              struct wb_text *text);

/* The launch's object (doc/schema/analyze.json); NULL where memory is out. The caller drops it. */
json_t *wb_analyze_object(const struct wb_launch_report *report);
/* The same as text. */
void wb_analyze_json(const struct wb_launch_report *report, struct wb_text *text);

/* A page that needs no other file and no network. */
void wb_analyze_page(const struct wb_launch_report *report, struct wb_text *text);

/* Several launches in one file for continuous integration. */
void wb_analyze_sarif(const struct wb_launch_report *reports, size_t count, struct wb_text *text);
void wb_analyze_junit(const struct wb_launch_report *reports, size_t count, struct wb_text *text);

#endif
