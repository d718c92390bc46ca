/* The leading warps, those in front of the trailing warps: the values of their abstract moves where
 * all of them stand at some position or beyond (doc/potentials/potentials.md, "Trailing warps"). */
#ifndef WB_MAKESPAN_POTENTIAL_LEADING_MOVES_H
#define WB_MAKESPAN_POTENTIAL_LEADING_MOVES_H

#include "base/arena.h"
#include "makespan/potential/piecewise_potential.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The moves from one state of the leading warps with one choice of issues: each state that can be
 * reached once, with the least values. */
struct wb_leading_moves {
  size_t count;
  const uint32_t *to;   /* the states reached */
  const int64_t *value; /* value[i * views + v]: of move i under view v, in units of
                         * 1 / (weight_sum * scale) cycles */
};

/* A range of moves that is made when it is first asked for. */
struct wb_leading_move_list {
  size_t first;
  size_t count;
  bool made;
};

/* Moves, or moves of the first pools only, each state once. */
struct wb_leading_partial_moves {
  size_t count;
  uint32_t *to; /* as in wb_leading_moves */
  size_t capacity;
  int64_t *value; /* as in wb_leading_moves */
  size_t value_capacity;
};

/* The moves of the leading warps from all their states. Their states are those of the pools
 * together. Invariant: lists that are made hold for the positions allowed; place is all 0 between
 * calls. Borrows potential and pools, owns the rest. */
struct wb_leading_warps {
  const struct wb_potential *potential;
  const struct wb_pools *pools;
  size_t states;  /* of the leading warps */
  size_t choices; /* of how many issue, by pool */
  size_t kinds;   /* of steps: pools, then exits */
  unsigned views;
  int64_t *step; /* step[v * kinds + kind]: the least value of a step of this kind from a position
                  * allowed; INT64_MAX: there is none */
  int64_t idle[2][WB_POTENTIAL_VIEWS][WB_UNIT_COUNT]; /* idle[later][v][pool]: the same of idling;
                                                       * later: from the second position allowed */
  struct wb_leading_move_list *lists;                 /* by state * choices + choice */
  struct wb_leading_partial_moves moves;              /* of all lists */
  struct wb_leading_partial_moves partial[2];         /* working memory: of the pools decided */
  uint32_t *place;       /* working memory: by state, 1 + its index in the partial moves at hand */
  uint64_t steps;        /* partial moves looked at, in all */
  struct wb_arena arena; /* of the arrays */
};

/* Begins with no position allowed. The potential has several components. False: memory is out. Free
 * with wb_leading_warps_free, failed or not. */
bool wb_leading_warps_start(struct wb_leading_warps *leading, const struct wb_potential *potential,
                            const struct wb_pools *pools);
void wb_leading_warps_free(struct wb_leading_warps *leading);

/* Allows `position`, the one before those allowed so far, too. */
void wb_leading_warps_extend(struct wb_leading_warps *leading, size_t position);

/* The moves from a state in which `issues` warps of each pool issue, at most its service; valid
 * until the next call. False: memory is out. */
bool wb_leading_warps_moves(struct wb_leading_warps *leading, size_t state, const uint32_t *issues,
                            struct wb_leading_moves *moves);

#endif
