/* How one thread goes through a warp-level graph: its edges without those that only wake other
 * lanes, in an order for analyses that go forward. */
#ifndef WB_FLOW_LOOP_BOUNDS_THREAD_FLOW_H
#define WB_FLOW_LOOP_BOUNDS_THREAD_FLOW_H

#include "base/status.h"
#include "cfg/graph/dominators.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Edges 0 .. edge_count - 1 of threads: edge e is graph->edges[number[e]], goes from from[e] to
 * to[e]. order: every block, in reverse postorder of a depth-first search from the entry;
 * place: by block, its index in order. An edge is retreating where its target does not stand
 * behind its origin. loop_at: by block, the reducible loop of the forest whose header it is, or
 * UINT32_MAX; is_back: by edge, a back edge of the loop at its target.
 * whole: every block is reached, and wherever lanes split, those that wait are on an edge too;
 * where it is false the edges may miss ways of threads, and the rest is not filled in.
 * Owns its arrays. */
struct wb_thread_flow {
  const struct wb_warp_graph *graph;
  bool whole;
  size_t edge_count;
  uint32_t *number;
  uint32_t *from;
  uint32_t *to;
  bool *is_back;
  struct wb_edge_lists leaving;
  struct wb_edge_lists reaching;
  struct wb_dominators dominators;
  uint32_t *order;
  uint32_t *place;
  uint32_t *loop_at;
};

/* Near linear; no recursion. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_thread_flow_make(const struct wb_warp_graph *graph,
                                     const struct wb_loop_forest *forest,
                                     struct wb_thread_flow *flow, warpbound_error *error);
void wb_thread_flow_free(struct wb_thread_flow *flow);

#endif
