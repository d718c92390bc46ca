#include "sm/annealing/sm_annealing.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/workers.h"
#include "makespan/annealing/annealing_run.h"
#include "makespan/machine/schedule.h"
#include "sm/annealing/sm_walk.h"
#include "sm/machine/sm_order.h"
#include "sm/machine/sm_words.h"
#include "sm/search/sm_policy.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The runs, shared by the threads. needed: runs from this number on do not count, since the one
 * before has reached the upper end; it only falls. lock: whoever holds it may ask the control, and
 * change best, best_run, best_order, best_strings and failed. */
struct pool {
  const struct wb_sm_problem *problem;
  const uint32_t *string_of;
  const struct wb_annealing_options *options;
  const struct wb_control *control;
  uint64_t upper;
  uint32_t longest; /* the longest string */
  size_t entries;   /* most of a string */
  struct wb_annealing_run *runs;
  pthread_mutex_t lock;
  atomic_uint_fast64_t next;
  atomic_uint_fast64_t needed;
  atomic_uint_fast64_t done;
  atomic_int stop;
  uint64_t best;
  uint64_t best_run;
  uint32_t *best_order;
  uint32_t *best_strings;
  bool failed;
};

/* A thread, and the run that it is at. */
struct worker {
  struct pool *pool;
  struct wb_sm_order order;
  uint32_t *best;
  uint32_t *best_strings;
  uint64_t run;
};

bool wb_sm_annealing_fits(const struct wb_sm_problem *problem)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  return wb_sm_words_letters(problem) <= WB_SCHEDULE_LIMIT / warps;
}

/* Asks the control, if no other thread does at the time: its functions are never called two at a
 * time. */
static bool goes_on(void *context, uint64_t iterations)
{
  const struct worker *worker = context;
  struct pool *pool = worker->pool;
  const uint64_t done = atomic_fetch_add(&pool->done, iterations) + iterations;
  if (pthread_mutex_trylock(&pool->lock) == 0) {
    const double all = (double)pool->options->iterations * pool->options->runs;
    const enum wb_stop stop = wb_control_poll(pool->control, "annealing", (double)done / all);
    if (stop != WB_STOP_NONE)
      atomic_store(&pool->stop, stop);
    pthread_mutex_unlock(&pool->lock);
  }
  return atomic_load(&pool->stop) == WB_STOP_NONE && worker->run < atomic_load(&pool->needed);
}

