/* The independent checker of a simulated run of a launch: that the model of doc/launch.md allows
 * it.
 */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_CHECK_H
#define WB_CERTIFICATE_LAUNCH_RUN_CHECK_H

#include "base/status.h"
#include "certificate/launch/run_claim.h"

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
 *   - the run ends when all stalls, services and latencies have.
 * Errors: WARPBOUND_CHECK_FAILED with cycle, warp and reason; WARPBOUND_INTERNAL. Time: events
 * times their logarithm, and for each wait the stretches of time in which servers kept it. */
warpbound_status wb_check_launch_run(const struct wb_check_launch_run *run, warpbound_error *error);

#endif
