/* Writers of WCET results: JSON for scripts, text for people. */
#ifndef WB_REPORT_WCET_WCET_REPORT_H
#define WB_REPORT_WCET_WCET_REPORT_H

#include "analysis/code/code_results.h"
#include "analysis/wcet/wcet.h"
#include "base/text.h"
#include "report/cfg/cfg_report.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "exact" where the bound is the optimum of the integer program, and so on: the kind of the
 * number, which is "upper", or "estimate" where a loop bound is none. */
const char *wb_wcet_kind(const struct wb_wcet *wcet);

/* One kernel's object, as in the contract; NULL where memory is out. */
json_t *wb_wcet_json(const struct warpbound_wcet *result);

/* The loops as in that object; NULL where memory is out. */
json_t *wb_wcet_loops_json(const struct wb_wcet *wcet);

/* The JSON object of `warpbound wcet --json`: all results, kernels and other functions. The caller
 * checks text->failed. */
void wb_wcet_list_json(const struct warpbound_wcet *const *results, size_t count,
                       struct wb_text *text);

/* The cycles of the worst path in each block of the united graph. False where memory is out; to be
 * freed with wb_wcet_heat_free also then. No path: all 0. */
bool wb_wcet_heat(const struct wb_wcet *wcet, struct wb_cfg_heat *heat);
void wb_wcet_heat_free(struct wb_cfg_heat *heat);

/* The graphs of results, coloured by what their worst paths spend. Owned: wb_wcet_graphs_free. */
struct wb_wcet_graphs {
  struct wb_cfg_report report; /* borrows the other two */
  struct wb_control_flow *flows;
  struct wb_cfg_heat *heat;
};

/* The results, one or more of one module, are borrowed. False where memory is out; to be freed also
 * then. */
bool wb_wcet_graphs_make(const struct warpbound_wcet *const *results, size_t count,
                         struct wb_wcet_graphs *graphs);
void wb_wcet_graphs_free(struct wb_wcet_graphs *graphs);

/* Kernels for people: the answer for each in a line, then (unless quiet) what each is made of, and
 * what all rest on. colour: with escapes. A failure is the text's. */
void wb_wcet_text(const struct warpbound_wcet *const *results, size_t count, bool quiet,
                  bool colour, struct wb_text *text);

/* "NAME, PLACE: REASON; to prove it: ..." where the bound is an estimate; nothing else. */
void wb_wcet_doubts(const struct warpbound_wcet *result, struct wb_text *text);

/* The loops of one kernel for people, as in that text; nothing where there are none. */
void wb_wcet_loops_text(const struct wb_wcet *wcet, struct wb_text *text);

/* The word for where a loop's bound comes from. */
const char *wb_wcet_source_name(enum wb_bound_source source);

/* file: index into the code's files + 1, 0 with line 0: instructions whose place is not
 * known. cycles: of all runs of its instructions. */
struct wb_wcet_line {
  uint32_t file;
  uint32_t line;
  int64_t cycles;
};

/* The lines that cost anything, the most expensive first; *lines is to be freed. None where
 * no path is known. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_lines(const struct wb_wcet *wcet, struct wb_wcet_line **lines,
                               size_t *count, warpbound_error *error);

/* A whole file on results of one module, facts missing or not. Each kernel that has facts, or lacks
 * some: its checksum, its facts with their places as they are in this code, and a line with a '?'
 * for each loop of which nothing is known, with a comment on where it is. A failure is the
 * text's. */
void wb_facts_template(const struct warpbound_module *module,
                       const struct warpbound_wcet *const *results, size_t count,
                       struct wb_text *text);

#endif
