#include "makespan/potential/pool_moves.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- bundles ---- */

/* Adds a bundle to those from `begin` on, or keeps the one of less value. */
static bool keep_bundle(struct wb_pool_bundles *bundles, size_t begin,
                        const struct wb_pool_bundle *one)
{
  for (size_t i = begin; i < bundles->count; i++)
    if (memcmp(bundles->items[i].warps, one->warps, sizeof one->warps) == 0 &&
        memcmp(bundles->items[i].work, one->work, sizeof one->work) == 0) {
      if (one->value < bundles->items[i].value)
        bundles->items[i] = *one;
      return true;
    }
  if (!wb_grow(bundles->items, &bundles->capacity, bundles->count + 1))
    return false;
  bundles->items[bundles->count++] = *one;
  return true;
}

/* The bundles of e + 1 leavers from those of e. */
static bool extend_bundles(const struct wb_pools *pools, const struct wb_pool_values *values,
                           struct wb_pool_bundles *bundles, unsigned p, uint32_t e)
{
  size_t from = bundles->first[p][e], end = bundles->count;
  bundles->first[p][e + 1] = end;
  for (size_t i = from; i < end; i++)
    for (size_t k = 0; k < pools->exit_count; k++) {
      const struct wb_pool_exit *exit = &pools->exits[k];
      if (exit->from != p)
        continue;
      struct wb_pool_bundle one = bundles->items[i];
      one.exits[e] = (uint16_t)k;
      one.value += values->leave[k];
      if (exit->to != WB_POOL_END) {
        one.warps[exit->to]++;
        uint32_t work = one.work[exit->to] + exit->length;
        one.work[exit->to] = (uint16_t)wb_minimum(work, pools->pool[exit->to].work);
      }
      if (!keep_bundle(bundles, end, &one))
        return false;
    }
  return true;
}

bool wb_pool_bundles_make(const struct wb_pools *pools, const struct wb_pool_values *values,
                          struct wb_pool_bundles *bundles)
{
  bundles->count = 0;
  for (unsigned p = 0; p < pools->count; p++) {
    struct wb_pool_bundle none = {0};
    size_t begin = bundles->count;
    bundles->first[p][0] = begin;
    if (!keep_bundle(bundles, begin, &none))
      return false;
    for (uint32_t e = 0; e < pools->pool[p].service; e++)
      if (!extend_bundles(pools, values, bundles, p, e))
        return false;
    bundles->first[p][pools->pool[p].service + 1] = bundles->count;
  }
  return true;
}

/* ---- scratch ---- */

/* Adds an entry to a level, or keeps the one of less value for the same content. */
static bool keep_partial(struct wb_pool_scratch *scratch, unsigned level,
                         const struct wb_pool_partial *one)
{
  uint32_t place = scratch->place[one->others];
  if (place > 0) {
    struct wb_pool_partial *known = &scratch->level[level][place - 1];
    if (one->value < known->value)
      *known = *one;
    return true;
  }
  if (!wb_grow(scratch->level[level], &scratch->capacity[level], scratch->count[level] + 1))
    return false;
  scratch->level[level][scratch->count[level]++] = *one;
  scratch->place[one->others] = (uint32_t)scratch->count[level];
  return true;
}

/* ---- the enumeration ---- */

/* One state and the choice under way: y[p] of the others issue in each pool. */
struct enumeration {
  const struct wb_pools *pools;
  const struct wb_pool_gain *gain;
  struct wb_pool_reach *reach;
  struct wb_pool_scratch *scratch;
  uint64_t steps;
  uint64_t from;
  unsigned own;
  uint32_t local[WB_UNIT_COUNT];
  uint32_t warps[WB_UNIT_COUNT];
  uint32_t ready[WB_UNIT_COUNT];
  uint32_t y[WB_UNIT_COUNT];
  bool own_issues;
  bool any;
  uint32_t least_place; /* of the least move, in the last level */
  struct wb_pool_move least;
};

