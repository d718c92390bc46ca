/* The positions of the rear warps, numbered, for the checker of potentials whose rear is followed.
 */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_RANKS_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_RANKS_H

#include "base/status.h"
#include "certificate/potential/trailing_moves.h"

#include <stddef.h>

/* `count` warps at sorted positions 0 to `length`. steps[i][q]: in how many ways i + 1 warps can
 * stand, all before q; the sum of steps[i][position[i]] is the rank, 0 to rank_count - 1: a warp
 * further on means a higher rank, and the last warp weighs most. Zero-initialise. */
struct wb_check_trailing_ranks {
  size_t count;
  size_t length;
  size_t rank_count;
  size_t *steps[WB_CHECK_TRAILING_LIMIT];
};

/* At most WB_CHECK_TRAILING_LIMIT warps. More than `most` ranks are WARPBOUND_LIMIT. Free, after a
 * failure too. */
warpbound_status wb_check_trailing_ranks_make(size_t count, size_t length, size_t most,
                                              struct wb_check_trailing_ranks *ranks,
                                              warpbound_error *error);
size_t wb_check_trailing_ranks_of(const struct wb_check_trailing_ranks *ranks,
                                  const size_t *position);
/* To the positions of the rank below, which there must be. */
void wb_check_trailing_ranks_back(const struct wb_check_trailing_ranks *ranks, size_t *position);
void wb_check_trailing_ranks_free(struct wb_check_trailing_ranks *ranks);

#endif
