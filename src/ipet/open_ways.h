/* Whether an execution of a flow system can end at all, by its graph. */
#ifndef WB_IPET_OPEN_WAYS_H
#define WB_IPET_OPEN_WAYS_H

#include "base/status.h"
#include "model/flow_system.h"

#include <stdbool.h>

/* *open: whether an end can be reached from the start over edges that no limit closes. A limit
 * closes its edges where it has no factor below 0 and its constant is 0: so "never" does. false
 * proves in integers that the system has no execution; true proves nothing. Linear.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_flow_open_ways(const struct wb_flow_system *system, bool *open,
                                   warpbound_error *error);

#endif
