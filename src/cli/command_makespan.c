/* `warpbound makespan` and `warpbound simulate`. */
#include "cli/makespan_job.h"

#include "cli/commands.h"

#include "analysis.h"
#include "base/control.h"
#include "base/file.h"
#include "cli/input.h"
#include "cli/limits.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "frontend/json_input.h"
#include "model/instance.h"
#include "report/certificate_report.h"
#include "report/convergence.h"
#include "report/gantt.h"
#include "report/json_output.h"
#include "report/makespan_report.h"
#include "report/makespan_series.h"

#include <stdlib.h>
#include <string.h>

/* Most rows of a table over several W. */
#define TABLE_LIMIT 4096
/* Warps that the terminal's picture shows. */
#define DRAWN_WARPS 32
/* Most iterations of an annealing run: what a person could mean. */
#define ITERATION_LIMIT UINT64_C(1000000000000)

/* A run of the command: what was asked, and where its output goes. */
struct job {
  struct arguments *arguments;
  struct kernel_input input;
  struct wb_sm_configuration sm;
  struct wb_fair_blocks fair;
  struct wb_analysis_options options;
  struct progress progress;
  uint32_t first_warps, last_warps;
  double deadline; /* of wb_clock; 0: none */
  bool is_table;
  bool json;
  bool colour;
  struct wb_series series; /* of a table: its rows */
  struct wb_text text;
  warpbound_error *error;
};

static warpbound_status read_method(struct job *job)
{
  static const char *const names[] = {"auto", "bounds", "exact", "anneal", "ilp"};
  const char *name = job->arguments->value[OPTION_METHOD];
  for (int m = WARPBOUND_METHOD_AUTO; name != NULL && m <= WARPBOUND_METHOD_ILP; m++) {
    if (strcmp(name, names[m]) != 0)
      continue;
    job->options.limits.method = (warpbound_method)m;
    return WARPBOUND_OK;
  }
  if (name != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--method: expected auto, bounds, exact, anneal or ilp, found '%.60s'", name);
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

/* What only annealing knows is refused beside another method, unless a file says it that
 * serves several: there the command line's method wins. */
static warpbound_status refuse_annealing_options(const struct job *job)
{
  static const enum option options[] = {OPTION_VARIANT, OPTION_INITIAL, OPTION_TEMPERATURE,
                                        OPTION_RUNS,    OPTION_TRACE,   OPTION_PLOT};
  const struct arguments *arguments = job->arguments;
  bool other_method =
      arguments->value[OPTION_METHOD] != NULL && arguments->key[OPTION_METHOD] == NULL;
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    enum option option = options[i];
    if (arguments->value[option] != NULL && (arguments->key[option] == NULL || !other_method))
      return wb_fail(job->error, WARPBOUND_USAGE, "--%s: expected --method anneal beside it",
                     option_row(option)->name);
  }
  return WARPBOUND_OK;
}

/* The integer program's, beside another method. A file may have them for `ilp`. */
static warpbound_status refuse_integer_options(const struct arguments *arguments,
                                               warpbound_error *error)
{
  static const enum option options[] = {OPTION_FORM, OPTION_SOLVER, OPTION_SOLVER_COMMAND};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    enum option option = options[i];
    if (arguments->value[option] != NULL && arguments->key[option] == NULL)
      return wb_fail(error, WARPBOUND_USAGE, "--%s: expected --method ilp beside it",
                     option_row(option)->name);
  }
  return WARPBOUND_OK;
}

