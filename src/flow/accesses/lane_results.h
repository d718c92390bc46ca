/* The words that integer instructions compute in each lane: tables by opcode. */
#ifndef WB_FLOW_ACCESSES_LANE_RESULTS_H
#define WB_FLOW_ACCESSES_LANE_RESULTS_H

#include "flow/accesses/lane_operation.h"

#include <stdint.h>

/* What the instruction writes to its first operand, a register; unknown where no table has it. */
uint32_t wb_lane_result(const struct wb_lane_operation *operation);

/* The number of 64 bits that it writes to the pair of registers at its first operand; unknown where
 * it writes none, or no table has it. */
uint32_t wb_lane_wide_result(const struct wb_lane_operation *operation);

/* A special register: by the launch, or by the sizes that the function requires. */
uint32_t wb_lane_special(const struct wb_lane_walk *walk, const char *name, size_t length);

/* The lanes that a warp of the launch can have at all. */
uint32_t wb_lane_launch_mask(const struct wb_function *function, const struct wb_launch *launch);

#endif
