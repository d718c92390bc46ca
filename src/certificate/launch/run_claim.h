/* The claim that a simulated run of a launch makes: what was issued and served when. */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_CLAIM_H
#define WB_CERTIFICATE_LAUNCH_RUN_CLAIM_H

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

#endif
