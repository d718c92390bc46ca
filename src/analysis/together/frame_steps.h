/* What the files of the analysis of launches together share. */
#ifndef WB_ANALYSIS_TOGETHER_FRAME_STEPS_H
#define WB_ANALYSIS_TOGETHER_FRAME_STEPS_H

#include "analysis/together/frame_result.h"
#include "launch/together/mixes.h"
#include "model/devices/device_timing.h"

struct wb_frame_job {
  const struct wb_frame_question *question;
  struct wb_frame *frame;
  warpbound_error *error;
  struct wb_mixes *mixes; /* by size of the shared memory of an SM that holds each kernel's block */
  uint64_t *sizes;        /* these sizes */
  size_t size_count;
};

/* ---- frame_input.c ---- */

/* Checks launches and steps, and finds their numbers in cycles. Errors: those of the analysis. */
warpbound_status wb_frame_input(struct wb_frame_job *job);
/* Finds the sizes that the shared memory of SMs can have, and the mixes of each. */
warpbound_status wb_frame_sizes(struct wb_frame_job *job);

/* ---- frame_times.c ---- */

/* Finds the least times of all that repeats and of the graph, which are bounds for each other. */
warpbound_status wb_frame_times(struct wb_frame_job *job);

/* ---- frame_lower.c ---- */

/* Simulates runs of all launches together: raises the lower ends. The upper ends are known. */
warpbound_status wb_frame_simulate(struct wb_frame_job *job);

/* ---- frame_words.c ---- */

/* What all of it rests on, and the kinds of the ends. */
warpbound_status wb_frame_assume(struct wb_frame_job *job);

#endif
