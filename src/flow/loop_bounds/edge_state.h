/* What holds of threads that leave a block: the outcome of its last instruction, their registers on
 * each edge, and the ways by which they leave a loop. */
#ifndef WB_FLOW_LOOP_BOUNDS_EDGE_STATE_H
#define WB_FLOW_LOOP_BOUNDS_EDGE_STATE_H

#include "flow/loop_bounds/loop_summary.h"
#include "flow/loop_bounds/thread_flow.h"
#include "values/interval/integer_state.h"

#include <stdbool.h>
#include <stdint.h>

/* A block whose end a thread has reached, in the analysis of one region. All borrowed. */
struct wb_block_end {
  const struct wb_thread_flow *flow;
  uint32_t block;
  const uint32_t *region; /* the region's blocks are those with region[block] == loop */
  uint32_t loop;
  const struct wb_integer_state *state; /* at the block's end */
  const struct wb_comparisons *comparisons;
  uint32_t visit; /* of the comparisons that the block made */
};

/* Finds the state on an edge of the flow that leaves the block: registers that the block compared
 * are narrowed by the outcome of the branch. False where no thread takes the edge. */
bool wb_edge_state(const struct wb_block_end *end, uint32_t edge, struct wb_integer_state *state);

/* The comparisons that hold for every thread that stays in the loop after the block's last
 * instruction: a row of the table; 0: none. */
uint32_t wb_staying_comparisons(const struct wb_block_end *end);

/* Adds to the summary the ways out of the loop that begin at the block's end: edges to blocks
 * outside, and the thread's own end. False where memory is out. */
bool wb_loop_ways_collect(const struct wb_block_end *end, struct wb_loop_summary *summary);

#endif
