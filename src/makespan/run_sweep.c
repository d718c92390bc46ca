/* The sweep that fills the table of the run abstraction.
 *
 * A row is all states that differ in the last run's b alone: neighbours in the table.
 * The moves of the runs before do not depend on that b, and for the last run's part,
 * x issues and e exits, it ranges over an interval; so each move is one maximum of a
 * stretch of the row with a stretch of a finished row.
 *
 * Rows go to threads by blocks, the states with one (n, b) of the first run. A move
 * that does not touch the first run stays in its block; any other lowers the first
 * run's b. So all blocks of one b can be filled at the same time, b ascending. */
#include "makespan/cycle.h"
#include "makespan/run_table.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Moves between two looks at the control. */
#define POLL_INTERVAL 100000
/* Cells of a table that one thread fills alone. */
#define SMALL_TABLE 100000

/* What all threads share. level: the first run's b whose blocks are under way;
 * next_block: the next of them to take; stop: an enum wb_stop. gate: closed until the
 * barrier is ready (or is known not to be) for as many threads as could be had; later
 * held by the one that asks the control. */
struct sweep {
  struct wb_run_table *table;
  const struct wb_control *control;
  bool capped;
  uint64_t last_level;
  pthread_mutex_t gate;
  bool ready;
  pthread_barrier_t barrier;
  atomic_uint next_block;
  atomic_int stop;
  atomic_ullong done;
};

/* One thread: the row under way. inside and pending: of the runs before the last;
 * n: warps in the last run. after[r][u]: warps in runs of type u behind run r. row: the
 * rank of the row's first cell (b = n). own_issues: x of the move that only the last
 * run makes with no exit, which reads the row itself; 0: there is none. */
struct worker {
  struct sweep *sweep;
  unsigned index;
  uint32_t *inside;
  uint64_t *pending;
  uint32_t (*after)[WB_UNIT_COUNT];
  void *best;
  uint32_t n;
  uint64_t row;
  uint32_t own_issues;
  unsigned work; /* moves since the control was last asked */
};

static void raise16(int16_t *best, const int16_t *from, size_t count)
{
  for (size_t i = 0; i < count; i++)
    best[i] = from[i] > best[i] ? from[i] : best[i];
}

static void raise32(int32_t *best, const int32_t *from, size_t count)
{
  for (size_t i = 0; i < count; i++)
    best[i] = from[i] > best[i] ? from[i] : best[i];
}

/* best[first..] = max(best, table[from..]). */
static void raise_best(struct worker *worker, size_t first, uint64_t from, size_t count)
{
  const struct wb_value_table *values = &worker->sweep->table->values;
  if (values->width == 2)
    raise16((int16_t *)worker->best + first, (const int16_t *)values->cells + from, count);
  else
    raise32((int32_t *)worker->best + first, (const int32_t *)values->cells + from, count);
}

/* The last run fills what is left of the quota; the runs before have moved, `entering`
 * warps come in, and rank is that of their successor. */
static void last_run(struct worker *worker, const struct wb_quota *left, uint32_t entering,
                     uint32_t room, uint64_t rank, bool moved)
{
  const struct wb_run_table *table = worker->sweep->table;
  size_t last = table->run_count - 1;
  uint64_t length = table->runs[last].length;
  uint64_t n = worker->n;
  uint32_t x = left->total;
  const uint64_t *offset = wb_run_offsets(table, last, room);
  worker->work += 1 + x;
  for (uint32_t e = length == 1 ? x : 0; e <= x; e++) {
    uint64_t lowest = n + x - e;
    uint64_t highest = n * length - e * (length - 1);
    assert(lowest <= highest);
    uint32_t n_after = (uint32_t)n - e + entering;
    if (!moved && e == 0) {
      worker->own_issues = x;
      continue;
    }
    uint64_t b_after = lowest - x + entering * length;
    raise_best(worker, (size_t)(lowest - n), rank + offset[n_after] + (b_after - n_after),
               (size_t)(highest - lowest + 1));
  }
}

/* Tries every allowed way to fill the quota from the runs r.., where `entering`
 * warps come into run r and `room` warps are left for it and later ones. */
static void try_moves(struct worker *worker, size_t r, const struct wb_quota *left,
                      uint32_t entering, uint32_t room, uint64_t rank, bool moved)
{
  const struct wb_run_table *table = worker->sweep->table;
  if (r + 1 == table->run_count) {
    last_run(worker, left, entering, room, rank, moved);
    return;
  }
  const struct wb_run *run = &table->runs[r];
  uint32_t n = worker->inside[r];
  uint32_t most_issue = (uint32_t)wb_minimum(n, wb_minimum(left->most[run->unit], left->total));
  struct wb_quota rest = *left;
  for (uint32_t x = wb_quota_least(left, worker->after[r], run->unit, worker->sweep->capped);
       x <= most_issue; x++) {
    rest.most[run->unit] = left->most[run->unit] - x;
    rest.total = left->total - x;
    uint32_t e, most_exits;
    wb_run_exits(run->length, n, worker->pending[r], x, &e, &most_exits);
    for (; e <= most_exits; e++) {
      uint32_t n_after = n - e + entering;
      uint64_t b_after = worker->pending[r] - x + (uint64_t)entering * run->length;
      uint64_t part = wb_run_rank_part(table, r, room, n_after, b_after);
      try_moves(worker, r + 1, &rest, e, room - n_after, rank + part, moved || x > 0);
    }
  }
}