static warpbound_status read_variant(struct job *job)
{
  const char *name = job->arguments->value[OPTION_VARIANT];
  for (int v = WB_ANNEALING_WINDOWED; name != NULL && v <= WB_ANNEALING_PUBLISHED; v++) {
    if (strcmp(name, wb_annealing_variant_name((enum wb_annealing_variant)v)) != 0)
      continue;
    job->options.annealing.variant = (enum wb_annealing_variant)v;
    return WARPBOUND_OK;
  }
  if (name != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--variant: expected windowed or published, found '%.60s'", name);
  return WARPBOUND_OK;
}

static warpbound_status read_initial(struct job *job)
{
  const char *name = job->arguments->value[OPTION_INITIAL];
  job->options.annealing.initial = WB_ANNEALING_ALL;
  for (int i = WB_ANNEALING_ROUND_ROBIN; name != NULL && i <= WB_ANNEALING_ALL; i++) {
    if (strcmp(name, wb_annealing_initial_name((enum wb_annealing_initial)i)) != 0)
      continue;
    job->options.annealing.initial = (enum wb_annealing_initial)i;
    return WARPBOUND_OK;
  }
  if (name != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--initial: expected round-robin, fixed-priority, most-pending, random or all, "
                   "found '%.60s'",
                   name);
  return WARPBOUND_OK;
}

static warpbound_status read_annealing(struct job *job)
{
  struct wb_annealing_options *annealing = &job->options.annealing;
  if (job->options.limits.method != WARPBOUND_METHOD_ANNEAL)
    return refuse_annealing_options(job);
  uint64_t runs = 0;
  warpbound_status status = read_variant(job);
  if (status == WARPBOUND_OK)
    status = read_initial(job);
  if (status == WARPBOUND_OK)
    status = arguments_number(job->arguments, OPTION_ITERATIONS, 1, ITERATION_LIMIT, 0,
                              &annealing->iterations, job->error);
  if (status == WARPBOUND_OK)
    status = arguments_number(job->arguments, OPTION_RUNS, 1, WB_ANNEALING_RUN_LIMIT, 0, &runs,
                              job->error);
  if (status == WARPBOUND_OK)
    status =
        arguments_positive(job->arguments, OPTION_TEMPERATURE, &annealing->temperature, job->error);
  if (status == WARPBOUND_OK)
    status = arguments_number(job->arguments, OPTION_SEED, 0, UINT64_MAX, 0, &annealing->seed,
                              job->error);
  annealing->runs = (uint32_t)runs;
  job->options.anneal_closed =
      job->arguments->value[OPTION_TRACE] != NULL || job->arguments->value[OPTION_PLOT] != NULL;
  return status;
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

static warpbound_status read_fairness(struct job *job)
{
  const char *text = job->arguments->value[OPTION_FAIR_BLOCKS];
  if (text == NULL)
    return WARPBOUND_OK;
  if (job->arguments->value[OPTION_CONVERGENCE] != NULL)
    return wb_fail(
        job->error, WARPBOUND_USAGE,
        "--convergence: expected no --fair-blocks beside it: the tractable bound is about "
        "every work-conserving scheduler");
  return wb_fair_blocks_parse(text, &job->fair, job->error);
}

/* The seed is checked also where nothing makes a random choice. */
static warpbound_status read_limits(struct job *job)
{
  uint64_t ignored;
  warpbound_options *limits = &job->options.limits;
  warpbound_status status = limits_read(job->arguments, &job->progress, limits, job->error);
  if (status == WARPBOUND_OK)
    status = arguments_number(job->arguments, OPTION_SEED, 0, UINT64_MAX, 0, &ignored, job->error);
  if (limits->time_limit > 0)
    job->deadline = wb_clock() + limits->time_limit;
  return status;
}

/* The options that name a file to write. */
static const enum option output_options[] = {OPTION_SCHEDULE, OPTION_CERTIFICATE, OPTION_GANTT,
                                             OPTION_WRITE,    OPTION_CONVERGENCE, OPTION_TRACE,
                                             OPTION_PLOT};
#define OUTPUT_OPTION_COUNT (sizeof output_options / sizeof *output_options)

static warpbound_status read_outputs(struct job *job)
{
  const struct arguments *arguments = job->arguments;
  job->json = arguments->value[OPTION_JSON] != NULL;
  job->colour = terminal_colour(stdout);
  job->options.certify = arguments->value[OPTION_CERTIFICATE] != NULL;
  bool single = arguments->value[OPTION_SCHEDULE] != NULL ||
                arguments->value[OPTION_CERTIFICATE] != NULL ||
                arguments->value[OPTION_GANTT] != NULL || arguments->value[OPTION_DRAW] != NULL;
  if (single && job->is_table)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--schedule, --certificate, --gantt and --draw need a single --warps N");
  bool converges = arguments->value[OPTION_TRACE] != NULL || arguments->value[OPTION_PLOT] != NULL;
  if (converges && job->is_table)
    return wb_fail(job->error, WARPBOUND_USAGE, "--trace and --plot need a single --warps N");
  if (job->is_table && arguments->value[OPTION_CONVERGENCE] != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE, "--convergence needs a single --warps N");
  if (job->json && arguments->value[OPTION_DRAW] != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE, "--draw is for people: not with --json");
  return outputs_check(arguments, output_options, OUTPUT_OPTION_COUNT, job->error);
}

static warpbound_status read_job(struct job *job, unsigned command, makespan_setup *setup)
{
  warpbound_status status = kernel_input_read(job->arguments, command, &job->input, job->error);
  if (status == WARPBOUND_OK)
    status = read_warps(job);
  if (status == WARPBOUND_OK)
    status = configuration_read(job->arguments, &job->sm, job->error);
  if (status == WARPBOUND_OK)
    status = read_fairness(job);
  if (status == WARPBOUND_OK)
    status = read_method(job);
  if (status == WARPBOUND_OK)
    status = read_annealing(job);
  if (status == WARPBOUND_OK)
    status = read_policy(job);
  if (status == WARPBOUND_OK)
    status = read_limits(job);
  if (status == WARPBOUND_OK)
    status = read_outputs(job);
  if (status == WARPBOUND_OK)
    status = setup(job->arguments, &job->options, job->error);
  if (status == WARPBOUND_OK && job->is_table && job->options.integer.file != NULL)
    status = wb_fail(job->error, WARPBOUND_USAGE, "--write needs a single --warps N");
  return status;
}

static void write_title(const struct warpbound_result *result, struct wb_text *title)
{
  const struct warpbound_instance *instance = result->instance;
  wb_text_format(title, "Schedule of %llu cycles by %s",
                 (unsigned long long)result->witness.makespan, result->witness_method);
  if (result->exact && result->witness.makespan == result->upper.cycles)
    wb_text_string(title, ": the worst case");
  else if (result->exact)
    wb_text_format(title, ": the worst case has %llu", (unsigned long long)result->upper.cycles);
  else
    wb_text_format(title, ": the worst case has %llu to %llu",
                   (unsigned long long)result->lower.cycles,
                   (unsigned long long)result->upper.cycles);
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
    status = text.length <= WB_JSON_LIMIT
                 ? output_write(job->arguments, OPTION_SCHEDULE, &text, job->error)
                 : schedule_too_large(job, &text);
  }
  struct wb_text title = {0};
  write_title(result, &title);
  if (title.failed)
    status = wb_out_of_memory(job->error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_GANTT] != NULL) {
    wb_gantt_svg(problem, &result->witness, title.data, &text);
    status = output_write(job->arguments, OPTION_GANTT, &text, job->error);
  }
  if (status == WARPBOUND_OK && arguments->value[OPTION_DRAW] != NULL) {
    wb_text_format(&job->text, "\n%s\n", title.data);
    wb_gantt_terminal(problem, &result->witness, terminal_columns(), DRAWN_WARPS, job->colour,
                      &job->text);
  }
  wb_text_free(&title);
  return status;
}

