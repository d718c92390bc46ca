#include "sm/bounds/sm_bounds.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/bounds/closed_form.h"
#include "sm/bounds/sm_phases.h"

#include <stdlib.h>

struct wb_sm_launch wb_sm_launch_of(const struct wb_sm_problem *problem)
{
  struct wb_sm_launch launch = {.issue_slots = problem->issue_slots,
                                .partitions = problem->partitions,
                                .blocks = problem->blocks,
                                .block_warps = problem->block_warps};
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    launch.capacity[u] = problem->capacity[u];
    launch.shared[u] = problem->shared[u];
    for (size_t s = 0; s < problem->string_count; s++)
      launch.used[u] = launch.used[u] || problem->strings[s].count[u] > 0;
  }
  /* The B that ends a phase is an N of that phase. */
  launch.used[WB_UNIT_NONE] = launch.used[WB_UNIT_NONE] || launch.used[WB_UNIT_BARRIER];
  return launch;
}

/* The maxima over a problem's strings. */
static warpbound_status work_of(const struct wb_sm_weights *weights,
                                const struct wb_sm_problem *problem, struct wb_sm_work *most,
                                warpbound_error *error)
{
  *most = (struct wb_sm_work){0};
  for (size_t s = 0; s < problem->string_count; s++) {
    struct wb_sm_work work;
    if (!wb_sm_work_of_counts(weights, problem->strings[s].count, &work))
      return wb_bound_overflow(error);
    wb_sm_work_raise(most, &work);
  }
  return WARPBOUND_OK;
}

/* The closed form of a problem whose strings have these phases. */
static warpbound_status closed_form(const struct wb_sm_problem *problem,
                                    const struct wb_sm_phases *phases, uint64_t *cycles,
                                    warpbound_error *error)
{
  const struct wb_sm_launch launch = wb_sm_launch_of(problem);
  const struct wb_sm_weights weights = wb_sm_weights_of(&launch);
  struct wb_sm_work *work = wb_allocate(phases->count, sizeof *work);
  struct wb_sm_work whole;
  warpbound_status status = work != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  for (size_t k = 0; k < phases->count && status == WARPBOUND_OK; k++)
    status = work_of(&weights, &phases->problems[k], &work[k], error);
  if (status == WARPBOUND_OK)
    status = work_of(&weights, problem, &whole, error);
  if (status == WARPBOUND_OK)
    status = wb_sm_closed_form(&launch, &weights, work, phases->times, phases->count, &whole,
                               cycles, error);
  free(work);
  return status;
}

/* The least that every schedule takes where all warps run one string, in cycles, of the string
 * where that is most: some schedule of it exists. */
static warpbound_status largest_volume(const struct wb_sm_problem *problem, uint64_t *cycles,
                                       warpbound_error *error)
{
  const uint64_t partition_warps =
      problem->blocks * wb_divide_up(problem->block_warps, problem->partitions);
  uint64_t work;
  *cycles = 0;
  for (size_t s = 0; s < problem->string_count; s++) {
    const struct wb_kernel_string *string = &problem->strings[s];
    if (!wb_multiply(partition_warps, string->length, &work))
      return wb_bound_overflow(error);
    *cycles = wb_maximum(*cycles, string->length);
    *cycles = wb_maximum(*cycles, wb_divide_up(work, problem->issue_slots));
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      if (!wb_multiply(problem->shared[u] ? wb_sm_problem_warps(problem) : partition_warps,
                       string->count[u], &work))
        return wb_bound_overflow(error);
      if (work > 0)
        *cycles = wb_maximum(*cycles, wb_divide_up(work, problem->capacity[u]));
    }
  }
  return WARPBOUND_OK;
}

/* The sums over the phases of one block: no phase begins before the one before it is over. */

static warpbound_status bound_one_block(const struct wb_sm_problem *problem,
                                        const struct wb_sm_phases *phases,
                                        struct wb_sm_bounds *bounds, warpbound_error *error)
{
  if (problem->blocks > 1 || problem->strings[0].count[WB_UNIT_BARRIER] == 0)
    return WARPBOUND_OK;
  uint64_t lower = 0;
  warpbound_status status = WARPBOUND_OK;
  for (size_t k = 0; k < phases->count && status == WARPBOUND_OK; k++) {
    /* Each from the weights of its own types. */
    struct wb_sm_problem phase = phases->problems[k];
    struct wb_sm_phases alone = {.problems = &phase, .times = &(uint64_t){1}, .count = 1};
    uint64_t one = 0, least = 0;
    status = closed_form(&phase, &alone, &one, error);
    if (status == WARPBOUND_OK && problem->string_count == 1)
      status = largest_volume(&phase, &least, error);
    if (status == WARPBOUND_OK &&
        (!wb_multiply(phases->times[k], one, &one) ||
         !wb_add(bounds->phases, one, &bounds->phases) ||
         !wb_multiply(phases->times[k], least, &least) || !wb_add(lower, least, &lower)))
      status = wb_bound_overflow(error);
  }
  if (status != WARPBOUND_OK)
    return status;
  bounds->upper = wb_minimum(bounds->upper, bounds->phases);
  if (problem->string_count == 1)
    bounds->lower = wb_maximum(bounds->lower, lower);
  return WARPBOUND_OK;
}

warpbound_status wb_sm_bounds_find(const struct wb_sm_problem *problem, struct wb_sm_bounds *bounds,
                                   warpbound_error *error)
{
  *bounds = (struct wb_sm_bounds){0};
  const struct wb_sm_launch launch = wb_sm_launch_of(problem);
  struct wb_sm_phases phases;
  uint64_t longest = 0;
  for (size_t s = 0; s < problem->string_count; s++)
    longest = wb_maximum(longest, problem->strings[s].length);
  warpbound_status status = wb_sm_phases_cut(problem, &phases, error);
  if (status == WARPBOUND_OK)
    status = wb_sm_serial(&launch, longest, &bounds->serial, error);
  if (status == WARPBOUND_OK)
    status = closed_form(problem, &phases, &bounds->closed_form, error);
  if (status == WARPBOUND_OK)
    status = largest_volume(problem, &bounds->lower, error);
  bounds->upper = wb_minimum(bounds->serial, bounds->closed_form);
  if (status == WARPBOUND_OK)
    status = bound_one_block(problem, &phases, bounds, error);
  wb_sm_phases_free(&phases);
  return status;
}
