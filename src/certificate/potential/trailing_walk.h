/* The moves from one position of the trailing warps, and the least slacks of the states that they
 * lead to, for the checker of potentials that follows these warps. */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_WALK_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_WALK_H

#include "base/status.h"
#include "certificate/potential/leading_warps.h"
#include "certificate/potential/trailing_moves.h"
#include "certificate/potential/trailing_ranks.h"
#include "certificate/potential/trailing_states.h"
#include "certificate/potential/trailing_values.h"

#include <stddef.h>
#include <stdint.h>

/* A move in which no trailing warp issues. */
struct wb_check_trailing_wait {
  /* States of the leading warps before and after it. */
  uint32_t from;
  uint32_t to;
  /* By component: the move's slack, times the scale. */
  int64_t slack[WB_CHECK_POTENTIAL_POOLS];
};

/* The table of least slacks, filled from the highest rank to the lowest, and the position at
 * hand. */
struct wb_check_trailing_walk {
  const struct wb_check_potential_machine *machine;
  struct wb_check_trailing_values values;
  struct wb_check_leading_warps leading;
  struct wb_check_trailing_states states;
  struct wb_check_trailing_ranks ranks;
  size_t components;
  /* By rank, state of the leading warps and component: the least slack e times the scale, or
   * WB_CHECK_TRAILING_NO_PATH. */
  int64_t *least;
  /* The trailing warps' positions at hand, their rank, and the row of their states. */
  size_t position[WB_CHECK_TRAILING_LIMIT];
  size_t rank;
  size_t row;
  /* Their moves, and the ranks and rows after these. */
  struct wb_check_trailing_move moves[WB_CHECK_TRAILING_MOVES];
  size_t rank_after[WB_CHECK_TRAILING_MOVES];
  size_t row_after[WB_CHECK_TRAILING_MOVES];
  size_t move_count;
  /* By pool: trailing warps that have not ended and stand in it. */
  int64_t ready[WB_CHECK_POTENTIAL_POOLS];
  /* By state of the leading warps and component: the least slack of paths that begin with a move in
   * which a trailing warp issues. */
  int64_t *best;
  /* The other moves. */
  struct wb_check_trailing_wait *waits;
  size_t wait_count;
  size_t wait_capacity;
  warpbound_error *error;
};

/* Fills the table for the position at hand, with those of higher ranks filled. The values' front is
 * that of the foremost trailing warp. Errors as wb_check_trailing_slacks. */
warpbound_status wb_check_trailing_walk_position(struct wb_check_trailing_walk *walk);

#endif
