/* The registers of a warp's lanes where no instruction's meaning is known: hashes that are equal
 * exactly where agreement may assume that they are. */
#ifndef WB_CFG_INTERPRETER_LANE_VALUES_H
#define WB_CFG_INTERPRETER_LANE_VALUES_H

#include "model/code.h"

#include <stdint.h>

#define WB_LANE_LIMIT 32

/* A register that a lane has not written is a hash of seed, register and lane. */
struct wb_lane_values {
  uint64_t seed;                       /* of the values at the beginning */
  uint32_t bias;                       /* how often, of 256, a predicate is true; 0: drawn */
  uint32_t written[WB_REGISTER_COUNT]; /* by register: mask of the lanes that have written it */
  uint32_t value[WB_REGISTER_COUNT][WB_LANE_LIMIT]; /* by register and lane that has written it */
};

/* bias: how often, of 256, a predicate is true; 0: drawn for each instruction. */
void wb_lane_values_start(struct wb_lane_values *values, uint64_t seed, uint32_t bias);

/* The lanes of `active` that do the instruction: whose guard is true and for which the
 * condition holds, which is a biased bit of a hash of all that the instruction reads. */
uint32_t wb_lane_values_doing(const struct wb_lane_values *values,
                              const struct wb_function *function, uint32_t instruction,
                              uint32_t active, uint64_t salt);

/* A hash of the salt and of all that the lane reads there. */
uint64_t wb_lane_values_hash(const struct wb_lane_values *values,
                             const struct wb_function *function, uint32_t instruction,
                             uint32_t lane, uint64_t salt);

/* Every register that the instruction writes gets a new value in each lane of `doing`, or,
 * where the warp shares it, one value. */
void wb_lane_values_write(struct wb_lane_values *values, const struct wb_function *function,
                          uint32_t instruction, uint32_t doing, uint64_t salt);

#endif
