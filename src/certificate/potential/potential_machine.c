#include "certificate/potential/potential_machine.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- content maps ---- */

/* The slot that holds the content, or the empty one where it belongs. The table is
 * never full. */
static size_t slot_of(const struct wb_check_content_map *map,
                      const struct wb_check_content *content)
{
  uint64_t mixed = 0;
  for (unsigned p = 0; p < WB_CHECK_POTENTIAL_POOLS; p++) {
    mixed ^= ((uint64_t)content->work[p] << 32) | content->warps[p];
    mixed *= UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 29;
  }
  size_t slot = (size_t)mixed & (map->slot_count - 1);
  while (map->slots[slot] != 0 &&
         memcmp(&map->list[map->slots[slot] - 1].content, content, sizeof *content) != 0)
    slot = (slot + 1) & (map->slot_count - 1);
  return slot;
}

/* Doubles the table once it is half full. */
static bool make_room(struct wb_check_content_map *map)
{
  if (!wb_grow(map->list, &map->capacity, map->count + 1))
    return false;
  if (2 * (map->count + 1) <= map->slot_count)
    return true;
  size_t wanted = map->slot_count > 0 ? 2 * map->slot_count : 16;
  uint32_t *slots = wb_allocate(wanted, sizeof *slots);
  if (slots == NULL)
    return false;
  free(map->slots);
  map->slots = slots;
  map->slot_count = wanted;
  for (size_t i = 0; i < map->count; i++)
    slots[slot_of(map, &map->list[i].content)] = (uint32_t)(i + 1);
  return true;
}

enum wb_check_content_map_result
wb_check_content_map_add(struct wb_check_content_map *map,
                         const struct wb_check_content_value *entry)
{
  if (!make_room(map))
    return WB_CHECK_CONTENT_NO_MEMORY;
  size_t slot = slot_of(map, &entry->content);
  if (map->slots[slot] != 0) {
    struct wb_check_content_value *old = &map->list[map->slots[slot] - 1];
    if (entry->value < old->value)
      old->value = entry->value;
    return WB_CHECK_CONTENT_OLD;
  }
  if (map->count == WB_CHECK_CONTENT_MAP_LIMIT)
    return WB_CHECK_CONTENT_FULL;
  map->list[map->count++] = *entry;
  map->slots[slot] = (uint32_t)map->count;
  return WB_CHECK_CONTENT_NEW;
}

const struct wb_check_content_value *
wb_check_content_map_find(const struct wb_check_content_map *map,
                          const struct wb_check_content *content)
{
  if (map->count == 0)
    return NULL;
  uint32_t found = map->slots[slot_of(map, content)];
  return found != 0 ? &map->list[found - 1] : NULL;
}

bool wb_check_content_map_is_sound(const struct wb_check_content_map *map)
{
  size_t used = 0;
  if (2 * map->count > map->slot_count || (map->slot_count & (map->slot_count - 1)) != 0)
    return map->count == 0 && map->slot_count == 0;
  for (size_t slot = 0; slot < map->slot_count; slot++)
    used += map->slots[slot] != 0;
  bool sound = used == map->count;
  for (size_t i = 0; sound && i < map->count; i++)
    sound = map->slots[slot_of(map, &map->list[i].content)] == i + 1;
  return sound;
}

/* From the newest entry to the oldest: no chain of slots leads over an entry newer
 * than the one it leads to. A wide table with few entries costs little that way. */
void wb_check_content_map_clear(struct wb_check_content_map *map)
{
  for (; map->count > 0; map->count--)
    map->slots[slot_of(map, &map->list[map->count - 1].content)] = 0;
}

void wb_check_content_map_free(struct wb_check_content_map *map)
{
  free(map->list);
  free(map->slots);
  *map = (struct wb_check_content_map){0};
}

/* ---- the string, the units and the pools ---- */

static const char type_letters[] = "LCSDTN";

