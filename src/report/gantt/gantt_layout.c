#include "report/gantt/gantt_layout.h"

#include "base/arena.h"
#include "base/checked.h"

#include <inttypes.h>

#define NO_ROW UINT32_MAX

/* A walk through the cycles. next[w]: the instruction that warp w has not issued
 * yet; barriers[w]: the B that it has; row[w]: the unit row that served it in the cycle before, or
 * NO_ROW; shown[w]: its row of the picture, or NO_ROW; taken: rows of each pool that are looked at
 * already for the cycle. */
struct walk {
  const struct wb_gantt_plan *plan;
  struct wb_gantt_window *window;
  size_t *next;
  size_t *barriers;
  uint32_t *row;
  uint32_t *shown;
  uint32_t *taken;
  struct wb_arena arena; /* of the arrays */
};

static size_t length_of(const struct wb_schedule *schedule, uint32_t warp)
{
  return schedule->first[warp + 1] - schedule->first[warp];
}

static const uint8_t *types_of(const struct walk *walk, uint32_t warp)
{
  return walk->plan->types[walk->plan->schedule->string_of[warp]];
}

/* Whether the warp's last instruction is a B that others of its block still have to do. */
static bool waits_at_barrier(const struct walk *walk, uint32_t warp, uint64_t cycle)
{
  const struct wb_gantt_plan *plan = walk->plan;
  size_t next = walk->next[warp];
  if (next == 0 || types_of(walk, warp)[next - 1] != WB_UNIT_BARRIER)
    return false;
  size_t of_block = wb_sm_block_of(plan->problem, warp) * plan->barriers;
  return cycle <= plan->release[of_block + walk->barriers[warp] - 1];
}

/* The type that the warp issues in a cycle, or why it issues none. */
static uint32_t activity(const struct walk *walk, uint32_t warp, uint64_t cycle)
{
  const struct wb_schedule *schedule = walk->plan->schedule;
  size_t next = walk->next[warp];
  if (next == length_of(schedule, warp))
    return WB_GANTT_FINISHED;
  if (schedule->issue_cycle[schedule->first[warp] + next] == cycle)
    return types_of(walk, warp)[next];
  return waits_at_barrier(walk, warp, cycle) ? WB_GANTT_BARRIER : WB_GANTT_WAITING;
}

/* The pool that serves the warp when it issues a type; NULL for none. */
static const struct wb_gantt_pool *pool_of(const struct walk *walk, uint32_t warp, uint32_t type)
{
  const struct wb_gantt_plan *plan = walk->plan;
  size_t partition = wb_sm_partition_of(plan->problem, warp);
  uint32_t pool = plan->pool_of[partition * WB_UNIT_COUNT + type];
  return pool != WB_GANTT_NO_POOL ? &plan->pools[pool] : NULL;
}

/* Counts what is issued in the cycle, and leaves the warps that go on with a type
 * on their units. */
static void keep_units(struct walk *walk, size_t at)
{
  const struct wb_gantt_plan *plan = walk->plan;
  struct wb_gantt_window *window = walk->window;
  for (uint32_t w = 0; w < plan->schedule->warps; w++) {
    uint32_t type = activity(walk, w, window->first + at);
    const struct wb_gantt_pool *pool = type < WB_UNIT_COUNT ? pool_of(walk, w, type) : NULL;
    if (walk->shown[w] != NO_ROW)
      window->warp_cells[walk->shown[w] * window->cycles + at] = type;
    if (type < WB_UNIT_COUNT)
      window->issued[wb_sm_partition_of(plan->problem, w) * window->cycles + at]++;
    if (pool != NULL)
      window->used[(size_t)(pool - plan->pools) * window->cycles + at]++;
    if (!(pool != NULL && walk->row[w] != NO_ROW && walk->row[w] >= pool->base &&
          walk->row[w] - pool->base < pool->rows))
      walk->row[w] = NO_ROW;
    else
      window->unit_cells[walk->row[w] * window->cycles + at] = w + 1;
  }
}

/* Gives the other warps that issue in the cycle the units still free, and goes on
 * to everyone's next instruction. */
