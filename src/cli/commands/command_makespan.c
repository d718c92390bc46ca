/* `warpbound makespan`, `simulate`, `ilp`, `string` and `verify`: from kernel instruction strings
 * to bounds, and checks of these. */
#include "cli/commands/commands.h"

#include "cli/input/device_input.h"
#include "cli/input/input.h"
#include "cli/input/makespan_options.h"
#include "cli/input/module_input.h"
#include "cli/output/outputs.h"
#include "report/makespan/makespan_report.h"
#include "report/report_words.h"
#include "report/warp_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Warps that the terminal's picture shows. */
#define DRAWN_WARPS 32

/* A run of the command: what was asked, and where its output goes. */
struct makespan_job {
  struct arguments *arguments;
  struct makespan_options options;
  struct kernel_input input;
  warpbound_sm *sm;
  warpbound_instance *instance;
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

static warpbound_status read_job(struct makespan_job *job, unsigned command)
{
  struct arguments *arguments = job->arguments;
  /* Those of the command line before a listing is read; with those of a file further down. */
  warpbound_status status = outputs_check(arguments, job->error);
  if (status == WARPBOUND_OK)
    status = kernel_input_read(arguments, command, &job->input, job->error);
  if (status == WARPBOUND_OK)
    status = makespan_options_read(arguments, command, &job->options, job->error);
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
static warpbound_status make_instance(struct makespan_job *job)
{
  const struct makespan_options *options = &job->options;
  const uint32_t warps = options->last_warps - options->last_warps % options->blocks;
  warpbound_status status =
      kernel_input_find_paths(job->arguments, &job->input, &options->limits.options, job->error);
  terminal_progress_end(&job->options.limits.progress);
  limits_shorten(&job->options.limits);
  if (status == WARPBOUND_OK)
    status = warpbound_instance_of_paths(job->input.paths, job->sm, warps, options->blocks,
                                         &job->instance, job->error);
  if (status == WARPBOUND_OK && options->fair_count > 0)
    status = warpbound_instance_make_fair(job->instance, options->fair_first, options->fair_length,
                                          options->fair_count, job->error);
  return status;
}

/* ---- the schedule ---- */

/* The files and the picture of a schedule that was checked. */
static warpbound_status write_schedule(const struct arguments *arguments,
                                       const warpbound_result *result, bool colour,
                                       struct wb_text *drawing, warpbound_error *error)
{
  const char *const *value = arguments->value;
  if (value[OPTION_SCHEDULE] == NULL && value[OPTION_GANTT] == NULL && value[OPTION_DRAW] == NULL)
    return WARPBOUND_OK;
  if (warpbound_result_witness(result) == 0)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "there is no schedule to write or draw: its making was beyond the limits");
  warpbound_status status = WARPBOUND_OK;
  if (value[OPTION_SCHEDULE] != NULL) {
    char *schedule;
    char message[sizeof error->message];
    status = warpbound_result_schedule(result, &schedule, error);
    if (status == WARPBOUND_OK) {
      status = output_write_text(value[OPTION_SCHEDULE], schedule, error);
    } else {
      snprintf(message, sizeof message, "--schedule: %.480s", error->message);
      status = wb_fail(error, status, "%s", message);
    }
  }
  if (status == WARPBOUND_OK && value[OPTION_GANTT] != NULL) {
    char *svg = NULL;
    status = warpbound_result_gantt(result, &svg, error);
    if (status == WARPBOUND_OK)
      status = output_write_text(value[OPTION_GANTT], svg, error);
  }
  if (status == WARPBOUND_OK && value[OPTION_DRAW] != NULL)
    wb_result_gantt_terminal(result, terminal_columns(), DRAWN_WARPS, colour, drawing);
  return status;
}

/* ---- files ---- */

/* Writes the files that were asked for; the chart of --draw is appended to *drawing. */
static warpbound_status write_files(const struct arguments *arguments,
                                    const warpbound_result *result, bool colour,
                                    struct wb_text *drawing, warpbound_error *error)
{
  /* The files on how the annealing went. An annealing that was left out has no run to
   * show; the notes say why. */
  warpbound_status status = WARPBOUND_OK;
  struct wb_text text = {0};
  if (arguments->value[OPTION_TRACE] != NULL) {
    wb_convergence_csv(&result->annealing, &text);
    status = output_write(arguments->value[OPTION_TRACE], &text, error);
  }
  if (status == WARPBOUND_OK && arguments->value[OPTION_PLOT] != NULL) {
    wb_result_convergence_svg(result, &text);
    status = output_write(arguments->value[OPTION_PLOT], &text, error);
  }
  const char *tractable = arguments->value[OPTION_CONVERGENCE];
  if (status == WARPBOUND_OK && tractable != NULL) {
    /* The bound over y: a picture where the name's ending asks for one. */
    const char *ending = strrchr(tractable, '.');
    if (ending != NULL && strcmp(ending, ".svg") == 0)
      wb_tractable_svg(result, &text);
    else
      wb_tractable_csv(result, &text);
    status = output_write(tractable, &text, error);
  }
  if (status == WARPBOUND_OK)
    status = write_schedule(arguments, result, colour, drawing, error);
  if (status != WARPBOUND_OK)
    return status;
  char *certificate;
  uint64_t cycles = 0;
  if (arguments->value[OPTION_CERTIFICATE] == NULL)
    return WARPBOUND_OK;
  status = warpbound_result_certificate(result, &certificate, &cycles, error);
  if (status != WARPBOUND_OK)
    return status;
  /* Where the certificate proves less than the analysis did. */
  const warpbound_bound upper = warpbound_result_upper(result);
  char note[256];
  if (cycles > upper.cycles) {
    snprintf(note, sizeof note,
             "the certificate proves %" PRIu64
             " cycles only: for the upper end by '%s' there is none",
             cycles, upper.name);
    terminal_note(note);
  }
  return output_write_text(arguments->value[OPTION_CERTIFICATE], certificate, error);
}

/* ---- the answer ---- */

/* Records what --require-proof judges. Prints on standard error all notes of JSON output, else
 * those that say why a limit was reached; each once, and none that stands on the same terminal
 * already. */
static void report_notes(struct makespan_job *job, const warpbound_result *result,
                         warpbound_status status)
{
  const bool table = job->options.is_table;
  bool shown = !job->json && !job->quiet && !table && terminal_shows_output();
  struct wb_text doubts = {0};
  wb_estimate_summary(&result->instance->estimate, &doubts);
  proof_record(&job->proof, &doubts);
  if (shown || (status != WARPBOUND_LIMIT && !job->json))
    return;
  for (size_t i = 0; i < warpbound_result_note_count(result); i++) {
    size_t known = job->notes.count;
    wb_list_add(&job->notes, "%s", warpbound_result_note(result, i));
    if (job->notes.count > known || job->notes.failed)
      terminal_note(warpbound_result_note(result, i));
  }
}

/* One number of warps: WARPBOUND_LIMIT is a result too. */
static warpbound_status answer_one(struct makespan_job *job)
{
  warpbound_result *result;
  char *json = NULL;
  warpbound_status status =
      warpbound_makespan(job->instance, &job->options.limits.options, &result, job->error);
  terminal_progress_end(&job->options.limits.progress);
  if (result == NULL)
    return status;
  report_notes(job, result, status);
  warpbound_status reported = WARPBOUND_OK;
  if (job->json)
    reported = warpbound_result_json(result, &json, job->error);
  else if (job->quiet)
    wb_makespan_answer(result, job->colour, &job->text);
  else
    wb_makespan_text(result, job->colour, &job->text);
  if (json != NULL)
    wb_text_string(&job->text, json);
  warpbound_text_free(json);
  if (reported == WARPBOUND_OK)
    reported = write_files(job->arguments, result, job->colour, &job->text, job->error);
  warpbound_result_free(result);
  return reported != WARPBOUND_OK ? reported : status;
}

/* A row of the table. */
static warpbound_status visit_row(void *context, const warpbound_result *result,
                                  warpbound_status status, warpbound_error *error)
{
  struct makespan_job *job = context;
  terminal_progress_end(&job->options.limits.progress);
  report_notes(job, result, status);
  return wb_series_report_add(&job->table, result, error);
}

static warpbound_status answer_range(struct makespan_job *job)
{
  warpbound_series *series;
  warpbound_status status =
      warpbound_makespan_series(job->instance, job->options.first_warps, job->options.last_warps,
                                &job->options.limits.options, visit_row, job, &series, job->error);
  terminal_progress_end(&job->options.limits.progress);
  if (series != NULL)
    wb_series_report_write(&job->table, series, &job->text);
  warpbound_series_free(series);
  return status;
}

/* Runs makespan, simulate or ilp, by its bit, from its arguments to its output. */
static warpbound_status run(struct arguments *arguments, unsigned command, warpbound_error *error)
{
  struct makespan_job job = {.arguments = arguments, .error = error};
  warpbound_status status = read_job(&job, command);
  if (status == WARPBOUND_OK) {
    terminal_catch_interrupts();
    status = make_instance(&job);
  }
  if (status == WARPBOUND_OK) {
    /* The output is printed even if a file could not be written: the answer may have taken long. */
    const warpbound_status answered = job.options.is_table ? answer_range(&job) : answer_one(&job);
    status = terminal_print(&job.text, error);
    if (status == WARPBOUND_OK)
      status = answered;
  }
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

warpbound_status command_makespan(struct arguments *arguments, warpbound_error *error)
{
  return run(arguments, COMMAND_MAKESPAN, error);
}

warpbound_status command_simulate(struct arguments *arguments, warpbound_error *error)
{
  return run(arguments, COMMAND_SIMULATE, error);
}

warpbound_status command_ilp(struct arguments *arguments, warpbound_error *error)
{
  return run(arguments, COMMAND_ILP, error);
}

/* ---- string ---- */

warpbound_status command_string(struct arguments *arguments, warpbound_error *error)
{
  struct kernel_input input = {0};
  struct limits limits = {0};
  warpbound_sm *sm = NULL;
  terminal_catch_interrupts();
  warpbound_status status = kernel_input_read(arguments, COMMAND_STRING, &input, error);
  if (status == WARPBOUND_OK)
    status = limits_read(arguments, &limits, error);
  if (status == WARPBOUND_OK) {
    status = kernel_input_find_paths(arguments, &input, &limits.options, error);
    terminal_progress_end(&limits.progress);
  }
  /* Also the string as normalised for the configuration that the options name, if they do. */
  if (status == WARPBOUND_OK &&
      (arguments->value[OPTION_SM] != NULL || arguments->value[OPTION_UNITS] != NULL))
    status = configuration_read(arguments, &sm, error);
  if (status == WARPBOUND_OK) {
    const struct wb_string_report report = {.paths = input.paths,
                                            .sm = sm,
                                            .steps = arguments->value[OPTION_CLASSES] != NULL,
                                            .quiet = arguments->value[OPTION_QUIET] != NULL,
                                            .colour = terminal_colour(stdout)};
    struct wb_text text = {0};
    status = wb_string_report_write(&report, arguments->value[OPTION_JSON] != NULL, &text, error);
    if (status == WARPBOUND_OK)
      status = terminal_print(&text, error);
    else
      wb_text_free(&text);
  }
  warpbound_sm_free(sm);
  kernel_input_free(&input);
  return status;
}

/* ---- verify ---- */

warpbound_status command_verify(struct arguments *arguments, warpbound_error *error)
{
  struct limits limits = {0};
  struct wb_input source;
  warpbound_verdict *verdict;
  warpbound_error violation = {0};
  warpbound_status status = limits_read(arguments, &limits, error);
  if (status == WARPBOUND_OK)
    status = source_input_read(arguments, "a schedule file or a certificate", WB_INPUT_LIMIT,
                               &source, error);
  if (status != WARPBOUND_OK)
    return status;
  terminal_catch_interrupts();
  const warpbound_status found = warpbound_verify(source.name, source.bytes, source.length,
                                                  &limits.options, &verdict, &violation);
  terminal_progress_end(&limits.progress);
  wb_input_free(&source);
  if (verdict == NULL) {
    *error = violation;
    return found;
  }
  /* The verdict is printed; a violation that it names is no error of the program. */
  char *text = NULL;
  status = arguments->value[OPTION_JSON] != NULL ? warpbound_verdict_json(verdict, &text, error)
                                                 : warpbound_verdict_text(verdict, &text, error);
  if (status == WARPBOUND_OK)
    status = terminal_print_text(text, error);
  warpbound_text_free(text);
  warpbound_verdict_free(verdict);
  return status == WARPBOUND_OK ? found : status;
}
