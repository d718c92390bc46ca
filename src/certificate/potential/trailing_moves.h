/* What the rear warps can do in a cycle, for the checker of potentials whose rear is followed. */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_MOVES_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_MOVES_H

#include "certificate/potential/trailing_values.h"

#include <stddef.h>
#include <stdint.h>

/* Rear warps at most, and moves of so many. */
#define WB_CHECK_TRAILING_LIMIT 6
#define WB_CHECK_TRAILING_MOVES ((size_t)1 << WB_CHECK_TRAILING_LIMIT)

/* position: after the move; front: whether one at the front issues; stays: nobody issues; issued:
 * by pool; value[v]: what the warps' steps and those who do not issue are worth under view v, the
 * own warp's step among them. */
struct wb_check_trailing_move {
  size_t position[WB_CHECK_TRAILING_LIMIT];
  enum wb_check_trailing_front front;
  bool stays;
  int64_t issued[WB_CHECK_POTENTIAL_POOLS];
  int64_t value[WB_CHECK_POTENTIAL_VIEWS];
};

/* All moves of `count` rear warps that stand at position[0] <= .. <= position[count - 1], the own
 * warp first: of those at one position the last issue. Returns how many, at least one. */
size_t wb_check_trailing_moves_make(const struct wb_check_trailing_values *values,
                                    const size_t *position, size_t count,
                                    struct wb_check_trailing_move list[WB_CHECK_TRAILING_MOVES]);

#endif
