/* Resolution of flow facts: from places of the code to limits on blocks and loops of a graph. */
#ifndef WB_IPET_FACTS_FACT_RESOLUTION_H
#define WB_IPET_FACTS_FACT_RESOLUTION_H

#include "base/status.h"
#include "ipet/facts/place_resolution.h"
#include "model/flow_facts.h"

/* Resolves the facts of one kernel; NULL: there are none. The caller frees *resolved.
 * Errors, with the fact file's name and line: WARPBOUND_INVALID_INPUT (the facts were written for
 * other code; a place that does not exist, is no loop or is ambiguous), WARPBOUND_INTERNAL. Time:
 * places times the size of graph and listing. */
warpbound_status wb_facts_resolve(const struct wb_fact_context *context,
                                  const struct wb_kernel_facts *kernel,
                                  struct wb_resolved_facts *resolved, warpbound_error *error);

#endif
