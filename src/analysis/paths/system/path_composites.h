/* Which limits hold of paths composed of several warps' between barriers (doc/all-paths.md,
 * "Barriers"; doc/group-flow.md, "Barriers"). */
#ifndef WB_ANALYSIS_PATHS_SYSTEM_PATH_COMPOSITES_H
#define WB_ANALYSIS_PATHS_SYSTEM_PATH_COMPOSITES_H

#include "analysis/paths/system/path_system.h"
#include "analysis/wcet/wcet.h"
#include "base/arena.h"
#include "base/buckets.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The edges of a system. The arena owns the arrays. */
struct wb_path_edges {
  struct wb_arena arena;
  const struct wb_flow_system *flow;
  struct wb_buckets leaving; /* edges by the node that they leave */
  uint32_t *queue;           /* room for all nodes */
  bool *closed;              /* by edge: no path takes it */
};

/* Fills composed and local, if that takes few steps; all barriers are of the whole warp. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_composites_find(const struct wb_wcet *wcet, struct wb_path_system *system,
                                         const struct wb_path_edges *edges, warpbound_error *error);

#endif
