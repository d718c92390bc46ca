/* The moves from one position of the rear, and the least slacks of what they lead to, for the
 * checker of potentials whose rear is followed. */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_WALK_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_WALK_H

#include "certificate/potential/leading_check.h"
#include "certificate/potential/trailing_moves.h"
#include "certificate/potential/trailing_ranks.h"
#include "certificate/potential/trailing_states.h"
#include "certificate/potential/trailing_values.h"

#include <stddef.h>
#include <stdint.h>

/* In place of a slack: no path leads from there to the end. */
#define WB_CHECK_TRAILING_NO_PATH INT64_MAX

/* A move in which no rear warp issues, from one state of the crowd to another: its slack for each
 * component. */
struct wb_check_trailing_wait {
  uint32_t from;
  uint32_t to;
  int64_t slack[WB_CHECK_POTENTIAL_POOLS];
};

/* least: e times D, by rank, crowd state and component.
 * position: of the rear, at hand; rank, row: its rank and the row of its states; moves: its moves,
 * with ranks and rows after them; ready: how many of it are ready in each pool; best: by crowd
 * state and component, the least slack from there on of moves in which the rear issues; waits: the
 * other moves. */
struct wb_check_trailing_walk {
  const struct wb_check_potential_machine *machine;
  struct wb_check_trailing_values values;
  struct wb_check_leading_warps leading;
  struct wb_check_trailing_states states;
  struct wb_check_trailing_ranks ranks;
  size_t components;
  int64_t *least;
  size_t position[WB_CHECK_TRAILING_LIMIT];
  size_t rank;
  size_t row;
  struct wb_check_trailing_move moves[WB_CHECK_TRAILING_MOVES];
  size_t rank_after[WB_CHECK_TRAILING_MOVES];
  size_t row_after[WB_CHECK_TRAILING_MOVES];
  size_t move_count;
  int64_t ready[WB_CHECK_POTENTIAL_POOLS];
  int64_t *best;
  struct wb_check_trailing_wait *waits;
  size_t wait_count;
  size_t wait_capacity;
  warpbound_error *error;
};

/* Fills the table for the position at hand, with those of higher ranks filled. The values' front is
 * that of the rear. Errors as wb_check_trailing. */
warpbound_status wb_check_trailing_walk_position(struct wb_check_trailing_walk *walk);

#endif
