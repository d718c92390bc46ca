/* The positions of the trailing warps, numbered, for the checker of potentials that follows them.
 */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_RANKS_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_RANKS_H

#include "base/arena.h"
#include "base/status.h"
#include "certificate/potential/trailing_values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Trailing warps at most, and moves of so many. */
#define WB_CHECK_TRAILING_LIMIT 6
#define WB_CHECK_TRAILING_MOVES ((size_t)1 << WB_CHECK_TRAILING_LIMIT)

/* A move of all trailing warps. */
struct wb_check_trailing_move {
  /* By warp, the own one first: instructions that it has done after the move. Ascending. */
  size_t position[WB_CHECK_TRAILING_LIMIT];
  /* Whether the foremost trailing warp issues. */
  enum wb_check_trailing_front front;
  /* No trailing warp issues. */
  bool stays;
  /* By pool: trailing warps that issue. */
  int64_t issued[WB_CHECK_POTENTIAL_POOLS];
  /* By view: the value of their steps, the own warp's among them, and of those that do not issue.
   */
  int64_t value[WB_CHECK_POTENTIAL_VIEWS];
};

/* All moves of `count` trailing warps that stand at position[0] <= .. <= position[count - 1], the
 * own warp first: of those at one position the last issue. Returns how many, at least one. */
size_t wb_check_trailing_moves_make(const struct wb_check_trailing_values *values,
                                    const size_t *position, size_t count,
                                    struct wb_check_trailing_move list[WB_CHECK_TRAILING_MOVES]);

/* A numbering of the ways in which warps can stand at sorted positions 0 to `length`. The rank of
 * one is the sum over the warps i of steps[i][position[i]]: a warp further ahead means a higher
 * rank, and the last warp weighs most. Zero-initialise. */
struct wb_check_trailing_ranks {
  /* Trailing warps. */
  size_t count;
  /* Instructions of the string; a warp at this position has ended. */
  size_t length;
  /* Ranks go from 0 to rank_count - 1. */
  size_t rank_count;
  /* steps[i][q]: in how many ways i + 1 warps can stand, all before q. length + 1 numbers each. */
  size_t *steps[WB_CHECK_TRAILING_LIMIT];
};

/* Makes the numbering of at most WB_CHECK_TRAILING_LIMIT warps. More than `most` ranks are
 * WARPBOUND_LIMIT. The arrays live in the arena. Time: count * length. */
warpbound_status wb_check_trailing_ranks_make(struct wb_arena *arena, size_t count, size_t length,
                                              size_t most, struct wb_check_trailing_ranks *ranks,
                                              warpbound_error *error);

/* The rank of sorted positions. */
size_t wb_check_trailing_ranks_of(const struct wb_check_trailing_ranks *ranks,
                                  const size_t *position);

/* Goes to the positions of the rank below, which there must be. */
void wb_check_trailing_ranks_previous(const struct wb_check_trailing_ranks *ranks,
                                      size_t *position);
#endif
