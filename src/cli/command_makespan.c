/* `warpbound makespan` and `warpbound simulate`. */
#include "cli/makespan_job.h"

#include "cli/commands.h"

#include "analysis.h"
#include "base/control.h"
#include "base/file.h"
#include "cli/input.h"
#include "cli/terminal.h"
#include "frontend/json_input.h"
#include "model/instance.h"
#include "report/gantt.h"
#include "report/json_output.h"
#include "report/makespan_report.h"

#include <stdlib.h>
#include <string.h>

/* Most rows of a table over several W. */
#define TABLE_LIMIT 4096
/* Warps that the terminal's picture shows. */
#define DRAWN_WARPS 32

/* A run of the command: what was asked, and where its output goes. */
struct job {
  struct arguments *arguments;
  struct kernel_input input;
  struct wb_sm_configuration sm;
  struct wb_analysis_options options;
  struct progress progress;
  uint32_t first_warps, last_warps;
  double deadline; /* of wb_clock; 0: none */
  bool is_table;
  bool json;
  bool colour;
  json_t *table;
  struct wb_text text;
  warpbound_error *error;
};

static warpbound_status read_method(struct job *job)
{
  static const char *const names[] = {"auto", "bounds", "exact"};
  const char *name = job->arguments->value[OPTION_METHOD];
  for (int m = WARPBOUND_METHOD_AUTO; name != NULL && m <= WARPBOUND_METHOD_EXACT; m++) {
    if (strcmp(name, names[m]) != 0)
      continue;
    job->options.limits.method = (warpbound_method)m;
    return WARPBOUND_OK;
  }
  if (name != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--method: expected auto, bounds or exact, found '%.60s'", name);
  return WARPBOUND_OK;
}

static warpbound_status read_policy(struct job *job)
{
  const char *name = job->arguments->value[OPTION_POLICY];
  if (name == NULL)
    return WARPBOUND_OK;
  job->options.policy = wb_policy_find(name);
  if (job->options.policy == NULL)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--policy: expected greedy-then-oldest, loose-round-robin, "
                   "greedy-then-round-robin, fixed-priority or most-pending, found '%.60s'",
                   name);
  return WARPBOUND_OK;
}

/* "N" or "A..B". */
static warpbound_status read_warps(struct job *job)
{
  const char *text = job->arguments->value[OPTION_WARPS];
  if (text == NULL)
    return wb_fail(job->error, WARPBOUND_USAGE, "expected --warps N (or -W N)");
  char *end;
  bool digit = *text >= '0' && *text <= '9';
  unsigned long long first = strtoull(text, &end, 10);
  unsigned long long last = first;
  job->is_table = digit && strncmp(end, "..", 2) == 0;
  if (job->is_table) {
    digit = end[2] >= '0' && end[2] <= '9';
    last = strtoull(end + 2, &end, 10);
  }
  if (!digit || *end != '\0' || first < 1 || last > WB_WARP_LIMIT || first > last)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--warps: expected 1 to %u, or a range A..B of these, found '%.60s'",
                   WB_WARP_LIMIT, text);
  if (last - first >= TABLE_LIMIT)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--warps: expected a range of at most %d, found %llu", TABLE_LIMIT,
                   last - first + 1);
  job->first_warps = (uint32_t)first;
  job->last_warps = (uint32_t)last;
  return WARPBOUND_OK;
}

/* The seed is checked though nothing here makes a random choice yet. */
static warpbound_status read_limits(struct job *job)
{
  uint64_t threads = 0, ignored;
  warpbound_options *limits = &job->options.limits;
  warpbound_status status =
      arguments_seconds(job->arguments, OPTION_TIME_LIMIT, &limits->time_limit, job->error);
  if (status == WARPBOUND_OK)
    status = arguments_size(job->arguments, OPTION_MEMORY_LIMIT, &limits->memory_limit, job->error);
  if (status == WARPBOUND_OK)
    status = arguments_number(job->arguments, OPTION_THREADS, 1, WB_THREAD_LIMIT, 0, &threads,
                              job->error);
  if (status == WARPBOUND_OK)
    status = arguments_number(job->arguments, OPTION_SEED, 0, UINT64_MAX, 0, &ignored, job->error);
  limits->threads = (uint32_t)threads;
  if (limits->time_limit > 0)
    job->deadline = wb_clock() + limits->time_limit;
  limits->interrupted = terminal_interrupted;
  limits->context = &job->progress;
  if (job->arguments->value[OPTION_NO_PROGRESS] == NULL && terminal_shows_progress())
    limits->progress = terminal_progress;
  return status;
}

