/* The instructions that no thread comes to, by what is known of the launch. */
#ifndef WB_FLOW_PATHS_DEAD_INSTRUCTIONS_H
#define WB_FLOW_PATHS_DEAD_INSTRUCTIONS_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "values/launch.h"

#include <stdbool.h>

/* Sets dead[i], by instruction of the function (all false before): instruction i is in the graph,
 * and no thread of the launch comes to it in any context; and idle[i]: no thread of the launch does
 * it, for none comes to it, or its guard is false for all that do. What is not known is false.
 * Time: that of the bounds of loops. Errors: WARPBOUND_INTERNAL (memory). Proof:
 * doc/loop-bounds.md, "Code that no thread comes to". */
warpbound_status wb_dead_instructions_find(const struct wb_warp_graph *graph,
                                           const struct wb_loop_forest *forest,
                                           const struct wb_launch *launch, bool *dead, bool *idle,
                                           warpbound_error *error);

/* Of a function of which ways are cut (flow/paths/absent_calls.h): sets kept[i], by instruction,
 * for those of which all threads of the launch that come to them go on as the cut code does, in the
 * code as it was: none would go a way that is cut, or none comes there. What is not known is false.
 * The launch may be one of which nothing is known. Time and errors: as above. */
warpbound_status wb_kept_ways_find(const struct wb_warp_graph *graph,
                                   const struct wb_loop_forest *forest,
                                   const struct wb_launch *launch, bool *kept,
                                   warpbound_error *error);

#endif
