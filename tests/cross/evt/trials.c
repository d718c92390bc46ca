/* Many trials, each from a seed of its own, shared out among threads. */
#include "trials.h"

#include "base/system/process.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
  trial_function *trial;
  const void *context;
  size_t count;
  uint64_t first_seed;
  atomic_size_t next;
  double (*rows)[TRIAL_RESULTS];
};

static void *work(void *argument)
{
  struct shared *shared = argument;
  for (;;) {
    const size_t k = atomic_fetch_add(&shared->next, 1);
    if (k >= shared->count)
      return NULL;
    for (size_t result = 0; result < TRIAL_RESULTS; result++)
      shared->rows[k][result] = NAN;
    shared->trial(shared->context, shared->first_seed + k, shared->rows[k]);
  }
}

double (*run_trials(trial_function *trial, const void *context, size_t count, uint64_t first_seed,
                    unsigned threads))[TRIAL_RESULTS]
{
  struct shared shared = {
      .trial = trial, .context = context, .count = count, .first_seed = first_seed};
  shared.rows = malloc((count > 0 ? count : 1) * sizeof *shared.rows);
  if (shared.rows == NULL)
    abort();
  wb_workers_run(work, &shared, threads, 0);
  return shared.rows;
}

double share_at_most(double (*rows)[TRIAL_RESULTS], size_t count, size_t result, double limit)
{
  size_t known = 0, small = 0;
  for (size_t k = 0; k < count; k++) {
    known += isnan(rows[k][result]) ? 0 : 1;
    small += rows[k][result] <= limit ? 1 : 0;
  }
  return known == 0 ? NAN : (double)small / (double)known;
}

double mean_result(double (*rows)[TRIAL_RESULTS], size_t count, size_t result)
{
  size_t known = 0;
  double sum = 0;
  for (size_t k = 0; k < count; k++) {
    known += isnan(rows[k][result]) ? 0 : 1;
    sum += isnan(rows[k][result]) ? 0 : rows[k][result];
  }
  return known == 0 ? NAN : sum / (double)known;
}
