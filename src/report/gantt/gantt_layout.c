/* What the pictures of a schedule show: rows of warps and units, and their state in each cycle. */
#include "base/binary_search.h"
#include "base/checked.h"
#include "report/gantt/gantt.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool wb_gantt_uses(const struct wb_sm_problem *problem, enum wb_unit unit)
{
  for (size_t s = 0; s < problem->string_count; s++) {
    if (problem->strings[s].count[unit] > 0)
      return true;
  }
  return false;
}

bool wb_gantt_has_shared_pools(const struct wb_gantt_plan *plan)
{
  return plan->pool_count != 0 &&
         plan->pools[plan->pool_count - 1].partition == WB_GANTT_ALL_PARTITIONS;
}

static bool is_shared(const struct wb_gantt_plan *plan, enum wb_unit unit)
{
  return plan->problem->shared[unit] && plan->partitions > 1;
}

/* Warps of the first partition, of which no other has more. */
static uint32_t partition_warps(const struct wb_gantt_plan *plan)
{
  const struct wb_sm_problem *problem = plan->problem;
  return problem->blocks * (uint32_t)wb_divide_up(problem->block_warps, problem->partitions);
}

/* ---- warps ---- */

/* A warp that may be shown. */
struct candidate {
  uint32_t warp;
  uint32_t partition;
  uint32_t finish;
};

/* Those that finish last first. */
static int compare_finish(const void *left, const void *right)
{
  const struct candidate *a = left;
  const struct candidate *b = right;
  if (a->finish != b->finish)
    return a->finish > b->finish ? -1 : 1;
  return a->warp < b->warp ? -1 : 1;
}

static int compare_place(const void *left, const void *right)
{
  const struct candidate *a = left;
  const struct candidate *b = right;
  if (a->partition != b->partition)
    return a->partition < b->partition ? -1 : 1;
  return a->warp < b->warp ? -1 : 1;
}

static bool choose_warps(struct wb_gantt_plan *plan, uint32_t limit)
{
  const struct wb_schedule *schedule = plan->schedule;
  struct candidate *candidates = wb_arena_array(&plan->arena, struct candidate, schedule->warps);
  plan->warp_rows = (uint32_t)wb_minimum(limit, schedule->warps);
  plan->warps = wb_arena_array(&plan->arena, uint32_t, plan->warp_rows);
  plan->first_row = wb_arena_array(&plan->arena, uint32_t, (size_t)plan->partitions + 1);
  if (plan->arena.failed)
    return false;
  for (uint32_t w = 0; w < schedule->warps; w++)
    candidates[w] = (struct candidate){w, wb_sm_partition_of(plan->problem, w),
                                       schedule->issue_cycle[schedule->first[w + 1] - 1]};
  qsort(candidates, schedule->warps, sizeof *candidates, compare_finish);
  qsort(candidates, plan->warp_rows, sizeof *candidates, compare_place);
  for (uint32_t row = 0; row < plan->warp_rows; row++) {
    plan->warps[row] = candidates[row].warp;
    plan->first_row[candidates[row].partition + 1] = row + 1;
  }
  for (uint32_t p = 0; p < plan->partitions; p++) {
    if (plan->first_row[p + 1] < plan->first_row[p])
      plan->first_row[p + 1] = plan->first_row[p];
  }
  return true;
}

/* ---- units ---- */

static void add_pool(struct wb_gantt_plan *plan, enum wb_unit unit, uint32_t partition)
{
  uint32_t capacity = plan->problem->capacity[unit];
  uint32_t warps =
      partition == WB_GANTT_ALL_PARTITIONS ? plan->schedule->warps : partition_warps(plan);
  if (!wb_gantt_uses(plan->problem, unit) || capacity == WB_UNLIMITED)
    return;
  bool everywhere = partition == WB_GANTT_ALL_PARTITIONS;
  for (uint32_t p = everywhere ? 0 : partition; p < (everywhere ? plan->partitions : partition + 1);
       p++)
    plan->pool_of[(size_t)p * WB_UNIT_COUNT + unit] = (uint32_t)plan->pool_count;
  plan->pools[plan->pool_count++] = (struct wb_gantt_pool){
      .unit = unit, .partition = partition, .units = (uint32_t)wb_minimum(capacity, warps)};
}

