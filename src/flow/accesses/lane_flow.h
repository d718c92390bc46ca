/* The fixpoint of lane states over a warp-level graph (doc/accesses.md). */
#ifndef WB_FLOW_ACCESSES_LANE_FLOW_H
#define WB_FLOW_ACCESSES_LANE_FLOW_H

#include "base/status.h"
#include "cfg/warp_graph/warp_graph.h"
#include "values/lanes/lane_walk.h"
#include "values/launch.h"

#include <stdbool.h>

/* Called in the last pass for each instruction of each block, with the state before it. */
typedef void wb_lane_visit(void *context, struct wb_lane_walk *walk, uint32_t instruction);

/* Visits the instructions of all blocks with what surely holds before them. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_lane_flow_run(const struct wb_warp_graph *graph, const struct wb_launch *launch,
                                  wb_lane_visit *visit, void *context, warpbound_error *error);

#endif
