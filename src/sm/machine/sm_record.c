#include "sm/machine/sm_record.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool wb_sm_record_start(struct wb_sm_record *record, const struct wb_sm_problem *problem,
                        struct wb_arena *arena)
{
  const size_t warps = wb_sm_problem_warps(problem);
  *record = (struct wb_sm_record){.problem = problem};
  for (size_t s = 0; s < problem->string_count; s++)
    record->longest = (size_t)wb_maximum(record->longest, problem->strings[s].length);
  record->done = wb_arena_array(arena, size_t, warps);
  record->types = wb_arena_array(arena, uint8_t, warps * record->longest);
  record->cycles = wb_arena_array(arena, uint32_t, warps * record->longest);
  return !arena->failed;
}

/* Whether the types are those of the string. */
static bool is_string(const struct wb_kernel_string *string, const uint8_t *types, size_t length)
{
  if (string->length != length)
    return false;
  for (size_t r = 0; r < string->run_count; r++) {
    for (size_t k = 0; k < string->runs[r].length; k++) {
      if (*types++ != string->runs[r].unit)
        return false;
    }
  }
  return true;
}

warpbound_status wb_sm_record_schedule(const struct wb_sm_record *record, const uint32_t *string_of,
                                       uint64_t cycles, struct wb_schedule *schedule,
                                       warpbound_error *error)
{
  const uint32_t warps = wb_sm_problem_warps(record->problem);
  uint32_t *strings = wb_allocate(warps, sizeof *strings);
  if (strings == NULL)
    return wb_out_of_memory(error);
  for (uint32_t w = 0; w < warps; w++) {
    const uint8_t *types = record->types + w * record->longest;
    if (string_of != NULL)
      strings[w] = string_of[w];
    while (string_of == NULL &&
           !is_string(&record->problem->strings[strings[w]], types, record->done[w])) {
      strings[w]++;
      assert(strings[w] < record->problem->string_count);
    }
  }
  warpbound_status status = wb_schedule_start_strings(schedule, record->problem, strings, error);
  free(strings);
  if (status != WARPBOUND_OK)
    return status;
  for (uint32_t w = 0; w < warps; w++)
    memcpy(schedule->issue_cycle + schedule->first[w], record->cycles + w * record->longest,
           record->done[w] * sizeof *record->cycles);
  schedule->makespan = cycles;
  return WARPBOUND_OK;
}