static bool make_pools(struct wb_gantt_plan *plan, uint32_t limit)
{
  size_t places = (size_t)plan->partitions * WB_UNIT_COUNT;
  plan->pools = wb_arena_allocate(&plan->arena, places, sizeof *plan->pools);
  plan->pool_of = wb_arena_allocate(&plan->arena, places, sizeof *plan->pool_of);
  if (plan->arena.failed)
    return false;
  for (size_t i = 0; i < places; i++)
    plan->pool_of[i] = WB_GANTT_NO_POOL;
  for (uint32_t p = 0; p < plan->partitions; p++) {
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      if (!is_shared(plan, (enum wb_unit)u))
        add_pool(plan, (enum wb_unit)u, p);
    }
  }
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (is_shared(plan, (enum wb_unit)u))
      add_pool(plan, (enum wb_unit)u, WB_GANTT_ALL_PARTITIONS);
  }
  uint64_t share = limit > 0 ? wb_maximum(limit / wb_maximum(plan->pool_count, 1), 1) : 0;
  for (size_t i = 0; i < plan->pool_count; i++) {
    struct wb_gantt_pool *pool = &plan->pools[i];
    pool->rows = (uint32_t)wb_minimum(pool->units, share);
    pool->base = plan->all_unit_rows;
    plan->all_unit_rows += pool->rows;
  }
  return true;
}

const struct wb_gantt_pool *wb_gantt_pool_of(const struct wb_gantt_plan *plan, uint32_t partition,
                                             uint32_t unit)
{
  const uint32_t pool = plan->pool_of[(size_t)partition * WB_UNIT_COUNT + unit];
  return pool != WB_GANTT_NO_POOL ? &plan->pools[pool] : NULL;
}

static size_t length_of(const struct wb_schedule *schedule, uint32_t warp)
{
  return schedule->first[warp + 1] - schedule->first[warp];
}

static bool find_releases(struct wb_gantt_plan *plan)
{
  const struct wb_sm_problem *problem = plan->problem;
  plan->types = wb_arena_array(&plan->arena, uint8_t *, problem->string_count);
  plan->barriers = problem->strings[0].count[WB_UNIT_BARRIER];
  plan->release =
      wb_arena_allocate(&plan->arena, plan->barriers * problem->blocks, sizeof *plan->release);
  if (plan->arena.failed)
    return false;
  for (size_t s = 0; s < problem->string_count; s++) {
    plan->types[s] = wb_kernel_string_expand(&problem->strings[s]);
    if (plan->types[s] == NULL)
      return false;
  }
  const struct wb_schedule *schedule = plan->schedule;
  for (uint32_t w = 0; w < schedule->warps; w++) {
    const uint8_t *types = plan->types[schedule->string_of[w]];
    const uint32_t *cycles = schedule->issue_cycle + schedule->first[w];
    uint32_t *release = plan->release + wb_sm_block_of(problem, w) * plan->barriers;
    for (size_t i = 0; i < length_of(schedule, w); i++) {
      if (types[i] != WB_UNIT_BARRIER)
        continue;
      *release = cycles[i] > *release ? cycles[i] : *release;
      release++;
    }
  }
  return true;
}

bool wb_gantt_plan_make(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                        uint32_t warp_limit, uint32_t unit_limit, struct wb_gantt_plan *plan)
{
  assert(schedule->warps == wb_sm_problem_warps(problem) && schedule->issue_cycle != NULL);
  *plan = (struct wb_gantt_plan){.problem = problem, .schedule = schedule};
  plan->partitions = (uint32_t)wb_minimum(problem->partitions, problem->block_warps);
  /* False where the cap is at least the sum of the capacities of the types used, or the number of
   * warps of a partition. */
  uint64_t sum = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (wb_gantt_uses(plan->problem, (enum wb_unit)u))
      sum += plan->problem->capacity[u];
  }
  plan->capped = plan->problem->issue_slots < wb_minimum(sum, partition_warps(plan));
  return choose_warps(plan, warp_limit) && make_pools(plan, unit_limit) && find_releases(plan);
}

void wb_gantt_plan_free(struct wb_gantt_plan *plan)
{
  for (size_t s = 0; plan->types != NULL && s < plan->problem->string_count; s++)
    free(plan->types[s]);
  wb_arena_free(&plan->arena);
  *plan = (struct wb_gantt_plan){0};
}

unsigned wb_gantt_busy_permille(const struct wb_gantt_plan *plan, enum wb_unit unit,
                                uint32_t partition)
{
  const struct wb_sm_problem *problem = plan->problem;
  const struct wb_schedule *schedule = plan->schedule;
  bool slots = unit == WB_UNIT_COUNT;
  bool everywhere = partition == WB_GANTT_ALL_PARTITIONS;
  double busy = 0;
  for (uint32_t w = 0; w < schedule->warps; w++) {
    const struct wb_kernel_string *string = &problem->strings[schedule->string_of[w]];
    if (everywhere || wb_sm_partition_of(problem, w) == partition)
      busy += (double)(slots ? string->length : string->count[unit]);
  }
  double places = (double)(slots ? problem->issue_slots : problem->capacity[unit]);
  if (everywhere && (slots || !is_shared(plan, unit)))
    places *= plan->partitions;
  return (unsigned)(1000 * busy / (places * (double)wb_maximum(schedule->makespan, 1)) + 0.5);
}

