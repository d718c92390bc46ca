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

/* The runs, shared by the threads. */
struct search {
  const struct wb_problem *problem;
  const struct wb_annealing_options *options;
  const struct wb_control *control;
  const struct wb_annealing_guide *guide;
  uint64_t upper;
  uint64_t state_memory; /* bytes for the states that a run keeps */
  struct wb_annealing_run *runs;
  uint32_t *initial[WB_ANNEALING_RANDOM]; /* by kind: the initial string */
  pthread_mutex_t lock;        /* of the control, best, best_run, best_order and status */
  atomic_uint_fast64_t next;   /* the first run that no thread has taken */
  atomic_uint_fast64_t needed; /* runs from this one on do not count: the one before has reached the
                                  upper end. It only falls */
  atomic_uint_fast64_t done;   /* iterations of all runs */
  atomic_int stop;             /* an enum wb_stop */
  uint64_t best;               /* cycles of the longest string */
  uint64_t best_run;           /* the earliest run that met it */
  uint32_t *best_order;        /* that string */
  warpbound_status status;
};

/* A thread. */
struct worker {
  struct search *search;
  struct wb_annealing_evaluation evaluation;
  uint32_t *best; /* the longest string of its run */
  uint64_t run;   /* that it is at */
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
  struct search *search = worker->search;
  uint64_t done = atomic_fetch_add(&search->done, iterations) + iterations;
  if (pthread_mutex_trylock(&search->lock) == 0) {
    double all = (double)search->options->iterations * search->options->runs;
    enum wb_stop stop = wb_control_poll(search->control, "annealing", (double)done / all);
    if (stop != WB_STOP_NONE)
      atomic_store(&search->stop, stop);
    pthread_mutex_unlock(&search->lock);
  }
  return atomic_load(&search->stop) == WB_STOP_NONE && worker->run < atomic_load(&search->needed);
}

