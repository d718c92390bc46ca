/* The pool abstraction: all runs of a type are merged into one pool, whose counts are cut off at
 * limits, so that its size does not depend on the number of warps (doc/potentials/potentials.md).
 * Its moves under given values: for every choice of issues that of least gain. */
#ifndef WB_MAKESPAN_POTENTIAL_POOL_ABSTRACTION_H
#define WB_MAKESPAN_POTENTIAL_POOL_ABSTRACTION_H

#include "base/arena.h"
#include "base/status.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most warps that a pool counts. */
#define WB_POOL_WARPS_LIMIT 32
/* Most instructions that a pool adds up. */
#define WB_POOL_WORK_LIMIT 1024
/* Most warps a cycle that a type may serve for the abstraction to be made. */
#define WB_POOL_SERVICE_LIMIT 8

/* The pool after the last instruction of the string. */
#define WB_POOL_END 255

/* A kind of exit: how a warp leaves a run of one type. */
struct wb_pool_exit {
  uint8_t from;    /* the pool of the run */
  uint8_t to;      /* the pool of the next run, or WB_POOL_END */
  uint32_t length; /* of the next run, in instructions (wb_pool_entry); 0 at the end of the string
                    * and for the own warp */
  uint64_t count;  /* exits of this kind in the string */
};

/* One pool. A local state is a number n of warps and the instructions b (their work) that they need
 * in all to the end of their runs, each cut off at its limit. Invariant: local states of n warps
 * are base[n] .. base[n + 1] - 1, with more work later; base[0] = 0, base[warps + 1] = size. Where
 * the work is not kept there is one for each n. */
struct wb_pool {
  enum wb_unit unit;
  uint32_t service; /* warps served in a cycle */
  uint32_t longest; /* run of the type, in instructions */
  uint64_t stays;   /* steps of a warp inside runs of the type, over the string */
  uint32_t warps;   /* K: the limit of n, which stands for that many or more */
  uint32_t work;    /* B: the limit of b, which stands for that many or more; 0: b is not kept */
  uint32_t size;    /* local states */
  uint32_t base[WB_POOL_WARPS_LIMIT + 2];
  uint32_t *warps_in; /* n of each local state */
  uint32_t *work_in;  /* b of each local state, 0 where it is not kept */
};

/* An effect of the issues of a cycle on a local state. */
struct wb_pool_outcome {
  uint8_t leavers; /* of the warps that issue, those that leave the pool's run */
  uint32_t after;  /* the local state of the warps that stay */
};

/* A range of outcomes. */
struct wb_pool_span {
  uint32_t first;
  uint32_t count;
};

/* The abstraction of one problem. A global state is the own warp's pool and a local state of each
 * pool: own * stride[count] + the sum of local[p] * stride[p]. Owns its arrays. */
struct wb_pools {
  unsigned count;                            /* pools, in the order of the types' letters */
  uint32_t slots;                            /* issue slots of a cycle */
  struct wb_pool pool[WB_UNIT_COUNT];        /* the first `count` */
  struct wb_pool_exit *exits;                /* kinds of the others' exits, each once */
  size_t exit_count;                         /* of them */
  struct wb_pool_exit *own_exits;            /* the own warp's, with a length of 0 */
  size_t own_exit_count;                     /* of them */
  uint64_t stride[WB_UNIT_COUNT + 1];        /* products of the pools' sizes */
  uint64_t states;                           /* global states */
  struct wb_pool_span *spans[WB_UNIT_COUNT]; /* by pool, at local * (service + 1) + issues: its
                                              * outcomes */
  struct wb_pool_outcome *outcomes[WB_UNIT_COUNT]; /* by pool */
  uint32_t first_pool;                             /* the pool of the string's first run */
  uint64_t first_length;                           /* of that run, in instructions */
  struct wb_arena arena;                           /* of the arrays but the outcomes */
};

/* The limits of the pools, by unit type. */
struct wb_pool_limits {
  uint32_t warps[WB_UNIT_COUNT]; /* K, at least the service */
  uint32_t work[WB_UNIT_COUNT];  /* B, 0: the work is not kept */
};

/* Whether the abstraction can be made: no units shared with other partitions, and no
 * type that serves more than WB_POOL_SERVICE_LIMIT warps a cycle. */
bool wb_pools_suit(const struct wb_problem *problem);

/* Builds the abstraction of a problem that suits it. Errors: WARPBOUND_INTERNAL
 * (memory). Free with wb_pools_free, also after an error. */
warpbound_status wb_pools_start(struct wb_pools *pools, const struct wb_problem *problem,
                                const struct wb_pool_limits *limits, warpbound_error *error);
void wb_pools_free(struct wb_pools *pools);

/* Whether the invariants of pools and their local states hold, and every outcome and exit leads to
 * one that there is. Time: of the outcomes. */
bool wb_pools_are_valid(const struct wb_pools *pools);

/* The local state of n warps that need b more instructions, cut off at the limits. */
static inline uint32_t wb_pool_local(const struct wb_pool *pool, uint32_t n, uint32_t b)
{
  if (n > pool->warps)
    n = pool->warps;
  if (pool->work == 0)
    return n;
  return pool->base[n] + (b < pool->work ? b : pool->work) - n;
}

/* The length by which exits into a run of `length` of the pool are told apart: all lengths from the
 * limit of its work on count as one. */
static inline uint32_t wb_pool_entry(const struct wb_pool *pool, uint64_t length)
{
  uint64_t most = pool->work > 0 ? pool->work : 1;
  return (uint32_t)(length < most ? length : most);
}

/* `others`, a state of all pools without the own warp, with more warps and work in pool q. */
static inline uint64_t wb_pools_with_more(const struct wb_pools *pools, uint64_t others, unsigned q,
                                          uint32_t warps, uint32_t work)
{
  const struct wb_pool *pool = &pools->pool[q];
  uint32_t local = (uint32_t)(others / pools->stride[q] % pool->size);
  uint32_t after = wb_pool_local(pool, pool->warps_in[local] + warps, pool->work_in[local] + work);
  return others + after * pools->stride[q] - local * pools->stride[q];
}

/* The local state of pool p in a global state, or in one without the own warp. */
static inline uint32_t wb_pools_local(const struct wb_pools *pools, uint64_t state, unsigned p)
{
  return (uint32_t)(state / pools->stride[p] % pools->pool[p].size);
}

/* The exit from run r of the string, once. */
struct wb_pool_exit wb_pools_exit(const struct wb_pools *pools,
                                  const struct wb_kernel_string *string, size_t r);

/* The pool of a type that the string has. */
uint8_t wb_pools_find(const struct wb_pools *pools, enum wb_unit unit);

/* The global state in which the own warp and W - 1 others stand before the first run. */
uint64_t wb_pools_begin(const struct wb_pools *pools, uint32_t warps);

/* The least W from which wb_pools_begin gives one and the same state. */
uint32_t wb_pools_steady_from(const struct wb_pools *pools);

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
