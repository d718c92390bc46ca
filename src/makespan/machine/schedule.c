#include "makespan/machine/schedule.h"

#include "base/checked.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

warpbound_status wb_schedule_start(struct wb_schedule *schedule, uint32_t warps, size_t length,
                                   warpbound_error *error)
{
  *schedule = (struct wb_schedule){.warps = warps, .length = length};
  uint64_t entries;
  if (!wb_multiply(warps, length, &entries) || entries > WB_SCHEDULE_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "a schedule of %u warps and %zu instructions has more than %" PRIu64 " entries",
                   warps, length, WB_SCHEDULE_LIMIT);
  schedule->issue_cycle = wb_allocate((size_t)entries, sizeof *schedule->issue_cycle);
  return schedule->issue_cycle != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_schedule_free(struct wb_schedule *schedule)
{
  free(schedule->issue_cycle);
  *schedule = (struct wb_schedule){0};
}

void wb_schedule_issue(struct wb_schedule *schedule, size_t *done, size_t position, uint32_t count,
                       uint32_t cycle)
{
  for (uint32_t w = 0; w < schedule->warps && count > 0; w++) {
    if (done[w] != position)
      continue;
    schedule->issue_cycle[w * schedule->length + position] = cycle;
    done[w]++;
    count--;
  }
}

/* As many warps issued at position p as the positions up to it have lost. Served from the
 * end, so that no warp issues twice. */
void wb_schedule_replay(struct wb_schedule *schedule, size_t *done, const uint8_t *from,
                        const uint8_t *to, uint32_t cycle)
{
  uint32_t lost = 0;
  for (size_t p = 0; p < schedule->length; p++)
    lost += (uint32_t)from[p] - (uint32_t)to[p];
  for (size_t p = schedule->length; p-- > 0;) {
    wb_schedule_issue(schedule, done, p, lost, cycle);
    lost -= (uint32_t)from[p] - (uint32_t)to[p];
  }
}

void wb_schedule_swap(struct wb_schedule *a, struct wb_schedule *b)
{
  struct wb_schedule kept = *a;
  *a = *b;
  *b = kept;
}