size_t wb_check_machine_pool_of(const struct wb_check_potential_machine *machine, char type)
{
  size_t p = 0;
  while (p < machine->pool_count && machine->pool[p].type != type)
    p++;
  return p;
}

static warpbound_status make_pools(const struct wb_check_potential_claim *claim,
                                   struct wb_check_potential_machine *machine,
                                   warpbound_error *error)
{
  for (size_t p = 0; p < claim->pool_count; p++) {
    if (claim->pools[p].type == '\0' ||
        memchr(claim->problem.letters, claim->pools[p].type, claim->problem.length) == NULL)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "pools: the string has no type %c",
                     claim->pools[p].type);
    if (wb_check_machine_pool_of(machine, claim->pools[p].type) < machine->pool_count)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "pools: type %c stands there twice",
                     claim->pools[p].type);
    /* s = min(capacity, issue slots); 0: without limit. */
    uint64_t service = claim->problem.issue_slots;
    if (claim->pools[p].type != 'N') {
      const char *found = strchr(type_letters, claim->pools[p].type);
      const uint64_t capacity = claim->problem.capacity[found - type_letters];
      service = service > 0 ? wb_minimum(service, capacity) : capacity;
    }
    if (service == 0)
      return wb_fail(
          error, WARPBOUND_CHECK_FAILED,
          "type N without a cap on issue slots: any number of its warps issue in a cycle, "
          "so that no pool of counted warps can stand for them");
    if (claim->pools[p].warps < service)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "pools: type %c counts up to %u warps, fewer than the %" PRIu64
                     " that it serves in a "
                     "cycle",
                     claim->pools[p].type, claim->pools[p].warps, service);
    if (claim->pools[p].warps > WB_CHECK_POTENTIAL_COUNT_LIMIT ||
        claim->pools[p].work > WB_CHECK_POTENTIAL_COUNT_LIMIT)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "pools: type %c counts beyond %u",
                     claim->pools[p].type, WB_CHECK_POTENTIAL_COUNT_LIMIT);
    machine->pool[machine->pool_count++] = (struct wb_check_machine_pool){
        .type = claim->pools[p].type,
        .service = (int64_t)service,
        .most_warps = claim->pools[p].warps,
        .most_work = claim->pools[p].work,
    };
  }
  for (size_t i = 0; i < claim->problem.length; i++) {
    if (wb_check_machine_pool_of(machine, claim->problem.letters[i]) == machine->pool_count)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "pools: none for type %c",
                     claim->problem.letters[i]);
  }
  uint64_t slots = claim->problem.issue_slots;
  machine->slots = slots > 0 && slots < INT64_MAX ? (int64_t)slots : INT64_MAX;
  return WARPBOUND_OK;
}

/* ---- the steps of the string ---- */

/* The steps that are gathered: inside runs, or out of them. */
enum which { STAYS, LEAVES };

static size_t run_end(const struct wb_check_potential_claim *claim, size_t begin)
{
  size_t end = begin + 1;
  while (end < claim->problem.length &&
         claim->problem.letters[end] == claim->problem.letters[begin])
    end++;
  return end;
}

static int compare_steps(const void *left, const void *right)
{
  const struct wb_check_step_kind *a = left;
  const struct wb_check_step_kind *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  return a->length < b->length ? -1 : a->length > b->length;
}

/* Gathers the kinds of the string's steps of one sort, without values. The own warp's leaves forget
 * the length of the run entered. */
