/* The checker of a run of a launch, or of launches together: that the model of doc/launch.md and
 * doc/launches/together.md allows it, so that the time it takes is a lower end. It shares no code
 * with the simulators. */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_CHECK_H
#define WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_CHECK_H

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

/* ---- launches together ---- */

struct wb_check_run_kernel {
  uint64_t blocks;
  uint32_t block_warps;
  uint32_t most;          /* of its blocks on an SM */
  uint32_t first_sm, sms; /* the SMs that it has for itself; sms 0: all */
};

/* What an SM has of something, and what a block of each kernel takes of it. */
struct wb_check_run_room {
  uint64_t capacity;
  const uint64_t *size; /* by kernel */
};

enum wb_check_run_kind { WB_CHECK_RUN_LAUNCH, WB_CHECK_RUN_COPY, WB_CHECK_RUN_WAIT };

#define WB_CHECK_RUN_NO_STEP UINT32_MAX

/* A step that was released. Its times: all that it comes after has ended, and its gap is over;
 * it is released, or begins; it ends. */
struct wb_check_run_step {
  enum wb_check_run_kind kind;
  uint32_t kernel, engine;
  uint64_t gap, cycles;
  uint64_t memory;       /* of a copy: cycles for which it has each server of the memory */
  const uint32_t *after; /* steps with lower numbers */
  size_t after_count;
  bool beside;     /* no step of the graph: nothing says when it is asked for, but its period: */
  uint32_t row;    /* those of one row are the same launch again, */
  uint64_t period; /* at least so long after the time before; 0: once */
  uint64_t asked, begin, end;
};

struct wb_check_run_graph {
  const struct wb_check_run_kernel *kernels;
  size_t kernel_count;
  const struct wb_check_run_room *rooms;
  size_t room_count;
  const struct wb_check_run_step *steps;
  size_t step_count;
  uint64_t begin;             /* of the graph's own steps */
  uint32_t of;                /* the cycles are of this step, from when it was asked for;
                                 WB_CHECK_RUN_NO_STEP: of the graph, from its begin */
  uint8_t memory;             /* the resource that copies hold */
  const uint32_t *block_step; /* by block */
};

/* A line that was fetched into a cache: that of a partition, an SM or the GPU, as its kind says. */
struct wb_check_run_fetch {
  uint32_t line, sm, partition;
  const uint64_t *times; /* at which its requests were served, by stage and request */
};

/* The servers of the memory that a copy had. */
struct wb_check_run_copy {
  uint32_t step;
  const uint64_t *times; /* by server */
};

/* A run with all times at their most. Borrowed. */
struct wb_check_launch_run {
  const struct wb_timed_code *code;
  struct wb_launch_shape shape;           /* of a graph: blocks of all steps; block_warps: the most;
                                             resident_blocks does not count */
  const struct wb_check_run_graph *graph; /* NULL: of one launch, released at 0 */
  const uint32_t *const *path; /* by block * block_warps + warp: the instructions of its path */
  const size_t *length;        /* of the paths, at least 1; of warps that a block has not: 0 */
  const uint64_t *placed;      /* by block: when it gets its room on an SM; the first at 0 */
  const uint64_t *ready; /* by block: from when on its warps may issue: the dispatcher has placed it
                            and block_start is over. NULL: placed + block_start, where the
                            dispatcher takes no time */
  const struct wb_check_launch_event *events; /* all of the run, in any order */
  size_t event_count;
  bool cold; /* caches were empty: each instruction finds its lines, or they are fetched */
  const struct wb_check_run_fetch *fetches;
  size_t fetch_count;
  const struct wb_check_run_copy *copies;
  size_t copy_count;
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
 *   - the run ends when all stalls, services and latencies have;
 *   - from a cold start: each line that an instruction needs is there, or was asked for by the
 * first that needs it; a cache fetches it once, after what that waits for in wider caches;
 *   - of a graph: what comes after what, gaps, periods, engines that never rest while a copy waits,
 *     and room for blocks of several kernels: none of a released launch waits while an SM has room.
 * Errors: WARPBOUND_CHECK_FAILED with cycle, warp and reason; WARPBOUND_INTERNAL. Time: events
 * times their logarithm, and for each wait the stretches of time in which servers kept it. */
warpbound_status wb_check_launch_run(const struct wb_check_launch_run *run, warpbound_error *error);

#endif
