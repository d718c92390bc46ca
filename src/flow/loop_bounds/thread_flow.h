/* The control flow of one thread in a warp-level graph: its edges without those that only
 * reactivate other lanes, in an order for forward analyses; and what holds of threads that leave a
 * block: the outcome of its last instruction, their registers on each edge, and the ways by which
 * they leave a loop. */
#ifndef WB_FLOW_LOOP_BOUNDS_THREAD_FLOW_H
#define WB_FLOW_LOOP_BOUNDS_THREAD_FLOW_H

#include "base/arena.h"
#include "base/status.h"
#include "cfg/graph/flow_graph.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/loop_bounds/loop_summary.h"
#include "values/interval/integer_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Invariant: edges are in the order of the graph's; where `whole`, order and place are inverse
 * permutations of the blocks, and the entry stands first. Without `whole` the arrays from is_back
 * on and the dominators have no meaning. Owns its
 * lists and its arena; the graph is borrowed. */
struct wb_thread_flow {
  const struct wb_warp_graph *graph;
  bool whole;                      /* threads reach every block, and take no way but these edges */
  size_t edge_count;               /* of threads */
  uint32_t *number;                /* by edge: its number in the graph */
  uint32_t *from;                  /* by edge: its block of origin */
  uint32_t *to;                    /* by edge: its target block */
  bool *is_back;                   /* by edge: a back edge of the loop at its target */
  struct wb_edge_lists leaving;    /* edges by origin */
  struct wb_edge_lists reaching;   /* edges by target */
  struct wb_dominators dominators; /* by the edges of threads */
  uint32_t *order;   /* the blocks in reverse postorder of a depth-first search from the entry; an
                        edge retreats where its target does not come after its origin */
  uint32_t *place;   /* by block: its index in `order` */
  uint32_t *loop_at; /* by block: the reducible loop of the forest that has it as header, or
                        UINT32_MAX */
  struct wb_arena arena;
};

/* Near linear; no recursion. Errors: WARPBOUND_INTERNAL (memory); to be freed also then. */
warpbound_status wb_thread_flow_make(const struct wb_warp_graph *graph,
                                     const struct wb_loop_forest *forest,
                                     struct wb_thread_flow *flow, warpbound_error *error);
void wb_thread_flow_free(struct wb_thread_flow *flow);

/* Whether the invariant of struct wb_thread_flow holds. Linear. */
bool wb_thread_flow_is_valid(const struct wb_thread_flow *flow);

/* ---- what holds of threads that leave a block ---- */

/* The conditions under which an instruction is done that are predicates. */
#define WB_EDGE_CONDITIONS 2

/* The index of the predicate of a condition, below WB_EDGE_CONDITIONS, that is the same for all
 * threads that take the edge, and what it is. False where none is known, and of a condition of
 * which the other way is cut: who asks may not have followed what it reads. */
bool wb_edge_condition(const struct wb_thread_flow *flow, uint32_t edge, unsigned condition,
                       size_t *predicate, bool *is_true);

/* A block whose end a thread has reached, in the analysis of one region. All borrowed. */
struct wb_block_end {
  const struct wb_thread_flow *flow;
  uint32_t block;
  const uint32_t *region; /* the region's blocks are those with region[block] == loop */
  uint32_t loop;
  const struct wb_integer_state *state; /* at the block's end */
  const struct wb_comparisons *comparisons;
  struct wb_terms *terms; /* of the walk; NULL: none are named */
  uint32_t visit;         /* of the comparisons that the block made */
};

/* Finds the state on an edge of the flow that leaves the block: registers that the block compared
 * are narrowed by the outcome of the branch. False where no thread takes the edge. */
bool wb_edge_state(const struct wb_block_end *end, uint32_t edge, struct wb_integer_state *state);

/* The comparisons that hold for every thread that stays in the loop after the block's last
 * instruction, by one of its conditions: a row of the table; 0: none. */
uint32_t wb_staying_comparisons(const struct wb_block_end *end, unsigned condition);

/* Adds to the summary the ways out of the loop that begin at the block's end: edges to blocks
 * outside, and the thread's own end. False where memory is out. */
bool wb_loop_ways_collect(const struct wb_block_end *end, struct wb_loop_summary *summary);

#endif
