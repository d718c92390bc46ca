/* Schedules: in which cycle each warp issues each instruction. */
#ifndef WB_MAKESPAN_MACHINE_SCHEDULE_H
#define WB_MAKESPAN_MACHINE_SCHEDULE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* A schedule. Owns issue_cycle. */
struct wb_schedule {
  uint32_t *issue_cycle; /* [w * length + i]: the cycle, counted from 1, in which warp w issues
                            instruction i */
  uint32_t warps;
  size_t length;     /* instructions of each warp */
  uint64_t makespan; /* the last cycle */
};

/* Most entries (warps * length) of a schedule that is kept in memory. */
#define WB_SCHEDULE_LIMIT ((uint64_t)1 << 26)

/* An empty schedule with room for warps * length entries. Fails with
 * WARPBOUND_LIMIT beyond WB_SCHEDULE_LIMIT. */
warpbound_status wb_schedule_start(struct wb_schedule *schedule, uint32_t warps, size_t length,
                                   warpbound_error *error);
void wb_schedule_free(struct wb_schedule *schedule);

/* Lets the first `count` warps that have done `position` instructions issue the next
 * in a cycle; done[w] is what warp w has done. Serve the last position of a cycle
 * first, so that no warp issues twice in it. */
void wb_schedule_issue(struct wb_schedule *schedule, size_t *done, size_t position, uint32_t count,
                       uint32_t cycle);

/* A cycle in which from[p] warps that had done p instructions, p < length, become to[p]. */
void wb_schedule_replay(struct wb_schedule *schedule, size_t *done, const uint8_t *from,
                        const uint8_t *to, uint32_t cycle);

/* Exchanges two schedules. */
void wb_schedule_swap(struct wb_schedule *a, struct wb_schedule *b);

#endif