#define NO_ROW UINT32_MAX

/* A walk through the cycles; the arrays are of the window's arena. next[w]: the instruction that
 * warp w has not issued yet; barriers[w]: the B that it has; row[w]: the unit row that served it in
 * the cycle before, or NO_ROW; shown[w]: its row of the picture, or NO_ROW; taken: rows of each
 * pool that are looked at already for the cycle. */
struct walk {
  const struct wb_gantt_plan *plan;
  struct wb_gantt_window *window;
  size_t *next;
  size_t *barriers;
  uint32_t *row;
  uint32_t *shown;
  uint32_t *taken;
};

static const uint8_t *types_of(const struct walk *walk, uint32_t warp)
{
  return walk->plan->types[walk->plan->schedule->string_of[warp]];
}

/* The type that the warp issues in a cycle, or why it issues none. */
static uint32_t activity(const struct walk *walk, uint32_t warp, uint64_t cycle)
{
  const struct wb_gantt_plan *plan = walk->plan;
  const struct wb_schedule *schedule = plan->schedule;
  const uint8_t *types = types_of(walk, warp);
  const size_t next = walk->next[warp];
  if (next == length_of(schedule, warp))
    return WB_GANTT_FINISHED;
  if (schedule->issue_cycle[schedule->first[warp] + next] == cycle)
    return types[next];
  if (next == 0 || types[next - 1] != WB_UNIT_BARRIER)
    return WB_GANTT_WAITING;
  /* Its last instruction is a B that others of its block may still have to do. */
  const size_t of_block = wb_sm_block_of(plan->problem, warp) * plan->barriers;
  return cycle <= plan->release[of_block + walk->barriers[warp] - 1] ? WB_GANTT_BARRIER
                                                                     : WB_GANTT_WAITING;
}

/* Counts what is issued in the cycle, and leaves the warps that go on with a type
 * on their units. */
static void keep_units(struct walk *walk, size_t at)
{
  const struct wb_gantt_plan *plan = walk->plan;
  struct wb_gantt_window *window = walk->window;
  for (uint32_t w = 0; w < plan->schedule->warps; w++) {
    uint32_t type = activity(walk, w, window->first + at);
    const uint32_t partition = wb_sm_partition_of(plan->problem, w);
    const struct wb_gantt_pool *pool =
        type < WB_UNIT_COUNT ? wb_gantt_pool_of(plan, partition, type) : NULL;
    if (walk->shown[w] != NO_ROW)
      window->warp_cells[walk->shown[w] * window->cycles + at] = type;
    if (type < WB_UNIT_COUNT)
      window->issued[partition * window->cycles + at]++;
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
    const struct wb_gantt_pool *pool =
        wb_gantt_pool_of(plan, wb_sm_partition_of(plan->problem, w), type);
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

static bool is_issued_before(const void *items, size_t index, const void *key)
{
  return ((const uint32_t *)items)[index] < *(const uint64_t *)key;
}

static bool start(struct walk *walk)
{
  const struct wb_gantt_plan *plan = walk->plan;
  struct wb_gantt_window *window = walk->window;
  struct wb_arena *arena = &window->arena;
  const uint32_t warps = plan->schedule->warps;
  window->warp_cells = wb_arena_array(arena, uint32_t, plan->warp_rows * window->cycles);
  window->unit_cells = wb_arena_array(arena, uint32_t, plan->all_unit_rows * window->cycles);
  window->used = wb_arena_array(arena, uint32_t, plan->pool_count * window->cycles);
  window->issued = wb_arena_array(arena, uint32_t, plan->partitions * window->cycles);
  walk->next = wb_arena_array(arena, size_t, warps);
  walk->barriers = wb_arena_array(arena, size_t, warps);
  walk->row = wb_arena_array(arena, uint32_t, warps);
  walk->shown = wb_arena_array(arena, uint32_t, warps);
  walk->taken = wb_arena_array(arena, uint32_t, plan->pool_count);
  if (arena->failed)
    return false;
  for (uint32_t w = 0; w < warps; w++) {
    walk->next[w] = wb_lower_bound(plan->schedule->issue_cycle + plan->schedule->first[w],
                                   length_of(plan->schedule, w), is_issued_before, &window->first);
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
  if (!start(&walk))
    return false;
  for (size_t at = 0; at < cycles; at++) {
    keep_units(&walk, at);
    take_units(&walk, at);
  }
  return true;
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
