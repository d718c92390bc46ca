/* `warpbound evt`. */
#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/input/device_input.h"
#include "cli/input/limits.h"
#include "cli/input/module_input.h"
#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "cli/output/outputs.h"
#include "cli/output/terminal.h"
#include "formats/json/json_input.h"
#include "formats/samples/sample_value.h"
#include "report/measured/measured_report.h"
#include "warpbound.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Borrows the arguments' texts and its own probabilities: not to be copied. */
struct evt_options {
  warpbound_samples_options samples;
  warpbound_measured_options measured; /* but the bound, which depends on the samples' unit */
  double probabilities[WARPBOUND_MEASURED_LEVELS];
};

/* Most values of a block, or between clusters. */
#define MOST_VALUES 100000000
#define MOST_REPLICATES 100000
#define LEAST_PROBABILITY 1e-300

/* ---- probabilities ---- */

static warpbound_status read_list(const char *text, struct evt_options *options,
                                  warpbound_error *error)
{
  const char *at = text;
  for (;;) {
    double probability = 0;
    const size_t length = strcspn(at, ",");
    if (length == 0 || wb_number_read(at, length, &probability) != length ||
        probability < LEAST_PROBABILITY || probability > 0.5)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--probability: expected numbers from 1e-300 to 0.5 as 1e-6,1e-9, found "
                     "'%.60s'",
                     text);
    if (options->measured.probability_count >= WARPBOUND_MEASURED_LEVELS)
      return wb_fail(error, WARPBOUND_USAGE, "--probability: expected at most %d of them",
                     WARPBOUND_MEASURED_LEVELS);
    options->probabilities[options->measured.probability_count++] = probability;
    at += length;
    if (*at++ == '\0')
      return WARPBOUND_OK;
  }
}

/* ---- the method ---- */

