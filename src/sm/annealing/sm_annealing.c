#include "sm/annealing/sm_annealing.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/system/workers.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/machine/policy.h"
#include "makespan/machine/schedule.h"
#include "sm/annealing/sm_annealing_run.h"
#include "sm/machine/sm_order.h"
#include "sm/machine/sm_words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The annealing under way. */
struct search {
  const struct wb_sm_problem *problem;
  const uint32_t *string_of; /* by warp; NULL: any */
  uint32_t longest;          /* the longest string */
  size_t entries;            /* most places of a precedence string */
  struct wb_annealing_runs runs;
  uint32_t *best_order;   /* the longest precedence string of all */
  uint32_t *best_strings; /* the strings of its warps */
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

static bool goes_on(void *context, uint64_t iterations)
{
  const struct worker *worker = context;
  return wb_annealing_runs_go_on(&worker->search->runs, worker->run, iterations);
}

static void keep_best(void *context)
{
  const struct worker *worker = context;
  struct search *search = worker->search;
  memcpy(search->best_order, worker->best, search->entries * sizeof *search->best_order);
  memcpy(search->best_strings, worker->best_strings,
         worker->order.warps * sizeof *search->best_strings);
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
static bool order_of_schedule(const struct wb_schedule *schedule, uint32_t *order)
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
  struct wb_schedule schedule;
  enum wb_stop stop;
  const struct wb_control control = {.memory_limit = worker->search->runs.control->memory_limit,
                                     .threads = 1};
  bool filled =
      wb_sm_simulate(wb_policy_find("most-pending"), worker->search->problem,
                     worker->order.string_of, &control, &schedule, &stop, NULL) == WARPBOUND_OK &&
      order_of_schedule(&schedule, worker->order.warp);
  wb_schedule_free(&schedule);
  return filled;
}

/* The string that a run begins with; the random one is shuffled later. */
static bool fill_initial(struct worker *worker, enum wb_annealing_initial initial)
{
  struct wb_random random = {wb_annealing_runs_seed(&worker->search->runs, worker->run) + 1};
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
  struct wb_annealing_runs *runs = &search->runs;
  struct wb_annealing_run *run = &runs->list[worker->run];
  const struct wb_sm_annealing_run_input input = {.options = runs->options,
                                                  .order = &worker->order,
                                                  .any = search->string_of == NULL,
                                                  .upper = runs->upper,
                                                  .start = runs->control->start,
                                                  .goes_on = goes_on,
                                                  .context = worker,
                                                  .best = worker->best,
                                                  .best_strings = worker->best_strings};
  const uint64_t seed = wb_annealing_runs_seed(runs, worker->run);
  bool made = fill_initial(worker, run->initial) && wb_sm_annealing_run_from(&input, seed, run);
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
  warpbound_status status = wb_sm_order_start(&worker->order, search->problem, error);
  worker->best = wb_allocate(search->entries, sizeof *worker->best);
  worker->best_strings = wb_allocate(worker->order.warps, sizeof *worker->best_strings);
  return worker->best != NULL && worker->best_strings != NULL ? status : wb_out_of_memory(error);
}

/* The runs that count, and the schedule of the longest string. */
static warpbound_status take_result(struct search *search, struct worker *worker,
                                    struct wb_annealing_result *result, warpbound_error *error)
{
  wb_annealing_runs_conclude(&search->runs, result);
  if (search->runs.failed)
    return wb_out_of_memory(error);
  if (search->runs.best == 0)
    return WARPBOUND_OK;
  struct wb_sm_order *order = &worker->order;
  memcpy(order->warp, search->best_order, search->entries * sizeof *order->warp);
  memcpy(order->string_of, search->best_strings, order->warps * sizeof *order->string_of);
  wb_sm_order_take(order);
  return wb_sm_order_schedule(order, &result->witness, error);
}

static warpbound_status run_workers(struct search *search, unsigned count,
                                    struct wb_annealing_result *result, warpbound_error *error)
{
  struct worker *workers = wb_allocate(count, sizeof *workers);
  if (workers == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  unsigned made = 0;
  for (; made < count && status == WARPBOUND_OK; made++)
    status = start_worker(&workers[made], search, error);
  if (status == WARPBOUND_OK) {
    wb_workers_run(work, workers, count, sizeof *workers);
    status = take_result(search, &workers[0], result, error);
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
static unsigned plan_threads(const struct search *search, const struct wb_control *control,
                             uint32_t runs)
{
  const uint64_t each =
      wb_sm_order_bytes(search->problem) + search->entries * (uint64_t)sizeof(uint32_t);
  const uint64_t fit = control->memory_limit / wb_maximum(1, each);
  return (unsigned)wb_minimum(wb_minimum(fit, control->threads), runs);
}

warpbound_status wb_sm_annealing_search(const struct wb_sm_problem *problem,
                                        const uint32_t *string_of,
                                        const struct wb_annealing_options *options, uint64_t upper,
                                        const struct wb_control *control,
                                        struct wb_annealing_result *result, warpbound_error *error)
{
  assert(wb_sm_annealing_fits(problem));
  const struct wb_annealing_options full = wb_annealing_with_defaults(options);
  *result = (struct wb_annealing_result){
      .variant = full.variant, .iterations = full.iterations, .temperature = full.temperature};
  struct search search = {.problem = problem, .string_of = string_of};
  for (uint32_t s = 1; s < problem->string_count; s++)
    search.longest =
        problem->strings[s].length > problem->strings[search.longest].length ? s : search.longest;
  search.entries = wb_sm_problem_warps(problem) * problem->strings[search.longest].length;
  const unsigned threads = plan_threads(&search, control, full.runs);
  result->bytes = wb_sm_order_bytes(problem);
  if (threads == 0) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  if (!wb_annealing_runs_start(&search.runs, &full, control, upper, result)) {
    wb_annealing_result_free(result);
    return wb_out_of_memory(error);
  }
  search.best_order = wb_allocate(search.entries, sizeof *search.best_order);
  search.best_strings = wb_allocate(wb_sm_problem_warps(problem), sizeof *search.best_strings);
  warpbound_status status = WARPBOUND_OK;
  if (search.best_order == NULL || search.best_strings == NULL)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = run_workers(&search, threads, result, error);
  wb_annealing_runs_end(&search.runs);
  free(search.best_order);
  free(search.best_strings);
  if (status != WARPBOUND_OK)
    wb_annealing_result_free(result);
  return status;
}
