#include "makespan/pool_moves.h"

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
  void *items = bundles->items;
  if (!wb_grow(&items, &bundles->capacity, bundles->count + 1, sizeof *one))
    return false;
  bundles->items = items;
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

/* ---- the walk ---- */

/* One state and the choice under way: y[p] of the others issue in each pool. */
struct walk {
  const struct wb_pools *pools;
  const struct wb_pool_gain *gain;
  struct wb_pool_reach *reach;
  uint64_t moves;
  uint64_t from;
  unsigned own;
  uint32_t local[WB_UNIT_COUNT];
  uint32_t warps[WB_UNIT_COUNT];
  uint32_t ready[WB_UNIT_COUNT];
  uint32_t y[WB_UNIT_COUNT];
  bool own_issues;
  uint32_t after[WB_UNIT_COUNT];
  const struct wb_pool_bundle *chosen[WB_UNIT_COUNT];
  uint32_t leavers[WB_UNIT_COUNT];
  bool any;
  struct wb_pool_move least;
};

static uint64_t lead_to(const struct walk *w, unsigned own)
{
  const struct wb_pools *pools = w->pools;
  uint64_t to = own * pools->stride[pools->count];
  for (unsigned q = 0; q < pools->count; q++) {
    uint32_t n, b, warps = 0, work = 0;
    for (unsigned p = 0; p < pools->count; p++) {
      warps += w->chosen[p]->warps[q];
      work += w->chosen[p]->work[q];
    }
    uint32_t local = w->after[q];
    if (warps > 0) {
      wb_pool_content(&pools->pool[q], local, &n, &b);
      local = wb_pool_local(&pools->pool[q], n + warps, b + work);
    }
    to += local * pools->stride[q];
  }
  return to;
}

static void remember(struct walk *w, int64_t gain, enum wb_own_step own, uint32_t own_exit,
                     uint64_t to)
{
  struct wb_pool_move *move = &w->least;
  w->moves++;
  if (w->reach != NULL && to != WB_POOL_NOWHERE && !w->reach->seen[to]) {
    w->reach->seen[to] = true;
    if (w->reach->count < w->reach->room)
      w->reach->queue[w->reach->count] = to;
    w->reach->count++;
  }
  if (w->any && gain >= move->gain)
    return;
  w->any = true;
  *move = (struct wb_pool_move){.own = own, .own_exit = own_exit, .to = to, .gain = gain};
  for (unsigned p = 0; p < w->pools->count; p++) {
    move->stays[p] = w->y[p] - w->leavers[p];
    move->idle[p] = w->warps[p] - w->y[p];
    memcpy(move->exits + move->exit_count, w->chosen[p]->exits,
           w->leavers[p] * sizeof *move->exits);
    move->exit_count += w->leavers[p];
  }
}

/* What the state after the move takes off. */
static int64_t height_after(const struct walk *w, uint64_t to)
{
  return w->gain->parts * w->gain->heights[to];
}

/* All is chosen but where the own warp goes. base: what the others gain, and the state. */
static void finish_move(struct walk *w, int64_t base)
{
  const struct wb_pools *pools = w->pools;
  const struct wb_pool_values *values = w->gain->values;
  uint64_t to = lead_to(w, w->own);
  bool stays = !w->own_issues || pools->pool[w->own].stays > 0;
  if (stays)
    remember(w, base + (w->own_issues ? values->own_stay[w->own] : 0) - height_after(w, to),
             w->own_issues ? WB_OWN_STAYS : WB_OWN_WAITS, 0, to);
  if (!w->own_issues)
    return;
  uint64_t others = to - w->own * pools->stride[pools->count];
  for (size_t k = 0; k < pools->own_exit_count; k++) {
    const struct wb_pool_exit *exit = &pools->own_exits[k];
    if (exit->from != w->own || (exit->to == WB_POOL_END && others != 0))
      continue;
    uint64_t end = WB_POOL_NOWHERE;
    int64_t gain = base + values->own_leave[k];
    if (exit->to != WB_POOL_END) {
      end = others + exit->to * pools->stride[pools->count];
      gain -= height_after(w, end);
    }
    remember(w, gain, WB_OWN_LEAVES, (uint32_t)k, end);
  }
}

/* Chooses for pool p and those behind who leaves, and for where. value: what the state and
 * the pools before p gain. */
static void choose_leavers(struct walk *w, unsigned p, int64_t value)
{
  if (p >= w->pools->count || p >= WB_UNIT_COUNT) {
    finish_move(w, value);
    return;
  }
  uint32_t width = w->pools->pool[p].service + 1;
  struct wb_pool_span span = w->pools->spans[p][w->local[p] * width + w->y[p]];
  const struct wb_pool_outcome *outcome = w->pools->outcomes[p] + span.first;
  const struct wb_pool_values *values = w->gain->values;
  const struct wb_pool_bundles *bundles = w->gain->bundles;
  if (span.count > 0)
    value += (int64_t)(w->warps[p] - w->y[p]) * values->idle[p];
  for (uint32_t i = 0; i < span.count; i++, outcome++) {
    uint32_t e = outcome->leavers;
    w->after[p] = outcome->after;
    w->leavers[p] = e;
    int64_t stay = value + (int64_t)(w->y[p] - e) * values->stay[p];
    size_t end = bundles->first[p][e + 1];
    for (size_t j = bundles->first[p][e]; j < end; j++) {
      w->chosen[p] = &bundles->items[j];
      choose_leavers(w, p + 1, stay + w->chosen[p]->value);
    }
  }
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
    w->any = false;
    choose_leavers(w, 0, w->gain->height);
    w->y[w->own] += w->own_issues;
    if (w->any && visit != NULL && !visit(context, w->from, &w->least))
      return false;
  }
  return true;
}

bool wb_pool_moves(const struct wb_pools *pools, const struct wb_pool_gain *gain, uint64_t from,
                   wb_pool_visit *visit, void *context, struct wb_pool_reach *reach,
                   uint64_t *moves)
{
  struct walk w = {.pools = pools,
                   .gain = gain,
                   .reach = reach,
                   .from = from,
                   .own = (unsigned)(from / pools->stride[pools->count])};
  uint64_t rest = from % pools->stride[pools->count];
  uint32_t all = 0;
  for (unsigned p = 0; p < pools->count; p++) {
    const struct wb_pool *pool = &pools->pool[p];
    uint32_t b;
    w.local[p] = (uint32_t)(rest / pools->stride[p] % pool->size);
    wb_pool_content(pool, w.local[p], &w.warps[p], &b);
    w.ready[p] = (uint32_t)wb_minimum(pool->service, w.warps[p] + (p == w.own));
    all += w.ready[p];
  }
  uint32_t slots = (uint32_t)wb_minimum(all, pools->slots);
  bool go_on = choose_issues(&w, 0, slots, visit, context);
  *moves += w.moves;
  return go_on;
}
