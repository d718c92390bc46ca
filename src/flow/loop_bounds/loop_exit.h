/* What a thread that stays in a loop knows. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_EXIT_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_EXIT_H

#include "flow/loop_bounds/thread_flow.h"
#include "flow/values/integer_state.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a thread may do the block's last instruction, or pass it. state: at the block's end. */
bool wb_way_is_possible(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                        const struct wb_integer_state *state);

/* The comparisons that hold for a thread behind it, which it did, or passed, as a row of the table
 * of comparisons; 0: none. */
uint32_t wb_implied_by_way(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                           const struct wb_integer_state *state);

/* The comparisons that hold for every thread that goes on within the loop behind the block's
 * last instruction, as a row of the table of comparisons; 0: none. The loop's blocks are those
 * with region[block] == loop; state: at the block's end. */
uint32_t wb_implied_by_staying(const struct wb_thread_flow *flow, const uint32_t *region,
                               uint32_t loop, uint32_t block, const struct wb_integer_state *state);

#endif