static warpbound_status check_output_name(const struct job *job, enum option option)
{
  const char *name = job->arguments->value[option];
  if (name == NULL || (*name != '\0' && strcmp(name, "-") != 0))
    return WARPBOUND_OK;
  return wb_fail(job->error, WARPBOUND_USAGE, "--%s: expected a file name, found '%s'%s",
                 option_row(option)->name, name,
                 *name != '\0' ? " (write ./- for a file of that name)" : "");
}

/* The options that name an output. */
static const enum option outputs[] = {OPTION_SCHEDULE, OPTION_GANTT, OPTION_WRITE,
                                      OPTION_CONVERGENCE};
#define OUTPUT_COUNT (sizeof outputs / sizeof outputs[0])

/* Refuses names under which an output would replace another, or the input. */
static warpbound_status check_output_names(const struct job *job)
{
  const char *const *value = job->arguments->value;
  const char *input = job->arguments->input;
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < OUTPUT_COUNT; i++)
    status = check_output_name(job, outputs[i]);
  for (size_t i = 0; status == WARPBOUND_OK && i < OUTPUT_COUNT; i++) {
    const char *name = value[outputs[i]];
    for (size_t k = i + 1; name != NULL && status == WARPBOUND_OK && k < OUTPUT_COUNT; k++) {
      if (value[outputs[k]] != NULL && strcmp(name, value[outputs[k]]) == 0)
        status = wb_fail(job->error, WARPBOUND_USAGE,
                         "--%s and --%s: expected two files, found '%.100s' for both",
                         option_row(outputs[i])->name, option_row(outputs[k])->name, name);
    }
  }
  for (size_t i = 0; status == WARPBOUND_OK && i < OUTPUT_COUNT; i++) {
    const char *name = value[outputs[i]];
    if (name != NULL && strcmp(name, input) == 0)
      status = wb_fail(job->error, WARPBOUND_USAGE, "the output '%.100s' would replace the input",
                       input);
  }
  return status;
}

static warpbound_status read_outputs(struct job *job)
{
  const struct arguments *arguments = job->arguments;
  job->json = arguments->value[OPTION_JSON] != NULL;
  job->colour = terminal_colour(stdout);
  bool draws = arguments->value[OPTION_SCHEDULE] != NULL ||
               arguments->value[OPTION_GANTT] != NULL || arguments->value[OPTION_DRAW] != NULL;
  if (draws && job->is_table)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--schedule, --gantt and --draw need a single --warps N");
  if (job->is_table && arguments->value[OPTION_CONVERGENCE] != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE, "--convergence needs a single --warps N");
  if (job->json && arguments->value[OPTION_DRAW] != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE, "--draw is for people: not with --json");
  return check_output_names(job);
}

static warpbound_status read_job(struct job *job, unsigned command, makespan_setup *setup)
{
  warpbound_status status = kernel_input_read(job->arguments, command, &job->input, job->error);
  if (status == WARPBOUND_OK)
    status = read_warps(job);
  if (status == WARPBOUND_OK)
    status = configuration_read(job->arguments, &job->sm, job->error);
  if (status == WARPBOUND_OK)
    status = read_method(job);
  if (status == WARPBOUND_OK)
    status = read_policy(job);
  if (status == WARPBOUND_OK)
    status = read_limits(job);
  if (status == WARPBOUND_OK)
    status = read_outputs(job);
  if (status == WARPBOUND_OK && setup != NULL)
    status = setup(job->arguments, &job->options, job->error);
  if (status == WARPBOUND_OK && job->is_table && job->options.integer.file != NULL)
    status = wb_fail(job->error, WARPBOUND_USAGE, "--write needs a single --warps N");
  return status;
}

