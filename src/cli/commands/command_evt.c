/* `warpbound evt`. */
#include "cli/commands/commands.h"

#include "cli/input/limits.h"
#include "cli/input/measured/bound_input.h"
#include "cli/input/measured/evt_options.h"
#include "cli/input/source_input.h"
#include "cli/output/plot_files.h"
#include "cli/output/terminal.h"
#include "report/measured/measured_report.h"

#include <stdlib.h>

/* Most bytes of a file of times. */
#define MOST_BYTES ((size_t)1 << 30)

/* The command under way. */
struct job {
  struct arguments *arguments;
  struct evt_options options;
  warpbound_options limits;
  struct progress progress;
  warpbound_samples *samples;
  struct bound_input bound;
  warpbound_measured *measured;
  warpbound_error *error;
};

static warpbound_status read_options(struct job *job)
{
  const char *folder = job->arguments->value[OPTION_PLOTS];
  warpbound_status status = evt_options_read(job->arguments, &job->options, job->error);
  if (status == WARPBOUND_OK)
    status = limits_read(job->arguments, &job->progress, &job->limits, job->error);
  if (status == WARPBOUND_OK && folder != NULL)
    status = plot_files_check(folder, job->error);
  return status;
}

static warpbound_status read_samples(struct job *job)
{
  struct wb_source source;
  warpbound_status status = source_input_read_most(job->arguments, "a file of measured times",
                                                   MOST_BYTES, &source, job->error);
  if (status != WARPBOUND_OK)
    return status;
  status = warpbound_samples_parse(source.name, source.bytes, source.length, &job->options.samples,
                                   &job->samples, job->error);
  wb_source_free(&source);
  return status;
}

static warpbound_status read_bound(struct job *job)
{
  warpbound_measured_options *options = &job->options.measured;
  const warpbound_status status = bound_input_read(
      job->arguments, warpbound_samples_unit(job->samples), &job->bound, job->error);
  options->has_bound = job->bound.given;
  options->bound = job->bound.value;
  options->bound_source = job->bound.source;
  return status;
}

static warpbound_status analyse(struct job *job)
{
  const warpbound_status status = warpbound_measured_analyse(
      job->samples, &job->options.measured, &job->limits, &job->measured, job->error);
  terminal_progress_end(&job->progress);
  return status;
}

static warpbound_status print_result(const struct job *job)
{
  struct wb_text text = {0};
  const struct wb_measured *measured = &job->measured->result;
  if (job->arguments->value[OPTION_JSON] != NULL)
    wb_measured_json(measured, &text);
  else
    wb_measured_text(measured, job->arguments->value[OPTION_QUIET] != NULL, terminal_colour(stdout),
                     &text);
  return terminal_print(&text, job->error);
}

static warpbound_status write_plots(const struct job *job)
{
  const char *folder = job->arguments->value[OPTION_PLOTS];
  return folder != NULL ? plot_files_write(folder, &job->measured->result, job->error)
                        : WARPBOUND_OK;
}

/* With --require-applicable: whether the statistics apply to all series. */
static warpbound_status judge(const struct job *job)
{
  size_t refused = 0;
  const size_t count = warpbound_samples_series_count(job->samples);
  if (job->arguments->value[OPTION_REQUIRE_APPLICABLE] == NULL)
    return WARPBOUND_OK;
  for (size_t s = 0; s < count; s++)
    refused += warpbound_measured_applicability(job->measured, s) == WARPBOUND_NOT_APPLICABLE;
  if (refused == 0)
    return WARPBOUND_OK;
  return count == 1 ? wb_fail(job->error, WARPBOUND_CHECK_FAILED,
                              "extreme value statistics do not apply to these times")
                    : wb_fail(job->error, WARPBOUND_CHECK_FAILED,
                              "extreme value statistics do not apply to %zu of %zu series", refused,
                              count);
}

static warpbound_status hand_out(const struct job *job)
{
  warpbound_status status = print_result(job);
  if (status == WARPBOUND_OK)
    status = write_plots(job);
  return status == WARPBOUND_OK ? judge(job) : status;
}

/* The series that were done before a limit; it stays the error of the command, unless they cannot
 * be written. */
static warpbound_status hand_out_part(const struct job *job)
{
  warpbound_error limit = *job->error;
  warpbound_status status = print_result(job);
  if (status == WARPBOUND_OK)
    status = write_plots(job);
  return status == WARPBOUND_OK ? wb_fail_with(job->error, &limit) : status;
}

static void free_job(struct job *job)
{
  warpbound_measured_free(job->measured);
  warpbound_samples_free(job->samples);
  free(job->bound.source);
}

warpbound_status command_evt(struct arguments *arguments, warpbound_error *error)
{
  static warpbound_status (*const steps[])(struct job * job) = {read_options, read_samples,
                                                                read_bound, analyse};
  terminal_catch_interrupts();
  struct job job = {.arguments = arguments, .error = error};
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < sizeof steps / sizeof *steps && status == WARPBOUND_OK; s++)
    status = steps[s](&job);
  if (status == WARPBOUND_OK)
    status = hand_out(&job);
  else if (status == WARPBOUND_LIMIT && job.measured != NULL)
    status = hand_out_part(&job);
  free_job(&job);
  return status;
}
