/* The lines of declared buffers that one block, and the launch, accesses, where addresses are known
 * by the indices of threads and blocks (doc/launches/first-cache.md, caches.md). */
#ifndef WB_FLOW_ACCESSES_BLOCK_LINES_H
#define WB_FLOW_ACCESSES_BLOCK_LINES_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/accesses/accesses.h"
#include "values/launch.h"

#include <stdint.h>

/* Fills for each buffer of the launch how many lines of 128 bytes of it any block accesses at most,
 * and all blocks together; UINT64_MAX: not known. accesses: with their buffers; each lies in its
 * own. The accesses that are of no buffer are left out. Where sizes are not known, or there would
 * be too much to look at, no lines of a block are known, and those of the launch from the first to
 * the last place that each access of it has. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_block_lines_find(const struct wb_warp_graph *graph,
                                     const struct wb_loop_forest *forest,
                                     const struct wb_launch *launch,
                                     const struct wb_accesses *accesses, uint64_t *lines,
                                     uint64_t *of_launch, warpbound_error *error);

#endif
