/* The blocks of a level need those of the levels below, or of their own block, so threads
 * share out the blocks of a level and wait for each other before the next. */
#include "makespan/run_streaming.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/run_level_block.h"
#include "makespan/run_level_plane.h"
#include "makespan/run_levels.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Work (cells, roughly) between two looks at the control. */
#define POLL_INTERVAL (UINT64_C(1) << 24)

/* What all threads share. next: the block of the level to take; stop: an enum wb_stop;
 * failed: memory was out. gate: closed until the barrier is ready (or is known not to be)
 * for as many threads as could be had; later held by the one that asks the control. */
struct sweep {
  const struct wb_control *control;
  struct wb_run_levels levels;
  struct wb_run_level_cells cells;
  uint64_t states;
  uint64_t most;
  uint64_t *cycles;
  pthread_mutex_t gate;
  bool ready;
  pthread_barrier_t barrier;
  atomic_uint_least64_t next;
  atomic_int stop;
  atomic_uint_least64_t done;
};

struct member {
  struct sweep *sweep;
  struct wb_run_level_worker *worker;
  pthread_t thread;
  bool first;
  uint64_t work;
};

/* ---- memory ---- */

static bool is_wide(uint64_t most)
{
  return most >= WB_RUN_LEVEL_BYTE;
}

/* Bytes of the ring; false where they exceed 64 bits. */
static bool ring_bytes(const struct wb_run_levels *levels, bool wide, uint64_t *bytes)
{
  *bytes = 0;
  for (size_t v = 0; v < levels->window; v++) {
    if (!wb_add(*bytes, (wb_run_levels_slot(levels, v) + 2 * WB_RUN_LEVEL_PAD) * (wide ? 2 : 1),
                bytes))
      return false;
  }
  return true;
}

/* The levels of a cut, where they and the ring fit; else *needed is 0. */
static warpbound_status plan(struct wb_run_levels *levels, const struct wb_problem *problem,
                             struct wb_run_cut cut, uint64_t most, uint64_t memory,
                             uint64_t *needed, uint64_t *states, warpbound_error *error)
{
  uint64_t bytes, ring;
  *needed = 0;
  if (most >= WB_RUN_LEVEL_WORD || !wb_run_levels_plan(problem, cut, &bytes, states) ||
      bytes > memory)
    return WARPBOUND_OK;
  warpbound_status status = wb_run_levels_start(levels, problem, cut, error);
  if (status == WARPBOUND_OK && ring_bytes(levels, is_wide(most), &ring) &&
      wb_add(bytes, ring, &bytes) && bytes <= memory)
    *needed = bytes;
  return status;
}

uint64_t wb_run_streaming_plan(const struct wb_problem *problem, struct wb_run_cut cut,
                               uint64_t most, uint64_t memory, uint64_t *states)
{
  struct wb_run_levels levels = {0};
  uint64_t needed;
  if (plan(&levels, problem, cut, most, memory, &needed, states, NULL) != WARPBOUND_OK)
    needed = 0;
  wb_run_levels_free(&levels);
  return needed;
}

static bool make_ring(struct sweep *sweep)
{
  const struct wb_run_levels *levels = &sweep->levels;
  sweep->cells.ring = wb_allocate(levels->window, sizeof *sweep->cells.ring);
  bool made = sweep->cells.ring != NULL;
  for (size_t v = 0; made && v < levels->window; v++) {
    uint64_t cells = wb_run_levels_slot(levels, v) + 2 * WB_RUN_LEVEL_PAD;
    sweep->cells.ring[v] =
        cells <= SIZE_MAX ? wb_allocate((size_t)cells, sweep->cells.wide ? 2 : 1) : NULL;
    made = sweep->cells.ring[v] != NULL;
  }
  return made;
}

static void clear(struct sweep *sweep)
{
  for (size_t v = 0; sweep->cells.ring != NULL && v < sweep->levels.window; v++)
    free(sweep->cells.ring[v]);
  free(sweep->cells.ring);
  wb_run_levels_free(&sweep->levels);
}

/* ---- the sweep ---- */

/* Every worker asks the control now and then, one at a time. */
static bool goes_on(void *context, uint64_t work)
{
  struct member *member = context;
  struct sweep *sweep = member->sweep;
  member->work += work;
  if (member->work >= POLL_INTERVAL) {
    member->work = 0;
    pthread_mutex_lock(&sweep->gate);
    double fraction = (double)atomic_load(&sweep->done) / (double)sweep->states;
    enum wb_stop stop = wb_control_poll(sweep->control, "run abstraction", fraction);
    if (stop != WB_STOP_NONE)
      atomic_store(&sweep->stop, (int)stop);
    pthread_mutex_unlock(&sweep->gate);
  }
  return atomic_load_explicit(&sweep->stop, memory_order_relaxed) == WB_STOP_NONE;
}

