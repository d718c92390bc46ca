#include "makespan/potential/pool_abstraction.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool wb_pools_suit(const struct wb_problem *problem)
{
  if (wb_problem_has_shared(problem))
    return false;
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    if (problem->string.count[u] > 0 &&
        wb_problem_service(problem, (enum wb_unit)u) > WB_POOL_SERVICE_LIMIT)
      return false;
  return true;
}

uint8_t wb_pools_find(const struct wb_pools *pools, enum wb_unit unit)
{
  uint8_t p = 0;
  while (pools->pool[p].unit != unit)
    p++;
  return p;
}

struct wb_pool_exit wb_pools_exit(const struct wb_pools *pools,
                                  const struct wb_kernel_string *string, size_t r)
{
  struct wb_pool_exit exit = {wb_pools_find(pools, string->runs[r].unit), WB_POOL_END, 0, 1};
  if (r + 1 < string->run_count) {
    exit.to = wb_pools_find(pools, string->runs[r + 1].unit);
    exit.length = wb_pool_entry(&pools->pool[exit.to], string->runs[r + 1].length);
  }
  return exit;
}

/* Adds one occurrence of an exit to a list without doubles. */
static void note_exit(struct wb_pool_exit *list, size_t *count, struct wb_pool_exit one)
{
  size_t i = 0;
  while (i < *count &&
         (list[i].from != one.from || list[i].to != one.to || list[i].length != one.length))
    i++;
  if (i == *count)
    list[(*count)++] = one;
  else
    list[i].count++;
}

/* The outcomes of one issue count, each once. */
struct outcome_list {
  struct wb_pool_outcome *items;
  size_t count;
  size_t capacity;
  size_t begin; /* of the present span */
};

static bool add_outcome(struct outcome_list *list, uint32_t leavers, uint32_t after)
{
  for (size_t i = list->begin; i < list->count; i++)
    if (list->items[i].leavers == leavers && list->items[i].after == after)
      return true;
  if (!wb_grow(list->items, &list->capacity, list->count + 1))
    return false;
  list->items[list->count++] = (struct wb_pool_outcome){(uint8_t)leavers, after};
  return true;
}

/* All outcomes of a local state of which y warps issue. Its n or b may stand for more: the largest
 * stand for all beyond; with enough of both the upper limit holds for some, so that only the lower
 * one is asked. */
static bool add_outcomes(struct outcome_list *list, const struct wb_pool *pool, uint32_t local,
                         uint32_t y)
{
  const bool works = pool->work > 0; /* b is kept */
  const uint32_t n = pool->warps_in[local], b = pool->work_in[local];
  const uint32_t most_n = n < pool->warps ? n : pool->warps + y;
  const uint32_t most_b = works && b == pool->work ? pool->work + y : b;
  for (uint32_t true_n = n > y ? n : y; true_n <= most_n; true_n++)
    for (uint32_t true_b = b; true_b <= most_b; true_b++) {
      const bool more_warps = !works || true_n == pool->warps + y;
      const bool more_work = !works || true_b == pool->work + y;
      if ((!more_work && true_b < true_n) ||
          (!more_warps && true_b > (uint64_t)true_n * pool->longest))
        continue;
      for (uint32_t e = !works && pool->stays == 0 ? y : 0; e <= y; e++) { /* of them leave */
        /* e + 2 (y - e) + (n - y) <= b <= e + longest (n - e) */
        const bool low = more_work || true_n + y - e <= true_b;
        const bool high = more_warps || true_b <= e + (uint64_t)pool->longest * (true_n - e);
        if (low && high &&
            !add_outcome(list, e, wb_pool_local(pool, true_n - e, works ? true_b - y : 0)))
          return false;
      }
    }
  return true;
}

