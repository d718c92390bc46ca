/* From a warp-level control-flow graph, costs, loop bounds and facts to the flow system that
 * IPET maximises (Li and Malik, DAC 1995; WCET 2023, section 4), with the limits on
 * reactivations that make pseudo-loops of divergence finite. */
#ifndef WB_IPET_SYSTEM_H
#define WB_IPET_SYSTEM_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The warp comes back to the header of `loop` at most `bound` times for each time that it enters
 * the loop `per` (the same one, or one around it). Indices of the forest. */
struct wb_ipet_loop_limit {
  uint32_t loop;
  uint32_t per;
  int64_t bound;
};

struct wb_ipet_term {
  uint32_t block;
  int64_t factor;
};

/* The sum of factor * (runs of the block) is at most `constant` and per_factor for each entry
 * of the loops in `per`. The terms name each block once. */
struct wb_ipet_fact {
  struct wb_ipet_term *terms;
  size_t term_count;
  int64_t constant;
  uint32_t *per;
  size_t per_count;
  int64_t per_factor;
};

/* What the system is built of; all borrowed. forest: the graph's loops, its back
 * edges numbered as in the graph (wb_ipet_loops).
 *   cycles                  by block, at least 0
 *   free_reactivations      leaves the limits on reactivations out, as WCET 2023 does; loops
 *                           then have to be those of the graph with all its edges */
struct wb_ipet_input {
  const struct wb_warp_graph *graph;
  const struct wb_loop_forest *forest;
  const int64_t *cycles;
  const struct wb_ipet_loop_limit *loop_limits;
  size_t loop_limit_count;
  const struct wb_ipet_fact *facts;
  size_t fact_count;
  bool free_reactivations;
};

/* Where a limit of the system comes from: its `origin` is one of these plus an index. */
enum {
  WB_IPET_ORIGIN_LOOP = 0,        /* + index of the loop limit */
  WB_IPET_ORIGIN_FACT = 1 << 29,  /* + index of the fact */
  WB_IPET_ORIGIN_LANES = 1 << 27, /* + a block: how often lanes can run it */
  WB_IPET_ORIGIN_SIDES = 1 << 26, /* + a block: all that its indexed branch leaves waiting */
  WB_IPET_ORIGIN_CASE = 1 << 28,  /* for its callers: + a number of theirs */
  WB_IPET_ORIGIN_ENTRY = 1 << 30  /* + an entry of the graph: its pops */
};

/* The loop forest of the graph: by the ways of threads (wb_warp_loops_make), or of all edges.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_ipet_loops(const struct wb_warp_graph *graph, bool with_reactivations,
                               struct wb_loop_forest *forest, warpbound_error *error);

/* Whether the push is one of lanes that are to do the pushing instruction anew: an indexed branch
 * on which they disagree. (Or of lanes that it sends to itself, which then never end.) */
bool wb_ipet_push_repeats(const struct wb_warp_graph *graph, const struct wb_warp_push *push);

/* The headers of a loop among its blocks: where its back edges lead to and where it is entered, of
 * an irreducible loop several. inside: its blocks; headers of others are left as they are. */
void wb_ipet_loop_headers(const struct wb_warp_graph *graph, const struct wb_loop_forest *forest,
                          uint32_t loop, const bool *inside, bool *headers);

/* Which edges enter a loop, and which come back to its header, by edge.
 * enters: lanes that were outside come in. An edge from outside does, unless it only wakes lanes
 * that began to wait inside; an edge from inside that may wake lanes that began to wait outside
 * does too (simt.md's episodes: doc/ipet.md). The graph's start, where it is in the loop, is one
 * more entry.
 * returns: the back edges; and edges that only wake lanes which began to wait inside and go on at a
 * header: each of these lanes took a back edge, but the warp took none. Not where they may wait to
 * do an indexed branch anew, which is the header: those took no back edge.
 * with_reactivations: the forest is that of all edges, in which every edge from outside enters and
 * back edges alone return.
 * Both have room for one flag an edge. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_ipet_loop_edges(const struct wb_warp_graph *graph,
                                    const struct wb_loop_forest *forest, bool with_reactivations,
                                    uint32_t loop, bool *enters, bool *returns,
                                    warpbound_error *error);

/* Nodes of the system are blocks, edges those of the graph.
 * Errors: WARPBOUND_INVALID_INPUT where a sum does not fit, WARPBOUND_INTERNAL. */
warpbound_status wb_ipet_system_build(const struct wb_ipet_input *input,
                                      struct wb_flow_system *system, warpbound_error *error);

#endif
