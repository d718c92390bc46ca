/* How long what an instruction makes may take after its issue, in parts of a cycle in which all
 * shares of servers are whole numbers (doc/warp-timing.md, "Steps"). */
#ifndef WB_LAUNCH_TIMING_RELEASE_TIMES_H
#define WB_LAUNCH_TIMING_RELEASE_TIMES_H

#include "base/status.h"
#include "model/timed_code.h"

#include <stdint.h>

/* From an instruction's issue, in 1 / denominator cycles. */
struct wb_release_times {
  uint64_t write;   /* until its results are there */
  uint64_t read;    /* until its operands are read */
  uint64_t service; /* until the last server that it takes at issue is free */
  uint64_t end;     /* until all of these */
};

/* The least common multiple of the servers of all resources. WARPBOUND_INVALID_INPUT where it is
 * above WB_SHARE_LIMIT. */
warpbound_status wb_share_denominator(const struct wb_timed_code *code, uint64_t *denominator,
                                      warpbound_error *error);

/* The times of a valid instruction: no sum of them overflows. */
struct wb_release_times wb_release_times_of(const struct wb_timed_code *code,
                                            const struct wb_timed_instruction *instruction,
                                            uint64_t denominator);

#endif
