/* `warpbound hybrid`. */
#include "cli/commands/commands.h"

#include "cli/commands/kernel_job.h"
#include "cli/input/wcet_options.h"
#include "cli/options/option_values.h"
#include "cli/output/terminal.h"
#include "report/wcet/hybrid_report.h"

#include <stdlib.h>
#include <string.h>

/* Most cycles of --unmeasured. */
#define MOST_CYCLES 1000000000

/* The command under way. */
struct hybrid_job {
  struct kernel_job frame;
  struct wcet_options options;
  warpbound_hybrid_options hybrid;
  warpbound_times *times;
  warpbound_hybrid **results;       /* owned, as is the array */
  const warpbound_hybrid **bounded; /* those of them with a bound; the array is owned */
  size_t count, bounded_count;
};

/* ---- input ---- */

/* --unmeasured CYCLES|static */
static warpbound_status read_unmeasured(struct hybrid_job *job)
{
  const char *value = job->frame.arguments->value[OPTION_UNMEASURED];
  if (value == NULL)
    return WARPBOUND_OK;
  job->hybrid.unmeasured = WARPBOUND_UNMEASURED_STATIC;
  if (strcmp(value, "static") == 0)
    return WARPBOUND_OK;
  job->hybrid.unmeasured = WARPBOUND_UNMEASURED_CYCLES;
  if (whole_read(value, 0, MOST_CYCLES, &job->hybrid.unmeasured_cycles))
    return WARPBOUND_OK;
  return wb_fail(job->frame.error, WARPBOUND_USAGE,
                 "--unmeasured: expected 'static', or cycles of an instruction from 0 to %d, found "
                 "'%.60s'",
                 MOST_CYCLES, value);
}

static warpbound_status read_input(struct hybrid_job *job)
{
  static const struct wb_choice counts[] = {{"code", false}, {"observed", true}, {NULL, 0}};
  static const struct option_member members[] = {
      {OPTION_COUNTS, VALUE_WORD, OPTION_MEMBER(warpbound_hybrid_options, observed_counts),
       counts}};
  const struct arguments *arguments = job->frame.arguments;
  warpbound_error *error = job->frame.error;
  warpbound_status status = kernel_job_start(&job->frame);
  if (status == WARPBOUND_OK && arguments->value[OPTION_TIMES] == NULL)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "expected --times FILE, with measured times (doc/measured/hybrid.md)");
  if (status == WARPBOUND_OK)
    status = wcet_options_read(arguments, &job->options, error);
  if (status == WARPBOUND_OK)
    status = solver_options_check(arguments, error);
  if (status == WARPBOUND_OK)
    status = read_unmeasured(job);
  job->options.wcet.program_file = arguments->value[OPTION_WRITE];
  job->options.wcet.solver_command = arguments->value[OPTION_SOLVER_COMMAND];
  if (status == WARPBOUND_OK)
    status = option_members_read(arguments, members, 1, &job->hybrid, error);
  return status == WARPBOUND_OK ? kernel_job_read_module(&job->frame) : status;
}

static warpbound_status read_times(struct hybrid_job *job)
{
  struct wb_input source = {0};
  warpbound_status status =
      wb_input_read(job->frame.arguments->value[OPTION_TIMES], &source, job->frame.error);
  if (status == WARPBOUND_OK) {
    const warpbound_input input = {source.name, source.bytes, source.length};
    status = warpbound_times_create(&input, &job->times, job->frame.error);
  }
  wb_input_free(&source);
  job->hybrid.times = job->times;
  return status;
}

/* A kernel_filter: without --kernel, the functions that rows name; of rows that name none, the one
 * of the file. */
static bool has_times(const void *context, size_t function)
{
  const struct hybrid_job *job = context;
  return job->frame.arguments->value[OPTION_KERNEL] != NULL ||
         warpbound_times_rows_of(job->times, job->frame.module, function) > 0;
}

static warpbound_status check_functions(struct hybrid_job *job)
{
  const size_t wanted = kernel_job_count(&job->frame, has_times, job);
  if (wanted == 0)
    return wb_fail_at(job->frame.error, WARPBOUND_FACTS_MISSING,
                      job->frame.arguments->value[OPTION_TIMES], 0, 0,
                      "no row is of a kernel of the file");
  if (wanted > 1 && !warpbound_times_name_kernels(job->times))
    return wb_fail(job->frame.error, WARPBOUND_USAGE,
                   "expected one kernel, found %zu, and rows of times that do not say which: say "
                   "it with --kernel",
                   wanted);
  return kernel_job_check_write(&job->frame, wanted);
}

