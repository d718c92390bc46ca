#include "sm/machine/sm_schedule.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/machine/schedule.h"

#include <stdlib.h>

warpbound_status wb_sm_schedule_start(struct wb_sm_schedule *schedule,
                                      const struct wb_sm_problem *problem,
                                      const uint32_t *string_of, warpbound_error *error)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  *schedule = (struct wb_sm_schedule){.warps = warps,
                                      .string_of = wb_allocate(warps, sizeof(uint32_t)),
                                      .first = wb_allocate(warps + (size_t)1, sizeof(size_t))};
  if (schedule->string_of == NULL || schedule->first == NULL) {
    wb_sm_schedule_free(schedule);
    return wb_out_of_memory(error);
  }
  for (uint32_t w = 0; w < warps; w++) {
    schedule->string_of[w] = string_of != NULL ? string_of[w] : 0;
    schedule->first[w + 1] = schedule->first[w] + problem->strings[schedule->string_of[w]].length;
  }
  const size_t entries = schedule->first[warps];
  warpbound_status status = WARPBOUND_OK;
  if (entries > WB_SCHEDULE_LIMIT)
    status = wb_fail(error, WARPBOUND_LIMIT, "a schedule of %zu entries is too large", entries);
  else if ((schedule->issue_cycle = wb_allocate(entries, sizeof(uint32_t))) == NULL)
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK)
    wb_sm_schedule_free(schedule);
  return status;
}

void wb_sm_schedule_free(struct wb_sm_schedule *schedule)
{
  free(schedule->string_of);
  free(schedule->first);
  free(schedule->issue_cycle);
  *schedule = (struct wb_sm_schedule){0};
}
