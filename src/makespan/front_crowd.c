#include "makespan/front_crowd.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool wb_front_crowd_start(struct wb_front_crowd *crowd, const struct wb_potential *potential,
                          const struct wb_pools *pools)
{
  *crowd = (struct wb_front_crowd){.potential = potential,
                                   .pools = pools,
                                   .states = pools->stride[pools->count],
                                   .choices = 1,
                                   .kinds = pools->count + pools->exit_count,
                                   .views = wb_potential_views(potential)};
  for (unsigned p = 0; p < pools->count; p++)
    crowd->choices *= pools->pool[p].service + 1;
  crowd->step = wb_allocate(crowd->views * crowd->kinds, sizeof *crowd->step);
  crowd->lists = wb_allocate(crowd->states * crowd->choices, sizeof *crowd->lists);
  crowd->place = wb_allocate(crowd->states, sizeof *crowd->place);
  if (crowd->step == NULL || crowd->lists == NULL || crowd->place == NULL)
    return false;
  for (size_t i = 0; i < crowd->views * crowd->kinds; i++)
    crowd->step[i] = INT64_MAX;
  for (unsigned v = 0; v < crowd->views; v++)
    for (unsigned p = 0; p < pools->count; p++)
      crowd->idle[0][v][p] = crowd->idle[1][v][p] = INT64_MAX;
  return true;
}

static void free_ways(struct wb_front_ways *ways)
{
  free(ways->to);
  free(ways->value);
}

void wb_front_crowd_free(struct wb_front_crowd *crowd)
{
  free(crowd->step);
  free(crowd->lists);
  free(crowd->place);
  free_ways(&crowd->moves);
  free_ways(&crowd->ways[0]);
  free_ways(&crowd->ways[1]);
  *crowd = (struct wb_front_crowd){0};
}

/* ---- positions ---- */

static bool lower(int64_t *least, int64_t value)
{
  bool is_less = value < *least;
  if (is_less)
    *least = value;
  return is_less;
}

void wb_front_crowd_extend(struct wb_front_crowd *crowd, size_t position)
{
  const struct wb_potential *potential = crowd->potential;
  unsigned pieces = potential->shape.count;
  bool changed = false;
  memcpy(crowd->idle[1], crowd->idle[0], sizeof crowd->idle[1]);
  for (unsigned v = 0; v < crowd->views; v++) {
    const int64_t *own = potential->position[v % pieces];
    int64_t before = wb_potential_worth(potential, v, position);
    changed |= lower(&crowd->step[v * crowd->kinds + potential->kind[position]],
                     before - potential->parts * own[position + 1]);
    (void)lower(&crowd->idle[0][v][potential->pool[position]],
                before - potential->parts * own[position]);
  }
  if (!changed)
    return;
  crowd->moves.count = 0;
  for (size_t i = 0; i < crowd->states * crowd->choices; i++)
    crowd->lists[i].made = false;
}

/* ---- ways ---- */

static bool grow_ways(struct wb_front_ways *ways, unsigned views)
{
  return wb_grow(ways->to, &ways->capacity, ways->count + 1) &&
         wb_grow(ways->value, &ways->value_capacity, (ways->count + 1) * views);
}

/* Adds a way, or lowers the values of that to the same state. */
static bool keep_way(struct wb_front_crowd *crowd, struct wb_front_ways *ways, uint32_t to,
                     const int64_t *value)
{
  crowd->steps++;
  uint32_t place = crowd->place[to];
  if (place > 0) {
    for (unsigned v = 0; v < crowd->views; v++)
      (void)lower(&ways->value[(place - 1) * crowd->views + v], value[v]);
    return true;
  }
  if (!grow_ways(ways, crowd->views))
    return false;
  ways->to[ways->count] = to;
  memcpy(ways->value + ways->count * crowd->views, value, crowd->views * sizeof *value);
  crowd->place[to] = (uint32_t)++ways->count;
  return true;
}

static void forget_places(struct wb_front_crowd *crowd, const struct wb_front_ways *ways)
{
  for (size_t i = 0; i < ways->count; i++)
    crowd->place[ways->to[i]] = 0;
}

/* Adds `times` steps of a kind to the values; false: no position has such a step. */
static bool add_steps(const struct wb_front_crowd *crowd, size_t kind, uint32_t times,
                      int64_t *value)
{
  if (times > 0 && crowd->step[kind] == INT64_MAX)
    return false;
  for (unsigned v = 0; v < crowd->views && times > 0; v++)
    value[v] += crowd->step[v * crowd->kinds + kind] * times;
  return true;
}

