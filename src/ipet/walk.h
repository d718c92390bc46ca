/* From how often each edge is taken to one way that takes them so. */
#ifndef WB_IPET_WALK_H
#define WB_IPET_WALK_H

#include "base/status.h"
#include "model/flow_system.h"

#include <stddef.h>
#include <stdint.h>

/* The nodes of a walk from the start that takes each edge `taken` times (an Euler path of the
 * multigraph, Hierholzer 1873); the counts are those of an execution (wb_check_flow_counts).
 * Loops' entries and iterations may come in another order than any that the limits had in
 * mind: only the counts are the same. *nodes is to be freed.
 * Errors: WARPBOUND_LIMIT where the walk is longer than `longest` nodes,
 * WARPBOUND_INTERNAL. Linear in system and walk. */
warpbound_status wb_ipet_walk(const struct wb_flow_system *system, const int64_t *taken,
                              size_t longest, uint32_t **nodes, size_t *count,
                              warpbound_error *error);

#endif
