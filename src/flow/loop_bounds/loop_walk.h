/* The passes by which bounds of loops are found: what walks over a region keep (loop_bounds.c), and
 * what is done with single iterations (loop_iterations.c, loop_sums.c). Proof:
 * doc/loop-bounds.md. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_WALK_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_WALK_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "flow/loop_bounds/found_bound.h"
#include "flow/loop_bounds/loop_summary.h"
#include "flow/loop_bounds/thread_flow.h"
#include "values/interval/interval_domain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One pass forwards over a region, each block once. The states of blocks are freed when they are
 * done. */
struct wb_loop_walk {
  const struct wb_thread_flow *flow;
  const struct wb_loop_forest *forest;
  struct wb_loop_summary *summaries; /* by loop */
  struct wb_found_bound *found;      /* by loop */
  struct wb_integer_state **states; /* by block: the state at its start by the edges seen so far, or
                                       NULL */
  uint32_t *blocks;                 /* of the region, in order */
  size_t block_count;
  uint32_t *region; /* by block: the loop of the last pass that it was in, plus 1 */
  uint32_t loop;    /* the region; NONE: the whole graph */
  uint32_t
      first_source; /* least origin of the loop's back edges, by position in the dominator tree */
  uint32_t last_source; /* greatest one */
  /* Of an iteration that is followed by itself: */
  const struct wb_integer_state *iteration; /* at its header; NULL: none is followed, the state at
                                               the header of `loop` is relative to itself */
  struct wb_integer_state *back;            /* at its back edges */
  bool goes_back;                           /* some thread takes one */
  uint64_t *inner; /* by loop: the back edges of a loop right inside in it for each
                      entry; UINT64_MAX: not known; NULL: nobody asks */
  struct wb_integer_state **entries; /* by loop: the state at all entries, where no bound is known
                                        or loops are inside; else NULL */
  bool *holds;                       /* by loop: others are right inside in it */
  uint64_t visits;                   /* of instructions, to follow iterations */
  uint64_t turns;                    /* instructions that may still be looked at, to find turns */
  uint64_t bit_cases;                /* instructions done, in cases of bits */
  bool followed;                     /* a loop has got a bound by that */
  struct wb_comparisons comparisons;
  struct wb_carries carries;     /* of the block that is visited */
  struct wb_terms terms;         /* of the walk */
  struct wb_stack_slots slots;   /* of the function */
  struct wb_quotients quotients; /* of the block that is visited */
  wb_thread_visit *visit;        /* NULL: nobody asks what holds at instructions */
  void *visitor;
  struct wb_interval_context domain; /* counts the blocks visited, in this pass and those before */
  warpbound_error *error;
};

/* Visits of instructions to follow iterations, in one function; one of a block counts as some more.
 */
#define WB_WALK_MOST_VISITS (1U << 18)

/* Instructions that are done in cases of bits, in one function. */
#define WB_WALK_MOST_BIT_CASES (1U << 18)

/* The visits of one walk over the region. */
uint64_t wb_loop_walk_visits(const struct wb_loop_walk *walk);

/* The best bound of the loop that is known. */
struct wb_iterations wb_loop_walk_bound(const struct wb_loop_walk *walk, uint32_t loop);

/* Makes a loop the region. */
void wb_loop_walk_choose(struct wb_loop_walk *walk, uint32_t loop);

/* Walks over the region. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_loop_walk_region(struct wb_loop_walk *walk);

/* Follows the loops that have no bound yet, or finds what shrinks in each of their turns. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_loop_walk_follow(struct wb_loop_walk *walk);

/* Sums up how often threads go round loops over the iterations of the loop around them. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_loop_walk_sum(struct wb_loop_walk *walk);

#endif
