/* The groups of a warp's lanes, and the scopes that they are in, concrete. */
#ifndef WB_CFG_INTERPRETER_GROUPS_LANE_GROUPS_H
#define WB_CFG_INTERPRETER_GROUPS_LANE_GROUPS_H

#include "cfg/interpreter/lane_values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most scopes at one time: a warp that opens scopes in a loop and leaves them ends by it. */
#define WB_SCOPE_LIMIT ((size_t)1 << 20)

/* What a group waits for. */
enum wb_group_wait {
  WB_GROUP_READY,    /* nothing: it can run */
  WB_GROUP_IN_SCOPE, /* the other lanes of its scope */
  WB_GROUP_IN_WARP   /* all lanes of the warp */
};

/* Lanes that run or wait together. */
struct wb_lane_group {
  uint64_t number;      /* ascending in the order in which groups were made, from 1 */
  uint64_t scope;       /* in which it waits; 0: none */
  uint32_t lanes;       /* mask */
  uint32_t instruction; /* that it does next, or in which it waits */
  uint32_t synced;      /* the WARPSYNC of some lanes that it has just done; UINT32_MAX: none */
  uint8_t wait;         /* enum wb_group_wait */
};

/* What one execution of a BSSY made. */
struct wb_lane_scope {
  uint64_t number;       /* ascending, from 1 */
  uint64_t step;         /* that made it, from 0 */
  uint32_t name;         /* the value of a register that is bound to it */
  uint32_t opener;       /* the BSSY: instruction index */
  uint32_t point;        /* where its lanes go on together */
  uint32_t participants; /* mask, not 0 */
  uint32_t waiting;      /* those of them that wait in it */
  bool yielded;          /* one of its lanes has done a YIELD or NANOSLEEP in it */
};

/* Invariants: groups have lanes and are disjoint, and together they are `live`; those that wait in
 * a scope are its waiting lanes; scopes are by ascending number and no two have one name.
 * Zero-initialise; free with wb_lane_groups_free. */
struct wb_lane_groups {
  struct wb_lane_group groups[WB_LANE_LIMIT]; /* in no order that means anything */
  size_t group_count;                         /* groups */
  struct wb_lane_scope *scopes;               /* that have participants */
  size_t scope_count;                         /* scopes */
  size_t scope_capacity;                      /* room for scopes */
  uint64_t last_group;                        /* the last number given */
  uint64_t last_scope;                        /* the last number given */
  uint32_t live;                              /* lanes that have not ended */
};

/* Adds a group, with a new number where it has none; the lanes are those of no group. Returns
 * it. */
struct wb_lane_group *wb_lane_groups_add(struct wb_lane_groups *state, struct wb_lane_group group);

/* Takes a group out and returns it. */
struct wb_lane_group wb_lane_groups_take(struct wb_lane_groups *state, size_t index);

/* A new scope without waiting lanes, whose name no other has. NULL where memory is out. There must
 * be fewer than WB_SCOPE_LIMIT, and lanes in it. */
struct wb_lane_scope *wb_lane_groups_open(struct wb_lane_groups *state,
                                          const struct wb_lane_values *values,
                                          struct wb_lane_scope scope);

/* The scope of which the lane is a participant and that a register with the value is bound to; NULL
 * for none. Linear in the scopes. */
struct wb_lane_scope *wb_lane_groups_bound(const struct wb_lane_groups *state, uint32_t value,
                                           uint32_t lane);

/* The lanes stop to be participants of every scope, and end. */
void wb_lane_groups_end(struct wb_lane_groups *state, uint32_t lanes);

/* Those who wait in the scope are one ready group at its point, and participants no more. Returns
 * it. */
struct wb_lane_group *wb_lane_groups_release(struct wb_lane_groups *state,
                                             struct wb_lane_scope *scope);

/* Forgets scopes without participants. */
void wb_lane_groups_sweep(struct wb_lane_groups *state);

/* NULL, or which invariant is broken. */
const char *wb_lane_groups_check(const struct wb_lane_groups *state);

void wb_lane_groups_free(struct wb_lane_groups *state);

#endif
