#include "makespan/exact/layered_search.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/system/process.h"
#include "makespan/exact/layered_states.h"
#include "makespan/exact/state_code.h"
#include "makespan/machine/cycle.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the successors of a state that can still reach a goal ---- */

struct worker;

/* Takes a successor: its code, hash (the same for equal states) and table value; one may come
 * several times. False: to end. */
static bool reach(struct worker *worker, const uint8_t *code, uint64_t hash, uint32_t value);
/* Asks the control, every so many moves and choices of warps. False: to end. */
static bool goes_on(const struct worker *worker);

/* A state under expansion and the move under trial. Owns its arrays; borrows table, code and what
 * terms points to. */
struct moves {
  const struct wb_run_table *table;
  const struct wb_state_code *code;
  struct worker *worker; /* takes the successors */
  bool capped;           /* the cap on issue slots can bind */
  size_t *first;         /* position of each run's first instruction */
  uint64_t *keys;        /* by position: of a warp; a hash is the sum of warps times keys */
  uint32_t *inside;      /* by run: warps of the current state */
  uint64_t *pending;     /* by run: instructions that these need in it */
  uint32_t (*after)[WB_UNIT_COUNT]; /* by run and type: warps in later runs of the type */
  struct wb_run_move *move;         /* by run: what it does */
  uint32_t *next_inside;            /* the same as inside, after the move */
  uint64_t *next_pending;           /* the same as pending, after the move */
  uint8_t *current;                 /* by position: warps of the current state */
  uint64_t *numbers;                /* by segment of the code: its rank, after the move */
  uint64_t **number_of;             /* by position: the rank that it counts for */
  const uint64_t **terms;           /* as in state_code.h */
  uint8_t *next;                    /* the code of a successor */
  uint64_t hash;                    /* after the move */
  uint64_t least_value;             /* successors of a lower table value are left out */
  uint32_t value;                   /* of the successor, by the table */
  uint64_t work;                    /* moves and choices since the control was last asked */
  bool ended;                       /* the worker has said false */
  struct wb_arena arena;            /* of the arrays */
};

/* Steps of work (states expanded, choices of warps, bytes of states / 64) between two
 * polls of the control. */
#define POLL_INTERVAL 65536

/* code: of the table's string. False: memory is out. Free the arena in
 * either case. */
static bool moves_start(struct moves *moves, const struct wb_run_table *table,
                        const struct wb_state_code *code, struct worker *worker)
{
  size_t runs = table->run_count;
  size_t length = table->problem->string.length;
  *moves = (struct moves){
      .table = table, .code = code, .worker = worker, .capped = wb_problem_capped(table->problem)};
  struct wb_arena *arena = &moves->arena;
  moves->first = wb_arena_array(arena, size_t, runs);
  moves->keys = wb_arena_array(arena, uint64_t, length + 1);
  moves->inside = wb_arena_array(arena, uint32_t, runs);
  moves->pending = wb_arena_array(arena, uint64_t, runs);
  moves->after = wb_arena_allocate(arena, runs, sizeof *moves->after);
  moves->move = wb_arena_array(arena, struct wb_run_move, runs);
  moves->next_inside = wb_arena_array(arena, uint32_t, runs);
  moves->next_pending = wb_arena_array(arena, uint64_t, runs);
  moves->current = wb_arena_allocate(arena, length, 1);
  moves->numbers = wb_arena_array(arena, uint64_t, code->segment_count);
  moves->number_of = wb_arena_array(arena, uint64_t *, length);
  moves->terms = wb_arena_array(arena, const uint64_t *, length);
  moves->next = wb_arena_allocate(arena, code->bytes, 1);
  if (arena->failed)
    return false;
  for (size_t r = 1; r < runs; r++)
    moves->first[r] = moves->first[r - 1] + table->runs[r - 1].length;
  struct wb_random random = {UINT64_C(0x57617270626f756e)};
  for (size_t p = 0; p < length; p++) /* a warp past the end counts nothing: its key is 0 */
    moves->keys[p] = wb_random_next(&random);
  for (size_t p = 0; p < length; p++)
    moves->number_of[p] = &moves->numbers[p / code->segment];
  return true;
}

/* Counts work, and says whether to go on. */
static bool moves_go_on(struct moves *moves, uint64_t work)
{
  moves->work += work;
  if (moves->work >= POLL_INTERVAL) {
    moves->work = 0;
    moves->ended = moves->ended || !goes_on(moves->worker);
  }
  return !moves->ended;
}

