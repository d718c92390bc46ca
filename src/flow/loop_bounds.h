/* Loop bounds that the code itself shows: counters with known start, step and limit. */
#ifndef WB_FLOW_LOOP_BOUNDS_H
#define WB_FLOW_LOOP_BOUNDS_H

#include "base/status.h"
#include "cfg/loops.h"
#include "cfg/warp_graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel parameter that the user gave: --param OFFSET=VALUE, 4 bytes at that offset of the
 * parameters (the first begins at 0). */
struct wb_parameter_value {
  uint32_t offset;
  uint32_t value;
};

/* What is constant for a launch. A size of 0 is not known. */
struct wb_launch {
  uint32_t block[3];
  uint32_t grid[3];
  const struct wb_parameter_value *parameters;
  size_t parameter_count;
};

/* bound: back edges for each entry of the loop that no thread exceeds. reason: why, for
 * people ("R4 counts from 0 by 1 up to 16: ..."); owned; NULL where nothing was found. */
struct wb_found_bound {
  bool found;
  uint64_t bound;
  char *reason;
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
