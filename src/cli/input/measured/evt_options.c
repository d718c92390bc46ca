#include "cli/input/measured/evt_options.h"

#include "base/status.h"
#include "cli/options/word_options.h"
#include "formats/samples/number_text.h"

#include <stdint.h>
#include <string.h>

/* Most values of a block, or between clusters. */
#define MOST_VALUES 100000000
#define MOST_REPLICATES 100000
#define LEAST_PROBABILITY 1e-300

/* ---- probabilities ---- */

/* One of a list, which ends at a comma or with the text; NULL where it is none. */
static const char *read_probability(const char *at, double *probability)
{
  const size_t length = strcspn(at, ",");
  const bool read = length > 0 && wb_number_read(at, length, probability) == length &&
                    *probability >= LEAST_PROBABILITY && *probability <= 0.5;
  return read ? at + length : NULL;
}

static warpbound_status read_list(const char *text, struct evt_options *options,
                                  warpbound_error *error)
{
  const char *at = text;
  for (;;) {
    double probability;
    at = read_probability(at, &probability);
    if (at == NULL)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--probability: expected numbers from 1e-300 to 0.5 as 1e-6,1e-9, found "
                     "'%.60s'",
                     text);
    if (options->measured.probability_count >= WARPBOUND_MEASURED_LEVELS)
      return wb_fail(error, WARPBOUND_USAGE, "--probability: expected at most %d of them",
                     WARPBOUND_MEASURED_LEVELS);
    options->probabilities[options->measured.probability_count++] = probability;
    if (*at == '\0')
      return WARPBOUND_OK;
    at++;
  }
}

/* From the most probable on; none twice. */
static void sort_probabilities(struct evt_options *options)
{
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
}

static warpbound_status read_probabilities(const struct arguments *arguments,
                                           struct evt_options *options, warpbound_error *error)
{
  const struct wb_list *lists = &arguments->repeated[OPTION_PROBABILITY];
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < lists->count && status == WARPBOUND_OK; l++)
    status = read_list(lists->items[l], options, error);
  sort_probabilities(options);
  options->measured.probabilities = options->probabilities;
  return status;
}

/* ---- the method ---- */

static warpbound_status read_words(const struct arguments *arguments, struct evt_options *options,
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
  int method;
  int rule;
  warpbound_status status = word_read(arguments, OPTION_TAIL_METHOD, methods, &method, error);
  if (status == WARPBOUND_OK)
    status = word_read(arguments, OPTION_THRESHOLD_RULE, rules, &rule, error);
  if (status != WARPBOUND_OK)
    return status;
  options->measured.method = (warpbound_tail_method)method;
  options->measured.rule = (warpbound_threshold_rule)rule;
  return WARPBOUND_OK;
}

/* A number from least to most; 0 where it is absent. */
static warpbound_status read_fraction(const struct arguments *arguments, enum option option,
                                      double least, double most, double *value,
                                      warpbound_error *error)
{
  const char *text = arguments->value[option];
  *value = 0;
  if (text == NULL)
    return WARPBOUND_OK;
  const size_t length = strlen(text);
  if (length > 0 && wb_number_read(text, length, value) == length && *value >= least &&
      *value <= most)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE, "--%s: expected a number from %g to %g, found '%.60s'",
                 option_row(option)->name, least, most, text);
}

static warpbound_status read_count(const struct arguments *arguments, enum option option,
                                   uint64_t most, size_t *count, warpbound_error *error)
{
  uint64_t number = 0;
  const warpbound_status status = arguments_number(arguments, option, 1, most, 0, &number, error);
  *count = (size_t)number;
  return status;
}

static warpbound_status read_small(const struct arguments *arguments, enum option option,
                                   uint64_t most, uint32_t *count, warpbound_error *error)
{
  size_t number;
  const warpbound_status status = read_count(arguments, option, most, &number, error);
  *count = (uint32_t)number;
  return status;
}

static warpbound_status read_numbers(const struct arguments *arguments,
                                     warpbound_measured_options *measured, warpbound_error *error)
{
  warpbound_status status =
      read_count(arguments, OPTION_BLOCK_SIZE, MOST_VALUES, &measured->block_size, error);
  if (status == WARPBOUND_OK)
    status = arguments_positive(arguments, OPTION_THRESHOLD, &measured->threshold, error);
  if (status == WARPBOUND_OK)
    status = read_count(arguments, OPTION_RUN_LENGTH, MOST_VALUES, &measured->run_length, error);
  if (status == WARPBOUND_OK)
    status = read_fraction(arguments, OPTION_CONFIDENCE, 0.5, 0.9999, &measured->confidence, error);
  if (status == WARPBOUND_OK)
    status =
        read_fraction(arguments, OPTION_SIGNIFICANCE, 1e-6, 0.5, &measured->significance, error);
  if (status == WARPBOUND_OK)
    status =
        read_small(arguments, OPTION_REPLICATES, MOST_REPLICATES, &measured->replicates, error);
  if (status == WARPBOUND_OK)
    status = read_small(arguments, OPTION_BOOTSTRAP, MOST_REPLICATES, &measured->bootstrap, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_SEED, 0, UINT64_MAX, 0, &measured->seed, error);
  return status;
}

/* Options of a method that is not asked for would have no effect. */
static warpbound_status check_options(const struct arguments *arguments,
                                      const struct evt_options *options, warpbound_error *error)
{
  static const enum option of_peaks[] = {OPTION_THRESHOLD, OPTION_THRESHOLD_RULE, OPTION_RUN_LENGTH,
                                         OPTION_NO_DECLUSTER};
  const warpbound_tail_method method = options->measured.method;
  if (method == WARPBOUND_TAIL_PEAKS && arguments->value[OPTION_BLOCK_SIZE] != NULL)
    return wb_fail(error, WARPBOUND_USAGE, "--block-size: expected --method block-maxima or both");
  for (size_t o = 0; o < sizeof of_peaks / sizeof *of_peaks; o++) {
    if (method == WARPBOUND_TAIL_BLOCK_MAXIMA && arguments->value[of_peaks[o]] != NULL)
      return wb_fail(error, WARPBOUND_USAGE, "--%s: expected --method peaks or both",
                     option_row(of_peaks[o])->name);
  }
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
  *options = (struct evt_options){
      .samples = {.column = arguments->value[OPTION_COLUMN],
                  .group = arguments->value[OPTION_GROUP],
                  .unit = arguments->value[OPTION_UNIT]},
      .measured = {.has_threshold = arguments->value[OPTION_THRESHOLD] != NULL,
                   .no_declustering = arguments->value[OPTION_NO_DECLUSTER] != NULL,
                   .fit_anyway = arguments->value[OPTION_FIT_ANYWAY] != NULL}};
  warpbound_status status = read_probabilities(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = read_words(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = read_numbers(arguments, &options->measured, error);
  return status == WARPBOUND_OK ? check_options(arguments, options, error) : status;
}