static void draw_tractable(const struct warpbound_result *result, struct wb_text *text)
{
  struct wb_text title = {0};
  wb_text_string(&title, "Tractable bound of ECRTS 2012: ");
  wb_kernel_string_write(&result->instance->kernel, &title);
  wb_text_format(&title, ", W = %u", result->instance->problem.warps);
  if (title.failed)
    text->failed = true;
  else
    wb_tractable_svg(result, title.data, text);
  wb_text_free(&title);
}

/* The tractable bound over y: a picture where the name's ending asks for one. */
static warpbound_status write_tractable(struct job *job, const struct warpbound_result *result)
{
  const char *name = job->arguments->value[OPTION_CONVERGENCE];
  if (name == NULL)
    return WARPBOUND_OK;
  struct wb_text text = {0};
  const char *ending = strrchr(name, '.');
  if (ending != NULL && strcmp(ending, ".svg") == 0)
    draw_tractable(result, &text);
  else
    wb_tractable_csv(result, &text);
  return output_write(job->arguments, OPTION_CONVERGENCE, &text, job->error);
}

/* The certificate that was asked for: of the least bound that one can be written of, and of
 * equals the potential, which is checked in no time. */
static warpbound_status write_certificate(struct job *job, const struct warpbound_result *result)
{
  if (job->arguments->value[OPTION_CERTIFICATE] == NULL)
    return WARPBOUND_OK;
  const struct wb_potential_proof *potential = &result->potential;
  bool has_potential = potential->cycles > 0;
  if (!has_potential && result->cut == NULL)
    return wb_fail(job->error, WARPBOUND_LIMIT,
                   "there is no certificate to write: the upper end is by '%s', which has none",
                   result->upper.name);
  bool use_cut = !has_potential || (result->cut != NULL && result->cut_cycles < potential->cycles);
  uint64_t cycles = use_cut ? result->cut_cycles : potential->cycles;
  struct wb_text text = {0};
  if (use_cut)
    wb_run_certificate_json(&result->instance->problem, result->cut, result->cut_count, cycles,
                            &text);
  else
    wb_potential_json(potential, &text);
  if (cycles > result->upper.cycles) {
    struct wb_text note = {0};
    wb_text_format(
        &note, "the certificate proves %llu cycles only: for the upper end by '%s' there is none",
        (unsigned long long)cycles, result->upper.name);
    if (!note.failed)
      terminal_note(note.data);
    wb_text_free(&note);
  }
  return output_write(job->arguments, OPTION_CERTIFICATE, &text, job->error);
}

