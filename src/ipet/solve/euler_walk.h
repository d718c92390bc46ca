/* An Euler walk: from how often each edge is taken to one walk that takes them so. */
#ifndef WB_IPET_SOLVE_EULER_WALK_H
#define WB_IPET_SOLVE_EULER_WALK_H

#include "base/status.h"
#include "model/flow_system.h"

#include <stddef.h>
#include <stdint.h>

/* Finds a walk from the start that takes each edge e taken[e] times (Hierholzer 1873). Needs the
 * counts of an execution (wb_check_flow_counts). The entries and iterations of loops may come in an
 * order that the limits exclude: only the counts are those of the execution. *nodes: the *count
 * nodes of the walk; the caller frees it. Linear in system and walk. Errors: WARPBOUND_LIMIT where
 * the walk has more than `longest` nodes, WARPBOUND_INTERNAL (memory). */
warpbound_status wb_euler_walk(const struct wb_flow_system *system, const int64_t *taken,
                               size_t longest, uint32_t **nodes, size_t *count,
                               warpbound_error *error);

#endif
