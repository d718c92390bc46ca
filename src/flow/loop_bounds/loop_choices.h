/* Loops in each of whose turns one lane is chosen that had not been yet: what compilers write where
 * an instruction takes its operands from uniform registers (doc/loop-bounds.md, Lemma 11). */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_CHOICES_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_CHOICES_H

#include "cfg/graph/loops.h"
#include "flow/loop_bounds/thread_flow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most back edges of such a loop. */
struct wb_lane_choices {
  uint64_t bound;
  const char *reason;
  const char *assumption; /* what of the hardware it rests on */
};

/* Whether a loop of one block, which threads enter at its header alone, is one. */
bool wb_loop_chooses_lanes(const struct wb_thread_flow *flow, uint32_t header, size_t block_count,
                           struct wb_lane_choices *choices);

#endif
