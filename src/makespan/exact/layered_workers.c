#include "makespan/exact/layered_workers.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/system/workers.h"
#include "makespan/exact/layered_moves.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* States of a layer that one thread expands alone: it is done before others have started. */
#define SMALL_LAYER ((size_t)2048)
/* States that a worker takes at a time. */
#define CHUNK ((size_t)64)
/* Bytes of successors that a worker keeps before it waits for its ticket. */
#define MOST_KEPT ((size_t)1 << 18)

/* One thread. */
struct wb_layered_worker {
  struct wb_layered_workers *workers;
  struct wb_layered_moves moves;
  struct wb_layered_states own;   /* successors that wait for the ticket */
  struct wb_layered_states *into; /* where successors go: to the states of the search where the
                                     worker is alone, else to its own */
  uint8_t *copies; /* of the states taken: others may add states to the search meanwhile */
  size_t chunk;    /* the first of the states taken */
  uint32_t parent; /* the state whose successors are made */
};

/* Asks the control. */
static bool goes_on(void *context)
{
  const struct wb_layered_worker *worker = context;
  struct wb_layered_workers *workers = worker->workers;
  pthread_mutex_lock(&workers->lock);
  if (workers->stop == WB_STOP_NONE) {
    char phase[80];
    snprintf(phase, sizeof phase, "%s, cycle %" PRIu64 ", %zu states", workers->phase,
             workers->cycle, workers->states->count - wb_layered_base(workers->states));
    workers->stop =
        wb_control_poll(workers->control, phase, (double)workers->cycle / (double)workers->goal);
    if (workers->stop != WB_STOP_NONE)
      pthread_cond_broadcast(&workers->called);
  }
  bool on = workers->stop == WB_STOP_NONE;
  pthread_mutex_unlock(&workers->lock);
  return on;
}

static void stop_for_memory(struct wb_layered_workers *workers)
{
  workers->stop = WB_STOP_MEMORY;
  pthread_cond_broadcast(&workers->called);
}

/* Waits for the worker's ticket and adds what it has kept to the states of the search. The lock is
 * held. */
static void hand_over(struct wb_layered_worker *worker)
{
  struct wb_layered_workers *workers = worker->workers;
  while (workers->ticket != worker->chunk && workers->stop == WB_STOP_NONE)
    pthread_cond_wait(&workers->called, &workers->lock);
  for (size_t i = 0; i < worker->own.count && workers->stop == WB_STOP_NONE; i++) {
    if (!wb_layered_add(workers->states, wb_layered_code(&worker->own, i), &worker->own.notes[i]))
      stop_for_memory(workers);
  }
  if (workers->stop == WB_STOP_NONE && !wb_layered_empty(&worker->own))
    stop_for_memory(workers);
}

/* A worker that is alone needs no lock. */
static bool reach(void *context, const uint8_t *code, uint64_t hash, uint32_t value)
{
  struct wb_layered_worker *worker = context;
  struct wb_layered_workers *workers = worker->workers;
  const struct wb_layered_note note = {hash, value, worker->parent};
  bool added = wb_layered_add(worker->into, code, &note);
  if (added && (worker->into != &worker->own ||
                worker->own.count * (worker->own.bytes + sizeof note) < MOST_KEPT))
    return true;
  pthread_mutex_lock(&workers->lock);
  if (added)
    hand_over(worker);
  else
    stop_for_memory(workers);
  bool on = workers->stop == WB_STOP_NONE;
  pthread_mutex_unlock(&workers->lock);
  return on;
}

