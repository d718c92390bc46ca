/* Loops over the set bits of a number of 64 bits in two registers, or of a word, by cases of the
 * bit that an iteration clears. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_BIT_CASES_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_BIT_CASES_H

#include "flow/loop_bounds/loop_walk.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether each iteration of the region, a loop with a summary, clears the lowest, or the highest,
 * set bit of a number in two registers, and no thread goes back where none is left. *bound: back
 * edges of a thread for each entry, where *found; *assumption: what of the hardware that rests on,
 * static, or NULL; entry: the state at all entries. Errors: WARPBOUND_INTERNAL (memory). Proof:
 * doc/loop-bounds.md, Lemma 16. */
warpbound_status wb_loop_clears_cases(struct wb_loop_walk *walk,
                                      const struct wb_integer_state *entry, bool *found,
                                      uint64_t *bound, const char **assumption);

#endif
