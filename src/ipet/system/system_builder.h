/* The context of a flow system that is being built, and the terms of its limits. Failures are
 * sticky: wb_ipet_system_build asks for them once, at its end. */
#ifndef WB_IPET_SYSTEM_SYSTEM_BUILDER_H
#define WB_IPET_SYSTEM_SYSTEM_BUILDER_H

#include "base/arena.h"
#include "base/buckets.h"
#include "ipet/system/ipet_system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Entries that one edge may pop are a group. Pops and pushes of a group are linked in the order of
 * the graph, ended by UINT32_MAX. */
struct wb_entry_groups {
  uint32_t *group;                  /* by entry: one of its group (union-find); the least entry
                                       represents the group, the lists start there */
  uint32_t *first_pop, *first_push; /* by group */
  uint32_t *next_pop;               /* by pop */
  uint32_t *next_push;              /* by push */
};

/* The entry that represents the group of another; shortens the path to it. */
uint32_t wb_entry_group_of(const struct wb_entry_groups *groups, uint32_t entry);

/* The arena owns the lists, the marks and what limits need while they are made; the rest is
 * borrowed. */
struct wb_system_builder {
  const struct wb_ipet_input *input;
  const struct wb_warp_graph *graph;
  struct wb_flow_system *system; /* terms are added to its newest limit */
  struct wb_buckets reaching;    /* edges by target */
  struct wb_buckets leaving;     /* edges by origin */
  struct wb_entry_groups groups;
  struct wb_ipet_edge_marks marks; /* of the loop that was marked last */
  bool starts_inside;              /* the graph's start is in that loop */
  struct wb_arena arena;           /* arena.failed: memory is out */
  bool too_large;                  /* a sum does not fit into 64 bits */
};

/* Marks the edges of a loop, and whether the graph starts in it. */
void wb_system_mark_loop(struct wb_system_builder *builder, uint32_t loop);

/* ---- terms of the newest limit ---- */

/* Adds factor * (executions of the edge). */
void wb_system_add_edge(struct wb_system_builder *builder, uint32_t edge, int64_t factor);

/* Adds factor * (executions of the block): its incoming edges, and the start. */
void wb_system_add_runs(struct wb_system_builder *builder, uint32_t block, int64_t factor);

/* ---- limits ---- */

/* Limits the returns to a loop to `bound` for each entry of another. index: of the loop limit.
 * lanes: those of lanes in the second layer (doc/group-flow.md); else those of the warp or its
 * groups. */
void wb_system_limit_loop(struct wb_system_builder *builder, size_t index, int64_t bound,
                          bool lanes);

/* ---- groups of lanes (doc/group-flow.md) ---- */

/* Ports of the system: for each block one for all its shared edges, one for each edge that is taken
 * whatever others are, and one for its lanes. */
size_t wb_group_system_ports(const struct wb_warp_graph *graph);

/* Fills edges, ports and starts of a system of that size, whose first layer has its edges, and adds
 * the limits of loops, of the releases of scopes by their beginnings, of groups by their lanes, and
 * of lanes by the groups that they run in. Near linear, times the loops. */
void wb_group_system_add(struct wb_system_builder *builder);

#endif
