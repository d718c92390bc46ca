#include "makespan/bounds/closed_form.h"

#include "base/checked.h"

#include <assert.h>

static warpbound_status overflow(warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_INVALID_INPUT, "the bound does not fit in 64 bits");
}

/* A sum of fractions kept as whole part and remainders over one denominator.
 * Where the denominator would overflow, `loose` remainders are each taken as just
 * below 1: safe for the floor of the sum. */
struct fraction_sum {
  uint64_t whole;
  uint64_t numerator;
  uint64_t denominator;
  uint64_t loose;
  bool valid;
};

static void add_fraction(struct fraction_sum *sum, uint64_t numerator, uint64_t denominator)
{
  sum->valid = sum->valid && wb_add(sum->whole, numerator / denominator, &sum->whole);
  uint64_t rest = numerator % denominator;
  if (rest == 0)
    return;
  uint64_t divisor = wb_greatest_common_divisor(sum->denominator, denominator);
  uint64_t common, scaled_sum, scaled_rest, total;
  if (wb_multiply(sum->denominator / divisor, denominator, &common) &&
      wb_multiply(sum->numerator, common / sum->denominator, &scaled_sum) &&
      wb_multiply(rest, common / denominator, &scaled_rest) &&
      wb_add(scaled_sum, scaled_rest, &total)) {
    sum->numerator = total;
    sum->denominator = common;
  } else {
    sum->loose++;
  }
}

/* The floor of the sum, rounded up by less than one for each loose remainder. */
static bool floor_of(const struct fraction_sum *sum, uint64_t *result)
{
  uint64_t rest = sum->numerator / sum->denominator + sum->loose;
  return sum->valid && wb_add(sum->whole, rest, result);
}

/* Whether warps other than the last one can fill what serves type u. */
static bool can_block(const struct wb_problem *problem, enum wb_unit unit)
{
  uint64_t others = problem->warps - 1;
  if (wb_problem_service(problem, unit) <= others)
    return true;
  return problem->shared[unit] && problem->capacity[unit] <= others + problem->outside_warps;
}

static void add_type(const struct wb_problem *problem, enum wb_unit unit, struct fraction_sum *sum)
{
  uint64_t count = problem->string.count[unit];
  uint64_t work;
  sum->valid = sum->valid && wb_multiply(problem->warps - 1, count, &work);
  if (sum->valid)
    add_fraction(sum, work, wb_problem_service(problem, unit));
  if (!problem->shared[unit])
    return;
  sum->valid = sum->valid && wb_multiply(problem->outside_warps, count, &work);
  if (sum->valid)
    add_fraction(sum, work, problem->capacity[unit]);
}

warpbound_status wb_bound_closed_form(const struct wb_problem *problem, uint64_t *cycles,
                                      warpbound_error *error)
{
  /* A floor for each type is right only where instructions of that type alone block
   * a cycle: with a cap that binds there is one floor. */
  bool one_floor = wb_problem_capped(problem);
  const struct fraction_sum zero = {.denominator = 1, .valid = true};
  struct fraction_sum sum = zero;
  uint64_t total = problem->string.length;
  uint64_t part;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0 || !can_block(problem, (enum wb_unit)u))
      continue;
    if (!one_floor)
      sum = zero;
    add_type(problem, (enum wb_unit)u, &sum);
    if (!one_floor && (!floor_of(&sum, &part) || !wb_add(total, part, &total)))
      return overflow(error);
  }
  if (one_floor && (!floor_of(&sum, &part) || !wb_add(total, part, &total)))
    return overflow(error);
  *cycles = total;
  return WARPBOUND_OK;
}

warpbound_status wb_bound_serial(const struct wb_problem *problem, uint64_t *cycles,
                                 warpbound_error *error)
{
  assert(!wb_problem_has_shared(problem));
  return wb_multiply(problem->warps, problem->string.length, cycles) ? WARPBOUND_OK
                                                                     : overflow(error);
}

warpbound_status wb_bound_volume(const struct wb_problem *problem, uint64_t *cycles,
                                 warpbound_error *error)
{
  uint64_t most = problem->string.length;
  uint64_t work;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    uint64_t warps = (uint64_t)problem->warps + (problem->shared[u] ? problem->outside_warps : 0);
    if (!wb_multiply(warps, problem->string.count[u], &work))
      return overflow(error);
    if (work > 0)
      most = wb_maximum(most, wb_divide_up(work, problem->capacity[u]));
  }
  if (!wb_multiply(problem->warps, problem->string.length, &work))
    return overflow(error);
  *cycles = wb_maximum(most, wb_divide_up(work, problem->issue_slots));
  return WARPBOUND_OK;
}

warpbound_status wb_published_pessimistic(const struct wb_problem *problem, uint64_t *cycles,
                                          warpbound_error *error)
{
  uint64_t total = 0;
  uint64_t part;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0)
      continue;
    uint64_t rounds = wb_divide_up(problem->warps, problem->capacity[u]);
    if (!wb_multiply(rounds, problem->string.count[u], &part) || !wb_add(total, part, &total))
      return overflow(error);
  }
  *cycles = total;
  return WARPBOUND_OK;
}

warpbound_status wb_published_tractable(const struct wb_problem *problem, uint32_t y,
                                        uint64_t makespan_of_y, uint64_t *cycles,
                                        warpbound_error *error)
{
  return wb_multiply(wb_divide_up(problem->warps, y), makespan_of_y, cycles) ? WARPBOUND_OK
                                                                             : overflow(error);
}
