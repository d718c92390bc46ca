/* A potential: a piecewise-linear Lyapunov function of the pool abstraction, the largest of several
 * linear components, one for each type. Every cycle lowers it by a fixed gain, and it is 0 at the
 * end, so its value at the start bounds the makespan. A proven one: the bound on the makespan and
 * the line over the numbers of warps that follow from it (doc/potentials/potentials.md). */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_PROOF_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_PROOF_H

#include "base/arena.h"
#include "makespan/potential/pool_abstraction.h"
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

/* Makes a potential of this shape whose values are all 0. False: memory is out. Free
 * its arena, failed or not. */
bool wb_potential_start(struct wb_potential *potential, const struct wb_pools *pools,
                        const struct wb_problem *problem, const struct wb_potential_shape *shape);

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

/* Invariant: every move from a state in `state` leads to one of them or to the end, and gains at
 * least `gain` > 0, exactly, in integers; the start of the problem's W is among them. So T(W) <=
 * cycles. Owns all but the problem. */
struct wb_potential_proof {
  const struct wb_problem *problem;
  struct wb_pools pools;
  struct wb_potential potential;
  uint64_t *state;         /* the states that the start reaches, ascending */
  size_t state_count;      /* of them */
  int64_t gain;            /* least gain of a move, in units of 1 / scale cycles */
  uint32_t trailing;       /* trailing warps that were followed exactly; 0: none */
  uint64_t trailing_steps; /* moves looked at for them */
  bool has_line;           /* the start of steady_from warps is among the states */
  int64_t divisor;         /* with a line: T(W) <= (slope * W + offset) / divisor for every W >= */
  int64_t slope;           /* steady_from; else these four say nothing. With several components */
  int64_t offset;          /* `cycles` can be below the line. */
  uint32_t steady_from;
  uint64_t cycles; /* the bound for the problem's W */
  uint64_t plain;  /* the same without trailing warps */
};

/* T(W) <= (slope * W + offset) / divisor, rounded down, for every W from from_warps on, in the
 * smallest numbers. divisor 0: there is no line. */
struct wb_potential_line {
  int64_t slope;
  int64_t offset;
  int64_t divisor;
  uint32_t from_warps;
};

void wb_potential_proof_free(struct wb_potential_proof *proof);

/* The numbers that make the potential: the values of steps or positions, the own warp's, the
 * offsets of the states. Returns how many they are, and lists them, unless `numbers` is NULL. */
size_t wb_potential_numbers(struct wb_potential_proof *proof, int64_t **numbers);

/* The potential of the start of so many warps, in cycles times scale: the largest over the
 * components; and the value of one of the others in the steepest component. False: a number
 * overflows. */
bool wb_potential_at_start(const struct wb_potential_proof *proof, uint32_t warps, int64_t *most,
                           int64_t *steepest);

/* Derives the bound and the line from the potential and its gain. False: a number overflows, or
 * the bound is negative. A proof without trailing warps holds for another problem too that differs
 * in W alone, which is at least steady_from, once it is given that problem and its bound is derived
 * anew. */
bool wb_potential_derive_bound(struct wb_potential_proof *proof);

/* The proof's line, if it has one. */
struct wb_potential_line wb_potential_read_line(const struct wb_potential_proof *proof);

/* The bound of the proof's line, in cycles, for W = warps, at least steady_from. False where there
 * is no line, or a number overflows. */
bool wb_potential_line_at(const struct wb_potential_proof *proof, uint32_t warps, uint64_t *cycles);

/* Most trailing warps that are followed. */
#define WB_POTENTIAL_TRAILING_LIMIT 4

/* The number of ascending sequences of `count` positions from 0 to `last`, at most
 * WB_POTENTIAL_TRAILING_LIMIT; UINT64_MAX beyond 64 bits. */
uint64_t wb_trailing_count(uint64_t last, uint32_t count);

/* The rank of a sequence among all of its length, ordered by their last positions, then by those
 * before; there are less than 2^64. Steps of any warps lead to higher ranks. */
size_t wb_trailing_rank(const size_t *position, uint32_t count);

/* Makes the sequence the one of the next lower rank; false: it is the first. */
bool wb_trailing_step_back(size_t *position, uint32_t count);

#endif
