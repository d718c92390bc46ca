#include "makespan/potential_search.h"

#include "base/checked.h"
#include <time.h>

/* Longest string that gets several pieces: their programs have rows for every instruction. */
#define PIECES_LENGTH 512

/* One rung: B = service * (min(longest run, length) + 1) for the pools that keep work;
 * everywhere, or only where a type serves two or more; K = service + more. One piece, or one
 * for each type. */
struct rung {
  uint32_t length;
  bool everywhere;
  uint32_t more;
  bool pieces;
};

static const struct rung ladder[] = {
    {0, false, 0, false}, {0, false, 0, true},  {1, false, 0, true}, {1, true, 0, true},
    {3, false, 0, true},  {3, true, 0, true},   {9, false, 0, true}, {27, false, 0, true},
    {9, false, 2, true},  {9, true, 0, true},   {27, true, 0, true}, {9, true, 2, true},
    {99, false, 0, true}, {99, false, 4, true}, {99, true, 4, true},
};

static const struct wb_potential_effort quick = {500, 1500000, 40};
static const struct wb_potential_effort full = {2500, 20000000, 150};

static uint32_t longest_run(const struct wb_problem *problem, enum wb_unit unit)
{
  size_t longest = 0;
  for (size_t r = 0; r < problem->string.run_count; r++)
    if (problem->string.runs[r].unit == unit)
      longest = wb_maximum(longest, problem->string.runs[r].length);
  return (uint32_t)wb_minimum(longest, WB_POOL_WORK_LIMIT);
}

static struct wb_pool_limits limits_of(const struct wb_problem *problem, const struct rung *rung)
{
  struct wb_pool_limits limits = {0};
  for (int u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0)
      continue;
    uint32_t service = wb_problem_service(problem, (enum wb_unit)u);
    limits.warps[u] = service + rung->more;
    uint32_t length = (uint32_t)wb_minimum(longest_run(problem, (enum wb_unit)u), rung->length);
    if (length > 0 && (rung->everywhere || service > 1))
      limits.work[u] = service * (length + 1);
  }
  return limits;
}

/* Pieces for each type of the string, in the order of the pools; the others answer for a
 * piece in equal shares. */
static struct wb_potential_shape shape_of(const struct wb_problem *problem, const struct rung *rung)
{
  struct wb_potential_shape shape = {0};
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    if (problem->string.count[u] > 0)
      shape.least[shape.count++] = wb_problem_service(problem, (enum wb_unit)u);
  if (!rung->pieces || problem->string.length > PIECES_LENGTH || shape.count == 1)
    return (struct wb_potential_shape){.count = 1};
  for (unsigned j = 0; j < shape.count; j++)
    for (unsigned part = 0, i = j; part < WB_POTENTIAL_PARTS; part++) {
      i = (i + 1) % shape.count;
      if (i == j)
        i = (i + 1) % shape.count;
      shape.share[j][i]++;
    }
  return shape;
}

static bool same_limits(const struct wb_pool_limits *a, const struct wb_pool_limits *b)
{
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    if (a->warps[u] != b->warps[u] || a->work[u] != b->work[u])
      return false;
  return true;
}

/* Whether the effort allows values by position; a potential of one piece needs none. */
static bool fits(const struct wb_problem *problem, const struct wb_potential_shape *shape,
                 const struct wb_potential_effort *effort)
{
  return shape->count == 1 || shape->count * problem->string.length < effort->unknowns;
}

/* Whether an earlier rung had the same limits and pieces for this problem. */
static bool tried(const struct wb_problem *problem, size_t rung)
{
  struct wb_pool_limits limits = limits_of(problem, &ladder[rung]);
  unsigned pieces = shape_of(problem, &ladder[rung]).count;
  for (size_t i = 0; i < rung; i++) {
    struct wb_pool_limits earlier = limits_of(problem, &ladder[i]);
    if (same_limits(&limits, &earlier) && shape_of(problem, &ladder[i]).count == pieces)
      return true;
  }
  return false;
}

warpbound_status wb_potential_search(const struct wb_problem *problem,
                                     struct wb_potential_search_options *options,
                                     const struct wb_control *control,
                                     struct wb_potential_search_result *result,
                                     warpbound_error *error)
{
  *result = (struct wb_potential_search_result){0};
  size_t rungs = sizeof ladder / sizeof *ladder;
  uint64_t below = options->below;
  const struct wb_potential_effort *effort = options->depth == WB_POTENTIAL_QUICK ? &quick : &full;
  struct wb_pool_limits first = limits_of(problem, &ladder[0]);
  for (size_t i = 0; i < rungs && below > options->enough; i++) {
    if (options->settled >> i & 1 || tried(problem, i))
      continue;
    result->stop = wb_control_poll(control, "potentials", (double)i / (double)rungs);
    if (result->stop != WB_STOP_NONE)
      break;
    struct wb_pool_limits limits = limits_of(problem, &ladder[i]);
    struct wb_potential_shape shape = shape_of(problem, &ladder[i]);
    bool whole = fits(problem, &shape, effort);
    if (!whole && same_limits(&limits, &first))
      continue;
    if (!whole)
      shape = (struct wb_potential_shape){.count = 1};
    struct wb_potential_proof proof;
    struct wb_potential_outcome outcome;
    warpbound_status status = wb_potential_prove(problem, &limits, &shape,
                                                 result->found ? &result->proof : options->coarser,
                                                 below, effort, control, &proof, &outcome, error);
    if (status != WARPBOUND_OK)
      return status;
    if (outcome.stop == WB_STOP_NONE && whole)
      options->settled |= UINT32_C(1) << i;
    if (outcome.found) {
      wb_potential_proof_free(&result->proof);
      result->proof = proof;
      result->found = true;
      below = proof.cycles;
    }
    if (outcome.stop == WB_STOP_TIME || outcome.stop == WB_STOP_INTERRUPTED) {
      result->stop = outcome.stop;
      break;
    }
  }
  return WARPBOUND_OK;
}
