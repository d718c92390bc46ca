/* Limits on how often waiting lanes are reactivated, which make the cycles of divergence finite
 * (doc/ipet.md). */
#ifndef WB_IPET_SYSTEM_REACTIVATION_LIMITS_H
#define WB_IPET_SYSTEM_REACTIVATION_LIMITS_H

#include "ipet/system/system_builder.h"

/* Adds the limits: each entry of the stack is popped at most as often as it is pushed; an indexed
 * branch leaves at most one side less waiting than it has targets; each lane executes a block at
 * most once for each time that it reaches the header of the loop around it. Time: pushes times
 * entries for indexed branches, else near linear in the graph times its reactivations. Errors:
 * WARPBOUND_INVALID_INPUT where a sum does not fit, WARPBOUND_INTERNAL (memory). Proof:
 * doc/ipet.md. */
warpbound_status wb_system_limit_reactivations(struct wb_system_builder *builder);

#endif
