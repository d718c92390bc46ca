/* Loop bounds that the code itself shows: counters with known start, step and limit. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_BOUNDS_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_BOUNDS_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/values/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bound: back edges for each entry of the loop that no thread exceeds. by_width: that many because
 * of how wide a register is, and of nothing that the code or the launch says: true, but of no
 * use. reason: why, for people ("R4 starts at 0, ..."), NULL where nothing was found. hint: where
 * nothing was found, or by_width: what the loop compares and what would bound it ("R4's limit
 * comes from c[0x0][0x148] ..."), or NULL. Both owned. */
struct wb_found_bound {
  bool found;
  bool by_width;
  uint64_t bound;
  char *reason;
  char *hint;
};

/* By loop of the forest (of the graph's thread-level edges): the bound that the code shows,
 * where it does; wrong is not allowed, unknown is. found has loop_count members.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_loop_bounds_find(const struct wb_warp_graph *graph,
                                     const struct wb_loop_forest *forest,
                                     const struct wb_launch *launch, struct wb_found_bound *found,
                                     warpbound_error *error);

void wb_found_bounds_free(struct wb_found_bound *found, size_t count);

#endif
