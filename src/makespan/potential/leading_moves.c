#include "makespan/potential/leading_moves.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool wb_leading_warps_start(struct wb_leading_warps *leading, const struct wb_potential *potential,
                            const struct wb_pools *pools)
{
  *leading = (struct wb_leading_warps){.potential = potential,
                                       .pools = pools,
                                       .states = pools->stride[pools->count],
                                       .choices = 1,
                                       .kinds = pools->count + pools->exit_count,
                                       .views = wb_potential_views(potential)};
  for (unsigned p = 0; p < pools->count; p++)
    leading->choices *= pools->pool[p].service + 1;
  struct wb_arena *arena = &leading->arena;
  leading->step = wb_arena_array(arena, int64_t, leading->views * leading->kinds);
  leading->lists =
      wb_arena_array(arena, struct wb_leading_move_list, leading->states * leading->choices);
  leading->place = wb_arena_array(arena, uint32_t, leading->states);
  if (arena->failed)
    return false;
  for (size_t i = 0; i < leading->views * leading->kinds; i++)
    leading->step[i] = INT64_MAX;
  for (unsigned v = 0; v < leading->views; v++)
    for (unsigned p = 0; p < pools->count; p++)
      leading->idle[0][v][p] = leading->idle[1][v][p] = INT64_MAX;
  return true;
}

static void free_partial_moves(struct wb_leading_partial_moves *partial)
{
  free(partial->to);
  free(partial->value);
}

void wb_leading_warps_free(struct wb_leading_warps *leading)
{
  wb_arena_free(&leading->arena);
  free_partial_moves(&leading->moves);
  free_partial_moves(&leading->partial[0]);
  free_partial_moves(&leading->partial[1]);
  *leading = (struct wb_leading_warps){0};
}

/* ---- positions ---- */

static bool lower(int64_t *least, int64_t value)
{
  bool is_less = value < *least;
  if (is_less)
    *least = value;
  return is_less;
}

void wb_leading_warps_extend(struct wb_leading_warps *leading, size_t position)
{
  const struct wb_potential *potential = leading->potential;
  unsigned components = potential->shape.count;
  bool changed = false;
  memcpy(leading->idle[1], leading->idle[0], sizeof leading->idle[1]);
  for (unsigned v = 0; v < leading->views; v++) {
    const int64_t *own = potential->position[v % components];
    int64_t before = wb_potential_worth(potential, v, position);
    changed |= lower(&leading->step[v * leading->kinds + potential->kind[position]],
                     before - potential->weight_sum * own[position + 1]);
    (void)lower(&leading->idle[0][v][potential->pool[position]],
                before - potential->weight_sum * own[position]);
  }
  if (!changed)
    return;
  leading->moves.count = 0;
  for (size_t i = 0; i < leading->states * leading->choices; i++)
    leading->lists[i].made = false;
}

/* ---- ways ---- */

static bool grow_partial_moves(struct wb_leading_partial_moves *partial, unsigned views)
{
  return wb_grow(partial->to, &partial->capacity, partial->count + 1) &&
         wb_grow(partial->value, &partial->value_capacity, (partial->count + 1) * views);
}

/* Adds a way, or lowers the values of that to the same state. */
static bool keep_partial_move(struct wb_leading_warps *leading,
                              struct wb_leading_partial_moves *partial, uint32_t to,
                              const int64_t *value)
{
  leading->steps++;
  uint32_t place = leading->place[to];
  if (place > 0) {
    for (unsigned v = 0; v < leading->views; v++)
      (void)lower(&partial->value[(place - 1) * leading->views + v], value[v]);
    return true;
  }
  if (!grow_partial_moves(partial, leading->views))
    return false;
  partial->to[partial->count] = to;
  memcpy(partial->value + partial->count * leading->views, value, leading->views * sizeof *value);
  leading->place[to] = (uint32_t)++partial->count;
  return true;
}

static void forget_places(struct wb_leading_warps *leading,
                          const struct wb_leading_partial_moves *partial)
{
  for (size_t i = 0; i < partial->count; i++)
    leading->place[partial->to[i]] = 0;
}

/* Adds `times` steps of a kind to the values; false: no position has such a step. */
static bool add_steps(const struct wb_leading_warps *leading, size_t kind, uint32_t times,
                      int64_t *value)
{
  if (times > 0 && leading->step[kind] == INT64_MAX)
    return false;
  for (unsigned v = 0; v < leading->views && times > 0; v++)
    value[v] += leading->step[v * leading->kinds + kind] * times;
  return true;
}

