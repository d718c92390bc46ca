/* `warpbound evt`. */
#include "cli/commands/commands.h"

#include "cli/input/evt_options.h"
#include "cli/input/module_input.h"
#include "cli/output/outputs.h"
#include "report/measured/measured_report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Most bytes of a file of times. */
#define MOST_BYTES ((size_t)1 << 30)

/* Most characters of a series' name in a file's. */
#define NAME_LENGTH 60

/* The command under way. */
struct evt_job {
  struct arguments *arguments;
  struct evt_options options;
  struct limits limits;
  warpbound_samples *samples;
  struct bound_input bound;
  warpbound_measured *measured;
  warpbound_error *error;
};

static warpbound_status read_options(struct evt_job *job)
{
  const char *folder = job->arguments->value[OPTION_PLOTS];
  warpbound_status status = evt_options_read(job->arguments, &job->options, job->error);
  if (status == WARPBOUND_OK)
    status = limits_read(job->arguments, &job->limits, job->error);
  if (status != WARPBOUND_OK || folder == NULL)
    return status;
  if (*folder == '\0' || strcmp(folder, "-") == 0)
    return wb_fail(job->error, WARPBOUND_USAGE, "--plots: expected a folder's name, found '%s'",
                   folder);
  return output_folder_check(folder, OPTION_PLOTS, job->error);
}

static warpbound_status read_samples(struct evt_job *job)
{
  struct wb_input source;
  warpbound_status status = source_input_read(job->arguments, "a file of measured times",
                                              MOST_BYTES, &source, job->error);
  if (status != WARPBOUND_OK)
    return status;
  status = warpbound_samples_parse(source.name, source.bytes, source.length, &job->options.samples,
                                   &job->samples, job->error);
  wb_input_free(&source);
  return status;
}

static warpbound_status read_bound(struct evt_job *job)
{
  warpbound_measured_options *options = &job->options.measured;
  const warpbound_status status = bound_input_read(
      job->arguments, warpbound_samples_unit(job->samples), &job->bound, job->error);
  options->has_bound = job->bound.given;
  options->bound = job->bound.value;
  options->bound_source = job->bound.source;
  return status;
}

static warpbound_status analyse(struct evt_job *job)
{
  const warpbound_status status = warpbound_measured_analyse(
      job->samples, &job->options.measured, &job->limits.options, &job->measured, job->error);
  terminal_progress_end(&job->limits.progress);
  return status;
}

/* Letters, digits, '-', '_' and '.' of a name; each run of others is a '-'. */
static void write_name(const char *name, struct wb_text *file)
{
  bool gap = false;
  size_t written = 0;
  for (; *name != '\0' && written < NAME_LENGTH; name++) {
    if (isalnum((unsigned char)*name) || *name == '_' || *name == '.') {
      wb_text_append(file, gap && written > 0 ? "-" : "", gap && written > 0);
      wb_text_append(file, name, 1);
      written += 1 + (size_t)gap;
      gap = false;
    } else {
      gap = true;
    }
  }
}

/* Writes a text to a file of the folder; both are freed. */
static warpbound_status write_file(struct wb_text *name, struct wb_text *text,
                                   warpbound_error *error)
{
  text->failed |= name->failed;
  const warpbound_status status = output_write(name->data, text, error);
  wb_text_free(name);
  return status;
}

/* Writes index.html and, of each series, the plots that it has: PLOT.svg, or NUMBER-SERIES-PLOT.svg
 * where there are several. */
