/* The tasks of a check over shards and threads. */
#include "base/memory.h"
#include "base/status.h"
#include "base/system/process.h"
#include "base/work_control.h"
#include "cli/check/check_analysis.h"
#include "cli/check/check_job.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- shards ---- */

struct cost {
  size_t task;
  uint64_t cost;
};

static int compare_costs(const void *left, const void *right)
{
  const struct cost *a = left;
  const struct cost *b = right;
  if (a->cost != b->cost)
    return a->cost > b->cost ? -1 : 1;
  return a->task < b->task ? -1 : a->task > b->task;
}

/* Gives the tasks, the dearest first, each to the shard with the least so far; leaves those of
 * other shards. Every shard finds the same division. */
static void divide(struct check_job *job, struct cost *costs, uint64_t *loads)
{
  qsort(costs, job->count, sizeof *costs, compare_costs);
  for (size_t t = 0; t < job->count; t++) {
    size_t least = 0;
    for (size_t s = 1; s < job->shard_count; s++) {
      if (loads[s] < loads[least])
        least = s;
    }
    loads[least] += costs[t].cost;
    job->tasks[costs[t].task].left = least + 1 != job->shard;
  }
}

static warpbound_status choose_shard(struct check_job *job, warpbound_error *error)
{
  if (job->shard_count == 1)
    return WARPBOUND_OK;
  struct cost *costs = wb_allocate(job->count, sizeof *costs);
  uint64_t *loads = wb_allocate((size_t)job->shard_count, sizeof *loads);
  struct check_code code = {0};
  warpbound_status status = costs != NULL && loads != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  for (size_t t = 0; t < job->count && status == WARPBOUND_OK; t++) {
    costs[t].task = t;
    status = check_cost(job, &job->tasks[t], &code, &costs[t].cost, error);
  }
  if (status == WARPBOUND_OK)
    divide(job, costs, loads);
  check_code_close(&code);
  free(loads);
  free(costs);
  return status;
}

/* ---- threads ---- */

/* The work that the threads share. */
struct crew {
  struct check_job *job;
  pthread_mutex_t lock; /* of all below, and the progress line */
  size_t next;          /* task that nobody has taken */
  size_t ended, wanted;
  warpbound_status status;
  warpbound_error *error;
};

/* The next task that is not left; NULL where none is, or the work is to end. */
static struct check_task *take_task(struct crew *crew)
{
  const warpbound_options *limits = &crew->job->limits.options;
  struct check_task *task = NULL;
  pthread_mutex_lock(&crew->lock);
  const bool stopped = crew->status != WARPBOUND_OK || limits->interrupted(limits->context);
  while (!stopped && task == NULL && crew->next < crew->job->count) {
    task = &crew->job->tasks[crew->next++];
    task = task->left ? NULL : task;
  }
  pthread_mutex_unlock(&crew->lock);
  return task;
}

static void end_task(struct crew *crew, warpbound_status status, const warpbound_error *error)
{
  const warpbound_options *limits = &crew->job->limits.options;
  char phase[64];
  pthread_mutex_lock(&crew->lock);
  crew->ended++;
  if (status != WARPBOUND_OK && crew->status == WARPBOUND_OK)
    crew->status = wb_fail_with(crew->error, error);
  snprintf(phase, sizeof phase, "check: launch %zu of %zu", crew->ended, crew->wanted);
  if (limits->progress != NULL)
    limits->progress(limits->context, phase, (double)crew->ended / (double)crew->wanted);
  pthread_mutex_unlock(&crew->lock);
}

static void *work(void *context)
{
  struct crew *crew = context;
  struct check_code code = {0};
  struct check_task *task;
  while ((task = take_task(crew)) != NULL) {
    warpbound_error error = {0};
    const warpbound_status status = check_analyse(crew->job, task, &code, &error);
    end_task(crew, status, &error);
  }
  check_code_close(&code);
  return NULL;
}

/* Analyses fork for the solver, whose process needs memory. The C library's allocator releases its
 * locks in a child; that of the address sanitizer does not, and a child that is forked while
 * another thread holds one waits for ever. */
#if defined(__SANITIZE_ADDRESS__)
#define MOST_THREADS 1
#else
#define MOST_THREADS WB_THREAD_LIMIT
#endif

/* Threads: those of --threads, else one a processor; never more than tasks. */
static unsigned thread_count(const struct check_job *job, size_t wanted)
{
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t count = job->limits.options.threads > 0 ? job->limits.options.threads
                 : processors > 0                ? (size_t)processors
                                                 : 1;
  count = count < wanted ? count : wanted;
  count = count < MOST_THREADS ? count : MOST_THREADS;
  return count > 0 ? (unsigned)count : 1;
}

warpbound_status check_job_run(struct check_job *job, warpbound_error *error)
{
  struct crew crew = {.job = job, .status = WARPBOUND_OK, .error = error};
  const warpbound_status status = choose_shard(job, error);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t t = 0; t < job->count; t++)
    crew.wanted += !job->tasks[t].left;
  if (pthread_mutex_init(&crew.lock, NULL) != 0)
    return wb_out_of_memory(error);
  wb_workers_run(work, &crew, thread_count(job, crew.wanted), 0);
  pthread_mutex_destroy(&crew.lock);
  terminal_progress_end(&job->limits.progress);
  return crew.status;
}
