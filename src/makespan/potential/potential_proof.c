#include "makespan/potential/potential_proof.h"

#include "base/checked.h"

#include <assert.h>
#include <stdlib.h>

/* ---- the potential ---- */

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
  if (shape->count == 1 || arena->failed)
    return !arena->failed;
  const struct wb_kernel_string *string = &problem->string;
  potential->length = string->length;
  potential->kind = wb_arena_array(arena, uint32_t, string->length);
  potential->pool = wb_arena_array(arena, uint8_t, string->length);
  for (size_t r = 0, p = 0; r < string->run_count && !arena->failed; r++) {
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
  return !arena->failed;
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

void wb_potential_refresh(struct wb_potential *potential, const struct wb_pools *pools)
{
  for (size_t k = 0; k < pools->own_exit_count; k++)
    potential->scaled_own_leave[k] = potential->weight_sum * potential->own_leave[k];
  for (unsigned v = 0; v < wb_potential_views(potential); v++) {
    for (unsigned q = 0; q < pools->count; q++)
      potential->values[v].own_stay[q] = potential->weight_sum * potential->own_stay[q];
    if (potential->shape.count <= 1)
      continue;
    struct wb_pool_values *values = &potential->values[v];
    const int64_t *own = potential->position[v % potential->shape.count];
    for (unsigned q = 0; q < pools->count; q++)
      values->stay[q] = values->idle[q] = INT64_MAX;
    for (size_t k = 0; k < pools->exit_count; k++)
      potential->leave[v][k] = INT64_MAX;
    for (size_t p = 0; p < potential->length; p++) {
      int64_t before = wb_potential_worth(potential, v, p);
      uint32_t kind = potential->kind[p];
      int64_t *step =
          kind < pools->count ? &values->stay[kind] : &potential->leave[v][kind - pools->count];
      int64_t *idle = &values->idle[potential->pool[p]];
      int64_t by_step = before - potential->weight_sum * own[p + 1];
      int64_t by_idling = before - potential->weight_sum * own[p];
      *step = by_step < *step ? by_step : *step;
      *idle = by_idling < *idle ? by_idling : *idle;
    }
    for (unsigned q = 0; q < pools->count; q++)
      if (pools->pool[q].stays == 0)
        values->stay[q] = 0;
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

/* ---- the proof ---- */

void wb_potential_proof_free(struct wb_potential_proof *proof)
{
  wb_pools_free(&proof->pools);
  wb_arena_free(&proof->potential.arena);
  free(proof->state);
  *proof = (struct wb_potential_proof){0};
}

/* ---- numbers ---- */

static void list(int64_t **numbers, size_t *count, int64_t *number)
{
  if (numbers != NULL)
    numbers[*count] = number;
  ++*count;
}

size_t wb_potential_numbers(struct wb_potential_proof *proof, int64_t **numbers)
{
  struct wb_potential *potential = &proof->potential;
  const struct wb_pools *pools = &proof->pools;
  size_t count = 0;
  for (unsigned p = 0; p < pools->count; p++) {
    if (potential->shape.count == 1)
      list(numbers, &count, &potential->values[0].stay[p]);
    list(numbers, &count, &potential->own_stay[p]);
  }
  for (size_t k = 0; potential->shape.count == 1 && k < pools->exit_count; k++)
    list(numbers, &count, &potential->leave[0][k]);
  for (size_t k = 0; k < pools->own_exit_count; k++)
    list(numbers, &count, &potential->own_leave[k]);
  for (unsigned j = 0; j < potential->shape.count; j++) {
    for (size_t p = 0; p < potential->length; p++)
      list(numbers, &count, &potential->position[j][p]);
    for (size_t i = 0; i < proof->state_count; i++)
      list(numbers, &count, &potential->state_offset[j][proof->state[i]]);
  }
  return count;
}

/* ---- the bound ---- */

/* Adds count * value to *sum. False: a number overflows. */
static bool add_product(int64_t *sum, uint64_t count, int64_t value)
{
  int64_t product;
  return count <= INT64_MAX && wb_multiply_signed((int64_t)count, value, &product) &&
         wb_add_signed(*sum, product, sum);
}

bool wb_potential_at_start(const struct wb_potential_proof *proof, uint32_t warps, int64_t *most,
                           int64_t *steepest)
{
  const struct wb_potential *potential = &proof->potential;
  const struct wb_pools *pools = &proof->pools;
  const bool positions = potential->shape.count > 1;
  uint64_t begin = wb_pools_begin(pools, warps);
  /* The values of the own warp and, with one component, of one of the others before their first
   * instructions. */
  int64_t own = 0, other = 0;
  bool ok = true;
  for (unsigned p = 0; p < pools->count; p++)
    ok = ok && add_product(&own, pools->pool[p].stays, potential->own_stay[p]) &&
         (positions || add_product(&other, pools->pool[p].stays, potential->values[0].stay[p]));
  for (size_t k = 0; k < pools->own_exit_count; k++)
    ok = ok && add_product(&own, pools->own_exits[k].count, potential->own_leave[k]);
  for (size_t k = 0; k < pools->exit_count && !positions; k++)
    ok = ok && add_product(&other, pools->exits[k].count, potential->leave[0][k]);
  *most = *steepest = INT64_MIN;
  for (unsigned j = 0; j < potential->shape.count && ok; j++) {
    int64_t sum;
    other = positions ? potential->position[j][0] : other;
    ok = wb_add_signed(own, potential->state_offset[j][begin], &sum) &&
         add_product(&sum, warps - 1, other);
    *steepest = other > *steepest ? other : *steepest;
    *most = ok && sum > *most ? sum : *most;
  }
  return ok;
}

bool wb_potential_derive_bound(struct wb_potential_proof *proof)
{
  /* The line rises as the steepest component does, from the highest one at steady_from. Its start
   * is the problem's own if that has steady_from warps or more; of fewer, nothing says that it was
   * walked from. */
  int64_t most, steepest, first, rise;
  proof->steady_from = wb_pools_steady_from(&proof->pools);
  proof->divisor = proof->gain;
  proof->has_line = proof->problem->warps >= proof->steady_from &&
                    wb_potential_at_start(proof, proof->steady_from, &first, &proof->slope) &&
                    wb_multiply_signed(proof->slope, proof->steady_from, &rise) &&
                    wb_subtract_signed(first, rise, &proof->offset);
  if (proof->gain <= 0 || !wb_potential_at_start(proof, proof->problem->warps, &most, &steepest) ||
      most < 0)
    return false;
  proof->cycles = proof->plain = (uint64_t)(most / proof->gain);
  return true;
}

struct wb_potential_line wb_potential_read_line(const struct wb_potential_proof *proof)
{
  if (!proof->has_line)
    return (struct wb_potential_line){0};
  uint64_t common =
      wb_greatest_common_divisor(wb_magnitude(proof->slope), wb_magnitude(proof->offset));
  common = wb_greatest_common_divisor(common, (uint64_t)proof->divisor);
  int64_t divisor = (int64_t)common;
  return (struct wb_potential_line){proof->slope / divisor, proof->offset / divisor,
                                    proof->divisor / divisor, proof->steady_from};
}

bool wb_potential_line_at(const struct wb_potential_proof *proof, uint32_t warps, uint64_t *cycles)
{
  int64_t total = proof->offset;
  if (!proof->has_line || !add_product(&total, warps, proof->slope) || total < 0)
    return false;
  *cycles = (uint64_t)(total / proof->divisor);
  return true;
}

/* ---- positions of the trailing warps ---- */

/* C(n, k) for n >= k - 1, or UINT64_MAX beyond 64 bits. */
static uint64_t choose(uint64_t n, uint64_t k)
{
  uint64_t result = 1;
  for (uint64_t i = 1; i <= k; i++) {
    if (!wb_multiply(result, n - k + i, &result))
      return UINT64_MAX;
    result /= i;
  }
  return result;
}

uint64_t wb_trailing_count(uint64_t last, uint32_t count)
{
  return choose(last + count, count);
}

size_t wb_trailing_rank(const size_t *position, uint32_t count)
{
  size_t rank = 0;
  for (uint32_t i = 0; i < count; i++)
    rank += (size_t)choose(position[i] + i, i + 1);
  return rank;
}

bool wb_trailing_step_back(size_t *position, uint32_t count)
{
  uint32_t i = 0;
  while (i < count && position[i] == 0)
    i++;
  if (i == count)
    return false;
  position[i]--;
  for (uint32_t k = 0; k < i; k++)
    position[k] = position[i];
  return true;
}