/* Takes states as long as there are some. */
static void *work(void *argument)
{
  struct wb_layered_worker *worker = argument;
  struct wb_layered_workers *workers = worker->workers;
  pthread_mutex_lock(&workers->lock);
  while (workers->next < workers->until && workers->stop == WB_STOP_NONE) {
    size_t count = (size_t)wb_minimum(CHUNK, workers->until - workers->next);
    worker->chunk = workers->next;
    workers->next += count;
    for (size_t i = 0; i < count; i++)
      memcpy(worker->copies + i * worker->own.bytes,
             wb_layered_code(workers->states, worker->chunk + i), worker->own.bytes);
    pthread_mutex_unlock(&workers->lock);
    bool on = true;
    for (size_t i = 0; on && i < count; i++) {
      worker->parent = (uint32_t)(worker->chunk + i - workers->first);
      on = wb_layered_expand(&worker->moves, worker->copies + i * worker->own.bytes,
                             workers->least_value);
    }
    pthread_mutex_lock(&workers->lock);
    hand_over(worker);
    workers->ticket = worker->chunk + count;
    pthread_cond_broadcast(&workers->called);
  }
  pthread_mutex_unlock(&workers->lock);
  return NULL;
}

static bool start_member(struct wb_layered_workers *workers, struct wb_layered_worker *worker)
{
  const struct wb_layered_taker taker = {reach, goes_on, worker};
  size_t bytes = workers->states->bytes;
  *worker = (struct wb_layered_worker){
      .workers = workers, .own = {.bytes = bytes, .memory = UINT64_MAX}, .into = &worker->own};
  worker->copies = wb_allocate(CHUNK, bytes);
  return wb_layered_moves_start(&worker->moves, workers->table, workers->code, &taker) &&
         worker->copies != NULL && wb_layered_empty(&worker->own);
}

static void free_member(struct wb_layered_worker *worker)
{
  wb_arena_free(&worker->moves.arena);
  wb_layered_states_free(&worker->own);
  free(worker->copies);
}

void wb_layered_workers_fill(struct wb_layered_workers *workers)
{
  workers->first = wb_layered_base(workers->states);
  workers->next = workers->first;
  workers->ticket = workers->next;
  workers->until = workers->states->count;
  workers->least_value = workers->goal > workers->cycle ? workers->goal - workers->cycle : 0;
  if (!wb_layered_begin(workers->states)) {
    workers->stop = WB_STOP_MEMORY;
    return;
  }
  bool large = workers->until - workers->next >= SMALL_LAYER;
  while (large && workers->count < workers->control->threads) { /* as many as can be had */
    struct wb_layered_worker *worker = &workers->list[workers->count];
    if (!start_member(workers, worker)) {
      free_member(worker);
      break;
    }
    workers->count++;
  }
  if (large && workers->count > 1) {
    workers->list[0].into = &workers->list[0].own;
    wb_workers_run(work, workers->list, workers->count, sizeof *workers->list);
  } else {
    struct wb_layered_worker *worker = &workers->list[0];
    bool on = true;
    worker->into = workers->states;
    for (size_t i = workers->next; on && i < workers->until; i++) {
      worker->parent = (uint32_t)(i - workers->first);
      on = wb_layered_expand(&worker->moves, wb_layered_code(workers->states, i),
                             workers->least_value);
    }
  }
}

bool wb_layered_workers_start(struct wb_layered_workers *workers)
{
  workers->list = wb_allocate(workers->control->threads, sizeof *workers->list);
  if (workers->list == NULL)
    return false;
  if (!start_member(workers, &workers->list[0]))
    goto no_member;
  if (pthread_mutex_init(&workers->lock, NULL) != 0)
    goto no_member;
  if (pthread_cond_init(&workers->called, NULL) != 0)
    goto no_condition;
  workers->count = 1;
  return true;
no_condition:
  pthread_mutex_destroy(&workers->lock);
no_member:
  free_member(&workers->list[0]);
  free(workers->list);
  return false;
}

void wb_layered_workers_free(struct wb_layered_workers *workers)
{
  for (unsigned t = 0; t < workers->count; t++)
    free_member(&workers->list[t]);
  free(workers->list);
  pthread_cond_destroy(&workers->called);
  pthread_mutex_destroy(&workers->lock);
}
