/* `warpbound analyze`. */
#include "cli/commands/command_frame.h"
#include "cli/commands/commands.h"

#include "cli/input/device_input.h"
#include "cli/input/launches.h"
#include "cli/input/module_input.h"
#include "cli/output/outputs.h"
#include "report/analyze/analyze_report.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Events of the longest simulated run that a picture shows. */
#define TIMELINE_EVENTS 20000

/* One launch of the command. */
struct task {
  const struct launch_row *row;
  warpbound_gpu *gpu; /* owned where the row has a device of its own */
  struct analyze_options options;
  warpbound_launch *launch; /* NULL: there is no result */
};

/* The command under way. */
struct launches_job {
  struct arguments *arguments;
  struct limits limits;
  warpbound_gpu *gpu;
  warpbound_module *module;
  struct launch_list list;
  struct wb_arena arena;            /* has the next five, and messages */
  struct task *tasks;               /* by row of the list */
  struct wb_launch_report *reports; /* of tasks with a bound */
  uint64_t *swept;                  /* by report: the number of --sweep */
  struct wb_launch_report *lacking; /* of tasks whose loops have no bounds */
  struct wb_refused_launch *refused;
  size_t report_count;
  size_t lacking_count;
  size_t refused_count;
  warpbound_error *error;
};

/* ---- input ---- */

static warpbound_status read_input(struct launches_job *job)
{
  warpbound_status status = outputs_check(job->arguments, job->error);
  if (status == WARPBOUND_OK)
    status = frame_mode_check(job->arguments, job->error);
  if (status == WARPBOUND_OK)
    status = analyze_files_check(job->arguments, job->error);
  if (status == WARPBOUND_OK)
    status = limits_read(job->arguments, &job->limits, job->error);
  if (status == WARPBOUND_OK)
    status = gpu_input_read(job->arguments, &job->gpu, job->error);
  if (status == WARPBOUND_OK)
    status = launch_list_read(job->arguments, &job->list, job->error);
  /* Of a file with code for several architectures, what runs on the device. */
  struct arguments arguments = *job->arguments;
  char architecture[32];
  snprintf(architecture, sizeof architecture, "sm_%" PRIu32, warpbound_gpu_architecture(job->gpu));
  arguments.value[OPTION_SM] = architecture;
  if (status == WARPBOUND_OK)
    status = module_input_make(&arguments, &job->module, job->error);
  if (status == WARPBOUND_OK)
    status = simt_options_check(job->arguments, job->module, job->error);
  if (status != WARPBOUND_OK)
    return status;
  const size_t count = job->list.count;
  job->tasks = wb_arena_array(&job->arena, struct task, count);
  job->reports = wb_arena_array(&job->arena, struct wb_launch_report, count);
  job->swept = wb_arena_array(&job->arena, uint64_t, count);
  job->lacking = wb_arena_array(&job->arena, struct wb_launch_report, count);
  job->refused = wb_arena_array(&job->arena, struct wb_refused_launch, count);
  return job->arena.failed ? wb_out_of_memory(job->error) : WARPBOUND_OK;
}

/* ---- the analysis ---- */

/* Pictures are of one launch, and so is what a smaller bound is worth. */
static bool is_single(const struct launches_job *job)
{
  return job->list.count == 1;
}

static struct wb_launch_report report_of(const struct launches_job *job, const struct task *task)
{
  const bool named = job->list.count > 1;
  return (struct wb_launch_report){
      .launch = task->launch,
      .file = job->arguments->input,
      .name = named ? task->row->name : NULL,
      .budget = task->options.budget,
      .deadline_seconds = task->options.deadline,
      .require_proof = task->row->arguments.value[OPTION_REQUIRE_PROOF] != NULL,
      .accesses = job->arguments->value[OPTION_ACCESSES] != NULL,
      .colour = terminal_colour(stdout),
      .quiet = job->arguments->value[OPTION_QUIET] != NULL,
      .sources = task->options.wcet.known.sources,
      .source_count = task->options.wcet.known.source_count,
  };
}

static warpbound_status analyse(struct launches_job *job, struct task *task)
{
  warpbound_kernel *kernel;
  const struct arguments *arguments = &task->row->arguments;
  warpbound_launch_options *launch = &task->options.launch;
  warpbound_status status = analyze_options_read(arguments, &task->options, job->error);
  if (status == WARPBOUND_OK)
    status = analyze_options_complete(arguments, job->module, &task->options, job->error);
  if (status == WARPBOUND_OK && (job->list.subject == SWEEP_SMS || task->row->sms > 0))
    status = gpu_input_read(arguments, &task->gpu, job->error);
  launch->in_company = frame_mode(job->arguments) != OPTION_COUNT;
  launch->sensitivity = is_single(job);
  launch->timeline_events = is_single(job) && (arguments->value[OPTION_TIMELINE] != NULL ||
                                               arguments->value[OPTION_REPORT] != NULL)
                                ? TIMELINE_EVENTS
                                : 0;
  if (arguments->value[OPTION_SIMULATE] == NULL)
    launch->simulate /= job->list.count;
  if (status == WARPBOUND_OK)
    status = warpbound_kernel_choose(job->module, task->row->arguments.value[OPTION_KERNEL],
                                     &kernel, job->error);
  if (status != WARPBOUND_OK)
    return status;
  limits_shorten(&job->limits);
  status = warpbound_launch_analyse(kernel, task->gpu != NULL ? task->gpu : job->gpu,
                                    &task->options.launch, &job->limits.options, &task->launch,
                                    job->error);
  warpbound_kernel_free(kernel);
  terminal_progress_end(&job->limits.progress);
  if (task->launch != NULL && status != WARPBOUND_FACTS_MISSING) {
    job->swept[job->report_count] = task->row->swept;
    job->reports[job->report_count++] = report_of(job, task);
  }
  if (task->launch != NULL && status == WARPBOUND_FACTS_MISSING)
    job->lacking[job->lacking_count++] = report_of(job, task);
  return status;
}

