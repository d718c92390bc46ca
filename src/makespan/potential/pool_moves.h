/* The moves of the pool abstraction under given values: which one gains least. */
#ifndef WB_MAKESPAN_POTENTIAL_POOL_MOVES_H
#define WB_MAKESPAN_POTENTIAL_POOL_MOVES_H

#include "makespan/potential/pools.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of steps, in units of 1 / scale cycles (doc/potentials.md). leave[i] belongs to
 * exits[i], own_leave[i] to own_exits[i]; idle: of one of the others that stands in a pool
 * and does not issue. A pool's limit of warps counts as exact there: where it stands for
 * more, idle must not be negative. Borrowed arrays. */
struct wb_pool_values {
  int64_t stay[WB_UNIT_COUNT];
  int64_t idle[WB_UNIT_COUNT];
  const int64_t *leave;
  int64_t own_stay[WB_UNIT_COUNT];
  const int64_t *own_leave;
};

/* Most exits that a pool's leavers of one cycle can be. */
#define WB_POOL_BUNDLE_EXITS WB_POOL_SERVICE_LIMIT

/* One move from one state: steps of the others that stay, by pool, and how many do not
 * issue; exits of the others, exits[0 .. exit_count-1] as numbers of kinds; the own warp's
 * step; where it leads (WB_POOL_NOWHERE: the end) and what it gains. */
#define WB_POOL_NOWHERE UINT64_MAX
enum wb_own_step { WB_OWN_WAITS, WB_OWN_STAYS, WB_OWN_LEAVES };
struct wb_pool_move {
  uint32_t stays[WB_UNIT_COUNT];
  uint32_t idle[WB_UNIT_COUNT];
  uint16_t exits[WB_UNIT_COUNT * WB_POOL_BUNDLE_EXITS];
  uint32_t exit_count;
  enum wb_own_step own;
  uint32_t own_exit;
  uint64_t to;
  int64_t gain;
};

/* Ways for the leavers of a pool to spread over the kinds of exits: for each sum of what
 * enters the other pools the least value. Made anew for new values. */
struct wb_pool_bundle {
  uint8_t warps[WB_UNIT_COUNT];
  uint16_t work[WB_UNIT_COUNT];
  uint16_t exits[WB_POOL_BUNDLE_EXITS];
  int64_t value;
};
struct wb_pool_bundles {
  struct wb_pool_bundle *items;
  size_t count;
  size_t capacity;
  size_t first[WB_UNIT_COUNT][WB_POOL_SERVICE_LIMIT + 2];
};

/* Errors: false where memory is out. Free with wb_pool_bundles_free. */
bool wb_pool_bundles_make(const struct wb_pools *pools, const struct wb_pool_values *values,
                          struct wb_pool_bundles *bundles);
void wb_pool_bundles_free(struct wb_pool_bundles *bundles);

/* What a walk over the moves from one state calls: for every choice of how many issue of
 * each type, and whether the own warp does, the move that gains least. */
typedef bool wb_pool_visit(void *context, uint64_t from, const struct wb_pool_move *move);

/* States found so far: seen[s], and queue[0 .. count-1] in the order of finding. Beyond
 * `room` they are only counted. Borrowed by the walk. */
struct wb_pool_reach {
  bool *seen;
  uint64_t *queue;
  size_t count;
  size_t room;
};

/* What a move from a state gains: the values of its steps and of those who do not issue,
 * + `height` (of the state) - parts * heights[state after] (0 at the end). bundles: made for
 * the same values. Borrows all. */
struct wb_pool_gain {
  const struct wb_pool_values *values;
  const struct wb_pool_bundles *bundles;
  int64_t height;
  int64_t parts;
  const int64_t *heights;
};

/* What the pools can hold after a cycle, the ones before some pool decided: `others` numbers
 * what the pools hold so far as a global state does, value is the least sum of values that
 * leads there, by this bundle of the last pool decided, from the entry `before` of the level
 * below. */
struct wb_pool_partial {
  uint64_t others;
  int64_t value;
  uint32_t before;
  uint32_t bundle;
  uint32_t leavers;
};

/* Room for walks: for each number of pools decided the entries, and where the entry of some
 * content is (0: none, else 1 + its place). Start with zeroes; free when done. */
struct wb_pool_scratch {
  struct wb_pool_partial *level[WB_UNIT_COUNT + 1];
  size_t count[WB_UNIT_COUNT + 1];
  size_t capacity[WB_UNIT_COUNT + 1];
  uint32_t *place;
};
bool wb_pool_scratch_start(struct wb_pool_scratch *scratch, const struct wb_pools *pools);
void wb_pool_scratch_free(struct wb_pool_scratch *scratch);

/* Walks all moves from a state. visit may be NULL. Where reach is given, every state
 * that a move leads to is added there. *steps counts on the work. False where visit says so or
 * memory is out. */
bool wb_pool_moves(const struct wb_pools *pools, const struct wb_pool_gain *gain, uint64_t from,
                   wb_pool_visit *visit, void *context, struct wb_pool_reach *reach,
                   struct wb_pool_scratch *scratch, uint64_t *steps);

#endif