static bool list_outcomes(struct wb_pools *pools, unsigned p)
{
  const struct wb_pool *pool = &pools->pool[p];
  struct wb_pool_span *spans =
      wb_arena_array(&pools->arena, struct wb_pool_span, (size_t)pool->size * (pool->service + 1));
  struct outcome_list list = {0};
  bool ok = spans != NULL;
  pools->spans[p] = spans;
  for (uint32_t local = 0; ok && local < pool->size; local++)
    for (uint32_t y = 0; ok && y <= pool->service; y++) {
      list.begin = list.count;
      ok = add_outcomes(&list, pool, local, y);
      spans[local * (pool->service + 1) + y] =
          (struct wb_pool_span){(uint32_t)list.begin, (uint32_t)(list.count - list.begin)};
    }
  pools->outcomes[p] = list.items;
  return ok;
}

static bool pool_is_valid(const struct wb_pool *pool)
{
  if (pool->service == 0 || pool->warps < pool->service || pool->warps > WB_POOL_WARPS_LIMIT ||
      (pool->work > 0 && pool->work < pool->warps) || pool->base[0] != 0 ||
      pool->base[pool->warps + 1] != pool->size)
    return false;
  for (uint32_t n = 0; n <= pool->warps; n++) {
    if (pool->base[n] >= pool->base[n + 1])
      return false;
    for (uint32_t local = pool->base[n]; local < pool->base[n + 1]; local++)
      if (pool->warps_in[local] != n ||
          wb_pool_local(pool, pool->warps_in[local], pool->work_in[local]) != local)
        return false;
  }
  return true;
}

static bool outcomes_are_valid(const struct wb_pools *pools, unsigned p)
{
  const struct wb_pool *pool = &pools->pool[p];
  for (uint32_t local = 0; local < pool->size; local++)
    for (uint32_t y = 0; y <= pool->service; y++) {
      struct wb_pool_span span = pools->spans[p][local * (pool->service + 1) + y];
      for (uint32_t i = 0; i < span.count; i++) {
        const struct wb_pool_outcome *outcome = &pools->outcomes[p][span.first + i];
        if (outcome->leavers > y || outcome->after >= pool->size)
          return false;
      }
    }
  return true;
}

static bool exits_are_valid(const struct wb_pools *pools, const struct wb_pool_exit *exits,
                            size_t count)
{
  for (size_t k = 0; k < count; k++)
    if (exits[k].from >= pools->count || exits[k].count == 0 ||
        (exits[k].to == WB_POOL_END ? exits[k].length != 0 : exits[k].to >= pools->count))
      return false;
  return true;
}

bool wb_pools_are_valid(const struct wb_pools *pools)
{
  uint64_t stride = 1;
  for (unsigned p = 0; p < pools->count; p++) {
    if (pools->stride[p] != stride || !pool_is_valid(&pools->pool[p]) ||
        !outcomes_are_valid(pools, p))
      return false;
    stride *= pools->pool[p].size;
  }
  return pools->count > 0 && pools->stride[pools->count] == stride &&
         pools->states == stride * pools->count && pools->first_pool < pools->count &&
         exits_are_valid(pools, pools->exits, pools->exit_count) &&
         exits_are_valid(pools, pools->own_exits, pools->own_exit_count);
}

