/* For the checker of runs of launches: room, the dispatcher, and what comes after what. */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_STEPS_H
#define WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_STEPS_H

#include "base/arena.h"
#include "base/status.h"
#include "certificate/launch_run/launch_run.h"
#include "certificate/launch_run/launch_run_servers.h"

/* Times of a run are below this, so that sums of a few of them fit. */
#define WB_CHECK_RUN_LATEST (UINT64_C(1) << 62)

/* When a block was on which SM. */
struct wb_check_run_stay {
  uint64_t block;
  uint32_t sm;
  uint64_t placed, ready, leaves;
};

/* The step that a block is of: 0 of a launch alone. */
static inline uint32_t wb_check_run_step_of(const struct wb_check_launch_run *run, uint64_t block)
{
  return run->graph != NULL ? run->graph->block_step[block] : 0;
}

static inline uint32_t wb_check_run_warps(const struct wb_check_launch_run *run, uint64_t block)
{
  if (run->graph == NULL)
    return run->shape.block_warps;
  return run->graph->kernels[run->graph->steps[run->graph->block_step[block]].kernel].block_warps;
}

/* From when on the warps of the block may issue. */
static inline uint64_t wb_check_run_ready(const struct wb_check_launch_run *run, uint64_t block)
{
  return run->ready != NULL ? run->ready[block] : run->placed[block] + run->shape.block_start;
}

/* Whether all numbers of the graph are within what they count, and its times below
 * WB_CHECK_RUN_LATEST. */
bool wb_check_run_steps_fit(const struct wb_check_launch_run *run);

/* Checks the stays of all blocks, which it sorts anew: an SM holds no more blocks than it has room
 * for, and has no room while a block of a released launch waits; the dispatcher serves one block at
 * a time, and is not idle while one waits. Errors: WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL. */
warpbound_status wb_check_run_stays(const struct wb_check_launch_run *run,
                                    struct wb_check_run_stay *stays, warpbound_error *error);

/* Checks what comes after what, and the cycles. ends: by step, of all that its blocks made. */
warpbound_status wb_check_run_steps(const struct wb_check_launch_run *run, const uint64_t *ends,
                                    warpbound_error *error);

#endif
