/* The flow system that IPET maximises (Li and Malik, DAC 1995; WCET 2023, section 4): of a
 * warp-level graph with costs, loop bounds and facts, and of the edges that enter its loops and
 * return to their headers. Limits on reactivations make the cycles of divergence finite
 * (doc/ipet.md). */
#ifndef WB_IPET_SYSTEM_IPET_SYSTEM_H
#define WB_IPET_SYSTEM_IPET_SYSTEM_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- loops ---- */

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

/* ---- the input ---- */

/* Lanes of a warp. */
#define WB_IPET_LANES 32

/* In place of a bound: there is none. */
#define WB_IPET_NO_BOUND (-1)

/* The warp returns to the header of a loop at most `bound` times for each entry of another; a
 * thread at most `thread_bound` times, which counts where several groups of lanes run. There a
 * bound of the warp which is only that of threads times the lanes is left out (WB_IPET_NO_BOUND).
 */
struct wb_ipet_loop_limit {
  uint32_t loop;        /* index of the forest */
  uint32_t per;         /* the loop whose entries count: the same one, or one around it */
  int64_t bound;        /* returns of the warp, at least 0, or WB_IPET_NO_BOUND */
  int64_t thread_bound; /* returns of a thread, at least 0, or WB_IPET_NO_BOUND */
};

struct wb_ipet_term {
  uint32_t block;
  int64_t factor;
};

/* The sum of factor * (executions of the block) over the terms is at most `constant` plus
 * per_factor for each entry of the loops in `per`. Invariant: the terms name each block once. Owns
 * its arrays. */
struct wb_ipet_fact {
  struct wb_ipet_term *terms;
  size_t term_count;
  int64_t constant;
  uint32_t *per; /* loops of the forest */
  size_t per_count;
  int64_t per_factor;
};

/* The origin of a limit: one of these plus an index. */
enum {
  WB_IPET_ORIGIN_LOOP = 0,        /* + index of the loop limit */
  WB_IPET_ORIGIN_FACT = 1 << 29,  /* + index of the fact */
  WB_IPET_ORIGIN_LANES = 1 << 27, /* + block: how often lanes can execute it */
  WB_IPET_ORIGIN_SIDES = 1 << 26, /* + block: the lanes that its indexed branch leaves waiting */
  WB_IPET_ORIGIN_CASE = 1 << 28,  /* + a number of the caller's: a case of exclusive facts */
  WB_IPET_ORIGIN_ENTRY = 1 << 30, /* + an entry of the graph: its pops */
  /* Where several groups of lanes run (doc/group-flow.md): */
  WB_IPET_ORIGIN_MEETING = 1 << 24,             /* + edge: where all lanes of the warp meet */
  WB_IPET_ORIGIN_THREADS = 1 << 25,             /* + index of the loop limit: lanes' returns */
  WB_IPET_ORIGIN_ABOVE = (1 << 30) + (1 << 29), /* + edge: not more often than its lanes */
  WB_IPET_ORIGIN_BELOW = WB_IPET_ORIGIN_ABOVE + (1 << 27), /* + edge: each time 32 lanes at most */
  WB_IPET_ORIGIN_FULL = WB_IPET_ORIGIN_BELOW + (1 << 27)   /* + block: each run 32 lanes at most */
};

/* All borrowed. */
struct wb_ipet_input {
  const struct wb_warp_graph *graph;
  const struct wb_loop_forest *forest; /* wb_ipet_loops: its edges are numbered as in the graph */
  const int64_t *cycles;               /* by block, at least 0 */
  const struct wb_ipet_loop_limit *loop_limits;
  size_t loop_limit_count;
  const struct wb_ipet_fact *facts;
  size_t fact_count;
  bool free_reactivations; /* leaves the limits on reactivations out, as WCET 2023 does; the forest
                              has to be that of all edges then */
};

/* ---- the system ---- */

/* Whether lanes can run in several groups. Where no edge is taken beside another one of its block
 * there is one group at a time, and the system is the walk of it. Else it has two layers over the
 * graph (doc/group-flow.md): nodes 0 .. blocks - 1 and edges 0 .. edges - 1 count groups, how often
 * a group runs the block and takes the edge; nodes and edges from there on, in the same order,
 * count lanes. */
bool wb_group_system_needed(const struct wb_warp_graph *graph);

/* Builds the system: nodes are the graph's blocks, edges are the graph's. The caller frees it.
 * Errors: WARPBOUND_INVALID_INPUT where a sum does not fit into 64 bits, WARPBOUND_INTERNAL. */
warpbound_status wb_ipet_system_build(const struct wb_ipet_input *input,
                                      struct wb_flow_system *system, warpbound_error *error);

#endif
