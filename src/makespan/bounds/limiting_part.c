#include "makespan/bounds/limiting_part.h"

#include "base/checked.h"

/* Products stay far below 64 bits: at most 65,536 warps on each of 64 partitions, and at most
 * WB_NORMALISED_LIMIT instructions. */
_Static_assert((uint64_t)WB_WARP_LIMIT *WB_PARTITION_LIMIT < UINT64_MAX / WB_NORMALISED_LIMIT,
               "the work of all warps fits");

/* With shared units, the larger of what the partition's own warps need and what all do: either is
 * a part by itself, their sum need not be. */
static uint64_t part_of_unit(const struct wb_problem *problem, enum wb_unit unit)
{
  uint64_t count = problem->string.count[unit];
  uint64_t others = problem->warps - 1;
  uint64_t own = others * count / wb_problem_service(problem, unit);
  if (!problem->shared[unit])
    return own;
  uint64_t all = (others + problem->outside_warps) * count / problem->capacity[unit];
  return wb_maximum(own, all);
}

struct wb_limiting_part wb_limiting_part(const struct wb_problem *problem)
{
  struct wb_limiting_part part = {.kind = WB_PART_CHAIN, .cycles = problem->string.length};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0)
      continue;
    uint64_t cycles = part_of_unit(problem, (enum wb_unit)u);
    if (cycles > part.cycles)
      part = (struct wb_limiting_part){WB_PART_UNIT, (enum wb_unit)u, cycles};
  }
  uint64_t issued = (uint64_t)(problem->warps - 1) * problem->string.length / problem->issue_slots;
  if (wb_problem_capped(problem) && issued > part.cycles)
    part = (struct wb_limiting_part){.kind = WB_PART_ISSUE_SLOTS, .cycles = issued};
  return part;
}
