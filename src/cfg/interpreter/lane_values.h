/* The registers of a warp's lanes where no instruction's meaning is known: hashes that are equal
 * exactly where agreement may assume that they are. */
#ifndef WB_CFG_INTERPRETER_LANE_VALUES_H
#define WB_CFG_INTERPRETER_LANE_VALUES_H

#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

#define WB_LANE_LIMIT 32

/* A register that a lane has not written is a hash of seed, register and lane. Uniform registers
 * are the warp's, or, where `own_uniform`, each lane has its own, which are equal in lanes that run
 * together. */
struct wb_lane_values {
  uint64_t seed;                       /* of the values at the beginning */
  uint32_t bias;                       /* how often, of 256, a predicate is true; 0: drawn */
  bool own_uniform;                    /* each lane has its own uniform registers */
  uint32_t written[WB_REGISTER_COUNT]; /* by register: mask of the lanes that have written it */
  uint32_t value[WB_REGISTER_COUNT][WB_LANE_LIMIT]; /* by register and lane that has written it */
};

/* bias: how often, of 256, a predicate is true; 0: drawn for each instruction. Uniform registers
 * are the warp's; own_uniform may be set afterwards. */
void wb_lane_values_start(struct wb_lane_values *values, uint64_t seed, uint32_t bias);

/* The value of a register in a lane. */
uint32_t wb_lane_values_get(const struct wb_lane_values *values, unsigned reg, uint32_t lane);

/* Gives a register a value in some lanes. */
void wb_lane_values_set(struct wb_lane_values *values, unsigned reg, uint32_t lanes,
                        uint32_t number);

/* Kinds of things that have a value of their own in a run. */
enum wb_value_name { WB_NAME_CONSTANT, WB_NAME_LAUNCH, WB_NAME_SCOPE, WB_NAME_WARP };

/* A value that depends on the run, kind and name alone: the same in all lanes, at any time. */
uint32_t wb_lane_values_named(const struct wb_lane_values *values, enum wb_value_name kind,
                              uint64_t name);

/* The register is a predicate. */
bool wb_lane_values_truth(unsigned reg);

/* The register is one of the uniform datapath. */
bool wb_lane_values_uniform(unsigned reg);

/* The lanes of `active` that do the instruction: whose guard is true and for which the
 * condition holds, which is a biased bit of a hash of all that the instruction reads. */
uint32_t wb_lane_values_doing(const struct wb_lane_values *values,
                              const struct wb_function *function, uint32_t instruction,
                              uint32_t active, uint64_t salt);

/* A hash of the salt and of all that the lane reads there. */
uint64_t wb_lane_values_hash(const struct wb_lane_values *values,
                             const struct wb_function *function, uint32_t instruction,
                             uint32_t lane, uint64_t salt);

/* Every register that the instruction writes gets a new value in each lane of `doing`; a uniform
 * one gets one value in all lanes that run together, `active`, or in the warp. What is unknown
 * writes all registers but, where lanes have their own uniform registers, those of barriers. */
void wb_lane_values_write(struct wb_lane_values *values, const struct wb_function *function,
                          uint32_t instruction, uint32_t active, uint32_t doing, uint64_t salt);

#endif