/* Takes over the run's longest string; of equal ones that of the earliest run. */
static void offer(struct worker *worker, bool walked)
{
  struct pool *pool = worker->pool;
  const uint64_t makespan = wb_annealing_run_best(&pool->runs[worker->run]);
  pthread_mutex_lock(&pool->lock);
  if (!walked) {
    pool->failed = true;
    atomic_store(&pool->stop, WB_STOP_MEMORY);
  }
  if (makespan > pool->best || (makespan == pool->best && worker->run < pool->best_run)) {
    pool->best = makespan;
    pool->best_run = worker->run;
    memcpy(pool->best_order, worker->best, pool->entries * sizeof *pool->best_order);
    memcpy(pool->best_strings, worker->best_strings,
           worker->order.warps * sizeof *pool->best_strings);
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

/* ---- initial strings ---- */

static void choose_strings(struct worker *worker, struct wb_random *random)
{
  const struct pool *pool = worker->pool;
  const bool longest = worker->run / WB_ANNEALING_ALL % 2 == 0;
  for (uint32_t w = 0; w < worker->order.warps; w++) {
    const uint32_t any = (uint32_t)wb_random_below(random, pool->problem->string_count);
    const uint32_t free = longest ? pool->longest : any;
    worker->order.string_of[w] = pool->string_of != NULL ? pool->string_of[w] : free;
  }
}

static size_t length_of(const struct worker *worker, uint32_t warp)
{
  return worker->pool->problem->strings[worker->order.string_of[warp]].length;
}

static void fill_in_turn(struct worker *worker)
{
  struct wb_sm_order *order = &worker->order;
  size_t at = 0;
  for (size_t i = 0; i < order->longest; i++) {
    for (uint32_t w = 0; w < order->warps; w++) {
      if (i < length_of(worker, w))
        order->warp[at++] = w;
    }
  }
}

static void fill_by_priority(struct worker *worker)
{
  size_t at = 0;
  for (uint32_t w = 0; w < worker->order.warps; w++) {
    for (size_t i = 0; i < length_of(worker, w); i++)
      worker->order.warp[at++] = w;
  }
}

/* The warps in the order in which they issue: counting sort by cycle, ties by number. */
static bool order_of_schedule(const struct wb_sm_schedule *schedule, uint32_t *order)
{
  size_t *begin = wb_allocate((size_t)schedule->makespan + 2, sizeof *begin);
  if (begin == NULL)
    return false;
  const size_t entries = schedule->first[schedule->warps];
  for (size_t k = 0; k < entries; k++)
    begin[schedule->issue_cycle[k] + 1]++;
  for (size_t c = 1; c <= schedule->makespan; c++)
    begin[c + 1] += begin[c];
  for (uint32_t w = 0; w < schedule->warps; w++) {
    for (size_t k = schedule->first[w]; k < schedule->first[w + 1]; k++)
      order[begin[schedule->issue_cycle[k]]++] = w;
  }
  free(begin);
  return true;
}

static bool fill_most_pending(struct worker *worker)
{
  struct wb_sm_schedule schedule;
  enum wb_stop stop;
  const struct wb_control control = {.memory_limit = worker->pool->control->memory_limit,
                                     .threads = 1};
  bool filled =
      wb_sm_simulate(wb_policy_find("most-pending"), worker->pool->problem, worker->order.string_of,
                     &control, &schedule, &stop, NULL) == WARPBOUND_OK &&
      order_of_schedule(&schedule, worker->order.warp);
  wb_sm_schedule_free(&schedule);
  return filled;
}

/* The string that a run begins with; the random one is shuffled later. */
static bool fill_initial(struct worker *worker, enum wb_annealing_initial initial)
{
  struct wb_random random = {seed_of(worker->pool, worker->run) + 1};
  choose_strings(worker, &random);
  if (initial == WB_ANNEALING_MOST_PENDING)
    return fill_most_pending(worker);
  if (initial == WB_ANNEALING_FIXED_PRIORITY)
    fill_by_priority(worker);
  else
    fill_in_turn(worker);
  return true;
}

/* ---- runs and threads ---- */

static void run_one(struct worker *worker)
{
  struct pool *pool = worker->pool;
  struct wb_annealing_run *run = &pool->runs[worker->run];
  const struct wb_sm_walk walk = {.options = pool->options,
                                  .order = &worker->order,
                                  .any = pool->string_of == NULL,
                                  .upper = pool->upper,
                                  .start = pool->control->start,
                                  .goes_on = goes_on,
                                  .context = worker,
                                  .best = worker->best,
                                  .best_strings = worker->best_strings};
  run->initial = pool->options->initial == WB_ANNEALING_ALL
                     ? (enum wb_annealing_initial)(worker->run % WB_ANNEALING_ALL)
                     : pool->options->initial;
  offer(worker, fill_initial(worker, run->initial) &&
                    wb_sm_walk_run(&walk, seed_of(pool, worker->run), run));
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
  warpbound_status status = wb_sm_order_start(&worker->order, pool->problem, error);
  worker->best = wb_allocate(pool->entries, sizeof *worker->best);
  worker->best_strings = wb_allocate(worker->order.warps, sizeof *worker->best_strings);
  return worker->best != NULL && worker->best_strings != NULL ? status : wb_out_of_memory(error);
}

/* The runs that count, and the schedule of the longest string. */
static warpbound_status take_result(struct pool *pool, struct worker *worker,
                                    struct wb_annealing_result *result,
                                    struct wb_sm_schedule *witness, warpbound_error *error)
{
  const uint64_t started = wb_minimum(atomic_load(&pool->next), atomic_load(&pool->needed));
  result->run_count = 0;
  while (result->run_count < started && pool->runs[result->run_count].count > 0)
    result->run_count++;
  for (size_t r = result->run_count; r < pool->options->runs; r++)
    free(pool->runs[r].improvements);
  result->stop = (enum wb_stop)atomic_load(&pool->stop);
  if (pool->failed)
    return wb_out_of_memory(error);
  if (pool->best == 0)
    return WARPBOUND_OK;
  struct wb_sm_order *order = &worker->order;
  memcpy(order->warp, pool->best_order, pool->entries * sizeof *order->warp);
  memcpy(order->string_of, pool->best_strings, order->warps * sizeof *order->string_of);
  wb_sm_order_take(order);
  return wb_sm_order_schedule(order, witness, error);
}

static warpbound_status run_workers(struct pool *pool, unsigned count,
                                    struct wb_annealing_result *result,
                                    struct wb_sm_schedule *witness, warpbound_error *error)
{
  struct worker *workers = wb_allocate(count, sizeof *workers);
  if (workers == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  unsigned made = 0;
  for (; made < count && status == WARPBOUND_OK; made++)
    status = start_worker(&workers[made], pool, error);
  if (status == WARPBOUND_OK && pthread_mutex_init(&pool->lock, NULL) == 0) {
    wb_workers_run(work, workers, count, sizeof *workers);
    pthread_mutex_destroy(&pool->lock);
    status = take_result(pool, &workers[0], result, witness, error);
  }
  for (unsigned t = 0; t < made; t++) {
    wb_sm_order_free(&workers[t].order);
    free(workers[t].best);
    free(workers[t].best_strings);
  }
  free(workers);
  return status;
}

/* How many runs fit into the memory at a time, at most as many as there are threads. */
static unsigned plan_threads(const struct pool *pool)
{
  const uint64_t each =
      wb_sm_order_bytes(pool->problem) + pool->entries * (uint64_t)sizeof(uint32_t);
  const uint64_t fit = pool->control->memory_limit / wb_maximum(1, each);
  return (unsigned)wb_minimum(wb_minimum(fit, pool->control->threads), pool->options->runs);
}

warpbound_status wb_sm_annealing_search(const struct wb_sm_problem *problem,
                                        const uint32_t *string_of,
                                        const struct wb_annealing_options *options, uint64_t upper,
                                        const struct wb_control *control,
                                        struct wb_annealing_result *result,
                                        struct wb_sm_schedule *witness, warpbound_error *error)
{
  assert(wb_sm_annealing_fits(problem));
  const struct wb_annealing_options full = wb_annealing_with_defaults(options);
  *result = (struct wb_annealing_result){
      .variant = full.variant, .iterations = full.iterations, .temperature = full.temperature};
  *witness = (struct wb_sm_schedule){0};
  struct pool pool = {.problem = problem,
                      .string_of = string_of,
                      .options = &full,
                      .control = control,
                      .upper = upper,
                      .needed = full.runs};
  for (uint32_t s = 1; s < problem->string_count; s++)
    pool.longest =
        problem->strings[s].length > problem->strings[pool.longest].length ? s : pool.longest;
  pool.entries = wb_sm_problem_warps(problem) * problem->strings[pool.longest].length;
  const unsigned threads = plan_threads(&pool);
  result->bytes = wb_sm_order_bytes(problem);
  if (threads == 0) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  pool.runs = result->runs = wb_allocate(full.runs, sizeof *pool.runs);
  pool.best_order = wb_allocate(pool.entries, sizeof *pool.best_order);
  pool.best_strings = wb_allocate(wb_sm_problem_warps(problem), sizeof *pool.best_strings);
  warpbound_status status = WARPBOUND_OK;
  if (pool.runs == NULL || pool.best_order == NULL || pool.best_strings == NULL)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = run_workers(&pool, threads, result, witness, error);
  free(pool.best_order);
  free(pool.best_strings);
  if (status != WARPBOUND_OK)
    wb_annealing_result_free(result);
  return status;
}
