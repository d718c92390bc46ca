/* The ways by which threads leave a loop, and what holds for a thread that takes one. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_WAYS_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_WAYS_H

#include "flow/loop_bounds/loop_summary.h"
#include "flow/loop_bounds/thread_flow.h"
#include "values/interval/integer_state.h"

#include <stdbool.h>
#include <stdint.h>

/* A block whose end a thread has reached, in the analysis of one loop. All borrowed. */
struct wb_block_end {
  const struct wb_thread_flow *flow;
  const uint32_t *region; /* the loop's blocks are those with region[block] == loop */
  uint32_t loop;
  uint32_t block;
  const struct wb_integer_state *state; /* relative to the loop's header */
  const struct wb_comparisons *comparisons;
  uint32_t visit; /* of the comparisons that the block made */
};

/* Adds to the summary the ways out of the loop that begin at the block's end: edges to blocks
 * outside, and the thread's own end. False where memory is out. */
bool wb_loop_ways_collect(const struct wb_block_end *end, struct wb_loop_summary *summary);

#endif
