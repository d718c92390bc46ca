/* The checker of a simulated run of a launch: that the model of doc/launch.md allows it. It shares
 * no code with the simulators. */
#ifndef WB_TESTS_LAUNCHES_RUN_CHECK_H
#define WB_TESTS_LAUNCHES_RUN_CHECK_H

#include "base/status.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An instruction of a warp that issued, or a request of it that was served. */
struct wb_check_launch_event {
  bool request;
  uint32_t sm, partition, warp; /* warp: of its block */
  uint64_t block;
  uint32_t step;          /* of the warp's path */
  uint32_t stage, number; /* of a request; 0 of an issue */
  uint64_t time, until;   /* issue: time; request: its service is time .. until - 1 */
};

/* A run with all times at their most. Borrowed. */
struct wb_check_launch_run {
  const struct wb_timed_code *code;
  struct wb_launch_shape shape;
  const uint32_t *const *path; /* by block * block_warps + warp: the instructions of its path */
  const size_t *length;        /* of the paths, at least 1 */
  const uint64_t *placed;      /* by block: when it gets its room on an SM; the first at 0 */
  const uint64_t *ready; /* by block: from when on its warps may issue: the dispatcher has placed it
                            and block_start is over. NULL: placed + block_start, where the
                            dispatcher takes no time */
  const struct wb_check_launch_event *events; /* all of the run, in any order */
  size_t event_count;
  uint64_t cycles; /* that the run is said to take, with the launch's overhead */
};

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
