/* `warpbound wcet`. */
#include "cli/commands/commands.h"

#include "cli/input/limits.h"
#include "cli/input/module_input.h"
#include "cli/input/simt_options.h"
#include "cli/input/solver_options.h"
#include "cli/input/wcet_options.h"
#include "cli/output/graph_files.h"
#include "cli/output/outputs.h"
#include "cli/output/proof.h"
#include "cli/output/terminal.h"
#include "report/wcet/facts_template.h"
#include "report/wcet/wcet_report.h"

#include <stdlib.h>
#include <string.h>

/* The command under way. */
struct job {
  const struct arguments *arguments;
  warpbound_options limits; /* with what is left of the command's time */
  double deadline;          /* of limits_deadline */
  struct progress progress;
  struct wcet_options options;
  warpbound_module *module;
  const warpbound_wcet **results; /* of functions with a bound; they and the array are owned */
  size_t count;
  const warpbound_wcet **templates; /* the same with those that lack facts; the array is owned */
  size_t template_count;
  warpbound_error *error;
};

/* ---- options ---- */

static warpbound_status read_options(struct job *job)
{
  struct solver_options solver = {0};
  warpbound_wcet_options *wcet = &job->options.wcet;
  warpbound_status status = outputs_check(job->arguments, job->error);
  if (status == WARPBOUND_OK)
    status = limits_read(job->arguments, &job->progress, &job->limits, job->error);
  if (status == WARPBOUND_OK)
    status = wcet_options_read(job->arguments, &job->options, job->error);
  if (status == WARPBOUND_OK)
    status = solver_options_read(job->arguments, &solver, job->error);
  wcet->move_facts = job->arguments->value[OPTION_TEMPLATE] != NULL;
  wcet->program_file = solver.file;
  wcet->solver_command = solver.command;
  job->deadline = limits_deadline(&job->limits);
  return status;
}

/* The next function that is asked for, from `first` on. */
static size_t next_function(const struct job *job, size_t first)
{
  return warpbound_module_find(job->module, job->arguments->value[OPTION_KERNEL], first);
}

