/* A potential as the largest of several pieces, one for each type, each with values of its
 * own for every instruction of the string (doc/potentials.md, "Pieces"). */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_PIECES_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_PIECES_H

#include "makespan/potential/pool_moves.h"
#include "makespan/potential/pools.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Shares of the other pieces in a mix add up to this. */
#define WB_POTENTIAL_PARTS 4

/* What a potential's pieces are. count: 1, or the number of pools. Where there are several,
 * piece j answers for itself while at least least[j] warps of its type are ready, or while no
 * type has so many; else the others answer for it, piece i with share[j][i] of
 * WB_POTENTIAL_PARTS. */
struct wb_potential_shape {
  unsigned count;
  uint32_t least[WB_UNIT_COUNT];
  uint32_t share[WB_UNIT_COUNT][WB_UNIT_COUNT];
};

/* Views: a piece that answers for itself (0 .. count-1), or for which others do (count ..). */
#define WB_POTENTIAL_VIEWS (2 * WB_UNIT_COUNT)

/* Numbers in units of 1 / scale cycles. position[j][p]: what one of the others that has done
 * p instructions is worth in piece j, 0 at the end of the string; where there is one piece only
 * its kinds of steps have values, and no position. height[j][state]. kind[p]: how one of the
 * others goes from position p on: the pool in whose run it stays, or pools->count + the exit.
 * value[v]: what that makes of each kind of step, in units of 1 / (parts * scale), parts being
 * 1 for one piece; values[v] is the same with the own warp's. Owns its arrays. */
struct wb_potential {
  struct wb_potential_shape shape;
  int64_t scale;
  int64_t parts;
  size_t length;
  uint32_t *kind;
  uint8_t *pool; /* of each instruction */
  int64_t *position[WB_UNIT_COUNT];
  int64_t *height[WB_UNIT_COUNT];
  int64_t own_stay[WB_UNIT_COUNT];
  int64_t *own_leave;
  int64_t *scaled_own_leave;
  int64_t *leave[WB_POTENTIAL_VIEWS];
  struct wb_pool_values values[WB_POTENTIAL_VIEWS];
};

/* All values 0. Errors: false where memory is out. Free with wb_potential_free, failed or not. */
bool wb_potential_start(struct wb_potential *potential, const struct wb_pools *pools,
                        const struct wb_problem *problem, const struct wb_potential_shape *shape);
void wb_potential_free(struct wb_potential *potential);

unsigned wb_potential_views(const struct wb_potential *potential);

/* Makes the values of steps from those of positions and of the own warp: of a kind the least
 * that any instruction of this kind has. To be called after every change. */
void wb_potential_refresh(struct wb_potential *potential, const struct wb_pools *pools);

/* The view under which piece j is asked about the moves from a state. */
unsigned wb_potential_view(const struct wb_potential *potential, const struct wb_pools *pools,
                           uint64_t state, unsigned piece);

/* The share of piece i in the height that the view of piece j begins with, of `parts`. */
int64_t wb_potential_share(const struct wb_potential *potential, unsigned view, unsigned piece,
                           unsigned i);

/* What one of the others that has done p instructions is worth under a view, before the move, in
 * units of 1 / (parts * scale). There are several pieces. */
int64_t wb_potential_worth(const struct wb_potential *potential, unsigned view, size_t p);

/* Whether nobody who idles in a pool that holds any number of warps loses by it. */
bool wb_potential_bounded(const struct wb_potential *potential, const struct wb_pools *pools);

#endif
