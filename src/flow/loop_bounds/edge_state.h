/* What a thread knows that leaves a block by a certain edge. */
#ifndef WB_FLOW_LOOP_BOUNDS_EDGE_STATE_H
#define WB_FLOW_LOOP_BOUNDS_EDGE_STATE_H

#include "flow/loop_bounds/thread_flow.h"
#include "flow/values/integer_state.h"

#include <stdbool.h>
#include <stdint.h>

/* From *state, which holds at the block's end, to what holds on the thread's edge of that number:
 * the registers that the block compared last are narrowed by what the branch says. visit: that of
 * the comparisons made in the block. False where no thread takes the edge. */
bool wb_edge_state(const struct wb_thread_flow *flow, const struct wb_comparisons *comparisons,
                   uint32_t visit, uint32_t block, uint32_t edge, struct wb_integer_state *state);

#endif
