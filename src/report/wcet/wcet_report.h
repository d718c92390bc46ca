/* Writers of WCET results: JSON for scripts, text for people. */
#ifndef WB_REPORT_WCET_WCET_REPORT_H
#define WB_REPORT_WCET_WCET_REPORT_H

#include "analysis/code/code_results.h"
#include "analysis/wcet/wcet.h"
#include "base/arena.h"
#include "base/text.h"
#include "report/cfg/cfg_report.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One kernel's object, as in the contract; NULL where memory is out. */
json_t *wb_wcet_json(const struct warpbound_wcet *result);

/* The loops as in that object; NULL where memory is out. */
json_t *wb_wcet_loops_json(const struct wb_wcet *wcet);

/* What a kernel lacks that has no bound: its name and the loops without one, each with where its
 * number is lost, a hint and the fact to give. NULL where memory is out. */
json_t *wb_wcet_missing_json(const struct wb_wcet *wcet);

/* The JSON object of `warpbound wcet --json`: all results, kernels and other functions, and what
 * others lack. The caller checks text->failed. */
void wb_wcet_list_json(const struct warpbound_wcet *const *results, size_t count,
                       const struct warpbound_wcet *const *missing, size_t missing_count,
                       struct wb_text *text);

/* The graphs of results, coloured by what their worst paths spend. */
struct wb_wcet_graphs {
  struct wb_cfg_report report; /* its arrays are the arena's */
  struct wb_arena arena;
};

/* The results, one or more of one module, are borrowed. False where memory is out; to be freed with
 * wb_wcet_graphs_free also then. */
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

/* A block on the worst path. */
struct wb_wcet_block {
  uint32_t id;
  uint32_t first, last; /* instructions */
  int64_t runs;
  int64_t cycles;     /* of all runs */
  int64_t unmeasured; /* of these, by static costs; of measured times alone */
};

/* Sorts the blocks by cycles and writes the most expensive ones for people. */
void wb_wcet_blocks_text(const struct wb_wcet *wcet, struct wb_wcet_block *blocks, size_t count,
                         bool measured, struct wb_text *text);

/* A whole file on results of one module, facts missing or not. Each kernel that has facts, or lacks
 * some: its checksum, its facts with their places as they are in this code, and a line with a '?'
 * for each loop of which nothing is known, with a comment on where it is. A failure is the
 * text's. */
void wb_facts_template(const struct warpbound_module *module,
                       const struct warpbound_wcet *const *results, size_t count,
                       struct wb_text *text);

#endif
