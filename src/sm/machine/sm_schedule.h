/* Schedules of a whole SM: in which cycle each warp issues each instruction of its string. */
#ifndef WB_SM_MACHINE_SM_SCHEDULE_H
#define WB_SM_MACHINE_SM_SCHEDULE_H

#include "base/status.h"
#include "model/sm_problem.h"

#include <stddef.h>
#include <stdint.h>

/* Warp w runs string string_of[w] of its problem; issue_cycle[first[w] + i] is the cycle, counted
 * from 1, in which it issues instruction i. makespan is the last of them all; 0 in an empty
 * schedule. Owns its arrays. */
struct wb_sm_schedule {
  uint32_t warps;
  uint32_t *string_of;
  size_t *first; /* warps + 1 of them; the last is the number of entries */
  uint32_t *issue_cycle;
  uint64_t makespan;
};

/* An empty schedule with room for all entries of warps with these strings (string_of is copied;
 * NULL: all run string 0). Errors: WARPBOUND_LIMIT beyond WB_SCHEDULE_LIMIT entries
 * (makespan/machine/schedule.h), WARPBOUND_INTERNAL. */
warpbound_status wb_sm_schedule_start(struct wb_sm_schedule *schedule,
                                      const struct wb_sm_problem *problem,
                                      const uint32_t *string_of, warpbound_error *error);
void wb_sm_schedule_free(struct wb_sm_schedule *schedule);

#endif
