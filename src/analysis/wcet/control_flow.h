/* The warp-level control flow of one function of a listing, with all that reports show of it. */
#ifndef WB_ANALYSIS_WCET_CONTROL_FLOW_H
#define WB_ANALYSIS_WCET_CONTROL_FLOW_H

#include "base/status.h"
#include "base/work_control.h"
#include "cfg/graph/flow_graph.h"
#include "cfg/simt_analysis.h"
#include "cfg/warp_graph/warp_graph.h"
#include "cfg/warp_graph/warp_loops.h"
#include "model/code.h"

#include <stddef.h>

/* Invariant: where the function is not analysed, graph is NULL and all from analysis on is empty.
 * Owns all but the code and the function. */
struct wb_control_flow {
  const struct wb_code *code;
  const struct wb_function *function;
  warpbound_error refusal;           /* why the function is not analysed; its status is OK else */
  struct wb_simt_analysis *analysis; /* has the graph */
  const struct wb_warp_graph *graph; /* keeps calling contexts apart */
  struct wb_warp_graph united;       /* with contexts united: what reports call blocks and edges */
  struct wb_united_loops loops;      /* of the united graph */
  struct wb_dominators dominators;   /* of the united graph with all of its edges */
  double seconds;                    /* that all of this took */
};

/* Analyses a function. A refusal of the abstract interpretation is kept in *flow, and is no
 * error here. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_control_flow_analyse(const struct wb_code *code,
                                         const struct wb_function *function,
                                         const struct wb_simt_options *options,
                                         const struct wb_control *control,
                                         struct wb_control_flow *flow, warpbound_error *error);

/* The loops and dominators of flow->graph and flow->united, which are set. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_control_flow_complete(struct wb_control_flow *flow, warpbound_error *error);

void wb_control_flow_free(struct wb_control_flow *flow);

#endif
