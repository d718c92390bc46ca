/* Loops over the bits of a word that are set: each iteration clears one at least. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_BITS_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_BITS_H

#include "flow/loop_bounds/loop_walk.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the region, a loop with a summary, goes on only while a register is not 0 of which each
 * iteration clears a set bit. *bound: back edges of a thread for each entry, where *found; entry:
 * the state at all entries. Linear in the loop's code, times its tests. Proof: doc/loop-bounds.md,
 * Lemma 13. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_loop_clears_bits(struct wb_loop_walk *walk,
                                     const struct wb_integer_state *entry, bool *found,
                                     uint64_t *bound);

#endif
