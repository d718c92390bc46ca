/* The moves from one position of the rear, and the least slacks of what they lead to, for the
 * checker of potentials whose rear is followed. */
#ifndef WB_CERTIFICATE_POTENTIAL_REAR_WALK_H
#define WB_CERTIFICATE_POTENTIAL_REAR_WALK_H

#include "certificate/potential/rear_crowd.h"
#include "certificate/potential/rear_moves.h"
#include "certificate/potential/rear_ranks.h"
#include "certificate/potential/rear_states.h"
#include "certificate/potential/rear_values.h"

#include <stddef.h>
#include <stdint.h>

/* In place of a slack: no path leads from there to the end. */
#define WB_REAR_NO_PATH INT64_MAX

/* A move in which no rear warp issues, from one state of the crowd to another: its slack for each
 * piece. */
struct wb_rear_wait {
  uint32_t from;
  uint32_t to;
  int64_t slack[WB_POTENTIAL_POOLS];
};

/* least: e times D, by rank, crowd state and piece.
 * position: of the rear, at hand; rank, row: its rank and the row of its states; moves: its moves,
 * with ranks and rows after them; ready: how many of it are ready in each pool; best: by crowd
 * state and piece, the least slack from there on of moves in which the rear issues; waits: the
 * other moves. */
struct wb_rear_walk {
  const struct wb_potential_machine *machine;
  struct wb_rear_values values;
  struct wb_rear_crowd crowd;
  struct wb_rear_states states;
  struct wb_rear_ranks ranks;
  size_t pieces;
  int64_t *least;
  size_t position[WB_REAR_LIMIT];
  size_t rank;
  size_t row;
  struct wb_rear_move moves[WB_REAR_MOVES];
  size_t rank_after[WB_REAR_MOVES];
  size_t row_after[WB_REAR_MOVES];
  size_t move_count;
  int64_t ready[WB_POTENTIAL_POOLS];
  int64_t *best;
  struct wb_rear_wait *waits;
  size_t wait_count;
  size_t wait_capacity;
  warpbound_error *error;
};

/* Fills the table for the position at hand, with those of higher ranks filled. The values' front is
 * that of the rear. Errors as wb_rear_check. */
warpbound_status wb_rear_walk_position(struct wb_rear_walk *walk);

#endif
