/* `warpbound makespan`, `warpbound simulate` and `warpbound ilp`. */
#include "cli/commands/commands.h"
#include "cli/input/device_input.h"
#include "cli/input/input.h"
#include "cli/input/limits.h"
#include "cli/input/wcet_options.h"
#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "cli/output/outputs.h"
#include "cli/output/terminal.h"
#include "model/kernel_string.h"
#include "report/makespan/makespan_report.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The question beside the kernel and the SM. Zero-initialise; not to be copied once read. */
struct makespan_options {
  struct limits limits; /* with the method and what belongs to methods */
  uint32_t first_warps; /* the range of --warps */
  uint32_t last_warps;
  bool is_table;     /* a range was given, be it of one number */
  uint32_t blocks;   /* 1 unless given; divides a number of the range */
  size_t fair_first; /* --fair-blocks */
  size_t fair_length;
  size_t fair_count; /* 0: none was given */
};

/* Most warps on an SM, and most rows of a table over several numbers of warps. */
#define WARP_LIMIT 65536u
#define TABLE_LIMIT 4096
/* Most iterations and runs of annealing: what a person could mean, what the library takes. */
#define ITERATION_LIMIT UINT64_C(1000000000000)
#define RUN_LIMIT 4096
/* Most policies that there may be, and one more for the end of their list. */
#define POLICY_ROOM 16

/* ---- the question ---- */

/* "N" or "A..B". */
static warpbound_status read_warps(const struct arguments *arguments,
                                   struct makespan_options *options, warpbound_error *error)
{
  const char *text = arguments->value[OPTION_WARPS];
  if (text == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected --warps N (or -W N)");
  char *end;
  bool digit = *text >= '0' && *text <= '9';
  uint64_t first = strtoull(text, &end, 10);
  uint64_t last = first;
  options->is_table = digit && strncmp(end, "..", 2) == 0;
  if (options->is_table) {
    digit = end[2] >= '0' && end[2] <= '9';
    last = strtoull(end + 2, &end, 10);
  }
  if (!digit || *end != '\0' || first < 1 || last > WARP_LIMIT || first > last)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--warps: expected 1 to %u, or a range A..B of these, found '%.60s'", WARP_LIMIT,
                   text);
  if (last - first >= TABLE_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--warps: expected a range of at most %d, found %" PRIu64, TABLE_LIMIT,
                   last - first + 1);
  options->first_warps = (uint32_t)first;
  options->last_warps = (uint32_t)last;
  return WARPBOUND_OK;
}

static warpbound_status read_fairness(const struct arguments *arguments,
                                      struct makespan_options *options, warpbound_error *error)
{
  const char *text = arguments->value[OPTION_FAIR_BLOCKS];
  struct wb_fair_blocks fair = {0};
  if (text == NULL)
    return WARPBOUND_OK;
  if (arguments->value[OPTION_CONVERGENCE] != NULL)
    return wb_fail(
        error, WARPBOUND_USAGE,
        "--convergence: expected no --fair-blocks beside it: the tractable bound is about "
        "every work-conserving scheduler");
  warpbound_status status = wb_fair_blocks_parse(text, &fair, error);
  options->fair_first = fair.first;
  options->fair_length = fair.length;
  options->fair_count = fair.count;
  return status;
}

/* ---- methods ---- */

/* Refuses options of one method beside another; file_may: unless the instance file gives them,
 * which may serve several. */
static warpbound_status refuse_options(const struct arguments *arguments,
                                       const enum option *options, size_t count, bool file_may,
                                       const char *method, warpbound_error *error)
{
  for (size_t o = 0; o < count; o++) {
    const bool in_file = arguments->key[options[o]] != NULL;
    if (arguments->value[options[o]] != NULL && !(in_file && file_may))
      return wb_fail(error, WARPBOUND_USAGE, "--%s: expected --method %s beside it",
                     option_rows[options[o]].name, method);
  }
  return WARPBOUND_OK;
}

