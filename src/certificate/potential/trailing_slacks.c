#include "certificate/potential/trailing_slacks.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/potential/leading_warps.h"
#include "certificate/potential/trailing_ranks.h"
#include "certificate/potential/trailing_states.h"
#include "certificate/potential/trailing_walk.h"

#include <stdlib.h>

/* Entries of the table of slacks at most: 512 MiB. */
#define TABLE_LIMIT ((size_t)1 << 26)

/* Sets the slack of the end to 0, and says of every other place that no path leads on. */
static void start_table(struct wb_check_trailing_walk *walk)
{
  static const struct wb_check_content nobody = {0};
  const size_t width = walk->leading.states.count * walk->components;
  const struct wb_check_content_value *ended =
      wb_check_content_map_find(&walk->leading.states, &nobody);
  for (size_t i = 0; i < walk->ranks.rank_count * width; i++)
    walk->least[i] = WB_CHECK_TRAILING_NO_PATH;
  walk->rank = walk->ranks.rank_count - 1;
  for (size_t i = 0; i < walk->ranks.count; i++)
    walk->position[i] = walk->values.length;
  for (size_t j = 0; ended != NULL && j < walk->components; j++)
    walk->least[walk->rank * width +
                (size_t)(ended - walk->leading.states.list) * walk->components + j] = 0;
}

static warpbound_status fill_table(struct wb_check_trailing_walk *walk)
{
  warpbound_status status = WARPBOUND_OK;
  start_table(walk);
  while (status == WARPBOUND_OK && walk->rank > 0) {
    bool changed = false;
    wb_check_trailing_ranks_previous(&walk->ranks, walk->position);
    walk->rank--;
    if (walk->position[walk->ranks.count - 1] < walk->values.front)
      status = wb_check_trailing_values_retreat(&walk->values, &changed, walk->error);
    if (changed)
      wb_check_leading_warps_forget(&walk->leading);
    if (status == WARPBOUND_OK)
      status = wb_check_trailing_walk_position(walk);
  }
  return status;
}

static warpbound_status make_table(struct wb_check_trailing_walk *walk)
{
  size_t width = walk->leading.states.count * walk->components;
  size_t size = walk->ranks.rank_count * width;
  warpbound_status status = wb_check_leading_warps_spend(&walk->leading, size, walk->error);
  if (status != WARPBOUND_OK)
    return status;
  walk->least = wb_allocate(size, sizeof *walk->least);
  walk->best = wb_allocate(width, sizeof *walk->best);
  return walk->least != NULL && walk->best != NULL ? WARPBOUND_OK : wb_out_of_memory(walk->error);
}

static warpbound_status prepare(struct wb_check_trailing_walk *walk,
                                const struct wb_check_potential_claim *claim,
                                const struct wb_check_potential_views *views, uint64_t work_limit,
                                const struct wb_control *control,
                                const struct wb_check_trailing_start *starts, size_t start_count)
{
  struct wb_check_content leading[WB_CHECK_TRAILING_STARTS];
  for (size_t i = 0; i < start_count; i++)
    leading[i] = starts[i].leading;
  warpbound_status status =
      wb_check_trailing_ranks_make((size_t)claim->trailing, claim->problem.length,
                                   TABLE_LIMIT / walk->components, &walk->ranks, walk->error);
  if (status == WARPBOUND_OK)
    status = wb_check_trailing_values_make(claim, walk->machine, views, &walk->values, walk->error);
  if (status == WARPBOUND_OK)
    status =
        wb_check_leading_warps_make(&views->view[0].machine, &walk->values, leading, start_count,
                                    TABLE_LIMIT / (walk->ranks.rank_count * walk->components),
                                    work_limit, control, &walk->leading, walk->error);
  if (status == WARPBOUND_OK)
    status = wb_check_trailing_states_make(claim, walk->machine, views, &walk->values,
                                           &walk->leading, &walk->states, walk->error);
  return status == WARPBOUND_OK ? make_table(walk) : status;
}

/* Reads the slacks of a start, in whole units of the gain. */
static void read_start(const struct wb_check_trailing_walk *walk,
                       struct wb_check_trailing_start *start)
{
  const struct wb_check_content_value *found =
      wb_check_content_map_find(&walk->leading.states, &start->leading);
  const int64_t *least =
      walk->least + (size_t)(found - walk->leading.states.list) * walk->components;
  for (size_t j = 0; j < walk->components; j++)
    start->slack[j] = least[j] == WB_CHECK_TRAILING_NO_PATH
                          ? WB_CHECK_TRAILING_NO_PATH
                          : -wb_divide_down(-least[j], walk->values.scale);
}

static void free_walk(struct wb_check_trailing_walk *walk)
{
  free(walk->least);
  free(walk->best);
  free(walk->waits);
  wb_check_trailing_ranks_free(&walk->ranks);
  wb_check_trailing_states_free(&walk->states);
  wb_check_leading_warps_free(&walk->leading);
  wb_check_trailing_values_free(&walk->values);
}

warpbound_status wb_check_trailing_slacks(const struct wb_check_potential_claim *claim,
                                          const struct wb_check_potential_machine *machine,
                                          const struct wb_check_potential_views *views,
                                          uint64_t work_limit, const struct wb_control *control,
                                          struct wb_check_trailing_start *starts,
                                          size_t start_count, warpbound_error *error)
{
  if (claim->trailing > WB_CHECK_TRAILING_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT, "rear: %llu warps; the checker follows at most %d",
                   (unsigned long long)claim->trailing, WB_CHECK_TRAILING_LIMIT);
  struct wb_check_trailing_walk walk = {
      .machine = machine, .components = views->component_count, .error = error};
  warpbound_status status = prepare(&walk, claim, views, work_limit, control, starts, start_count);
  if (status == WARPBOUND_OK)
    status = fill_table(&walk);
  for (size_t i = 0; status == WARPBOUND_OK && i < start_count; i++)
    read_start(&walk, &starts[i]);
  free_walk(&walk);
  return status;
}
