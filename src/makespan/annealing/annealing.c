#include "makespan/annealing/annealing.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/workers.h"
#include "makespan/annealing/annealing_evaluation.h"
#include "makespan/annealing/annealing_guide.h"
#include "makespan/annealing/annealing_run.h"
#include "makespan/machine/precedence.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The runs, shared by the threads. needed: runs from this number on do not count, since
 * the one before has reached the upper end; it only falls. lock: whoever holds it may ask
 * the control, and change best, best_order and status. */
struct pool {
  const struct wb_problem *problem;
  const struct wb_annealing_options *options;
  const struct wb_control *control;
  const struct wb_annealing_guide *guide;
  uint64_t upper;
  uint64_t state_memory;
  struct wb_annealing_run *runs;
  uint32_t *initial[WB_ANNEALING_RANDOM];
  pthread_mutex_t lock;
  atomic_uint_fast64_t next;
  atomic_uint_fast64_t needed;
  atomic_uint_fast64_t done;
  atomic_int stop;
  uint64_t best;
  uint64_t best_run;
  uint32_t *best_order;
  warpbound_status status;
};

/* A thread, and the run that it is at. */
struct worker {
  struct pool *pool;
  struct wb_annealing_evaluation evaluation;
  uint32_t *best;
  uint64_t run;
};

static enum wb_annealing_initial initial_of(const struct wb_annealing_options *options,
                                            uint64_t run)
{
  return options->initial == WB_ANNEALING_ALL ? (enum wb_annealing_initial)(run % WB_ANNEALING_ALL)
                                              : options->initial;
}

/* The string that a kind of run begins with; the random one is shuffled round-robin. */
static enum wb_template template_of(enum wb_annealing_initial initial)
{
  switch (initial) {
  case WB_ANNEALING_FIXED_PRIORITY:
    return WB_TEMPLATE_FIXED_PRIORITY;
  case WB_ANNEALING_MOST_PENDING:
    return WB_TEMPLATE_MOST_PENDING;
  default:
    return WB_TEMPLATE_ROUND_ROBIN;
  }
}

/* Asks the control, if no other thread does at the time: its functions are never called
 * two at a time. */
static bool goes_on(void *context, uint64_t iterations)
{
  const struct worker *worker = context;
  struct pool *pool = worker->pool;
  uint64_t done = atomic_fetch_add(&pool->done, iterations) + iterations;
  if (pthread_mutex_trylock(&pool->lock) == 0) {
    double all = (double)pool->options->iterations * pool->options->runs;
    enum wb_stop stop = wb_control_poll(pool->control, "annealing", (double)done / all);
    if (stop != WB_STOP_NONE)
      atomic_store(&pool->stop, stop);
    pthread_mutex_unlock(&pool->lock);
  }
  return atomic_load(&pool->stop) == WB_STOP_NONE && worker->run < atomic_load(&pool->needed);
}

/* Takes over the run's longest string; of equal ones that of the earliest run. */
static void offer(struct worker *worker, warpbound_status status)
{
  struct pool *pool = worker->pool;
  uint64_t makespan = wb_annealing_run_best(&pool->runs[worker->run]);
  pthread_mutex_lock(&pool->lock);
  if (status != WARPBOUND_OK) {
    pool->status = status;
    atomic_store(&pool->stop, WB_STOP_MEMORY);
  }
  if (makespan > pool->best || (makespan == pool->best && worker->run < pool->best_run)) {
    pool->best = makespan;
    pool->best_run = worker->run;
    memcpy(pool->best_order, worker->best, worker->evaluation.entries * sizeof *pool->best_order);
  }
  if (makespan >= pool->upper && worker->run + 1 < atomic_load(&pool->needed))
    atomic_store(&pool->needed, worker->run + 1);
  pthread_mutex_unlock(&pool->lock);
}

