#include "makespan/runs/run_table.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/system/workers.h"
#include "makespan/runs/run_level_block.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A move takes at most so many warps from their runs: the capacities of the types used. */
static uint64_t most_exits(const struct wb_problem *problem)
{
  uint64_t sum = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0)
      sum += wb_minimum(problem->capacity[u], problem->warps);
  }
  return wb_minimum(wb_minimum(sum, problem->issue_slots), problem->warps);
}

bool wb_run_levels_plan(const struct wb_problem *problem, struct wb_run_cut cut, uint64_t memory,
                        uint64_t *bytes, uint64_t *states)
{
  const size_t columns = (size_t)problem->warps + 1;
  uint64_t square, levels;
  if (!wb_multiply(columns, columns, &square) ||
      !wb_multiply(square, cut.count * sizeof(uint64_t), bytes) ||
      !wb_multiply(columns, 2 * cut.count * sizeof(uint64_t), &levels) ||
      !wb_add(*bytes, levels, bytes) || *bytes > memory)
    return false;
  uint64_t *ways = wb_allocate(2 * columns, sizeof *ways);
  if (ways == NULL)
    return false;
  bool fits = true;
  for (size_t m = 0; m < 2 * columns; m++)
    ways[m] = 1;
  /* One more run in front: ways[room] and cells[room] of at most `room` warps. */
  uint64_t *cells = ways + columns;
  for (size_t r = cut.count; fits && r-- > 0; fits = fits && ways[problem->warps] <= UINT32_MAX) {
    for (size_t room = columns; fits && room-- > 0;) {
      uint64_t sum = 0, all = 0;
      for (size_t n = 0; fits && n <= room; n++) {
        uint64_t part;
        fits = wb_multiply(n, cut.runs[r].length - 1, &part) &&
               wb_multiply(part + 1, cells[room - n], &part) && wb_add(all, part, &all) &&
               wb_add(sum, ways[room - n], &sum);
      }
      ways[room] = sum;
      cells[room] = all;
    }
  }
  if (fits) {
    *states = cells[problem->warps];
    fits = wb_add(*bytes, ways[problem->warps] * (sizeof(uint64_t) + sizeof(uint32_t)), bytes);
  }
  free(ways);
  return fits && *bytes <= memory;
}

/* The part of a cut of so many states that is kept: levels at a time, and most cells in all of
 * them, if each residue modulo *window has a place for its largest level. whole: all levels. false
 * where counting them takes more than `memory` bytes. Time: runs times W times levels. */
static bool levels_kept(const struct wb_problem *problem, struct wb_run_cut cut, bool whole,
                        uint64_t states, uint64_t memory, uint64_t *window, uint64_t *cells)
{
  uint64_t warps = problem->warps, levels = cut.count * warps + 1, bytes;
  *window = whole ? levels : wb_minimum(most_exits(problem) + 1, levels);
  *cells = states;
  if (*window == levels)
    return true;
  if (!wb_multiply((warps + 1) * 3 * sizeof(uint64_t), levels, &bytes) || bytes > memory)
    return false;
  uint64_t *counts = wb_allocate(3 * (size_t)levels, ((size_t)warps + 1) * sizeof *counts);
  if (counts == NULL)
    return false;
  counts[0] = 1;
  uint64_t all = (warps + 1) * levels;
  /* One run after the other, in front of those counted: counts[w * levels + v] are the states of w
   * warps and level v, of which `gap` more for each warp of the run. Of the states with n warps in
   * it, leaving out its surplus, `sums` has the sum over n and `weighted` that of n times as many;
   * both come from those with one warp less. */
  uint64_t *sums = counts + all, *weighted = sums + all;
  for (size_t r = cut.count; r-- > 0;) {
    const uint64_t gap = cut.count - r;
    for (uint64_t w = 0; w <= warps; w++) {
      for (uint64_t v = 0; v < levels; v++) {
        const uint64_t at = w * levels + v;
        const bool one = w > 0 && v >= gap;
        sums[at] = counts[at] + (one ? sums[at - levels - gap] : 0);
        weighted[at] = one ? sums[at - levels - gap] + weighted[at - levels - gap] : 0;
      }
    }
    for (uint64_t at = 0; at < all; at++)
      counts[at] = sums[at] + (cut.runs[r].length - 1) * weighted[at];
  }
  /* The places of the ring, each for the largest level that comes to it. */
  *cells = 0;
  for (uint64_t place = 0; place < *window; place++) {
    uint64_t most = 0;
    for (uint64_t v = place; v < levels; v += *window) {
      uint64_t sum = 0;
      for (uint64_t w = 0; w <= warps; w++)
        sum += counts[w * levels + v];
      most = wb_maximum(most, sum);
    }
    *cells += most;
  }
  free(counts);
  return true;
}

