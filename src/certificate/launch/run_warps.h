/* For the checker of simulated launches: the warps of one block, each against its own past. */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_WARPS_H
#define WB_CERTIFICATE_LAUNCH_RUN_WARPS_H

#include "base/status.h"
#include "certificate/launch/run_claim.h"
#include "certificate/launch/run_servers.h"

#include <stddef.h>
#include <stdint.h>

/* A block under way. */
struct wb_check_launch_block {
  const struct wb_check_launch_run *run;         /* borrowed */
  const struct wb_check_launch_servers *servers; /* borrowed */
  uint64_t block;
  uint64_t *released;   /* by barrier that the block's warps pass: from when on they may go on */
  size_t barrier_count; /* barriers */
  uint64_t leaves;      /* it keeps its room so long */
  uint64_t ends;        /* all that it made has ended */
};

/* Goes through the events of one warp of the block, in the order of its steps (an issue before its
 * requests, these by stage and number): that they are those of its path, each at a time that its
 * past allows and, if later, kept by full resources. Raises leaves and ends. Errors:
 * WARPBOUND_CHECK_FAILED. Linear, but for searches among the servers. */
warpbound_status wb_check_launch_warp(struct wb_check_launch_block *block,
                                      const struct wb_check_launch_event *const *events,
                                      uint32_t warp, warpbound_error *error);

#endif