static bool gather(struct wb_arena *arena, const struct wb_check_potential_claim *claim,
                   const struct wb_check_potential_machine *machine, enum which which, bool own,
                   struct wb_check_step_kinds *steps)
{
  const char *letters = claim->problem.letters;
  size_t runs = 0;
  for (size_t begin = 0; begin < claim->problem.length; begin = run_end(claim, begin))
    runs++;
  steps->list = wb_arena_array(arena, struct wb_check_step_kind, runs);
  if (steps->list == NULL)
    return false;
  for (size_t begin = 0, end; begin < claim->problem.length; begin = end) {
    end = run_end(claim, begin);
    struct wb_check_step_kind step = {.from = wb_check_machine_pool_of(machine, letters[begin]),
                                      .times = 1,
                                      .to = machine->pool_count};
    if (which == STAYS) {
      step.to = step.from;
      step.times = end - begin - 1;
    } else if (end < claim->problem.length) {
      step.to = wb_check_machine_pool_of(machine, letters[end]);
      step.length = own ? 0 : run_end(claim, end) - end;
    }
    if (step.times > 0)
      steps->list[steps->count++] = step;
  }
  size_t kept = 0;
  qsort(steps->list, steps->count, sizeof *steps->list, compare_steps);
  for (size_t i = 0; i < steps->count; i++) {
    if (kept > 0 && compare_steps(&steps->list[kept - 1], &steps->list[i]) == 0)
      steps->list[kept - 1].times += steps->list[i].times;
    else
      steps->list[kept++] = steps->list[i];
  }
  steps->count = kept;
  return true;
}

/* ---- their values ---- */

static warpbound_status refuse_step(const char *list, char from, char to, uint64_t length,
                                    const char *why, warpbound_error *error)
{
  char where[80];
  if (from == to)
    snprintf(where, sizeof where, "in %c", from);
  else if (to == WB_CHECK_POTENTIAL_END)
    snprintf(where, sizeof where, "from %c to the end", from);
  else
    snprintf(where, sizeof where, "from %c to %c", from, to);
  char entered[40] = "";
  if (length > 0)
    snprintf(entered, sizeof entered, ", a run of length %" PRIu64, length);
  return wb_fail(error, WARPBOUND_CHECK_FAILED, "%s %s%s: %s", list, where, entered, why);
}

/* Gives the steps their values, and adds to *through those of all steps of the string. */
static warpbound_status set_values(const struct wb_check_potential_machine *machine,
                                   const char *list, const struct wb_check_potential_values *values,
                                   struct wb_check_step_kinds *steps, int64_t *through,
                                   warpbound_error *error)
{
  for (size_t i = 0; i < values->count; i++) {
    struct wb_check_step_kind key = {
        .from = wb_check_machine_pool_of(machine, values->list[i].from),
        .to = values->list[i].to == WB_CHECK_POTENTIAL_END
                  ? machine->pool_count
                  : wb_check_machine_pool_of(machine, values->list[i].to),
        .length = values->list[i].length};
    struct wb_check_step_kind *step = NULL;
    /* A letter without a pool must not pass for the end. */
    bool known = values->list[i].to == WB_CHECK_POTENTIAL_END || key.to < machine->pool_count;
    if (known && steps->count > 0)
      step = bsearch(&key, steps->list, steps->count, sizeof *steps->list, compare_steps);
    if (step == NULL)
      return refuse_step(list, values->list[i].from, values->list[i].to, values->list[i].length,
                         "the string has no such step", error);
    if (step->has_value)
      return refuse_step(list, values->list[i].from, values->list[i].to, values->list[i].length,
                         "its value stands there twice", error);
    step->value = values->list[i].value;
    step->has_value = true;
  }
  for (size_t i = 0; i < steps->count; i++) {
    const struct wb_check_step_kind *step = &steps->list[i];
    char to =
        step->to < machine->pool_count ? machine->pool[step->to].type : WB_CHECK_POTENTIAL_END;
    if (!step->has_value)
      return refuse_step(list, machine->pool[step->from].type, to, step->length, "no value", error);
    int64_t product;
    if (!wb_multiply_signed((int64_t)step->times, step->value, &product) ||
        !wb_add_signed(*through, product, through))
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "%s: the values of the whole string exceed 64 bits", list);
  }
  return WARPBOUND_OK;
}

