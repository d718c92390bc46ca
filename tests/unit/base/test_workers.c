/* Worker threads: each job is done once; arguments may be shared. */
#include "base/system/process.h"
#include "unit.h"

#include <stdatomic.h>

#define JOBS 1000

struct shared {
  atomic_uint next;
  atomic_uint done[JOBS];
};

/* One of several, with work of its own. */
struct worker {
  struct shared *shared;
  unsigned jobs;
  pthread_t thread;
};

static void *take_jobs(void *argument)
{
  struct worker *worker = argument;
  for (;;) {
    const unsigned job = atomic_fetch_add(&worker->shared->next, 1);
    if (job >= JOBS)
      break;
    atomic_fetch_add(&worker->shared->done[job], 1);
    worker->jobs++;
  }
  worker->thread = pthread_self();
  return NULL;
}

TEST(each_job_is_done_once)
{
  for (unsigned count = 1; count <= 8; count++) {
    struct shared shared = {0};
    struct worker workers[8] = {{0}};
    unsigned jobs = 0;
    for (unsigned t = 0; t < 8; t++)
      workers[t].shared = &shared;
    wb_workers_run(take_jobs, workers, count, sizeof *workers);
    for (unsigned t = 0; t < 8; t++)
      jobs += workers[t].jobs;
    assert_int_equal(jobs, JOBS);
    for (unsigned job = 0; job < JOBS; job++)
      assert_int_equal(atomic_load(&shared.done[job]), 1);
    assert_true(pthread_equal(workers[0].thread, pthread_self()));
    for (unsigned t = count; t < 8; t++)
      assert_int_equal(workers[t].jobs, 0);
  }
}

static void *count_call(void *argument)
{
  atomic_fetch_add((atomic_uint *)argument, 1);
  return NULL;
}

TEST(workers_may_share_all)
{
  atomic_uint calls = 0;
  struct wb_workers workers;
  wb_workers_start(&workers, count_call, &calls, 5, 0);
  const unsigned started = workers.started;
  assert_in_range(started, 1, 5);
  wb_workers_join(&workers);
  assert_int_equal(atomic_load(&calls), started - 1);
  wb_workers_run(count_call, &calls, 1, 0);
  assert_int_equal(atomic_load(&calls), started);
}
