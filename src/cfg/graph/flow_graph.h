/* A flow graph as arrays, its edges grouped by their ends, and its dominators. */
#ifndef WB_CFG_GRAPH_FLOW_GRAPH_H
#define WB_CFG_GRAPH_FLOW_GRAPH_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Edge e goes from from[e] to to[e]; several edges may join two nodes. Invariant: the entry and
 * all ends are below node_count. Borrows its arrays. */
struct wb_flow_graph {
  size_t node_count;    /* at least 1, below 2^32 - 1 */
  size_t edge_count;    /* below 2^32 - 1 */
  const uint32_t *from; /* by edge */
  const uint32_t *to;   /* by edge */
  uint32_t entry;       /* a node */
};

/* The edges of each node: those of node n are list[first[n]] .. list[first[n + 1] - 1], in
 * ascending order. Owns its arrays. */
struct wb_edge_lists {
  uint32_t *first; /* by node, and one more */
  uint32_t *list;  /* edges */
};

/* Groups edges by ends[e]. Linear. False where memory is out. */
bool wb_edge_lists_make(const uint32_t *ends, size_t edge_count, size_t node_count,
                        struct wb_edge_lists *lists);
void wb_edge_lists_free(struct wb_edge_lists *lists);

/* The invariant of a graph: NULL, or what is wrong. Linear. */
const char *wb_flow_graph_check(const struct wb_flow_graph *graph);

/* Whether the lists hold each edge once, with the node that ends[e] names, in ascending order:
 * NULL, or what is wrong. Linear. */
const char *wb_edge_lists_check(const struct wb_edge_lists *lists, const uint32_t *ends,
                                size_t edge_count, size_t node_count);

/* ---- depth-first order and dominators ---- */

/* Invariants: nodes that the entry reaches have numbers 0 .. reached - 1 in depth-first preorder,
 * order[number[n]] is n; a dominator's number is below those of all that it dominates; the nodes
 * that node n dominates, n included, are those with positions position[n] .. position[n] + size[n]
 * - 1; the immediate dominator of an edge's end dominates its beginning. Owns its arrays. */
struct wb_dominators {
  size_t reached;        /* nodes that the entry reaches */
  uint32_t *order;       /* by number: the node */
  uint32_t *number;      /* by node: UINT32_MAX where it is not reachable */
  uint32_t *immediate;   /* by node: its immediate dominator, itself for the entry, UINT32_MAX where
                          * it is not reachable */
  uint32_t *position;    /* by node: in a preorder of the dominator tree */
  uint32_t *size;        /* by node: how many nodes it dominates */
  struct wb_arena arena; /* of the arrays */
};

/* Lengauer and Tarjan 1979 with path compression: e log n steps for e edges, without
 * recursion. incoming: the graph's edges by `to`. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_dominators_make(const struct wb_flow_graph *graph,
                                    const struct wb_edge_lists *incoming,
                                    struct wb_dominators *dominators, warpbound_error *error);
void wb_dominators_free(struct wb_dominators *dominators);

/* Whether every way to b, which is reachable, leads through a. Constant time. */
bool wb_dominates(const struct wb_dominators *dominators, uint32_t a, uint32_t b);

/* The invariants: NULL, or what is wrong. That the entry's tree has them says that every immediate
 * dominator dominates, but not that it is the nearest one. Linear. */
const char *wb_dominators_check(const struct wb_flow_graph *graph,
                                const struct wb_dominators *dominators);

#endif
