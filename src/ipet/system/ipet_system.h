/* The flow system that IPET maximises (Li and Malik, DAC 1995; WCET 2023, section 4), with limits
 * on reactivations that make the cycles of divergence finite (doc/ipet.md). */
#ifndef WB_IPET_SYSTEM_IPET_SYSTEM_H
#define WB_IPET_SYSTEM_IPET_SYSTEM_H

#include "base/status.h"
#include "ipet/system/ipet_input.h"
#include "model/flow_system.h"

/* Builds the system: nodes are the graph's blocks, edges are the graph's; where lanes run in
 * several groups, the same once more for the lanes (ipet/system/group_system.h). The caller frees
 * it. Errors: WARPBOUND_INVALID_INPUT where a sum does not fit into 64 bits, WARPBOUND_INTERNAL. */
warpbound_status wb_ipet_system_build(const struct wb_ipet_input *input,
                                      struct wb_flow_system *system, warpbound_error *error);

#endif