/* The files on how the annealing went. An annealing that was left out has no run to
 * show; the notes say why. */
static warpbound_status write_convergence(struct job *job, const struct warpbound_result *result)
{
  warpbound_status status = WARPBOUND_OK;
  struct wb_text text = {0};
  if (job->arguments->value[OPTION_TRACE] != NULL) {
    wb_convergence_csv(&result->annealing, &text);
    status = output_write(job->arguments, OPTION_TRACE, &text, job->error);
  }
  if (status == WARPBOUND_OK && job->arguments->value[OPTION_PLOT] != NULL) {
    struct wb_text title = {0};
    wb_text_format(&title, "Annealing (%s) of %u warps: %llu cycles",
                   wb_annealing_variant_name(result->annealing.variant), result->instance->warps,
                   (unsigned long long)result->lower.cycles);
    if (title.failed)
      return wb_out_of_memory(job->error);
    wb_convergence_svg(&result->annealing, title.data, &text);
    status = output_write(job->arguments, OPTION_PLOT, &text, job->error);
    wb_text_free(&title);
  }
  return status;
}

static void report_notes(const struct warpbound_result *result)
{
  for (size_t i = 0; i < result->notes.count; i++)
    terminal_note(result->notes.items[i]);
}

/* One result by itself. */
static warpbound_status report_single(struct job *job, const struct warpbound_result *result)
{
  if (!job->json) {
    wb_makespan_text(result, job->colour, &job->text);
    return WARPBOUND_OK;
  }
  char *json = wb_json_text(wb_makespan_json(result));
  if (json == NULL)
    return wb_out_of_memory(job->error);
  wb_text_string(&job->text, json);
  free(json);
  return WARPBOUND_OK;
}

