#include "makespan/annealing/annealing.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/system/workers.h"
#include "makespan/annealing/annealing_evaluation.h"
#include "makespan/annealing/annealing_guide.h"
#include "makespan/annealing/annealing_run.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/machine/precedence.h"

#include <stdlib.h>
#include <string.h>

/* The annealing under way. */
struct search {
  const struct wb_problem *problem;
  const struct wb_annealing_guide *guide;
  uint64_t state_memory;                  /* bytes for the states that a run keeps */
  uint32_t *initial[WB_ANNEALING_RANDOM]; /* by kind: the initial string */
  struct wb_annealing_runs runs;
  uint32_t *best_order; /* the longest string of all */
};

/* A thread. */
struct worker {
  struct search *search;
  struct wb_annealing_evaluation evaluation;
  uint32_t *best; /* the longest string of its run */
  uint64_t run;   /* that it is at */
};

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

static bool goes_on(void *context, uint64_t iterations)
{
  const struct worker *worker = context;
  return wb_annealing_runs_go_on(&worker->search->runs, worker->run, iterations);
}

static void keep_best(void *context)
{
  const struct worker *worker = context;
  memcpy(worker->search->best_order, worker->best,
         worker->evaluation.entries * sizeof *worker->best);
}

static void run_one(struct worker *worker)
{
  struct search *search = worker->search;
  struct wb_annealing_runs *runs = &search->runs;
  struct wb_annealing_run *run = &runs->list[worker->run];
  const struct wb_annealing_run_input input = {.options = runs->options,
                                               .evaluation = &worker->evaluation,
                                               .guide = search->guide,
                                               .upper = runs->upper,
                                               .start = runs->control->start,
                                               .goes_on = goes_on,
                                               .context = worker,
                                               .best = worker->best};
  const uint32_t *order = search->initial[template_of(run->initial)];
  const uint64_t seed = wb_annealing_runs_seed(runs, worker->run);
  bool made = wb_annealing_run_from(&input, order, seed, run, NULL) == WARPBOUND_OK;
  wb_annealing_runs_offer(runs, worker->run, made, keep_best, worker);
}

static void *work(void *argument)
{
  struct worker *worker = argument;
  while (wb_annealing_runs_take(&worker->search->runs, &worker->run))
    run_one(worker);
  return NULL;
}

static warpbound_status start_worker(struct worker *worker, struct search *search,
                                     warpbound_error *error)
{
  worker->search = search;
  warpbound_status status = wb_annealing_evaluation_start(
      &worker->evaluation, search->problem, search->runs.upper,
      search->runs.options->variant == WB_ANNEALING_WINDOWED, search->state_memory, error);
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
    status = search->runs.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
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
  for (uint64_t r = 0;
       r < search->runs.options->runs && r < WB_ANNEALING_ALL && status == WARPBOUND_OK; r++) {
    enum wb_template template = template_of(wb_annealing_runs_initial(search->runs.options, r));
    if (search->initial[template] != NULL)
      continue;
    search->initial[template] = wb_allocate(entries, sizeof(uint32_t));
    if (search->initial[template] == NULL)
      return wb_out_of_memory(error);
    status = wb_template_fill(template, search->problem, search->runs.control,
                              search->initial[template], error);
  }
  if (status == WARPBOUND_LIMIT) { /* the control stopped the making */
    *stop = wb_control_stopped(search->runs.control);
    status = WARPBOUND_OK;
  }
  return status;
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
  status = run_workers(search, threads, result, error);
  wb_annealing_runs_conclude(&search->runs, result);
  if (status != WARPBOUND_OK || search->runs.best == 0)
    return status;
  return wb_precedence_evaluate(search->problem, search->best_order, &result->witness, error);
}

/* How many runs fit into half of the memory at a time, at most as many as there are
 * threads. What one keeps of its states depends on the limit alone: places
 * at which it looks whether it is back at an old state decide its way. */
static unsigned plan_threads(struct search *search, const struct wb_annealing_options *options,
                             uint64_t upper, const struct wb_control *control)
{
  uint64_t memory = control->memory_limit / 2; /* the guide may have the rest */
  search->state_memory = memory / WB_THREAD_LIMIT;
  uint64_t least = wb_annealing_evaluation_bytes(search->problem, upper);
  uint64_t each;
  if (!wb_add(least, search->state_memory, &each) || each > memory)
    return 0;
  uint64_t threads = wb_minimum(memory / each, control->threads);
  return (unsigned)wb_minimum(threads, options->runs);
}

static warpbound_status run_search(struct search *search, unsigned threads,
                                   struct wb_annealing_result *result, warpbound_error *error)
{
  const struct wb_annealing_options *options = search->runs.options;
  struct wb_annealing_guide guide = {0};
  warpbound_status status = WARPBOUND_OK;
  if (options->variant == WB_ANNEALING_WINDOWED && !wb_problem_fair(search->problem))
    status = wb_annealing_guide_start(&guide, search->problem, search->runs.upper,
                                      options->guide_memory, search->runs.control, error);
  search->guide = &guide;
  size_t entries = search->problem->warps * search->problem->string.length;
  search->best_order = wb_allocate(entries, sizeof *search->best_order);
  if (status == WARPBOUND_OK && search->best_order == NULL)
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
  struct search search = {.problem = problem};
  unsigned threads = plan_threads(&search, &full, upper, control);
  if (threads == 0) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  if (!wb_annealing_runs_start(&search.runs, &full, control, upper, result)) {
    wb_annealing_result_free(result);
    return wb_out_of_memory(error);
  }
  warpbound_status status = run_search(&search, threads, result, error);
  wb_annealing_runs_end(&search.runs);
  if (status != WARPBOUND_OK)
    wb_annealing_result_free(result);
  return status;
}