/* The move under trial before some warps at a position issue. */
struct before {
  uint64_t *number;
  const uint64_t *term;
  uint64_t without; /* the number less the position's term */
  uint64_t hash;
  uint64_t step; /* what a warp adds to the hash */
};

static struct before remember(const struct moves *moves, size_t position)
{
  uint64_t *number = moves->number_of[position];
  const uint64_t *term = moves->terms[position];
  return (struct before){number, term, *number - *term, moves->hash,
                         moves->keys[position + 1] - moves->keys[position]};
}

/* So many of the position's warps issue; with 0, all is as it was. */
static void issue(struct moves *moves, const struct before *before, uint32_t warps)
{
  *before->number = before->without + *(before->term - warps);
  moves->hash = before->hash + warps * before->step;
}

static void choose_warps(struct moves *moves, size_t r);

/* Lets `left` of the `waiting` warps at the positions from.. of run r, its last one
 * excluded, issue, in every way. */
static void choose_inside(struct moves *moves, size_t r, size_t from, uint32_t waiting,
                          uint32_t left)
{
  if (!moves_go_on(moves, 1))
    return;
  if (left == 0) {
    choose_warps(moves, r + 1);
    return;
  }
  while (moves->current[from] == 0) /* some warp waits, as left <= waiting */
    from++;
  uint32_t here = moves->current[from];
  uint32_t behind = waiting - here;
  uint32_t most = here < left ? here : left;
  const struct before before = remember(moves, from);
  for (uint32_t x = left > behind ? left - behind : 0; x <= most; x++) {
    issue(moves, &before, x);
    choose_inside(moves, r, from + 1, behind, left - x);
  }
  issue(moves, &before, 0);
}

/* Chooses the warps of the runs r.. that do what move says. */
static void choose_warps(struct moves *moves, size_t r)
{
  if (r == moves->table->run_count) {
    for (size_t i = 0; i < moves->code->segment_count; i++)
      wb_state_code_store(moves->code, moves->next, i, moves->numbers[i]);
    if (!reach(moves->worker, moves->next, moves->hash, moves->value))
      moves->ended = true;
    return;
  }
  size_t last = moves->first[r] + moves->table->runs[r].length - 1;
  uint32_t exits = moves->move[r].exits;
  const struct before before = remember(moves, last);
  issue(moves, &before, exits);
  choose_inside(moves, r, moves->first[r], moves->inside[r] - moves->current[last],
                moves->move[r].issues - exits);
  issue(moves, &before, 0);
}

/* Tries what the runs r.. may do in the abstraction; where the successor can still
 * reach the goal, every choice of warps for it. As in the run abstraction, but for
 * the exits: those that the current state has the warps for. */
static void choose_moves(struct moves *moves, size_t r, const struct wb_quota *left,
                         uint32_t entering)
{
  const struct wb_run_table *table = moves->table;
  if (!moves_go_on(moves, 1))
    return;
  if (r == table->run_count) {
    moves->value = wb_run_table_value(table, moves->next_inside, moves->next_pending);
    if (wb_run_table_may_reach(table, moves->value, moves->least_value))
      choose_warps(moves, 0);
    return;
  }
  const struct wb_run *run = &table->runs[r];
  uint32_t n = moves->inside[r];
  uint32_t at_exit = moves->current[moves->first[r] + run->length - 1];
  uint32_t most_issue = (uint32_t)wb_minimum(n, wb_minimum(left->most[run->unit], left->total));
  struct wb_quota rest = *left;
  for (uint32_t x = wb_quota_least(left, moves->after[r], run->unit, moves->capped);
       x <= most_issue; x++) {
    rest.most[run->unit] = left->most[run->unit] - x;
    rest.total = left->total - x;
    uint32_t e = x > n - at_exit ? x - (n - at_exit) : 0;
    for (; e <= x && e <= at_exit; e++) {
      moves->next_inside[r] = n - e + entering;
      moves->next_pending[r] = moves->pending[r] - x + (uint64_t)entering * run->length;
      moves->move[r] = (struct wb_run_move){x, e};
      choose_moves(moves, r + 1, &rest, e);
    }
  }
}

/* Tells the worker of every state that one cycle leads to and that, by the table, may be
 * least_value cycles or more from the end. False: the worker has ended it. Deterministic. */
