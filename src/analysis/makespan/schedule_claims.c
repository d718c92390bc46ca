#include "analysis/makespan/schedule_claims.h"

#include "base/memory.h"
#include "certificate/schedule/schedule_check.h"

#include <stdlib.h>

/* The claim of a schedule, in the form of the checker. Owns its arrays. */
struct claim {
  struct wb_check_schedule_claim claim;
  struct wb_check_schedule_string string;
  char *letters;
  const uint32_t **cycles;
  size_t *counts;
};

static bool make_claim(const struct wb_problem *problem, const struct wb_schedule *schedule,
                       struct claim *made)
{
  size_t length = problem->string.length;
  uint8_t *types = wb_kernel_string_expand(&problem->string);
  *made = (struct claim){.letters = (char *)types,
                         .cycles = wb_allocate(problem->warps, sizeof *made->cycles),
                         .counts = wb_allocate(problem->warps, sizeof *made->counts)};
  if (types == NULL || made->cycles == NULL || made->counts == NULL)
    return false;
  for (size_t i = 0; i < length; i++)
    made->letters[i] = wb_unit_letter((enum wb_unit)types[i]);
  for (size_t w = 0; w < problem->warps; w++) {
    made->cycles[w] = schedule->issue_cycle + w * length;
    made->counts[w] = length;
  }
  made->string = (struct wb_check_schedule_string){made->letters, length};
  made->claim = (struct wb_check_schedule_claim){
      .strings = &made->string,
      .string_count = 1,
      .issue_slots = problem->issue_slots == WB_UNLIMITED ? 0 : problem->issue_slots,
      .warps = problem->warps,
      .blocks = 1,
      .partitions = 1,
      .cycles = made->cycles,
      .counts = made->counts,
      .fair_first = problem->fair.first,
      .fair_length = problem->fair.length,
      .fair_count = problem->fair.count};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    made->claim.capacity[u] = problem->capacity[u];
  return true;
}

warpbound_status wb_judge_schedule(const struct wb_problem *problem,
                                   const struct wb_schedule *schedule, warpbound_error *refusal)
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
  free(claim.letters);
  free(claim.cycles);
  free(claim.counts);
  return status;
}

/* The same of a schedule of a whole SM. Owns its arrays. */
struct whole_claim {
  struct wb_check_schedule_claim claim;
  struct wb_check_schedule_string *strings;
  char **letters;
  const uint32_t **cycles;
  size_t *counts;
};

static bool expand_strings(const struct wb_sm_problem *problem, struct whole_claim *made)
{
  for (size_t s = 0; s < problem->string_count; s++) {
    const struct wb_kernel_string *string = &problem->strings[s];
    uint8_t *types = wb_kernel_string_expand(string);
    if (types == NULL)
      return false;
    made->letters[s] = (char *)types;
    for (size_t i = 0; i < string->length; i++)
      made->letters[s][i] = wb_unit_letter((enum wb_unit)types[i]);
    made->strings[s] = (struct wb_check_schedule_string){made->letters[s], string->length};
  }
  return true;
}

static bool make_whole_claim(const struct wb_sm_problem *problem,
                             const struct wb_sm_schedule *schedule, struct whole_claim *made)
{
  *made = (struct whole_claim){.strings = wb_allocate(problem->string_count, sizeof *made->strings),
                               .letters = wb_allocate(problem->string_count, sizeof *made->letters),
                               .cycles = wb_allocate(schedule->warps, sizeof *made->cycles),
                               .counts = wb_allocate(schedule->warps, sizeof *made->counts)};
  if (made->strings == NULL || made->letters == NULL || made->cycles == NULL ||
      made->counts == NULL || !expand_strings(problem, made))
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
      .counts = made->counts};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    made->claim.capacity[u] = problem->capacity[u];
    made->claim.shared[u] = problem->shared[u];
  }
  return true;
}

warpbound_status wb_judge_whole_schedule(const struct wb_sm_problem *problem,
                                         const struct wb_sm_schedule *schedule,
                                         warpbound_error *refusal)
{
  struct whole_claim claim;
  uint64_t makespan = 0;
  warpbound_status status = WARPBOUND_OK;
  if (!make_whole_claim(problem, schedule, &claim))
    status = wb_out_of_memory(refusal);
  else if (wb_check_schedule(&claim.claim, &makespan, refusal) != WARPBOUND_OK)
    status = WARPBOUND_CHECK_FAILED;
  else if (makespan != schedule->makespan)
    status = wb_fail(refusal, WARPBOUND_CHECK_FAILED, "another makespan");
  for (size_t s = 0; claim.letters != NULL && s < problem->string_count; s++)
    free(claim.letters[s]);
  free(claim.letters);
  free(claim.strings);
  free(claim.cycles);
  free(claim.counts);
  return status;
}
