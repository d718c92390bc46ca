#include "evt/goodness/goodness.h"

#include "base/memory.h"
#include "base/workers.h"
#include "evt/goodness/replicates.h"
#include "evt/goodness/tested_values.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Shared by all threads. */
struct bootstrap {
  struct wb_replicates replicates;
  const struct wb_control *control;
  unsigned count;
  struct wb_distances *distances; /* by replicate; NAN where nothing could be fitted */
  atomic_uint next;
  atomic_int stop;    /* an enum wb_stop */
  atomic_bool failed; /* memory is out */
};

struct worker {
  struct bootstrap *bootstrap;
  bool first; /* the caller's own thread, which asks the control */
  double *values;
};

static bool goes_on(const struct worker *worker, unsigned index)
{
  struct bootstrap *bootstrap = worker->bootstrap;
  if (worker->first) {
    const enum wb_stop stop =
        wb_control_poll(bootstrap->control, "goodness of fit", (double)index / bootstrap->count);
    if (stop != WB_STOP_NONE)
      atomic_store(&bootstrap->stop, (int)stop);
  }
  return atomic_load(&bootstrap->stop) == WB_STOP_NONE && !atomic_load(&bootstrap->failed);
}

static void *work(void *argument)
{
  struct worker *worker = argument;
  struct bootstrap *bootstrap = worker->bootstrap;
  for (;;) {
    const unsigned index = atomic_fetch_add(&bootstrap->next, 1);
    if (index >= bootstrap->count || !goes_on(worker, index))
      return NULL;
    struct wb_distances *distances = &bootstrap->distances[index];
    const warpbound_status status =
        wb_replicate_distances(&bootstrap->replicates, index, worker->values, distances, NULL);
    if (status != WARPBOUND_OK)
      *distances = (struct wb_distances){.anderson_darling = NAN, .cramer_von_mises = NAN};
    if (status == WARPBOUND_INTERNAL)
      atomic_store(&bootstrap->failed, true);
  }
}

static warpbound_status outcome(struct bootstrap *bootstrap, warpbound_error *error)
{
  if (atomic_load(&bootstrap->failed))
    return wb_out_of_memory(error);
  if (atomic_load(&bootstrap->stop) != WB_STOP_NONE)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "the test of goodness of fit was ended by a limit of time or an interruption");
  return WARPBOUND_OK;
}

static warpbound_status run_workers(struct bootstrap *bootstrap, warpbound_error *error)
{
  const unsigned threads = bootstrap->control->threads;
  struct worker *workers = wb_allocate(threads, sizeof *workers);
  double *values = wb_allocate(threads * bootstrap->replicates.size, sizeof *values);
  warpbound_status status = WARPBOUND_OK;
  if (workers == NULL || values == NULL) {
    status = wb_out_of_memory(error);
  } else {
    for (unsigned t = 0; t < threads; t++)
      workers[t] = (struct worker){.bootstrap = bootstrap,
                                   .first = t == 0,
                                   .values = values + t * bootstrap->replicates.size};
    wb_workers_run(work, workers, threads, sizeof *workers);
    status = outcome(bootstrap, error);
  }
  free(values);
  free(workers);
  return status;
}

/* The share of all samples, the tested one among them, that lie as far from their fits. */
static void count_farther(const struct bootstrap *bootstrap, struct wb_goodness *goodness)
{
  unsigned fitted = 0, farther_a = 0, farther_w = 0;
  for (unsigned k = 0; k < bootstrap->count; k++) {
    const struct wb_distances *distances = &bootstrap->distances[k];
    fitted += isnan(distances->anderson_darling) ? 0 : 1;
    farther_a += distances->anderson_darling >= goodness->anderson_darling;
    farther_w += distances->cramer_von_mises >= goodness->cramer_von_mises;
  }
  goodness->replicates = fitted;
  goodness->anderson_darling_p = fitted == 0 ? NAN : (farther_a + 1.0) / (fitted + 1.0);
  goodness->cramer_von_mises_p = fitted == 0 ? NAN : (farther_w + 1.0) / (fitted + 1.0);
}

static warpbound_status bootstrap_p_values(struct bootstrap *bootstrap,
                                           struct wb_goodness *goodness, warpbound_error *error)
{
  bootstrap->distances = wb_allocate(bootstrap->count, sizeof *bootstrap->distances);
  if (bootstrap->distances == NULL)
    return wb_out_of_memory(error);
  const warpbound_status status = run_workers(bootstrap, error);
  if (status == WARPBOUND_OK)
    count_farther(bootstrap, goodness);
  free(bootstrap->distances);
  return status;
}

warpbound_status wb_goodness_of_fit(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                    double tick, unsigned replicates, uint64_t seed,
                                    const struct wb_control *control, struct wb_goodness *goodness,
                                    warpbound_error *error)
{
  struct wb_tested_values tested;
  warpbound_status status = wb_tested_values_take(data, fit, tick, seed, &tested, error);
  if (status != WARPBOUND_OK)
    return status;
  struct bootstrap bootstrap = {.replicates = {.fit = &tested.fit,
                                               .size = tested.replicate_size,
                                               .covariate = tested.replicate_covariate,
                                               .tick = tested.tick,
                                               .anchor = tested.anchor,
                                               .seed = seed},
                                .control = control,
                                .count = replicates};
  *goodness = (struct wb_goodness){.anderson_darling = tested.distances.anderson_darling,
                                   .cramer_von_mises = tested.distances.cramer_von_mises,
                                   .compared = tested.count};
  status = bootstrap_p_values(&bootstrap, goodness, error);
  wb_tested_values_free(&tested);
  return status;
}