static void fill_level(struct member *member, size_t level)
{
  struct sweep *sweep = member->sweep;
  const struct wb_run_levels *levels = &sweep->levels;
  for (;;) {
    uint64_t i = levels->level_start[level] + atomic_fetch_add(&sweep->next, 1);
    if (i >= levels->level_start[level + 1] || !goes_on(member, 0))
      return;
    uint32_t block = levels->by_level[i];
    atomic_fetch_add(&sweep->done,
                     wb_run_level_block(member->worker, block, level, goes_on, member));
  }
}

/* At level w * R all w warps stand before the first run in the level's last block, whose
 * last cell they start from. */
static void read_start(struct sweep *sweep, size_t level)
{
  const struct wb_run_levels *levels = &sweep->levels;
  if (level == 0 || level % levels->run_count != 0)
    return;
  uint32_t w = (uint32_t)(level / levels->run_count);
  uint64_t block = wb_run_levels_below(levels, 0, levels->warps)[w];
  uint64_t cell = WB_RUN_LEVEL_PAD + levels->first[block] + wb_run_levels_extent(levels, 0, w) - 1;
  const void *cells = sweep->cells.ring[level % levels->window];
  uint64_t value =
      sweep->cells.wide ? ((const uint16_t *)cells)[cell] : ((const uint8_t *)cells)[cell];
  sweep->cycles[w] = value <= sweep->most ? value : 0;
}

static void *work(void *argument)
{
  struct member *member = argument;
  struct sweep *sweep = member->sweep;
  if (!member->first)
    pthread_mutex_lock(&sweep->gate);
  bool ready = sweep->ready;
  if (!member->first)
    pthread_mutex_unlock(&sweep->gate);
  for (size_t level = 0; ready && level < sweep->levels.levels; level++) {
    fill_level(member, level);
    /* Workers say stop only while they fill, so between the barriers all agree. */
    pthread_barrier_wait(&sweep->barrier);
    ready = atomic_load(&sweep->stop) == WB_STOP_NONE;
    if (ready && member->first) {
      read_start(sweep, level);
      atomic_store(&sweep->next, 0);
    }
    pthread_barrier_wait(&sweep->barrier);
  }
  return NULL;
}

/* Runs the members, the first in this thread. The others wait at the gate until it is
 * known how many threads could be had, for so many the barrier is. */
static warpbound_status run_members(struct sweep *sweep, struct member *members, unsigned count,
                                    warpbound_error *error)
{
  unsigned started = 1;
  pthread_mutex_lock(&sweep->gate);
  while (started < count &&
         pthread_create(&members[started].thread, NULL, work, &members[started]) == 0)
    started++;
  sweep->ready = pthread_barrier_init(&sweep->barrier, NULL, started) == 0;
  pthread_mutex_unlock(&sweep->gate);
  work(&members[0]);
  for (unsigned t = 1; t < started; t++)
    pthread_join(members[t].thread, NULL);
  if (!sweep->ready)
    return wb_out_of_memory(error);
  pthread_barrier_destroy(&sweep->barrier);
  return WARPBOUND_OK;
}

static warpbound_status sweep_levels(struct sweep *sweep, warpbound_error *error)
{
  unsigned count = sweep->control->threads;
  struct member *members = wb_allocate(count, sizeof *members);
  bool made = members != NULL && pthread_mutex_init(&sweep->gate, NULL) == 0;
  bool gate = made;
  for (unsigned t = 0; made && t < count; t++) {
    members[t] = (struct member){.sweep = sweep, .first = t == 0};
    members[t].worker = wb_run_level_worker_make(&sweep->cells);
    made = members[t].worker != NULL;
  }
  warpbound_status status =
      made ? run_members(sweep, members, count, error) : wb_out_of_memory(error);
  for (unsigned t = 0; members != NULL && t < count; t++) {
    if (status == WARPBOUND_OK && wb_run_level_worker_failed(members[t].worker))
      status = wb_out_of_memory(error);
    wb_run_level_worker_free(members[t].worker);
  }
  if (gate)
    pthread_mutex_destroy(&sweep->gate);
  free(members);
  return status;
}

warpbound_status wb_run_streaming(const struct wb_problem *problem, struct wb_run_cut cut,
                                  uint64_t most, const struct wb_control *control, uint64_t *cycles,
                                  enum wb_stop *stop, warpbound_error *error)
{
  struct sweep sweep = {.control = control, .most = most, .cycles = cycles};
  uint64_t needed;
  warpbound_status status =
      plan(&sweep.levels, problem, cut, most, control->memory_limit, &needed, &sweep.states, error);
  sweep.cells = (struct wb_run_level_cells){.levels = &sweep.levels, .wide = is_wide(most)};
  cycles[0] = 0;
  *stop = WB_STOP_MEMORY;
  if (status == WARPBOUND_OK && needed > 0 && make_ring(&sweep)) {
    status = sweep_levels(&sweep, error);
    *stop = (enum wb_stop)atomic_load(&sweep.stop);
  }
  clear(&sweep);
  return status;
}
