#include "model/problem.h"

#include "base/checked.h"

/* How often the letter of a type is repeated. */
static warpbound_status repetition(const struct wb_sm_configuration *sm, enum wb_unit unit,
                                   uint64_t *times, warpbound_error *error)
{
  const struct wb_unit_capacity *capacity = &sm->unit[unit];
  char letter = wb_unit_letter(unit);
  *times = 1;
  if (capacity->numerator == 0)
    return wb_fail(error, WARPBOUND_USAGE, "the string uses %c (%s), for which '%s' gives no units",
                   letter, wb_unit_name(unit), sm->name);
  if (capacity->denominator == 1 && capacity->hold == 1)
    return WARPBOUND_OK;
  if (capacity->numerator > capacity->denominator)
    return wb_fail(error, WARPBOUND_USAGE,
                   "%c: capacity %u/%u with instructions of %u cycles cannot be normalised "
                   "(ETFA 2013, III-E): above 1 the capacity must be whole and an instruction "
                   "take one cycle, or the repeated letters would be fewer than its cycles",
                   letter, capacity->numerator, capacity->denominator, capacity->hold);
  uint64_t cycles = (uint64_t)capacity->hold * capacity->denominator;
  if (cycles % capacity->numerator != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "%c: an instruction of %u cycles at capacity %u/%u takes %llu/%u cycles, which "
                   "is not a whole number: cannot be normalised (ETFA 2013, III-E)",
                   letter, capacity->hold, capacity->numerator, capacity->denominator,
                   (unsigned long long)cycles, capacity->numerator);
  *times = cycles / capacity->numerator;
  return WARPBOUND_OK;
}

static warpbound_status set_capacity(struct wb_problem *problem,
                                     const struct wb_sm_configuration *sm, enum wb_unit unit,
                                     uint64_t *times, warpbound_error *error)
{
  *times = 1;
  problem->capacity[unit] = WB_UNLIMITED;
  if (unit == WB_UNIT_NONE)
    return WARPBOUND_OK;
  warpbound_status status = repetition(sm, unit, times, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_unit_capacity *capacity = &sm->unit[unit];
  problem->capacity[unit] = capacity->denominator == 1 ? capacity->numerator : 1;
  problem->shared[unit] = capacity->shared && sm->partitions > 1;
  return WARPBOUND_OK;
}

static warpbound_status repeat_letters(const struct wb_kernel_string *kernel,
                                       const uint64_t times[WB_UNIT_COUNT],
                                       struct wb_kernel_string *string, warpbound_error *error)
{
  for (size_t r = 0; r < kernel->run_count; r++) {
    const struct wb_run *run = &kernel->runs[r];
    uint64_t length;
    if (!wb_multiply(run->length, times[run->unit], &length) || length > WB_NORMALISED_LIMIT)
      length = WB_NORMALISED_LIMIT + 1;
    warpbound_status status =
        wb_kernel_string_append(string, run->unit, (size_t)length, WB_NORMALISED_LIMIT, error);
    if (status != WARPBOUND_OK)
      return status;
  }
  return WARPBOUND_OK;
}

static warpbound_status check_counts(const struct wb_sm_configuration *sm, uint32_t warps,
                                     warpbound_error *error)
{
  if (warps < 1 || warps > WB_WARP_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE, "warps: expected 1 to %u, found %u", WB_WARP_LIMIT,
                   warps);
  if (sm->partitions < 1 || sm->partitions > WB_PARTITION_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE, "partitions: expected 1 to %u, found %u",
                   WB_PARTITION_LIMIT, sm->partitions);
  return WARPBOUND_OK;
}

warpbound_status wb_problem_normalise(const struct wb_kernel_string *kernel,
                                      const struct wb_sm_configuration *sm, uint32_t warps,
                                      struct wb_problem *problem, warpbound_error *error)
{
  *problem = (struct wb_problem){0};
  warpbound_status status = check_counts(sm, warps, error);
  uint64_t times[WB_UNIT_COUNT] = {0};
  for (unsigned u = 0; status == WARPBOUND_OK && u < WB_UNIT_COUNT; u++) {
    if (kernel->count[u] > 0)
      status = set_capacity(problem, sm, (enum wb_unit)u, &times[u], error);
  }
  problem->capacity[WB_UNIT_NONE] = WB_UNLIMITED;
  if (status == WARPBOUND_OK)
    status = repeat_letters(kernel, times, &problem->string, error);
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

void wb_problem_free(struct wb_problem *problem)
{
  wb_kernel_string_free(&problem->string);
}
