#include "makespan/machine/schedule.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A schedule of warps with one string of that length, or with strings of a problem (string_of NULL:
 * all run string 0). */
static warpbound_status start(struct wb_schedule *schedule, uint32_t warps, size_t length,
                              const struct wb_sm_problem *problem, const uint32_t *string_of,
                              warpbound_error *error)
{
  *schedule = (struct wb_schedule){.warps = warps};
  schedule->string_of = wb_allocate(warps, sizeof *schedule->string_of);
  schedule->first = wb_allocate((size_t)warps + 1, sizeof *schedule->first);
  warpbound_status status = WARPBOUND_OK;
  if (schedule->string_of == NULL || schedule->first == NULL)
    status = wb_out_of_memory(error);
  for (size_t w = 0; w < warps && status == WARPBOUND_OK; w++) {
    schedule->string_of[w] = string_of != NULL ? string_of[w] : 0;
    if (problem != NULL)
      length = problem->strings[schedule->string_of[w]].length;
    schedule->first[w + 1] = schedule->first[w] + length;
    schedule->length = (size_t)wb_maximum(schedule->length, length);
  }
  if (status == WARPBOUND_OK && schedule->first[warps] > WB_SCHEDULE_LIMIT)
    status = wb_fail(error, WARPBOUND_LIMIT, "a schedule of %zu entries is too large",
                     schedule->first[warps]);
  if (status == WARPBOUND_OK) {
    schedule->issue_cycle = wb_allocate(schedule->first[warps], sizeof *schedule->issue_cycle);
    if (schedule->issue_cycle == NULL)
      status = wb_out_of_memory(error);
  }
  if (status != WARPBOUND_OK)
    wb_schedule_free(schedule);
  return status;
}

warpbound_status wb_schedule_start(struct wb_schedule *schedule, uint32_t warps, size_t length,
                                   warpbound_error *error)
{
  *schedule = (struct wb_schedule){0};
  uint64_t entries;
  if (!wb_multiply(warps, length, &entries) || entries > WB_SCHEDULE_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "a schedule of %u warps and %zu instructions has more than %" PRIu64 " entries",
                   warps, length, WB_SCHEDULE_LIMIT);
  return start(schedule, warps, length, NULL, NULL, error);
}

warpbound_status wb_schedule_start_strings(struct wb_schedule *schedule,
                                           const struct wb_sm_problem *problem,
                                           const uint32_t *string_of, warpbound_error *error)
{
  return start(schedule, wb_sm_problem_warps(problem), 0, problem, string_of, error);
}

void wb_schedule_free(struct wb_schedule *schedule)
{
  free(schedule->string_of);
  free(schedule->first);
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

bool wb_schedule_order(const struct wb_schedule *schedule, uint32_t *order)
{
  /* Counting sort by cycle. */
  size_t *begin = wb_allocate((size_t)schedule->makespan + 2, sizeof *begin);
  if (begin == NULL)
    return false;
  for (size_t k = 0; k < schedule->first[schedule->warps]; k++)
    begin[schedule->issue_cycle[k] + 1]++;
  for (size_t c = 1; c <= schedule->makespan; c++)
    begin[c + 1] += begin[c];
  for (uint32_t w = 0; w < schedule->warps; w++) {
    for (size_t k = schedule->first[w]; k < schedule->first[w + 1]; k++)
      order[begin[schedule->issue_cycle[k]]++] = w;
  }
  free(begin);
  return true;
}

void wb_schedule_swap(struct wb_schedule *a, struct wb_schedule *b)
{
  struct wb_schedule kept = *a;
  *a = *b;
  *b = kept;
}

void wb_search_free(struct wb_search *search)
{
  free(search->makespan);
  wb_schedule_free(&search->witness);
  *search = (struct wb_search){0};
}

/* ---- records ---- */

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
