/* `warpbound compare`. */
#include "cli/commands/commands.h"

#include "cli/check/check_job.h"
#include "cli/check/check_outputs.h"
#include "cli/check/check_results.h"
#include "cli/input/module_input.h"
#include "cli/output/outputs.h"
#include "report/check/check_report.h"
#include "report/compare/comparison_report.h"

#include <stdint.h>

/* The longest file. */
#define MOST_BYTES ((size_t)1 << 27)

static warpbound_status read_results(const char *name, struct wb_input *source,
                                     warpbound_input *input, warpbound_error *error)
{
  const warpbound_status status = wb_input_read_most(name, MOST_BYTES, source, error);
  if (status != WARPBOUND_OK)
    return status;
  const char *at = source->bytes;
  const char *end = at + source->length;
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
    at++;
  if (at < end && *at != '{' && *at != '[')
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, source->name, 0, 0,
                      "expected what 'analyze --json' or 'check --json' printed; two binaries are "
                      "compared by --project FILE, which has their launches");
  *input = (warpbound_input){source->name, source->bytes, source->length};
  return WARPBOUND_OK;
}

/* The results of a project's launches with a binary in place of the project's. Errors: those of a
 * check; WARPBOUND_INTERNAL. */
static warpbound_status analyse_binary(const struct arguments *arguments, const char *binary,
                                       struct wb_text *results, warpbound_error *error)
{
  struct arguments of_check = *arguments;
  struct check_job job = {0};
  json_t *rows = NULL;
  of_check.input = arguments->value[OPTION_PROJECT];
  of_check.value[OPTION_BINARY] = binary;
  of_check.value[OPTION_REPORT] = NULL; /* that of the comparison */
  warpbound_status status = check_job_read(&of_check, &job, error);
  if (status == WARPBOUND_OK)
    status = check_job_run(&job, error);
  if (status == WARPBOUND_OK)
    status = check_results_make(&job, NULL, &rows, error);
  if (status == WARPBOUND_OK) {
    check_messages_print(rows);
    wb_check_baseline(rows, results);
    const json_t *refused = json_array_get(json_object_get(rows, "refused"), 0);
    if (results->failed)
      status = wb_out_of_memory(error);
    else if (json_array_size(json_object_get(rows, "launches")) == 0)
      status =
          wb_fail(error, (warpbound_status)json_integer_value(json_object_get(refused, "status")),
                  "%.200s: no launch of the project has a bound", binary);
  }
  json_decref(rows);
  check_job_free(&job);
  return status;
}

/* Reads results, or with --project makes them of a binary. */
static warpbound_status take_results(const struct arguments *arguments, const char *name,
                                     struct wb_input *source, struct wb_text *made,
                                     warpbound_input *input, warpbound_error *error)
{
  if (arguments->value[OPTION_PROJECT] == NULL)
    return read_results(name, source, input, error);
  const warpbound_status status = analyse_binary(arguments, name, made, error);
  if (status == WARPBOUND_OK)
    *input = (warpbound_input){name, made->data, made->length};
  return status;
}

/* The page of --report: a file, or index.html in a folder. */
static warpbound_status write_page(const struct arguments *arguments,
                                   const warpbound_comparison *comparison, warpbound_error *error)
{
  const char *name = arguments->value[OPTION_REPORT];
  struct wb_text file = {0};
  struct wb_text text = {0};
  if (name == NULL)
    return WARPBOUND_OK;
  wb_text_format(&file, output_is_page(name) ? "%s" : "%s/index.html", name);
  wb_comparison_page(comparison, &text);
  text.failed |= file.failed;
  const warpbound_status status = output_write(file.data, &text, error);
  wb_text_free(&file);
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
  struct wb_text made[2] = {{0}};
  warpbound_comparison *comparison = NULL;
  uint64_t limit = UINT64_MAX;
  if (arguments->second_input == NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected two files that analyze --json wrote, the old and the new one, or with "
                   "--project two binaries, found %s",
                   arguments->input == NULL ? "none" : "one");
  terminal_catch_interrupts();
  const char *above = arguments->value[OPTION_FAIL_ABOVE];
  warpbound_status status =
      above != NULL ? check_limit_read("--fail-above", above, &limit, error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK)
    status = output_page_check(arguments, error);
  if (status == WARPBOUND_OK)
    status = take_results(arguments, arguments->input, &sources[0], &made[0], &inputs[0], error);
  if (status == WARPBOUND_OK)
    status =
        take_results(arguments, arguments->second_input, &sources[1], &made[1], &inputs[1], error);
  if (status == WARPBOUND_OK)
    status = warpbound_compare(&inputs[0], &inputs[1], limit, &comparison, error);
  if (status == WARPBOUND_OK)
    status = write_page(arguments, comparison, error);
  if (status == WARPBOUND_OK)
    status = print(arguments, comparison, error);
  warpbound_comparison_free(comparison);
  wb_text_free(&made[1]);
  wb_text_free(&made[0]);
  wb_input_free(&sources[1]);
  wb_input_free(&sources[0]);
  return status;
}