static bool expand_state(struct moves *moves, const uint8_t *state, uint64_t least_value)
{
  const struct wb_run_table *table = moves->table;
  size_t length = table->problem->string.length;
  if (!moves_go_on(moves, 1 + length / 64))
    return false;
  moves->least_value = least_value;
  wb_state_code_unpack(moves->code, state, moves->current, moves->terms);
  for (size_t i = 0; i < moves->code->segment_count; i++)
    moves->numbers[i] = wb_state_code_load(moves->code, state, i);
  moves->hash = 0;
  uint32_t ready[WB_UNIT_COUNT] = {0};
  for (size_t r = table->run_count; r-- > 0;) {
    memcpy(moves->after[r], ready, sizeof ready);
    moves->inside[r] = 0;
    moves->pending[r] = 0;
    for (size_t k = 0; k < table->runs[r].length; k++) {
      uint32_t here = moves->current[moves->first[r] + k];
      moves->inside[r] += here;
      moves->pending[r] += here * (uint64_t)(table->runs[r].length - k);
      moves->hash += here * moves->keys[moves->first[r] + k];
    }
    ready[table->runs[r].unit] += moves->inside[r];
  }
  struct wb_quota quota = wb_cycle_quota(table->problem, ready);
  if (quota.total > 0)
    choose_moves(moves, 0, &quota, 0);
  return !moves->ended;
}

/* ---- the threads that fill the layers ---- */

/* States of a layer that one thread expands alone: it is done before others have started. */
#define SMALL_LAYER ((size_t)2048)
/* States that a worker takes at a time. */
#define CHUNK ((size_t)64)
/* Bytes of successors that a worker keeps before it waits for its ticket. */
#define MOST_KEPT ((size_t)1 << 18)

/* Shared by all workers. The fields from `stop` on are read and written by whoever holds the lock.
 */
struct workers {
  const struct wb_run_table *table;
  const struct wb_control *control;
  const struct wb_state_code *code; /* of the states */
  struct wb_layered_states *states; /* of the search, with layers for `cycle` - 1 cycles */
  const char *phase;                /* the name of the search, for progress */
  uint64_t goal;                    /* cycles: of the schedules that are looked for */
  uint64_t cycle;
  uint64_t least_value; /* successors of a lower table value are left out */
  enum wb_stop stop;    /* not WB_STOP_NONE once the search is to end */
  size_t first;         /* state of the layer that is expanded */
  size_t next;          /* the first state that no worker has taken */
  size_t until;         /* after the last state of the layer */
  size_t ticket;        /* the first state whose successors are not all in the new layer */
  pthread_mutex_t lock;
  pthread_cond_t called; /* is signalled when ticket or stop changes */
  struct worker *list;   /* by thread */
  unsigned count;
};

/* One thread. */
struct worker {
  struct workers *workers;
  struct moves moves;
  struct wb_layered_states own;   /* successors that wait for the ticket */
  struct wb_layered_states *into; /* where successors go: to the states of the search where the
                                     worker is alone, else to its own */
  uint8_t *copies; /* of the states taken: others may add states to the search meanwhile */
  size_t chunk;    /* the first of the states taken */
  uint32_t parent; /* the state whose successors are made */
};