/* Seeds of runs are far apart, also those of neighbouring seeds. */
static uint64_t seed_of(const struct pool *pool, uint64_t run)
{
  struct wb_random random = {pool->options->seed};
  struct wb_random mixed = {wb_random_next(&random) + run};
  return wb_random_next(&mixed);
}

static void run_one(struct worker *worker)
{
  struct pool *pool = worker->pool;
  struct wb_annealing_run *run = &pool->runs[worker->run];
  struct wb_annealing_walk walk = {.options = pool->options,
                                   .evaluation = &worker->evaluation,
                                   .guide = pool->guide,
                                   .upper = pool->upper,
                                   .start = pool->control->start,
                                   .goes_on = goes_on,
                                   .context = worker,
                                   .best = worker->best};
  enum wb_annealing_initial initial = initial_of(pool->options, worker->run);
  run->initial = initial;
  const uint32_t *order = pool->initial[template_of(initial)];
  offer(worker, wb_annealing_walk_run(&walk, order, seed_of(pool, worker->run), run, NULL));
}

static void *work(void *argument)
{
  struct worker *worker = argument;
  struct pool *pool = worker->pool;
  for (;;) {
    worker->run = atomic_fetch_add(&pool->next, 1);
    if (worker->run >= atomic_load(&pool->needed) || atomic_load(&pool->stop) != WB_STOP_NONE)
      return NULL;
    run_one(worker);
  }
}

static warpbound_status start_worker(struct worker *worker, struct pool *pool,
                                     warpbound_error *error)
{
  worker->pool = pool;
  warpbound_status status = wb_annealing_evaluation_start(
      &worker->evaluation, pool->problem, pool->upper,
      pool->options->variant == WB_ANNEALING_WINDOWED, pool->state_memory, error);
  worker->best =
      wb_allocate(pool->problem->warps * pool->problem->string.length, sizeof *worker->best);
  return worker->best != NULL ? status : wb_out_of_memory(error);
}

