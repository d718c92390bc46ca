#include "analysis/sm_judge.h"

#include "base/memory.h"
#include "certificate/schedule_check.h"

#include <stdlib.h>

/* What a schedule claims, as the checker takes it. Owns its arrays. */
struct claim {
  struct wb_schedule_claim claim;
  size_t string_count;
  char **letters;
  struct wb_claim_string *strings;
  const uint32_t **cycles;
  size_t *counts;
};

static bool make_string(const struct wb_kernel_string *string, struct claim *made)
{
  uint8_t *types = wb_kernel_string_expand(string);
  if (types == NULL)
    return false;
  for (size_t i = 0; i < string->length; i++)
    types[i] = (uint8_t)wb_unit_letter((enum wb_unit)types[i]);
  size_t at = made->string_count++;
  made->letters[at] = (char *)types;
  made->strings[at] = (struct wb_claim_string){made->letters[at], string->length};
  return true;
}

static void make_machine(const struct wb_sm_problem *problem, struct wb_schedule_claim *claim)
{
  claim->issue_slots = problem->issue_slots == WB_UNLIMITED ? 0 : problem->issue_slots;
  claim->blocks = problem->blocks;
  claim->partitions = problem->partitions;
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    claim->capacity[u] = problem->capacity[u];
    claim->shared[u] = problem->shared[u];
  }
}

static bool make_claim(const struct wb_sm_problem *problem, const struct wb_sm_schedule *schedule,
                       struct claim *made)
{
  *made = (struct claim){
      .letters = wb_allocate(problem->string_count, sizeof *made->letters),
      .strings = wb_allocate(problem->string_count, sizeof *made->strings),
      .cycles = wb_allocate(schedule->warps, sizeof *made->cycles),
      .counts = wb_allocate(schedule->warps, sizeof *made->counts),
  };
  bool right = made->letters != NULL && made->strings != NULL && made->cycles != NULL &&
               made->counts != NULL;
  for (size_t s = 0; right && s < problem->string_count; s++)
    right = make_string(&problem->strings[s], made);
  for (uint32_t w = 0; right && w < schedule->warps; w++) {
    made->cycles[w] = schedule->issue_cycle + schedule->first[w];
    made->counts[w] = schedule->first[w + 1] - schedule->first[w];
  }
  made->claim = (struct wb_schedule_claim){.strings = made->strings,
                                           .string_count = made->string_count,
                                           .string_of = schedule->string_of,
                                           .warps = schedule->warps,
                                           .cycles = made->cycles,
                                           .counts = made->counts};
  make_machine(problem, &made->claim);
  return right;
}

static void free_claim(struct claim *claim)
{
  for (size_t s = 0; s < claim->string_count; s++)
    free(claim->letters[s]);
  free(claim->letters);
  free(claim->strings);
  free(claim->cycles);
  free(claim->counts);
}

warpbound_status wb_sm_schedule_judge(const struct wb_sm_problem *problem,
                                      const struct wb_sm_schedule *schedule,
                                      warpbound_error *refusal)
{
  struct claim claim;
  uint64_t makespan = 0;
  warpbound_status status = WARPBOUND_OK;
  if (schedule->warps != wb_sm_problem_warps(problem))
    return wb_fail(refusal, WARPBOUND_CHECK_FAILED, "another number of warps");
  if (!make_claim(problem, schedule, &claim))
    status = wb_out_of_memory(refusal);
  else if (wb_schedule_check(&claim.claim, &makespan, refusal) != WARPBOUND_OK)
    status = WARPBOUND_CHECK_FAILED;
  else if (makespan != schedule->makespan)
    status = wb_fail(refusal, WARPBOUND_CHECK_FAILED, "another makespan");
  free_claim(&claim);
  return status;
}
