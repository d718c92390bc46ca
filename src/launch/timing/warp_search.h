/* The search for the invariant of a warp's own steps, for the parts of it: states of nodes
 * (warp_times.c), and what edges into loops pay in advance (loop_entries.c). */
#ifndef WB_LAUNCH_TIMING_WARP_SEARCH_H
#define WB_LAUNCH_TIMING_WARP_SEARCH_H

#include "base/arena.h"
#include "base/buckets.h"
#include "launch/timing/warp_states.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What can keep a warp: scoreboards, services of what it took at issue, the end of all;
 * and until when it needs its SM. */
enum {
  WB_KEEPER_SERVICE = WB_SCOREBOARD_COUNT,
  WB_KEEPER_END = WB_KEEPER_SERVICE + WB_RESOURCE_LIMIT,
  WB_KEEPER_STAY, /* which no instruction waits for */
  WB_KEEPER_COUNT
};

/* The number of a keeper in a state. */
uint64_t *wb_pending_of(struct wb_pending *pending, size_t keeper);

/* The graph, in an order. */
struct wb_warp_flow {
  struct wb_buckets leaving; /* edges by the node that is left */
  uint32_t *order;      /* the nodes that can be reached from the starts, in reverse postorder */
  size_t reached_count; /* of them */
};

/* The search. Borrows all but what its scratch arena has. */
struct wb_warp_search {
  const struct wb_timed_code *code;
  const struct wb_timing_graph *graph;
  uint64_t denominator;             /* of all times here */
  struct wb_pending *pending;       /* by node: the states */
  uint64_t *advance;                /* by edge: what it pays of later waits */
  struct wb_release_times *release; /* by instruction */
  struct wb_warp_flow flow;
  bool *changed;           /* by node: its instructions must be done again */
  uint8_t *visits;         /* by node: how often it was done, up to a limit */
  struct wb_pending floor; /* at interleaved nodes: what other groups of lanes may have made */
  struct wb_pending most;  /* what no state exceeds */
  struct wb_pending left_by_barriers; /* services alone */
  const bool *entry;            /* by edge: it leads into a loop from outside; NULL: none does */
  const struct wb_pending *cap; /* by node: what edges into a loop bring there at most, though more
                                   is left before them; with `entry` */
  bool overflow;
};

/* Finds the least states, from nothing, for advance and the caps. With caps they are no
 * invariant. */
void wb_warp_search_states(struct wb_warp_search *search);

/* Does a node: what is left at its end, and its time in *cycles. waited: by keeper, falls to
 * `begin` + the time at which an instruction of the node that waits for it issues; NULL: not asked.
 */
struct wb_pending wb_warp_search_node(struct wb_warp_search *search, uint32_t node, uint64_t begin,
                                      struct wb_pending *waited, uint64_t *cycles);

/* Chooses advance (doc/warp-timing.md, "Waits paid in advance"): what an edge into a loop
 * pays of the waits in it, so that turns that do not wait for what was before the loop do not pay
 * them again. Any choice is safe. False where memory is out: scratch->failed. Linear in the graph
 * for each loop, and a few searches. */
bool wb_warp_search_advance(struct wb_warp_search *search, struct wb_arena *scratch);

#endif
