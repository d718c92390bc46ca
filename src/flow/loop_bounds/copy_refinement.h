/* Values of registers that differ by a known number. */
#ifndef WB_FLOW_LOOP_BOUNDS_COPY_REFINEMENT_H
#define WB_FLOW_LOOP_BOUNDS_COPY_REFINEMENT_H

#include "flow/loop_bounds/thread_flow.h"
#include "values/interval/integer_state.h"

#include <stdint.h>

/* Refines *state, a state at the block's end, by the block's moves, and sums with a number, whose
 * two registers are not written after them: each register by the other one. Linear in the block. */
void wb_refine_copies(const struct wb_thread_flow *flow, uint32_t block,
                      struct wb_integer_state *state);

#endif
