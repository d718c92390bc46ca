/* Intervals of levels by the parametric bootstrap, on threads. */
#include "base/memory.h"
#include "evt/fit/intervals.h"
#include "evt/fit/replicate_threads.h"
#include "evt/samples/ascending.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

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