static warpbound_status make_leaves(struct wb_arena *arena,
                                    const struct wb_check_potential_claim *claim, bool own,
                                    struct wb_check_potential_machine *machine,
                                    warpbound_error *error)
{
  struct wb_check_step_kinds *steps = own ? &machine->own_leave : &machine->leave;
  if (!gather(arena, claim, machine, LEAVES, own, steps))
    return wb_out_of_memory(error);
  if (!own && claim->component_count > 0)
    return WARPBOUND_OK;
  return set_values(machine, own ? "own_leave" : "leave", own ? &claim->own_leave : &claim->leave,
                    steps, own ? &machine->own_through : &machine->through, error);
}

static warpbound_status make_stays(struct wb_arena *arena,
                                   const struct wb_check_potential_claim *claim, bool own,
                                   struct wb_check_potential_machine *machine,
                                   warpbound_error *error)
{
  struct wb_check_step_kinds steps = {0};
  if (!gather(arena, claim, machine, STAYS, own, &steps))
    return wb_out_of_memory(error);
  warpbound_status status =
      set_values(machine, own ? "own_stay" : "stay", own ? &claim->own_stay : &claim->stay, &steps,
                 own ? &machine->own_through : &machine->through, error);
  for (size_t i = 0; status == WARPBOUND_OK && i < steps.count; i++) {
    struct wb_check_machine_pool *pool = &machine->pool[steps.list[i].from];
    *(own ? &pool->own_stay : &pool->stay) = steps.list[i].value;
  }
  return status;
}

warpbound_status wb_check_potential_machine_make(struct wb_arena *arena,
                                                 const struct wb_check_potential_claim *claim,
                                                 struct wb_check_potential_machine *machine,
                                                 warpbound_error *error)
{
  *machine = (struct wb_check_potential_machine){0};
  if (claim->problem.length == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "expected at least one instruction");
  for (size_t i = 0; i < claim->problem.length; i++) {
    char letter = claim->problem.letters[i];
    const char *found = letter != '\0' ? strchr(type_letters, letter) : NULL;
    if (found == NULL)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu: expected one of L, C, S, D, T, N", i + 1);
    if (letter != 'N' && claim->problem.capacity[found - type_letters] == 0)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu is of type %c, for which no units are given", i + 1, letter);
  }
  warpbound_status status = make_pools(claim, machine, error);
  if (status != WARPBOUND_OK)
    return status;
  machine->first = wb_check_machine_pool_of(machine, claim->problem.letters[0]);
  machine->first_length = run_end(claim, 0);
  for (size_t begin = 0, end; begin < claim->problem.length; begin = end) {
    end = run_end(claim, begin);
    struct wb_check_machine_pool *pool =
        &machine->pool[wb_check_machine_pool_of(machine, claim->problem.letters[begin])];
    if ((int64_t)(end - begin) > pool->longest)
      pool->longest = (int64_t)(end - begin);
    pool->stays = pool->longest >= 2;
    pool->waits = true;
  }
  for (int own = 0; own < 2; own++) {
    if (status == WARPBOUND_OK && (own == 1 || claim->component_count == 0))
      status = make_stays(arena, claim, own == 1, machine, error);
    if (status == WARPBOUND_OK)
      status = make_leaves(arena, claim, own == 1, machine, error);
  }
  assert(status != WARPBOUND_OK || wb_check_potential_machine_is_sound(machine));
  return status;
}

static bool is_sorted(const struct wb_check_step_kinds *steps)
{
  bool sorted = true;
  for (size_t i = 1; i < steps->count; i++)
    sorted = sorted && compare_steps(&steps->list[i - 1], &steps->list[i]) < 0;
  return sorted;
}

bool wb_check_potential_machine_is_sound(const struct wb_check_potential_machine *machine)
{
  bool sound = is_sorted(&machine->leave) && is_sorted(&machine->own_leave);
  for (size_t p = 0; p < machine->pool_count; p++) {
    const struct wb_check_machine_pool *pool = &machine->pool[p];
    sound = sound && wb_check_machine_pool_of(machine, pool->type) == p && pool->service >= 1 &&
            pool->most_warps >= pool->service;
  }
  for (size_t k = 0; k < machine->own_leave.count; k++)
    sound = sound && machine->own_leave.list[k].length == 0;
  return sound;
}

