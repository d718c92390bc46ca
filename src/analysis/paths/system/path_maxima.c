#include "analysis/paths/system/path_maxima.h"

#include "analysis/paths/system/path_solver.h"
#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Where there is one phase, it is the whole. */
static uint32_t phase_in(const struct wb_path_system *system, uint32_t phase)
{
  return system->phases == 1 && phase != WB_COMPOSITE_PATHS ? WB_CHECK_ALL_PHASES : phase;
}

const struct wb_path_maximum *wb_path_maxima_find(const struct wb_path_maxima *maxima,
                                                  const struct wb_path_system *system,
                                                  const uint64_t factor[WB_UNIT_COUNT],
                                                  uint32_t phase)
{
  for (size_t p = 0; p < maxima->count; p++) {
    const struct wb_path_maximum *maximum = maxima->items[p];
    if (maximum->phase == phase_in(system, phase) &&
        memcmp(maximum->factor, factor, sizeof maximum->factor) == 0)
      return maximum;
  }
  return NULL;
}

/* ---- solving ---- */

static warpbound_status cost_nodes(const struct wb_path_system *system,
                                   const struct wb_path_maximum *maximum, int64_t *cost,
                                   warpbound_error *error)
{
  for (size_t v = 0; v < system->flow.node_count; v++) {
    uint64_t sum = 0;
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      uint64_t part;
      if (!wb_multiply(system->count[v][u], maximum->factor[u], &part) ||
          !wb_add(sum, part, &sum) || sum > INT64_MAX)
        return wb_fail(error, WARPBOUND_INVALID_INPUT,
                       "the letters of a block do not fit into 64 bits");
    }
    cost[v] = (int64_t)sum;
  }
  return WARPBOUND_OK;
}

static warpbound_status solve(const struct wb_path_system *system, struct wb_path_maximum *maximum,
                              const struct wb_control *control, warpbound_error *error)
{
  int64_t *cost = wb_allocate(system->flow.node_count, sizeof *cost);
  if (cost == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = cost_nodes(system, maximum, cost, error);
  if (status == WARPBOUND_OK)
    status = wb_path_system_solve(system, cost, maximum->phase, control, &maximum->ipet, error);
  free(cost);
  return status;
}

static void free_maximum(struct wb_path_maximum *maximum)
{
  if (maximum != NULL)
    wb_ipet_result_free(&maximum->ipet);
  free(maximum);
}

warpbound_status wb_path_maxima_solve(struct wb_path_maxima *maxima,
                                      const struct wb_path_system *system,
                                      const uint64_t factor[WB_UNIT_COUNT], uint32_t phase,
                                      const struct wb_control *control,
                                      const struct wb_path_maximum **maximum,
                                      warpbound_error *error)
{
  *maximum = wb_path_maxima_find(maxima, system, factor, phase);
  if (*maximum != NULL)
    return WARPBOUND_OK;
  struct wb_path_maximum *made = wb_allocate(1, sizeof *made);
  if (made == NULL || !wb_grow(maxima->items, &maxima->capacity, maxima->count + 1)) {
    free(made);
    return wb_out_of_memory(error);
  }
  made->phase = phase_in(system, phase);
  memcpy(made->factor, factor, sizeof made->factor);
  warpbound_status status = solve(system, made, control, error);
  if (status != WARPBOUND_OK) {
    free_maximum(made);
    return status;
  }
  maxima->items[maxima->count++] = made;
  *maximum = made;
  return WARPBOUND_OK;
}

void wb_path_maxima_free(struct wb_path_maxima *maxima)
{
  for (size_t p = 0; p < maxima->count; p++)
    free_maximum(maxima->items[p]);
  free(maxima->items);
  *maxima = (struct wb_path_maxima){0};
}
