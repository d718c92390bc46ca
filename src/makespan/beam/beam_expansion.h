/* The moves of one state of a beam: its successors become candidates for the next layer, the
 * cheapest moves first. */
#ifndef WB_MAKESPAN_BEAM_BEAM_EXPANSION_H
#define WB_MAKESPAN_BEAM_BEAM_EXPANSION_H

#include "base/arena.h"
#include "base/work_control.h"
#include "makespan/beam/beam_candidates.h"
#include "makespan/beam/portfolio.h"
#include "makespan/beam/state_value.h"
#include "makespan/machine/cycle.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A state. Borrows its words. */
struct wb_beam_state {
  const uint32_t *words; /* (wb_move_word) one for each position with warps, ascending */
  size_t count;          /* of them */
  int64_t linear;        /* the part of its value that adds up over warps */
  uint64_t hash;
  uint32_t index; /* in its layer */
};

/* Warps at a position that wait for the type whose menu this is in. */
struct wb_beam_choice {
  /* the value that one of them gives up by issuing, as far as it depends on it alone */
  int64_t drop;
  uint32_t position;
  uint32_t warps;
};

/* The choices of one type. */
struct wb_beam_menu {
  struct wb_beam_choice *choices; /* cheapest first */
  uint32_t *rest;                 /* by choice: warps in it and those after it */
  size_t count;
};

/* The state under expansion and the move under construction. Borrows the first part, which the
 * caller sets. */
struct wb_beam_expansion {
  const struct wb_problem *problem;
  const struct wb_state_value *value;
  size_t branch; /* about how many moves of a state are tried */
  struct wb_beam_budget *budget;
  struct wb_beam_candidates *candidates; /* successors are added to them */

  uint8_t *types; /* of each position; WB_UNIT_COUNT past the end */
  uint64_t *keys; /* of a warp at each position; 0 past the end. A state's hash is their sum */
  struct wb_beam_state state;
  uint32_t ready[WB_UNIT_COUNT]; /* warps that wait for each type */
  struct wb_quota quota;         /* of the cycle */
  struct wb_beam_menu menus[WB_UNIT_COUNT];
  int64_t least_rest[WB_UNIT_COUNT + 1]; /* the least value that the part of the quota of the types
                                          * from each on gives up */
  uint32_t most_rest[WB_UNIT_COUNT + 1]; /* warps of that part */
  uint32_t *move;                        /* words of the move so far */
  size_t move_count;
  int64_t most_drop;       /* the most value that a move of this pass may give up */
  size_t left;             /* moves that may still be tried */
  bool cut;                /* this pass left a move out for its price */
  bool finished;           /* a move has reached the end; the caller resets it */
  struct wb_candidate end; /* that move */
  uint32_t *end_words;     /* its words */
  bool left_out;           /* of any state: a move was not tried */
  bool out_of_memory;
};

/* Makes the arrays in an arena. stride: most positions with warps of a state. False: memory is out.
 */
bool wb_beam_expansion_start(struct wb_beam_expansion *expansion, size_t stride,
                             struct wb_arena *arena);

/* Makes candidates of the successors of a state, in passes over its moves of growing price, about
 * `branch` of them in all. */
void wb_beam_expand(struct wb_beam_expansion *expansion, const struct wb_beam_state *state);

#endif
