/* The moves of the trailing warps in a cycle, for the checker of potentials that follows them. */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_MOVES_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_MOVES_H

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

#endif
