/* Bounds by ranking functions: a sum of registers, as the distance of two counters, that shrinks in
 * every turn of a loop, whatever way the thread takes; or several, of which each turn shrinks
 * one. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_RANKS_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_RANKS_H

#include "flow/loop_bounds/loop_summary.h"
#include "flow/loop_bounds/loop_turns.h"

#include <stdbool.h>

/* A bound and its reason. The caller frees the text. */
struct wb_rank_bound {
  struct wb_iterations bound;
  char *reason; /* NULL: memory was out */
};

/* Bounds the back edges of an entry. entry: the state at all entries of the loop; within: the
 * registers at all visits of its header; both without bases. False where no rank bounds them. Time:
 * turns times the sums that are tried, at most WB_TURN_LIMIT times 24. Proof: doc/loop-bounds.md,
 * Lemmas 7, 8 and 14. */
bool wb_loop_rank(const struct wb_turns *turns, const struct wb_integer_state *entry,
                  const struct wb_integer *within, struct wb_rank_bound *rank);

#endif