/* A file of one program cannot hold those of several kernels. */
static warpbound_status check_count(const struct job *job)
{
  const size_t count = warpbound_module_function_count(job->module);
  size_t wanted = 0;
  for (size_t f = next_function(job, 0); f < count; f = next_function(job, f + 1))
    wanted++;
  if (wanted > 1 && job->options.wcet.program_file != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--write: expected one kernel, found %zu: say which with --kernel", wanted);
  return WARPBOUND_OK;
}

/* ---- the analysis ---- */

/* Says which function failed, where the message does not. */
static void report_refusal(const char *function, const warpbound_error *error)
{
  warpbound_error named = *error;
  if (strstr(error->message, function) == NULL)
    (void)wb_fail_at(&named, error->status, error->file, error->line, error->column,
                     "%.100s: %.380s", function, error->message);
  terminal_error(&named);
}

/* Keeps a result, with a bound or without. */
static void keep(struct job *job, const warpbound_wcet *wcet, bool bounded)
{
  if (wcet == NULL)
    return;
  job->templates[job->template_count++] = wcet;
  if (bounded)
    job->results[job->count++] = wcet;
}

/* A function that cannot be analysed, for whatever reason that is its own, is reported, and the
 * others go on; the first such status is the command's. */
static warpbound_status analyse_function(struct job *job, size_t function,
                                         warpbound_status *refused)
{
  warpbound_kernel *kernel;
  warpbound_wcet *wcet = NULL;
  warpbound_error error = {0};
  warpbound_status status = warpbound_kernel_at(job->module, function, &kernel, job->error);
  if (status != WARPBOUND_OK)
    return status;
  limits_shorten(&job->limits, job->deadline);
  status = warpbound_wcet_analyse(kernel, &job->options.wcet, &job->limits, &wcet, &error);
  warpbound_kernel_free(kernel);
  terminal_progress_end(&job->progress);
  keep(job, wcet, status == WARPBOUND_OK || status == WARPBOUND_LIMIT);
  if (status == WARPBOUND_OK)
    return status;
  if (status == WARPBOUND_USAGE) {
    *job->error = error;
    return status;
  }
  report_refusal(warpbound_module_function_name(job->module, function), &error);
  *refused = *refused == WARPBOUND_OK ? status : *refused;
  return WARPBOUND_OK;
}

static warpbound_status analyse(struct job *job, warpbound_status *refused)
{
  const size_t count = warpbound_module_function_count(job->module);
  job->results = calloc(count + 1, sizeof *job->results);
  job->templates = calloc(count + 1, sizeof *job->templates);
  if (job->results == NULL || job->templates == NULL)
    return wb_out_of_memory(job->error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t f = next_function(job, 0); status == WARPBOUND_OK && f < count;
       f = next_function(job, f + 1))
    status = analyse_function(job, f, refused);
  return status;
}

/* ---- the outcome ---- */

static warpbound_status write_template(struct job *job)
{
  struct wb_text text = {0};
  wb_facts_template(job->module, job->templates, job->template_count, &text);
  return output_write(job->arguments, OPTION_TEMPLATE, &text, job->error);
}

static warpbound_status print_results(const struct job *job)
{
  struct wb_text text = {0};
  if (job->arguments->value[OPTION_JSON] != NULL)
    wb_wcet_list_json(job->results, job->count, &text);
  else
    wb_wcet_text(job->results, job->count, job->arguments->value[OPTION_QUIET] != NULL,
                 terminal_colour(stdout), &text);
  return terminal_print(&text, job->error);
}

/* The graphs of all results, coloured by what their worst paths spend. */
static warpbound_status write_pictures(struct job *job)
{
  struct wb_wcet_graphs graphs;
  if (job->arguments->value[OPTION_DOT] == NULL && job->arguments->value[OPTION_SVG] == NULL)
    return WARPBOUND_OK;
  limits_shorten(&job->limits, job->deadline);
  warpbound_status status =
      wb_wcet_graphs_make(job->results, job->count, &graphs)
          ? graph_files_write(job->arguments, &graphs.report, &job->limits, job->error)
          : wb_out_of_memory(job->error);
  wb_wcet_graphs_free(&graphs);
  return status;
}

static warpbound_status judge(const struct job *job)
{
  struct proof proof = {0};
  for (size_t k = 0; k < job->count; k++) {
    struct wb_text doubts = {0};
    wb_wcet_doubts(job->results[k], &doubts);
    proof_note(&proof, &doubts);
  }
  const warpbound_status status = proof_judge(&proof, job->arguments, job->error);
  proof_free(&proof);
  return status;
}

static void free_job(struct job *job)
{
  for (size_t k = 0; k < job->template_count; k++)
    warpbound_wcet_free((warpbound_wcet *)job->templates[k]);
  free(job->results);
  free(job->templates);
  wcet_options_free(&job->options);
  warpbound_module_free(job->module);
}

warpbound_status command_wcet(struct arguments *arguments, warpbound_error *error)
{
  terminal_catch_interrupts();
  struct job job = {.arguments = arguments, .error = error};
  warpbound_status refused = WARPBOUND_OK;
  warpbound_status status = read_options(&job);
  if (status == WARPBOUND_OK)
    status = module_input_read(arguments, &job.module, error);
  if (status == WARPBOUND_OK)
    status = simt_options_check(arguments, job.module, error);
  if (status == WARPBOUND_OK)
    status = check_count(&job);
  if (status == WARPBOUND_OK)
    status = wcet_options_complete(arguments, job.module, &job.options, error);
  if (status == WARPBOUND_OK)
    status = analyse(&job, &refused);
  if (status == WARPBOUND_OK && arguments->value[OPTION_TEMPLATE] != NULL)
    status = write_template(&job);
  if (status == WARPBOUND_OK && (job.count > 0 || arguments->value[OPTION_JSON] != NULL))
    status = print_results(&job);
  if (status == WARPBOUND_OK && job.count > 0)
    status = write_pictures(&job);
  if (status == WARPBOUND_OK)
    status = judge(&job);
  free_job(&job);
  return status != WARPBOUND_OK ? status : refused;
}
