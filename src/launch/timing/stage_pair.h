/* Two resources of the GPU that requests go through one behind the other, each sector by itself, of
 * which a request of another warp costs a chain only the greater share (doc/launches/pair.md):
 * which two, and what a chain pays for it. They are those of the GPU's that have places. */
#ifndef WB_LAUNCH_TIMING_STAGE_PAIR_H
#define WB_LAUNCH_TIMING_STAGE_PAIR_H

#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_stage_pair {
  uint8_t front;   /* L2; WB_RESOURCE_LIMIT: there is no pair */
  uint8_t memory;  /* behind it, with a queue that is never full */
  uint64_t window; /* in cycles: the longest service at the front and delay behind it */
  uint64_t twice;  /* in 1 / denominator cycles: what requests in service at the memory may count
                      twice */
};

/* Gives places to the two resources of the GPU that most instructions use one behind the other, if
 * nothing forbids it. Whether there are such. behind: the second one, which is the memory of the
 * device; WB_RESOURCE_LIMIT: any. Linear in the code's stages. */
bool wb_stage_pair_mark(struct wb_timed_code *code, uint8_t behind);

/* The pair of a valid code; denominator: a multiple of all servers. Linear. */
struct wb_stage_pair wb_stage_pair_find(const struct wb_timed_code *code, uint64_t denominator);

/* Whether the requests of a stage of the instruction come, one for one, from those of the stage
 * before, at the front. */
bool wb_stage_pair_follows(const struct wb_timed_code *code, const struct wb_stage_pair *pair,
                           const struct wb_timed_instruction *instruction, size_t stage);

/* What a chain pays more where it goes through a stage of the instruction, in 1 / denominator
 * cycles: 0 but at the memory. At most 5 * WB_TIME_LIMIT cycles. */
uint64_t wb_stage_pair_lap(const struct wb_timed_code *code, const struct wb_stage_pair *pair,
                           const struct wb_timed_instruction *instruction, size_t stage,
                           uint64_t denominator);

#endif
