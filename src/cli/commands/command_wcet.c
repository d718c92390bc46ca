/* `warpbound wcet`. */
#include "cli/commands/commands.h"

#include "analysis/wcet/wcet.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/graph_files.h"
#include "cli/input/machine_input.h"
#include "cli/options/limits.h"
#include "cli/options/simt_options.h"
#include "cli/options/solver_options.h"
#include "cli/options/wcet_options.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "formats/json/json_output.h"
#include "report/cfg/cfg_report.h"
#include "report/wcet/facts_template.h"
#include "report/wcet/wcet_report.h"

#include <stdlib.h>
#include <string.h>

/* The command under way. results: of the functions that were analysed, with those in error
 * left out; template: the file of flow facts to be filled in. */
struct job {
  const struct arguments *arguments;
  warpbound_options limits;
  struct progress progress;
  struct wb_control control;
  struct wcet_options options;
  struct machine_input input;
  struct wb_wcet *results;
  size_t count;
  struct wb_text template;
  warpbound_error *error;
};

/* ---- options ---- */

static warpbound_status read_options(struct job *job)
{
  struct solver_options solver = {0};
  warpbound_status status = outputs_check(job->arguments, job->error);
  if (status == WARPBOUND_OK)
    status = limits_read(job->arguments, &job->progress, &job->limits, job->error);
  if (status == WARPBOUND_OK)
    status = wcet_options_read(job->arguments, &job->options, job->error);
  if (status == WARPBOUND_OK)
    status = simt_options_read(job->arguments, &job->options.wcet.simt, job->error);
  if (status == WARPBOUND_OK)
    status = solver_options_read(job->arguments, &solver, job->error);
  job->options.wcet.move_facts = job->arguments->value[OPTION_TEMPLATE] != NULL;
  job->options.wcet.file = solver.file;
  job->options.wcet.format = solver.format;
  job->options.wcet.command = solver.command;
  job->control = wb_control_start(&job->limits);
  return status;
}

