/* `warpbound hybrid`. */
#include "cli/commands/commands.h"

#include "cli/input/limits.h"
#include "cli/input/module_input.h"
#include "cli/input/simt_options.h"
#include "cli/input/solver_options.h"
#include "cli/input/wcet_options.h"
#include "cli/output/outputs.h"
#include "cli/output/proof.h"
#include "cli/output/terminal.h"
#include "report/hybrid/hybrid_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The command under way. */
struct job {
  const struct arguments *arguments;
  warpbound_options limits; /* with what is left of the command's time */
  double deadline;          /* of limits_deadline */
  struct progress progress;
  struct wcet_options options;
  warpbound_hybrid_options hybrid;
  warpbound_module *module;
  warpbound_times *times;
  warpbound_hybrid **results;       /* owned, as is the array */
  const warpbound_hybrid **bounded; /* those of them with a bound; the array is owned */
  size_t count, bounded_count;
  warpbound_error *error;
};

/* ---- options ---- */

/* --unmeasured CYCLES|static */
static warpbound_status read_unmeasured(struct job *job)
{
  const char *value = job->arguments->value[OPTION_UNMEASURED];
  if (value == NULL)
    return WARPBOUND_OK;
  if (strcmp(value, "static") == 0) {
    job->hybrid.unmeasured = WARPBOUND_UNMEASURED_STATIC;
    return WARPBOUND_OK;
  }
  errno = 0;
  char *end;
  const unsigned long long cycles = strtoull(value, &end, 10);
  if (*value < '0' || *value > '9' || *end != '\0' || errno != 0 || cycles > 1000000000)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--unmeasured: expected 'static', or cycles of an instruction from 0 to "
                   "1000000000, found '%.60s'",
                   value);
  job->hybrid.unmeasured = WARPBOUND_UNMEASURED_CYCLES;
  job->hybrid.unmeasured_cycles = cycles;
  return WARPBOUND_OK;
}

/* --counts code|observed */
static warpbound_status read_counts(struct job *job)
{
  const char *value = job->arguments->value[OPTION_COUNTS];
  job->hybrid.observed_counts = value != NULL && strcmp(value, "observed") == 0;
  if (value == NULL || job->hybrid.observed_counts || strcmp(value, "code") == 0)
    return WARPBOUND_OK;
  return wb_fail(job->error, WARPBOUND_USAGE, "--counts: expected code or observed, found '%.60s'",
                 value);
}

static warpbound_status read_options(struct job *job)
{
  struct solver_options solver = {0};
  warpbound_status status = outputs_check(job->arguments, job->error);
  if (status == WARPBOUND_OK && job->arguments->value[OPTION_TIMES] == NULL)
    status = wb_fail(job->error, WARPBOUND_USAGE,
                     "expected --times FILE, with measured times (doc/measured/hybrid.md)");
  if (status == WARPBOUND_OK)
    status = limits_read(job->arguments, &job->progress, &job->limits, job->error);
  if (status == WARPBOUND_OK)
    status = wcet_options_read(job->arguments, &job->options, job->error);
  if (status == WARPBOUND_OK)
    status = solver_options_read(job->arguments, &solver, job->error);
  if (status == WARPBOUND_OK)
    status = read_unmeasured(job);
  if (status == WARPBOUND_OK)
    status = read_counts(job);
  job->options.wcet.program_file = solver.file;
  job->options.wcet.solver_command = solver.command;
  job->deadline = limits_deadline(&job->limits);
  return status;
}

static warpbound_status read_times(struct job *job)
{
  struct wb_source source = {0};
  warpbound_status status =
      wb_source_read(job->arguments->value[OPTION_TIMES], &source, job->error);
  if (status == WARPBOUND_OK) {
    const warpbound_input input = {source.name, source.bytes, source.length};
    status = warpbound_times_create(&input, &job->times, job->error);
  }
  wb_source_free(&source);
  job->hybrid.times = job->times;
  return status;
}

/* ---- which functions ---- */

/* Whether the function is asked for: those that rows name; of rows that name none, the one that the
 * file or --kernel leaves. */
static bool is_wanted(const struct job *job, size_t function)
{
  return warpbound_times_rows_of(job->times, job->module, function) > 0;
}

static size_t next_function(const struct job *job, size_t first)
{
  const size_t count = warpbound_module_function_count(job->module);
  const char *kernel = job->arguments->value[OPTION_KERNEL];
  size_t f = warpbound_module_find(job->module, kernel, first);
  while (f < count && kernel == NULL && !is_wanted(job, f))
    f = warpbound_module_find(job->module, kernel, f + 1);
  return f;
}

static warpbound_status check_functions(const struct job *job)
{
  const size_t count = warpbound_module_function_count(job->module);
  size_t wanted = 0;
  for (size_t f = next_function(job, 0); f < count; f = next_function(job, f + 1))
    wanted++;
  if (wanted == 0)
    return wb_fail_at(job->error, WARPBOUND_FACTS_MISSING, job->arguments->value[OPTION_TIMES], 0,
                      0, "no row is of a kernel of the file");
  if (wanted > 1 && !warpbound_times_name_kernels(job->times))
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "expected one kernel, found %zu, and rows of times that do not say which: say "
                   "it with --kernel",
                   wanted);
  if (wanted > 1 && job->options.wcet.program_file != NULL)
    return wb_fail(job->error, WARPBOUND_USAGE,
                   "--write: expected one kernel, found %zu: say which with --kernel", wanted);
  return WARPBOUND_OK;
}

