#include "cli/commands/makespan_job.h"

#include "cli/input/configuration.h"
#include "cli/input/input.h"
#include "cli/input/limits.h"
#include "cli/input/makespan_options.h"
#include "cli/output/makespan_files.h"
#include "cli/output/outputs.h"
#include "cli/output/proof.h"
#include "cli/output/terminal.h"
#include "report/makespan/makespan_report.h"
#include "report/makespan/makespan_series.h"

/* A run of the command: what was asked, and where its output goes. */
struct job {
  struct arguments *arguments;
  struct makespan_options options;
  struct kernel_input input;
  warpbound_sm *sm;
  warpbound_instance *instance;
  struct progress progress;
  bool json;
  bool quiet;
  bool colour;
  struct wb_series_report table; /* its rows, where a range of warps is asked for */
  struct proof proof;            /* of all results */
  struct wb_list notes;          /* that were printed on standard error */
  struct wb_text text;           /* the output */
  warpbound_error *error;
};

/* ---- the question ---- */

static warpbound_status read_job(struct job *job, unsigned command)
{
  struct arguments *arguments = job->arguments;
  /* Those of the command line before a listing is read; with those of a file further down. */
  warpbound_status status = outputs_check(arguments, job->error);
  if (status == WARPBOUND_OK)
    status = kernel_input_read(arguments, command, &job->input, job->error);
  if (status == WARPBOUND_OK)
    status = makespan_options_read(arguments, command, &job->progress, &job->options, job->error);
  if (status == WARPBOUND_OK)
    status = configuration_read(arguments, &job->sm, job->error);
  if (status == WARPBOUND_OK)
    status = outputs_check(arguments, job->error);
  job->json = arguments->value[OPTION_JSON] != NULL;
  job->quiet = !job->json && arguments->value[OPTION_QUIET] != NULL;
  job->colour = terminal_colour(stdout);
  job->table =
      (struct wb_series_report){.json = job->json, .quiet = job->quiet, .colour = job->colour};
  return status;
}

/* The instance, of the most warps that are asked for; paths are found within the command's time. */
static warpbound_status make_instance(struct job *job)
{
  const struct makespan_options *options = &job->options;
  const uint32_t warps = options->last_warps - options->last_warps % options->blocks;
  warpbound_status status =
      kernel_input_find_paths(job->arguments, &job->input, &options->analysis, job->error);
  terminal_progress_end(&job->progress);
  limits_shorten(&job->options.analysis, options->deadline);
  if (status == WARPBOUND_OK)
    status = warpbound_instance_of_paths(job->input.paths, job->sm, warps, options->blocks,
                                         &job->instance, job->error);
  if (status == WARPBOUND_OK && options->fair_count > 0)
    status = warpbound_instance_make_fair(job->instance, options->fair_first, options->fair_length,
                                          options->fair_count, job->error);
  return status;
}

/* ---- the answer ---- */

/* On standard error go all notes of JSON output, else those that say why a limit was reached; each
 * once, and none that the reader has on the same terminal already. */
static void report_notes(struct job *job, const warpbound_result *result, warpbound_status status)
{
  const bool table = job->options.is_table;
  bool shown = !job->json && !job->quiet && !table && terminal_shows_output();
  if (shown || (status != WARPBOUND_LIMIT && !job->json))
    return;
  for (size_t i = 0; i < warpbound_result_note_count(result); i++) {
    size_t known = job->notes.count;
    wb_list_add(&job->notes, "%s", warpbound_result_note(result, i));
    if (job->notes.count > known || job->notes.failed)
      terminal_note(warpbound_result_note(result, i));
  }
}

static warpbound_status report_result(struct job *job, const warpbound_result *result)
{
  char *json;
  if (!job->json) {
    if (job->quiet)
      wb_makespan_answer(result, job->colour, &job->text);
    else
      wb_makespan_text(result, job->colour, &job->text);
    return WARPBOUND_OK;
  }
  warpbound_status status = warpbound_result_json(result, &json, job->error);
  if (status == WARPBOUND_OK) {
    wb_text_string(&job->text, json);
    warpbound_text_free(json);
  }
  return status;
}

static void note_proof(struct job *job, const warpbound_result *result)
{
  struct wb_text doubts = {0};
  wb_makespan_doubts(result, &doubts);
  proof_note(&job->proof, &doubts);
}

/* One number of warps: WARPBOUND_LIMIT is a result too. */
static warpbound_status answer_one(struct job *job)
{
  warpbound_result *result;
  warpbound_status status =
      warpbound_makespan(job->instance, &job->options.analysis, &result, job->error);
  terminal_progress_end(&job->progress);
  if (result == NULL)
    return status;
  report_notes(job, result, status);
  note_proof(job, result);
  warpbound_status reported = report_result(job, result);
  if (reported == WARPBOUND_OK)
    reported = makespan_files_write(job->arguments, result, job->colour, &job->text, job->error);
  warpbound_result_free(result);
  return reported != WARPBOUND_OK ? reported : status;
}

/* A row of the table. */
static warpbound_status visit_row(void *context, const warpbound_result *result,
                                  warpbound_status status, warpbound_error *error)
{
  struct job *job = context;
  terminal_progress_end(&job->progress);
  report_notes(job, result, status);
  note_proof(job, result);
  return wb_series_report_add(&job->table, result, error);
}

static warpbound_status answer_range(struct job *job)
{
  warpbound_series *series;
  warpbound_status status =
      warpbound_makespan_series(job->instance, job->options.first_warps, job->options.last_warps,
                                &job->options.analysis, visit_row, job, &series, job->error);
  terminal_progress_end(&job->progress);
  if (series != NULL)
    wb_series_report_write(&job->table, series, &job->text);
  warpbound_series_free(series);
  return status;
}

/* The output is printed even if a file could not be written: the answer may
 * have taken long. */
static warpbound_status answer(struct job *job)
{
  warpbound_status answered = job->options.is_table ? answer_range(job) : answer_one(job);
  warpbound_status status = terminal_print(&job->text, job->error);
  return status == WARPBOUND_OK ? answered : status;
}

warpbound_status makespan_job_run(struct arguments *arguments, unsigned command,
                                  warpbound_error *error)
{
  struct job job = {.arguments = arguments, .error = error};
  warpbound_status status = read_job(&job, command);
  if (status == WARPBOUND_OK) {
    terminal_catch_interrupts();
    status = make_instance(&job);
  }
  if (status == WARPBOUND_OK)
    status = answer(&job);
  if (status == WARPBOUND_OK)
    status = proof_judge(&job.proof, arguments, error);
  wb_text_free(&job.text);
  wb_series_report_free(&job.table);
  wb_list_free(&job.notes);
  proof_free(&job.proof);
  warpbound_instance_free(job.instance);
  warpbound_sm_free(job.sm);
  kernel_input_free(&job.input);
  return status;
}
