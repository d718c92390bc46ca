/* The states of the run abstraction on one cut of the string, and which cell of the
 * checker's table each of them has. Part of the independent checker of run files: it
 * shares no code with the searches.
 *
 * A state says of each piece r how many warps are inside, n, and how many instructions
 * of it they still need in all, b, with n <= b <= n * l. Here the surplus c = b - n
 * stands for b: it goes from 0 to (l - 1) n, so that n warps have (l - 1) n + 1 values
 * of it. All states with the same n of every piece make a block. A block is a box: every
 * piece's surplus goes through its values whatever those of the others are. */
#ifndef WB_CERTIFICATE_RUNS_RUN_STATES_H
#define WB_CERTIFICATE_RUNS_RUN_STATES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A warp in piece r (from 0) leaves count - r pieces before it is done. A block's level is
 * the sum of that over its warps: from 0 (all are done) to warps * count (all stand in
 * the first piece). Each level has cells of its own, its blocks in lexicographic order of
 * n. cells: for r = 0 .. count, room = 0 .. warps and level = 0 .. levels - 1 the states
 * of the pieces r.. with at most `room` warps in them that are of this level; behind the
 * last piece is the end, one state of level 0 whatever the room. Owns cells; borrows
 * lengths. */
struct wb_check_run_states {
  const uint32_t *lengths;
  size_t count;
  uint32_t warps;
  uint64_t levels;
  uint64_t *cells;
};

/* The warps of a block in one piece: a post. A block is the list of its posts, those
 * with warps alone, in ascending order of the pieces. stride: how far apart two cells of
 * the block are whose surplus differs by one in this piece alone. */
struct wb_check_run_post {
  size_t piece;
  uint64_t warps;
  uint64_t stride;
};

/* The number of states with at most `warps` warps; false where it exceeds 64 bits.
 * warps plus one numbers of memory; WARPBOUND_INTERNAL where they cannot be had. */
warpbound_status wb_check_run_states_total(const uint32_t *lengths, size_t count, uint32_t warps,
                                           uint64_t *total, bool *fits, warpbound_error *error);

/* Bytes that the arrays of wb_check_run_states_make take; false where they exceed 64 bits. */
bool wb_check_run_states_bytes(size_t count, uint32_t warps, uint64_t *bytes);

/* Makes the arrays; the total must fit. Errors: WARPBOUND_INTERNAL. Free with
 * wb_check_run_states_free, also after an error. Time: count * warps * levels. */
warpbound_status wb_check_run_states_make(struct wb_check_run_states *states,
                                          const uint32_t *lengths, size_t count, uint32_t warps,
                                          warpbound_error *error);
void wb_check_run_states_free(struct wb_check_run_states *states);

/* Cells of a level. */
uint64_t wb_check_run_states_cells(const struct wb_check_run_states *states, uint64_t level);

/* The level of a block. */
uint64_t wb_check_run_states_level(const struct wb_check_run_states *states,
                                   const struct wb_check_run_post *posts, size_t count);

/* The first cell of a block in its level, and the strides of its posts; the last post has
 * 1. Time: the number of its warps. */
uint64_t wb_check_run_states_place(const struct wb_check_run_states *states,
                                   struct wb_check_run_post *posts, size_t count);

/* Values that the surplus of so many warps of a piece takes. */
static inline uint64_t wb_check_run_states_values(const struct wb_check_run_states *states,
                                                  size_t piece, uint64_t warps)
{
  return (uint64_t)(states->lengths[piece] - 1) * warps + 1;
}

/* The blocks of a level, one after the other (strides left out): */
void wb_check_run_states_first(const struct wb_check_run_states *states, uint64_t level,
                               struct wb_check_run_post *posts, size_t *count);
/* The block behind this one; false, with the block as it was, after the last. A block
 * has at most as many posts as there are pieces, and as there are warps. Time: the number
 * of posts. */
bool wb_check_run_states_next(const struct wb_check_run_states *states,
                              struct wb_check_run_post *posts, size_t *count);

#endif
