/* A run of a launch, or of launches together, that the checker of runs is given: when each
 * instruction issued and each request was served. */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_H
#define WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_H

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

/* A run with all times at their most, but starts of blocks where these are early. Borrowed. */
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
  bool early_starts;     /* a block's start goes on while the block waits for the dispatcher, which
                            serves blocks in the order in which they get their room */
  const struct wb_check_launch_event *events; /* all of the run, in any order */
  size_t event_count;
  bool cold; /* caches were empty: each instruction finds its lines, or they are fetched */
  const struct wb_check_run_fetch *fetches;
  size_t fetch_count;
  const struct wb_check_run_copy *copies;
  size_t copy_count;
  uint64_t cycles; /* that the run is said to take, with the launch's overhead */
};

#endif