static void take_units(struct walk *walk, size_t at)
{
  const struct wb_gantt_plan *plan = walk->plan;
  struct wb_gantt_window *window = walk->window;
  for (size_t i = 0; i < plan->pool_count; i++)
    walk->taken[i] = 0;
  for (uint32_t w = 0; w < plan->schedule->warps; w++) {
    uint32_t type = activity(walk, w, window->first + at);
    if (type >= WB_UNIT_COUNT)
      continue;
    walk->next[w]++;
    walk->barriers[w] += type == WB_UNIT_BARRIER;
    const struct wb_gantt_pool *pool = pool_of(walk, w, type);
    if (walk->row[w] != NO_ROW || pool == NULL)
      continue;
    const uint32_t *cells = window->unit_cells + pool->base * window->cycles + at;
    uint32_t *place = &walk->taken[pool - plan->pools];
    while (*place < pool->rows && cells[*place * window->cycles] != 0)
      ++*place;
    if (*place == pool->rows)
      continue;
    walk->row[w] = pool->base + *place;
    window->unit_cells[walk->row[w] * window->cycles + at] = w + 1;
  }
}

static bool start(struct walk *walk)
{
  const struct wb_gantt_plan *plan = walk->plan;
  struct wb_gantt_window *window = walk->window;
  uint32_t warps = plan->schedule->warps;
  window->warp_cells =
      wb_arena_allocate(&window->arena, plan->warp_rows * window->cycles, sizeof(uint32_t));
  window->unit_cells =
      wb_arena_allocate(&window->arena, plan->all_unit_rows * window->cycles, sizeof(uint32_t));
  window->used =
      wb_arena_allocate(&window->arena, plan->pool_count * window->cycles, sizeof(uint32_t));
  window->issued =
      wb_arena_allocate(&window->arena, plan->partitions * window->cycles, sizeof(uint32_t));
  walk->next = wb_arena_allocate(&walk->arena, warps, sizeof *walk->next);
  walk->barriers = wb_arena_allocate(&walk->arena, warps, sizeof *walk->barriers);
  walk->row = wb_arena_allocate(&walk->arena, warps, sizeof *walk->row);
  walk->shown = wb_arena_allocate(&walk->arena, warps, sizeof *walk->shown);
  walk->taken = wb_arena_allocate(&walk->arena, plan->pool_count, sizeof *walk->taken);
  if (!(!window->arena.failed && !walk->arena.failed))
    return false;
  for (uint32_t w = 0; w < plan->schedule->warps; w++) {
    /* The warp's first instruction that is issued in `cycle` or later. */
    const uint32_t *cycles = plan->schedule->issue_cycle + plan->schedule->first[w];
    size_t low = 0, high = length_of(plan->schedule, w);
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      if (cycles[middle] < walk->window->first)
        low = middle + 1;
      else
        high = middle;
    }
    walk->next[w] = low;
    for (size_t i = 0; i < walk->next[w] && plan->barriers > 0; i++)
      walk->barriers[w] += types_of(walk, w)[i] == WB_UNIT_BARRIER;
    walk->row[w] = NO_ROW;
    walk->shown[w] = NO_ROW;
  }
  for (uint32_t row = 0; row < plan->warp_rows; row++)
    walk->shown[plan->warps[row]] = row;
  return true;
}

bool wb_gantt_window_make(const struct wb_gantt_plan *plan, uint64_t first, size_t cycles,
                          struct wb_gantt_window *window)
{
  *window = (struct wb_gantt_window){.first = first, .cycles = cycles};
  struct walk walk = {.plan = plan, .window = window};
  bool made = start(&walk);
  for (size_t at = 0; made && at < cycles; at++) {
    keep_units(&walk, at);
    take_units(&walk, at);
  }
  wb_arena_free(&walk.arena);
  return made;
}

void wb_gantt_window_free(struct wb_gantt_window *window)
{
  wb_arena_free(&window->arena);
  *window = (struct wb_gantt_window){0};
}

void wb_gantt_strings(const struct wb_sm_problem *problem, size_t longest, struct wb_text *text)
{
  struct wb_text letters = {0};
  for (size_t s = 0; s < problem->string_count && letters.length <= longest; s++) {
    /* Every run writes a character or more: more runs than that are not needed. */
    struct wb_kernel_string head = problem->strings[s];
    head.run_count = (size_t)wb_minimum(head.run_count, longest + 1);
    wb_text_string(&letters, s > 0 ? ", " : "");
    wb_kernel_string_write(&head, &letters);
  }
  if (letters.failed)
    text->failed = true;
  else if (letters.length <= longest)
    wb_text_append(text, letters.data, letters.length);
  else
    wb_text_format(text, "%.*s...", (int)longest, letters.data);
  wb_text_free(&letters);
}

void wb_gantt_division(const struct wb_sm_problem *problem, struct wb_text *text)
{
  if (problem->blocks > 1)
    wb_text_format(text, " in %" PRIu32 " blocks", problem->blocks);
  if (problem->partitions > 1)
    wb_text_format(text, " on %" PRIu32 " partitions", problem->partitions);
}
