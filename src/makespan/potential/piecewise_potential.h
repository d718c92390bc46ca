/* A potential: a piecewise-linear Lyapunov function of the pool abstraction, the largest of several
 * linear components, one for each type. Every cycle lowers it by a fixed gain, and it is 0 at the
 * end, so its value at the start bounds the makespan (doc/potentials.md). */
#ifndef WB_MAKESPAN_POTENTIAL_PIECEWISE_POTENTIAL_H
#define WB_MAKESPAN_POTENTIAL_PIECEWISE_POTENTIAL_H

#include "base/arena.h"
#include "makespan/potential/pool_abstraction.h"
#include "makespan/potential/pool_moves.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The dominance weights of a component add up to this. */
#define WB_POTENTIAL_WEIGHT_SUM 4

/* Which component dominates which. A component is active in a state in which at least `least` warps
 * of its type are ready, or in which no type has as many as its own component asks for. In the
 * other states it is dominated: the weighted mean of the other components takes its place. */
struct wb_potential_shape {
  unsigned count;                /* components: 1, or the number of pools */
  uint32_t least[WB_UNIT_COUNT]; /* warps that have to be ready, by component */
  /* weight[j][i]: the dominance weight of component i in the mean that dominates component j; those
   * of j add up to WB_POTENTIAL_WEIGHT_SUM, weight[j][j] is 0. */
  uint32_t weight[WB_UNIT_COUNT][WB_UNIT_COUNT];
};

/* A view is one inequality of a component: views 0 .. count-1 are of active components, views count
 * .. 2 * count-1 of dominated ones. */
#define WB_POTENTIAL_VIEWS (2 * WB_UNIT_COUNT)

/* Numbers are in units of 1 / scale cycles, those of a view in units of 1 / (weight_sum * scale).
 * Invariant: with several components, a view's values of steps are the least over all positions
 * with such a step (wb_potential_refresh). With one component the steps have values by kind, and
 * there are no positions. Owns its arrays. */
struct wb_potential {
  struct wb_potential_shape shape;
  int64_t scale;
  int64_t weight_sum; /* WB_POTENTIAL_WEIGHT_SUM; 1 with one component */
  size_t length;      /* of the string, in instructions; 0 with one component */
  /* The kind of step from each position: the pool in whose run the warp stays, or pools->count +
   * the exit. */
  uint32_t *kind;
  uint8_t *pool;                        /* the pool of each instruction */
  int64_t *position[WB_UNIT_COUNT];     /* of one of the others, by component and instructions
                                         * done; 0 at the end of the string */
  int64_t *state_offset[WB_UNIT_COUNT]; /* by component and state */
  int64_t own_stay[WB_UNIT_COUNT];      /* the own warp's step inside a run, by pool */
  int64_t *own_leave;                   /* the own warp's exits, by kind */
  int64_t *scaled_own_leave;            /* the same times weight_sum */
  int64_t *leave[WB_POTENTIAL_VIEWS];   /* exits of the others, by view and kind */
  struct wb_pool_values values[WB_POTENTIAL_VIEWS]; /* all values of a view's steps */
  struct wb_arena arena;                            /* of the arrays */
};

/* Makes a potential of this shape whose values are all 0. False: memory is out. Free with
 * wb_potential_free, failed or not. */
bool wb_potential_start(struct wb_potential *potential, const struct wb_pools *pools,
                        const struct wb_problem *problem, const struct wb_potential_shape *shape);
void wb_potential_free(struct wb_potential *potential);

/* The number of views: 2 * count, or 1 with one component. */
unsigned wb_potential_views(const struct wb_potential *potential);

/* Restores the invariant: derives the values of steps from those of positions and of the own warp.
 * To be called after every change. Time: views times length. */
void wb_potential_refresh(struct wb_potential *potential, const struct wb_pools *pools);

/* Whether the invariant holds. Time: views times length. */
bool wb_potential_is_valid(const struct wb_potential *potential, const struct wb_pools *pools);

/* The view of component j for the moves from a state. */
unsigned wb_potential_view(const struct wb_potential *potential, const struct wb_pools *pools,
                           uint64_t state, unsigned component);

/* The weight of component i, of weight_sum, in what stands for `component` under a view. */
int64_t wb_potential_weight(const struct wb_potential *potential, unsigned view, unsigned component,
                            unsigned i);

/* The value of one of the others that has done p instructions, before the move, under a view, in
 * units of 1 / (weight_sum * scale) cycles. With several components only. */
int64_t wb_potential_worth(const struct wb_potential *potential, unsigned view, size_t p);

/* Whether no warp loses value by idling in a pool that holds any number of warps. */
bool wb_potential_bounded(const struct wb_potential *potential, const struct wb_pools *pools);

#endif
