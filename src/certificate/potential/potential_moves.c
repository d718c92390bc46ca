#include "certificate/potential/potential_moves.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/potential/check_pace.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- limits ---- */

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

/* The sum of two numbers, cut off. */
static uint32_t add_up_to(uint32_t left, uint32_t right, int64_t most)
{
  return (uint32_t)wb_minimum((uint64_t)left + right, (uint64_t)most);
}

/* Both contents together. Numbers are cut off at the pools' limits in every sum; the result is the
 * same as if only the last were cut off, as no number is negative. */
static bool join(const struct wb_check_potential_machine *machine,
                 const struct wb_check_content_value *left,
                 const struct wb_check_content_value *right, struct wb_check_content_value *both)
{
  *both = (struct wb_check_content_value){0};
  for (size_t p = 0; p < machine->pool_count; p++) {
    const struct wb_check_machine_pool *pool = &machine->pool[p];
    both->content.warps[p] =
        add_up_to(left->content.warps[p], right->content.warps[p], pool->most_warps);
    both->content.work[p] =
        add_up_to(left->content.work[p], right->content.work[p], pool->most_work);
  }
  return wb_add_signed(left->value, right->value, &both->value);
}

/* ---- exits: the runs that leaving warps enter ---- */

/* Makes the exits of one warp more from pool p. */
static warpbound_status one_more(struct wb_check_potential_moves *moves, size_t p,
                                 const struct wb_check_content_map *fewer,
                                 struct wb_check_content_map *more, warpbound_error *error)
{
  const struct wb_check_step_kinds *leave = &moves->machine->leave;
  warpbound_status status = WARPBOUND_OK;
  for (size_t k = 0; status == WARPBOUND_OK && k < leave->count; k++) {
    if (leave->list[k].from != p || !leave->list[k].has_value)
      continue;
    /* The content that one warp brings to the pool it enters; none where it ends. */
    struct wb_check_content_value last = {.value = leave->list[k].value};
    if (leave->list[k].to < moves->machine->pool_count) {
      last.content.warps[leave->list[k].to] = 1;
      last.content.work[leave->list[k].to] = (uint32_t)wb_minimum(
          leave->list[k].length, (uint64_t)moves->machine->pool[leave->list[k].to].most_work);
    }
    status = spend(moves, fewer->count, error);
    for (size_t i = 0; status == WARPBOUND_OK && i < fewer->count; i++) {
      struct wb_check_content_value sum;
      status = join(moves->machine, &fewer->list[i], &last, &sum) ? add(more, &sum, error)
                                                                  : too_large(error);
    }
  }
  return status;
}

/* Makes exits[p] of up to e warps. The state after a cycle depends on the warps that leave their
 * runs only by the warps and instructions that they bring to each pool, cut off at its limits; and
 * of all the ways to bring the same, the one of the least sum of values gains least. So one entry
 * for each content is enough. */
static warpbound_status make_exits(struct wb_check_potential_moves *moves, size_t p, size_t e,
                                   warpbound_error *error)
{
  static const struct wb_check_content_value no_warps = {0};
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && moves->exit_counts[p] <= e) {
    size_t count = moves->exit_counts[p];
    if (!wb_grow(moves->exits[p], &moves->exit_capacities[p], count + 1))
      return wb_out_of_memory(error);
    struct wb_check_content_map *more = &moves->exits[p][count];
    *more = (struct wb_check_content_map){0};
    moves->exit_counts[p]++;
    status = count == 0 ? add(more, &no_warps, error)
                        : one_more(moves, p, &moves->exits[p][count - 1], more, error);
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

/* ---- all pools ---- */

/* Joins every content of `before` with every way of one pool. */
static warpbound_status join_ways(struct wb_check_potential_moves *moves, warpbound_error *error)
{
  wb_check_content_map_clear(&moves->after);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < moves->before.count; i++) {
    status = spend(moves, moves->way_count, error);
    for (size_t k = 0; status == WARPBOUND_OK && k < moves->way_count; k++) {
      struct wb_check_content_value sum;
      status = join(moves->machine, &moves->before.list[i], &moves->ways[k], &sum)
                   ? add(&moves->after, &sum, error)
                   : too_large(error);
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
    struct wb_check_content_map kept = moves->before;
    moves->before = moves->after;
    moves->after = kept;
    if (status == WARPBOUND_OK)
      status = join_ways(moves, error);
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