static void remember(struct enumeration *enumeration, int64_t gain, enum wb_own_step own,
                     uint32_t own_exit, uint64_t to, uint32_t place)
{
  struct wb_pool_move *move = &enumeration->least;
  if (enumeration->reach != NULL && to != WB_POOL_NOWHERE && !enumeration->reach->seen[to]) {
    enumeration->reach->seen[to] = true;
    if (enumeration->reach->count < enumeration->reach->room)
      enumeration->reach->queue[enumeration->reach->count] = to;
    enumeration->reach->count++;
  }
  if (enumeration->any && gain >= move->gain)
    return;
  enumeration->any = true;
  enumeration->least_place = place;
  move->own = own;
  move->own_exit = own_exit;
  move->to = to;
  move->gain = gain;
}

/* All is chosen but where the own warp goes. */
static void finish_move(struct enumeration *enumeration, uint32_t place)
{
  const struct wb_pools *pools = enumeration->pools;
  const struct wb_pool_values *values = enumeration->gain->values;
  const struct wb_pool_partial *entry = &enumeration->scratch->level[pools->count][place];
  uint64_t others = entry->others, to = others + enumeration->own * pools->stride[pools->count];
  if (!enumeration->own_issues || pools->pool[enumeration->own].stays > 0)
    remember(enumeration,
             entry->value + (enumeration->own_issues ? values->own_stay[enumeration->own] : 0) -
                 enumeration->gain->weight_sum * enumeration->gain->state_offsets[to],
             enumeration->own_issues ? WB_OWN_STAYS : WB_OWN_WAITS, 0, to, place);
  for (size_t k = 0; enumeration->own_issues && k < pools->own_exit_count; k++) {
    const struct wb_pool_exit *exit = &pools->own_exits[k];
    if (exit->from != enumeration->own || (exit->to == WB_POOL_END && others != 0))
      continue;
    uint64_t end = WB_POOL_NOWHERE;
    int64_t gain = entry->value + values->own_leave[k];
    if (exit->to != WB_POOL_END) {
      end = others + exit->to * pools->stride[pools->count];
      gain -= enumeration->gain->weight_sum * enumeration->gain->state_offsets[end];
    }
    remember(enumeration, gain, WB_OWN_LEAVES, (uint32_t)k, end, place);
  }
}

/* One way for the leavers of pool p to go on from an entry, with each local state that they
 * leave there. */
static bool extend_partial(struct enumeration *enumeration, unsigned p, uint32_t place,
                           uint32_t bundle, uint32_t leavers)
{
  const struct wb_pools *pools = enumeration->pools;
  const struct wb_pool *pool = &pools->pool[p];
  const struct wb_pool_bundle *chosen = &enumeration->gain->bundles->items[bundle];
  struct wb_pool_span span =
      pools->spans[p][enumeration->local[p] * (pool->service + 1) + enumeration->y[p]];
  struct wb_pool_partial one = enumeration->scratch->level[p][place];
  one.before = place;
  one.bundle = bundle;
  one.leavers = leavers;
  one.value +=
      chosen->value + (int64_t)(enumeration->y[p] - leavers) * enumeration->gain->values->stay[p];
  uint64_t others = one.others;
  for (unsigned q = 0; q < pools->count; q++)
    if (chosen->warps[q] > 0)
      others = wb_pools_with_more(pools, others, q, chosen->warps[q], chosen->work[q]);
  const struct wb_pool_outcome *outcome = pools->outcomes[p] + span.first;
  for (uint32_t i = 0; i < span.count; i++, outcome++) {
    if (outcome->leavers != leavers)
      continue;
    enumeration->steps++;
    one.others = wb_pools_with_more(pools, others, p, pool->warps_in[outcome->after],
                                    pool->work_in[outcome->after]);
    if (!keep_partial(enumeration->scratch, p + 1, &one))
      return false;
  }
  return true;
}

/* Decides which warps leave pool p, and for which pools, from every entry of its level. */
static bool decide_pool(struct enumeration *enumeration, unsigned p)
{
  struct wb_pool_scratch *scratch = enumeration->scratch;
  const struct wb_pool_bundles *bundles = enumeration->gain->bundles;
  bool ok = true;
  scratch->count[p + 1] = 0;
  for (uint32_t place = 0; place < scratch->count[p]; place++)
    for (uint32_t e = 0; e <= enumeration->y[p]; e++)
      for (size_t j = bundles->first[p][e]; ok && j < bundles->first[p][e + 1]; j++)
        ok = extend_partial(enumeration, p, place, (uint32_t)j, e);
  for (size_t i = 0; i < scratch->count[p + 1]; i++)
    scratch->place[scratch->level[p + 1][i].others] = 0;
  return ok;
}

