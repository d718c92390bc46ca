#include "makespan/potential/pool_moves.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- bundles ---- */

static bool same_entry(const struct wb_pool_bundle *a, const struct wb_pool_bundle *b)
{
  return memcmp(a->warps, b->warps, sizeof a->warps) == 0 &&
         memcmp(a->work, b->work, sizeof a->work) == 0;
}

/* Adds a bundle to those from `begin` on, or keeps the one of less value. */
static bool keep_bundle(struct wb_pool_bundles *bundles, size_t begin,
                        const struct wb_pool_bundle *one)
{
  for (size_t i = begin; i < bundles->count; i++)
    if (same_entry(&bundles->items[i], one)) {
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

void wb_pool_bundles_free(struct wb_pool_bundles *bundles)
{
  free(bundles->items);
  *bundles = (struct wb_pool_bundles){0};
}

/* ---- scratch ---- */

bool wb_pool_scratch_start(struct wb_pool_scratch *scratch, const struct wb_pools *pools)
{
  *scratch = (struct wb_pool_scratch){0};
  scratch->place = wb_allocate(pools->stride[pools->count], sizeof *scratch->place);
  return scratch->place != NULL;
}

void wb_pool_scratch_free(struct wb_pool_scratch *scratch)
{
  for (size_t i = 0; i < sizeof scratch->level / sizeof *scratch->level; i++)
    free(scratch->level[i]);
  free(scratch->place);
  *scratch = (struct wb_pool_scratch){0};
}

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

/* ---- the walk ---- */

/* One state and the choice under way: y[p] of the others issue in each pool. */
struct walk {
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

static void remember(struct walk *w, int64_t gain, enum wb_own_step own, uint32_t own_exit,
                     uint64_t to, uint32_t place)
{
  struct wb_pool_move *move = &w->least;
  if (w->reach != NULL && to != WB_POOL_NOWHERE && !w->reach->seen[to]) {
    w->reach->seen[to] = true;
    if (w->reach->count < w->reach->room)
      w->reach->queue[w->reach->count] = to;
    w->reach->count++;
  }
  if (w->any && gain >= move->gain)
    return;
  w->any = true;
  w->least_place = place;
  move->own = own;
  move->own_exit = own_exit;
  move->to = to;
  move->gain = gain;
}

/* Fills in what the others do in the least move. */
static void trace_back(struct walk *w)
{
  struct wb_pool_move *move = &w->least;
  uint32_t place = w->least_place;
  move->exit_count = 0;
  for (unsigned p = w->pools->count; p-- > 0;) {
    const struct wb_pool_partial *entry = &w->scratch->level[p + 1][place];
    const struct wb_pool_bundle *bundle = &w->gain->bundles->items[entry->bundle];
    move->stays[p] = w->y[p] - entry->leavers;
    move->idle[p] = w->warps[p] - w->y[p];
    memcpy(move->exits + move->exit_count, bundle->exits, entry->leavers * sizeof *move->exits);
    move->exit_count += entry->leavers;
    place = entry->before;
  }
}

/* What the state after the move takes off. */
static int64_t height_after(const struct walk *w, uint64_t to)
{
  return w->gain->parts * w->gain->heights[to];
}

/* All is chosen but where the own warp goes. */
static void finish_move(struct walk *w, uint32_t place)
{
  const struct wb_pools *pools = w->pools;
  const struct wb_pool_values *values = w->gain->values;
  const struct wb_pool_partial *entry = &w->scratch->level[pools->count][place];
  uint64_t others = entry->others, to = others + w->own * pools->stride[pools->count];
  if (!w->own_issues || pools->pool[w->own].stays > 0)
    remember(w, entry->value + (w->own_issues ? values->own_stay[w->own] : 0) - height_after(w, to),
             w->own_issues ? WB_OWN_STAYS : WB_OWN_WAITS, 0, to, place);
  for (size_t k = 0; w->own_issues && k < pools->own_exit_count; k++) {
    const struct wb_pool_exit *exit = &pools->own_exits[k];
    if (exit->from != w->own || (exit->to == WB_POOL_END && others != 0))
      continue;
    uint64_t end = WB_POOL_NOWHERE;
    int64_t gain = entry->value + values->own_leave[k];
    if (exit->to != WB_POOL_END) {
      end = others + exit->to * pools->stride[pools->count];
      gain -= height_after(w, end);
    }
    remember(w, gain, WB_OWN_LEAVES, (uint32_t)k, end, place);
  }
}

/* One way for the leavers of pool p to go on from an entry, with each local state that they
 * can leave behind. */
static bool extend_partial(struct walk *w, unsigned p, uint32_t place, uint32_t bundle,
                           uint32_t leavers)
{
  const struct wb_pools *pools = w->pools;
  const struct wb_pool *pool = &pools->pool[p];
  const struct wb_pool_bundle *chosen = &w->gain->bundles->items[bundle];
  struct wb_pool_span span = pools->spans[p][w->local[p] * (pool->service + 1) + w->y[p]];
  struct wb_pool_partial one = w->scratch->level[p][place];
  one.before = place;
  one.bundle = bundle;
  one.leavers = leavers;
  one.value += chosen->value + (int64_t)(w->y[p] - leavers) * w->gain->values->stay[p];
  uint64_t others = one.others;
  for (unsigned q = 0; q < pools->count; q++)
    if (chosen->warps[q] > 0)
      others = wb_pools_with_more(pools, others, q, chosen->warps[q], chosen->work[q]);
  const struct wb_pool_outcome *outcome = pools->outcomes[p] + span.first;
  for (uint32_t i = 0; i < span.count; i++, outcome++) {
    if (outcome->leavers != leavers)
      continue;
    w->steps++;
    one.others = wb_pools_with_more(pools, others, p, pool->warps_in[outcome->after],
                                    pool->work_in[outcome->after]);
    if (!keep_partial(w->scratch, p + 1, &one))
      return false;
  }
  return true;
}

/* Who leaves pool p, and for where, from every entry of its level. */
static bool decide_pool(struct walk *w, unsigned p)
{
  struct wb_pool_scratch *scratch = w->scratch;
  const struct wb_pool_bundles *bundles = w->gain->bundles;
  bool ok = true;
  scratch->count[p + 1] = 0;
  for (uint32_t place = 0; place < scratch->count[p]; place++)
    for (uint32_t e = 0; e <= w->y[p]; e++)
      for (size_t j = bundles->first[p][e]; ok && j < bundles->first[p][e + 1]; j++)
        ok = extend_partial(w, p, place, (uint32_t)j, e);
  for (size_t i = 0; i < scratch->count[p + 1]; i++)
    scratch->place[scratch->level[p + 1][i].others] = 0;
  return ok;
}

/* The issues are chosen: finds all states that they lead to, and the least move. */
static bool choose_leavers(struct walk *w)
{
  const struct wb_pools *pools = w->pools;
  struct wb_pool_scratch *scratch = w->scratch;
  struct wb_pool_partial none = {.value = w->gain->height};
  bool ok = true;
  w->any = false;
  for (unsigned p = 0; p < pools->count; p++) {
    if (w->y[p] > w->warps[p])
      return true; /* not so many others */
    none.value += (int64_t)(w->warps[p] - w->y[p]) * w->gain->values->idle[p];
  }
  scratch->count[0] = 0;
  ok = keep_partial(scratch, 0, &none);
  scratch->place[0] = 0;
  for (unsigned p = 0; ok && p < pools->count; p++)
    ok = decide_pool(w, p);
  for (uint32_t place = 0; ok && place < scratch->count[pools->count]; place++)
    finish_move(w, place);
  if (ok && w->any)
    trace_back(w);
  return ok;
}

/* Chooses how many of each type issue, `left` in all from pool p on; with the own warp
 * and without it. */
static bool choose_issues(struct walk *w, unsigned p, uint32_t left, wb_pool_visit *visit,
                          void *context)
{
  if (p < w->pools->count) {
    uint32_t behind = 0;
    for (unsigned q = p + 1; q < w->pools->count; q++)
      behind += w->ready[q];
    uint32_t least = left > behind ? left - behind : 0;
    for (uint32_t x = least; x <= w->ready[p] && x <= left; x++) {
      w->y[p] = x;
      if (!choose_issues(w, p + 1, left - x, visit, context))
        return false;
    }
    return true;
  }
  for (int own = 0; own <= 1; own++) {
    w->own_issues = own == 1;
    if (w->own_issues && w->y[w->own] == 0)
      break;
    w->y[w->own] -= w->own_issues;
    bool ok = choose_leavers(w);
    w->y[w->own] += w->own_issues;
    if (!ok || (w->any && visit != NULL && !visit(context, w->from, &w->least)))
      return false;
  }
  return true;
}

bool wb_pool_moves(const struct wb_pools *pools, const struct wb_pool_gain *gain, uint64_t from,
                   wb_pool_visit *visit, void *context, struct wb_pool_reach *reach,
                   struct wb_pool_scratch *scratch, uint64_t *steps)
{
  struct walk w = {.pools = pools,
                   .gain = gain,
                   .reach = reach,
                   .scratch = scratch,
                   .from = from,
                   .own = (unsigned)(from / pools->stride[pools->count])};
  uint64_t rest = from % pools->stride[pools->count];
  uint32_t all = 0;
  for (unsigned p = 0; p < pools->count; p++) {
    const struct wb_pool *pool = &pools->pool[p];
    w.local[p] = (uint32_t)(rest / pools->stride[p] % pool->size);
    w.warps[p] = pool->warps_in[w.local[p]];
    w.ready[p] = (uint32_t)wb_minimum(pool->service, w.warps[p] + (p == w.own));
    all += w.ready[p];
  }
  uint32_t slots = (uint32_t)wb_minimum(all, pools->slots);
  bool go_on = choose_issues(&w, 0, slots, visit, context);
  *steps += w.steps;
  return go_on;
}
