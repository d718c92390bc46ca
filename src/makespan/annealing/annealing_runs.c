#include "makespan/annealing/annealing_runs.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "makespan/annealing/annealing_run.h"

#include <stdlib.h>

bool wb_annealing_runs_start(struct wb_annealing_runs *runs,
                             const struct wb_annealing_options *options,
                             const struct wb_control *control, uint64_t upper,
                             struct wb_annealing_result *result)
{
  *runs = (struct wb_annealing_runs){
      .options = options, .control = control, .upper = upper, .needed = options->runs};
  runs->list = result->runs = wb_allocate(options->runs, sizeof *runs->list);
  return runs->list != NULL && pthread_mutex_init(&runs->lock, NULL) == 0;
}

void wb_annealing_runs_end(struct wb_annealing_runs *runs)
{
  pthread_mutex_destroy(&runs->lock);
}

enum wb_annealing_initial wb_annealing_runs_initial(const struct wb_annealing_options *options,
                                                    uint64_t number)
{
  return options->initial == WB_ANNEALING_ALL
             ? (enum wb_annealing_initial)(number % WB_ANNEALING_ALL)
             : options->initial;
}

bool wb_annealing_runs_take(struct wb_annealing_runs *runs, uint64_t *number)
{
  *number = atomic_fetch_add(&runs->next, 1);
  if (*number >= atomic_load(&runs->needed) || atomic_load(&runs->stop) != WB_STOP_NONE)
    return false;
  runs->list[*number].initial = wb_annealing_runs_initial(runs->options, *number);
  return true;
}

uint64_t wb_annealing_runs_seed(const struct wb_annealing_runs *runs, uint64_t number)
{
  struct wb_random random = {runs->options->seed};
  struct wb_random mixed = {wb_random_next(&random) + number};
  return wb_random_next(&mixed);
}

bool wb_annealing_runs_go_on(struct wb_annealing_runs *runs, uint64_t number, uint64_t iterations)
{
  const uint64_t done = atomic_fetch_add(&runs->done, iterations) + iterations;
  if (pthread_mutex_trylock(&runs->lock) == 0) {
    const double all = (double)runs->options->iterations * runs->options->runs;
    const enum wb_stop stop = wb_control_poll(runs->control, "annealing", (double)done / all);
    if (stop != WB_STOP_NONE)
      atomic_store(&runs->stop, stop);
    pthread_mutex_unlock(&runs->lock);
  }
  return atomic_load(&runs->stop) == WB_STOP_NONE && number < atomic_load(&runs->needed);
}

void wb_annealing_runs_offer(struct wb_annealing_runs *runs, uint64_t number, bool made,
                             void (*keep)(void *context), void *context)
{
  const uint64_t makespan = wb_annealing_run_best(&runs->list[number]);
  pthread_mutex_lock(&runs->lock);
  if (!made) {
    runs->failed = true;
    atomic_store(&runs->stop, WB_STOP_MEMORY);
  }
  if (makespan > runs->best || (makespan == runs->best && number < runs->best_run)) {
    runs->best = makespan;
    runs->best_run = number;
    keep(context);
  }
  if (makespan >= runs->upper && number + 1 < atomic_load(&runs->needed))
    atomic_store(&runs->needed, number + 1);
  pthread_mutex_unlock(&runs->lock);
}

void wb_annealing_runs_conclude(struct wb_annealing_runs *runs, struct wb_annealing_result *result)
{
  const uint64_t started = wb_minimum(atomic_load(&runs->next), atomic_load(&runs->needed));
  result->run_count = 0;
  while (result->run_count < started && runs->list[result->run_count].count > 0)
    result->run_count++;
  for (size_t r = result->run_count; r < runs->options->runs; r++)
    free(runs->list[r].improvements);
  result->stop = (enum wb_stop)atomic_load(&runs->stop);
}
