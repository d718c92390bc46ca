/* Dominators and the loop forest of a flow graph, whatever its nodes are. */
#ifndef WB_CFG_GRAPH_LOOPS_H
#define WB_CFG_GRAPH_LOOPS_H

#include "base/arena.h"
#include "base/status.h"
#include "cfg/graph/flow_graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How deep irreducible regions nest in each other: a region inside of so many others is taken
 * whole, with every node a header. Nothing that a compiler makes comes near; it keeps the time
 * linear where a listing is made to be slow. */
#define WB_IRREDUCIBLE_DEPTH_LIMIT 64

/* A loop: a maximal strongly connected set of nodes that can be entered at its headers alone;
 * inner loops are those of what is left of it without its headers (Steensgaard's forest, as
 * Ramalingam 1999 restates it; on reducible graphs the natural loops). A region that can be
 * entered at several nodes is irreducible: all of its entries are headers, and header is the
 * first met from the entry in depth-first order. */
struct wb_loop {
  uint32_t header;        /* a node */
  uint32_t parent;        /* index of the enclosing loop, UINT32_MAX for none */
  uint32_t depth;         /* 1 for an outermost one */
  bool irreducible;       /* it can be entered at several nodes */
  size_t first_back_edge; /* into back_edges: edges from the loop to one of its headers */
  size_t back_edge_count; /* back edges */
  size_t first_node;      /* into nodes: all of its nodes, those of inner loops included */
  size_t node_count;      /* nodes */
};

/* Invariants: loops stand after the loops that enclose them; the nodes of a loop are among those
 * of its parent; every back edge goes from a node of its loop to one; of a reducible loop all go to
 * the header, which dominates all nodes of the loop. Owns its arrays. */
struct wb_loop_forest {
  struct wb_loop *loops; /* outer ones first */
  size_t loop_count;     /* loops */
  uint32_t *back_edges;  /* edges */
  uint32_t *nodes;       /* of each outermost loop in a row, within it those of inner ones */
  uint32_t *innermost;   /* by node: its innermost loop, UINT32_MAX for none */
  uint32_t *dominators;  /* by node: its immediate dominator; itself for the entry, UINT32_MAX where
                          * it is not reachable */
  struct wb_arena arena; /* of the arrays */
};

/* Needs fewer than 2^32 - 1 nodes and edges. Unreachable nodes are in no loop, and edges from
 * them are as if they were not there. Near linear in nodes and edges, times how deep irreducible
 * regions nest; no recursion. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_loop_forest_make(const struct wb_flow_graph *graph,
                                     struct wb_loop_forest *forest, warpbound_error *error);

/* The invariants: NULL, or what is wrong. Linear, times how deep loops nest. */
const char *wb_loop_forest_check(const struct wb_flow_graph *graph,
                                 const struct wb_loop_forest *forest);

void wb_loop_forest_free(struct wb_loop_forest *forest);

#endif
