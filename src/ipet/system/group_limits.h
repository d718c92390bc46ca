/* The limits of a flow system of groups of lanes, with their proofs in doc/group-flow.md. */
#ifndef WB_IPET_SYSTEM_GROUP_LIMITS_H
#define WB_IPET_SYSTEM_GROUP_LIMITS_H

#include "ipet/system/system_builder.h"

#include <stddef.h>

/* Limits how often lanes come back to a loop, by the bound of a thread, and groups, by that of the
 * warp where it is not just that of a thread times the lanes. index: of the loop limit. Errors:
 * WARPBOUND_INVALID_INPUT where a sum does not fit, WARPBOUND_INTERNAL (memory); so does the next
 * one. */
warpbound_status wb_group_limit_loop(struct wb_system_builder *builder, size_t index);

/* Limits the releases of scopes by their beginnings, groups by their lanes, and lanes by the groups
 * that they run in. Near linear. */
warpbound_status wb_group_limit_flow(struct wb_system_builder *builder);

#endif