/* Options of a method that is not asked for would have no effect. */
static warpbound_status check_options(const struct arguments *arguments,
                                      const struct evt_options *options, warpbound_error *error)
{
  static const enum option of_peaks[] = {OPTION_THRESHOLD, OPTION_THRESHOLD_RULE, OPTION_RUN_LENGTH,
                                         OPTION_NO_DECLUSTER};
  const warpbound_tail_method method = options->measured.method;
  const enum option peaks =
      arguments_first_given(arguments, of_peaks, sizeof of_peaks / sizeof *of_peaks);
  if (method == WARPBOUND_TAIL_PEAKS && arguments->value[OPTION_BLOCK_SIZE] != NULL)
    return wb_fail(error, WARPBOUND_USAGE, "--block-size: expected --method block-maxima or both");
  if (method == WARPBOUND_TAIL_BLOCK_MAXIMA && peaks != OPTION_COUNT)
    return wb_fail(error, WARPBOUND_USAGE, "--%s: expected --method peaks or both",
                   option_rows[peaks].name);
  if (arguments->value[OPTION_THRESHOLD] != NULL && arguments->value[OPTION_THRESHOLD_RULE] != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--threshold and --threshold-rule: expected one of them, found both");
  if (arguments->value[OPTION_RUN_LENGTH] != NULL && arguments->value[OPTION_NO_DECLUSTER] != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--run-length and --no-decluster: expected one of them, found both");
  if (arguments->value[OPTION_BOUND] == NULL &&
      (arguments->value[OPTION_CLOCK] != NULL || arguments->value[OPTION_KERNEL] != NULL))
    return wb_fail(error, WARPBOUND_USAGE, "--%s: expected --bound, which it is for",
                   arguments->value[OPTION_CLOCK] != NULL ? "clock" : "kernel");
  return WARPBOUND_OK;
}

/* Reads all but --bound. Errors: WARPBOUND_USAGE. */
static warpbound_status read_evt_options(const struct arguments *arguments,
                                         struct evt_options *options, warpbound_error *error)
{
  static const struct wb_choice methods[] = {{"both", WARPBOUND_TAIL_BOTH},
                                             {"block-maxima", WARPBOUND_TAIL_BLOCK_MAXIMA},
                                             {"peaks", WARPBOUND_TAIL_PEAKS},
                                             {NULL, 0}};
  static const struct wb_choice rules[] = {
      {"anderson-darling", WARPBOUND_THRESHOLD_ANDERSON_DARLING},
      {"northrop-coleman", WARPBOUND_THRESHOLD_NORTHROP_COLEMAN},
      {"stability", WARPBOUND_THRESHOLD_STABILITY},
      {NULL, 0}};
#define SAMPLES(member) OPTION_MEMBER(struct evt_options, samples.member)
#define MEASURED(member) OPTION_MEMBER(struct evt_options, measured.member)
  static const struct option_member members[] = {
      {OPTION_COLUMN, VALUE_TEXT, SAMPLES(column)},
      {OPTION_GROUP, VALUE_TEXT, SAMPLES(group)},
      {OPTION_UNIT, VALUE_TEXT, SAMPLES(unit)},
      {OPTION_TAIL_METHOD, VALUE_WORD, MEASURED(method), methods},
      {OPTION_THRESHOLD_RULE, VALUE_WORD, MEASURED(rule), rules},
      {OPTION_BLOCK_SIZE, VALUE_WHOLE, MEASURED(block_size), .least = 1, .most = MOST_VALUES},
      {OPTION_THRESHOLD, VALUE_GIVEN, MEASURED(has_threshold)},
      {OPTION_THRESHOLD, VALUE_POSITIVE, MEASURED(threshold), .expected = "a number above 0"},
      {OPTION_RUN_LENGTH, VALUE_WHOLE, MEASURED(run_length), .least = 1, .most = MOST_VALUES},
      {OPTION_NO_DECLUSTER, VALUE_GIVEN, MEASURED(no_declustering)},
      {OPTION_CONFIDENCE, VALUE_FRACTION, MEASURED(confidence), .low = 0.5, .high = 0.9999},
      {OPTION_SIGNIFICANCE, VALUE_FRACTION, MEASURED(significance), .low = 1e-6, .high = 0.5},
      {OPTION_REPLICATES, VALUE_WHOLE, MEASURED(replicates), .least = 1, .most = MOST_REPLICATES},
      {OPTION_BOOTSTRAP, VALUE_WHOLE, MEASURED(bootstrap), .least = 1, .most = MOST_REPLICATES},
      {OPTION_SEED, VALUE_WHOLE, MEASURED(seed), .most = UINT64_MAX},
      {OPTION_FIT_ANYWAY, VALUE_GIVEN, MEASURED(fit_anyway)},
  };
  *options = (struct evt_options){0};
  const struct wb_list *lists = &arguments->repeated[OPTION_PROBABILITY];
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < lists->count && status == WARPBOUND_OK; l++)
    status = read_list(lists->items[l], options, error);
  /* From the most probable on; none twice. */
  double *list = options->probabilities;
  size_t kept = 0;
  for (size_t p = 0; p < options->measured.probability_count; p++) {
    const double probability = list[p];
    size_t at = 0;
    while (at < kept && list[at] > probability)
      at++;
    if (at < kept && list[at] == probability)
      continue;
    memmove(list + at + 1, list + at, (kept - at) * sizeof *list);
    list[at] = probability;
    kept++;
  }
  options->measured.probability_count = kept;
  options->measured.probabilities = options->probabilities;
  if (status == WARPBOUND_OK)
    status =
        option_members_read(arguments, members, sizeof members / sizeof *members, options, error);
  return status == WARPBOUND_OK ? check_options(arguments, options, error) : status;
}

/* ---- --bound ---- */

/* A bound as a file says it. */
struct found {
  const char *file; /* borrowed */
  double cycles;
  double clock; /* of the device, in hertz; 0: not said */
  char *source; /* owned */
};

/* {"cycles": N, "kind": K, ..} */
static warpbound_status read_member(const json_t *bound, const char *place, struct found *found,
                                    warpbound_error *error)
{
  const json_t *cycles = json_object_get(bound, "cycles");
  const char *kind = json_string_value(json_object_get(bound, "kind"));
  struct wb_text source = {0};
  if (!json_is_integer(cycles) || json_integer_value(cycles) <= 0 || kind == NULL)
    return wb_json_wrong(found->file, place, "a bound, {\"cycles\": N, \"kind\": K} with N above 0",
                         bound, error);
  if (strcmp(kind, "upper") != 0 && strcmp(kind, "exact") != 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, found->file, 0, 0,
                      "%s: expected a proven upper bound, of kind upper or exact, found one of "
                      "kind %.40s",
                      place, kind);
  found->cycles = (double)json_integer_value(cycles);
  wb_text_format(&source, "%s, %s, kind %s", found->file, place, kind);
  found->source = wb_text_take(&source);
  return found->source != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* Whether a kernel of `wcet` has the name, mangled or as in the source. */
static bool is_named(const json_t *kernel, const char *name)
{
  static const char *const keys[] = {"name", "demangled"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    const char *found = json_string_value(json_object_get(kernel, keys[k]));
    if (found != NULL && strcmp(found, name) == 0)
      return true;
  }
  return false;
}

/* The WCET of the kernel, or of the only one. */
static warpbound_status read_kernel(const json_t *kernels, const char *name, struct found *found,
                                    warpbound_error *error)
{
  const json_t *chosen = NULL;
  size_t count = 0;
  for (size_t k = 0; k < json_array_size(kernels); k++) {
    const json_t *kernel = json_array_get(kernels, k);
    if (name == NULL || is_named(kernel, name)) {
      chosen = kernel;
      count++;
    }
  }
  if (name != NULL && count == 0)
    return wb_fail(error, WARPBOUND_USAGE, "--kernel: there is no '%.60s' in %.200s", name,
                   found->file);
  if (count == 0)
    return wb_fail(error, WARPBOUND_USAGE, "--bound: %.200s has no bound of any kernel",
                   found->file);
  if (count != 1)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--bound: expected --kernel, which of the %zu kernels of %.200s is meant", count,
                   found->file);
  return read_member(json_object_get(chosen, "wcet"), "wcet", found, error);
}

/* A number of cycles, or a file. */
static warpbound_status find_bound(const struct arguments *arguments, struct found *found,
                                   warpbound_error *error)
{
  const char *text = arguments->value[OPTION_BOUND];
  const size_t length = strlen(text);
  const bool number = wb_number_read(text, length, &found->cycles) == length && length > 0;
  if (!number && strcmp(text, "-") == 0)
    return wb_fail(error, WARPBOUND_USAGE, "--bound: expected cycles or a file's name, found '-'");
  if (!number) {
    json_t *object;
    struct wb_source source;
    found->file = arguments->value[OPTION_BOUND];
    warpbound_status status = wb_source_read(found->file, &source, error);
    if (status != WARPBOUND_OK &&
        wb_number_read(found->file, strlen(found->file), &found->cycles) > 0)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--bound: expected cycles without a unit, as 40000, or a file, found '%.60s'",
                     found->file);
    if (status != WARPBOUND_OK)
      return status;
    status = wb_json_parse(source.name, source.bytes, source.length, &object, error);
    wb_source_free(&source);
    if (status == WARPBOUND_OK) {
      const json_t *kernels = json_object_get(object, "kernels");
      const json_t *upper = json_object_get(object, "upper");
      const json_t *clock = json_object_get(json_object_get(object, "device"), "clock");
      found->clock = json_is_number(clock) ? json_number_value(clock) : 0;
      if (json_is_array(kernels))
        status = read_kernel(kernels, arguments->value[OPTION_KERNEL], found, error);
      else if (upper != NULL)
        status = read_member(upper, "upper", found, error);
      else
        status =
            wb_fail_at(error, WARPBOUND_INVALID_INPUT, found->file, 0, 0,
                       "expected what wcet, makespan or analyze --json print: there is no member "
                       "upper, and no kernels");
    }
    json_decref(object);
    return status;
  }
  if (!(isfinite(found->cycles) && found->cycles > 0))
    return wb_fail(error, WARPBOUND_USAGE, "--bound: expected cycles above 0, found '%.60s'", text);
  found->source = wb_copy_text("--bound", strlen("--bound"));
  return found->source != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* From cycles to the unit of the times. */
static warpbound_status convert(const struct arguments *arguments, const char *unit,
                                const struct found *found, double *value, warpbound_error *error)
{
  double hertz;
  const double seconds = wb_time_unit_seconds(unit);
  const warpbound_status status = clock_read(arguments, &hertz, error);
  if (status != WARPBOUND_OK)
    return status;
  *value = found->cycles;
  if (seconds == 0)
    return WARPBOUND_OK;
  if (hertz == 0)
    hertz = found->clock;
  if (hertz <= 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--bound: expected --clock FREQUENCY beside it, since the bound is in cycles "
                   "and the times are in %s",
                   unit);
  *value = found->cycles / hertz / seconds;
  return WARPBOUND_OK;
}

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
  struct found bound;
  warpbound_measured *measured;
  warpbound_error *error;
};

