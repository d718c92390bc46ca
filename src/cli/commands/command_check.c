/* `warpbound check` and `merge`: the launches of a project. */
#include "cli/commands/commands.h"

#include "cli/check/check_cache.h"
#include "cli/check/check_job.h"
#include "cli/check/check_outputs.h"
#include "cli/check/check_results.h"

#include <stdlib.h>
#include <string.h>

/* The baseline and the growth of the command line. */
static warpbound_status read_gate(const struct arguments *arguments, struct check_gate *gate,
                                  warpbound_error *error)
{
  const char *above = arguments->value[OPTION_FAIL_ABOVE];
  gate->baseline = arguments->value[OPTION_BASELINE];
  gate->limit = 0;
  return above != NULL ? check_limit_read("--fail-above", above, &gate->limit, error)
                       : WARPBOUND_OK;
}

/* A growth that is allowed needs something to have grown from: without it nothing is compared. */
static warpbound_status need_baseline(const struct arguments *arguments,
                                      const struct check_gate *gate, warpbound_error *error)
{
  if (gate->baseline != NULL || arguments->value[OPTION_FAIL_ABOVE] == NULL)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--fail-above %.40s: there is no baseline to compare with: --baseline FILE.json "
                 "or the project's 'baseline' names it",
                 arguments->value[OPTION_FAIL_ABOVE]);
}

/* The same where the project says it. *path: of its baseline, to be freed. */
static warpbound_status complete_gate(const struct check_job *job, struct check_gate *gate,
                                      char **path, warpbound_error *error)
{
  const struct wb_project *project = &job->project;
  if (job->arguments->value[OPTION_FAIL_ABOVE] == NULL && project->fail_above != NULL) {
    warpbound_error wrong = {0};
    if (check_limit_read("fail_above", project->fail_above, &gate->limit, &wrong) != WARPBOUND_OK)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, project->name, project->fail_above_line,
                        project->fail_above_column, "%s", wrong.message);
  }
  if (gate->baseline == NULL && project->baseline != NULL) {
    struct wb_text text = {0};
    wb_text_format(&text, "%s%s", project->baseline[0] == '/' ? "" : job->folder,
                   project->baseline);
    *path = wb_text_take(&text);
    gate->baseline = *path;
    if (*path == NULL)
      return wb_out_of_memory(error);
  }
  if (gate->baseline == NULL && project->fail_above != NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, project->name, project->fail_above_line,
                      project->fail_above_column,
                      "fail_above: there is no baseline to compare with: 'baseline' names it");
  if (job->shard_count > 1 && job->arguments->value[OPTION_UPDATE_BASELINE] != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected one of --shard and --update-baseline, found both: 'warpbound merge' "
                   "writes the baseline of all shards");
  return need_baseline(job->arguments, gate, error);
}

/* How many results are the cache's: for people, and no part of the result. */
static void tell_kept(const struct check_job *job)
{
  size_t kept = 0;
  size_t tried = 0;
  char words[96];
  for (size_t t = 0; t < job->count; t++) {
    kept += job->tasks[t].kept;
    tried += job->tasks[t].done;
  }
  snprintf(words, sizeof words, "%zu of %zu results kept from before, as nothing of them changed",
           kept, tried);
  if (kept > 0 && job->arguments->value[OPTION_QUIET] == NULL)
    terminal_note(words);
}

warpbound_status command_check(struct arguments *arguments, warpbound_error *error)
{
  struct check_job job = {0};
  struct check_gate gate;
  char *baseline = NULL;
  json_t *results = NULL;
  terminal_catch_interrupts();
  warpbound_status status = read_gate(arguments, &gate, error);
  if (status == WARPBOUND_OK)
    status = check_outputs_try(arguments, error);
  if (status == WARPBOUND_OK)
    status = check_job_read(arguments, &job, error);
  if (status == WARPBOUND_OK)
    status = complete_gate(&job, &gate, &baseline, error);
  if (status == WARPBOUND_OK)
    status = check_gate_try(arguments, &gate, error);
  if (status == WARPBOUND_OK)
    status = check_job_run(&job, error);
  if (status == WARPBOUND_OK && job.cache != NULL && !check_cache_prune(job.cache, job.cache_limit))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = check_results_make(&job, &gate, &results, error);
  /* A shard has a part of the launches: merge compares, by the gate that its results keep. */
  if (job.shard_count > 1)
    gate.baseline = NULL;
  if (status == WARPBOUND_OK)
    tell_kept(&job);
  if (status == WARPBOUND_OK && job.pages)
    status = check_pages_write(&job, arguments->value[OPTION_REPORT], error);
  if (status == WARPBOUND_OK)
    status = check_outputs_write(arguments, &gate, results, error);
  json_decref(results);
  free(baseline);
  check_job_free(&job);
  return status;
}

warpbound_status command_merge(struct arguments *arguments, warpbound_error *error)
{
  struct check_gate gate;
  char *baseline = NULL;
  uint64_t limit = 0;
  json_t *results = NULL;
  warpbound_status status = read_gate(arguments, &gate, error);
  if (status == WARPBOUND_OK)
    status = check_outputs_try(arguments, error);
  if (status == WARPBOUND_OK)
    status = check_results_merge(&arguments->inputs, &results, &baseline, &limit, error);
  if (gate.baseline == NULL)
    gate.baseline = baseline;
  if (baseline != NULL && arguments->value[OPTION_FAIL_ABOVE] == NULL)
    gate.limit = limit;
  if (status == WARPBOUND_OK)
    status = need_baseline(arguments, &gate, error);
  if (status == WARPBOUND_OK)
    status = check_gate_try(arguments, &gate, error);
  if (status == WARPBOUND_OK)
    status = check_outputs_write(arguments, &gate, results, error);
  json_decref(results);
  free(baseline);
  return status;
}