/* A launch of several that cannot be analysed is reported, and the others go on; the first such
 * status is the command's, where no upper end is above what is allowed. A limit ends the list. */
static warpbound_status analyse_all(struct launches_job *job, warpbound_status *refused)
{
  for (size_t t = 0; t < job->list.count; t++) {
    struct task *task = &job->tasks[t];
    task->row = &job->list.rows[t];
    const warpbound_status status = analyse(job, task);
    if (status == WARPBOUND_OK)
      continue;
    const bool bounded =
        job->report_count > 0 && job->reports[job->report_count - 1].launch == task->launch;
    if (!bounded) {
      /* Why there is no result, for the files of --report-ci. */
      const char *kernel = task->row->arguments.value[OPTION_KERNEL];
      const char *single = kernel != NULL ? kernel : job->arguments->input;
      const char *found = job->error->message;
      const char *message = wb_arena_text(&job->arena, found, strlen(found));
      if (message == NULL)
        return wb_out_of_memory(job->error);
      job->refused[job->refused_count++] = (struct wb_refused_launch){
          .name = is_single(job) ? single : task->row->name, .message = message};
    }
    if (is_single(job) || status == WARPBOUND_INTERNAL) {
      *refused = status;
      break;
    }
    warpbound_error named = *job->error;
    (void)wb_fail_at(&named, job->error->status, job->error->file, job->error->line,
                     job->error->column, "%.100s: %.380s", task->row->name, job->error->message);
    terminal_error(&named);
    *job->error = (warpbound_error){0};
    *refused = *refused == WARPBOUND_OK ? status : *refused;
    if (status == WARPBOUND_LIMIT)
      break;
  }
  return WARPBOUND_OK;
}

/* ---- what is missing ---- */

/* A word as a shell reads it. */
static void write_word(struct wb_text *text, const char *word)
{
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
  const bool quoted = word[0] == '\0' || word[strspn(word, plain)] != '\0';
  wb_text_string(text, quoted ? " '" : " ");
  for (const char *at = word; *at != '\0'; at++)
    wb_text_format(text, *at == '\'' ? "'\\''" : "%c", *at);
  wb_text_string(text, quoted ? "'" : "");
}

/* Prints the error of a launch that lacks facts, and the command that would do: the one that was
 * given, with the options that are missing. */
static void tell_missing(const struct launches_job *job)
{
  const struct wb_launch_analysis *analysis = &job->tasks[0].launch->analysis;
  const struct arguments *arguments = job->arguments;
  struct wb_text text = {0};
  bool facts = false;
  wb_text_string(&text, "the command with them: warpbound analyze");
  for (int w = 0; w < arguments->word_count; w++)
    write_word(&text, arguments->words[w]);
  for (size_t m = 0; m < analysis->missing_count; m++) {
    const struct wb_missing_fact *row = &analysis->missing[m];
    if (!row->fact)
      wb_text_format(&text, " %s", row->option);
    facts |= row->fact;
  }
  wb_text_string(&text, facts ? " --flow-facts FILE" : "");
  terminal_error(job->error);
  if (!text.failed)
    terminal_note(text.data);
  wb_text_free(&text);
  *job->error = (warpbound_error){0};
}

/* ---- the outcome ---- */

static warpbound_status print_results(const struct launches_job *job)
{
  struct wb_text text = {0};
  const bool json = job->arguments->value[OPTION_JSON] != NULL;
  if (job->report_count == 0 && !(json && job->lacking_count > 0))
    return WARPBOUND_OK;
  if (is_single(job) && json && job->report_count > 0)
    wb_analyze_json(job->reports, &text);
  else if (is_single(job) && json)
    wb_analyze_missing_json(job->lacking, &text);
  else if (is_single(job))
    wb_analyze_text(job->reports, &text);
  else if (json)
    wb_analyze_table_json(job->reports, job->report_count, job->lacking, job->lacking_count, &text);
  else
    wb_analyze_table(job->reports, job->report_count, &text);
  return terminal_print(&text, job->error);
}