/* The leavers of pool p who are left choose kinds of exits, from kind k on. Nested as deep as
 * a type serves warps in a cycle. */
static bool choose_exits(struct wb_front_crowd *crowd, struct wb_front_ways *ways, unsigned p,
                         uint32_t leavers, size_t k, uint32_t to, const int64_t *value)
{
  const struct wb_pools *pools = crowd->pools;
  if (leavers == 0)
    return keep_way(crowd, ways, to, value);
  bool ok = true;
  for (; ok && k < pools->exit_count; k++) {
    const struct wb_pool_exit *exit = &pools->exits[k];
    int64_t sum[WB_POTENTIAL_VIEWS];
    memcpy(sum, value, crowd->views * sizeof *sum);
    if (exit->from != p || !add_steps(crowd, pools->count + k, 1, sum))
      continue;
    uint32_t after = to;
    if (exit->to != WB_POOL_END)
      after = (uint32_t)wb_pools_with_more(pools, to, exit->to, 1, exit->length);
    ok = choose_exits(crowd, ways, p, leavers - 1, k, after, sum);
  }
  return ok;
}

/* From each way over the pools before p all ways over p too. */
static bool decide_pool(struct wb_front_crowd *crowd, size_t state, unsigned p, uint32_t issues,
                        const struct wb_front_ways *before, struct wb_front_ways *after)
{
  const struct wb_pools *pools = crowd->pools;
  const struct wb_pool *pool = &pools->pool[p];
  size_t local = state / pools->stride[p] % pool->size;
  struct wb_pool_span span = pools->spans[p][local * (pool->service + 1) + issues];
  const struct wb_pool_outcome *outcome = pools->outcomes[p] + span.first;
  bool ok = true;
  after->count = 0;
  for (size_t i = 0; ok && i < before->count; i++)
    for (uint32_t o = 0; ok && o < span.count; o++) {
      int64_t value[WB_POTENTIAL_VIEWS];
      memcpy(value, before->value + i * crowd->views, crowd->views * sizeof *value);
      if (!add_steps(crowd, p, issues - outcome[o].leavers, value))
        continue;
      uint32_t stay = outcome[o].after;
      uint64_t to =
          wb_pools_with_more(pools, before->to[i], p, pool->warps_in[stay], pool->work_in[stay]);
      ok = choose_exits(crowd, after, p, outcome[o].leavers, 0, (uint32_t)to, value);
    }
  forget_places(crowd, after);
  return ok;
}

/* Appends the ways to the moves, as a list. */
static bool append_list(struct wb_front_crowd *crowd, const struct wb_front_ways *ways,
                        struct wb_front_list *list)
{
  struct wb_front_ways *moves = &crowd->moves;
  *list = (struct wb_front_list){moves->count, ways->count, true};
  for (size_t i = 0; i < ways->count; i++) {
    if (!grow_ways(moves, crowd->views))
      return false;
    moves->to[moves->count] = ways->to[i];
    memcpy(moves->value + moves->count * crowd->views, ways->value + i * crowd->views,
           crowd->views * sizeof *moves->value);
    moves->count++;
  }
  return true;
}

static bool make_list(struct wb_front_crowd *crowd, size_t state, const uint32_t *issues,
                      struct wb_front_list *list)
{
  const int64_t nothing[WB_POTENTIAL_VIEWS] = {0};
  struct wb_front_ways *ways = crowd->ways;
  ways[0].count = 0;
  bool ok = keep_way(crowd, &ways[0], 0, nothing);
  forget_places(crowd, &ways[0]);
  for (unsigned p = 0; ok && p < crowd->pools->count; p++)
    ok = decide_pool(crowd, state, p, issues[p], &ways[p % 2], &ways[(p + 1) % 2]);
  return ok && append_list(crowd, &ways[crowd->pools->count % 2], list);
}

bool wb_front_crowd_moves(struct wb_front_crowd *crowd, size_t state, const uint32_t *issues,
                          struct wb_front_moves *moves)
{
  size_t choice = 0;
  for (unsigned p = 0; p < crowd->pools->count; p++)
    choice = choice * (crowd->pools->pool[p].service + 1) + issues[p];
  struct wb_front_list *list = &crowd->lists[state * crowd->choices + choice];
  if (!list->made && !make_list(crowd, state, issues, list))
    return false;
  *moves = (struct wb_front_moves){list->count, crowd->moves.to + list->first,
                                   crowd->moves.value + list->first * crowd->views};
  return true;
}