/* A file of one program cannot hold those of several kernels. */
static warpbound_status check_count(const struct job *job)
{
  size_t wanted = 0;
  for (size_t f = 0; f < job->input.code.function_count; f++)
    wanted += machine_input_wanted(job->arguments, &job->input.code.functions[f]);
  if (wanted > 1 && job->options.wcet.file != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--write: expected one kernel, found %zu: say which with --kernel", wanted);
  return WARPBOUND_OK;
}

/* ---- the analysis ---- */

/* Functions that lack nothing stand in the template too where they have facts: it is then a
 * file to go on with. */
static void add_to_template(struct job *job, const struct wb_wcet *wcet)
{
  if (job->arguments->value[OPTION_TEMPLATE] == NULL || wcet->facts.loops == NULL)
    return;
  const struct wb_kernel_facts *kernel =
      wb_flow_facts_find(&job->options.facts, wcet->function->name);
  if (kernel != NULL || wcet->ipet.proof.price == NULL)
    wb_facts_template(wcet, kernel, &job->template);
}

/* Says which function failed, where the message does not. */
static void report_refusal(const struct wb_function *function, const warpbound_error *error)
{
  warpbound_error named = *error;
  if (strstr(error->message, function->name) == NULL)
    (void)wb_fail_at(&named, error->status, error->file, error->line, error->column,
                     "%.100s: %.380s", function->name, error->message);
  terminal_error(&named);
}

/* A function that cannot be analysed, for whatever reason that is its own, is reported, and the
 * others go on; the first such status is the command's. */
static warpbound_status analyse(struct job *job, warpbound_status *refused)
{
  const struct wb_code *code = &job->input.code;
  job->results = wb_allocate(code->function_count, sizeof *job->results);
  if (job->results == NULL)
    return wb_out_of_memory(job->error);
  for (size_t f = 0; f < code->function_count; f++) {
    if (!machine_input_wanted(job->arguments, &code->functions[f]))
      continue;
    struct wb_wcet *wcet = &job->results[job->count];
    warpbound_error error = {0};
    warpbound_status status =
        wb_wcet_analyse(code, &code->functions[f], &job->options.wcet, &job->control, wcet, &error);
    terminal_progress_end(&job->progress);
    if (status == WARPBOUND_OK || status == WARPBOUND_FACTS_MISSING)
      add_to_template(job, wcet);
    if (status == WARPBOUND_OK) {
      job->count++;
      continue;
    }
    wb_wcet_free(wcet);
    if (status == WARPBOUND_USAGE) {
      *job->error = error;
      return status;
    }
    report_refusal(&code->functions[f], &error);
    *refused = *refused == WARPBOUND_OK ? status : *refused;
  }
  return WARPBOUND_OK;
}

/* ---- the outcome ---- */

static bool append_results(const struct job *job, bool kernels, json_t *array)
{
  for (size_t k = 0; k < job->count; k++) {
    if (job->results[k].function->kernel == kernels &&
        json_array_append_new(array, wb_wcet_json(&job->results[k])) != 0)
      return false;
  }
  return true;
}

static void write_json(const struct job *job, struct wb_text *text)
{
  json_t *kernels = json_array();
  json_t *functions = json_array();
  bool ok = append_results(job, true, kernels) && append_results(job, false, functions);
  char *json = wb_json_text(json_pack("{s:o, s:o}", "kernels", kernels, "functions", functions));
  if (ok && json != NULL)
    wb_text_string(text, json);
  else
    text->failed = true;
  free(json);
}

static warpbound_status write_template(struct job *job)
{
  struct wb_text text = {0};
  wb_facts_template_head(&job->input.code, &text);
  wb_text_string(&text,
                 job->template.length > 0 ? job->template.data : "\n# No fact is missing.\n");
  text.failed |= job->template.failed;
  return output_write(job->arguments, OPTION_TEMPLATE, &text, job->error);
}

static warpbound_status print_results(const struct job *job)
{
  struct wb_text text = {0};
  if (job->arguments->value[OPTION_JSON] != NULL)
    write_json(job, &text);
  else
    wb_wcet_text(job->results, job->count, job->arguments->value[OPTION_QUIET] != NULL,
                 terminal_colour(stdout), &text);
  return terminal_print(&text, job->error);
}

/* The graphs of all results, coloured by what their worst paths spend. */
static warpbound_status write_pictures(const struct job *job)
{
  if (job->arguments->value[OPTION_DOT] == NULL && job->arguments->value[OPTION_SVG] == NULL)
    return WARPBOUND_OK;
  struct wb_cfg_heat *heat = wb_allocate(job->count, sizeof *heat);
  struct wb_control_flow *flows = wb_allocate(job->count, sizeof *flows);
  bool ok = heat != NULL && flows != NULL;
  for (size_t k = 0; ok && k < job->count; k++) {
    ok = wb_wcet_heat(&job->results[k], &heat[k]);
    flows[k] = job->results[k].flow;
  }
  struct wb_cfg_report report = {.code = &job->input.code,
                                 .options = &job->options.wcet.simt,
                                 .flows = flows,
                                 .count = job->count,
                                 .heat = heat};
  warpbound_status status =
      ok ? graph_files_write(job->arguments, &report, &job->control, job->error)
         : wb_out_of_memory(job->error);
  for (size_t k = 0; heat != NULL && k < job->count; k++)
    wb_wcet_heat_free(&heat[k]);
  free(heat);
  free(flows);
  return status;
}

static void free_job(struct job *job)
{
  for (size_t k = 0; k < job->count; k++)
    wb_wcet_free(&job->results[k]);
  free(job->results);
  wb_text_free(&job->template);
  wcet_options_free(&job->options);
  machine_input_free(&job->input);
}

warpbound_status command_wcet(struct arguments *arguments, warpbound_error *error)
{
  terminal_catch_interrupts();
  struct job job = {.arguments = arguments, .error = error};
  warpbound_status refused = WARPBOUND_OK;
  warpbound_status status = read_options(&job);
  if (status == WARPBOUND_OK)
    status = machine_input_read(arguments, &job.input, error);
  if (status == WARPBOUND_OK)
    status = check_count(&job);
  if (status == WARPBOUND_OK)
    status = wcet_options_complete(arguments, &job.input.code, &job.options, error);
  if (status == WARPBOUND_OK)
    status = analyse(&job, &refused);
  if (status == WARPBOUND_OK && arguments->value[OPTION_TEMPLATE] != NULL)
    status = write_template(&job);
  if (status == WARPBOUND_OK && (job.count > 0 || arguments->value[OPTION_JSON] != NULL))
    status = print_results(&job);
  if (status == WARPBOUND_OK && job.count > 0)
    status = write_pictures(&job);
  free_job(&job);
  return status != WARPBOUND_OK ? status : refused;
}