/* ---- the analysis ---- */

/* Says what is missing, with the parts of the code. */
static void report_refusal(const warpbound_hybrid *hybrid, const warpbound_error *error)
{
  struct wb_text text = {0};
  terminal_error(error);
  if (hybrid != NULL)
    wb_hybrid_gaps_text(hybrid, &text);
  if (text.length > 0 && !text.failed)
    fputs(text.data, stderr);
  wb_text_free(&text);
}

/* A function that cannot be analysed is reported, and the others go on; the first such status is
 * the command's. */
static warpbound_status analyse_function(struct job *job, size_t function,
                                         warpbound_status *refused)
{
  warpbound_kernel *kernel;
  warpbound_hybrid *hybrid = NULL;
  warpbound_error error = {0};
  warpbound_status status = warpbound_kernel_at(job->module, function, &kernel, job->error);
  if (status != WARPBOUND_OK)
    return status;
  limits_shorten(&job->limits, job->deadline);
  status = warpbound_hybrid_analyse(kernel, &job->hybrid, &job->limits, &hybrid, &error);
  warpbound_kernel_free(kernel);
  terminal_progress_end(&job->progress);
  if (hybrid != NULL)
    job->results[job->count++] = hybrid;
  if (status == WARPBOUND_OK || (status == WARPBOUND_LIMIT && hybrid != NULL))
    job->bounded[job->bounded_count++] = hybrid;
  if (status == WARPBOUND_OK)
    return status;
  if (status == WARPBOUND_USAGE) {
    *job->error = error;
    return status;
  }
  report_refusal(hybrid, &error);
  *refused = *refused == WARPBOUND_OK ? status : *refused;
  return WARPBOUND_OK;
}

static warpbound_status analyse(struct job *job, warpbound_status *refused)
{
  const size_t count = warpbound_module_function_count(job->module);
  job->hybrid.wcet = job->options.wcet;
  job->results = calloc(count + 1, sizeof *job->results);
  job->bounded = calloc(count + 1, sizeof *job->bounded);
  if (job->results == NULL || job->bounded == NULL)
    return wb_out_of_memory(job->error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t f = next_function(job, 0); status == WARPBOUND_OK && f < count;
       f = next_function(job, f + 1))
    status = analyse_function(job, f, refused);
  return status;
}

/* ---- the outcome ---- */

static warpbound_status print_results(const struct job *job)
{
  struct wb_text text = {0};
  if (job->arguments->value[OPTION_JSON] != NULL)
    wb_hybrid_list_json(job->bounded, job->bounded_count, &text);
  else
    wb_hybrid_text(job->bounded, job->bounded_count, job->arguments->value[OPTION_QUIET] != NULL,
                   terminal_colour(stdout), &text);
  return terminal_print(&text, job->error);
}

/* A result below what was measured is no estimate of the worst case. */
static warpbound_status warn(const struct job *job)
{
  bool below = false;
  for (size_t k = 0; k < job->bounded_count; k++) {
    struct wb_text text = {0};
    wb_hybrid_warning(job->bounded[k], &text);
    if (text.length > 0 && !text.failed)
      terminal_note(text.data);
    below |= warpbound_hybrid_high_water(job->bounded[k]).above;
    wb_text_free(&text);
  }
  return below ? WARPBOUND_CHECK_FAILED : WARPBOUND_OK;
}

/* Where a proof is asked for: measured times are none. */
static warpbound_status judge(const struct job *job)
{
  struct proof proof = {0};
  for (size_t k = 0; k < job->bounded_count; k++) {
    struct wb_text doubts = {0};
    wb_hybrid_doubts(job->bounded[k], &doubts);
    proof_note(&proof, &doubts);
  }
  const warpbound_status status = proof_judge(&proof, job->arguments, job->error);
  proof_free(&proof);
  return status;
}

static void free_job(struct job *job)
{
  for (size_t k = 0; k < job->count; k++)
    warpbound_hybrid_free(job->results[k]);
  free(job->results);
  free(job->bounded);
  wcet_options_free(&job->options);
  warpbound_times_free(job->times);
  warpbound_module_free(job->module);
}

warpbound_status command_hybrid(struct arguments *arguments, warpbound_error *error)
{
  terminal_catch_interrupts();
  struct job job = {.arguments = arguments, .error = error};
  warpbound_status refused = WARPBOUND_OK;
  warpbound_status status = read_options(&job);
  if (status == WARPBOUND_OK)
    status = module_input_read(arguments, &job.module, error);
  if (status == WARPBOUND_OK)
    status = simt_options_check(arguments, job.module, error);
  if (status == WARPBOUND_OK)
    status = read_times(&job);
  if (status == WARPBOUND_OK)
    status = check_functions(&job);
  if (status == WARPBOUND_OK)
    status = wcet_options_complete(arguments, job.module, &job.options, error);
  if (status == WARPBOUND_OK)
    status = analyse(&job, &refused);
  if (status == WARPBOUND_OK && (job.count > 0 || arguments->value[OPTION_JSON] != NULL))
    status = print_results(&job);
  if (status == WARPBOUND_OK && refused == WARPBOUND_OK)
    refused = warn(&job);
  if (status == WARPBOUND_OK)
    status = judge(&job);
  free_job(&job);
  return status != WARPBOUND_OK ? status : refused;
}