/* below from the last run on; blocks in all. */
static void number_blocks(struct wb_run_levels *levels)
{
  const size_t columns = (size_t)levels->warps + 1;
  for (size_t r = levels->run_count; r-- > 0;) {
    for (uint32_t room = 0; room <= levels->warps; room++) {
      uint64_t *below = levels->below + (r * columns + room) * columns;
      uint64_t sum = 0;
      for (uint32_t n = 0; n <= room; n++) {
        /* Of the ways with n in run r: the one with all the rest in the next, and those with fewer
         * there. */
        below[n] = sum++;
        if (r + 1 < levels->run_count)
          sum += wb_run_levels_below(levels, r + 1, room - n)[room - n];
      }
    }
  }
  levels->blocks = wb_run_levels_below(levels, 0, levels->warps)[levels->warps] + 1;
}

void wb_run_levels_inside(const struct wb_run_levels *levels, uint32_t block, uint32_t *inside)
{
  uint32_t room = levels->warps;
  uint64_t rest = block;
  for (size_t r = 0; r < levels->run_count; r++) {
    const uint64_t *below = wb_run_levels_below(levels, r, room);
    uint32_t n = 0;
    while (n < room && below[n + 1] <= rest)
      n++;
    inside[r] = n;
    rest -= below[n];
    room -= n;
  }
}

/* Level, cells and warps of a block. */
static size_t measure(const struct wb_run_levels *levels, uint32_t block, uint32_t *inside,
                      uint64_t *cells)
{
  size_t level = 0;
  *cells = 1;
  wb_run_levels_inside(levels, block, inside);
  for (size_t r = 0; r < levels->run_count; r++) {
    level += inside[r] * (levels->run_count - r);
    *cells *= wb_run_levels_extent(levels, r, inside[r]);
  }
  return level;
}

bool wb_run_levels_are_valid(const struct wb_run_levels *levels)
{
  uint32_t *inside = wb_allocate(levels->run_count, sizeof *inside);
  if (inside == NULL)
    return true; /* it cannot be told */
  bool valid = levels->level_start[0] == 0 && levels->level_start[levels->levels] == levels->blocks;
  for (size_t v = 0; valid && v < levels->levels; v++) {
    uint64_t next = 0;
    valid = levels->level_start[v] <= levels->level_start[v + 1];
    for (uint64_t i = levels->level_start[v]; valid && i < levels->level_start[v + 1]; i++) {
      uint64_t cells = 0;
      uint32_t block = levels->by_level[i];
      uint32_t room = levels->warps;
      const bool placed = measure(levels, block, inside, &cells) == v;
      uint64_t rank = 0;
      for (size_t r = 0; r < levels->run_count; r++) {
        rank += wb_run_levels_below(levels, r, room)[inside[r]];
        room -= inside[r];
      }
      valid = placed && rank == block && levels->first[block] == next &&
              (i == levels->level_start[v] || levels->by_level[i - 1] < block);
      next += cells;
    }
    valid = valid && levels->level_cells[v] == next;
  }
  free(inside);
  return valid;
}

