#include "cli/check/check_outputs.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "formats/json/json_output.h"
#include "report/check/check_report.h"
#include "report/html_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The longest baseline. */
#define MOST_BYTES ((size_t)1 << 27)

static bool ends_with(const char *name, const char *ending)
{
  const size_t length = strlen(name);
  const size_t wanted = strlen(ending);
  return length > wanted && strcmp(name + length - wanted, ending) == 0;
}

warpbound_status check_limit_read(const char *of, const char *text, uint64_t *limit,
                                  warpbound_error *error)
{
  uint64_t whole = 0;
  uint64_t part = 0;
  const char *at = text;
  while (*at >= '0' && *at <= '9' && whole <= (uint64_t)WB_MOST_GROWTH)
    whole = 10 * whole + (uint64_t)(*at++ - '0');
  bool good = at > text && whole <= (uint64_t)WB_MOST_GROWTH;
  if (good && *at == '.') {
    const char *digits = ++at;
    for (; *at >= '0' && *at <= '9' && at - digits < 2; at++)
      part += (uint64_t)(*at - '0') * (at == digits ? 10 : 1);
    good = at > digits;
  }
  if (!good || (strcmp(at, "%") != 0 && *at != '\0'))
    return wb_fail(error, WARPBOUND_USAGE,
                   "%s: expected a percentage of at most two decimals up to %" PRIu64
                   ", as 5%% or 0.25%%, found '%.60s'",
                   of, (uint64_t)WB_MOST_GROWTH, text);
  *limit = whole * 100 + part;
  return WARPBOUND_OK;
}

warpbound_status check_outputs_try(const struct arguments *arguments, warpbound_error *error)
{
  const struct wb_list *ci = &arguments->repeated[OPTION_REPORT_CI];
  const char *report = arguments->value[OPTION_REPORT];
  warpbound_status status = outputs_check(arguments, error);
  if (status == WARPBOUND_OK && report != NULL && (*report == '\0' || ends_with(report, ".html")))
    status = wb_fail(error, WARPBOUND_USAGE, "--report: expected a folder, found '%.100s'", report);
  if (status == WARPBOUND_OK && report != NULL)
    status = output_folder_check(report, OPTION_REPORT, error);
  for (size_t f = 0; f < ci->count && status == WARPBOUND_OK; f++)
    status = ends_with(ci->items[f], ".sarif") || ends_with(ci->items[f], ".xml")
                 ? wb_file_try(ci->items[f], error)
                 : wb_fail(error, WARPBOUND_USAGE,
                           "--report-ci: expected a name that ends in .sarif or .xml, found "
                           "'%.100s'",
                           ci->items[f]);
  return status;
}

/* ---- the baseline ---- */

warpbound_status check_gate_try(const struct arguments *arguments, const struct check_gate *gate,
                                warpbound_error *error)
{
  const bool updating = arguments->value[OPTION_UPDATE_BASELINE] != NULL;
  return gate->baseline == NULL || updating || access(gate->baseline, F_OK) == 0
             ? WARPBOUND_OK
             : wb_fail_at(error, WARPBOUND_INVALID_INPUT, gate->baseline, 0, 0,
                          "the baseline is not there; --update-baseline writes it");
}

static warpbound_status compare(const struct check_gate *gate, const json_t *results,
                                warpbound_comparison **comparison, warpbound_error *error)
{
  struct wb_input file = {0};
  struct wb_text now = {0};
  *comparison = NULL;
  if (gate->baseline == NULL)
    return WARPBOUND_OK;
  warpbound_status status = wb_input_read_most(gate->baseline, MOST_BYTES, &file, error);
  wb_check_baseline(results, &now);
  if (status == WARPBOUND_OK && now.failed)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    const warpbound_input before = {file.name, file.bytes, file.length};
    const warpbound_input after = {"", now.data, now.length};
    status = warpbound_compare(&before, &after, gate->limit, comparison, error);
  }
  wb_text_free(&now);
  wb_input_free(&file);
  return status;
}

