/* Threads that take the next index each until none is left, or one of them has to stop. */
#include "evt/fit/bootstrap.h"

#include "base/memory.h"
#include "base/system/process.h"
#include "evt/fit/intervals.h"
#include "evt/samples/samples.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Shared by all threads. */
struct run {
  const struct wb_replicate_work *work;
  const struct wb_control *control;
  atomic_uint next;
  atomic_int stop;           /* an enum wb_stop */
  atomic_bool out_of_memory; /* of a replicate */
};

struct worker {
  struct run *run;
  bool first; /* the caller's own thread, which asks the control */
  double *values;
};

struct wb_random wb_replicate_generator(uint64_t seed, unsigned index)
{
  struct wb_random random = {.state = seed};
  random.state = wb_random_next(&random) + index;
  random.state = wb_random_next(&random);
  return random;
}

static void *take_indices(void *argument)
{
  const struct worker *const worker = argument;
  struct run *const run = worker->run;
  for (;;) {
    const unsigned index = atomic_fetch_add(&run->next, 1);
    if (index >= run->work->count)
      return NULL;
    if (worker->first) {
      const enum wb_stop stop =
          wb_control_poll(run->control, run->work->name, (double)index / run->work->count);
      if (stop != WB_STOP_NONE)
        atomic_store(&run->stop, (int)stop);
    }
    if (!(atomic_load(&run->stop) == WB_STOP_NONE && !atomic_load(&run->out_of_memory)))
      return NULL;
    if (!run->work->run(run->work->context, index, worker->values))
      atomic_store(&run->out_of_memory, true);
  }
}

warpbound_status wb_replicate_threads_run(const struct wb_replicate_work *work, unsigned threads,
                                          const struct wb_control *control, warpbound_error *error)
{
  struct run run = {.work = work, .control = control};
  struct worker *const workers = wb_allocate(threads, sizeof *workers);
  double *const values = wb_allocate(threads, work->size * sizeof *values);
  warpbound_status status = WARPBOUND_OK;
  if (workers == NULL || values == NULL) {
    status = wb_out_of_memory(error);
  } else {
    for (unsigned t = 0; t < threads; t++)
      workers[t] = (struct worker){&run, t == 0, values + t * work->size};
    wb_workers_run(take_indices, workers, threads, sizeof *workers);
    if (atomic_load(&run.out_of_memory))
      status = wb_out_of_memory(error);
    else if (atomic_load(&run.stop) != WB_STOP_NONE)
      status = wb_fail(error, WARPBOUND_LIMIT,
                       "the replicates for %s were ended by a limit of time or an interruption",
                       work->name);
  }
  free(values);
  free(workers);
  return status;
}

/* Intervals of levels by the parametric bootstrap, on threads. */

/* Doubles that a thread needs for a value of a replicate: its own, and those of the fit. */
#define DOUBLES_PER_VALUE 3

/* levels[k * count + r]: level k of replicate r, NAN where nothing could be fitted to it. */
struct bootstrap {
  const struct wb_tail_fit *fit;
  const double *survivals;
  size_t level_count;
  unsigned count;
  uint64_t seed;
  const struct wb_control *control;
  double *levels;
};

static bool run_replicate(void *context, unsigned index, double *values)
{
  const struct bootstrap *const bootstrap = context;
  const struct wb_tail_fit *const fit = bootstrap->fit;
  struct wb_random random = wb_replicate_generator(bootstrap->seed, index);
  for (size_t k = 0; k < fit->count; k++)
    values[k] = wb_tail_draw(&fit->tail, &random);
  const struct wb_fit_data data = {
      .values = values, .count = fit->count, .threshold = fit->tail.location};
  struct wb_tail_fit again;
  const warpbound_status status = wb_tail_refit(&data, fit, &again, NULL);
  for (size_t k = 0; k < bootstrap->level_count; k++)
    bootstrap->levels[k * bootstrap->count + index] =
        status == WARPBOUND_OK ? wb_tail_level(&again.tail, bootstrap->survivals[k]) : NAN;
  return status != WARPBOUND_INTERNAL;
}

/* As many threads as the control allows and have room for their values; 0: not even one has. */
static unsigned threads_in_memory(const struct bootstrap *bootstrap)
{
  const double limit = (double)bootstrap->control->memory_limit;
  const double levels = (double)bootstrap->level_count * bootstrap->count * sizeof(double);
  const double thread = (double)bootstrap->fit->count * DOUBLES_PER_VALUE * sizeof(double) + 1.0;
  const double room = floor((limit - levels) / thread);
  if (!(room >= 1))
    return 0;
  return room < bootstrap->control->threads ? (unsigned)room : bootstrap->control->threads;
}

/* The level below which a share of `count` sorted ones lies: of the place share * (count + 1),
 * counted from 1, between its neighbours. */
static double quantile(const double *ascending, size_t count, double share)
{
  const double place = share * ((double)count + 1.0) - 1.0;
  if (place <= 0)
    return ascending[0];
  if (place >= (double)(count - 1))
    return ascending[count - 1];
  const size_t below = (size_t)place;
  const double rest = place - (double)below, low = ascending[below], high = ascending[below + 1];
  return rest == 0 || low == high ? low : low + rest * (high - low);
}

/* Sorts the levels that there are and takes their quantiles; returns how many there are not. */
static unsigned take_interval(double *levels, unsigned count, double confidence,
                              struct wb_interval *interval)
{
  unsigned found = 0;
  for (unsigned r = 0; r < count; r++) {
    if (!isnan(levels[r]))
      levels[found++] = levels[r];
  }
  *interval = (struct wb_interval){.low = NAN, .high = NAN};
  if (found > 0) {
    const double outside = 0.5 * (1.0 - confidence);
    wb_sort_ascending(levels, found);
    *interval = (struct wb_interval){true, quantile(levels, found, outside),
                                     quantile(levels, found, 1.0 - outside)};
  }
  return count - found;
}

warpbound_status wb_bootstrap_levels(const struct wb_tail_fit *fit, const double *survivals,
                                     size_t level_count, double confidence, unsigned replicates,
                                     uint64_t seed, const struct wb_control *control,
                                     struct wb_interval *intervals, unsigned *failed,
                                     warpbound_error *error)
{
  assert(confidence > 0 && confidence < 1);
  struct bootstrap bootstrap = {
      .fit = fit,
      .survivals = survivals,
      .level_count = level_count,
      .count = replicates,
      .seed = seed,
      .control = control,
  };
  *failed = 0;
  for (size_t k = 0; k < level_count; k++)
    intervals[k] = (struct wb_interval){.low = NAN, .high = NAN};
  if (fit->has_trend || replicates == 0 || level_count == 0)
    return WARPBOUND_OK;
  const unsigned threads = threads_in_memory(&bootstrap);
  if (threads == 0) {
    wb_fail(error, WARPBOUND_LIMIT, "a bootstrap of %zu values needs more memory", fit->count);
    return WARPBOUND_LIMIT;
  }
  bootstrap.levels = wb_allocate(level_count, replicates * sizeof(double));
  if (bootstrap.levels == NULL)
    return wb_out_of_memory(error);
  const struct wb_replicate_work work = {.name = "intervals by bootstrap",
                                         .count = replicates,
                                         .size = fit->count,
                                         .run = run_replicate,
                                         .context = &bootstrap};
  const warpbound_status status = wb_replicate_threads_run(&work, threads, control, error);
  for (size_t k = 0; k < level_count && status == WARPBOUND_OK; k++)
    *failed =
        take_interval(bootstrap.levels + k * replicates, replicates, confidence, &intervals[k]);
  free(bootstrap.levels);
  return status;
}