static warpbound_status read_annealing(const struct arguments *arguments,
                                       warpbound_options *options, warpbound_error *error)
{
  static const enum option own[] = {OPTION_VARIANT, OPTION_INITIAL, OPTION_TEMPERATURE,
                                    OPTION_RUNS,    OPTION_TRACE,   OPTION_PLOT};
  static const struct wb_choice variants[] = {{"windowed", false}, {"published", true}, {NULL, 0}};
  static const struct wb_choice initials[] = {{"round-robin", WARPBOUND_INITIAL_ROUND_ROBIN},
                                              {"fixed-priority", WARPBOUND_INITIAL_FIXED_PRIORITY},
                                              {"most-pending", WARPBOUND_INITIAL_MOST_PENDING},
                                              {"random", WARPBOUND_INITIAL_RANDOM},
                                              {"all", WARPBOUND_INITIAL_ALL},
                                              {NULL, 0}};
  static const struct option_member members[] = {
      {OPTION_VARIANT, VALUE_WORD, OPTION_MEMBER(warpbound_annealing, published), variants},
      {OPTION_INITIAL, VALUE_WORD, OPTION_MEMBER(warpbound_annealing, initial), initials},
      {OPTION_ITERATIONS, VALUE_WHOLE, OPTION_MEMBER(warpbound_annealing, iterations), .least = 1,
       .most = ITERATION_LIMIT},
      {OPTION_RUNS, VALUE_WHOLE, OPTION_MEMBER(warpbound_annealing, runs), .least = 1,
       .most = RUN_LIMIT},
      {OPTION_TEMPERATURE, VALUE_POSITIVE, OPTION_MEMBER(warpbound_annealing, temperature),
       .expected = "a number above 0"},
  };
  const bool typed_method =
      arguments->value[OPTION_METHOD] != NULL && arguments->key[OPTION_METHOD] == NULL;
  if (options->method != WARPBOUND_METHOD_ANNEAL)
    return refuse_options(arguments, own, sizeof own / sizeof *own, typed_method, "anneal", error);
  options->annealing.closed_too =
      arguments->value[OPTION_TRACE] != NULL || arguments->value[OPTION_PLOT] != NULL;
  return option_members_read(arguments, members, sizeof members / sizeof *members,
                             &options->annealing, error);
}

static warpbound_status read_policy(const struct arguments *arguments, warpbound_options *options,
                                    warpbound_error *error)
{
  int policy = 0;
  struct wb_choice names[POLICY_ROOM] = {{NULL, 0}};
  for (size_t i = 0; i < warpbound_policy_count() && i + 1 < POLICY_ROOM; i++)
    names[i] = (struct wb_choice){warpbound_policy_name(i), (int)i};
  const warpbound_status status = word_read(arguments, OPTION_POLICY, names, &policy, error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_POLICY] != NULL)
    options->policy = warpbound_policy_name((size_t)policy);
  return status;
}

/* The options of one command beyond the common ones. */
static warpbound_status read_own(const struct arguments *arguments, unsigned command,
                                 warpbound_options *options, warpbound_error *error)
{
  static const enum option integer[] = {OPTION_FORM, OPTION_SOLVER, OPTION_SOLVER_COMMAND};
  if (command == COMMAND_SIMULATE) {
    options->method = WARPBOUND_METHOD_BOUNDS;
    options->policies_only = true;
    return WARPBOUND_OK;
  }
  if (command == COMMAND_MAKESPAN && options->method != WARPBOUND_METHOD_ILP)
    return refuse_options(arguments, integer, sizeof integer / sizeof *integer, true, "ilp", error);
  options->method = WARPBOUND_METHOD_ILP;
  static const struct wb_choice forms[] = {{"short", WARPBOUND_INTEGER_SHORT},
                                           {"long", WARPBOUND_INTEGER_LONG},
                                           {"long-corrected", WARPBOUND_INTEGER_LONG_CORRECTED},
                                           {NULL, 0}};
  static const enum option solvers[] = {OPTION_SOLVE, OPTION_SOLVER, OPTION_SOLVER_COMMAND};
  static const struct option_member members[] = {
      {OPTION_ALLOW_SHORT_HORIZON, VALUE_GIVEN,
       OPTION_MEMBER(warpbound_integer_program, allow_short)},
      {OPTION_FORM, VALUE_WORD, OPTION_MEMBER(warpbound_integer_program, form), forms},
      {OPTION_HORIZON, VALUE_WHOLE, OPTION_MEMBER(warpbound_integer_program, horizon), .least = 1,
       .most = INT32_MAX},
      {OPTION_WRITE, VALUE_TEXT, OPTION_MEMBER(warpbound_integer_program, program_file)},
      {OPTION_SOLVER_COMMAND, VALUE_TEXT, OPTION_MEMBER(warpbound_integer_program, solver_command)},
  };
  const warpbound_status status = option_members_read(
      arguments, members, sizeof members / sizeof *members, &options->integer_program, error);
  /* To name a solver is to ask for a solution. */
  options->integer_program.build_only =
      !(command == COMMAND_MAKESPAN) &&
      arguments_first_given(arguments, solvers, 3) == OPTION_COUNT;
  return status == WARPBOUND_OK ? solver_options_check(arguments, error) : status;
}

/* ---- all ---- */

