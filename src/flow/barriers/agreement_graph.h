/* The graph of the walks of warps that are compared (barrier_agreement.h): without the blocks and
 * the edges of warps that end early, and with the places where ways from a choice meet again. */
#ifndef WB_FLOW_BARRIERS_AGREEMENT_GRAPH_H
#define WB_FLOW_BARRIERS_AGREEMENT_GRAPH_H

#include "base/arena.h"
#include "cfg/graph/flow_graph.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/barriers/early_ends.h"

/* Edges are those of the warp graph, of lanes that only go on again too, and then those to the way
 * out, one more node. An edge that no compared warp takes stays in place, so that edges keep their
 * numbers, and leaves the way out. */
struct wb_agreement_graph {
  uint32_t way_out;    /* the node after the blocks */
  bool *left_out;      /* by block: warps that come to it are compared no longer, or never were */
  uint32_t *from, *to; /* by edge */
  size_t edge_count;
  struct wb_edge_lists leaving; /* by block */
  struct wb_dominators after;   /* of the reversed graph: `immediate` is the first place that every
                                   way out leads through or, of blocks without a way out, every way
                                   to one block of their loop */
};

/* The barriers of a block before an instruction. */
uint32_t wb_count_barriers(const struct wb_warp_graph *graph, uint32_t block, uint32_t before);

/* Takes arrays of the arena; the caller frees the graph, also after an error. Linear, once
 * more for each barrier without a way out, and a few times for each block of loops around these.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_agreement_graph_make(const struct wb_warp_graph *graph,
                                         enum wb_early_ends early_ends, struct wb_arena *arena,
                                         struct wb_agreement_graph *made, warpbound_error *error);
void wb_agreement_graph_free(struct wb_agreement_graph *made);

#endif