static warpbound_status write_plots(const struct evt_job *job)
{
  const char *folder = job->arguments->value[OPTION_PLOTS];
  const struct wb_measured *measured = &job->measured->result;
  warpbound_status status = WARPBOUND_OK;
  for (size_t at = 0; at < measured->count * WB_MEASURED_PLOTS && status == WARPBOUND_OK; at++) {
    const size_t place = at / WB_MEASURED_PLOTS;
    const enum wb_measured_plot plot = (enum wb_measured_plot)(at % WB_MEASURED_PLOTS);
    const struct wb_measured_series *series = &measured->series[place];
    struct wb_text name = {0};
    struct wb_text text = {0};
    if (!wb_measured_plot_is_there(series, plot))
      continue;
    wb_text_format(&name, "%s/", folder);
    if (measured->count > 1) {
      wb_text_format(&name, "%zu-", place + 1);
      write_name(series->series->name, &name);
      wb_text_string(&name, "-");
    }
    wb_text_format(&name, "%s.svg", wb_measured_plot_name(plot));
    wb_measured_plot_svg(measured, series, plot, false, &text);
    status = write_file(&name, &text, job->error);
  }
  if (status != WARPBOUND_OK)
    return status;
  struct wb_text name = {0};
  struct wb_text text = {0};
  wb_text_format(&name, "%s/index.html", folder);
  wb_measured_page(measured, &text);
  return write_file(&name, &text, job->error);
}

/* Prints and writes what there is. After a limit that are the series that were done before; it
 * stays the error of the command, unless they cannot be written. */
static warpbound_status hand_out(const struct evt_job *job, warpbound_status analysed)
{
  const warpbound_error limit = *job->error;
  struct wb_text text = {0};
  const struct wb_measured *measured = &job->measured->result;
  if (job->arguments->value[OPTION_JSON] != NULL)
    wb_measured_json(measured, &text);
  else
    wb_measured_text(measured, job->arguments->value[OPTION_QUIET] != NULL, terminal_colour(stdout),
                     &text);
  warpbound_status status = terminal_print(&text, job->error);
  if (status == WARPBOUND_OK && job->arguments->value[OPTION_PLOTS] != NULL)
    status = write_plots(job);
  if (status != WARPBOUND_OK)
    return status;
  if (analysed != WARPBOUND_OK)
    return wb_fail_with(job->error, &limit);
  /* With --require-applicable: whether the statistics apply to all series, and give a level. */
  size_t refused = 0, without = 0;
  const size_t count = warpbound_samples_series_count(job->samples);
  if (job->arguments->value[OPTION_REQUIRE_APPLICABLE] == NULL)
    return WARPBOUND_OK;
  for (size_t s = 0; s < count; s++) {
    refused += warpbound_measured_applicability(job->measured, s) == WARPBOUND_NOT_APPLICABLE;
    without += !measured->series[s].recommended.given;
  }
  if (without == 0)
    return WARPBOUND_OK;
  if (refused == 0)
    return count == 1 ? wb_fail(job->error, WARPBOUND_CHECK_FAILED, "no level is usable: %s",
                                warpbound_measured_reason(job->measured, 0))
                      : wb_fail(job->error, WARPBOUND_CHECK_FAILED,
                                "no level is usable of %zu of %zu series", without, count);
  return count == 1 ? wb_fail(job->error, WARPBOUND_CHECK_FAILED,
                              "extreme value statistics do not apply to these times")
                    : wb_fail(job->error, WARPBOUND_CHECK_FAILED,
                              "extreme value statistics do not apply to %zu of %zu series", refused,
                              count);
}

warpbound_status command_evt(struct arguments *arguments, warpbound_error *error)
{
  static warpbound_status (*const steps[])(struct evt_job * job) = {read_options, read_samples,
                                                                    read_bound, analyse};
  terminal_catch_interrupts();
  struct evt_job job = {.arguments = arguments, .error = error};
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < sizeof steps / sizeof *steps && status == WARPBOUND_OK; s++)
    status = steps[s](&job);
  if (status == WARPBOUND_OK || (status == WARPBOUND_LIMIT && job.measured != NULL))
    status = hand_out(&job, status);
  warpbound_measured_free(job.measured);
  warpbound_samples_free(job.samples);
  free(job.bound.source);
  return status;
}
