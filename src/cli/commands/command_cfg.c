/* `warpbound cfg`. */
#include "cli/commands/commands.h"

#include "cli/input/launch_options.h"
#include "cli/input/limits.h"
#include "cli/input/module_input.h"
#include "cli/input/simt_options.h"
#include "cli/output/graph_files.h"
#include "cli/output/outputs.h"
#include "cli/output/terminal.h"
#include "report/cfg/cfg_report.h"

#include <stdlib.h>

/* The command under way. */
struct job {
  struct arguments *arguments;
  warpbound_options limits; /* with what is left of the command's time */
  double deadline;          /* of limits_deadline */
  struct progress progress;
  warpbound_simt_options simt;
  warpbound_module *module;
  const warpbound_control_flow **flows; /* of the functions that are asked for; owned */
  size_t flow_count;
  warpbound_status worst; /* of the functions that are refused */
  size_t analysed;        /* functions that are not refused */
  warpbound_error *error;
};

/* ---- options ---- */

static warpbound_status read_options(struct job *job)
{
  warpbound_status status = outputs_check(job->arguments, job->error);
  if (status == WARPBOUND_OK)
    status = limits_read(job->arguments, &job->progress, &job->limits, job->error);
  if (status == WARPBOUND_OK)
    status = simt_options_read(job->arguments, &job->simt, job->error);
  if (status == WARPBOUND_OK)
    status = launch_size_read(job->arguments, OPTION_BLOCK, job->simt.block, job->error);
  job->deadline = limits_deadline(&job->limits);
  return status;
}

/* ---- the analysis ---- */

/* A function that is refused counts too: the report has it. */
static warpbound_status analyse_function(struct job *job, size_t function)
{
  warpbound_kernel *kernel;
  warpbound_control_flow *flow = NULL;
  warpbound_error error = {0};
  warpbound_status status = warpbound_kernel_at(job->module, function, &kernel, job->error);
  if (status != WARPBOUND_OK)
    return status;
  limits_shorten(&job->limits, job->deadline);
  status = warpbound_control_flow_analyse(kernel, &job->simt, &job->limits, &flow, &error);
  warpbound_kernel_free(kernel);
  if (flow == NULL) {
    *job->error = error;
    return status;
  }
  job->flows[job->flow_count++] = flow;
  if (status == WARPBOUND_OK)
    job->analysed++;
  else if (status > job->worst)
    job->worst = status;
  return WARPBOUND_OK;
}

static warpbound_status analyse(struct job *job)
{
  const size_t count = warpbound_module_function_count(job->module);
  const char *wanted = job->arguments->value[OPTION_KERNEL];
  job->flows = calloc(count + 1, sizeof *job->flows);
  if (job->flows == NULL)
    return wb_out_of_memory(job->error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t f = warpbound_module_find(job->module, wanted, 0);
       status == WARPBOUND_OK && f < count; f = warpbound_module_find(job->module, wanted, f + 1))
    status = analyse_function(job, f);
  terminal_progress_end(&job->progress);
  return status;
}

/* ---- the outcome ---- */

static warpbound_status print_report(const struct job *job, const struct wb_cfg_report *report)
{
  struct wb_text text = {0};
  if (job->arguments->value[OPTION_JSON] != NULL)
    wb_cfg_json(report, &text);
  else
    wb_cfg_text(report, terminal_colour(stdout), &text);
  return terminal_print(&text, job->error);
}

/* Says which functions are not analysed. */
static void report_refusals(const struct wb_cfg_report *report)
{
  for (size_t f = 0; f < report->count; f++) {
    if (report->flows[f].graph == NULL)
      terminal_error(&report->flows[f].refusal);
  }
}

static warpbound_status report_all(struct job *job, struct wb_cfg_report *report)
{
  report->contexts = job->arguments->value[OPTION_CONTEXTS] != NULL;
  report->quiet = job->arguments->value[OPTION_QUIET] != NULL;
  warpbound_status status = print_report(job, report);
  if (status != WARPBOUND_OK)
    return status;
  report_refusals(report);
  limits_shorten(&job->limits, job->deadline);
  if (job->analysed > 0)
    status = graph_files_write(job->arguments, report, &job->limits, job->error);
  return status != WARPBOUND_OK ? status : job->worst;
}

static warpbound_status report(struct job *job)
{
  struct wb_cfg_report report = {0};
  warpbound_status status = wb_cfg_report_make(job->module, job->flows, job->flow_count, &report)
                                ? report_all(job, &report)
                                : wb_out_of_memory(job->error);
  wb_cfg_report_free(&report);
  return status;
}

static void free_job(struct job *job)
{
  for (size_t f = 0; f < job->flow_count; f++)
    warpbound_control_flow_free((warpbound_control_flow *)job->flows[f]);
  free(job->flows);
  warpbound_module_free(job->module);
}

warpbound_status command_cfg(struct arguments *arguments, warpbound_error *error)
{
  terminal_catch_interrupts();
  struct job job = {.arguments = arguments, .error = error};
  warpbound_status status = read_options(&job);
  if (status == WARPBOUND_OK)
    status = module_input_read(arguments, &job.module, error);
  if (status == WARPBOUND_OK)
    status = simt_options_check(arguments, job.module, error);
  if (status == WARPBOUND_OK)
    status = analyse(&job);
  if (status == WARPBOUND_OK)
    status = report(&job);
  free_job(&job);
  return status;
}