static bool goes_on(const struct worker *worker)
{
  struct workers *workers = worker->workers;
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

static void stop_for_memory(struct workers *workers)
{
  workers->stop = WB_STOP_MEMORY;
  pthread_cond_broadcast(&workers->called);
}

/* Waits for the worker's ticket and adds what it has kept to the states of the search. The lock is
 * held. */
static void hand_over(struct worker *worker)
{
  struct workers *workers = worker->workers;
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
static bool reach(struct worker *worker, const uint8_t *code, uint64_t hash, uint32_t value)
{
  struct workers *workers = worker->workers;
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
  struct worker *worker = argument;
  struct workers *workers = worker->workers;
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
      on = expand_state(&worker->moves, worker->copies + i * worker->own.bytes,
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

static bool start_member(struct workers *workers, struct worker *worker)
{
  size_t bytes = workers->states->bytes;
  *worker = (struct worker){
      .workers = workers, .own = {.bytes = bytes, .memory = UINT64_MAX}, .into = &worker->own};
  worker->copies = wb_allocate(CHUNK, bytes);
  return moves_start(&worker->moves, workers->table, workers->code, worker) &&
         worker->copies != NULL && wb_layered_empty(&worker->own);
}

static void free_member(struct worker *worker)
{
  wb_arena_free(&worker->moves.arena);
  wb_layered_states_free(&worker->own);
  free(worker->copies);
}

/* Makes the next layer, of the successors of the last one's states that may reach the goal,
 * on control->threads threads where the layer is large. Every thread expands states of its
 * own, but they hand the successors over in the order of the states: the layer, down to the order
 * in it and the parents, is what one thread makes. In `stop`: whether it was stopped, the layer
 * unfinished. Beside the states' memory every thread takes about a MiB. */
static void workers_fill(struct workers *workers)
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
    struct worker *worker = &workers->list[workers->count];
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
    struct worker *worker = &workers->list[0];
    bool on = true;
    worker->into = workers->states;
    for (size_t i = workers->next; on && i < workers->until; i++) {
      worker->parent = (uint32_t)(i - workers->first);
      on = expand_state(&worker->moves, wb_layered_code(workers->states, i), workers->least_value);
    }
  }
}

/* The fields up to goal are given, the rest zero. False: memory is out, and there is nothing to
 * free. */
static bool workers_start(struct workers *workers)
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

/* ---- the search ---- */

/* left_out: states were dropped for the width. */
struct search {
  const struct wb_run_table *table;
  const struct wb_layered_options *options;
  uint32_t warps;
  struct wb_state_code code;
  struct wb_layered_states states;
  struct workers workers;
  bool left_out;
};

static int compare_hashes(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a;
  uint64_t y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The states that a layer keeps: those above the threshold's value, and of that value, if any,
 * those with a hash of `last` or less. The end state, whose value is 0, always stays. */
struct standard {
  uint32_t threshold;
  size_t of_threshold;
  uint64_t last;
};

static bool meets(const void *context, const struct wb_layered_note *note)
{
  const struct standard *standard = context;
  return note->value > standard->threshold || note->value == 0 ||
         (note->value == standard->threshold && standard->of_threshold > 0 &&
          note->hash <= standard->last);
}

/* Cuts the layer down to the width. Two states of one hash are kept or dropped
 * together: the width is exceeded by what shares the last hash. */
static bool narrow(struct search *search)
{
  const struct wb_layered_note *notes = search->states.notes;
  size_t count = search->states.count - wb_layered_base(&search->states);
  if (search->options->width == 0 || count <= search->options->width)
    return true;
  search->left_out = true;
  struct standard standard = {0};
  for (size_t i = 0; i < count; i++)
    standard.threshold = (uint32_t)wb_maximum(standard.threshold, notes[i].value);
  struct wb_arena arena = {0};
  size_t *histogram = wb_arena_array(&arena, size_t, (size_t)standard.threshold + 1);
  uint64_t *hashes = wb_arena_array(&arena, uint64_t, count);
  if (!arena.failed) {
    for (size_t i = 0; i < count; i++)
      histogram[notes[i].value]++;
    size_t kept = 0;
    while (standard.threshold > 0 && kept + histogram[standard.threshold] <= search->options->width)
      kept += histogram[standard.threshold--];
    standard.of_threshold = search->options->width - kept;
    size_t equal = 0;
    for (size_t i = 0; i < count; i++) {
      if (notes[i].value == standard.threshold)
        hashes[equal++] = notes[i].hash;
    }
    qsort(hashes, equal, sizeof *hashes, compare_hashes);
    if (standard.of_threshold > 0 && standard.of_threshold <= equal)
      standard.last = hashes[standard.of_threshold - 1];
    wb_layered_keep(&search->states, meets, &standard);
  }
  wb_arena_free(&arena);
  return !arena.failed;
}

static warpbound_status make_witness(const struct search *search, size_t end, uint64_t makespan,
                                     struct wb_schedule *schedule, warpbound_error *error)
{
  const struct wb_problem *problem = search->table->problem;
  warpbound_status status =
      wb_schedule_start(schedule, search->warps, problem->string.length, error);
  struct wb_arena arena = {0};
  size_t *path = wb_arena_array(&arena, size_t, (size_t)makespan + 1);
  size_t *done = wb_arena_array(&arena, size_t, search->warps);
  uint8_t *states[2] = {wb_arena_array(&arena, uint8_t, search->code.length),
                        wb_arena_array(&arena, uint8_t, search->code.length)};
  if (status == WARPBOUND_OK && arena.failed)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    /* The states of the last layer back to the first, and then forth again. */
    path[makespan] = end;
    for (uint64_t t = makespan; t > 0; t--)
      path[t - 1] = wb_layered_parent(&search->states, (size_t)t, path[t]);
    wb_state_code_unpack(&search->code, wb_layered_code(&search->states, path[0]), states[0], NULL);
    for (uint64_t t = 1; t <= makespan; t++) {
      uint8_t *from = states[(t - 1) % 2], *to = states[t % 2];
      wb_state_code_unpack(&search->code, wb_layered_code(&search->states, path[t]), to, NULL);
      wb_schedule_replay(schedule, done, from, to, (uint32_t)t);
    }
    schedule->makespan = makespan;
  }
  wb_arena_free(&arena);
  if (status != WARPBOUND_OK)
    wb_schedule_free(schedule);
  return status;
}

/* The cycle of the last layer that holds the end state is result->longest; returns that state, or
 * SIZE_MAX. */
static size_t fill_layers(struct search *search, struct wb_layered_result *result)
{
  struct workers *workers = &search->workers;
  const struct wb_layered_states *states = &search->states;
  size_t end = SIZE_MAX;
  /* The first layer: all warps at the first instruction. Its hash and value tell it from no other.
   */
  struct wb_arena arena = {0};
  uint8_t *warps = wb_arena_array(&arena, uint8_t, search->code.length);
  uint8_t *first = wb_arena_array(&arena, uint8_t, search->code.bytes);
  if (!arena.failed) {
    warps[0] = (uint8_t)search->warps;
    wb_state_code_pack(&search->code, warps, first);
  }
  if (arena.failed || !wb_layered_begin(&search->states) ||
      !wb_layered_add(&search->states, first, &(struct wb_layered_note){0}))
    workers->stop = WB_STOP_MEMORY;
  wb_arena_free(&arena);
  for (workers->cycle = 1; workers->stop == WB_STOP_NONE && states->count > wb_layered_base(states);
       workers->cycle++) {
    workers_fill(workers);
    if (workers->stop == WB_STOP_NONE && !narrow(search))
      workers->stop = WB_STOP_MEMORY;
    if (workers->stop != WB_STOP_NONE)
      break;
    result->peak = wb_maximum(result->peak, states->count - wb_layered_base(states));
    for (size_t i = wb_layered_base(states); i < states->count; i++) {
      const uint8_t *code = wb_layered_code(states, i);
      size_t k = 0;
      while (k < states->bytes && code[k] == 0) /* all warps past the end */
        k++;
      if (k < states->bytes)
        continue;
      end = i;
      result->longest = workers->cycle;
      break;
    }
  }
  return end;
}

warpbound_status wb_layered_search(const struct wb_run_table *table,
                                   const struct wb_layered_options *options,
                                   const struct wb_control *control,
                                   struct wb_layered_result *result, warpbound_error *error)
{
  assert(table->warps <= UINT8_MAX);
  *result = (struct wb_layered_result){0};
  struct search search = {.table = table,
                          .options = options,
                          .warps = options->warps > 0 ? options->warps : table->warps,
                          .states = {.memory = options->memory}};
  search.workers = (struct workers){.table = table,
                                    .code = &search.code,
                                    .control = control,
                                    .states = &search.states,
                                    .phase = options->width > 0 ? "beam search" : "guided search",
                                    .goal = options->goal};
  warpbound_status status = WARPBOUND_OK;
  bool started = wb_state_code_start(&search.code, table->problem->string.length, search.warps);
  search.states.bytes = search.code.bytes;
  if (started && workers_start(&search.workers)) {
    size_t end = fill_layers(&search, result);
    for (unsigned t = 0; t < search.workers.count; t++)
      free_member(&search.workers.list[t]);
    free(search.workers.list);
    pthread_cond_destroy(&search.workers.called);
    pthread_mutex_destroy(&search.workers.lock);
    result->stop = search.workers.stop;
    result->states = search.states.count;
    result->bytes = wb_layered_bytes(&search.states);
    result->complete = result->stop == WB_STOP_NONE && !search.left_out;
    if (end != SIZE_MAX)
      status = make_witness(&search, end, result->longest, &result->witness, error);
  } else {
    status = wb_out_of_memory(error);
  }
  wb_layered_states_free(&search.states);
  wb_state_code_free(&search.code);
  return status;
}
