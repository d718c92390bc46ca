/* The abstract interpretation of SIMT execution (WCET 2023): from machine code to its warp-level
 * control-flow graph. How lanes reconverge is a part that is chosen by the architecture. */
#ifndef WB_CFG_SIMT_ANALYSIS_H
#define WB_CFG_SIMT_ANALYSIS_H

#include "base/status.h"
#include "base/work_control.h"
#include "cfg/simt/simt_options.h"
#include "cfg/warp_graph/warp_graph.h"
#include "model/code.h"

#include <stdbool.h>

/* The outcome, with what questions about loops need. Owns the graph. */
struct wb_simt_analysis;

/* Analyses one function from its first instruction; where it is no kernel, with a return
 * token at the stack's bottom.
 * Errors: WARPBOUND_INVALID_INPUT with the listing's line (a pop with no token on the stack,
 * a control instruction that is not supported, an architecture that has no activation stack),
 * WARPBOUND_FACTS_MISSING (an indexed branch without targets), WARPBOUND_LIMIT,
 * WARPBOUND_INTERNAL.
 * Near linear in the number of instructions and contexts for stacks of bounded depth. */
warpbound_status wb_simt_analyse(const struct wb_code *code, const struct wb_function *function,
                                 const struct wb_simt_options *options,
                                 const struct wb_control *control,
                                 struct wb_simt_analysis **analysis, warpbound_error *error);

/* The graph; borrowed. */
const struct wb_warp_graph *wb_simt_analysis_graph(const struct wb_simt_analysis *analysis);

/* Whether the lanes that take an iteration of a loop took all earlier ones since the loop was
 * entered, so that a bound per thread bounds the warp: no lanes that ran in the loop are left
 * behind in it when an iteration begins. The loop is entered by the edges from outside, and no edge
 * within it wakes lanes that wait since before. `body` and `headers` are flags by block of the
 * graph; headers are in the body: all blocks at which iterations that count begin, of an
 * irreducible loop several. Proof: doc/simt-analysis.md. Linear in what the mechanism keeps and in
 * the edges; false where memory is out. */
bool wb_simt_loop_balanced(const struct wb_simt_analysis *analysis, const bool *headers,
                           const bool *body);

void wb_simt_analysis_free(struct wb_simt_analysis *analysis);

#endif
