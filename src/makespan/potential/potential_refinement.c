#include "makespan/potential/potential_refinement.h"

#include "base/checked.h"

/* Longest string that gets several components: their programs have rows for every instruction. */
#define COMPONENTS_LENGTH 512

/* One level: B = service * (min(longest run, length) + 1) for the pools that keep work;
 * everywhere, or only where a type serves two or more; K = service + more. One component, or one
 * for each type. */
struct level {
  uint32_t length;
  bool everywhere;
  uint32_t more;
  bool components;
};

static const struct level schedule[WB_POTENTIAL_LEVELS] = {
    {0, false, 0, false}, {0, false, 0, true},  {1, false, 0, true}, {1, true, 0, true},
    {3, false, 0, true},  {3, true, 0, true},   {9, false, 0, true}, {27, false, 0, true},
    {9, false, 2, true},  {9, true, 0, true},   {27, true, 0, true}, {9, true, 2, true},
    {99, false, 0, true}, {99, false, 4, true}, {99, true, 4, true},
};

struct wb_pool_limits wb_potential_level_limits(const struct wb_problem *problem, size_t number)
{
  const struct level *level = &schedule[number];
  struct wb_pool_limits limits = {0};
  for (int u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0)
      continue;
    uint32_t service = wb_problem_service(problem, (enum wb_unit)u);
    limits.warps[u] = service + level->more;
    size_t longest = 0; /* run of the type */
    for (size_t r = 0; r < problem->string.run_count; r++) {
      const struct wb_run *run = &problem->string.runs[r];
      longest = run->unit == (enum wb_unit)u ? wb_maximum(longest, run->length) : longest;
    }
    uint32_t length = (uint32_t)wb_minimum(wb_minimum(longest, WB_POOL_WORK_LIMIT), level->length);
    if (length > 0 && (level->everywhere || service > 1))
      limits.work[u] = service * (length + 1);
  }
  return limits;
}

struct wb_potential_shape wb_potential_level_shape(const struct wb_problem *problem, size_t number)
{
  struct wb_potential_shape shape = {0};
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    if (problem->string.count[u] > 0)
      shape.least[shape.count++] = wb_problem_service(problem, (enum wb_unit)u);
  if (!schedule[number].components || problem->string.length > COMPONENTS_LENGTH ||
      shape.count == 1)
    return (struct wb_potential_shape){.count = 1};
  for (unsigned j = 0; j < shape.count; j++)
    for (unsigned part = 0, i = j; part < WB_POTENTIAL_WEIGHT_SUM; part++) {
      i = (i + 1) % shape.count;
      if (i == j)
        i = (i + 1) % shape.count;
      shape.weight[j][i]++;
    }
  return shape;
}

bool wb_pool_limits_equal(const struct wb_pool_limits *a, const struct wb_pool_limits *b)
{
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    if (a->warps[u] != b->warps[u] || a->work[u] != b->work[u])
      return false;
  return true;
}

bool wb_potential_level_repeats(const struct wb_problem *problem, size_t number)
{
  struct wb_pool_limits limits = wb_potential_level_limits(problem, number);
  unsigned components = wb_potential_level_shape(problem, number).count;
  for (size_t i = 0; i < number; i++) {
    struct wb_pool_limits earlier = wb_potential_level_limits(problem, i);
    if (wb_pool_limits_equal(&limits, &earlier) &&
        wb_potential_level_shape(problem, i).count == components)
      return true;
  }
  return false;
}
