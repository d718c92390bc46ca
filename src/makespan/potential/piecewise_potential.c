#include "makespan/potential/piecewise_potential.h"

#include "base/checked.h"

#include <assert.h>

static bool read_string(struct wb_potential *potential, const struct wb_pools *pools,
                        const struct wb_kernel_string *string)
{
  potential->length = string->length;
  potential->kind = wb_arena_array(&potential->arena, uint32_t, string->length);
  potential->pool = wb_arena_array(&potential->arena, uint8_t, string->length);
  if (potential->arena.failed)
    return false;
  size_t p = 0;
  for (size_t r = 0; r < string->run_count; r++) {
    uint8_t pool = wb_pools_find(pools, string->runs[r].unit);
    const struct wb_pool_exit exit = wb_pools_exit(pools, string, r);
    uint32_t kind = 0; /* of exit */
    while (pools->exits[kind].from != exit.from || pools->exits[kind].to != exit.to ||
           pools->exits[kind].length != exit.length)
      kind++;
    for (size_t k = 0; k < string->runs[r].length; k++, p++) {
      potential->pool[p] = pool;
      potential->kind[p] = k + 1 == string->runs[r].length ? pools->count + kind : pool;
    }
  }
  return true;
}

bool wb_potential_start(struct wb_potential *potential, const struct wb_pools *pools,
                        const struct wb_problem *problem, const struct wb_potential_shape *shape)
{
  *potential = (struct wb_potential){.shape = *shape, .scale = 1, .weight_sum = 1};
  if (shape->count > 1)
    potential->weight_sum = WB_POTENTIAL_WEIGHT_SUM;
  struct wb_arena *arena = &potential->arena;
  potential->own_leave = wb_arena_array(arena, int64_t, pools->own_exit_count);
  potential->scaled_own_leave = wb_arena_array(arena, int64_t, pools->own_exit_count);
  for (unsigned j = 0; j < shape->count; j++) {
    potential->state_offset[j] = wb_arena_array(arena, int64_t, pools->states);
    if (shape->count > 1)
      potential->position[j] = wb_arena_array(arena, int64_t, problem->string.length + 1);
  }
  for (unsigned v = 0; v < wb_potential_views(potential); v++) {
    potential->leave[v] = wb_arena_array(arena, int64_t, pools->exit_count);
    potential->values[v].leave = potential->leave[v];
    potential->values[v].own_leave = potential->scaled_own_leave;
  }
  return !arena->failed && (shape->count == 1 || read_string(potential, pools, &problem->string));
}

void wb_potential_free(struct wb_potential *potential)
{
  wb_arena_free(&potential->arena);
  *potential = (struct wb_potential){0};
}

unsigned wb_potential_views(const struct wb_potential *potential)
{
  return potential->shape.count > 1 ? 2 * potential->shape.count : 1;
}

int64_t wb_potential_weight(const struct wb_potential *potential, unsigned view, unsigned component,
                            unsigned i)
{
  if (view >= potential->shape.count)
    return potential->shape.weight[component][i];
  return i == component ? potential->weight_sum : 0;
}

int64_t wb_potential_worth(const struct wb_potential *potential, unsigned view, size_t p)
{
  unsigned component = view % potential->shape.count;
  int64_t sum = 0;
  for (unsigned i = 0; i < potential->shape.count; i++)
    sum += wb_potential_weight(potential, view, component, i) * potential->position[i][p];
  return sum;
}

static void lower(int64_t *value, int64_t to)
{
  if (to < *value)
    *value = to;
}

static void refresh_view(struct wb_potential *potential, const struct wb_pools *pools,
                         unsigned view)
{
  struct wb_pool_values *values = &potential->values[view];
  unsigned component = view % potential->shape.count;
  const int64_t *own = potential->position[component];
  for (unsigned q = 0; q < pools->count; q++)
    values->stay[q] = values->idle[q] = INT64_MAX;
  for (size_t k = 0; k < pools->exit_count; k++)
    potential->leave[view][k] = INT64_MAX;
  for (size_t p = 0; p < potential->length; p++) {
    int64_t before = wb_potential_worth(potential, view, p);
    uint32_t kind = potential->kind[p];
    int64_t *step =
        kind < pools->count ? &values->stay[kind] : &potential->leave[view][kind - pools->count];
    lower(step, before - potential->weight_sum * own[p + 1]);
    lower(&values->idle[potential->pool[p]], before - potential->weight_sum * own[p]);
  }
  for (unsigned q = 0; q < pools->count; q++)
    if (pools->pool[q].stays == 0)
      values->stay[q] = 0;
}

void wb_potential_refresh(struct wb_potential *potential, const struct wb_pools *pools)
{
  for (size_t k = 0; k < pools->own_exit_count; k++)
    potential->scaled_own_leave[k] = potential->weight_sum * potential->own_leave[k];
  for (unsigned v = 0; v < wb_potential_views(potential); v++) {
    for (unsigned q = 0; q < pools->count; q++)
      potential->values[v].own_stay[q] = potential->weight_sum * potential->own_stay[q];
    if (potential->shape.count > 1)
      refresh_view(potential, pools, v);
  }
  assert(wb_potential_is_valid(potential, pools));
}

bool wb_potential_is_valid(const struct wb_potential *potential, const struct wb_pools *pools)
{
  assert(potential->shape.count > 0);
  if (potential->shape.count == 1)
    return potential->weight_sum == 1;
  if (potential->shape.count != pools->count || potential->weight_sum != WB_POTENTIAL_WEIGHT_SUM)
    return false;
  for (unsigned j = 0; j < potential->shape.count; j++) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < potential->shape.count; i++)
      sum += potential->shape.weight[j][i];
    if (sum != WB_POTENTIAL_WEIGHT_SUM || potential->shape.least[j] > pools->pool[j].warps)
      return false;
  }
  /* No position has a step or idles below the values of a view. */
  for (unsigned v = 0; v < wb_potential_views(potential); v++) {
    const struct wb_pool_values *values = &potential->values[v];
    const int64_t *own = potential->position[v % potential->shape.count];
    if (own[potential->length] != 0)
      return false;
    for (size_t p = 0; p < potential->length; p++) {
      int64_t before = wb_potential_worth(potential, v, p);
      uint32_t kind = potential->kind[p];
      int64_t step = kind < pools->count ? values->stay[kind] : values->leave[kind - pools->count];
      if (step > before - potential->weight_sum * own[p + 1] ||
          values->idle[potential->pool[p]] > before - potential->weight_sum * own[p])
        return false;
    }
  }
  return true;
}

unsigned wb_potential_view(const struct wb_potential *potential, const struct wb_pools *pools,
                           uint64_t state, unsigned component)
{
  const struct wb_potential_shape *shape = &potential->shape;
  if (shape->count == 1)
    return component;
  uint64_t own = state / pools->stride[pools->count];
  bool any = false;
  bool itself = false;
  for (unsigned q = 0; q < pools->count; q++) {
    uint32_t n = pools->pool[q].warps_in[wb_pools_local(pools, state, q)];
    bool enough = n + (q == own) >= shape->least[q];
    any = any || enough;
    itself = itself || (q == component && enough);
  }
  return any && !itself ? shape->count + component : component;
}

bool wb_potential_bounded(const struct wb_potential *potential, const struct wb_pools *pools)
{
  for (unsigned v = potential->shape.count; v < wb_potential_views(potential); v++)
    for (unsigned q = 0; q < pools->count; q++)
      if (q != v - potential->shape.count && potential->values[v].idle[q] < 0)
        return false;
  return true;
}