/* The leavers of pool p who are left choose kinds of exits, from kind k on. Nested as deep as
 * a type serves warps in a cycle. */
static bool choose_exits(struct wb_leading_warps *leading, struct wb_leading_partial_moves *partial,
                         unsigned p, uint32_t leavers, size_t k, uint32_t to, const int64_t *value)
{
  const struct wb_pools *pools = leading->pools;
  if (leavers == 0)
    return keep_partial_move(leading, partial, to, value);
  bool ok = true;
  for (; ok && k < pools->exit_count; k++) {
    const struct wb_pool_exit *exit = &pools->exits[k];
    int64_t sum[WB_POTENTIAL_VIEWS];
    memcpy(sum, value, leading->views * sizeof *sum);
    if (exit->from != p || !add_steps(leading, pools->count + k, 1, sum))
      continue;
    uint32_t after = to;
    if (exit->to != WB_POOL_END)
      after = (uint32_t)wb_pools_with_more(pools, to, exit->to, 1, exit->length);
    ok = choose_exits(leading, partial, p, leavers - 1, k, after, sum);
  }
  return ok;
}

/* From each way over the pools before p all ways over p too. */
static bool decide_pool(struct wb_leading_warps *leading, size_t state, unsigned p, uint32_t issues,
                        const struct wb_leading_partial_moves *before,
                        struct wb_leading_partial_moves *after)
{
  const struct wb_pools *pools = leading->pools;
  const struct wb_pool *pool = &pools->pool[p];
  size_t local = wb_pools_local(pools, state, p);
  struct wb_pool_span span = pools->spans[p][local * (pool->service + 1) + issues];
  const struct wb_pool_outcome *outcome = pools->outcomes[p] + span.first;
  bool ok = true;
  after->count = 0;
  for (size_t i = 0; ok && i < before->count; i++)
    for (uint32_t o = 0; ok && o < span.count; o++) {
      int64_t value[WB_POTENTIAL_VIEWS];
      memcpy(value, before->value + i * leading->views, leading->views * sizeof *value);
      if (!add_steps(leading, p, issues - outcome[o].leavers, value))
        continue;
      uint32_t stay = outcome[o].after;
      uint64_t to =
          wb_pools_with_more(pools, before->to[i], p, pool->warps_in[stay], pool->work_in[stay]);
      ok = choose_exits(leading, after, p, outcome[o].leavers, 0, (uint32_t)to, value);
    }
  forget_places(leading, after);
  return ok;
}

bool wb_leading_warps_moves(struct wb_leading_warps *leading, size_t state, const uint32_t *issues,
                            struct wb_leading_moves *moves)
{
  size_t choice = 0;
  for (unsigned p = 0; p < leading->pools->count; p++)
    choice = choice * (leading->pools->pool[p].service + 1) + issues[p];
  struct wb_leading_move_list *list = &leading->lists[state * leading->choices + choice];
  if (list->made) {
    *moves = (struct wb_leading_moves){list->count, leading->moves.to + list->first,
                                       leading->moves.value + list->first * leading->views};
    return true;
  }
  const int64_t nothing[WB_POTENTIAL_VIEWS] = {0};
  struct wb_leading_partial_moves *partial = leading->partial;
  partial[0].count = 0;
  bool ok = keep_partial_move(leading, &partial[0], 0, nothing);
  forget_places(leading, &partial[0]);
  for (unsigned p = 0; ok && p < leading->pools->count; p++)
    ok = decide_pool(leading, state, p, issues[p], &partial[p % 2], &partial[(p + 1) % 2]);
  const struct wb_leading_partial_moves *all = &partial[leading->pools->count % 2];
  struct wb_leading_partial_moves *made = &leading->moves;
  *list = (struct wb_leading_move_list){made->count, all->count, true};
  for (size_t i = 0; ok && i < all->count; i++) {
    ok = grow_partial_moves(made, leading->views);
    if (!ok)
      break;
    made->to[made->count] = all->to[i];
    memcpy(made->value + made->count * leading->views, all->value + i * leading->views,
           leading->views * sizeof *made->value);
    made->count++;
  }
  if (!ok)
    return false;
  *moves = (struct wb_leading_moves){list->count, leading->moves.to + list->first,
                                     leading->moves.value + list->first * leading->views};
  return true;
}
