/* The loops of a warp-level graph, and the edges that enter them and return to their headers. */
#ifndef WB_IPET_SYSTEM_LOOP_EDGES_H
#define WB_IPET_SYSTEM_LOOP_EDGES_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"

#include <stdbool.h>
#include <stdint.h>

/* The loop forest of the graph: by the edges of threads (wb_warp_loops_make), or of all edges.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_ipet_loops(const struct wb_warp_graph *graph, bool with_reactivations,
                               struct wb_loop_forest *forest, warpbound_error *error);

/* Whether the lanes of a push wait to repeat the pushing instruction: an indexed branch on which
 * lanes disagree, or one that sends lanes to itself, which then never end. */
bool wb_ipet_push_repeats(const struct wb_warp_graph *graph, const struct wb_warp_push *push);

/* Marks the headers among the blocks of a loop: the targets of its back edges and the blocks where
 * it is entered; an irreducible loop has several. inside: by block, the loop holds it; headers: by
 * block, other blocks keep their marks. Linear in the graph. */
void wb_ipet_loop_headers(const struct wb_warp_graph *graph, const struct wb_loop_forest *forest,
                          uint32_t loop, const bool *inside, bool *headers);

/* Marks by edge. Borrowed. */
struct wb_ipet_edge_marks {
  /* Lanes from outside come into the loop. An edge from outside does, unless it only reactivates
   * lanes that began to wait inside; so does an edge from inside that may reactivate lanes that
   * began to wait outside (the episodes of doc/ipet.md). The graph's start, where it is in the
   * loop, is one more entry. */
  bool *enters;
  /* Back edges; and edges that only reactivate lanes that began to wait inside and go on at a
   * header: each of these lanes took a back edge, but the warp took none. Not where lanes may wait
   * to repeat an indexed branch that is the header: they took no back edge. */
  bool *returns;
  /* Edges to a header that do not enter; NULL: not asked for. */
  bool *arrives;
};

/* Marks the edges of a loop. with_reactivations: the forest is that of all edges; then every edge
 * from outside enters, and back edges alone return. Time: linear in the graph.
 * Errors: WARPBOUND_INTERNAL (memory). Proof: doc/ipet.md. */
warpbound_status wb_ipet_loop_edges(const struct wb_warp_graph *graph,
                                    const struct wb_loop_forest *forest, bool with_reactivations,
                                    uint32_t loop, const struct wb_ipet_edge_marks *edges,
                                    warpbound_error *error);

#endif
