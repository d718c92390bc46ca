/* The positions of the trailing warps, numbered, for the checker of potentials that follows them.
 */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_RANKS_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_RANKS_H

#include "base/status.h"
#include "certificate/potential/trailing_moves.h"

#include <stddef.h>

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
 * WARPBOUND_LIMIT. Free, after a failure too. Time: count * length. */
warpbound_status wb_check_trailing_ranks_make(size_t count, size_t length, size_t most,
                                              struct wb_check_trailing_ranks *ranks,
                                              warpbound_error *error);

/* The rank of sorted positions. */
size_t wb_check_trailing_ranks_of(const struct wb_check_trailing_ranks *ranks,
                                  const size_t *position);

/* Goes to the positions of the rank below, which there must be. */
void wb_check_trailing_ranks_previous(const struct wb_check_trailing_ranks *ranks,
                                      size_t *position);
void wb_check_trailing_ranks_free(struct wb_check_trailing_ranks *ranks);

#endif