/* How many launches have bounds that a limit ended: more time would change them. */
static size_t count_limited(const json_t *results)
{
  const json_t *launches = json_object_get(results, "launches");
  size_t count = 0;
  for (size_t l = 0; l < json_array_size(launches); l++)
    count += json_is_true(json_object_get(json_array_get(launches, l), "limited"));
  return count;
}

/* A launch without a bound is not forgotten: what the file says of it would be lost. Nor is a
 * bound kept that is so large for want of time: a later one could grow below it unseen. */
static warpbound_status update(const struct check_gate *gate, const json_t *results,
                               warpbound_error *error)
{
  struct wb_text text = {0};
  const size_t refused = json_array_size(json_object_get(results, "refused"));
  const size_t limited = count_limited(results);
  if (gate->baseline == NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--update-baseline: expected a file to write: --baseline FILE, or 'baseline' "
                   "in the project");
  if (refused > 0)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "--update-baseline: '%.200s' is as it was: %zu launch%s without a bound",
                   gate->baseline, refused, refused > 1 ? "es are" : " is");
  if (limited > 0)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "--update-baseline: '%.200s' is as it was: a limit ended the analysis of %zu "
                   "launch%s",
                   gate->baseline, limited, limited > 1 ? "es" : "");
  wb_check_baseline(results, &text);
  return output_write(gate->baseline, &text, error);
}

/* ---- files ---- */

/* Which rows have a page in the folder; the caller frees it. NULL where memory is out. */
static bool *find_pages(const char *folder, const json_t *results)
{
  size_t count;
  const json_t **rows = wb_check_rows(results, &count);
  bool *pages = rows != NULL ? wb_allocate(count + 1, sizeof *pages) : NULL;
  for (size_t r = 0; pages != NULL && r < count; r++) {
    struct wb_text page = {0};
    wb_text_format(&page, "%s/", folder);
    wb_check_page_name(rows[r], &page);
    pages[r] = !page.failed && access(page.data, F_OK) == 0;
    wb_text_free(&page);
  }
  free(rows);
  return pages;
}

/* The folder as a reference from the file: relative where one of the two is below the folder of
 * the other's beginning, else "file:///...". */
static void refer_to_folder(const char *folder, const char *file, struct wb_text *uri)
{
  const char *slash = strrchr(file, '/');
  const size_t above = slash != NULL ? (size_t)(slash - file) + 1 : 0;
  char *whole = NULL;
  if (folder[0] != '/' && above == 0) {
    wb_uri_path(folder, uri);
  } else if (above > 0 && strncmp(folder, file, above) == 0 && folder[above] != '\0') {
    wb_uri_path(folder + above, uri);
  } else {
    whole = realpath(folder, NULL);
    wb_text_string(uri, "file://");
    wb_uri_path(whole != NULL ? whole : folder, uri);
  }
  wb_text_string(uri, "/");
  free(whole);
}

static warpbound_status write_index(const char *folder, const struct wb_check_report *report,
                                    warpbound_error *error)
{
  struct wb_text name = {0};
  struct wb_text text = {0};
  wb_text_format(&name, "%s/index.html", folder);
  wb_check_page(report, &text);
  const warpbound_status status =
      name.failed ? wb_out_of_memory(error) : output_write(name.data, &text, error);
  if (name.failed)
    wb_text_free(&text);
  wb_text_free(&name);
  return status;
}

/* With links to the pages of the folder; NULL: there is none. */
static warpbound_status write_sarif(const char *name, const char *folder,
                                    const struct wb_check_report *report, warpbound_error *error)
{
  struct wb_check_report linked = *report;
  struct wb_text pages = {0};
  struct wb_text text = {0};
  if (folder != NULL)
    refer_to_folder(folder, name, &pages);
  linked.pages = pages.data;
  wb_check_sarif(&linked, &text);
  text.failed |= pages.failed;
  const warpbound_status status = output_write(name, &text, error);
  wb_text_free(&pages);
  return status;
}

