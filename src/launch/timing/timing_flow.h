/* The flow of one warp in the order in which its nodes are done. */
#ifndef WB_LAUNCH_TIMING_TIMING_FLOW_H
#define WB_LAUNCH_TIMING_TIMING_FLOW_H

#include "launch/timing/timing_graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owns its arrays: wb_timing_flow_free. */
struct wb_timing_flow {
  size_t *first_edge;   /* by node, one more at the end: into `successors` */
  uint32_t *successors; /* nodes, by the node that is left */
  uint32_t *order;      /* the nodes that can be reached from the starts, in reverse postorder */
  size_t reached_count; /* of them */
};

/* Fills *flow, and *reached by node, which is all false. False where memory is out; *flow is to be
 * freed all the same. Linear. */
bool wb_timing_flow_make(const struct wb_timing_graph *graph, struct wb_timing_flow *flow,
                         bool *reached);
void wb_timing_flow_free(struct wb_timing_flow *flow);

#endif