warpbound_status wb_pools_start(struct wb_pools *pools, const struct wb_problem *problem,
                                const struct wb_pool_limits *limits, warpbound_error *error)
{
  *pools = (struct wb_pools){.slots = problem->issue_slots};
  for (int u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] == 0)
      continue;
    struct wb_pool *pool = &pools->pool[pools->count++];
    pool->unit = (enum wb_unit)u;
    pool->service = wb_problem_service(problem, pool->unit);
    pool->warps =
        (uint32_t)wb_maximum(wb_minimum(limits->warps[u], WB_POOL_WARPS_LIMIT), pool->service);
    pool->work = (uint32_t)wb_minimum(limits->work[u], WB_POOL_WORK_LIMIT);
    if (pool->work > 0)
      pool->work = (uint32_t)wb_maximum(pool->work, pool->warps);
  }
  for (size_t r = 0; r < problem->string.run_count; r++) {
    const struct wb_run *run = &problem->string.runs[r];
    struct wb_pool *pool = &pools->pool[wb_pools_find(pools, run->unit)];
    pool->longest = (uint32_t)wb_maximum(pool->longest, run->length);
    pool->stays += run->length - 1;
  }
  struct wb_arena *arena = &pools->arena;
  pools->exits = wb_arena_array(arena, struct wb_pool_exit, problem->string.run_count);
  pools->own_exits = wb_arena_array(arena, struct wb_pool_exit, problem->string.run_count);
  bool ok = !arena->failed;
  for (size_t r = 0; ok && r < problem->string.run_count; r++) {
    struct wb_pool_exit one = wb_pools_exit(pools, &problem->string, r);
    note_exit(pools->exits, &pools->exit_count, one);
    one.length = 0;
    note_exit(pools->own_exits, &pools->own_exit_count, one);
  }
  uint64_t stride = 1;
  for (unsigned p = 0; ok && p < pools->count; p++) {
    pools->stride[p] = stride;
    struct wb_pool *pool = &pools->pool[p];
    pool->base[0] = 0;
    for (uint32_t n = 0; n <= pool->warps; n++) {
      uint32_t most = pool->work; /* that n warps can have */
      if (n < pool->warps)
        most = (uint32_t)wb_minimum((uint64_t)n * pool->longest, most);
      pool->base[n + 1] = pool->base[n] + (pool->work > 0 ? most - n + 1 : 1);
    }
    pool->size = pool->base[pool->warps + 1];
    pool->warps_in = wb_arena_array(arena, uint32_t, pool->size);
    pool->work_in = wb_arena_array(arena, uint32_t, pool->size);
    ok = !arena->failed;
    for (uint32_t n = 0; ok && n <= pool->warps; n++)
      for (uint32_t local = pool->base[n]; local < pool->base[n + 1]; local++) {
        pool->warps_in[local] = n;
        pool->work_in[local] = pool->work > 0 ? n + local - pool->base[n] : 0;
      }
    ok = ok && wb_multiply(stride, pool->size, &stride) && list_outcomes(pools, p);
  }
  pools->stride[pools->count] = stride;
  ok = ok && wb_multiply(stride, pools->count, &pools->states);
  pools->first_pool = wb_pools_find(pools, problem->string.runs[0].unit);
  pools->first_length = problem->string.runs[0].length;
  assert(!ok || wb_pools_are_valid(pools));
  return ok ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_pools_free(struct wb_pools *pools)
{
  for (unsigned p = 0; p < pools->count; p++)
    free(pools->outcomes[p]);
  wb_arena_free(&pools->arena);
  *pools = (struct wb_pools){0};
}

uint64_t wb_pools_begin(const struct wb_pools *pools, uint32_t warps)
{
  const struct wb_pool *pool = &pools->pool[pools->first_pool];
  uint64_t work = wb_minimum((uint64_t)(warps - 1) * wb_minimum(pools->first_length, UINT32_MAX),
                             WB_POOL_WORK_LIMIT);
  uint32_t local = wb_pool_local(pool, warps - 1, (uint32_t)work);
  return pools->first_pool * pools->stride[pools->count] + local * pools->stride[pools->first_pool];
}

uint32_t wb_pools_steady_from(const struct wb_pools *pools)
{
  const struct wb_pool *pool = &pools->pool[pools->first_pool];
  uint64_t others = wb_maximum(pool->warps, wb_divide_up(pool->work, pools->first_length));
  return (uint32_t)others + 1;
}

/* ---- bundles of exits ---- */

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
  for (uint32_t place = 0; ok && place < scratch->count[pools->count]; place++) {
    /* All is chosen but where the own warp goes. */
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
