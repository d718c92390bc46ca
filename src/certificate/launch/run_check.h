/* The independent checker of a simulated run of a launch: that the model of doc/launch.md allows
 * it.
 */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_CHECK_H
#define WB_CERTIFICATE_LAUNCH_RUN_CHECK_H

#include "base/status.h"
#include "model/timed_code.h"

#include <stddef.h>
#include <stdint.h>

/* An instruction of a warp that issued, or a request of it that was served. */
struct wb_check_launch_event {
  bool request;
  uint32_t sm, partition, warp;
  uint64_t block;
  uint32_t step;          /* of the warp's path */
  uint32_t stage, number; /* of a request */
  uint64_t time, until;   /* issue: time; request: its service is time .. until - 1 */
};

/* A run with all times at their most. Borrowed. */
struct wb_check_launch_run {
  const struct wb_timed_code *code;
  struct wb_launch_shape shape;
  const uint32_t *const *path; /* by block * block_warps + warp: the instructions of its path */
  const size_t *length;        /* of the paths */
  const struct wb_check_launch_event *events; /* all of the run, in any order */
  size_t event_count;
  uint64_t cycles; /* that the run is said to take */
};

/* Checks that each warp does its whole path in order, that nothing is earlier than its own past
 * allows, that no resource serves more than it has servers, that a block begins only where there is
 * room and no SM has room while a block waits, and (W): whatever could go on and did not was kept
 * by a resource whose servers all served others. Errors: WARPBOUND_CHECK_FAILED with cycle, warp
 * and reason; WARPBOUND_INTERNAL. Time: events times their logarithm, times the warps of an SM. */
warpbound_status wb_check_launch_run(const struct wb_check_launch_run *run, warpbound_error *error);

#endif
