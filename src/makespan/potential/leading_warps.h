/* The crowd in front of the warps that are followed exactly: what its abstract moves are worth
 * where all of it stands at some position or further on (doc/potentials.md, "Following the
 * rear"). */
#ifndef WB_MAKESPAN_POTENTIAL_LEADING_WARPS_H
#define WB_MAKESPAN_POTENTIAL_LEADING_WARPS_H

#include "makespan/potential/potential_pieces.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Moves of the crowd that lead from one state with one choice of issues: to[i] with the values
 * value[i * views + v] under each view v, in units of 1 / (parts * scale) cycles. Each state that
 * can be reached once, with the least values. */
struct wb_front_moves {
  size_t count;
  const uint32_t *to;
  const int64_t *value;
};

struct wb_front_list {
  size_t first;
  size_t count;
  bool made;
};

/* Ways on which the pools decided so far can end, each state once. */
struct wb_front_ways {
  size_t count;
  uint32_t *to;
  size_t capacity;
  int64_t *value;
  size_t value_capacity;
};

/* The crowd's states are those of the pools together, `states` of them. step[v * kinds + kind]:
 * the least that a step of this kind is worth under view v from the positions allowed,
 * INT64_MAX where there is none. idle[later][v][pool]: the same of who does not issue, later: from
 * the second position allowed on. lists[state * choices + choice], their moves in to and
 * value. Borrows potential and pools, owns the rest. */
struct wb_leading_warps {
  const struct wb_potential *potential;
  const struct wb_pools *pools;
  size_t states;
  size_t choices;
  size_t kinds;
  unsigned views;
  int64_t *step;
  int64_t idle[2][WB_POTENTIAL_VIEWS][WB_UNIT_COUNT];
  struct wb_front_list *lists;
  struct wb_front_ways moves;
  struct wb_front_ways ways[2];
  uint32_t *place; /* of each state in the ways at hand, counted from 1 */
  uint64_t steps;  /* ways looked at, all in all */
};

/* No position is allowed. The potential has several pieces. False: memory is out. Free with
 * wb_leading_warps_free, failed or not. */
bool wb_leading_warps_start(struct wb_leading_warps *leading, const struct wb_potential *potential,
                            const struct wb_pools *pools);
void wb_leading_warps_free(struct wb_leading_warps *leading);

/* Allows the position before those allowed so far, `position`, too. */
void wb_leading_warps_extend(struct wb_leading_warps *leading, size_t position);

/* The moves from a state where `issues` of each pool issue, at most its service; good until
 * the next call. False: memory is out. */
bool wb_leading_warps_moves(struct wb_leading_warps *leading, size_t state, const uint32_t *issues,
                            struct wb_front_moves *moves);

/* What `count` of a pool who do not issue are worth at least under a view; at least 0 where
 * any number may be (then `count` is the least). later: none of them stands at the first position
 * allowed. False: there is no position for them. */
static inline bool wb_leading_warps_idle(const struct wb_leading_warps *leading, unsigned view,
                                         unsigned pool, uint32_t count, bool later, int64_t *value)
{
  int64_t least = leading->idle[later][view][pool];
  *value = 0;
  if (count == 0)
    return true;
  if (least == INT64_MAX)
    return false;
  *value = least * count;
  return true;
}

#endif
