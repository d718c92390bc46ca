#include "model/sm_problem.h"

#include "base/memory.h"
#include "model/problem.h"

#include <stdlib.h>
#include <string.h>

warpbound_status wb_sm_problem_normalise(const struct wb_kernel_string *kernels,
                                         size_t kernel_count, const struct wb_sm_configuration *sm,
                                         uint32_t warps, uint32_t blocks,
                                         struct wb_sm_problem *problem, warpbound_error *error)
{
  *problem = (struct wb_sm_problem){.partitions = sm->partitions, .blocks = blocks};
  if (blocks < 1 || warps % blocks != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "blocks: expected a number that divides the %u warps, found %u", warps, blocks);
  for (size_t k = 1; k < kernel_count; k++) {
    if (kernels[k].count[WB_UNIT_BARRIER] != kernels[0].count[WB_UNIT_BARRIER])
      return wb_fail(error, WARPBOUND_USAGE,
                     "expected strings with the same number of barriers, found %zu and %zu",
                     kernels[0].count[WB_UNIT_BARRIER], kernels[k].count[WB_UNIT_BARRIER]);
  }
  problem->block_warps = warps / blocks;
  problem->strings = wb_allocate(kernel_count, sizeof *problem->strings);
  if (problem->strings == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t k = 0; k < kernel_count; k++) {
    struct wb_problem one;
    status = wb_problem_normalise(&kernels[k], sm, warps, &one, error);
    if (status != WARPBOUND_OK)
      break;
    /* Takes the machine of a string's problem over, as far as the string uses it. */
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      if (one.string.count[u] == 0 && u < WB_UNIT_NONE)
        continue;
      problem->capacity[u] = one.capacity[u];
      problem->shared[u] = one.shared[u];
    }
    problem->issue_slots = one.issue_slots;
    problem->strings[problem->string_count++] = one.string;
  }
  if (status != WARPBOUND_OK)
    wb_sm_problem_free(problem);
  return status;
}

void wb_sm_problem_free(struct wb_sm_problem *problem)
{
  for (size_t s = 0; s < problem->string_count; s++)
    wb_kernel_string_free(&problem->strings[s]);
  free(problem->strings);
  *problem = (struct wb_sm_problem){0};
}

void wb_problem_widen(const struct wb_problem *problem, struct wb_widened_problem *widened)
{
  widened->string = problem->string;
  widened->whole = (struct wb_sm_problem){.strings = &widened->string,
                                          .string_count = 1,
                                          .issue_slots = problem->issue_slots,
                                          .partitions = 1,
                                          .blocks = 1,
                                          .block_warps = problem->warps,
                                          .fair = problem->fair};
  memcpy(widened->whole.capacity, problem->capacity, sizeof problem->capacity);
}