static warpbound_status write_file(struct job *job, enum option option, struct wb_text *text)
{
  if (text->failed) {
    wb_text_free(text);
    return wb_out_of_memory(job->error);
  }
  warpbound_status status =
      wb_file_write(job->arguments->value[option], text->data, text->length, job->error);
  wb_text_free(text);
  return status;
}

static void write_title(const struct warpbound_result *result, struct wb_text *title)
{
  const struct warpbound_instance *instance = result->instance;
  wb_text_format(title, "Schedule of %llu cycles by %s",
                 (unsigned long long)result->witness.makespan, result->witness_method);
  if (result->exact && result->witness.makespan == result->upper.cycles)
    wb_text_string(title, ": the worst case");
  if (instance->sm.partitions > 1)
    wb_text_format(title, ", one of %u partitions of %s", instance->sm.partitions,
                   instance->sm.name);
}

/* What nobody could read back is not written. */
static warpbound_status schedule_too_large(struct job *job, struct wb_text *text)
{
  warpbound_status status =
      wb_fail(job->error, WARPBOUND_LIMIT,
              "--schedule: the file would have %zu bytes, more than the %zu that 'verify' reads",
              text->length, WB_JSON_LIMIT);
  wb_text_free(text);
  return status;
}

/* The files and the picture that were asked for, from a schedule that was checked. */
static warpbound_status write_schedule(struct job *job, const struct warpbound_result *result)
{
  const struct arguments *arguments = job->arguments;
  const struct wb_problem *problem = &result->instance->problem;
  bool wanted = arguments->value[OPTION_SCHEDULE] != NULL ||
                arguments->value[OPTION_GANTT] != NULL || arguments->value[OPTION_DRAW] != NULL;
  if (!wanted)
    return WARPBOUND_OK;
  if (result->witness.issue_cycle == NULL)
    return wb_fail(job->error, WARPBOUND_LIMIT,
                   "there is no schedule to write or draw: its making was beyond the limits");
  warpbound_status status = WARPBOUND_OK;
  struct wb_text text = {0};
  if (arguments->value[OPTION_SCHEDULE] != NULL) {
    wb_schedule_json(problem, &result->witness, &text);
    status = text.length <= WB_JSON_LIMIT ? write_file(job, OPTION_SCHEDULE, &text)
                                          : schedule_too_large(job, &text);
  }
  struct wb_text title = {0};
  write_title(result, &title);
  if (title.failed)
    status = wb_out_of_memory(job->error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_GANTT] != NULL) {
    wb_gantt_svg(problem, &result->witness, title.data, &text);
    status = write_file(job, OPTION_GANTT, &text);
  }
  if (status == WARPBOUND_OK && arguments->value[OPTION_DRAW] != NULL) {
    wb_text_format(&job->text, "\n%s\n", title.data);
    wb_gantt_terminal(problem, &result->witness, terminal_columns(), DRAWN_WARPS, job->colour,
                      &job->text);
  }
  wb_text_free(&title);
  return status;
}

/* The tractable bound over y. */
static warpbound_status write_convergence(struct job *job, const struct warpbound_result *result)
{
  if (job->arguments->value[OPTION_CONVERGENCE] == NULL)
    return WARPBOUND_OK;
  struct wb_text text = {0};
  wb_convergence_csv(result, &text);
  return write_file(job, OPTION_CONVERGENCE, &text);
}

static void report_notes(const struct warpbound_result *result)
{
  for (size_t i = 0; i < result->notes.count; i++)
    terminal_note(result->notes.items[i]);
}

/* The whole table, from the last row's object: what all rows share, and the rows. */
static json_t *table_json(const struct job *job, json_t *last)
{
  json_t *instance = json_object_get(last, "instance");
  json_object_set_new(instance, "warps", json_sprintf("%u..%u", job->first_warps, job->last_warps));
  json_object_del(json_object_get(instance, "normalised"), "warps");
  return json_pack("{s:O, s:O, s:O}", "instance", instance, "assumptions",
                   json_object_get(last, "assumptions"), "table", job->table);
}

