/* The context of a flow system that is being built, and the terms of its limits. */
#ifndef WB_IPET_SYSTEM_SYSTEM_BUILDER_H
#define WB_IPET_SYSTEM_SYSTEM_BUILDER_H

#include "base/arena.h"
#include "base/buckets.h"
#include "base/status.h"
#include "cfg/warp_graph/warp_graph.h"
#include "ipet/system/ipet_input.h"
#include "model/flow_system.h"

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

/* Makes the groups of a graph's entries. False where memory is out: arena->failed. Linear, nearly.
 */
bool wb_entry_groups_make(struct wb_arena *arena, const struct wb_warp_graph *graph,
                          struct wb_entry_groups *groups);

/* The entry that represents the group of another; shortens the path to it. */
uint32_t wb_entry_group_of(const struct wb_entry_groups *groups, uint32_t entry);

/* The arena owns the lists, the scratch and what limits need while they are made; the rest is
 * borrowed. */
struct wb_system_builder {
  const struct wb_ipet_input *input;
  const struct wb_warp_graph *graph;
  struct wb_flow_system *system; /* terms are added to its newest limit */
  struct wb_buckets reaching;    /* edges by target */
  struct wb_buckets leaving;     /* edges by origin */
  bool *enters;                  /* scratch, by edge */
  bool *returns;                 /* scratch, by edge */
  bool *arrives;                 /* scratch, by edge */
  struct wb_arena arena;
  warpbound_error *error;
};

/* Makes the lists and the scratch; the system has the graph's edges, the other fields are set.
 * False where memory is out; the caller frees the arena also then. Linear. */
bool wb_system_builder_make(struct wb_system_builder *builder);

/* Fails: a sum does not fit into 64 bits. */
warpbound_status wb_system_too_large(const struct wb_system_builder *builder);

/* Marks the edges that enter a loop and return to it in `enters` and `returns`. *starts_inside: the
 * graph's start is in the loop. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_system_mark_loop(struct wb_system_builder *builder, uint32_t loop,
                                     bool *starts_inside);

/* ---- terms of the newest limit ---- */

/* Adds a number to the left side, for the start of the execution. False where it does not fit. */
bool wb_system_add_constant(struct wb_system_builder *builder, int64_t number);

/* Adds factor * (executions of the block): its incoming edges, and the start. False where a sum
 * does not fit. */
bool wb_system_add_runs(struct wb_system_builder *builder, uint32_t block, int64_t factor);

/* Subtracts factor * (entries of the loop). Errors: WARPBOUND_INVALID_INPUT where a sum does not
 * fit, WARPBOUND_INTERNAL (memory); so do the next two. */
warpbound_status wb_system_subtract_entries(struct wb_system_builder *builder, uint32_t loop,
                                            int64_t factor);

/* Adds factor * (returns of the warp to the loop's header). */
warpbound_status wb_system_add_returns(struct wb_system_builder *builder, uint32_t loop,
                                       int64_t factor);

/* Adds factor * (arrivals of the warp at a header of the loop by edges that do not enter): returns,
 * and reactivations of lanes there that may be none. */
warpbound_status wb_system_add_arrivals(struct wb_system_builder *builder, uint32_t loop,
                                        int64_t factor);

#endif
