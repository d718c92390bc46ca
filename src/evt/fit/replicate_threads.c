/* Threads that take the next index each until none is left, or one of them has to stop. */
#include "evt/fit/replicate_threads.h"

#include "base/memory.h"
#include "base/system/process.h"

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
