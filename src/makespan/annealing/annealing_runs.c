#include "makespan/annealing/annealing_runs.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/system/process.h"

#include <math.h>
#include <stdlib.h>

/* Places of strings between two polls of the control. */
#define POLL_PLACES 262144

warpbound_status wb_annealing_runs_start(struct wb_annealing_runs *runs,
                                         const struct wb_annealing_options *options,
                                         const struct wb_control *control, uint64_t upper,
                                         void (*anneal)(struct wb_annealing_thread *thread),
                                         void (*keep)(struct wb_annealing_thread *thread),
                                         struct wb_annealing_result *result, warpbound_error *error)
{
  *runs = (struct wb_annealing_runs){
      .options = *options, .control = control, .upper = upper, .anneal = anneal, .keep = keep};
  struct wb_annealing_options *full = &runs->options;
  if (full->iterations == 0)
    full->iterations = WB_ANNEALING_ITERATIONS;
  if (full->runs == 0)
    full->runs = WB_ANNEALING_RUNS;
  if (full->temperature == 0)
    full->temperature = WB_ANNEALING_TEMPERATURE;
  *result = (struct wb_annealing_result){
      .variant = full->variant, .iterations = full->iterations, .temperature = full->temperature};
  atomic_store(&runs->needed, full->runs);
  runs->list = result->runs = wb_allocate(full->runs, sizeof *runs->list);
  if (runs->list != NULL && pthread_mutex_init(&runs->lock, NULL) == 0)
    return WARPBOUND_OK;
  wb_annealing_result_free(result);
  return wb_out_of_memory(error);
}

warpbound_status wb_annealing_runs_end(struct wb_annealing_runs *runs, warpbound_status status,
                                       struct wb_annealing_result *result)
{
  pthread_mutex_destroy(&runs->lock);
  if (status != WARPBOUND_OK)
    wb_annealing_result_free(result);
  return status;
}

enum wb_annealing_initial wb_annealing_runs_initial(const struct wb_annealing_options *options,
                                                    uint64_t number)
{
  return options->initial == WB_ANNEALING_ALL
             ? (enum wb_annealing_initial)(number % WB_ANNEALING_ALL)
             : options->initial;
}

uint64_t wb_annealing_runs_seed(const struct wb_annealing_runs *runs, uint64_t number)
{
  struct wb_random random = {runs->options.seed};
  struct wb_random mixed = {wb_random_next(&random) + number};
  return wb_random_next(&mixed);
}

static void *work(void *argument)
{
  struct wb_annealing_thread *thread = argument;
  struct wb_annealing_runs *runs = thread->runs;
  for (;;) {
    const uint64_t number = atomic_fetch_add(&runs->next, 1);
    if (number >= atomic_load(&runs->needed) || atomic_load(&runs->stop) != WB_STOP_NONE)
      return NULL;
    *thread = (struct wb_annealing_thread){.runs = runs,
                                           .number = number,
                                           .run = &runs->list[number],
                                           .random = {wb_annealing_runs_seed(runs, number)}};
    thread->run->initial = wb_annealing_runs_initial(&runs->options, number);
    runs->anneal(thread);
    pthread_mutex_lock(&runs->lock);
    if (thread->failed) {
      runs->failed = true;
      atomic_store(&runs->stop, WB_STOP_MEMORY);
    }
    if (thread->best > runs->best || (thread->best == runs->best && number < runs->best_run)) {
      runs->best = thread->best;
      runs->best_run = number;
      runs->keep(thread);
    }
    if (thread->best >= runs->upper && number + 1 < atomic_load(&runs->needed))
      atomic_store(&runs->needed, number + 1);
    pthread_mutex_unlock(&runs->lock);
  }
}

warpbound_status wb_annealing_runs_perform(struct wb_annealing_runs *runs, void *threads,
                                           unsigned count, size_t size,
                                           struct wb_annealing_result *result,
                                           warpbound_error *error)
{
  for (unsigned t = 0; t < count; t++)
    ((struct wb_annealing_thread *)((char *)threads + t * size))->runs = runs;
  wb_workers_run(work, threads, count, size);
  const uint64_t started = wb_minimum(atomic_load(&runs->next), atomic_load(&runs->needed));
  while (result->run_count < started && runs->list[result->run_count].count > 0)
    result->run_count++;
  for (size_t r = result->run_count; r < runs->options.runs; r++)
    free(runs->list[r].improvements);
  result->stop = (enum wb_stop)atomic_load(&runs->stop);
  return runs->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

bool wb_annealing_accepts(struct wb_annealing_thread *thread, uint32_t loss, double temperature)
{
  /* a number from 0 to 1, 1 excluded */
  const double dice = (double)(wb_random_next(&thread->random) >> 11) * 0x1p-53;
  if (wb_annealing_is_published(thread))
    return dice * loss < temperature;
  return dice < exp(-(double)loss / temperature);
}

void wb_annealing_improve(struct wb_annealing_thread *thread, uint64_t makespan)
{
  struct wb_annealing_run *run = thread->run;
  if (!wb_grow(run->improvements, &run->capacity, run->count + 1)) {
    thread->failed = thread->stopped = true;
    return;
  }
  run->improvements[run->count++] = (struct wb_annealing_improvement){
      run->iterations, makespan, wb_clock() - thread->runs->control->start};
  thread->best = makespan;
  if (makespan >= thread->runs->upper)
    thread->stopped = true;
}

/* Polls the control unless another thread does at the time: its functions are never called two at
 * a time. Stops a run that is not needed any more. */
static void poll(struct wb_annealing_thread *thread)
{
  struct wb_annealing_runs *runs = thread->runs;
  const uint64_t iterations = thread->run->iterations - thread->polled_at;
  thread->polled_at = thread->run->iterations;
  const uint64_t done = atomic_fetch_add(&runs->done, iterations) + iterations;
  if (pthread_mutex_trylock(&runs->lock) == 0) {
    const double all = (double)runs->options.iterations * runs->options.runs;
    const enum wb_stop stop = wb_control_poll(runs->control, "annealing", (double)done / all);
    if (stop != WB_STOP_NONE)
      atomic_store(&runs->stop, stop);
    pthread_mutex_unlock(&runs->lock);
  }
  if (atomic_load(&runs->stop) != WB_STOP_NONE || thread->number >= atomic_load(&runs->needed))
    thread->stopped = true;
}

void wb_annealing_cool(struct wb_annealing_thread *thread, size_t entries, uint64_t rounds,
                       void (*restart)(struct wb_annealing_thread *thread),
                       void (*step)(struct wb_annealing_thread *thread, double temperature))
{
  const uint64_t all = thread->runs->options.iterations;
  const double hottest = thread->runs->options.temperature;
  const uint64_t poll_interval = POLL_PLACES / wb_minimum(wb_maximum(1, entries), POLL_PLACES);
  for (uint64_t r = 0; r < rounds && !thread->stopped; r++) {
    const uint64_t iterations = all / rounds + (r < all % rounds);
    if (r > 0)
      restart(thread);
    for (uint64_t i = 0; i < iterations && !thread->stopped; i++) {
      thread->run->iterations++;
      step(thread, hottest * (1 - (double)i / (double)iterations));
      if (thread->run->iterations % poll_interval == 0)
        poll(thread);
    }
  }
  poll(thread);
}
