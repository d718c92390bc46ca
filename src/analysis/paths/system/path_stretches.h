/* The stretches of paths between barriers, as a flow system of their own (doc/launch.md). */
#ifndef WB_ANALYSIS_PATHS_SYSTEM_PATH_STRETCHES_H
#define WB_ANALYSIS_PATHS_SYSTEM_PATH_STRETCHES_H

#include "analysis/paths/system/path_system.h"
#include "base/status.h"
#include "model/flow_system.h"

/* The phase of stretches: what a warp does from the start, or from the end of a barrier, to the
 * next barrier or the end. */
#define WB_STRETCHES (UINT32_MAX - 2)

/* Makes the system of the stretches of a system whose barriers are all of the whole warp, without
 * costs: its nodes and one more, where a stretch starts, with its own port, the last; its edges, of
 * which those that leave a barrier leave that node instead, and one more from there to the start of
 * the paths; ports of a barrier's node need not be taken; its limits, of which those that need not
 * hold of stretches say nothing. The caller frees it. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_stretches_make(const struct wb_path_system *system,
                                        struct wb_flow_system *stretches, warpbound_error *error);

#endif
