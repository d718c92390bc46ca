/* The instructions that lie on every path of a thread through a warp-level graph. */
#ifndef WB_FLOW_PATHS_COMMON_INSTRUCTIONS_H
#define WB_FLOW_PATHS_COMMON_INSTRUCTIONS_H

#include "base/status.h"
#include "cfg/warp_graph/warp_graph.h"

#include <stdbool.h>

/* Sets common[i], by instruction of the function (all false before): each thread that ends has come
 * to instruction i, and so has each warp; where it has a guard, the instruction need not have been
 * done. What is not known is false. Near linear. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_common_instructions_find(const struct wb_warp_graph *graph, bool *common,
                                             warpbound_error *error);

#endif
