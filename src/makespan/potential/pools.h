/* The pool abstraction: all runs of a type merged, counts cut off at limits, so that
 * its size does not depend on the number of warps (doc/potentials.md). */
#ifndef WB_MAKESPAN_POTENTIAL_POOLS_H
#define WB_MAKESPAN_POTENTIAL_POOLS_H

#include "base/status.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most warps that a pool counts and most instructions that it adds up, and the most
 * that a type may serve in a cycle for the abstraction to be of use. */
#define WB_POOL_WARPS_LIMIT 32
#define WB_POOL_WORK_LIMIT 1024
#define WB_POOL_SERVICE_LIMIT 8

/* Where a step leads that is the string's last. */
#define WB_POOL_END 255

/* Where one of the others that leaves a run goes: the pool `to` (or WB_POOL_END, then
 * length is 0), into a run of `length` instructions. count: how often in the string. */
struct wb_pool_exit {
  uint8_t from;
  uint8_t to;
  uint32_t length;
  uint64_t count;
};

/* One pool. warps (K) and work (B, 0: not kept) are its limits. longest: the longest
 * run; stays: steps of a warp inside runs of the type. size: local states; base[n] is
 * the first one with n warps, those with more work follow it. */
struct wb_pool {
  enum wb_unit unit;
  uint32_t service;
  uint32_t longest;
  uint64_t stays;
  uint32_t warps;
  uint32_t work;
  uint32_t size;
  uint32_t base[WB_POOL_WARPS_LIMIT + 2];
  uint32_t *warps_in;
  uint32_t *work_in;
};

/* What y issues can do to a local state: `leavers` of them leave, then it is `after`. */
struct wb_pool_outcome {
  uint8_t leavers;
  uint32_t after;
};

/* The outcomes of a local state for one y: outcome[first .. first + count - 1]. */
struct wb_pool_span {
  uint32_t first;
  uint32_t count;
};

/* The abstraction of one problem. pool[0 .. count-1], in the order of the letters.
 * exit kinds: of the others, by (from, to, length); of the own warp, by (from, to), with
 * length 0. A global state is (own pool, local states), numbered own * stride[count] +
 * sum of local[p] * stride[p]; states of them in all. spans[p] and outcomes[p]: for pool
 * p the span of (local state, y) is spans[p][state * (service + 1) + y]. Owns its arrays. */
struct wb_pools {
  unsigned count;
  uint32_t slots;
  struct wb_pool pool[WB_UNIT_COUNT];
  struct wb_pool_exit *exits;
  size_t exit_count;
  struct wb_pool_exit *own_exits;
  size_t own_exit_count;
  uint64_t stride[WB_UNIT_COUNT + 1];
  uint64_t states;
  struct wb_pool_span *spans[WB_UNIT_COUNT];
  struct wb_pool_outcome *outcomes[WB_UNIT_COUNT];
  uint32_t first_pool;
  uint64_t first_length;
};

/* Limits of the pools by unit type: K (at least the service) and B. */
struct wb_pool_limits {
  uint32_t warps[WB_UNIT_COUNT];
  uint32_t work[WB_UNIT_COUNT];
};

/* Whether the abstraction can be made: no units shared with other partitions, and no
 * type that serves more than WB_POOL_SERVICE_LIMIT warps a cycle. */
bool wb_pools_suit(const struct wb_problem *problem);

/* Builds the abstraction of a problem that suits it. Errors: WARPBOUND_INTERNAL
 * (memory). Free with wb_pools_free, also after an error. */
warpbound_status wb_pools_start(struct wb_pools *pools, const struct wb_problem *problem,
                                const struct wb_pool_limits *limits, warpbound_error *error);
void wb_pools_free(struct wb_pools *pools);

/* The local state of n warps that need b more instructions, cut off at the limits. */
static inline uint32_t wb_pool_local(const struct wb_pool *pool, uint32_t n, uint32_t b)
{
  if (n > pool->warps)
    n = pool->warps;
  if (pool->work == 0)
    return n;
  return pool->base[n] + (b < pool->work ? b : pool->work) - n;
}

/* The kind of a run of `length` for warps that enter the pool: lengths from its limit on
 * work on are one kind. */
static inline uint32_t wb_pool_entry(const struct wb_pool *pool, uint64_t length)
{
  uint64_t most = pool->work > 0 ? pool->work : 1;
  return (uint32_t)(length < most ? length : most);
}

/* `others`, a state of all pools without the own warp, with more in pool q. */
static inline uint64_t wb_pools_with_more(const struct wb_pools *pools, uint64_t others, unsigned q,
                                          uint32_t warps, uint32_t work)
{
  const struct wb_pool *pool = &pools->pool[q];
  uint32_t local = (uint32_t)(others / pools->stride[q] % pool->size);
  uint32_t after = wb_pool_local(pool, pool->warps_in[local] + warps, pool->work_in[local] + work);
  return others + after * pools->stride[q] - local * pools->stride[q];
}

/* n and b (0 where not kept) of a local state. */
void wb_pool_content(const struct wb_pool *pool, uint32_t local, uint32_t *n, uint32_t *b);

/* The global state in which the own warp and W - 1 others stand before the first run. */
uint64_t wb_pools_begin(const struct wb_pools *pools, uint32_t warps);

/* The least W from which wb_pools_begin gives one and the same state. */
uint32_t wb_pools_steady_from(const struct wb_pools *pools);

#endif