/* ---- moves ---- */

static warpbound_status spend(struct wb_check_potential_moves *moves, uint64_t work,
                              warpbound_error *error)
{
  if (work > moves->work_limit - moves->work)
    return wb_fail(error, WARPBOUND_LIMIT, "more than %" PRIu64 " steps of work to check",
                   moves->work_limit);
  moves->work += work;
  return wb_check_pace(moves->control, moves->work - work, moves->work, error);
}

static warpbound_status too_large(warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_CHECK_FAILED, "the values of a cycle exceed 64 bits");
}

static warpbound_status add(struct wb_check_content_map *sums,
                            const struct wb_check_content_value *sum, warpbound_error *error)
{
  switch (wb_check_content_map_add(sums, sum)) {
  case WB_CHECK_CONTENT_FULL:
    return wb_fail(error, WARPBOUND_LIMIT, "more than %zu ways in which a cycle can end",
                   WB_CHECK_CONTENT_MAP_LIMIT);
  case WB_CHECK_CONTENT_NO_MEMORY:
    return wb_out_of_memory(error);
  default:
    return WARPBOUND_OK;
  }
}

/* ---- sums of contents ---- */

/* Both contents together. Numbers are cut off at the pools' limits in every sum; the result is the
 * same as if only the last were cut off, as no number is negative. */
static bool join(const struct wb_check_potential_machine *machine,
                 const struct wb_check_content_value *left,
                 const struct wb_check_content_value *right, struct wb_check_content_value *both)
{
  *both = (struct wb_check_content_value){0};
  for (size_t p = 0; p < machine->pool_count; p++) {
    const struct wb_check_machine_pool *pool = &machine->pool[p];
    const uint64_t warps = (uint64_t)left->content.warps[p] + right->content.warps[p];
    const uint64_t work = (uint64_t)left->content.work[p] + right->content.work[p];
    both->content.warps[p] = (uint32_t)wb_minimum(warps, (uint64_t)pool->most_warps);
    both->content.work[p] = (uint32_t)wb_minimum(work, (uint64_t)pool->most_work);
  }
  return wb_add_signed(left->value, right->value, &both->value);
}

/* ---- exits: the runs that leaving warps enter ---- */

/* Makes exits[p] of up to e warps, each from those of one warp fewer. The state after a cycle
 * depends on the warps that leave their runs only by the warps and instructions that they bring to
 * each pool, cut off at its limits; and of all the ways to bring the same, the one of the least sum
 * of values gains least. So one entry for each content is enough. */
static warpbound_status make_exits(struct wb_check_potential_moves *moves, size_t p, size_t e,
                                   warpbound_error *error)
{
  static const struct wb_check_content_value no_warps = {0};
  const struct wb_check_step_kinds *leave = &moves->machine->leave;
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && moves->exit_counts[p] <= e) {
    size_t count = moves->exit_counts[p];
    if (!wb_grow(moves->exits[p], &moves->exit_capacities[p], count + 1))
      return wb_out_of_memory(error);
    struct wb_check_content_map *more = &moves->exits[p][count];
    *more = (struct wb_check_content_map){0};
    moves->exit_counts[p]++;
    if (count == 0)
      status = add(more, &no_warps, error);
    for (size_t k = 0; count > 0 && status == WARPBOUND_OK && k < leave->count; k++) {
      const struct wb_check_content_map *fewer = &moves->exits[p][count - 1];
      const struct wb_check_step_kind *step = &leave->list[k];
      if (step->from != p || !step->has_value)
        continue;
      /* The content that one warp brings to the pool it enters; none where it ends. */
      struct wb_check_content_value last = {.value = step->value};
      if (step->to < moves->machine->pool_count) {
        last.content.warps[step->to] = 1;
        last.content.work[step->to] =
            (uint32_t)wb_minimum(step->length, (uint64_t)moves->machine->pool[step->to].most_work);
      }
      status = spend(moves, fewer->count, error);
      for (size_t i = 0; status == WARPBOUND_OK && i < fewer->count; i++) {
        struct wb_check_content_value sum;
        status = join(moves->machine, &fewer->list[i], &last, &sum) ? add(more, &sum, error)
                                                                    : too_large(error);
      }
    }
    moves->exit_total += more->count;
    if (status == WARPBOUND_OK && moves->exit_total > WB_CHECK_CONTENT_MAP_LIMIT)
      status = wb_fail(error, WARPBOUND_LIMIT, "more than %zu ways to leave the pools",
                       WB_CHECK_CONTENT_MAP_LIMIT);
  }
  return status;
}

