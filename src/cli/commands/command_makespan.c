/* `warpbound makespan` and `warpbound simulate`. */
#include "cli/commands/makespan_job.h"

#include "cli/commands/commands.h"

#include "analysis/makespan/makespan_analysis.h"
#include "analysis/paths/paths.h"
#include "base/control.h"
#include "base/file.h"
#include "cli/input/input.h"
#include "cli/options/limits.h"
#include "cli/options/words.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "formats/json/json_input.h"
#include "formats/json/json_output.h"
#include "formats/paths/paths_file.h"
#include "formats/schedule/schedule_file.h"
#include "model/instance.h"
#include "report/gantt/gantt.h"
#include "report/makespan/certificate_report.h"
#include "report/makespan/convergence.h"
#include "report/makespan/makespan_report.h"
#include "report/makespan/makespan_series.h"

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
  uint32_t blocks;
  double deadline; /* of wb_clock; 0: none */
  bool is_table;
  bool json;
  bool quiet;
  bool colour;
  struct wb_series series; /* of a table: its rows */
  struct wb_list notes;    /* that were printed on standard error */
  struct wb_text text;
  warpbound_error *error;
};

static warpbound_status read_method(struct job *job)
{
  static const struct wb_choice methods[] = {
      {"auto", WARPBOUND_METHOD_AUTO},   {"bounds", WARPBOUND_METHOD_BOUNDS},
      {"exact", WARPBOUND_METHOD_EXACT}, {"anneal", WARPBOUND_METHOD_ANNEAL},
      {"ilp", WARPBOUND_METHOD_ILP},     {NULL, 0}};
  int method;
  warpbound_status status = word_read(job->arguments, OPTION_METHOD, methods, &method, job->error);
  job->options.limits.method = (warpbound_method)method;
  return status;
}

/* Most policies that there may be, and one more for the end of their list. */
#define POLICY_ROOM 16

static warpbound_status read_policy(struct job *job)
{
  size_t count;
  int place;
  const struct wb_policy *rows = wb_policy_rows(&count);
  struct wb_choice names[POLICY_ROOM] = {{NULL, 0}};
  for (size_t i = 0; i < count && i + 1 < POLICY_ROOM; i++)
    names[i] = (struct wb_choice){rows[i].name, (int)i};
  warpbound_status status = word_read(job->arguments, OPTION_POLICY, names, &place, job->error);
  if (status == WARPBOUND_OK && job->arguments->value[OPTION_POLICY] != NULL)
    job->options.policy = &rows[place];
  return status;
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
  const struct wb_choice names[] = {
      {wb_annealing_variant_name(WB_ANNEALING_WINDOWED), WB_ANNEALING_WINDOWED},
      {wb_annealing_variant_name(WB_ANNEALING_PUBLISHED), WB_ANNEALING_PUBLISHED},
      {NULL, 0}};
  int variant;
  warpbound_status status = word_read(job->arguments, OPTION_VARIANT, names, &variant, job->error);
  job->options.annealing.variant = (enum wb_annealing_variant)variant;
  return status;
}

