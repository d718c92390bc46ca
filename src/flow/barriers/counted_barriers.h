/* Barriers that name a count of threads, where that is the count of the whole block. */
#ifndef WB_FLOW_BARRIERS_COUNTED_BARRIERS_H
#define WB_FLOW_BARRIERS_COUNTED_BARRIERS_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "values/launch.h"

#include <stdbool.h>

/* Whether some barrier of the function may be for a part of the block's warps, so that a count may
 * show that it is for all of them. */
bool wb_function_counts_barriers(const struct wb_function *function);

/* The threads of a block as its barriers count them, in whole warps, by the launch or by what the
 * code requires; 0: not known. */
uint32_t wb_barrier_threads(const struct wb_function *function, const struct wb_launch *launch);

/* Makes barriers of the whole block (WB_UNIT_BARRIER) of those that wait (BAR.SYNC, BAR.RED) for as
 * many threads as the block has, each warp counted in full: such a barrier is passed when all warps
 * of the block have come to it, those that have ended not left out (doc/all-paths.md, "Barriers
 * with a count"). Those that may be for a part of it and that no thread does never run.
 * instructions: those of the graph's function, which change. *some: there are such. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_counted_barriers_mark(const struct wb_warp_graph *graph,
                                          const struct wb_loop_forest *forest,
                                          const struct wb_launch *launch,
                                          struct wb_instruction *instructions, bool *some,
                                          warpbound_error *error);

#endif