/* Writes the row: one cycle more than the best successor, which may stand in the row
 * itself, own_issues cells before. */
static void write_row(struct worker *worker, size_t cells)
{
  struct wb_value_table *values = &worker->sweep->table->values;
  size_t back = worker->own_issues;
  for (size_t i = 0; i < cells; i++) {
    int32_t best = values->width == 2 ? ((int16_t *)worker->best)[i] : ((int32_t *)worker->best)[i];
    if (back > 0 && i >= back) {
      int32_t own = (int32_t)wb_value_get(values, worker->row + i - back);
      best = own > best ? own : best;
    }
    wb_value_set(values, worker->row + i, (uint32_t)best + 1);
  }
}

static void fill_row(struct worker *worker)
{
  const struct wb_run_table *table = worker->sweep->table;
  size_t last = table->run_count - 1;
  size_t cells = (size_t)(worker->n * (table->runs[last].length - 1)) + 1;
  uint32_t ready[WB_UNIT_COUNT] = {0};
  ready[table->runs[last].unit] = worker->n;
  for (size_t r = last; r-- > 0;) {
    memcpy(worker->after[r], ready, sizeof ready);
    ready[table->runs[r].unit] += worker->inside[r];
  }
  struct wb_quota quota = wb_cycle_quota(table->problem, ready);
  if (quota.total == 0) {
    wb_value_set(&worker->sweep->table->values, worker->row, 0);
    return;
  }
  memset(worker->best, 0, cells * table->values.width);
  worker->own_issues = 0;
  try_moves(worker, 0, &quota, 0, table->warps, 0, false);
  write_row(worker, cells);
}

/* Every worker asks the control now and then, one at a time: while some wait at the
 * barrier, those that work must notice. */
static void poll(struct worker *worker)
{
  struct sweep *sweep = worker->sweep;
  worker->work = 0;
  pthread_mutex_lock(&sweep->gate);
  double fraction = (double)atomic_load(&sweep->done) / (double)sweep->table->states;
  enum wb_stop stop = wb_control_poll(sweep->control, "run abstraction", fraction);
  if (stop != WB_STOP_NONE)
    atomic_store(&sweep->stop, (int)stop);
  pthread_mutex_unlock(&sweep->gate);
}

static bool goes_on(struct worker *worker)
{
  if (worker->work >= POLL_INTERVAL)
    poll(worker);
  return atomic_load_explicit(&worker->sweep->stop, memory_order_relaxed) == WB_STOP_NONE;
}

/* The rows of one state of the runs before the last: n from none to the room left. */
static bool fill_rows(struct worker *worker, uint32_t room)
{
  const struct wb_run_table *table = worker->sweep->table;
  size_t step = table->runs[table->run_count - 1].length - 1;
  for (worker->n = 0; worker->n <= room; worker->n++) {
    if (!goes_on(worker))
      return false;
    fill_row(worker);
    worker->row += worker->n * step + 1;
  }
  return true;
}

/* The next state of the runs 1..R-2 in lexicographic order; false after the last.
 * *room is what they leave of `all` warps for the last run. */
static bool next_prefix(struct worker *worker, uint32_t *room)
{
  const struct wb_run_table *table = worker->sweep->table;
  for (size_t r = table->run_count - 1; r-- > 1;) {
    if (worker->pending[r] < worker->inside[r] * (uint64_t)table->runs[r].length) {
      worker->pending[r]++;
      return true;
    }
    if (*room > 0) {
      worker->pending[r] = ++worker->inside[r];
      --*room;
      return true;
    }
    *room += worker->inside[r];
    worker->inside[r] = 0;
    worker->pending[r] = 0;
  }
  return false;
}

/* All states with n0 warps in the first run that need b0 more of it. */
static void fill_block(struct worker *worker, uint32_t n0, uint64_t b0)
{
  const struct wb_run_table *table = worker->sweep->table;
  uint32_t room = table->warps - n0;
  memset(worker->inside, 0, table->run_count * sizeof *worker->inside);
  memset(worker->pending, 0, table->run_count * sizeof *worker->pending);
  worker->inside[0] = n0;
  worker->pending[0] = b0;
  worker->row = wb_run_rank_part(table, 0, table->warps, n0, b0);
  uint64_t start = worker->row;
  do {
    if (!fill_rows(worker, room))
      return;
  } while (next_prefix(worker, &room));
  atomic_fetch_add(&worker->sweep->done, worker->row - start);
}

