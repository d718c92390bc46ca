#include "makespan/runs/run_table.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/system/process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

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
      !wb_run_levels_kept(problem, options->cut, options->whole, states, counted, &window,
                          &cells) ||
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
  struct sweep sweep = {.table = table, .control = control};
  /* One thread for small tables: it is done before a second one has started. */
  unsigned count = table->states < SMALL_TABLE ? 1 : control->threads;
  struct sweeper *sweepers = wb_allocate(count, sizeof *sweepers);
  bool made = sweepers != NULL && pthread_mutex_init(&sweep.lock, NULL) == 0;
  bool lock = made;
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
  for (unsigned t = 0; sweepers != NULL && t < count; t++) {
    made = made && !wb_run_level_worker_failed(sweepers[t].worker);
    wb_run_level_worker_free(sweepers[t].worker);
  }
  if (lock)
    pthread_mutex_destroy(&sweep.lock);
  free(sweepers);
  *stop = (enum wb_stop)atomic_load(&sweep.stop);
  *done = atomic_load(&sweep.done);
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}
