/* Numbers of 64 bits that code makes word by word: sums with a carry, shifts, copies. */
#ifndef WB_FLOW_ACCESSES_LANE_CARRIES_H
#define WB_FLOW_ACCESSES_LANE_CARRIES_H

#include "flow/accesses/lane_operation.h"

#include <stdbool.h>
#include <stdint.h>

/* What an instruction says about its result and other registers, found before it writes. */
struct wb_lane_findings {
  uint32_t upper; /* the word that it writes, an upper one; WB_LANES_UNKNOWN: none is known */
  size_t pair_count;
  struct wb_lane_pair pairs[10]; /* numbers of 64 bits that hold after it */
  uint32_t wide; /* the number of 64 bits that it writes to its target and the next register */
  bool has_carry, has_half;
  struct wb_lane_carry carry; /* the lower half of a sum */
  struct wb_lane_half half;
};

void wb_lane_findings_make(const struct wb_lane_operation *operation,
                           struct wb_lane_findings *findings);

/* After the writes of the same instruction: what it found is remembered. */
void wb_lane_findings_keep(const struct wb_lane_operation *operation,
                           const struct wb_lane_findings *findings);

/* A slot was written: halves of it and from it are forgotten, and sums that wait for it. */
void wb_lane_walk_forget(struct wb_lane_walk *walk, uint16_t slot);

#endif
