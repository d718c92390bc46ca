/* `warpbound compare`. */
#include "cli/commands/commands.h"

#include "cli/input/module_input.h"
#include "cli/output/outputs.h"
#include "report/compare/comparison_report.h"

#include <inttypes.h>
#include <string.h>

/* The greatest percentage, and the longest file. */
#define MOST_PERCENT UINT64_C(1000000)
#define MOST_BYTES ((size_t)1 << 27)

/* Reads "5", "5%", "0.25%" into hundredths of a percent. */
static warpbound_status read_limit(const char *text, uint64_t *limit, warpbound_error *error)
{
  uint64_t whole = 0;
  uint64_t part = 0;
  const char *at = text;
  *limit = UINT64_MAX;
  if (text == NULL)
    return WARPBOUND_OK;
  while (*at >= '0' && *at <= '9' && whole <= MOST_PERCENT)
    whole = 10 * whole + (uint64_t)(*at++ - '0');
  bool good = at > text && whole <= MOST_PERCENT;
  if (good && *at == '.') {
    const char *digits = ++at;
    for (; *at >= '0' && *at <= '9' && at - digits < 2; at++)
      part += (uint64_t)(*at - '0') * (at == digits ? 10 : 1);
    good = at > digits;
  }
  if (!good || (strcmp(at, "%") != 0 && *at != '\0'))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--fail-above: expected a percentage of at most two decimals up to %" PRIu64
                   ", as 5%% or 0.25%%, found '%.60s'",
                   MOST_PERCENT, text);
  *limit = whole * 100 + part;
  return WARPBOUND_OK;
}

static warpbound_status read_results(const char *name, struct wb_input *source,
                                     warpbound_input *input, warpbound_error *error)
{
  const warpbound_status status = wb_input_read_most(name, MOST_BYTES, source, error);
  if (status == WARPBOUND_OK)
    *input = (warpbound_input){source->name, source->bytes, source->length};
  return status;
}

static warpbound_status print(const struct arguments *arguments,
                              const warpbound_comparison *comparison, warpbound_error *error)
{
  struct wb_text text = {0};
  if (arguments->value[OPTION_JSON] != NULL)
    wb_comparison_json(comparison, &text);
  else
    wb_comparison_text(comparison, arguments->value[OPTION_QUIET] != NULL, terminal_colour(stdout),
                       &text);
  const warpbound_status status = terminal_print(&text, error);
  return status == WARPBOUND_OK && warpbound_comparison_failures(comparison) > 0
             ? wb_fail(error, WARPBOUND_CHECK_FAILED, "%.500s",
                       warpbound_comparison_failure(comparison))
             : status;
}

warpbound_status command_compare(struct arguments *arguments, warpbound_error *error)
{
  struct wb_input sources[2] = {0};
  warpbound_input inputs[2] = {0};
  warpbound_comparison *comparison = NULL;
  uint64_t limit;
  if (arguments->second_input == NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected two files that analyze --json wrote, the old and the new one, found "
                   "%s",
                   arguments->input == NULL ? "none" : "one");
  warpbound_status status = read_limit(arguments->value[OPTION_FAIL_ABOVE], &limit, error);
  if (status == WARPBOUND_OK)
    status = read_results(arguments->input, &sources[0], &inputs[0], error);
  if (status == WARPBOUND_OK)
    status = read_results(arguments->second_input, &sources[1], &inputs[1], error);
  if (status == WARPBOUND_OK)
    status = warpbound_compare(&inputs[0], &inputs[1], limit, &comparison, error);
  if (status == WARPBOUND_OK)
    status = print(arguments, comparison, error);
  warpbound_comparison_free(comparison);
  wb_input_free(&sources[1]);
  wb_input_free(&sources[0]);
  return status;
}