/* ---- one pool ---- */

/* A true number that an abstract one stands for. */
struct number {
  int64_t least;
  /* It may be any larger number too. */
  bool open;
};

/* Whether true numbers n of warps and b of work as given exist with
 *   e + 2 (y - e) + (n - y) <= b <= e + longest (n - e)  and  y <= n:
 * y warps issue, e of them leave. The left side is n + y - e.
 * Where n is exact, an open b does where the least that is both allowed and not below
 * the left side is not above the right side.
 * Where n is open (K + e or more; so y <= s <= K <= n), a given b is possible iff it is
 * not below the left side of the least n, and longest >= 2 or e = y. It is necessary:
 * the left side grows with n; and with longest = 1 both sides allow b only if
 * n + y - e <= n. It is enough: take n = b - y + e, for which the left side is b, and the
 * right side is e + longest (b - y): with e = y that is at least b, and with longest >= 2
 * at least e + 2 b - 2 y, which is b or more as b >= n + y - e >= 2 y - e. An open b can
 * be taken as large as that needs. */
static bool possible(const struct wb_check_machine_pool *pool, int64_t y, int64_t e,
                     struct number warps, struct number work)
{
  int64_t low = warps.least + y - e;
  int64_t high = e + pool->longest * (warps.least - e);
  if (warps.open)
    return (pool->longest >= 2 || e == y) && (work.open || work.least >= low);
  int64_t least = work.open && work.least < low ? low : work.least;
  return y <= warps.least && low <= least && least <= high;
}

/* The range of the numbers that a pool can have after a cycle; empty where last < first. */
struct remains {
  int64_t first;
  int64_t last;
};

/* The rest of a number shown as `shown` after `taken` are gone: just one number where that is
 * exact (below `most`), else what is left of most, most + 1, .. most + taken - 1, and `most` itself
 * for all larger ones. */
static struct remains remains_of(int64_t shown, int64_t most, int64_t taken)
{
  struct remains remains = {shown - taken, shown < most ? shown - taken : most};
  if (remains.first < 0)
    remains.first = 0; /* exact: then last < first */
  return remains;
}

