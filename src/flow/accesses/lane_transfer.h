/* The effect of instructions on lane values (doc/accesses.md). */
#ifndef WB_FLOW_ACCESSES_LANE_TRANSFER_H
#define WB_FLOW_ACCESSES_LANE_TRANSFER_H

#include "flow/accesses/lane_operation.h"

#include <stdint.h>

/* The walk comes to a block with walk->state. */
void wb_lane_walk_begin(struct wb_lane_walk *walk);

/* From the state before the instruction of that index to the state after it. */
void wb_lane_transfer(struct wb_lane_walk *walk, uint32_t index);

#endif
