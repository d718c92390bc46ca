/* A simulated run as the checker of runs takes it. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_RUN_CLAIM_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_RUN_CLAIM_H

#include "base/arena.h"
#include "base/status.h"
#include "certificate/launch_run/launch_run_check.h"
#include "launch/simulation/launch_simulation.h"

/* Most events of a run that is written. */
#define WB_LAUNCH_RUN_EVENTS ((size_t)1000000)

/* The arena owns all that the run points to, but the code. */
struct wb_launch_run_owner {
  struct wb_arena arena;
  struct wb_check_launch_run run;
  struct wb_check_run_graph graph;
};

/* What was simulated, with all of its events (events_of_run), and its times at their most. graph:
 * NULL of one launch. of: the step whose time the run is said to take; WB_CHECK_RUN_NO_STEP: the
 * whole. periods: of a graph, by step: of launches beside it, 0 once; rows: likewise, the launch
 * that comes again. Borrows the code. Errors: WARPBOUND_LIMIT where the run has more than
 * WB_LAUNCH_RUN_EVENTS events, WARPBOUND_INTERNAL. The caller frees *owner's arena. */
warpbound_status wb_launch_run_claim_make(
    const struct wb_timed_code *code, const struct wb_launch_shape *shape,
    const struct wb_simulated_graph *graph, const struct wb_simulation_options *options,
    const struct wb_simulated_launch *launch, uint32_t of, const uint64_t *periods,
    const size_t *rows, struct wb_launch_run_owner *owner, warpbound_error *error);

#endif
