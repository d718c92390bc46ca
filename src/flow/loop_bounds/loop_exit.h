/* The comparisons that hold for threads by the outcome of the instruction at a block's end. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_EXIT_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_EXIT_H

#include "flow/loop_bounds/thread_flow.h"
#include "values/interval/integer_state.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a thread in that state at the block's end may execute the block's last instruction
 * (doing), or may skip it because its guard is false (not doing). */
bool wb_outcome_is_possible(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                            const struct wb_integer_state *state);

/* Sets registers to the values that they hold after that outcome. */
void wb_outcome_values(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                       struct wb_integer_state *state);

/* The comparisons that hold for a thread after that outcome: a row of the table; 0: none. */
uint32_t wb_outcome_comparisons(const struct wb_thread_flow *flow, uint32_t block, bool doing,
                                const struct wb_integer_state *state);

/* The comparisons that hold for every thread that stays in the loop after the block's last
 * instruction: a row of the table; 0: none. The loop's blocks are those with region[block] == loop;
 * state: at the block's end. */
uint32_t wb_staying_comparisons(const struct wb_thread_flow *flow, const uint32_t *region,
                                uint32_t loop, uint32_t block,
                                const struct wb_integer_state *state);

#endif
