/* The loops of a warp-level graph, as threads run them, and its strongly connected components. */
#ifndef WB_CFG_WARP_GRAPH_WARP_LOOPS_H
#define WB_CFG_WARP_GRAPH_WARP_LOOPS_H

#include "base/arena.h"
#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The loop forest of the graph's blocks by the ways that threads go: without reactivation edges,
 * which close cycles that no thread goes round, but with the way from where lanes split to where
 * those that are pushed go on. Only where some block is reached by reactivations alone do they
 * count too. The back edges are indices into graph->edges. Each calling context has loops of
 * its own. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_warp_loops_make(const struct wb_warp_graph *graph,
                                    struct wb_loop_forest *forest, warpbound_error *error);

/* A loop of the united graph: the loops of all contexts that have the same header. Members are
 * blocks of the united graph. */
struct wb_united_loop {
  uint32_t header;        /* a block */
  uint32_t parent;        /* the loop around it, UINT32_MAX for none */
  uint32_t depth;         /* the greatest over the contexts, 1 for an outermost one */
  bool irreducible;       /* in some context */
  size_t first_back_edge; /* into members: where its back edges come from, ascending */
  size_t back_edge_count; /* blocks with a back edge */
  size_t first_entry;     /* into members: the blocks at which it can be entered, ascending */
  size_t entry_count;     /* blocks at which it can be entered; the header is one */
};

/* Invariants: headers ascend; a loop is deeper than its parent. Owns its arrays. */
struct wb_united_loops {
  struct wb_united_loop *loops; /* by ascending header */
  size_t count;                 /* loops */
  uint32_t *members;            /* blocks, of each loop in two rows */
  uint32_t *innermost;   /* by block of the united graph: its innermost loop, or UINT32_MAX */
  struct wb_arena arena; /* of the arrays */
};

/* The loops of `graph` in terms of `united`, which wb_warp_graph_unite made of it: so that a
 * subroutine called from two places makes no loop between them. Linear but for sorting.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_united_loops_make(const struct wb_warp_graph *graph,
                                      const struct wb_warp_graph *united,
                                      struct wb_united_loops *loops, warpbound_error *error);
/* The invariants: NULL, or which one is broken. Linear. */
const char *wb_united_loops_check(const struct wb_warp_graph *united,
                                  const struct wb_united_loops *loops);

void wb_united_loops_free(struct wb_united_loops *loops);

/* An order of the blocks by their strongly connected components. By block: the number of its
 * component, which no edge leads to a higher one of. So a walk from a block comes to no block of a
 * higher number. The edges are sorted. The arena owns the array; NULL where memory is out.
 * Linear. */
uint32_t *wb_component_order_make(const struct wb_warp_graph *graph, struct wb_arena *arena);

#endif
