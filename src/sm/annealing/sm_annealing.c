#include "sm/annealing/sm_annealing.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/workers.h"
#include "makespan/annealing/annealing_run.h"
#include "makespan/machine/schedule.h"
#include "sm/annealing/sm_annealing_run.h"
#include "sm/machine/sm_order.h"
#include "sm/machine/sm_words.h"
#include "sm/search/sm_policy.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The runs, shared by the threads. */
struct search {
  const struct wb_sm_problem *problem;
  const uint32_t *string_of; /* by warp; NULL: any */
  const struct wb_annealing_options *options;
  const struct wb_control *control;
  uint64_t upper;
  uint32_t longest; /* the longest string */
  size_t entries;   /* most places of a precedence string */
  struct wb_annealing_run *runs;
  pthread_mutex_t lock; /* of the control, best, best_run, best_order, best_strings and failed */
  atomic_uint_fast64_t next;   /* the first run that no thread has taken */
  atomic_uint_fast64_t needed; /* runs from this one on do not count: the one before has reached the
                                  upper end. It only falls */
  atomic_uint_fast64_t done;   /* iterations of all runs */
  atomic_int stop;             /* an enum wb_stop */
  uint64_t best;               /* cycles of the longest precedence string */
  uint64_t best_run;           /* the earliest run that met it */
  uint32_t *best_order;        /* that precedence string */
  uint32_t *best_strings;      /* the strings of its warps */
  bool failed;                 /* memory is out */
};

/* A thread. */
struct worker {
  struct search *search;
  struct wb_sm_order order;
  uint32_t *best;         /* the longest precedence string of its run */
  uint32_t *best_strings; /* the strings of its warps */
  uint64_t run;           /* that it is at */
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
  struct search *search = worker->search;
  const uint64_t done = atomic_fetch_add(&search->done, iterations) + iterations;
  if (pthread_mutex_trylock(&search->lock) == 0) {
    const double all = (double)search->options->iterations * search->options->runs;
    const enum wb_stop stop = wb_control_poll(search->control, "annealing", (double)done / all);
    if (stop != WB_STOP_NONE)
      atomic_store(&search->stop, stop);
    pthread_mutex_unlock(&search->lock);
  }
  return atomic_load(&search->stop) == WB_STOP_NONE && worker->run < atomic_load(&search->needed);
}

/* Takes over the run's longest string; of equal ones that of the earliest run. */
static void offer(struct worker *worker, bool made)
{
  struct search *search = worker->search;
  const uint64_t makespan = wb_annealing_run_best(&search->runs[worker->run]);
  pthread_mutex_lock(&search->lock);
  if (!made) {
    search->failed = true;
    atomic_store(&search->stop, WB_STOP_MEMORY);
  }
  if (makespan > search->best || (makespan == search->best && worker->run < search->best_run)) {
    search->best = makespan;
    search->best_run = worker->run;
    memcpy(search->best_order, worker->best, search->entries * sizeof *search->best_order);
    memcpy(search->best_strings, worker->best_strings,
           worker->order.warps * sizeof *search->best_strings);
  }
  if (makespan >= search->upper && worker->run + 1 < atomic_load(&search->needed))
    atomic_store(&search->needed, worker->run + 1);
  pthread_mutex_unlock(&search->lock);
}

/* Seeds of runs are far apart, also those of neighbouring seeds. */
static uint64_t seed_of(const struct search *search, uint64_t run)
{
  struct wb_random random = {search->options->seed};
  struct wb_random mixed = {wb_random_next(&random) + run};
  return wb_random_next(&mixed);
}

/* ---- initial strings ---- */

static void choose_strings(struct worker *worker, struct wb_random *random)
{
  const struct search *search = worker->search;
  const bool longest = worker->run / WB_ANNEALING_ALL % 2 == 0;
  for (uint32_t w = 0; w < worker->order.warps; w++) {
    const uint32_t any = (uint32_t)wb_random_below(random, search->problem->string_count);
    const uint32_t free = longest ? search->longest : any;
    worker->order.string_of[w] = search->string_of != NULL ? search->string_of[w] : free;
  }
}

static size_t length_of(const struct worker *worker, uint32_t warp)
{
  return worker->search->problem->strings[worker->order.string_of[warp]].length;
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
  const struct wb_control control = {.memory_limit = worker->search->control->memory_limit,
                                     .threads = 1};
  bool filled =
      wb_sm_simulate(wb_policy_find("most-pending"), worker->search->problem,
                     worker->order.string_of, &control, &schedule, &stop, NULL) == WARPBOUND_OK &&
      order_of_schedule(&schedule, worker->order.warp);
  wb_sm_schedule_free(&schedule);
  return filled;
}

