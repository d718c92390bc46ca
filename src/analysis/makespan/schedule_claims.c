#include "analysis/makespan/schedule_claims.h"

#include "base/arena.h"
#include "certificate/schedule/schedule_check.h"

#include <string.h>

/* The claim of a schedule, in the form of the checker. The arena owns its arrays. */
struct claim {
  struct wb_check_schedule_claim claim;
  struct wb_check_schedule_string *strings;
  const uint32_t **cycles;
  size_t *counts;
  struct wb_arena arena;
};

static bool make_claim(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                       struct claim *made)
{
  struct wb_arena *arena = &made->arena;
  *made = (struct claim){0};
  made->strings = wb_arena_allocate(arena, problem->string_count, sizeof *made->strings);
  made->cycles = wb_arena_allocate(arena, schedule->warps, sizeof *made->cycles);
  made->counts = wb_arena_allocate(arena, schedule->warps, sizeof *made->counts);
  for (size_t s = 0; s < problem->string_count && !arena->failed; s++) {
    const struct wb_kernel_string *string = &problem->strings[s];
    char *letters = wb_arena_allocate(arena, string->length, sizeof *letters);
    made->strings[s] = (struct wb_check_schedule_string){letters, string->length};
    for (size_t r = 0; r < string->run_count && letters != NULL; r++) {
      memset(letters, wb_unit_letter(string->runs[r].unit), string->runs[r].length);
      letters += string->runs[r].length;
    }
  }
  if (arena->failed)
    return false;
  for (uint32_t w = 0; w < schedule->warps; w++) {
    made->cycles[w] = schedule->issue_cycle + schedule->first[w];
    made->counts[w] = schedule->first[w + 1] - schedule->first[w];
  }
  made->claim = (struct wb_check_schedule_claim){
      .strings = made->strings,
      .string_count = problem->string_count,
      .string_of = schedule->string_of,
      .issue_slots = problem->issue_slots == WB_UNLIMITED ? 0 : problem->issue_slots,
      .warps = schedule->warps,
      .blocks = problem->blocks,
      .partitions = problem->partitions,
      .cycles = made->cycles,
      .counts = made->counts,
      .fair_first = problem->fair.first,
      .fair_length = problem->fair.length,
      .fair_count = problem->fair.count};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    made->claim.capacity[u] = problem->capacity[u];
    made->claim.shared[u] = problem->shared[u];
  }
  return true;
}

warpbound_status wb_judge_whole_schedule(const struct wb_sm_problem *problem,
                                         const struct wb_schedule *schedule,
                                         warpbound_error *refusal)
{
  struct claim claim;
  uint64_t makespan = 0;
  warpbound_status status = WARPBOUND_OK;
  if (!make_claim(problem, schedule, &claim))
    status = wb_out_of_memory(refusal);
  else if (wb_check_schedule(&claim.claim, &makespan, refusal) != WARPBOUND_OK)
    status = WARPBOUND_CHECK_FAILED;
  else if (makespan != schedule->makespan)
    status = wb_fail(refusal, WARPBOUND_CHECK_FAILED, "another makespan");
  wb_arena_free(&claim.arena);
  return status;
}

warpbound_status wb_judge_schedule(const struct wb_problem *problem,
                                   const struct wb_schedule *schedule, warpbound_error *refusal)
{
  struct wb_widened_problem wide;
  wb_problem_widen(problem, &wide);
  return wb_judge_whole_schedule(&wide.whole, schedule, refusal);
}
