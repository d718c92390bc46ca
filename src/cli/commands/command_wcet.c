/* `warpbound wcet`. */
#include "cli/commands/commands.h"

#include "cli/commands/kernel_job.h"
#include "cli/input/wcet_options.h"
#include "cli/output/outputs.h"
#include "cli/output/terminal.h"
#include "report/wcet/wcet_report.h"

#include <stdlib.h>

/* The command under way. */
struct wcet_job {
  struct kernel_job frame;
  struct wcet_options options;
  const warpbound_wcet **results; /* of functions with a bound; they and the array are owned */
  size_t count;
  const warpbound_wcet **templates; /* the same with those that lack facts; the array is owned */
  size_t template_count;
};

static warpbound_status read_input(struct wcet_job *job)
{
  struct kernel_job *frame = &job->frame;
  const struct arguments *arguments = frame->arguments;
  warpbound_status status = kernel_job_start(frame);
  if (status == WARPBOUND_OK)
    status = wcet_options_read(arguments, &job->options, frame->error);
  if (status == WARPBOUND_OK)
    status = solver_options_check(arguments, frame->error);
  if (status == WARPBOUND_OK)
    status = kernel_job_read_module(frame);
  if (status == WARPBOUND_OK)
    status = kernel_job_check_write(frame, kernel_job_count(frame, NULL, NULL));
  job->options.wcet.program_file = arguments->value[OPTION_WRITE];
  job->options.wcet.solver_command = arguments->value[OPTION_SOLVER_COMMAND];
  return status == WARPBOUND_OK
             ? wcet_options_complete(arguments, frame->module, &job->options, frame->error)
             : status;
}

/* A function that cannot be analysed, for whatever reason that is its own, is reported, and the
 * others go on. */
static warpbound_status analyse_function(void *context, const warpbound_kernel *kernel)
{
  struct wcet_job *job = context;
  warpbound_wcet *wcet = NULL;
  warpbound_error error = {0};
  const warpbound_status status =
      warpbound_wcet_analyse(kernel, &job->options.wcet, &job->frame.limits.options, &wcet, &error);
  if (wcet != NULL)
    job->templates[job->template_count++] = wcet;
  if (wcet != NULL && (status == WARPBOUND_OK || status == WARPBOUND_LIMIT)) {
    struct wb_text doubts = {0};
    job->results[job->count++] = wcet;
    wb_wcet_doubts(wcet, &doubts);
    proof_record(&job->frame.proof, &doubts);
  }
  return status == WARPBOUND_OK ? status : kernel_job_refuse(&job->frame, kernel, &error);
}

static warpbound_status analyse(struct wcet_job *job)
{
  const size_t count = warpbound_module_function_count(job->frame.module);
  job->results = calloc(count + 1, sizeof *job->results);
  job->templates = calloc(count + 1, sizeof *job->templates);
  return job->results != NULL && job->templates != NULL
             ? kernel_job_visit(&job->frame, NULL, analyse_function, job)
             : wb_out_of_memory(job->frame.error);
}

static warpbound_status write_template(struct wcet_job *job)
{
  struct wb_text text = {0};
  if (job->frame.arguments->value[OPTION_TEMPLATE] == NULL)
    return WARPBOUND_OK;
  wb_facts_template(job->frame.module, job->templates, job->template_count, &text);
  return output_write(job->frame.arguments->value[OPTION_TEMPLATE], &text, job->frame.error);
}

static warpbound_status print_results(struct wcet_job *job)
{
  const struct arguments *arguments = job->frame.arguments;
  struct wb_text text = {0};
  if (arguments->value[OPTION_JSON] != NULL)
    wb_wcet_list_json(job->results, job->count, &text);
  else if (job->count > 0)
    wb_wcet_text(job->results, job->count, arguments->value[OPTION_QUIET] != NULL,
                 terminal_colour(stdout), &text);
  return terminal_print(&text, job->frame.error);
}

/* The graphs of all results, coloured by what their worst paths spend. */
static warpbound_status write_pictures(struct wcet_job *job)
{
  const struct arguments *arguments = job->frame.arguments;
  struct wb_wcet_graphs graphs;
  if (job->count == 0 ||
      (arguments->value[OPTION_DOT] == NULL && arguments->value[OPTION_SVG] == NULL))
    return WARPBOUND_OK;
  limits_shorten(&job->frame.limits);
  const warpbound_status status =
      wb_wcet_graphs_make(job->results, job->count, &graphs)
          ? graph_files_write(arguments, &graphs.report, &job->frame.limits.options,
                              job->frame.error)
          : wb_out_of_memory(job->frame.error);
  wb_wcet_graphs_free(&graphs);
  return status;
}

warpbound_status command_wcet(struct arguments *arguments, warpbound_error *error)
{
  static warpbound_status (*const steps[])(struct wcet_job * job) = {
      read_input, analyse, write_template, print_results, write_pictures};
  struct wcet_job job = {.frame = {.arguments = arguments, .error = error}};
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < sizeof steps / sizeof *steps && status == WARPBOUND_OK; s++)
    status = steps[s](&job);
  if (status == WARPBOUND_OK)
    status = kernel_job_finish(&job.frame);
  for (size_t k = 0; k < job.template_count; k++)
    warpbound_wcet_free((warpbound_wcet *)job.templates[k]);
  free(job.results);
  free(job.templates);
  wcet_options_free(&job.options);
  kernel_job_free(&job.frame);
  return status;
}