warpbound_status wb_run_levels_start(struct wb_run_levels *levels, const struct wb_problem *problem,
                                     struct wb_run_cut cut, bool whole, warpbound_error *error)
{
  size_t columns = (size_t)problem->warps + 1;
  *levels = (struct wb_run_levels){.problem = problem,
                                   .runs = cut.runs,
                                   .run_count = cut.count,
                                   .warps = problem->warps,
                                   .levels = cut.count * problem->warps + 1};
  levels->window =
      whole ? levels->levels : (size_t)wb_minimum(most_exits(problem) + 1, levels->levels);
  struct wb_arena *arena = &levels->arena;
  levels->axes = wb_arena_array(arena, size_t, cut.count);
  levels->below = wb_arena_array(arena, uint64_t, cut.count * columns * columns);
  uint32_t *inside = wb_allocate(cut.count, sizeof *inside);
  bool made = !arena->failed && inside != NULL;
  if (made) {
    /* As an insertion sort: shorter runs first, of equals the first. */
    for (size_t r = 0; r < levels->run_count; r++) {
      if (levels->runs[r].length == 1)
        continue;
      size_t a = levels->axis_count++;
      for (; a > 0 && levels->runs[levels->axes[a - 1]].length > levels->runs[r].length; a--)
        levels->axes[a] = levels->axes[a - 1];
      levels->axes[a] = r;
    }
    number_blocks(levels);
    levels->first = wb_arena_array(arena, uint64_t, (size_t)levels->blocks);
    levels->by_level = wb_arena_array(arena, uint32_t, (size_t)levels->blocks);
    levels->level_start = wb_arena_array(arena, uint64_t, levels->levels + 1);
    levels->level_cells = wb_arena_array(arena, uint64_t, levels->levels);
    made = !arena->failed;
  }
  if (made) {
    /* Places every block in its level, then sorts blocks by level. */
    uint64_t cells;
    for (uint64_t block = 0; block < levels->blocks; block++) {
      size_t level = measure(levels, (uint32_t)block, inside, &cells);
      levels->first[block] = levels->level_cells[level];
      levels->level_cells[level] += cells;
      levels->level_start[level + 1]++;
    }
    for (size_t v = 0; v < levels->levels; v++)
      levels->level_start[v + 1] += levels->level_start[v];
    for (uint64_t block = 0; block < levels->blocks; block++) {
      size_t level = measure(levels, (uint32_t)block, inside, &cells);
      levels->by_level[levels->level_start[level]++] = (uint32_t)block;
    }
    for (size_t v = levels->levels; v > 0; v--) /* each start has moved to the next one */
      levels->level_start[v] = levels->level_start[v - 1];
    levels->level_start[0] = 0;
  }
  assert(!made || wb_run_levels_are_valid(levels));
  free(inside);
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_run_levels_free(struct wb_run_levels *levels)
{
  wb_arena_free(&levels->arena);
  *levels = (struct wb_run_levels){0};
}

/* Cuts whose blocks take more than this, and than the memory allowed, are not counted. */
#define COUNTED_BYTES (UINT64_C(1) << 26)

uint64_t wb_run_table_plan(const struct wb_problem *problem,
                           const struct wb_run_table_options *options, uint64_t memory,
                           uint64_t *needed)
{
  *needed = UINT64_MAX;
  uint64_t counted = wb_maximum(memory, COUNTED_BYTES);
  uint64_t bytes, window, cells, states;
  if (!wb_run_levels_plan(problem, options->cut, counted, &bytes, &states) ||
      !levels_kept(problem, options->cut, options->whole, states, counted, &window, &cells) ||
      !wb_add(cells, 2 * WB_RUN_LEVEL_PAD * window, &cells) ||
      !wb_multiply(cells, options->most >= UINT8_MAX ? 2 : 1, &cells) ||
      !wb_add(bytes, cells, &bytes))
    return 0;
  *needed = bytes;
  return *needed <= memory ? states : 0;
}

warpbound_status wb_run_table_start(struct wb_run_table *table, const struct wb_problem *problem,
                                    const struct wb_run_table_options *options,
                                    warpbound_error *error)
{
  *table = (struct wb_run_table){.problem = problem,
                                 .run_count = options->cut.count,
                                 .runs = options->cut.runs,
                                 .warps = problem->warps};
  /* Cells of two bytes where some value of use does not fit into one. */
  table->cells = (struct wb_run_level_cells){.wide = options->most >= UINT8_MAX};
  if (!wb_run_levels_plan(problem, options->cut, UINT64_MAX, &table->bytes, &table->states))
    return wb_out_of_memory(error);
  warpbound_status status =
      wb_run_levels_start(&table->cells.levels, problem, options->cut, options->whole, error);
  if (status != WARPBOUND_OK)
    return status;
  table->makespan = wb_allocate((size_t)table->warps + 1, sizeof *table->makespan);
  table->cells.ring = wb_allocate(table->cells.levels.window, sizeof *table->cells.ring);
  bool made = table->makespan != NULL && table->cells.ring != NULL;
  for (size_t v = 0; made && v < table->cells.levels.window; v++) {
    /* Cells of a level's place in the ring, in bytes, with what is around them. */
    const struct wb_run_levels *levels = &table->cells.levels;
    uint64_t bytes, most = 0;
    for (size_t level = v; level < levels->levels; level += levels->window)
      most = wb_maximum(most, levels->level_cells[level]);
    made = wb_add(most, 2 * WB_RUN_LEVEL_PAD, &bytes) &&
           wb_multiply(bytes, table->cells.wide ? 2 : 1, &bytes) && bytes <= SIZE_MAX;
    table->cells.ring[v] = made ? wb_allocate((size_t)bytes, 1) : NULL;
    made = made && table->cells.ring[v] != NULL;
    table->bytes += made ? bytes : 0;
  }
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_run_table_free(struct wb_run_table *table)
{
  for (size_t v = 0; table->cells.ring != NULL && v < table->cells.levels.window; v++)
    free(table->cells.ring[v]);
  free(table->cells.ring);
  free(table->makespan);
  wb_run_levels_free(&table->cells.levels);
  *table = (struct wb_run_table){0};
}

/* ---- the sweep ---- */

/* The blocks of a level need those
 * of the levels below and nothing of each other: threads share out the blocks of a level
 * and wait for each other before the next. */

/* Work (cells, roughly) between two polls of the control. */
#define POLL_INTERVAL (UINT64_C(1) << 20)
/* States of a table that one thread decides alone. */
#define SMALL_TABLE 100000

/* Shared by all threads. */
struct sweep {
  struct wb_run_table *table;
  const struct wb_control *control;
  pthread_mutex_t lock; /* held until the barrier is ready, or is known not to be, for as many
                           threads as could be had; later by the one that asks the control */
  bool ready;           /* the barrier can be waited at */
  pthread_barrier_t barrier;
  atomic_uint_least64_t next; /* the block of the level to take */
  atomic_int stop;            /* an enum wb_stop */
  atomic_uint_least64_t done; /* states */
};

struct sweeper {
  struct sweep *sweep;
  struct wb_run_level_worker *worker;
  bool first;
  uint64_t work;
};

/* Every worker asks the control now and then, one at a time. */
static bool goes_on(void *context, uint64_t work)
{
  struct sweeper *sweeper = context;
  struct sweep *sweep = sweeper->sweep;
  sweeper->work += work;
  if (sweeper->work >= POLL_INTERVAL) {
    sweeper->work = 0;
    pthread_mutex_lock(&sweep->lock);
    double fraction = (double)atomic_load(&sweep->done) / (double)sweep->table->states;
    enum wb_stop stop = wb_control_poll(sweep->control, "run abstraction", fraction);
    if (stop != WB_STOP_NONE)
      atomic_store(&sweep->stop, (int)stop);
    pthread_mutex_unlock(&sweep->lock);
  }
  return atomic_load_explicit(&sweep->stop, memory_order_relaxed) == WB_STOP_NONE;
}

static void *work(void *argument)
{
  struct sweeper *sweeper = argument;
  struct sweep *sweep = sweeper->sweep;
  const struct wb_run_levels *levels = &sweep->table->cells.levels;
  if (!sweeper->first)
    pthread_mutex_lock(&sweep->lock);
  bool ready = sweep->ready;
  if (!sweeper->first)
    pthread_mutex_unlock(&sweep->lock);
  for (size_t level = 0; ready && level < levels->levels; level++) {
    for (;;) {
      uint64_t i = levels->level_start[level] + atomic_fetch_add(&sweep->next, 1);
      if (i >= levels->level_start[level + 1] || !goes_on(sweeper, 0))
        break;
      atomic_fetch_add(&sweep->done, wb_run_level_block(sweeper->worker, levels->by_level[i], level,
                                                        goes_on, sweeper));
    }
    /* Workers say stop only while they fill, so between the barriers all agree. */
    pthread_barrier_wait(&sweep->barrier);
    ready = atomic_load(&sweep->stop) == WB_STOP_NONE;
    if (ready && sweeper->first && level > 0 && level % sweep->table->run_count == 0) {
      /* At level w * R all w warps stand before the first run in the level's last block, whose last
       * cell they start from. */
      uint32_t w = (uint32_t)(level / sweep->table->run_count);
      uint64_t block = wb_run_levels_below(levels, 0, levels->warps)[w];
      uint64_t cell = levels->first[block] + wb_run_levels_extent(levels, 0, w) - 1;
      uint32_t value = wb_run_level_value(&sweep->table->cells, level, cell);
      bool fits = value < wb_run_level_most(sweep->table->cells.wide);
      sweep->table->makespan[w] = fits ? value : UINT64_MAX;
    }
    if (ready && sweeper->first)
      atomic_store(&sweep->next, 0);
    pthread_barrier_wait(&sweep->barrier);
  }
  return NULL;
}

warpbound_status wb_run_table_fill(struct wb_run_table *table, const struct wb_control *control,
                                   enum wb_stop *stop, uint64_t *done, warpbound_error *error)
{
  struct sweep sweep = {.table = table, .control = control, .lock = PTHREAD_MUTEX_INITIALIZER};
  /* One thread for small tables: it is done before a second one has started. */
  unsigned count = table->states < SMALL_TABLE ? 1 : control->threads;
  struct sweeper *sweepers = wb_allocate(count, sizeof *sweepers);
  bool made = sweepers != NULL;
  for (unsigned t = 0; made && t < count; t++) {
    sweepers[t] = (struct sweeper){.sweep = &sweep, .first = t == 0, .work = POLL_INTERVAL};
    sweepers[t].worker = wb_run_level_worker_make(&table->cells);
    made = sweepers[t].worker != NULL;
  }
  if (made) {
    /* The first runs in this thread. The others wait at the lock until it is known how many threads
     * could be had, for so many the barrier is. */
    struct wb_workers workers;
    pthread_mutex_lock(&sweep.lock);
    wb_workers_start(&workers, work, sweepers, count, sizeof *sweepers);
    made = sweep.ready = pthread_barrier_init(&sweep.barrier, NULL, workers.started) == 0;
    pthread_mutex_unlock(&sweep.lock);
    work(&sweepers[0]);
    wb_workers_join(&workers);
    if (made)
      pthread_barrier_destroy(&sweep.barrier);
  }
  for (unsigned t = 0; sweepers != NULL && t < count; t++)
    made = wb_run_level_worker_free(sweepers[t].worker) && made;
  free(sweepers);
  *stop = (enum wb_stop)atomic_load(&sweep.stop);
  *done = atomic_load(&sweep.done);
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}
