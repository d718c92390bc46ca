/* `warpbound cfg`. */
#include "cli/commands/commands.h"

#include "analysis/wcet/control_flow.h"
#include "base/control.h"
#include "base/memory.h"
#include "cli/graph_files.h"
#include "cli/input/machine_input.h"
#include "cli/options/limits.h"
#include "cli/options/simt_options.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "report/cfg/cfg_report.h"

#include <stdlib.h>

/* From Volta on, reconvergence works otherwise: that such a kernel is not analysed is no fault
 * of the listing. */
#define FIRST_VOLTA 70

/* The command under way. chosen: by function, whether it is asked for. */
struct job {
  struct arguments *arguments;
  warpbound_options limits;
  struct progress progress;
  struct wb_control control;
  struct wb_simt_options simt;
  struct machine_input input;
  struct wb_control_flow *flows;
  size_t flow_count;
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
  job->control = wb_control_start(&job->limits);
  return status;
}

/* ---- the analysis ---- */

static warpbound_status analyse(struct job *job)
{
  const struct wb_code *code = &job->input.code;
  job->flows = wb_allocate(code->function_count, sizeof *job->flows);
  if (job->flows == NULL)
    return wb_out_of_memory(job->error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t f = 0; status == WARPBOUND_OK && f < code->function_count; f++) {
    if (machine_input_wanted(job->arguments, &code->functions[f]))
      status = wb_control_flow_analyse(code, &code->functions[f], &job->simt, &job->control,
                                       &job->flows[job->flow_count++], job->error);
  }
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

/* Says which functions are not analysed, and returns what that makes of the exit status: nothing
 * where others were and these are of an architecture that is not analysed yet. */
static warpbound_status report_refusals(const struct job *job, size_t *analysed)
{
  warpbound_status worst = WARPBOUND_OK;
  warpbound_status excused = WARPBOUND_OK;
  *analysed = 0;
  for (size_t f = 0; f < job->flow_count; f++) {
    const struct wb_control_flow *flow = &job->flows[f];
    if (flow->graph != NULL) {
      ++*analysed;
      continue;
    }
    terminal_error(&flow->refusal);
    if (flow->function->sm >= FIRST_VOLTA)
      excused = flow->refusal.status;
    else if (flow->refusal.status > worst)
      worst = flow->refusal.status;
  }
  return worst == WARPBOUND_OK && *analysed == 0 ? excused : worst;
}

static warpbound_status report(const struct job *job)
{
  struct wb_cfg_report report = {.code = &job->input.code,
                                 .options = &job->simt,
                                 .flows = job->flows,
                                 .count = job->flow_count,
                                 .contexts = job->arguments->value[OPTION_CONTEXTS] != NULL,
                                 .quiet = job->arguments->value[OPTION_QUIET] != NULL};
  size_t analysed;
  warpbound_status status = print_report(job, &report);
  if (status != WARPBOUND_OK)
    return status;
  warpbound_status refused = report_refusals(job, &analysed);
  if (analysed > 0)
    status = graph_files_write(job->arguments, &report, &job->control, job->error);
  return status != WARPBOUND_OK ? status : refused;
}

static void free_job(struct job *job)
{
  for (size_t f = 0; f < job->flow_count; f++)
    wb_control_flow_free(&job->flows[f]);
  free(job->flows);
  machine_input_free(&job->input);
}

warpbound_status command_cfg(struct arguments *arguments, warpbound_error *error)
{
  terminal_catch_interrupts();
  struct job job = {.arguments = arguments, .error = error};
  warpbound_status status = read_options(&job);
  if (status == WARPBOUND_OK)
    status = machine_input_read(arguments, &job.input, error);
  if (status == WARPBOUND_OK)
    status = analyse(&job);
  if (status == WARPBOUND_OK)
    status = report(&job);
  free_job(&job);
  return status;
}