/* The first worker in this thread, each other in one of its own. */
static warpbound_status run_workers(struct pool *pool, unsigned count,
                                    struct wb_annealing_result *result, warpbound_error *error)
{
  struct worker *workers = wb_allocate(count, sizeof *workers);
  if (workers == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  for (unsigned t = 0; t < count && status == WARPBOUND_OK; t++)
    status = start_worker(&workers[t], pool, error);
  result->bytes = workers[0].evaluation.bytes;
  if (status == WARPBOUND_OK) {
    wb_workers_run(work, workers, count, sizeof *workers);
    status = pool->status != WARPBOUND_OK ? wb_out_of_memory(error) : WARPBOUND_OK;
  }
  for (unsigned t = 0; t < count; t++) {
    wb_annealing_evaluation_free(&workers[t].evaluation);
    free(workers[t].best);
  }
  free(workers);
  return status;
}

/* The initial strings, made beforehand: their making asks the control. */
static warpbound_status fill_initial(struct pool *pool, enum wb_stop *stop, warpbound_error *error)
{
  size_t entries = pool->problem->warps * pool->problem->string.length;
  warpbound_status status = WARPBOUND_OK;
  for (uint64_t r = 0; r < pool->options->runs && r < WB_ANNEALING_ALL && status == WARPBOUND_OK;
       r++) {
    enum wb_template template = template_of(initial_of(pool->options, r));
    if (pool->initial[template] != NULL)
      continue;
    pool->initial[template] = wb_allocate(entries, sizeof(uint32_t));
    if (pool->initial[template] == NULL)
      return wb_out_of_memory(error);
    status =
        wb_template_fill(template, pool->problem, pool->control, pool->initial[template], error);
  }
  if (status == WARPBOUND_LIMIT) { /* the control stopped the making */
    *stop = wb_control_stopped(pool->control);
    status = WARPBOUND_OK;
  }
  return status;
}

static warpbound_status take_result(struct pool *pool, struct wb_annealing_result *result,
                                    warpbound_error *error)
{
  uint64_t started = wb_minimum(atomic_load(&pool->next), atomic_load(&pool->needed));
  result->run_count = 0;
  while (result->run_count < started && pool->runs[result->run_count].count > 0)
    result->run_count++;
  for (size_t r = result->run_count; r < pool->options->runs; r++)
    free(pool->runs[r].improvements);
  result->stop = (enum wb_stop)atomic_load(&pool->stop);
  if (pool->best == 0)
    return WARPBOUND_OK;
  return wb_precedence_evaluate(pool->problem, pool->best_order, &result->witness, error);
}

static warpbound_status run_pool(struct pool *pool, unsigned threads,
                                 struct wb_annealing_result *result, warpbound_error *error)
{
  enum wb_stop stop = WB_STOP_NONE;
  warpbound_status status = fill_initial(pool, &stop, error);
  if (stop != WB_STOP_NONE)
    result->stop = stop;
  if (status != WARPBOUND_OK || stop != WB_STOP_NONE)
    return status;
  if (pthread_mutex_init(&pool->lock, NULL) != 0)
    return wb_out_of_memory(error);
  status = run_workers(pool, threads, result, error);
  pthread_mutex_destroy(&pool->lock);
  if (status == WARPBOUND_OK)
    status = take_result(pool, result, error);
  return status;
}

/* How many runs fit into half of the memory at a time, at most as many as there are
 * threads. What one keeps of its states depends on the limit alone: places
 * at which it looks whether it is back at an old state decide its way. */
static unsigned plan_threads(struct pool *pool)
{
  uint64_t memory = pool->control->memory_limit / 2; /* the guide may have the rest */
  pool->state_memory = memory / WB_THREAD_LIMIT;
  uint64_t least = wb_annealing_evaluation_bytes(pool->problem, pool->upper);
  uint64_t each;
  if (!wb_add(least, pool->state_memory, &each) || each > memory)
    return 0;
  uint64_t threads = wb_minimum(memory / each, pool->control->threads);
  threads = wb_minimum(threads, pool->options->runs);
  return (unsigned)threads;
}

static warpbound_status search(struct pool *pool, unsigned threads,
                               struct wb_annealing_result *result, warpbound_error *error)
{
  struct wb_annealing_guide guide = {0};
  warpbound_status status = WARPBOUND_OK;
  if (pool->options->variant == WB_ANNEALING_WINDOWED && !wb_problem_fair(pool->problem))
    status = wb_annealing_guide_start(&guide, pool->problem, pool->upper,
                                      pool->options->guide_memory, pool->control, error);
  pool->guide = &guide;
  size_t entries = pool->problem->warps * pool->problem->string.length;
  pool->runs = result->runs = wb_allocate(pool->options->runs, sizeof *pool->runs);
  pool->best_order = wb_allocate(entries, sizeof *pool->best_order);
  if (status == WARPBOUND_OK && (pool->runs == NULL || pool->best_order == NULL))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = run_pool(pool, threads, result, error);
  for (size_t t = 0; t < WB_ANNEALING_RANDOM; t++)
    free(pool->initial[t]);
  free(pool->best_order);
  pool->guide = NULL;
  wb_annealing_guide_free(&guide);
  return status;
}

warpbound_status wb_annealing_search(const struct wb_problem *problem,
                                     const struct wb_annealing_options *options, uint64_t upper,
                                     const struct wb_control *control,
                                     struct wb_annealing_result *result, warpbound_error *error)
{
  struct wb_annealing_options full = wb_annealing_with_defaults(options);
  *result = (struct wb_annealing_result){
      .variant = full.variant, .iterations = full.iterations, .temperature = full.temperature};
  struct pool pool = {.problem = problem,
                      .options = &full,
                      .control = control,
                      .upper = upper,
                      .needed = full.runs};
  unsigned threads = plan_threads(&pool);
  if (threads == 0) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  warpbound_status status = search(&pool, threads, result, error);
  if (status != WARPBOUND_OK)
    wb_annealing_result_free(result);
  return status;
}
