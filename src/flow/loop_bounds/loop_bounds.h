/* Loop bounds that the code itself shows: counters with known start, step and limit. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_BOUNDS_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_BOUNDS_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/loop_bounds/found_bound.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bounds the loops of the forest (of the graph's edges of threads) by abstract interpretation of
 * counters; a bound that is found holds for every execution, and so does `least`. found: by loop,
 * loop_count members. launch: NULL where it is not known. Time: the code's length times the depth
 * of loops (at most 16). Errors: WARPBOUND_INTERNAL (memory). Proof: doc/loop-bounds.md. */
warpbound_status wb_loop_bounds_find(const struct wb_warp_graph *graph,
                                     const struct wb_loop_forest *forest,
                                     const struct wb_launch *launch, struct wb_found_bound *found,
                                     warpbound_error *error);

/* Visits the instructions of all blocks, each in each of its contexts, with what is known of the
 * registers of any thread. *whole: false where the flow of threads is not known, and nothing is
 * visited. Pointers of the launch's buffers are known as such (WB_VALUE_BUFFERS). Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_threads_visit(const struct wb_warp_graph *graph,
                                  const struct wb_loop_forest *forest,
                                  const struct wb_launch *launch, wb_thread_visit *visit,
                                  void *context, bool *whole, warpbound_error *error);

/* Frees the array and its texts; NULL is allowed. */
void wb_found_bounds_free(struct wb_found_bound *found, size_t count);

#endif