/* ---- the analysis ---- */

/* A function that cannot be analysed is reported, with the parts of the code that lack times, and
 * the others go on. */
static warpbound_status analyse_function(void *context, const warpbound_kernel *kernel)
{
  struct hybrid_job *job = context;
  warpbound_hybrid *hybrid = NULL;
  warpbound_error error = {0};
  struct wb_text text = {0};
  warpbound_status status =
      warpbound_hybrid_analyse(kernel, &job->hybrid, &job->frame.limits.options, &hybrid, &error);
  if (hybrid != NULL)
    job->results[job->count++] = hybrid;
  if (hybrid != NULL && (status == WARPBOUND_OK || status == WARPBOUND_LIMIT)) {
    struct wb_text doubts = {0};
    job->bounded[job->bounded_count++] = hybrid;
    wb_hybrid_doubts(hybrid, &doubts);
    proof_record(&job->frame.proof, &doubts);
  }
  if (status == WARPBOUND_OK)
    return status;
  status = kernel_job_refuse(&job->frame, kernel, &error);
  if (status == WARPBOUND_OK && hybrid != NULL)
    wb_hybrid_gaps_text(hybrid, &text);
  if (text.length > 0 && !text.failed)
    fputs(text.data, stderr);
  wb_text_free(&text);
  return status;
}

static warpbound_status analyse(struct hybrid_job *job)
{
  const size_t count = warpbound_module_function_count(job->frame.module);
  const warpbound_status status = wcet_options_complete(job->frame.arguments, job->frame.module,
                                                        &job->options, job->frame.error);
  if (status != WARPBOUND_OK)
    return status;
  job->hybrid.wcet = job->options.wcet;
  job->results = calloc(count + 1, sizeof *job->results);
  job->bounded = calloc(count + 1, sizeof *job->bounded);
  return job->results != NULL && job->bounded != NULL
             ? kernel_job_visit(&job->frame, has_times, analyse_function, job)
             : wb_out_of_memory(job->frame.error);
}

/* ---- the outcome ---- */

static warpbound_status print_results(struct hybrid_job *job)
{
  const struct arguments *arguments = job->frame.arguments;
  struct wb_text text = {0};
  if (arguments->value[OPTION_JSON] != NULL)
    wb_hybrid_list_json(job->bounded, job->bounded_count, &text);
  else if (job->count > 0)
    wb_hybrid_text(job->bounded, job->bounded_count, arguments->value[OPTION_QUIET] != NULL,
                   terminal_colour(stdout), &text);
  return terminal_print(&text, job->frame.error);
}

/* A result below what was measured is no estimate of the worst case. */
static warpbound_status warn(struct hybrid_job *job)
{
  struct kernel_job *frame = &job->frame;
  bool below = false;
  for (size_t k = 0; k < job->bounded_count && frame->refused == WARPBOUND_OK; k++) {
    struct wb_text text = {0};
    wb_hybrid_warning(job->bounded[k], &text);
    if (text.length > 0 && !text.failed)
      terminal_note(text.data);
    below |= warpbound_hybrid_high_water(job->bounded[k]).above;
    wb_text_free(&text);
  }
  if (below)
    frame->refused = WARPBOUND_CHECK_FAILED;
  return kernel_job_finish(frame);
}

warpbound_status command_hybrid(struct arguments *arguments, warpbound_error *error)
{
  static warpbound_status (*const steps[])(struct hybrid_job * job) = {
      read_input, read_times, check_functions, analyse, print_results, warn};
  struct hybrid_job job = {.frame = {.arguments = arguments, .error = error}};
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < sizeof steps / sizeof *steps && status == WARPBOUND_OK; s++)
    status = steps[s](&job);
  for (size_t k = 0; k < job.count; k++)
    warpbound_hybrid_free(job.results[k]);
  free(job.results);
  free(job.bounded);
  wcet_options_free(&job.options);
  warpbound_times_free(job.times);
  kernel_job_free(&job.frame);
  return status;
}
