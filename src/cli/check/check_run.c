/* The tasks of a check over shards and processes. */
#include "base/memory.h"
#include "base/status.h"
#include "base/work_control.h"
#include "cli/check/check_analysis.h"
#include "cli/check/check_job.h"
#include "cli/check/check_workers.h"
#include "formats/json/json_output.h"

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

/* What all shards of one check have in common. The analyses add devices and files. */
static json_t *make_inputs(const struct check_job *job)
{
  /* Those of the command line that results depend on. */
  static const enum option shared[] = {OPTION_SM, OPTION_BINARY, OPTION_SOURCES,
                                       OPTION_REQUIRE_PROOF};
  char project[DIGEST_SIZE];
  json_t *options = json_object();
  digest_of(job->file.bytes, job->file.length, project);
  for (size_t s = 0; s < sizeof shared / sizeof *shared; s++) {
    const char *value = job->arguments->value[shared[s]];
    if (value != NULL)
      wb_json_put(&options, option_rows[shared[s]].name, wb_json_clean(value));
  }
  json_t *inputs = json_pack("{s:s, s:s}", "program", job->program, "project", project);
  wb_json_put(&inputs, "options", options);
  wb_json_put(&inputs, "devices", json_object());
  wb_json_put(&inputs, "files", json_object());
  return inputs;
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

static warpbound_status choose_shard(struct check_job *job, struct check_opened *opened,
                                     warpbound_error *error)
{
  if (job->shard_count == 1)
    return WARPBOUND_OK;
  struct cost *costs = wb_allocate(job->count, sizeof *costs);
  uint64_t *loads = wb_allocate((size_t)job->shard_count, sizeof *loads);
  job->inputs = make_inputs(job);
  warpbound_status status = costs != NULL && loads != NULL && job->inputs != NULL
                                ? WARPBOUND_OK
                                : wb_out_of_memory(error);
  for (size_t t = 0; t < job->count && status == WARPBOUND_OK; t++) {
    costs[t].task = t;
    status = check_cost(job, &job->tasks[t], opened, &costs[t].cost, error);
  }
  if (status == WARPBOUND_OK)
    divide(job, costs, loads);
  free(loads);
  free(costs);
  return status;
}

/* ---- processes ---- */

/* Processes: as many as --threads says, else one a processor; never more than tasks. */
static unsigned process_count(const struct check_job *job)
{
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t wanted = 0;
  size_t count = job->limits.options.threads > 0 ? job->limits.options.threads
                 : processors > 0                ? (size_t)processors
                                                 : 1;
  for (size_t t = 0; t < job->count; t++)
    wanted += !job->tasks[t].left;
  count = count < wanted ? count : wanted;
  count = count < WB_THREAD_LIMIT ? count : WB_THREAD_LIMIT;
  return count > 0 ? (unsigned)count : 1;
}

/* Standard input is read once, for all processes. What is wrong with it is told of each launch. */
static void open_standard_input(const struct check_job *job, struct check_code *code)
{
  const struct check_task *first = &job->tasks[0];
  warpbound_error ignored = {0};
  if (job->count > 0 && first->binary != NULL && strcmp(first->binary, "-") == 0)
    (void)check_code_open(&first->arguments, code, &ignored);
}

warpbound_status check_job_run(struct check_job *job, warpbound_error *error)
{
  struct check_opened opened = {0};
  open_standard_input(job, &opened.code);
  warpbound_status status = choose_shard(job, &opened, error);
  if (status == WARPBOUND_OK)
    status = check_workers_run(job, &opened, process_count(job), error);
  check_opened_close(&opened);
  terminal_progress_end(&job->limits.progress);
  return status;
}
