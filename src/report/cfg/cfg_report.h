/* Writers of warp-level control-flow graphs: one result object, four writers. */
#ifndef WB_REPORT_CFG_CFG_REPORT_H
#define WB_REPORT_CFG_CFG_REPORT_H

#include "analysis/code/code_results.h"
#include "analysis/wcet/control_flow.h"
#include "base/status.h"
#include "base/text.h"
#include "base/work_control.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The cycles of a worst path by block of the united graph. */
struct wb_cfg_heat {
  int64_t *runs;    /* by block: executions */
  int64_t *cycles;  /* by block: in all its executions */
  int64_t *taken;   /* by edge: executions */
  int64_t total;    /* cycles of the whole path */
  int64_t wcet;     /* the bound, in cycles */
  const char *kind; /* how the bound is known; static */
};

/* The content of a report on a listing: all borrowed. contexts: also what calling contexts there
 * are, and which of them each block is in. quiet: for people, the answer alone. heat: by flow, for
 * a picture that is coloured by it, or NULL. */
struct wb_cfg_report {
  const struct wb_code *code;
  const struct wb_simt_options *options;
  const struct wb_control_flow *flows;
  size_t count;
  bool contexts;
  bool quiet;
  const struct wb_cfg_heat *heat;
};

/* A report of handles of one module, all borrowed; in report->flows it owns copies of
 * what they hold. False where memory is out. To be freed with wb_cfg_report_free, also then. */
bool wb_cfg_report_make(const struct warpbound_module *module,
                        const struct warpbound_control_flow *const *flows, size_t count,
                        struct wb_cfg_report *report);
void wb_cfg_report_free(struct wb_cfg_report *report);

/* The JSON object of contract "cfg" (doc/formats.md). The caller checks text->failed. */
void wb_cfg_json(const struct wb_cfg_report *report, struct wb_text *text);

/* For people: the answer in a line, a table of the functions where there are several, then each
 * with its blocks, loops, divergence points and uniform branches, and what all rest on. The caller
 * checks text->failed. */
void wb_cfg_text(const struct wb_cfg_report *report, bool colour, struct wb_text *text);

/* A graph for Graphviz, the functions that were analysed side by side. Divergence points,
 * reactivation edges and loops stand out; legend: with a node that says how. With heat the blocks
 * are coloured by what the worst path spends, and its edges show how often it takes them. The
 * caller checks text->failed. */
void wb_cfg_dot(const struct wb_cfg_report *report, bool legend, struct wb_text *text);

/* The same as an SVG page by the program dot, with the legend beside the graph; each block shows
 * its instructions to whoever points at it. Errors: those of wb_graphviz_svg. */
warpbound_status wb_cfg_svg(const struct wb_cfg_report *report, const struct wb_control *control,
                            struct wb_text *svg, warpbound_error *error);

/* ---- words that the reports on control flow share ---- */

/* "fallthrough", "branch", "call", "return", "reactivation". */
const char *wb_edge_kind_name(enum wb_edge_kind kind);

/* The targets of those of the edges that have the kind, as "3-7, 9". The edges are of one block,
 * in the graph's order. */
void wb_cfg_write_targets(const struct wb_warp_edge *edges, size_t count, enum wb_edge_kind kind,
                          const char *separator, struct wb_text *text);

/* "sm_52"; "" where the listing does not say. */
void wb_cfg_write_isa(const struct wb_function *function, struct wb_text *text);

/* "@!P0 BRA 0x1c8". */
void wb_cfg_write_instruction(const struct wb_function *function,
                              const struct wb_instruction *instruction, struct wb_text *text);

/* A line of a source file; file as in struct wb_instruction. */
struct wb_source_line {
  uint32_t file;
  uint32_t line;
};

/* The source lines of a block, each once, by file and line. Writes at most as many to `lines` as
 * the block has instructions, and returns how many. */
size_t wb_cfg_source_lines(const struct wb_function *function, const struct wb_warp_block *block,
                           struct wb_source_line *lines);

/* Such lines as "kernel.cu:12-14,18 helper.h:3", with the names of files only where `names`; no
 * more than `most` stretches, then "...". */
void wb_cfg_write_lines(const struct wb_code *code, const struct wb_source_line *lines,
                        size_t count, bool names, size_t most, struct wb_text *text);

/* How many files the instructions of a function come from: 0 without line information, 1, or 2
 * for several. */
size_t wb_cfg_source_files(const struct wb_function *function);

/* How many instructions the blocks have. */
size_t wb_cfg_reachable_instructions(const struct wb_warp_graph *united);

/* The effect of a block's last instruction, if conditional, on the lanes. */
enum wb_lanes { WB_LANES_TOGETHER, WB_LANES_UNIFORM, WB_LANES_SPLIT };
enum wb_lanes wb_cfg_lanes(const struct wb_warp_graph *united, size_t block);

/* The name of the subroutine that begins with the block, or NULL. */
const char *wb_cfg_subroutine(const struct wb_function *function,
                              const struct wb_warp_block *block);

#endif
