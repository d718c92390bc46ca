/* The WCET of one warp that runs alone: the options of its analysis, and its result. */
#ifndef WB_ANALYSIS_WCET_WCET_RESULT_H
#define WB_ANALYSIS_WCET_WCET_RESULT_H

#include "analysis/wcet/control_flow.h"
#include "base/control.h"
#include "base/list.h"
#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/simt_analysis.h"
#include "flow/costs.h"
#include "flow/loop_bounds/loop_bounds.h"
#include "formats/flow_facts/source_bounds.h"
#include "ipet/facts.h"
#include "ipet/solve.h"
#include "ipet/system.h"
#include "linear/writer.h"
#include "model/code.h"
#include "model/flow_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* sources: by file of the code, the loop bounds that stand in it, or NULL for none.
 * facts: what people know, or NULL. move_facts: facts that were written for other code are moved
 * by their source lines, for a new file, and the analysis ends there (WARPBOUND_FACTS_MISSING).
 * launch: what is constant for it, for the bounds that the code shows; NULL: nothing known.
 * no_found_bounds: without those bounds, so that facts and the default count alone.
 * default_bound: for loops of which nothing is known, back edges of the warp per entry;
 * UINT64_MAX: none, such loops are errors. The result is then an estimate.
 * costs: NULL for one cycle an instruction.
 * free_reactivations: without the limits on reactivations, as WCET 2023 (an ablation): loops
 * are then those of all edges, and the default bound is needed.
 * file: writes the integer program there; command: a solver's, see linear/solver.h. */
struct wb_wcet_options {
  struct wb_simt_options simt;
  const struct wb_source_bounds *sources;
  const struct wb_flow_facts *facts;
  bool move_facts;
  const struct wb_launch *launch;
  bool no_found_bounds;
  uint64_t default_bound;
  const struct wb_costs *costs;
  bool free_reactivations;
  const char *file;
  enum wb_linear_format format;
  const char *command;
};

/* How the bound of a loop is known. */
enum wb_bound_source {
  WB_BOUND_UNKNOWN,
  WB_BOUND_DEFAULT, /* --default-loop-bound */
  WB_BOUND_FACT,    /* a flow fact */
  WB_BOUND_COMMENT, /* a comment or pragma in the source */
  WB_BOUND_FOUND    /* the code itself (flow/loop_bounds/loop_bounds.h) */
};

/* A loop of the graph (the same index as in the forest). bound: back edges for each entry, of
 * a thread or (per_warp) of the warp; warp_bound: of the warp. balanced: a bound of threads
 * is one of the warp (wb_simt_loop_balanced). fact_line: in the fact file, 0 for none. reason: for
 * people, or NULL. width_bound: a bound of threads that comes from the width of a register alone,
 * which is no bound by itself but may be less than another one; UINT64_MAX for none; width_reason
 * and hint: why, and what would bound the loop (flow/loop_bounds/loop_bounds.h), or NULL. */
struct wb_wcet_loop {
  enum wb_bound_source source;
  uint64_t bound;
  uint64_t warp_bound;
  bool per_warp;
  bool balanced;
  uint32_t fact_line;
  char *reason;
  uint64_t width_bound;
  char *width_reason;
  char *hint;
};

/* cycles: by instruction; block_cycles, runs: by block of the graph; runs are those of the
 * worst path, instruction_runs their sums over all contexts by instruction; both NULL where no
 * path was found. flow: the analysis of control flow; graph is its graph. system, ipet: of the
 * worst of the cases that exclusive facts make, each with a proof of its own. estimate: the bound
 * is none of all executions, since a loop bound was a default or code that is called was not
 * counted: wb_wcet_bound_kind. calls: its cycles have those of functions in sections of their own,
 * whose instructions are on no path of this one. All owned, but for the code and the function:
 * wb_wcet_free. */
struct wb_wcet {
  const struct wb_code *code;
  const struct wb_function *function;
  struct wb_control_flow flow;
  const struct wb_warp_graph *graph;
  struct wb_loop_forest forest;
  struct wb_wcet_loop *loops;
  int64_t *cycles;
  int64_t *block_cycles;
  int64_t *runs;
  int64_t *instruction_runs;
  struct wb_resolved_facts facts;
  struct wb_flow_system system;
  struct wb_ipet_result ipet;
  size_t columns, rows;
  size_t cases;
  struct wb_list assumptions;
  bool estimate;
  bool calls;
};

/* What the bound is: WARPBOUND_UPPER or WARPBOUND_ESTIMATE. */
warpbound_kind wb_wcet_bound_kind(const struct wb_wcet *wcet);

/* The first instruction of a block. */
const struct wb_instruction *wb_wcet_block_start(const struct wb_wcet *wcet, uint32_t block);

/* The instruction whose source line names a loop best: the one that takes its first back edge;
 * the first of the header where that has no line. */
const struct wb_instruction *wb_wcet_loop_line(const struct wb_wcet *wcet, size_t loop);

/* The instructions of a worst path in order, as indices; to be freed.
 * Errors: WARPBOUND_LIMIT where it has more than `longest`, WARPBOUND_FACTS_MISSING where no
 * path is known, WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_path(const struct wb_wcet *wcet, size_t longest, uint32_t **instructions,
                              size_t *count, warpbound_error *error);

void wb_wcet_free(struct wb_wcet *wcet);

#endif
