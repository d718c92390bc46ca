#include "model/problem.h"

#include "base/checked.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often the letter of a type is repeated. */
static warpbound_status repetition(const struct wb_sm_configuration *sm, enum wb_unit unit,
                                   uint64_t *times, warpbound_error *error)
{
  const struct wb_unit_capacity *capacity = &sm->unit[unit];
  *times = 1;
  if (capacity->numerator == 0)
    return wb_sm_configuration_fail(sm, NULL, error,
                                    "expected %c (%s), which the string uses, found none",
                                    wb_unit_letter(unit), wb_unit_name(unit));
  if (capacity->denominator == 1 && capacity->hold == 1)
    return WARPBOUND_OK;
  if (capacity->numerator > capacity->denominator) {
    const char part[2] = {wb_unit_letter(unit), '\0'};
    if (capacity->denominator > 1)
      return wb_sm_configuration_fail(sm, part, error,
                                      "a capacity above 1 must be whole, found %u/%u (ETFA 2013, "
                                      "III-E)",
                                      capacity->numerator, capacity->denominator);
    return wb_sm_configuration_fail(
        sm, part, error,
        "an instruction may hold its unit for 1 cycle where the capacity "
        "is above 1 (it is %u), found %u (ETFA 2013, III-E)",
        capacity->numerator, capacity->hold);
  }
  uint64_t cycles = (uint64_t)capacity->hold * capacity->denominator;
  if (cycles % capacity->numerator != 0) {
    const char part[2] = {wb_unit_letter(unit), '\0'};
    uint64_t divisor = wb_greatest_common_divisor(cycles, capacity->numerator);
    char held[48] = "";
    if (capacity->hold > 1)
      snprintf(held, sizeof held, " that holds its unit for %u cycles", capacity->hold);
    return wb_sm_configuration_fail(sm, part, error,
                                    "at capacity %u/%u an instruction%s takes %" PRIu64 "/%" PRIu64
                                    " cycles, which is "
                                    "not a whole number: cannot be normalised (ETFA 2013, III-E)",
                                    capacity->numerator, capacity->denominator, held,
                                    (cycles / divisor), (capacity->numerator / divisor));
  }
  *times = cycles / capacity->numerator;
  return WARPBOUND_OK;
}

/* Refuses a string that gets too long, and names the type that makes most of it. No
 * overflow: a string has up to 2^20 instructions and each up to 2^32 letters. */
static warpbound_status check_length(const struct wb_kernel_string *kernel,
                                     const struct wb_sm_configuration *sm,
                                     const uint64_t times[WB_UNIT_COUNT], warpbound_error *error)
{
  uint64_t length = 0;
  unsigned most = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    length += kernel->count[u] * times[u];
    if (kernel->count[u] * times[u] > kernel->count[most] * times[most])
      most = u;
  }
  if (length <= WB_NORMALISED_LIMIT)
    return WARPBOUND_OK;
  const char part[2] = {wb_unit_letter((enum wb_unit)most), '\0'};
  return wb_sm_configuration_fail(sm, part, error,
                                  "each instruction is %" PRIu64
                                  " letters once the string is normalised, "
                                  "which makes it longer than %zu",
                                  times[most], WB_NORMALISED_LIMIT);
}

warpbound_status wb_problem_normalise(const struct wb_kernel_string *kernel,
                                      const struct wb_sm_configuration *sm, uint32_t warps,
                                      struct wb_problem *problem, warpbound_error *error)
{
  *problem = (struct wb_problem){0};
  if (warps < 1 || warps > WB_WARP_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE, "warps: expected 1 to %u, found %u", WB_WARP_LIMIT,
                   warps);
  if (sm->partitions < 1 || sm->partitions > WB_PARTITION_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE, "partitions: expected 1 to %u, found %u",
                   WB_PARTITION_LIMIT, sm->partitions);
  warpbound_status status = WARPBOUND_OK;
  uint64_t times[WB_UNIT_COUNT] = {0};
  for (unsigned u = 0; status == WARPBOUND_OK && u < WB_UNIT_COUNT; u++) {
    problem->capacity[u] = u >= WB_UNIT_NONE ? WB_UNLIMITED : 0;
    times[u] = kernel->count[u] > 0;
    if (kernel->count[u] == 0 || u >= WB_UNIT_NONE)
      continue;
    const struct wb_unit_capacity *capacity = &sm->unit[u];
    status = repetition(sm, (enum wb_unit)u, &times[u], error);
    problem->capacity[u] = capacity->denominator == 1 ? capacity->numerator : 1;
    problem->shared[u] = capacity->shared && sm->partitions > 1;
  }
  if (status == WARPBOUND_OK)
    status = check_length(kernel, sm, times, error);
  for (size_t r = 0; status == WARPBOUND_OK && r < kernel->run_count; r++) {
    const struct wb_run *run = &kernel->runs[r];
    status = wb_kernel_string_append(&problem->string, run->unit,
                                     (size_t)(run->length * times[run->unit]), WB_NORMALISED_LIMIT,
                                     error);
  }
  if (status != WARPBOUND_OK) {
    wb_problem_free(problem);
    return status;
  }
  problem->warps = (uint32_t)wb_divide_up(warps, sm->partitions);
  problem->outside_warps = warps - problem->warps;
  problem->issue_slots = sm->issue_slots > 0 ? sm->issue_slots : WB_UNLIMITED;
  return WARPBOUND_OK;
}

uint32_t wb_problem_service(const struct wb_problem *problem, enum wb_unit unit)
{
  return (uint32_t)wb_minimum(problem->capacity[unit], problem->issue_slots);
}

bool wb_problem_capped(const struct wb_problem *problem)
{
  uint64_t sum = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0)
      sum += problem->capacity[u];
  }
  return problem->issue_slots < wb_minimum(sum, problem->warps);
}

bool wb_problem_has_shared(const struct wb_problem *problem)
{
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->shared[u] && problem->outside_warps > 0 && problem->string.count[u] > 0)
      return true;
  }
  return false;
}

bool wb_problem_fair(const struct wb_problem *problem)
{
  return problem->fair.count > 0;
}

void wb_problem_free(struct wb_problem *problem)
{
  wb_kernel_string_free(&problem->string);
}

/* ---- a whole SM ---- */

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
