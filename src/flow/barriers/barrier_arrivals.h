/* Barriers at which some warps of a block wait and others arrive and go on (BAR.SYNC 1, 64 and
 * BAR.ARV 1, 64: producers and consumers), and whether none of a kernel's barriers waits for ever.
 */
#ifndef WB_FLOW_BARRIERS_BARRIER_ARRIVALS_H
#define WB_FLOW_BARRIERS_BARRIER_ARRIVALS_H

#include "base/status.h"
#include "flow/barriers/barrier_groups.h"

#include <stdbool.h>

/* *shown: the launch decides which barriers each warp of a block comes to, one after the other, and
 * all arrivals and waits pair up in rounds (doc/all-paths.md, "Arrivals and waits"). Then none
 * waits for ever, and all of them become barriers (WB_UNIT_BARRIER) of the instructions, which are
 * those of the graph's function; else nothing changes. Errors: WARPBOUND_INTERNAL (memory). Time:
 * that of a run of each warp of a block, up to a limit. */
warpbound_status wb_barrier_arrivals_find(const struct wb_group_question *question,
                                          struct wb_instruction *instructions, bool *shown,
                                          warpbound_error *error);

#endif