static warpbound_status read_options(struct evt_job *job)
{
  const char *folder = job->arguments->value[OPTION_PLOTS];
  warpbound_status status = read_evt_options(job->arguments, &job->options, job->error);
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
  struct wb_source source;
  warpbound_status status = source_input_read(job->arguments, "a file of measured times",
                                              MOST_BYTES, &source, job->error);
  if (status != WARPBOUND_OK)
    return status;
  status = warpbound_samples_parse(source.name, source.bytes, source.length, &job->options.samples,
                                   &job->samples, job->error);
  wb_source_free(&source);
  return status;
}

/* Reads the bound that --bound says: a number of cycles, or the upper end of a result that wcet,
 * makespan or analyze --json printed, of kind upper or exact. A unit of time of the samples needs a
 * frequency: --clock, or that of the device in analyze's result. */
static warpbound_status read_bound(struct evt_job *job)
{
  warpbound_measured_options *options = &job->options.measured;
  struct found *found = &job->bound;
  if (job->arguments->value[OPTION_BOUND] == NULL)
    return WARPBOUND_OK;
  double value = 0;
  warpbound_status status = find_bound(job->arguments, found, job->error);
  if (status == WARPBOUND_OK)
    status =
        convert(job->arguments, warpbound_samples_unit(job->samples), found, &value, job->error);
  options->has_bound = status == WARPBOUND_OK;
  options->bound = value;
  options->bound_source = found->source;
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

static warpbound_status write_plot(const char *folder, const struct wb_measured *measured,
                                   size_t place, enum wb_measured_plot plot, warpbound_error *error)
{
  const struct wb_measured_series *series = &measured->series[place];
  struct wb_text name = {0};
  struct wb_text text = {0};
  if (!wb_measured_plot_is_there(series, plot))
    return WARPBOUND_OK;
  wb_text_format(&name, "%s/", folder);
  if (measured->count > 1) {
    wb_text_format(&name, "%zu-", place + 1);
    write_name(series->series->name, &name);
    wb_text_string(&name, "-");
  }
  wb_text_format(&name, "%s.svg", wb_measured_plot_name(plot));
  wb_measured_plot_svg(measured, series, plot, false, &text);
  return write_file(&name, &text, error);
}

/* Writes index.html and, of each series, the plots that it has: PLOT.svg, or NUMBER-SERIES-PLOT.svg
 * where there are several. */
static warpbound_status write_plots(const struct evt_job *job)
{
  const char *folder = job->arguments->value[OPTION_PLOTS];
  const struct wb_measured *measured = &job->measured->result;
  struct wb_text name = {0};
  struct wb_text text = {0};
  warpbound_status status = WARPBOUND_OK;
  if (folder == NULL)
    return WARPBOUND_OK;
  for (size_t s = 0; s < measured->count; s++) {
    for (int p = 0; p < WB_MEASURED_PLOTS && status == WARPBOUND_OK; p++)
      status = write_plot(folder, measured, s, (enum wb_measured_plot)p, job->error);
  }
  if (status != WARPBOUND_OK)
    return status;
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
  if (status == WARPBOUND_OK)
    status = write_plots(job);
  if (status != WARPBOUND_OK)
    return status;
  if (analysed != WARPBOUND_OK)
    return wb_fail_with(job->error, &limit);
  /* With --require-applicable: whether the statistics apply to all series. */
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