static warpbound_status read_initial(struct job *job)
{
  struct wb_choice names[WB_ANNEALING_ALL + 2] = {{NULL, 0}};
  int initial;
  for (int i = WB_ANNEALING_ROUND_ROBIN; i <= WB_ANNEALING_ALL; i++)
    names[i] = (struct wb_choice){wb_annealing_initial_name((enum wb_annealing_initial)i), i};
  warpbound_status status = word_read(job->arguments, OPTION_INITIAL, names, &initial, job->error);
  job->options.annealing.initial = job->arguments->value[OPTION_INITIAL] != NULL
                                       ? (enum wb_annealing_initial)initial
                                       : WB_ANNEALING_ALL;
  return status;
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

/* A table has the numbers of warps that the blocks can share out. */
static warpbound_status read_blocks(struct job *job)
{
  uint64_t blocks = 1;
  warpbound_status status =
      arguments_number(job->arguments, OPTION_BLOCKS, 1, WB_WARP_LIMIT, 1, &blocks, job->error);
  if (status != WARPBOUND_OK)
    return status;
  job->blocks = (uint32_t)blocks;
  if (job->last_warps / blocks > (job->first_warps - 1) / blocks)
    return WARPBOUND_OK;
  return wb_fail(job->error, WARPBOUND_USAGE,
                 "--blocks: expected a number that divides the %u warps, found %llu",
                 job->first_warps, (unsigned long long)blocks);
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

static warpbound_status read_outputs(struct job *job)
{
  const struct arguments *arguments = job->arguments;
  job->json = arguments->value[OPTION_JSON] != NULL;
  job->quiet = !job->json && arguments->value[OPTION_QUIET] != NULL;
  job->colour = terminal_colour(stdout);
  job->options.certify = arguments->value[OPTION_CERTIFICATE] != NULL;
  job->options.fewer_warps = arguments->value[OPTION_CONVERGENCE] != NULL;
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
  return outputs_check(arguments, job->error);
}

static warpbound_status read_job(struct job *job, unsigned command, makespan_setup *setup)
{
  /* Those of the command line before a listing is analysed; with those of a file further down. */
  warpbound_status status = outputs_check(job->arguments, job->error);
  if (status == WARPBOUND_OK)
    status = kernel_input_read(job->arguments, command, &job->input, job->error);
  if (status == WARPBOUND_OK)
    status = read_warps(job);
  if (status == WARPBOUND_OK)
    status = read_blocks(job);
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
  if (status == WARPBOUND_OK)
    status = kernel_input_check_device(job->arguments, &job->input, job->error);
  return status;
}

static void write_title(const struct warpbound_result *result, struct wb_text *title)
{
  const struct warpbound_instance *instance = result->instance;
  wb_text_format(title, "Schedule of %llu cycles by %s",
                 (unsigned long long)wb_result_witness(result), result->witness_method);
  if (result->exact && wb_result_witness(result) == result->upper.cycles)
    wb_text_string(title, ": the worst case");
  else if (result->exact)
    wb_text_format(title, ": the worst case has %llu", (unsigned long long)result->upper.cycles);
  else
    wb_text_format(title, ": the worst case has %llu to %llu",
                   (unsigned long long)result->lower.cycles,
                   (unsigned long long)result->upper.cycles);
  if (instance->sm.partitions > 1 && result->whole_witness.issue_cycle == NULL)
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
  const struct wb_sm_problem *whole = &result->instance->whole;
  bool wanted = arguments->value[OPTION_SCHEDULE] != NULL ||
                arguments->value[OPTION_GANTT] != NULL || arguments->value[OPTION_DRAW] != NULL;
  if (!wanted)
    return WARPBOUND_OK;
  if (wb_result_witness(result) == 0)
    return wb_fail(job->error, WARPBOUND_LIMIT,
                   "there is no schedule to write or draw: its making was beyond the limits");
  warpbound_status status = WARPBOUND_OK;
  struct wb_text text = {0};
  if (arguments->value[OPTION_SCHEDULE] != NULL) {
    if (result->whole_witness.issue_cycle != NULL)
      wb_sm_schedule_file_write(whole, &result->whole_witness, &text);
    else
      wb_schedule_file_write(problem, &result->witness, &text);
    status = text.length <= WB_JSON_LIMIT
                 ? output_write(job->arguments, OPTION_SCHEDULE, &text, job->error)
                 : schedule_too_large(job, &text);
  }
  struct wb_text title = {0};
  write_title(result, &title);
  if (title.failed)
    status = wb_out_of_memory(job->error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_GANTT] != NULL) {
    if (result->whole_witness.issue_cycle != NULL)
      wb_gantt_sm_svg(whole, &result->whole_witness, title.data, &text);
    else
      wb_gantt_svg(problem, &result->witness, title.data, &text);
    status = output_write(job->arguments, OPTION_GANTT, &text, job->error);
  }
  if (status == WARPBOUND_OK && arguments->value[OPTION_DRAW] != NULL) {
    wb_text_format(&job->text, "\n%s\n", title.data);
    if (result->whole_witness.issue_cycle != NULL)
      wb_gantt_sm_terminal(whole, &result->whole_witness, terminal_columns(), DRAWN_WARPS,
                           job->colour, &job->text);
    else
      wb_gantt_terminal(problem, &result->witness, terminal_columns(), DRAWN_WARPS, job->colour,
                        &job->text);
  }
  wb_text_free(&title);
  return status;
}

static void draw_tractable(const struct warpbound_result *result, struct wb_text *text)
{
  struct wb_text title = {0};
  wb_text_string(&title, "Tractable bound of ECRTS 2012, not safe: ");
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

/* Where the certificate proves less than the analysis did. */
static void note_weaker_certificate(const struct warpbound_result *result, uint64_t cycles)
{
  struct wb_text note = {0};
  if (cycles <= result->upper.cycles)
    return;
  wb_text_format(&note,
                 "the certificate proves %llu cycles only: for the upper end by '%s' there is none",
                 (unsigned long long)cycles, result->upper.name);
  if (!note.failed)
    terminal_note(note.data);
  wb_text_free(&note);
}

/* The certificate of a bound over all paths. */
static warpbound_status write_paths_certificate(struct job *job,
                                                const struct warpbound_result *result)
{
  struct wb_text text = {0};
  wb_paths_file_write(&result->certificate->claim, &text);
  note_weaker_certificate(result, result->certificate->claim.cycles);
  return output_write(job->arguments, OPTION_CERTIFICATE, &text, job->error);
}

/* The certificate that was asked for: of the least bound that one can be written of, and of
 * equals the potential, which is checked in no time. */

static warpbound_status write_phases_certificate(struct job *job,
                                                 const struct warpbound_result *result)
{
  struct wb_text text = {0};
  const uint64_t cycles = wb_phases_certificate_json(result, &text);
  if (cycles == 0)
    return wb_fail(job->error, WARPBOUND_LIMIT,
                   "there is no certificate to write: a phase between barriers has none");
  note_weaker_certificate(result, cycles);
  return output_write(job->arguments, OPTION_CERTIFICATE, &text, job->error);
}

static warpbound_status write_certificate(struct job *job, const struct warpbound_result *result)
{
  if (job->arguments->value[OPTION_CERTIFICATE] == NULL)
    return WARPBOUND_OK;
  if (result->phase_count > 0)
    return write_phases_certificate(job, result);
  if (result->certificate != NULL)
    return write_paths_certificate(job, result);
  struct wb_text text = {0};
  const uint64_t cycles = wb_certificate_json(result, &text);
  if (cycles == 0)
    return wb_fail(job->error, WARPBOUND_LIMIT,
                   "there is no certificate to write: the upper end is by '%s', which has none",
                   result->upper.name);
  note_weaker_certificate(result, cycles);
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
    wb_text_format(&title, "Annealing (%s) of %u warps: %llu to %llu cycles",
                   wb_annealing_variant_name(result->annealing.variant), result->instance->warps,
                   (unsigned long long)result->lower.cycles,
                   (unsigned long long)result->upper.cycles);
    if (title.failed)
      return wb_out_of_memory(job->error);
    wb_convergence_svg(&result->annealing, &result->upper, title.data, &text);
    status = output_write(job->arguments, OPTION_PLOT, &text, job->error);
    wb_text_free(&title);
  }
  return status;
}

/* On standard error go all notes of JSON output, else those that say why a limit was reached; each
 * once, and none that the reader has on the same terminal already. */
static void report_notes(struct job *job, const struct warpbound_result *result,
                         warpbound_status status)
{
  bool shown = !job->json && !job->quiet && !job->is_table && terminal_shows_output();
  if (shown || (status != WARPBOUND_LIMIT && !job->json))
    return;
  for (size_t i = 0; i < result->notes.count; i++) {
    size_t known = job->notes.count;
    wb_list_add(&job->notes, "%s", result->notes.items[i]);
    if (job->notes.count > known || job->notes.failed)
      terminal_note(result->notes.items[i]);
  }
}

/* One result by itself. */
static warpbound_status report_single(struct job *job, const struct warpbound_result *result)
{
  if (!job->json) {
    if (job->quiet)
      wb_makespan_answer(result, job->colour, &job->text);
    else
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

/* The paths of machine code, within the command's time. */
static warpbound_status find_paths(struct job *job)
{
  const struct wb_control control = wb_control_start(&job->options.limits);
  warpbound_status status = kernel_input_analyse(job->arguments, &job->input, &control, job->error);
  terminal_progress_end(&job->progress);
  share_time(job, 1);
  return status;
}

/* The analysis of a string, or of all paths of machine code. */
static warpbound_status ask(struct job *job, uint32_t warps, struct warpbound_instance *instance,
                            struct warpbound_result *result)
{
  const struct wb_fair_blocks *fair = job->fair.count > 0 ? &job->fair : NULL;
  if (job->input.from_machine) {
    const struct wb_paths_question question = {.sm = &job->sm,
                                               .warps = warps,
                                               .blocks = job->blocks,
                                               .fair = fair,
                                               .options = &job->options};
    return wb_paths_makespan(&job->input.paths, &question, instance, result, job->error);
  }
  warpbound_status status = wb_instance_make(&job->input.string, &job->sm, warps, job->blocks,
                                             &job->input.assumptions, instance, job->error);
  if (status != WARPBOUND_OK)
    return status;
  instance->estimate = job->input.estimate;
  if (fair != NULL)
    status = wb_instance_make_fair(instance, fair, job->error);
  if (status == WARPBOUND_OK)
    status = wb_analyse_makespan(instance, &job->options, result, job->error);
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
    wb_instance_clear(instance);
  return status;
}

/* One number of warps: WARPBOUND_LIMIT is a result too. */
static warpbound_status analyse(struct job *job, uint32_t warps)
{
  struct warpbound_instance instance = {0};
  struct warpbound_result result = {0};
  warpbound_status status = ask(job, warps, &instance, &result);
  terminal_progress_end(&job->progress);
  if (result.instance == NULL)
    return status; /* there is none */
  report_notes(job, &result, status);
  warpbound_status reported = report(job, &result);
  if (reported != WARPBOUND_OK)
    status = reported;
  wb_result_clear(&result);
  wb_instance_clear(&instance);
  return status;
}

/* Every number of warps, the largest first: its tables tell of the others too. */
static warpbound_status run_rows(struct job *job)
{
  warpbound_status worst = WARPBOUND_OK;
  const uint32_t most = job->last_warps - job->last_warps % job->blocks;
  for (uint64_t w = most; w >= job->first_warps && w > 0; w -= job->blocks) {
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
  job->series.quiet = job->quiet;
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
    status = find_paths(&job);
  if (status == WARPBOUND_OK)
    status = run(&job);
  wb_text_free(&job.text);
  wb_series_free(&job.series);
  wb_list_free(&job.notes);
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