/* Reads them; `command` is makespan, simulate or ilp. Borrows texts of the arguments. Errors:
 * WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT (a file has what is wrong). */
static warpbound_status read_makespan_options(const struct arguments *arguments, unsigned command,
                                              struct makespan_options *options,
                                              warpbound_error *error)
{
  static const struct wb_choice methods[] = {
      {"auto", WARPBOUND_METHOD_AUTO},   {"bounds", WARPBOUND_METHOD_BOUNDS},
      {"exact", WARPBOUND_METHOD_EXACT}, {"anneal", WARPBOUND_METHOD_ANNEAL},
      {"ilp", WARPBOUND_METHOD_ILP},     {NULL, 0}};
  /* The seed is checked also where nothing makes a random choice. */
  static const struct option_member members[] = {
      {OPTION_CERTIFICATE, VALUE_GIVEN, OPTION_MEMBER(warpbound_options, certify)},
      {OPTION_CONVERGENCE, VALUE_GIVEN, OPTION_MEMBER(warpbound_options, fewer_warps)},
      {OPTION_METHOD, VALUE_WORD, OPTION_MEMBER(warpbound_options, method), methods},
      {OPTION_SEED, VALUE_WHOLE, OPTION_MEMBER(warpbound_options, annealing.seed),
       .most = UINT64_MAX},
  };
  static const struct option_member blocks = {OPTION_BLOCKS, VALUE_WHOLE,
                                              OPTION_MEMBER(struct makespan_options, blocks),
                                              .least = 1, .most = WARP_LIMIT};
  warpbound_options *analysis = &options->limits.options;
  options->blocks = 1;
  warpbound_status status = read_warps(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = option_members_read(arguments, &blocks, 1, options, error);
  /* A table has the numbers of warps that the blocks can share out. */
  if (status == WARPBOUND_OK &&
      options->last_warps / options->blocks <= (options->first_warps - 1) / options->blocks)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "--blocks: expected a number that divides the %u warps, found %u",
                     options->first_warps, options->blocks);
  if (status == WARPBOUND_OK)
    status = read_fairness(arguments, options, error);
  if (status == WARPBOUND_OK)
    status =
        option_members_read(arguments, members, sizeof members / sizeof *members, analysis, error);
  if (status == WARPBOUND_OK)
    status = read_annealing(arguments, analysis, error);
  if (status == WARPBOUND_OK)
    status = read_policy(arguments, analysis, error);
  if (status == WARPBOUND_OK)
    status = limits_read(arguments, &options->limits, error);
  if (status == WARPBOUND_OK) {
    /* Which outputs go together. */
    static const enum option single[] = {OPTION_SCHEDULE,   OPTION_CERTIFICATE, OPTION_GANTT,
                                         OPTION_DRAW,       OPTION_TRACE,       OPTION_PLOT,
                                         OPTION_CONVERGENCE};
    const enum option given =
        arguments_first_given(arguments, single, sizeof single / sizeof *single);
    if (options->is_table && given != OPTION_COUNT)
      status = wb_fail(error, WARPBOUND_USAGE,
                       "--%s cannot be used with a range of warps (--warps A..B)",
                       option_rows[given].name);
    else if (arguments->value[OPTION_JSON] != NULL && arguments->value[OPTION_DRAW] != NULL)
      status = wb_fail(error, WARPBOUND_USAGE, "--draw is for people: not with --json");
  }
  if (status == WARPBOUND_OK)
    status = read_own(arguments, command, analysis, error);
  if (status == WARPBOUND_OK && options->is_table && analysis->integer_program.program_file != NULL)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "--write cannot be used with a range of warps (--warps A..B)");
  return status;
}

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
    status = read_makespan_options(arguments, command, &job->options, job->error);
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

static warpbound_status report_result(struct makespan_job *job, const warpbound_result *result)
{
  char *json;
  if (!job->json) {
    if (job->quiet)
      wb_makespan_answer(result, job->colour, &job->text);
    else
      wb_makespan_text(result, job->colour, &job->text);
    return WARPBOUND_OK;
  }
  warpbound_status status = warpbound_result_json(result, &json, job->error);
  if (status == WARPBOUND_OK) {
    wb_text_string(&job->text, json);
    warpbound_text_free(json);
  }
  return status;
}

/* One number of warps: WARPBOUND_LIMIT is a result too. */
static warpbound_status answer_one(struct makespan_job *job)
{
  warpbound_result *result;
  warpbound_status status =
      warpbound_makespan(job->instance, &job->options.limits.options, &result, job->error);
  terminal_progress_end(&job->options.limits.progress);
  if (result == NULL)
    return status;
  report_notes(job, result, status);
  warpbound_status reported = report_result(job, result);
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
