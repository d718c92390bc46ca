/* For the checker of simulated launches: blocks on SMs and the dispatcher. */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_BLOCKS_H
#define WB_CERTIFICATE_LAUNCH_RUN_BLOCKS_H

#include "base/status.h"
#include "certificate/launch/run_claim.h"

#include <stdint.h>

/* When a block was on which SM. */
struct wb_check_launch_stay {
  uint64_t block;
  uint32_t sm;
  uint64_t placed, ready, leaves;
};

/* From when on the warps of the block may issue. */
uint64_t wb_check_launch_ready(const struct wb_check_launch_run *run, uint64_t block);

/* Checks the stays of all blocks, which it sorts anew: an SM holds no more blocks than it has room
 * for, and has no room while a block waits; the dispatcher serves one block at a time, and is not
 * idle while one waits. Errors: WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL. Linear, times the
 * logarithm of the blocks. */
warpbound_status wb_check_launch_stays(const struct wb_check_launch_run *run,
                                       struct wb_check_launch_stay *stays, warpbound_error *error);

#endif