/* Adds the ways in which e warps leave pool p, which then has the rest. */
static warpbound_status add_exits(struct wb_check_potential_moves *moves, size_t p, size_t e,
                                  const struct wb_check_content_value *rest, warpbound_error *error)
{
  warpbound_status status = make_exits(moves, p, e, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_check_content_map *exits = &moves->exits[p][e];
  status = spend(moves, exits->count, error);
  for (size_t i = 0; status == WARPBOUND_OK && i < exits->count; i++) {
    if (moves->way_count == WB_CHECK_CONTENT_MAP_LIMIT)
      return wb_fail(error, WARPBOUND_LIMIT, "more than %zu ways in which a pool can change",
                     WB_CHECK_CONTENT_MAP_LIMIT);
    if (!wb_grow(moves->ways, &moves->way_capacity, moves->way_count + 1))
      return wb_out_of_memory(error);
    status = join(moves->machine, &exits->list[i], rest, &moves->ways[moves->way_count++])
                 ? WARPBOUND_OK
                 : too_large(error);
  }
  return status;
}

/* Adds the ways in which y of the warps of pool p issue and e of these leave. */
static warpbound_status add_ways(struct wb_check_potential_moves *moves, size_t p,
                                 const struct wb_check_content *content, int64_t y, int64_t e,
                                 warpbound_error *error)
{
  const struct wb_check_machine_pool *pool = &moves->machine->pool[p];
  struct remains warps = remains_of(content->warps[p], pool->most_warps, e);
  struct remains work = remains_of(content->work[p], pool->most_work, y);
  struct wb_check_content_value rest = {0};
  if (!wb_multiply_signed(y - e, pool->stay, &rest.value))
    return too_large(error);
  warpbound_status status = spend(moves, 1, error);
  if (y > e && !pool->stays)
    return status;
  for (int64_t n = warps.first; status == WARPBOUND_OK && n <= warps.last; n++) {
    for (int64_t b = work.first; status == WARPBOUND_OK && b <= work.last; b++) {
      status = spend(moves, 1, error);
      struct number all_warps = {n + e, pool->waits && n == pool->most_warps};
      struct number all_work = {b + y, b == pool->most_work};
      if (status != WARPBOUND_OK || (!pool->waits && all_warps.least > y) ||
          !possible(pool, y, e, all_warps, all_work))
        continue;
      rest.content.warps[p] = (uint32_t)n;
      rest.content.work[p] = (uint32_t)b;
      status = add_exits(moves, p, (size_t)e, &rest, error);
    }
  }
  return status;
}

warpbound_status wb_check_potential_moves_find(struct wb_check_potential_moves *moves,
                                               const struct wb_check_content *content,
                                               const int64_t issuing[WB_CHECK_POTENTIAL_POOLS],
                                               warpbound_error *error)
{
  static const struct wb_check_content_value no_warps = {0};
  wb_check_content_map_clear(&moves->after);
  warpbound_status status = add(&moves->after, &no_warps, error);
  for (size_t p = 0; status == WARPBOUND_OK && p < moves->machine->pool_count; p++) {
    moves->way_count = 0;
    for (int64_t e = 0; status == WARPBOUND_OK && e <= issuing[p]; e++)
      status = add_ways(moves, p, content, issuing[p], e, error);
    /* Joins every content of the pools before with every way of this one. */
    const struct wb_check_content_map kept = moves->before;
    moves->before = moves->after;
    moves->after = kept;
    wb_check_content_map_clear(&moves->after);
    for (size_t i = 0; status == WARPBOUND_OK && i < moves->before.count; i++) {
      status = spend(moves, moves->way_count, error);
      for (size_t k = 0; status == WARPBOUND_OK && k < moves->way_count; k++) {
        struct wb_check_content_value sum;
        status = join(moves->machine, &moves->before.list[i], &moves->ways[k], &sum)
                     ? add(&moves->after, &sum, error)
                     : too_large(error);
      }
    }
  }
  return status;
}

void wb_check_potential_moves_start(struct wb_check_potential_moves *moves,
                                    const struct wb_check_potential_machine *machine,
                                    uint64_t work_limit, const struct wb_control *control)
{
  *moves = (struct wb_check_potential_moves){
      .machine = machine, .work_limit = work_limit, .control = control};
}

void wb_check_potential_moves_free(struct wb_check_potential_moves *moves)
{
  for (size_t p = 0; p < WB_CHECK_POTENTIAL_POOLS; p++) {
    for (size_t e = 0; e < moves->exit_counts[p]; e++)
      wb_check_content_map_free(&moves->exits[p][e]);
    free(moves->exits[p]);
  }
  free(moves->ways);
  wb_check_content_map_free(&moves->after);
  wb_check_content_map_free(&moves->before);
  *moves = (struct wb_check_potential_moves){0};
}
