/* The checker of a run of a launch, or of launches together: that the model of doc/launch.md and
 * doc/launches/together.md allows it, so that the time it takes is a lower end. It shares no code
 * with the simulators. */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_CHECK_H
#define WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_CHECK_H

#include "base/status.h"
#include "certificate/launch_run/launch_run.h"

/* Checks that
 *   - each warp does its whole path in order, in one partition of one SM, with as many barriers as
 *     all of its block; at most ceil(block_warps / partitions) of them in one partition;
 *   - nothing is earlier than its own past allows: stalls, scoreboards, barriers, the stage before;
 *   - no resource serves more than it has servers;
 *   - (W): whatever could go on and did not was kept, in each such cycle, by a resource whose
 *     servers all served others: one that the instruction takes at issue, or one of requests, of
 *     its partition, its SM or the GPU;
 *   - a block gets room only where there is some, and no SM has room while a block waits; it leaves
 *     by (E): when its warps' last stalls, services taken at issue and services of requests at a
 *     partition or an SM have ended; its room can be taken in the same cycle;
 *   - the dispatcher is given to one block at a time, and not idle while one waits for it;
 *   - the run ends when all stalls, services and latencies have;
 *   - from a cold start: each line that an instruction needs is there, or was asked for by the
 * first that needs it; a cache fetches it once, after what that waits for in wider caches;
 *   - of a graph: what comes after what, gaps, periods, engines that never rest while a copy waits,
 *     and room for blocks of several kernels: none of a released launch waits while an SM has room.
 * Errors: WARPBOUND_CHECK_FAILED with cycle, warp and reason; WARPBOUND_INTERNAL. Time: events
 * times their logarithm, and for each wait the stretches of time in which servers kept it. */
warpbound_status wb_check_launch_run(const struct wb_check_launch_run *run, warpbound_error *error);

#endif
