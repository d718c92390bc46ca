#include "cli/input/evt_options.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/input/device_input.h"
#include "cli/options/options.h"
#include "formats/json/json_input.h"
#include "formats/samples/samples_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

warpbound_status evt_options_read(const struct arguments *arguments, struct evt_options *options,
                                  warpbound_error *error)
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
      {OPTION_SKIP, VALUE_WHOLE, SAMPLES(skip), .least = 0, .most = MOST_VALUES},
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

/* The WCET of the kernel, or of the only one. */
static warpbound_status read_kernel(const json_t *kernels, const char *name, struct found *found,
                                    warpbound_error *error)
{
  const json_t *chosen = NULL;
  size_t count = 0;
  for (size_t k = 0; k < json_array_size(kernels); k++) {
    const json_t *kernel = json_array_get(kernels, k);
    const char *mangled = json_string_value(json_object_get(kernel, "name"));
    const char *demangled = json_string_value(json_object_get(kernel, "demangled"));
    if (name == NULL || (mangled != NULL && strcmp(mangled, name) == 0) ||
        (demangled != NULL && strcmp(demangled, name) == 0)) {
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
static warpbound_status read_bound(const struct arguments *arguments, struct found *found,
                                   warpbound_error *error)
{
  const char *text = arguments->value[OPTION_BOUND];
  const size_t length = strlen(text);
  const bool number = wb_number_read(text, length, &found->cycles) == length && length > 0;
  if (!number && strcmp(text, "-") == 0)
    return wb_fail(error, WARPBOUND_USAGE, "--bound: expected cycles or a file's name, found '-'");
  if (!number) {
    json_t *object;
    struct wb_input source;
    found->file = arguments->value[OPTION_BOUND];
    warpbound_status status = wb_input_read(found->file, &source, error);
    if (status != WARPBOUND_OK &&
        wb_number_read(found->file, strlen(found->file), &found->cycles) > 0)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--bound: expected cycles without a unit, as 40000, or a file, found '%.60s'",
                     found->file);
    if (status != WARPBOUND_OK)
      return status;
    status = wb_json_parse(source.name, source.bytes, source.length, &object, error);
    wb_input_free(&source);
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

warpbound_status bound_input_read(const struct arguments *arguments, const char *unit,
                                  struct bound_input *bound, warpbound_error *error)
{
  struct found found = {0};
  double hertz;
  *bound = (struct bound_input){0};
  if (arguments->value[OPTION_BOUND] == NULL)
    return WARPBOUND_OK;
  warpbound_status status = read_bound(arguments, &found, error);
  if (status == WARPBOUND_OK)
    status = clock_read(arguments, &hertz, error);
  /* From cycles to the unit of the times. */
  const double seconds = wb_time_unit_seconds(unit);
  double value = found.cycles;
  if (status == WARPBOUND_OK && seconds != 0) {
    if (hertz == 0)
      hertz = found.clock;
    value = found.cycles / hertz / seconds;
    if (hertz <= 0)
      status = wb_fail(error, WARPBOUND_USAGE,
                       "--bound: expected --clock FREQUENCY beside it, since the bound is in "
                       "cycles and the times are in %s",
                       unit);
  }
  if (status == WARPBOUND_OK)
    *bound = (struct bound_input){.given = true, .value = value, .source = found.source};
  else
    free(found.source);
  return status;
}
