/* `warpbound cfg`. */
#include "cli/commands/commands.h"

#include "cli/commands/kernel_job.h"
#include "cli/input/wcet_options.h"
#include "cli/options/option_values.h"
#include "cli/output/outputs.h"
#include "cli/output/terminal.h"
#include "report/cfg/cfg_report.h"

#include <stdlib.h>

/* The command under way. */
struct cfg_job {
  struct kernel_job frame;
  warpbound_simt_options simt;
  const warpbound_control_flow **flows; /* of the functions that are asked for; owned */
  size_t flow_count;
  warpbound_status worst; /* of the functions that are refused */
  size_t analysed;        /* functions that are not refused */
};

static warpbound_status read_input(struct cfg_job *job)
{
  static const struct option_member block = {OPTION_BLOCK, VALUE_SIZES,
                                             OPTION_MEMBER(warpbound_simt_options, block)};
  struct kernel_job *frame = &job->frame;
  warpbound_status status = kernel_job_start(frame);
  if (status == WARPBOUND_OK)
    status = simt_options_read(frame->arguments, &job->simt, frame->error);
  if (status == WARPBOUND_OK)
    status = option_members_read(frame->arguments, &block, 1, &job->simt, frame->error);
  return status == WARPBOUND_OK ? kernel_job_read_module(frame) : status;
}

/* A function that is refused counts too: the report has it. */
static warpbound_status analyse_function(void *context, const warpbound_kernel *kernel)
{
  struct cfg_job *job = context;
  warpbound_control_flow *flow = NULL;
  warpbound_error error = {0};
  const warpbound_status status =
      warpbound_control_flow_analyse(kernel, &job->simt, &job->frame.limits.options, &flow, &error);
  if (flow == NULL)
    return wb_fail_with(job->frame.error, &error);
  job->flows[job->flow_count++] = flow;
  job->analysed += status == WARPBOUND_OK;
  if (status > job->worst)
    job->worst = status;
  return WARPBOUND_OK;
}

/* Prints the report, says which functions are not analysed, and writes the graphs of the others. */
static warpbound_status write_report(struct cfg_job *job, struct wb_cfg_report *report)
{
  struct kernel_job *frame = &job->frame;
  const struct arguments *arguments = frame->arguments;
  struct wb_text text = {0};
  report->contexts = arguments->value[OPTION_CONTEXTS] != NULL;
  report->quiet = arguments->value[OPTION_QUIET] != NULL;
  if (arguments->value[OPTION_JSON] != NULL)
    wb_cfg_json(report, &text);
  else
    wb_cfg_text(report, terminal_colour(stdout), &text);
  warpbound_status status = terminal_print(&text, frame->error);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t f = 0; f < report->count; f++) {
    if (report->flows[f].graph == NULL)
      terminal_error(&report->flows[f].refusal);
  }
  limits_shorten(&frame->limits);
  if (job->analysed > 0)
    status = graph_files_write(arguments, report, &frame->limits.options, frame->error);
  return status != WARPBOUND_OK ? status : job->worst;
}

warpbound_status command_cfg(struct arguments *arguments, warpbound_error *error)
{
  struct cfg_job job = {.frame = {.arguments = arguments, .error = error}};
  warpbound_status status = read_input(&job);
  if (status == WARPBOUND_OK) {
    const size_t count = warpbound_module_function_count(job.frame.module);
    job.flows = calloc(count + 1, sizeof *job.flows);
    status = job.flows != NULL ? kernel_job_visit(&job.frame, NULL, analyse_function, &job)
                               : wb_out_of_memory(job.frame.error);
  }
  struct wb_cfg_report report = {0};
  if (status == WARPBOUND_OK)
    status = wb_cfg_report_make(job.frame.module, job.flows, job.flow_count, &report)
                 ? write_report(&job, &report)
                 : wb_out_of_memory(error);
  wb_cfg_report_free(&report);
  for (size_t f = 0; job.flows != NULL && f < job.flow_count; f++)
    warpbound_control_flow_free((warpbound_control_flow *)job.flows[f]);
  free(job.flows);
  kernel_job_free(&job.frame);
  return status;
}
