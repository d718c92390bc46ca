/* Depth-first order and dominators of a flow graph. */
#ifndef WB_CFG_GRAPH_DOMINATORS_H
#define WB_CFG_GRAPH_DOMINATORS_H

#include "base/status.h"
#include "cfg/graph/loops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The edges of each node: those of node n are list[first[n]] .. list[first[n + 1] - 1], in
 * ascending order. Owns its arrays. */
struct wb_edge_lists {
  uint32_t *first;
  uint32_t *list;
};

/* Groups edges by ends[e]. Linear. False where memory is out. */
bool wb_edge_lists_make(const uint32_t *ends, size_t edge_count, size_t node_count,
                        struct wb_edge_lists *lists);
void wb_edge_lists_free(struct wb_edge_lists *lists);

/* Nodes that the entry reaches have numbers 0 .. reached - 1 in depth-first preorder, the
 * others UINT32_MAX. A dominator's number is below those of all that it dominates.
 * position, size: the nodes that node n dominates, n included, are those whose position is
 * position[n] .. position[n] + size[n] - 1. Owns its arrays. */
struct wb_dominators {
  size_t reached;
  uint32_t *order;     /* by number: the node */
  uint32_t *number;    /* by node, as all below */
  uint32_t *immediate; /* itself for the entry, UINT32_MAX where it is not reachable */
  uint32_t *position;
  uint32_t *size;
};

/* Lengauer and Tarjan 1979 with path compression: e log n steps for e edges, without
 * recursion. incoming: the graph's edges by `to`. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_dominators_make(const struct wb_flow_graph *graph,
                                    const struct wb_edge_lists *incoming,
                                    struct wb_dominators *dominators, warpbound_error *error);
void wb_dominators_free(struct wb_dominators *dominators);

/* Whether every way to b, which is reachable, leads through a. Constant time. */
bool wb_dominates(const struct wb_dominators *dominators, uint32_t a, uint32_t b);

#endif
