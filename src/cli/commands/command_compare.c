/* `warpbound compare`. */
#include "cli/commands/commands.h"

#include "base/file.h"
#include "cli/input/module_input.h"
#include "cli/output/outputs.h"
#include "report/compare/comparison_report.h"

#include <inttypes.h>
#include <string.h>

/* Most digits before the point of a percentage. */
#define MOST_PERCENT UINT64_C(1000000)

/* Reads "5", "5%", "0.25%" into hundredths of a percent. */
static warpbound_status read_limit(const char *text, uint64_t *limit, warpbound_error *error)
{
  uint64_t whole = 0;
  uint64_t part = 0;
  const char *at = text;
  *limit = WB_ANY_GROWTH;
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
  *limit = whole * WB_PERCENT + part;
  return WARPBOUND_OK;
}

static warpbound_status read_results(const char *name, struct wb_launch_results *results,
                                     warpbound_error *error)
{
  struct wb_input source = {0};
  warpbound_status status = wb_input_read_most(name, WB_JSON_LIMIT, &source, error);
  if (status == WARPBOUND_OK)
    status = wb_json_parse_as(source.name, source.bytes, source.length, wb_launch_results_read,
                              results, error);
  wb_input_free(&source);
  return status;
}

static warpbound_status print(const struct arguments *arguments,
                              const struct wb_comparison_report *report, warpbound_error *error)
{
  struct wb_text text = {0};
  struct wb_text failure = {0};
  if (arguments->value[OPTION_JSON] != NULL)
    wb_comparison_json(report, &text);
  else
    wb_comparison_text(report, &text);
  warpbound_status status = terminal_print(&text, error);
  wb_comparison_failure(report, &failure);
  if (status == WARPBOUND_OK && failure.failed)
    status = wb_out_of_memory(error);
  else if (status == WARPBOUND_OK && failure.length > 0)
    status = wb_fail(error, WARPBOUND_CHECK_FAILED, "%.500s", failure.data);
  wb_text_free(&failure);
  return status;
}

warpbound_status command_compare(struct arguments *arguments, warpbound_error *error)
{
  struct wb_launch_results before = {0};
  struct wb_launch_results after = {0};
  struct wb_result_comparison comparison = {0};
  struct wb_comparison_report report = {.comparison = &comparison,
                                        .before = arguments->input,
                                        .after = arguments->second_input,
                                        .quiet = arguments->value[OPTION_QUIET] != NULL,
                                        .colour = terminal_colour(stdout)};
  if (arguments->second_input == NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected two files that analyze --json wrote, the old and the new one, found "
                   "%s",
                   arguments->input == NULL ? "none" : "one");
  warpbound_status status = read_limit(arguments->value[OPTION_FAIL_ABOVE], &report.limit, error);
  if (status == WARPBOUND_OK)
    status = read_results(arguments->input, &before, error);
  if (status == WARPBOUND_OK)
    status = read_results(arguments->second_input, &after, error);
  if (status == WARPBOUND_OK)
    status = wb_compare_results(&before, &after, report.limit, &comparison, error);
  if (status == WARPBOUND_OK)
    status = print(arguments, &report, error);
  wb_comparison_free(&comparison);
  wb_launch_results_free(&after);
  wb_launch_results_free(&before);
  return status;
}