/* The issues are chosen: finds all states that they lead to, and the least move. */
static bool choose_leavers(struct enumeration *enumeration)
{
  const struct wb_pools *pools = enumeration->pools;
  struct wb_pool_scratch *scratch = enumeration->scratch;
  struct wb_pool_partial none = {.value = enumeration->gain->state_offset};
  bool ok = true;
  enumeration->any = false;
  for (unsigned p = 0; p < pools->count; p++) {
    if (enumeration->y[p] > enumeration->warps[p])
      return true; /* not so many others */
    none.value +=
        (int64_t)(enumeration->warps[p] - enumeration->y[p]) * enumeration->gain->values->idle[p];
  }
  scratch->count[0] = 0;
  ok = keep_partial(scratch, 0, &none);
  scratch->place[0] = 0;
  for (unsigned p = 0; ok && p < pools->count; p++)
    ok = decide_pool(enumeration, p);
  for (uint32_t place = 0; ok && place < scratch->count[pools->count]; place++)
    finish_move(enumeration, place);
  if (ok && enumeration->any) {
    /* Fills in what the others do in the least move. */
    struct wb_pool_move *move = &enumeration->least;
    uint32_t place = enumeration->least_place;
    move->exit_count = 0;
    for (unsigned p = enumeration->pools->count; p-- > 0;) {
      const struct wb_pool_partial *entry = &enumeration->scratch->level[p + 1][place];
      const struct wb_pool_bundle *bundle = &enumeration->gain->bundles->items[entry->bundle];
      move->stays[p] = enumeration->y[p] - entry->leavers;
      move->idle[p] = enumeration->warps[p] - enumeration->y[p];
      memcpy(move->exits + move->exit_count, bundle->exits, entry->leavers * sizeof *move->exits);
      move->exit_count += entry->leavers;
      place = entry->before;
    }
  }
  return ok;
}

/* Chooses how many of each type issue, `left` in all from pool p on; with the own warp
 * and without it. */
static bool choose_issues(struct enumeration *enumeration, unsigned p, uint32_t left,
                          wb_pool_visit *visit, void *context)
{
  if (p < enumeration->pools->count) {
    uint32_t after = 0;
    for (unsigned q = p + 1; q < enumeration->pools->count; q++)
      after += enumeration->ready[q];
    uint32_t least = left > after ? left - after : 0;
    for (uint32_t x = least; x <= enumeration->ready[p] && x <= left; x++) {
      enumeration->y[p] = x;
      if (!choose_issues(enumeration, p + 1, left - x, visit, context))
        return false;
    }
    return true;
  }
  for (int own = 0; own <= 1; own++) {
    enumeration->own_issues = own == 1;
    if (enumeration->own_issues && enumeration->y[enumeration->own] == 0)
      break;
    enumeration->y[enumeration->own] -= enumeration->own_issues;
    bool ok = choose_leavers(enumeration);
    enumeration->y[enumeration->own] += enumeration->own_issues;
    if (!ok || (enumeration->any && visit != NULL &&
                !visit(context, enumeration->from, &enumeration->least)))
      return false;
  }
  return true;
}

bool wb_pool_moves(const struct wb_pools *pools, const struct wb_pool_gain *gain, uint64_t from,
                   wb_pool_visit *visit, void *context, struct wb_pool_reach *reach,
                   struct wb_pool_scratch *scratch, uint64_t *steps)
{
  struct enumeration enumeration = {.pools = pools,
                                    .gain = gain,
                                    .reach = reach,
                                    .scratch = scratch,
                                    .from = from,
                                    .own = (unsigned)(from / pools->stride[pools->count])};
  uint32_t all = 0;
  for (unsigned p = 0; p < pools->count; p++) {
    const struct wb_pool *pool = &pools->pool[p];
    enumeration.local[p] = wb_pools_local(pools, from, p);
    enumeration.warps[p] = pool->warps_in[enumeration.local[p]];
    enumeration.ready[p] =
        (uint32_t)wb_minimum(pool->service, enumeration.warps[p] + (p == enumeration.own));
    all += enumeration.ready[p];
  }
  uint32_t slots = (uint32_t)wb_minimum(all, pools->slots);
  bool go_on = choose_issues(&enumeration, 0, slots, visit, context);
  *steps += enumeration.steps;
  return go_on;
}
