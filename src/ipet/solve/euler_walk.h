/* An Euler walk: from how often each edge is taken to one walk that takes them so; or, of several
 * groups of lanes, to an order of all their runs. */
#ifndef WB_IPET_SOLVE_EULER_WALK_H
#define WB_IPET_SOLVE_EULER_WALK_H

#include "base/status.h"
#include "model/flow_system.h"

#include <stddef.h>
#include <stdint.h>

/* Finds a walk from the start that takes each edge e taken[e] times (Hierholzer 1873). Needs the
 * counts of an execution (wb_check_flow_counts). The entries and iterations of loops may come in an
 * order that the limits exclude: only the counts are those of the execution. Where nodes have
 * several ports, the nodes that the first start leads to come in an order in which every edge
 * leaves a run that was there before: by each port at most once a run. Only counts are then those
 * of an execution: a scope may be left before all have arrived. *nodes: the *count nodes of the
 * walk; the caller frees it. Linear in system and walk. Errors: WARPBOUND_LIMIT where the walk has
 * more than `longest` nodes, WARPBOUND_FACTS_MISSING where no such order was found,
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_euler_walk(const struct wb_flow_system *system, const int64_t *taken,
                               size_t longest, uint32_t **nodes, size_t *count,
                               warpbound_error *error);

#endif
