/* A flow system whose costs are those of measured segments. */
#ifndef WB_ANALYSIS_HYBRID_MEASURED_SYSTEM_H
#define WB_ANALYSIS_HYBRID_MEASURED_SYSTEM_H

#include "analysis/hybrid/measured_points.h"
#include "analysis/hybrid/segment_costs.h"
#include "cfg/warp_graph/warp_graph.h"
#include "model/flow_system.h"

/* Puts the costs into the system of a graph (wb_ipet_system_build), in place of its own. Costs of
 * edges, of ends and of the start are those of nodes that it adds: the edge of the graph then leads
 * to such a node, and another one from there on. Where a run of a block can be left by several
 * edges at a time, or by none, the block itself has the largest cost of its edges. Errors:
 * WARPBOUND_INVALID_INPUT where a sum does not fit, WARPBOUND_INTERNAL. The arena has memory for
 * its work. Linear. */
warpbound_status wb_measured_system_costs(const struct wb_warp_graph *graph,
                                          const struct wb_segment_costs *costs,
                                          struct wb_arena *arena, struct wb_flow_system *system,
                                          warpbound_error *error);

/* Adds limits: places are passed at most as often as was observed in one run of a warp, and so are
 * transitions where the edge says which one it is; what was not observed does not happen. Call it
 * before wb_measured_system_costs. Errors: the same. Places times the size of the graph. */
warpbound_status wb_measured_system_counts(const struct wb_warp_graph *graph,
                                           const struct wb_measured_points *points,
                                           const struct wb_segment_costs *costs,
                                           struct wb_flow_system *system, warpbound_error *error);

#endif
