/* Whether a register is a sum of others wherever threads enter a loop. */
#ifndef WB_FLOW_RETRIES_ENTRY_SUMS_H
#define WB_FLOW_RETRIES_ENTRY_SUMS_H

#include "flow/loop_bounds/thread_flow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* sum = terms[0] + terms[1] + number, modulo 2^32. */
struct wb_entry_sum {
  uint16_t sum;
  uint16_t terms[2];
  uint32_t number;
};

/* Whether that holds of each thread at the header of a loop with these blocks, in each turn: on all
 * ways to it the last of the three registers that is written is the sum, by such an addition, and
 * the loop writes none of them. False too where many blocks lie between. */
bool wb_entry_sum_holds(const struct wb_thread_flow *flow, const uint32_t *blocks, size_t count,
                        uint32_t header, const struct wb_entry_sum *sum);

#endif
