/* The state of threads on an edge, from the state at the end of its block. */
#ifndef WB_FLOW_LOOP_BOUNDS_EDGE_STATE_H
#define WB_FLOW_LOOP_BOUNDS_EDGE_STATE_H

#include "flow/loop_bounds/thread_flow.h"
#include "values/interval/integer_state.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a thread that takes the edge has executed the block's last instruction. *known: false
 * where it may have skipped it too. */
bool wb_edge_executes_last(const struct wb_thread_flow *flow, uint32_t block, uint32_t edge,
                           bool *known);

/* Refines *state, the state at the block's end, to the state on that edge of the flow: registers
 * that the block compared are narrowed by the outcome of the branch. visit: of the comparisons that
 * the block made. False where no thread takes the edge. */
bool wb_edge_state(const struct wb_thread_flow *flow, const struct wb_comparisons *comparisons,
                   uint32_t visit, uint32_t block, uint32_t edge, struct wb_integer_state *state);

#endif
