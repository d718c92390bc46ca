/* Whether barriers at which some warps wait and others only arrive are passed in rounds, so that
 * none waits for ever (doc/all-paths.md, "Arrivals and waits"). */
#ifndef WB_FLOW_BARRIERS_BARRIER_ROUNDS_H
#define WB_FLOW_BARRIERS_BARRIER_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_BARRIER_NUMBERS 16 /* of barriers that a block has */
#define WB_ROUND_WARPS 32     /* most warps of a block */

/* A warp comes to a barrier. */
struct wb_barrier_event {
  uint8_t number;     /* of the barrier, below WB_BARRIER_NUMBERS */
  bool waits;         /* until it is complete; else the warp arrives and goes on */
  uint32_t reduction; /* by number from 1, which reduction it is; 0: none */
};

/* What one warp comes to, in this order. The array is borrowed. */
struct wb_barrier_history {
  const struct wb_barrier_event *events;
  size_t count;
};

/* Whether in every run of warps 0 .. count - 1 the k-th arrivals of all warps that a barrier has
 * complete it for the k-th time together, all by one reduction or none by any, and no warp waits
 * for ever. arrivals: by number, the warps that complete it. Time: linear in the events. */
bool wb_barrier_rounds_hold(const struct wb_barrier_history *warps, uint32_t count,
                            const uint32_t arrivals[WB_BARRIER_NUMBERS]);

#endif
