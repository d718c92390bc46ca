/* Entries of a warp-level graph that one edge may pop: which of them it pops is not known, so that
 * they are limited together. */
#ifndef WB_IPET_SYSTEM_ENTRY_GROUPS_H
#define WB_IPET_SYSTEM_ENTRY_GROUPS_H

#include "cfg/warp_graph/warp_graph.h"

#include <stdint.h>

/* Unites the entries that one edge may pop (union-find). group: by entry; the least entry
 * represents its group. Linear, nearly. */
void wb_entry_groups_unite(const struct wb_warp_graph *graph, uint32_t *group);

/* The entry that represents the group of another; shortens the path to it. */
uint32_t wb_entry_group_of(uint32_t *group, uint32_t entry);

#endif