/* Whether all upper ends are within budget and deadline, and proven where that is asked for. */
static warpbound_status judge(const struct launches_job *job)
{
  size_t refused = 0;
  size_t estimates = 0;
  for (size_t r = 0; r < job->report_count; r++) {
    refused += !wb_analyze_allowed(&job->reports[r]);
    estimates += !wb_analyze_proof_kept(&job->reports[r]);
  }
  if (refused == 0)
    return WARPBOUND_OK;
  if (is_single(job) && estimates > 0) {
    struct wb_text doubts = {0};
    wb_estimate_summary(&job->reports->launch->analysis.upper_estimate, &doubts);
    const warpbound_status status =
        doubts.failed
            ? wb_out_of_memory(job->error)
            : wb_fail(job->error, WARPBOUND_CHECK_FAILED,
                      "--require-proof: the upper end is an estimate: %.420s", doubts.data);
    wb_text_free(&doubts);
    return status;
  }
  if (is_single(job))
    return wb_fail(job->error, WARPBOUND_CHECK_FAILED, "the upper end is above what is allowed");
  if (estimates > 0)
    return wb_fail(job->error, WARPBOUND_CHECK_FAILED,
                   "%zu of %zu upper ends are not allowed, %zu of them estimates "
                   "(--require-proof)",
                   refused, job->report_count, estimates);
  return wb_fail(job->error, WARPBOUND_CHECK_FAILED,
                 "%zu of %zu upper ends are above what is allowed", refused, job->report_count);
}

/* What the launches take beside each other, where all of them have a bound. */
static warpbound_status run_frame(struct launches_job *job)
{
  const size_t count = job->list.count;
  warpbound_frame_launch *launches = wb_arena_array(&job->arena, warpbound_frame_launch, count);
  if (launches == NULL)
    return wb_out_of_memory(job->error);
  for (size_t l = 0; l < count; l++)
    launches[l] = (warpbound_frame_launch){job->list.rows[l].name, job->tasks[l].launch};
  return frame_run(job->arguments, &job->list, launches, job->gpu, job->error);
}

static void free_job(struct launches_job *job)
{
  for (size_t t = 0; job->tasks != NULL && t < job->list.count; t++) {
    warpbound_launch_free(job->tasks[t].launch);
    wcet_options_free(&job->tasks[t].options.wcet);
    warpbound_gpu_free(job->tasks[t].gpu);
  }
  launch_list_free(&job->list);
  warpbound_module_free(job->module);
  warpbound_gpu_free(job->gpu);
  wb_arena_free(&job->arena);
}

warpbound_status command_analyze(struct arguments *arguments, warpbound_error *error)
{
  terminal_catch_interrupts();
  struct launches_job job = {.arguments = arguments, .error = error};
  warpbound_status refused = WARPBOUND_OK;
  warpbound_status status = read_input(&job);
  if (status == WARPBOUND_OK)
    status = analyse_all(&job, &refused);
  if (status == WARPBOUND_OK && frame_mode(arguments) != OPTION_COUNT) {
    status = refused != WARPBOUND_OK ? refused : run_frame(&job);
    if (refused != WARPBOUND_OK && error->status == WARPBOUND_OK)
      (void)wb_fail(error, refused, "the launches together: expected a bound on each of them");
    free_job(&job);
    return status;
  }
  if (status == WARPBOUND_OK)
    status = print_results(&job);
  if (status == WARPBOUND_OK && arguments->value[OPTION_TEMPLATE] != NULL &&
      job.tasks[0].launch != NULL) {
    char *text;
    status = warpbound_launch_template(job.tasks[0].launch, &text, error);
    if (status == WARPBOUND_OK)
      status = output_write_text(arguments->value[OPTION_TEMPLATE], text, error);
  }
  if (status == WARPBOUND_OK && job.report_count == 0 && arguments->value[OPTION_REPORT] != NULL &&
      job.tasks[0].launch != NULL) {
    /* The page of a launch that lacks facts says which. */
    const struct wb_launch_report report = report_of(&job, &job.tasks[0]);
    status = analyze_files_write_page(arguments, &report, &job.limits.options, error);
  }
  const struct wb_refused_launches refusals = {job.refused, job.refused_count};
  if (status == WARPBOUND_OK)
    status = analyze_files_write_ci(arguments, job.reports, job.report_count, &refusals, error);
  if (status == WARPBOUND_OK && job.report_count > 0) {
    const struct sweep_axis axis = {sweep_subject_name(job.list.subject), job.swept};
    status = analyze_files_write(arguments, job.reports, job.report_count, &axis,
                                 &job.limits.options, error);
  }
  if (status == WARPBOUND_OK && (refused == WARPBOUND_OK || !is_single(&job)))
    status = judge(&job);
  if (status == WARPBOUND_OK && is_single(&job) && refused == WARPBOUND_FACTS_MISSING &&
      job.tasks[0].launch != NULL && job.tasks[0].launch->analysis.missing_count > 0)
    tell_missing(&job);
  free_job(&job);
  return status != WARPBOUND_OK ? status : refused;
}