/* Adds one result to the output; the notes of JSON output go to standard error too. */
static warpbound_status report(struct job *job, const struct warpbound_result *result)
{
  bool first = result->instance->warps == job->first_warps;
  bool last = result->instance->warps == job->last_warps;
  if (job->json && job->is_table)
    json_array_append_new(job->table, wb_makespan_row_json(result));
  if (job->json && last) {
    json_t *object = wb_makespan_json(result);
    if (object != NULL && job->is_table) {
      json_t *whole = table_json(job, object);
      json_decref(object);
      object = whole;
    }
    char *json = wb_json_text(object);
    if (json == NULL)
      return wb_out_of_memory(job->error);
    wb_text_string(&job->text, json);
    free(json);
  }
  if (!job->json && job->is_table) {
    if (first)
      wb_makespan_table_head(result, job->colour, &job->text);
    wb_makespan_table_row(result, job->colour, &job->text);
    if (last)
      wb_makespan_table_end(result, job->colour, &job->text);
  } else if (!job->json) {
    wb_makespan_text(result, job->colour, &job->text);
  }
  warpbound_status status = write_schedule(job, result);
  return status == WARPBOUND_OK ? write_convergence(job, result) : status;
}

/* The time limit is the whole command's: what is left of it for the next result. */
static void share_time(struct job *job)
{
  if (job->deadline == 0)
    return;
  double left = job->deadline - wb_clock();
  job->options.limits.time_limit = left > 1e-9 ? left : 1e-9;
}

/* One number of warps: WARPBOUND_LIMIT is a result too. */
static warpbound_status analyse(struct job *job, uint32_t warps)
{
  struct warpbound_instance instance;
  warpbound_status status = wb_instance_make(&job->input.string, &job->sm, warps,
                                             &job->input.assumptions, &instance, job->error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_result result;
  status = wb_analyse_makespan(&instance, &job->options, &result, job->error);
  terminal_progress_end(&job->progress);
  if (status == WARPBOUND_OK || status == WARPBOUND_LIMIT) {
    if (status == WARPBOUND_LIMIT || job->json)
      report_notes(&result);
    warpbound_status reported = report(job, &result);
    if (reported != WARPBOUND_OK)
      status = reported;
    wb_result_clear(&result);
  }
  wb_instance_clear(&instance);
  return status;
}

/* Every number of warps in turn. What there is to print is printed even if a file
 * could not be written: the answer may have taken long. */
static warpbound_status run(struct job *job)
{
  warpbound_status worst = WARPBOUND_OK;
  if (job->json && job->is_table)
    job->table = json_array();
  for (uint64_t w = job->first_warps; w <= job->last_warps; w++) {
    share_time(job);
    warpbound_status status = analyse(job, (uint32_t)w);
    if (status != WARPBOUND_OK)
      worst = status;
    if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
      break;
  }
  warpbound_status status = terminal_print(&job->text, job->error);
  return status == WARPBOUND_OK ? worst : status;
}

warpbound_status makespan_job_run(struct arguments *arguments, unsigned command,
                                  makespan_setup *setup, warpbound_error *error)
{
  terminal_catch_interrupts();
  struct job job = {.arguments = arguments, .error = error};
  warpbound_status status = read_job(&job, command, setup);
  if (status == WARPBOUND_OK)
    status = run(&job);
  wb_text_free(&job.text);
  json_decref(job.table);
  kernel_input_free(&job.input);
  return status;
}

static warpbound_status simulate_only(const struct arguments *arguments,
                                      struct wb_analysis_options *options, warpbound_error *error)
{
  (void)arguments;
  (void)error;
  options->limits.method = WARPBOUND_METHOD_BOUNDS;
  options->simulate_only = true;
  return WARPBOUND_OK;
}

warpbound_status command_makespan(struct arguments *arguments, warpbound_error *error)
{
  return makespan_job_run(arguments, COMMAND_MAKESPAN, NULL, error);
}

warpbound_status command_simulate(struct arguments *arguments, warpbound_error *error)
{
  return makespan_job_run(arguments, COMMAND_SIMULATE, simulate_only, error);
}
