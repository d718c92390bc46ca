#include "makespan/annealing/annealing_runs.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/system/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *wb_annealing_variant_name(enum wb_annealing_variant variant)
{
  return variant == WB_ANNEALING_PUBLISHED ? "published" : "windowed";
}

const char *wb_annealing_initial_name(enum wb_annealing_initial initial)
{
  static const char *const names[] = {"round-robin", "fixed-priority", "most-pending", "random",
                                      "all"};
  return names[initial];
}

void wb_annealing_result_free(struct wb_annealing_result *result)
{
  for (size_t r = 0; result->runs != NULL && r < result->run_count; r++)
    free(result->runs[r].improvements);
  free(result->runs);
  wb_schedule_free(&result->witness);
  *result = (struct wb_annealing_result){0};
}

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

/* ---- changes of a string ---- */

void wb_annealing_swap(uint32_t *order, size_t a, size_t b)
{
  uint32_t warp = order[a];
  order[a] = order[b];
  order[b] = warp;
}

void wb_annealing_swap_any(struct wb_annealing_evaluation *evaluation, struct wb_random *random)
{
  size_t from, to;
  size_t a = (size_t)wb_annealing_below(random, evaluation->entries);
  wb_annealing_stretch(evaluation, a, &from, &to);
  size_t b = from + (size_t)wb_annealing_below(random, to - from);
  size_t first = a < b ? a : b;
  size_t last = a < b ? b : a;
  wb_annealing_evaluation_open(evaluation, first, last);
  wb_annealing_swap(evaluation->order, first, last);
}

void wb_annealing_rotate(uint32_t *order, size_t first, size_t last, bool to_end)
{
  size_t bytes = (last - first) * sizeof *order;
  uint32_t moved = order[to_end ? first : last];
  if (to_end)
    memmove(order + first, order + first + 1, bytes);
  else
    memmove(order + first + 1, order + first, bytes);
  order[to_end ? last : first] = moved;
}

void wb_annealing_part(uint32_t *order, const uint32_t *saved, size_t count,
                       const struct wb_annealing_group *group, bool to_end)
{
  size_t at = 0;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (size_t k = 0; k < count; k++) {
      const uint32_t warp = saved[k];
      const bool chosen =
          warp >= group->first && warp < group->end && (group->bits >> warp % 64 & 1) != 0;
      if (chosen == ((pass == 0) != to_end))
        order[at++] = warp;
    }
  }
}

enum window_change { SWAP, MOVE, ONE_WARP_LAST, ONE_WARP_FIRST, GROUP_FIRST, CHANGES };

void wb_annealing_change_window(struct wb_annealing_evaluation *evaluation, size_t floor,
                                struct wb_random *random)
{
  size_t end = evaluation->entries;
  if (evaluation->fair.count > 0)
    wb_annealing_stretch(evaluation, (size_t)wb_annealing_below(random, evaluation->entries),
                         &floor, &end);
  /* A window of 2 or more places of floor..end-1, if there are as many: its length is up to a
   * random power of two, so that short and long ones are as frequent, whatever the string's
   * length. */
  size_t places = end - floor;
  unsigned powers = 1;
  while ((places >> powers) > 1)
    powers++;
  uint64_t most = UINT64_C(1) << (1 + wb_annealing_below(random, powers));
  uint64_t length = wb_minimum(2 + wb_annealing_below(random, most), places);
  size_t first = floor + (size_t)wb_annealing_below(random, places - length + 1);
  size_t last = first + (size_t)length - 1;
  wb_annealing_evaluation_open(evaluation, first, last);
  uint64_t dice = wb_random_next(random);
  uint32_t *order = evaluation->order;
  struct wb_annealing_group group = {.end = evaluation->warps, .bits = UINT64_MAX};
  switch ((enum window_change)(dice >> 32) % CHANGES) {
  case SWAP:
    wb_annealing_swap(order, first, last);
    return;
  case MOVE:
    wb_annealing_rotate(order, first, last, dice & 1);
    return;
  case ONE_WARP_LAST:
    group.first = order[first];
    group.end = group.first + 1;
    wb_annealing_part(order + first, evaluation->saved, (size_t)length, &group, true);
    return;
  case ONE_WARP_FIRST:
    group.first = order[last];
    group.end = group.first + 1;
    break;
  default: /* a quarter of the warps, or half of them */
    group.bits = wb_random_next(random);
    if (!(dice & 1))
      group.bits &= wb_random_next(random);
  }
  wb_annealing_part(order + first, evaluation->saved, (size_t)length, &group, false);
}

void wb_annealing_shuffle(struct wb_annealing_evaluation *evaluation, struct wb_random *random)
{
  wb_annealing_evaluation_open(evaluation, 0, evaluation->entries - 1);
  size_t from, to;
  for (size_t at = 0; at < evaluation->entries; at = to) {
    wb_annealing_stretch(evaluation, at, &from, &to);
    for (size_t left = to - from; left > 1; left--)
      wb_annealing_swap(evaluation->order, from + left - 1,
                        from + (size_t)wb_annealing_below(random, left));
  }
}

void wb_annealing_serve_in_turn(struct wb_annealing_evaluation *evaluation, size_t floor)
{
  wb_annealing_evaluation_open(evaluation, floor, evaluation->entries - 1);
  uint32_t *left = evaluation->left;
  memset(left, 0, evaluation->warps * sizeof *left);
  for (size_t k = floor; k < evaluation->entries; k++)
    left[evaluation->order[k]]++;
  for (size_t at = floor; at < evaluation->entries;) {
    for (uint32_t w = 0; w < evaluation->warps; w++) {
      if (left[w] == 0)
        continue;
      evaluation->order[at++] = w;
      left[w]--;
    }
  }
}
