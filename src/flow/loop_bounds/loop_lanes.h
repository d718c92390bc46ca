/* Loops that go on while lanes join those that run: what compilers write in front of a branch that
 * all lanes of a loop should take together (doc/loop-bounds.md, Lemma 10). */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_LANES_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_LANES_H

#include "cfg/graph/loops.h"
#include "flow/loop_bounds/thread_flow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most back edges of such a loop: each adds a lane to those that run. */
enum { WB_JOINING_LANES_MOST = 31 };

/* Whether a loop that threads enter at its header alone is one: its header reads the lanes that run
 * twice and leaves it unless some are new. blocks: those of the loop. */
bool wb_loop_joins_lanes(const struct wb_thread_flow *flow, uint32_t header, const uint32_t *blocks,
                         size_t block_count);

#endif
