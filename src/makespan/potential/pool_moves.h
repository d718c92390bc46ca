/* The moves of the pool abstraction under given values: for every choice of issues that of least
 * gain. */
#ifndef WB_MAKESPAN_POTENTIAL_POOL_MOVES_H
#define WB_MAKESPAN_POTENTIAL_POOL_MOVES_H

#include "makespan/potential/pool_abstraction.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of steps, in units of 1 / scale cycles (doc/potentials/potentials.md). Borrows its arrays.
 */
struct wb_pool_values {
  int64_t stay[WB_UNIT_COUNT]; /* a step of one of the others inside a run, by pool */
  /* One of the others that stands in the pool and does not issue. Where the pool's limit stands for
   * more warps, it must not be negative. */
  int64_t idle[WB_UNIT_COUNT];
  const int64_t *leave;            /* by kind of exit */
  int64_t own_stay[WB_UNIT_COUNT]; /* the own warp's step inside a run, by pool */
  const int64_t *own_leave;        /* by the own warp's kind of exit */
};

/* Most exits of one pool in a cycle. */
#define WB_POOL_BUNDLE_EXITS WB_POOL_SERVICE_LIMIT

/* The state after the own warp's last step. */
#define WB_POOL_NOWHERE UINT64_MAX

enum wb_own_step { WB_OWN_WAITS, WB_OWN_STAYS, WB_OWN_LEAVES };

/* One move: a cycle from one global state. */
struct wb_pool_move {
  uint32_t stays[WB_UNIT_COUNT]; /* steps of the others inside runs, by pool */
  uint32_t idle[WB_UNIT_COUNT];  /* others that do not issue, by pool */
  uint16_t exits[WB_UNIT_COUNT * WB_POOL_BUNDLE_EXITS]; /* kinds of the others' exits */
  uint32_t exit_count;                                  /* of them */
  enum wb_own_step own;                                 /* the own warp's step */
  uint32_t own_exit; /* its kind of exit, where it leaves a run */
  uint64_t to;       /* the state after it, or WB_POOL_NOWHERE */
  int64_t gain;      /* by how much it lowers the potential */
};

/* Exits of one pool's leavers in a cycle: of all that enter the other pools alike the least
 * valued. */
struct wb_pool_bundle {
  uint8_t warps[WB_UNIT_COUNT];         /* that enter each pool */
  uint16_t work[WB_UNIT_COUNT];         /* that they bring, at most the pool's limit */
  uint16_t exits[WB_POOL_BUNDLE_EXITS]; /* their kinds */
  int64_t value;                        /* the sum of their values */
};

/* The bundles of all pools under given values. Invariant: items[first[p][e] .. first[p][e + 1] - 1]
 * are those of e leavers of pool p. */
struct wb_pool_bundles {
  struct wb_pool_bundle *items;
  size_t count;
  size_t capacity;
  size_t first[WB_UNIT_COUNT][WB_POOL_SERVICE_LIMIT + 2];
};

/* False: memory is out. Free the items. */
bool wb_pool_bundles_make(const struct wb_pools *pools, const struct wb_pool_values *values,
                          struct wb_pool_bundles *bundles);

/* Is called with the move of least gain for every choice of how many warps of each type issue and
 * of whether the own warp does. False ends the enumeration. */
typedef bool wb_pool_visit(void *context, uint64_t from, const struct wb_pool_move *move);

/* States found so far. Borrows its arrays. */
struct wb_pool_reach {
  bool *seen;      /* by state */
  uint64_t *queue; /* in the order of finding; beyond `room` states are only counted */
  size_t count;
  size_t room;
};

/* The inequality that the moves from a state are measured by: the gain of a move is the values of
 * its steps and of idling + state_offset - weight_sum * state_offsets[state after], the last being
 * 0 at the end. Borrows all. */
struct wb_pool_gain {
  const struct wb_pool_values *values;
  const struct wb_pool_bundles *bundles; /* made for these values */
  int64_t state_offset;                  /* of the state, times weight_sum */
  int64_t weight_sum;
  const int64_t *state_offsets; /* by state */
};

/* An intermediate result of a cycle in which the first pools are decided: of all with the same
 * content the least valued. */
struct wb_pool_partial {
  uint64_t others;  /* what the pools hold so far, as a global state without the own warp */
  int64_t value;    /* the sum of values that leads there */
  uint32_t before;  /* the entry of one pool fewer that it comes from */
  uint32_t bundle;  /* of the last pool decided */
  uint32_t leavers; /* of that pool */
};

/* Working memory of an enumeration, zeroed but for place, which is given. Free the levels.
 * Invariant between calls: place is all 0. */
struct wb_pool_scratch {
  struct wb_pool_partial *level[WB_UNIT_COUNT + 1]; /* by number of pools decided */
  size_t count[WB_UNIT_COUNT + 1];
  size_t capacity[WB_UNIT_COUNT + 1];
  uint32_t *place; /* by content: 1 + the index of its entry in the level at hand; 0: none */
};

/* Enumerates the moves from a state. visit and reach may be NULL; every state that a move leads to
 * is added to reach. Adds the moves looked at to *steps. False: visit said so, or memory is out. */
bool wb_pool_moves(const struct wb_pools *pools, const struct wb_pool_gain *gain, uint64_t from,
                   wb_pool_visit *visit, void *context, struct wb_pool_reach *reach,
                   struct wb_pool_scratch *scratch, uint64_t *steps);

#endif