/* Adds one result to the output; the notes of JSON output go to standard error too. */
static warpbound_status report(struct job *job, const struct warpbound_result *result)
{
  if (job->is_table)
    return wb_series_add(&job->series, result, job->error);
  warpbound_status status = report_single(job, result);
  if (status == WARPBOUND_OK)
    status = write_convergence(job, result);
  if (status == WARPBOUND_OK)
    status = write_tractable(job, result);
  if (status == WARPBOUND_OK)
    status = write_schedule(job, result);
  return status == WARPBOUND_OK ? write_certificate(job, result) : status;
}

/* The time limit is the whole command's. The first row, which has the most warps and whose
 * tables serve all others, gets four fifths of it; each further one twice its part of what is
 * left. */
static void share_time(struct job *job, uint64_t rows_left)
{
  if (job->deadline == 0)
    return;
  double left = job->deadline - wb_clock();
  bool first = job->series.count == 0;
  if (rows_left > 1)
    left *= first ? 0.8 : 2.0 / (double)(rows_left + 1);
  job->options.limits.time_limit = left > 1e-9 ? left : 1e-9;
}

/* One number of warps: WARPBOUND_LIMIT is a result too. */
static warpbound_status analyse(struct job *job, uint32_t warps)
{
  struct warpbound_instance instance;
  warpbound_status status = wb_instance_make(&job->input.string, &job->sm, warps,
                                             &job->input.assumptions, &instance, job->error);
  if (status == WARPBOUND_OK && job->fair.count > 0)
    status = wb_instance_make_fair(&instance, &job->fair, job->error);
  if (status != WARPBOUND_OK) {
    wb_instance_clear(&instance);
    return status;
  }
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

/* Every number of warps, the largest first: its tables tell of the others too. */
static warpbound_status run_rows(struct job *job)
{
  warpbound_status worst = WARPBOUND_OK;
  for (uint64_t w = job->last_warps; w >= job->first_warps; w--) {
    share_time(job, w - job->first_warps + 1);
    warpbound_status status = analyse(job, (uint32_t)w);
    if (status != WARPBOUND_OK)
      worst = status;
    if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
      break;
  }
  return worst;
}

static warpbound_status run_table(struct job *job)
{
  struct wb_known known;
  warpbound_status status = wb_known_start(&known, job->last_warps, job->error);
  if (status != WARPBOUND_OK)
    return status;
  job->options.known = &known;
  uint32_t partitions = job->sm.partitions;
  job->options.fewest = (job->first_warps + partitions - 1) / partitions;
  job->series.json = job->json;
  job->series.colour = job->colour;
  status = run_rows(job);
  job->options.known = NULL;
  wb_known_free(&known);
  wb_series_write(&job->series, &job->text);
  return status;
}

/* What there is to print is printed even if a file could not be written: the answer may
 * have taken long. */
static warpbound_status run(struct job *job)
{
  warpbound_status worst = job->is_table ? run_table(job) : analyse(job, job->first_warps);
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
  wb_series_free(&job.series);
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

/* The method `ilp` is asked for a solution. */
static warpbound_status set_up_integer_program(const struct arguments *arguments,
                                               struct wb_analysis_options *options,
                                               warpbound_error *error)
{
  if (options->limits.method != WARPBOUND_METHOD_ILP)
    return refuse_integer_options(arguments, error);
  warpbound_status status = integer_options_read(arguments, options, error);
  options->integer.solve = true;
  return status;
}

warpbound_status command_makespan(struct arguments *arguments, warpbound_error *error)
{
  return makespan_job_run(arguments, COMMAND_MAKESPAN, set_up_integer_program, error);
}

warpbound_status command_simulate(struct arguments *arguments, warpbound_error *error)
{
  return makespan_job_run(arguments, COMMAND_SIMULATE, simulate_only, error);
}