/* The blocks of one level, taken one by one by whichever thread is free. */
static void fill_level(struct worker *worker, uint64_t b0)
{
  const struct wb_run_table *table = worker->sweep->table;
  uint64_t least = wb_divide_up(b0, table->runs[0].length);
  uint64_t most = wb_minimum(b0, table->warps);
  for (;;) {
    uint64_t n0 = least + atomic_fetch_add(&worker->sweep->next_block, 1);
    if (n0 > most)
      return;
    fill_block(worker, (uint32_t)n0, b0);
  }
}

static void *work(void *argument)
{
  struct worker *worker = argument;
  struct sweep *sweep = worker->sweep;
  if (worker->index > 0)
    pthread_mutex_lock(&sweep->gate);
  bool ready = sweep->ready;
  if (worker->index > 0)
    pthread_mutex_unlock(&sweep->gate);
  if (!ready)
    return NULL;
  for (uint64_t b0 = 0; b0 <= sweep->last_level; b0++) {
    fill_level(worker, b0);
    /* Workers say stop only while they fill, so between the barriers all agree. */
    pthread_barrier_wait(&sweep->barrier);
    if (atomic_load(&sweep->stop) != WB_STOP_NONE)
      break;
    if (worker->index == 0)
      atomic_store(&sweep->next_block, 0);
    pthread_barrier_wait(&sweep->barrier);
  }
  return NULL;
}

/* One run only: its rows, one after the other, are the table. */
static void fill_single_run(struct worker *worker)
{
  worker->row = 0;
  if (fill_rows(worker, worker->sweep->table->warps))
    atomic_store(&worker->sweep->done, worker->sweep->table->states);
}

static bool start_worker(struct worker *worker, struct sweep *sweep, unsigned index)
{
  const struct wb_run_table *table = sweep->table;
  size_t longest = (size_t)(table->warps * (table->runs[table->run_count - 1].length - 1)) + 1;
  *worker = (struct worker){.sweep = sweep, .index = index};
  worker->inside = wb_allocate(table->run_count, sizeof *worker->inside);
  worker->pending = wb_allocate(table->run_count, sizeof *worker->pending);
  worker->after = wb_allocate(table->run_count, sizeof *worker->after);
  worker->best = wb_allocate(longest, table->values.width);
  return worker->inside != NULL && worker->pending != NULL && worker->after != NULL &&
         worker->best != NULL;
}

static void free_workers(struct worker *workers, unsigned count)
{
  for (unsigned t = 0; workers != NULL && t < count; t++) {
    free(workers[t].inside);
    free(workers[t].pending);
    free(workers[t].after);
    free(workers[t].best);
  }
  free(workers);
}

/* Runs the workers, the first in this thread. The others wait at the gate until it is
 * known how many threads could be had, for so many the barrier is. */
static warpbound_status run_workers(struct sweep *sweep, struct worker *workers, unsigned count,
                                    warpbound_error *error)
{
  pthread_t threads[WB_THREAD_LIMIT];
  pthread_mutex_lock(&sweep->gate);
  unsigned started = 1;
  while (started < count && pthread_create(&threads[started], NULL, work, &workers[started]) == 0)
    started++;
  sweep->ready = pthread_barrier_init(&sweep->barrier, NULL, started) == 0;
  pthread_mutex_unlock(&sweep->gate);
  work(&workers[0]);
  for (unsigned t = 1; t < started; t++)
    pthread_join(threads[t], NULL);
  if (!sweep->ready)
    return wb_out_of_memory(error);
  pthread_barrier_destroy(&sweep->barrier);
  return WARPBOUND_OK;
}

/* One thread for small tables: it is done before a second one has started. */
static unsigned thread_count(const struct wb_run_table *table, const struct wb_control *control)
{
  if (table->run_count == 1 || table->states < SMALL_TABLE)
    return 1;
  return control->threads < WB_THREAD_LIMIT ? control->threads : WB_THREAD_LIMIT;
}

static warpbound_status sweep_table(struct sweep *sweep, struct worker *workers, unsigned count,
                                    warpbound_error *error)
{
  if (pthread_mutex_init(&sweep->gate, NULL) != 0)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  if (sweep->table->run_count == 1)
    fill_single_run(&workers[0]);
  else
    status = run_workers(sweep, workers, count, error);
  pthread_mutex_destroy(&sweep->gate);
  return status;
}

warpbound_status wb_run_table_fill(struct wb_run_table *table, const struct wb_control *control,
                                   enum wb_stop *stop, uint64_t *done, warpbound_error *error)
{
  struct sweep sweep = {.table = table,
                        .control = control,
                        .capped = wb_problem_capped(table->problem),
                        .last_level = table->warps * (uint64_t)table->runs[0].length};
  unsigned count = thread_count(table, control);
  struct worker *workers = wb_allocate(count, sizeof *workers);
  bool started = workers != NULL;
  for (unsigned t = 0; workers != NULL && t < count; t++)
    started = start_worker(&workers[t], &sweep, t) && started;
  warpbound_status status =
      started ? sweep_table(&sweep, workers, count, error) : wb_out_of_memory(error);
  free_workers(workers, count);
  *stop = (enum wb_stop)atomic_load(&sweep.stop);
  *done = atomic_load(&sweep.done);
  return status;
}
