/* Runs of the simulator with all launches of a frame. */
#ifndef WB_ANALYSIS_TOGETHER_FRAME_RUN_H
#define WB_ANALYSIS_TOGETHER_FRAME_RUN_H

#include "analysis/together/frame_steps.h"
#include "launch/simulation/joined_code.h"
#include "launch/simulation/launch_simulation.h"
#include "launch/timing/timing_code.h"

/* The launches of a frame as the simulator takes them. Borrows the frame. */
struct wb_frame_company {
  const struct wb_frame *frame;
  struct wb_arena arena;     /* owns the arrays */
  struct wb_timed_code code; /* of all */
  size_t first[WB_TOGETHER_KERNELS];
  struct wb_warp_path paths[WB_TOGETHER_KERNELS]; /* by launch: that all of its warps take */
  struct wb_simulated_kernel kernels[WB_TOGETHER_KERNELS];
  struct wb_launch_shape shape;
  bool cold;
  /* Of one run: */
  struct wb_simulated_step *steps;
  size_t *row; /* by step: the frame's */
  size_t step_count;
  uint32_t *place; /* by row: its step; then what steps come after */
  size_t order_count;
  struct wb_simulated_graph graph;
};

/* Each launch has a path. Errors: WARPBOUND_INVALID_INPUT where their code cannot be joined,
 * WARPBOUND_INTERNAL; there is nothing to free then. */
warpbound_status wb_frame_company_make(const struct wb_frame *frame,
                                       struct wb_frame_company *company, warpbound_error *error);
void wb_frame_company_free(struct wb_frame_company *company);

/* Makes the steps of a run; *instructions: how many warp instructions it has at most. */
warpbound_status wb_frame_company_prepare(struct wb_frame_company *company,
                                          const struct wb_frame_run *run, uint64_t *instructions,
                                          warpbound_error *error);

/* Simulates it. The caller frees *launch. */
warpbound_status wb_frame_company_run(const struct wb_frame_company *company,
                                      const struct wb_frame_run *run, size_t events,
                                      struct wb_simulated_launch *launch, warpbound_error *error);

#endif