static warpbound_status write_files(const struct arguments *arguments,
                                    struct wb_check_report *report, warpbound_error *error)
{
  const struct wb_list *ci = &arguments->repeated[OPTION_REPORT_CI];
  const char *folder = arguments->value[OPTION_REPORT];
  bool *pages = folder != NULL ? find_pages(folder, report->results) : NULL;
  warpbound_status status =
      folder != NULL && pages == NULL ? wb_out_of_memory(error) : WARPBOUND_OK;
  report->has_page = pages;
  for (size_t f = 0; f < ci->count && status == WARPBOUND_OK; f++) {
    struct wb_text text = {0};
    if (ends_with(ci->items[f], ".sarif")) {
      status = write_sarif(ci->items[f], folder, report, error);
    } else {
      wb_check_junit(report, &text);
      status = output_write(ci->items[f], &text, error);
    }
  }
  if (status == WARPBOUND_OK && arguments->value[OPTION_OUTPUT] != NULL) {
    struct wb_text text = {0};
    wb_check_json(report, &text);
    status = output_write(arguments->value[OPTION_OUTPUT], &text, error);
  }
  if (status == WARPBOUND_OK && folder != NULL)
    status = write_index(folder, report, error);
  report->has_page = NULL;
  free(pages);
  return status;
}

void check_messages_print(const json_t *results)
{
  size_t count;
  const json_t **rows = wb_check_rows(results, &count);
  for (size_t r = 0; rows != NULL && r < count; r++) {
    const char *name = json_string_value(json_object_get(rows[r], "name"));
    const char *message = json_string_value(json_object_get(rows[r], "message"));
    const char *file = json_string_value(json_object_get(rows[r], "file"));
    const json_t *notes = json_object_get(rows[r], "notes");
    warpbound_error told = {0};
    for (size_t n = 0; n < json_array_size(notes); n++) {
      (void)wb_fail(&told, WARPBOUND_OK, "%.100s: %.380s", name != NULL ? name : "",
                    json_string_value(json_array_get(notes, n)));
      terminal_note(told.message);
    }
    if (message == NULL)
      continue;
    (void)wb_fail_at(&told, WARPBOUND_OK, file != NULL ? file : "",
                     (size_t)json_integer_value(json_object_get(rows[r], "file_line")),
                     (size_t)json_integer_value(json_object_get(rows[r], "file_column")),
                     "%.100s: %.380s", name != NULL ? name : "", message);
    terminal_error(&told);
  }
  free(rows);
}

warpbound_status check_outputs_write(const struct arguments *arguments,
                                     const struct check_gate *gate, const json_t *results,
                                     warpbound_error *error)
{
  warpbound_comparison *comparison = NULL;
  struct wb_text text = {0};
  const bool updating = arguments->value[OPTION_UPDATE_BASELINE] != NULL;
  check_messages_print(results);
  warpbound_status status =
      updating ? update(gate, results, error) : compare(gate, results, &comparison, error);
  struct wb_check_report report = {
      .results = results,
      .compared = comparison,
      .colour = terminal_colour(stdout),
      .quiet = arguments->value[OPTION_QUIET] != NULL,
  };
  if (status == WARPBOUND_OK && arguments->value[OPTION_JSON] != NULL)
    wb_check_json(&report, &text);
  else if (status == WARPBOUND_OK)
    wb_check_text(&report, &text);
  if (status == WARPBOUND_OK)
    status = terminal_print(&text, error);
  if (status == WARPBOUND_OK)
    status = write_files(arguments, &report, error);
  if (status == WARPBOUND_OK)
    status = wb_check_status(&report, error);
  warpbound_comparison_free(comparison);
  return status;
}