/* The string that a run begins with; the random one is shuffled later. */
static bool fill_initial(struct worker *worker, enum wb_annealing_initial initial)
{
  struct wb_random random = {seed_of(worker->search, worker->run) + 1};
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
  struct search *search = worker->search;
  struct wb_annealing_run *run = &search->runs[worker->run];
  const struct wb_sm_annealing_run_input input = {.options = search->options,
                                                  .order = &worker->order,
                                                  .any = search->string_of == NULL,
                                                  .upper = search->upper,
                                                  .start = search->control->start,
                                                  .goes_on = goes_on,
                                                  .context = worker,
                                                  .best = worker->best,
                                                  .best_strings = worker->best_strings};
  run->initial = search->options->initial == WB_ANNEALING_ALL
                     ? (enum wb_annealing_initial)(worker->run % WB_ANNEALING_ALL)
                     : search->options->initial;
  offer(worker, fill_initial(worker, run->initial) &&
                    wb_sm_annealing_run_from(&input, seed_of(search, worker->run), run));
}

static void *work(void *argument)
{
  struct worker *worker = argument;
  struct search *search = worker->search;
  for (;;) {
    worker->run = atomic_fetch_add(&search->next, 1);
    if (worker->run >= atomic_load(&search->needed) || atomic_load(&search->stop) != WB_STOP_NONE)
      return NULL;
    run_one(worker);
  }
}

static warpbound_status start_worker(struct worker *worker, struct search *search,
                                     warpbound_error *error)
{
  worker->search = search;
  warpbound_status status = wb_sm_order_start(&worker->order, search->problem, error);
  worker->best = wb_allocate(search->entries, sizeof *worker->best);
  worker->best_strings = wb_allocate(worker->order.warps, sizeof *worker->best_strings);
  return worker->best != NULL && worker->best_strings != NULL ? status : wb_out_of_memory(error);
}

/* The runs that count, and the schedule of the longest string. */
static warpbound_status take_result(struct search *search, struct worker *worker,
                                    struct wb_annealing_result *result,
                                    struct wb_sm_schedule *witness, warpbound_error *error)
{
  const uint64_t started = wb_minimum(atomic_load(&search->next), atomic_load(&search->needed));
  result->run_count = 0;
  while (result->run_count < started && search->runs[result->run_count].count > 0)
    result->run_count++;
  for (size_t r = result->run_count; r < search->options->runs; r++)
    free(search->runs[r].improvements);
  result->stop = (enum wb_stop)atomic_load(&search->stop);
  if (search->failed)
    return wb_out_of_memory(error);
  if (search->best == 0)
    return WARPBOUND_OK;
  struct wb_sm_order *order = &worker->order;
  memcpy(order->warp, search->best_order, search->entries * sizeof *order->warp);
  memcpy(order->string_of, search->best_strings, order->warps * sizeof *order->string_of);
  wb_sm_order_take(order);
  return wb_sm_order_schedule(order, witness, error);
}

static warpbound_status run_workers(struct search *search, unsigned count,
                                    struct wb_annealing_result *result,
                                    struct wb_sm_schedule *witness, warpbound_error *error)
{
  struct worker *workers = wb_allocate(count, sizeof *workers);
  if (workers == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  unsigned made = 0;
  for (; made < count && status == WARPBOUND_OK; made++)
    status = start_worker(&workers[made], search, error);
  if (status == WARPBOUND_OK && pthread_mutex_init(&search->lock, NULL) == 0) {
    wb_workers_run(work, workers, count, sizeof *workers);
    pthread_mutex_destroy(&search->lock);
    status = take_result(search, &workers[0], result, witness, error);
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
static unsigned plan_threads(const struct search *search)
{
  const uint64_t each =
      wb_sm_order_bytes(search->problem) + search->entries * (uint64_t)sizeof(uint32_t);
  const uint64_t fit = search->control->memory_limit / wb_maximum(1, each);
  return (unsigned)wb_minimum(wb_minimum(fit, search->control->threads), search->options->runs);
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
  struct search search = {.problem = problem,
                          .string_of = string_of,
                          .options = &full,
                          .control = control,
                          .upper = upper,
                          .needed = full.runs};
  for (uint32_t s = 1; s < problem->string_count; s++)
    search.longest =
        problem->strings[s].length > problem->strings[search.longest].length ? s : search.longest;
  search.entries = wb_sm_problem_warps(problem) * problem->strings[search.longest].length;
  const unsigned threads = plan_threads(&search);
  result->bytes = wb_sm_order_bytes(problem);
  if (threads == 0) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  search.runs = result->runs = wb_allocate(full.runs, sizeof *search.runs);
  search.best_order = wb_allocate(search.entries, sizeof *search.best_order);
  search.best_strings = wb_allocate(wb_sm_problem_warps(problem), sizeof *search.best_strings);
  warpbound_status status = WARPBOUND_OK;
  if (search.runs == NULL || search.best_order == NULL || search.best_strings == NULL)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = run_workers(&search, threads, result, witness, error);
  free(search.best_order);
  free(search.best_strings);
  if (status != WARPBOUND_OK)
    wb_annealing_result_free(result);
  return status;
}
