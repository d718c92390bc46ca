#include "makespan/bounds/closed_form.h"

#include "base/checked.h"

#include <assert.h>

/* The shape of the formula for a fair scheduler: LLC stands from the second instruction on. */
#define FAIR_FIRST 2
#define FAIR_LENGTH 3

/* Products stay far below 64 bits: at most 65,536 warps on each of 64 partitions, and at most
 * WB_NORMALISED_LIMIT instructions. */
_Static_assert((uint64_t)WB_WARP_LIMIT *WB_PARTITION_LIMIT < UINT64_MAX / WB_NORMALISED_LIMIT,
               "the work of all warps fits");

warpbound_status wb_bound_overflow(warpbound_error *error)
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
    /* Warps other than the last one can fill what serves the type. */
    uint64_t others = problem->warps - 1;
    bool blocks = wb_problem_service(problem, (enum wb_unit)u) <= others ||
                  (problem->shared[u] && problem->capacity[u] <= others + problem->outside_warps);
    if (problem->string.count[u] == 0 || !blocks)
      continue;
    if (!one_floor)
      sum = zero;
    uint64_t count = problem->string.count[u], work;
    sum.valid = sum.valid && wb_multiply(others, count, &work);
    if (sum.valid)
      add_fraction(&sum, work, wb_problem_service(problem, (enum wb_unit)u));
    if (problem->shared[u]) {
      sum.valid = sum.valid && wb_multiply(problem->outside_warps, count, &work);
      if (sum.valid)
        add_fraction(&sum, work, problem->capacity[u]);
    }
    if (!one_floor && (!floor_of(&sum, &part) || !wb_add(total, part, &total)))
      return wb_bound_overflow(error);
  }
  if (one_floor && (!floor_of(&sum, &part) || !wb_add(total, part, &total)))
    return wb_bound_overflow(error);
  *cycles = total;
  return WARPBOUND_OK;
}

warpbound_status wb_bound_serial(const struct wb_problem *problem, uint64_t *cycles,
                                 warpbound_error *error)
{
  assert(!wb_problem_has_shared(problem));
  return wb_multiply(problem->warps, problem->string.length, cycles) ? WARPBOUND_OK
                                                                     : wb_bound_overflow(error);
}

warpbound_status wb_bound_volume(const struct wb_problem *problem, uint64_t *cycles,
                                 warpbound_error *error)
{
  uint64_t most = problem->string.length;
  uint64_t work;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    uint64_t warps = (uint64_t)problem->warps + (problem->shared[u] ? problem->outside_warps : 0);
    if (!wb_multiply(warps, problem->string.count[u], &work))
      return wb_bound_overflow(error);
    if (work > 0)
      most = wb_maximum(most, wb_divide_up(work, problem->capacity[u]));
  }
  if (!wb_multiply(problem->warps, problem->string.length, &work))
    return wb_bound_overflow(error);
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
      return wb_bound_overflow(error);
  }
  *cycles = total;
  return WARPBOUND_OK;
}

warpbound_status wb_published_tractable(const struct wb_problem *problem, uint32_t y,
                                        uint64_t makespan_of_y, uint64_t *cycles,
                                        warpbound_error *error)
{
  return wb_multiply(wb_divide_up(problem->warps, y), makespan_of_y, cycles)
             ? WARPBOUND_OK
             : wb_bound_overflow(error);
}

bool wb_published_fair_time(const struct wb_problem *problem, uint64_t *cycles)
{
  /* C (LLC)^count L, whose runs are a C, for each repetition two L and a C, and an L. */
  const struct wb_kernel_string *string = &problem->string;
  const struct wb_fair_blocks *fair = &problem->fair;
  size_t runs = string->run_count;
  bool fits = runs >= 4 && runs % 2 == 0;
  for (size_t r = 0; fits && r < runs; r++) {
    bool loads = r % 2 == 1;
    fits = string->runs[r].unit == (loads ? WB_UNIT_LOAD_STORE : WB_UNIT_CORE) &&
           string->runs[r].length == (loads && r + 1 < runs ? 2 : 1);
  }
  if (!fits || wb_problem_has_shared(problem) || problem->capacity[WB_UNIT_LOAD_STORE] != 1 ||
      problem->capacity[WB_UNIT_CORE] != 2 || problem->issue_slots < 2)
    return false;
  uint64_t count = runs / 2 - 1, first, others;
  if (wb_problem_fair(problem)
          ? fair->first != FAIR_FIRST || fair->length != FAIR_LENGTH || fair->count != count
          : count != 1)
    return false;
  return wb_multiply(3, problem->warps, &first) && wb_add(first, 2, &first) &&
         wb_multiply(2 * (uint64_t)problem->warps, count - 1, &others) &&
         wb_add(first, others, cycles);
}

struct wb_limiting_part wb_limiting_part(const struct wb_problem *problem)
{
  struct wb_limiting_part part = {.kind = WB_PART_CHAIN, .cycles = problem->string.length};
  uint64_t others = problem->warps - 1;
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    uint64_t count = problem->string.count[u];
    if (count == 0)
      continue;
    /* With shared units, the larger of what the partition's own warps need and what all do: either
     * is a part by itself, their sum need not be. */
    uint64_t cycles = others * count / wb_problem_service(problem, (enum wb_unit)u);
    if (problem->shared[u])
      cycles = wb_maximum(cycles, (others + problem->outside_warps) * count / problem->capacity[u]);
    if (cycles > part.cycles)
      part = (struct wb_limiting_part){WB_PART_UNIT, (enum wb_unit)u, cycles};
  }
  uint64_t issued = others * problem->string.length / problem->issue_slots;
  if (wb_problem_capped(problem) && issued > part.cycles)
    part = (struct wb_limiting_part){.kind = WB_PART_ISSUE_SLOTS, .cycles = issued};
  return part;
}