/* Takes over the run's longest string; of equal ones that of the earliest run. */
static void offer(struct worker *worker, warpbound_status status)
{
  struct search *search = worker->search;
  uint64_t makespan = wb_annealing_run_best(&search->runs[worker->run]);
  pthread_mutex_lock(&search->lock);
  if (status != WARPBOUND_OK) {
    search->status = status;
    atomic_store(&search->stop, WB_STOP_MEMORY);
  }
  if (makespan > search->best || (makespan == search->best && worker->run < search->best_run)) {
    search->best = makespan;
    search->best_run = worker->run;
    memcpy(search->best_order, worker->best,
           worker->evaluation.entries * sizeof *search->best_order);
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

static void run_one(struct worker *worker)
{
  struct search *search = worker->search;
  struct wb_annealing_run *run = &search->runs[worker->run];
  struct wb_annealing_run_input input = {.options = search->options,
                                         .evaluation = &worker->evaluation,
                                         .guide = search->guide,
                                         .upper = search->upper,
                                         .start = search->control->start,
                                         .goes_on = goes_on,
                                         .context = worker,
                                         .best = worker->best};
  enum wb_annealing_initial initial = initial_of(search->options, worker->run);
  run->initial = initial;
  const uint32_t *order = search->initial[template_of(initial)];
  offer(worker, wb_annealing_run_from(&input, order, seed_of(search, worker->run), run, NULL));
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
  warpbound_status status = wb_annealing_evaluation_start(
      &worker->evaluation, search->problem, search->upper,
      search->options->variant == WB_ANNEALING_WINDOWED, search->state_memory, error);
  worker->best =
      wb_allocate(search->problem->warps * search->problem->string.length, sizeof *worker->best);
  return worker->best != NULL ? status : wb_out_of_memory(error);
}

/* The first worker in this thread, each other in one of its own. */
static warpbound_status run_workers(struct search *search, unsigned count,
                                    struct wb_annealing_result *result, warpbound_error *error)
{
  struct worker *workers = wb_allocate(count, sizeof *workers);
  if (workers == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  for (unsigned t = 0; t < count && status == WARPBOUND_OK; t++)
    status = start_worker(&workers[t], search, error);
  result->bytes = workers[0].evaluation.bytes;
  if (status == WARPBOUND_OK) {
    wb_workers_run(work, workers, count, sizeof *workers);
    status = search->status != WARPBOUND_OK ? wb_out_of_memory(error) : WARPBOUND_OK;
  }
  for (unsigned t = 0; t < count; t++) {
    wb_annealing_evaluation_free(&workers[t].evaluation);
    free(workers[t].best);
  }
  free(workers);
  return status;
}

/* The initial strings, made beforehand: their making asks the control. */
static warpbound_status fill_initial(struct search *search, enum wb_stop *stop,
                                     warpbound_error *error)
{
  size_t entries = search->problem->warps * search->problem->string.length;
  warpbound_status status = WARPBOUND_OK;
  for (uint64_t r = 0; r < search->options->runs && r < WB_ANNEALING_ALL && status == WARPBOUND_OK;
       r++) {
    enum wb_template template = template_of(initial_of(search->options, r));
    if (search->initial[template] != NULL)
      continue;
    search->initial[template] = wb_allocate(entries, sizeof(uint32_t));
    if (search->initial[template] == NULL)
      return wb_out_of_memory(error);
    status = wb_template_fill(template, search->problem, search->control, search->initial[template],
                              error);
  }
  if (status == WARPBOUND_LIMIT) { /* the control stopped the making */
    *stop = wb_control_stopped(search->control);
    status = WARPBOUND_OK;
  }
  return status;
}

static warpbound_status take_result(struct search *search, struct wb_annealing_result *result,
                                    warpbound_error *error)
{
  uint64_t started = wb_minimum(atomic_load(&search->next), atomic_load(&search->needed));
  result->run_count = 0;
  while (result->run_count < started && search->runs[result->run_count].count > 0)
    result->run_count++;
  for (size_t r = result->run_count; r < search->options->runs; r++)
    free(search->runs[r].improvements);
  result->stop = (enum wb_stop)atomic_load(&search->stop);
  if (search->best == 0)
    return WARPBOUND_OK;
  return wb_precedence_evaluate(search->problem, search->best_order, &result->witness, error);
}

static warpbound_status anneal(struct search *search, unsigned threads,
                               struct wb_annealing_result *result, warpbound_error *error)
{
  enum wb_stop stop = WB_STOP_NONE;
  warpbound_status status = fill_initial(search, &stop, error);
  if (stop != WB_STOP_NONE)
    result->stop = stop;
  if (status != WARPBOUND_OK || stop != WB_STOP_NONE)
    return status;
  if (pthread_mutex_init(&search->lock, NULL) != 0)
    return wb_out_of_memory(error);
  status = run_workers(search, threads, result, error);
  pthread_mutex_destroy(&search->lock);
  if (status == WARPBOUND_OK)
    status = take_result(search, result, error);
  return status;
}

/* How many runs fit into half of the memory at a time, at most as many as there are
 * threads. What one keeps of its states depends on the limit alone: places
 * at which it looks whether it is back at an old state decide its way. */
static unsigned plan_threads(struct search *search)
{
  uint64_t memory = search->control->memory_limit / 2; /* the guide may have the rest */
  search->state_memory = memory / WB_THREAD_LIMIT;
  uint64_t least = wb_annealing_evaluation_bytes(search->problem, search->upper);
  uint64_t each;
  if (!wb_add(least, search->state_memory, &each) || each > memory)
    return 0;
  uint64_t threads = wb_minimum(memory / each, search->control->threads);
  threads = wb_minimum(threads, search->options->runs);
  return (unsigned)threads;
}

static warpbound_status run_search(struct search *search, unsigned threads,
                                   struct wb_annealing_result *result, warpbound_error *error)
{
  struct wb_annealing_guide guide = {0};
  warpbound_status status = WARPBOUND_OK;
  if (search->options->variant == WB_ANNEALING_WINDOWED && !wb_problem_fair(search->problem))
    status = wb_annealing_guide_start(&guide, search->problem, search->upper,
                                      search->options->guide_memory, search->control, error);
  search->guide = &guide;
  size_t entries = search->problem->warps * search->problem->string.length;
  search->runs = result->runs = wb_allocate(search->options->runs, sizeof *search->runs);
  search->best_order = wb_allocate(entries, sizeof *search->best_order);
  if (status == WARPBOUND_OK && (search->runs == NULL || search->best_order == NULL))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = anneal(search, threads, result, error);
  for (size_t t = 0; t < WB_ANNEALING_RANDOM; t++)
    free(search->initial[t]);
  free(search->best_order);
  search->guide = NULL;
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
  struct search search = {.problem = problem,
                          .options = &full,
                          .control = control,
                          .upper = upper,
                          .needed = full.runs};
  unsigned threads = plan_threads(&search);
  if (threads == 0) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  warpbound_status status = run_search(&search, threads, result, error);
  if (status != WARPBOUND_OK)
    wb_annealing_result_free(result);
  return status;
}
