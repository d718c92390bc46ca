/* The results of a check: what its writers share, the text for people, the baseline. */
#include "report/check/check_report.h"

#include "base/memory.h"
#include "base/text/ascii.h"
#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "formats/json/json_output.h"
#include "report/analyze/analyze_report.h"
#include "report/compare/comparison_report.h"
#include "report/report_words.h"
#include "warpbound.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text != NULL ? text : "";
}

static json_int_t number_of(const json_t *object, const char *key)
{
  return json_integer_value(json_object_get(object, key));
}

static bool is_refused(const json_t *row)
{
  return json_object_get(row, "status") != NULL;
}

static int compare_rows(const void *left, const void *right)
{
  const json_int_t a = number_of(*(const json_t *const *)left, "number");
  const json_int_t b = number_of(*(const json_t *const *)right, "number");
  return a < b ? -1 : a > b;
}

const json_t **wb_check_rows(const json_t *results, size_t *count)
{
  const json_t *lists[] = {json_object_get(results, "launches"),
                           json_object_get(results, "refused")};
  const size_t first = json_array_size(lists[0]);
  *count = first + json_array_size(lists[1]);
  const json_t **rows = wb_allocate(*count, sizeof *rows);
  for (size_t r = 0; rows != NULL && r < *count; r++)
    rows[r] = r < first ? json_array_get(lists[0], r) : json_array_get(lists[1], r - first);
  if (rows != NULL && *count > 0)
    qsort(rows, *count, sizeof *rows, compare_rows);
  return rows;
}

void wb_check_verdict(const json_t *row, struct wb_text *text)
{
  static const char *const allowances[] = {"deadline", "budget"};
  bool any = false;
  for (size_t a = 0; a < 2; a++) {
    const json_t *allowance = json_object_get(row, allowances[a]);
    if (allowance == NULL)
      continue;
    wb_text_format(text, "%s%s ", any ? "; " : "", allowances[a]);
    wb_text_clean(text, text_of(allowance, "words"));
    any = true;
  }
  const bool estimate = strcmp(text_of(json_object_get(row, "upper"), "kind"), "estimate") == 0;
  if (json_is_true(json_object_get(row, "require_proof")) && estimate)
    wb_text_format(text, "%sno proof", any ? "; " : "");
  if (json_is_true(json_object_get(row, "limited")))
    wb_text_format(text, "%sa limit was reached", text->length > 0 ? "; " : "");
}

void wb_check_page_name(const json_t *row, struct wb_text *text)
{
  wb_text_format(text, "%" PRId64 "-", (int64_t)number_of(row, "number"));
  for (const char *at = text_of(row, "name"); *at != '\0'; at++) {
    const char letter = *at;
    const bool plain = wb_is_digit(letter) || (letter >= 'a' && letter <= 'z') ||
                       (letter >= 'A' && letter <= 'Z') || letter == '_' || letter == '.';
    wb_text_append(text, plain ? at : "-", 1);
  }
  wb_text_string(text, ".html");
}

const struct wb_launch_change *wb_check_change(const struct wb_check_report *report,
                                               const json_t *row)
{
  const char *name = text_of(row, "name");
  if (report->compared == NULL)
    return NULL;
  const struct wb_result_comparison *comparison = &report->compared->comparison;
  for (size_t l = 0; l < comparison->count; l++) {
    if (strcmp(comparison->launches[l].name, name) == 0)
      return &comparison->launches[l];
  }
  return NULL;
}

/* Whether a row of a list has the name. */
static bool has_name(const json_t *list, const char *name)
{
  bool found = false;
  for (size_t r = 0; r < json_array_size(list) && !found; r++)
    found = strcmp(text_of(json_array_get(list, r), "name"), name) == 0;
  return found;
}

json_t *wb_check_gone(const struct wb_check_report *report)
{
  json_t *gone = json_array();
  const size_t count = report->compared != NULL ? report->compared->comparison.count : 0;
  for (size_t l = 0; l < count; l++) {
    const struct wb_launch_change *change = &report->compared->comparison.launches[l];
    if (change->failure != WB_COMPARE_MISSING ||
        has_name(json_object_get(report->results, "launches"), change->name) ||
        has_name(json_object_get(report->results, "refused"), change->name))
      continue;
    json_t *row = json_object();
    wb_json_put(&row, "name", wb_json_clean(change->name));
    wb_json_push(&gone, row);
  }
  return gone;
}

const struct wb_number_change *wb_check_cause(const struct wb_launch_change *change)
{
  const struct wb_number_change *cause = NULL;
  for (size_t n = 0; n < change->number_count; n++) {
    const struct wb_number_change *number = &change->numbers[n];
    const double by = number->after - number->before;
    if (number->group == WB_RESULT_LINES && by > 0 && strcmp(number->key, "no line") != 0 &&
        (cause == NULL || by > cause->after - cause->before))
      cause = number;
  }
  return cause;
}

/* ---- text ---- */

static void write_end(const json_t *end, struct wb_text *rows)
{
  wb_text_count(rows, (uint64_t)number_of(end, "cycles"));
  wb_text_format(rows, " (%s)\t", text_of(end, "kind"));
}

static void write_growth(const struct wb_launch_change *change, struct wb_text *rows)
{
  if (change == NULL || change->after == NULL)
    return;
  if (change->before == NULL)
    wb_text_string(rows, "new");
  else if (change->before->upper.cycles == change->after->upper.cycles)
    wb_text_string(rows, "the same");
  else if (change->before->upper.cycles > 0)
    wb_text_format(
        rows, "%+.2f %%",
        100 * ((double)change->after->upper.cycles - (double)change->before->upper.cycles) /
            (double)change->before->upper.cycles);
}

/* A row of the table: name, ends, time, growth where there is a baseline, verdict. */
static void write_row(const struct wb_check_report *report, const json_t *row, struct wb_text *rows)
{
  struct wb_text verdict = {0};
  wb_text_clean(rows, text_of(row, "name"));
  if (is_refused(row)) {
    /* A row without tabs widens no column. */
    wb_text_string(rows, "  no bound: ");
    wb_text_clean(rows, text_of(row, "message"));
    wb_text_string(rows, "\n");
    return;
  }
  wb_text_string(rows, "\t");
  write_end(json_object_get(row, "lower"), rows);
  write_end(json_object_get(row, "upper"), rows);
  wb_analyze_write_time(
      json_number_value(json_object_get(json_object_get(row, "seconds"), "upper")), true, rows);
  wb_text_string(rows, "\t");
  if (report->compared != NULL) {
    write_growth(wb_check_change(report, row), rows);
    wb_text_string(rows, "\t");
  }
  wb_check_verdict(row, &verdict);
  wb_text_string(rows, verdict.length > 0 ? "" : "-");
  wb_text_join(rows, &verdict);
  wb_text_string(rows, "\n");
}

/* What of the launches that failed made them grow. */
static void write_failures(const struct wb_check_report *report, struct wb_text *text)
{
  struct warpbound_comparison failed = *report->compared;
  const struct wb_result_comparison *all = &report->compared->comparison;
  failed.comparison.count = 0;
  failed.comparison.launches = wb_allocate(all->count, sizeof *all->launches);
  if (failed.comparison.launches == NULL) {
    text->failed = true;
    return;
  }
  for (size_t l = 0; l < all->count; l++) {
    if (all->launches[l].failure != WB_COMPARE_PASSED)
      failed.comparison.launches[failed.comparison.count++] = all->launches[l];
  }
  if (failed.comparison.count > 0) {
    wb_text_title(text, "against the baseline", report->colour);
    wb_comparison_text(&failed, false, report->colour, text);
  }
  free(failed.comparison.launches);
}

/* "3 launches: 2 allowed, 1 without a bound". */
static void write_summary(const struct wb_check_report *report, struct wb_text *text)
{
  const json_t *launches = json_object_get(report->results, "launches");
  const size_t refused = json_array_size(json_object_get(report->results, "refused"));
  const size_t bounded = json_array_size(launches);
  size_t allowed = 0;
  for (size_t l = 0; l < bounded; l++)
    allowed += json_is_true(json_object_get(json_array_get(launches, l), "allowed"));
  wb_text_count(text, bounded + refused);
  wb_text_format(text, " launch%s: %zu as allowed", bounded + refused == 1 ? "" : "es", allowed);
  if (allowed < bounded)
    wb_text_format(text, ", %zu not", bounded - allowed);
  if (refused > 0)
    wb_text_format(text, ", %zu without a bound", refused);
  if (report->compared != NULL)
    wb_text_format(text, "; %zu worse than the baseline allows",
                   report->compared->comparison.failures);
  wb_text_string(text, "\n");
}

void wb_check_text(const struct wb_check_report *report, struct wb_text *text)
{
  struct wb_text table = {0};
  size_t count;
  const json_t **rows = wb_check_rows(report->results, &count);
  wb_text_format(&table, "launch\tat least\tat most\ttime\t%sverdict\n",
                 report->compared != NULL ? "baseline\t" : "");
  for (size_t r = 0; rows != NULL && r < count; r++)
    write_row(report, rows[r], &table);
  text->failed |= rows == NULL;
  free(rows);
  wb_text_columns(text, 0, &table);
  if (report->quiet)
    return;
  wb_text_string(text, "\n");
  write_summary(report, text);
  if (report->compared != NULL)
    write_failures(report, text);
}

/* ---- JSON ---- */

void wb_check_json(const struct wb_check_report *report, struct wb_text *text)
{
  json_t *object = json_copy((json_t *)report->results);
  if (report->compared != NULL) {
    struct wb_text compared = {0};
    wb_comparison_json(report->compared, &compared);
    wb_json_put(&object, "compared",
                compared.failed ? NULL : json_loadb(compared.data, compared.length, 0, NULL));
    wb_text_free(&compared);
  }
  wb_json_append(object, text);
}

/* A copy of an object's members whose names are listed, with blanks between; of a list, of each of
 * its objects. */
static json_t *only(const json_t *value, const char *names)
{
  char list[256];
  char *rest = list;
  if (json_is_array(value)) {
    json_t *array = json_array();
    for (size_t i = 0; i < json_array_size(value); i++)
      wb_json_push(&array, only(json_array_get(value, i), names));
    return array;
  }
  json_t *object = json_object();
  const size_t length = strlen(names);
  memcpy(list, names, length + 1);
  for (char *name = strtok_r(list, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
    json_t *member = json_object_get(value, name);
    if (member != NULL)
      wb_json_put(&object, name, json_incref(member));
  }
  return object;
}

/* Names the sources of a list as the project does: the same on every machine that has it. */
static void rename_files(json_t *list, const json_t *paths)
{
  for (size_t i = 0; i < json_array_size(list); i++) {
    json_t *object = json_array_get(list, i);
    const char *file = json_string_value(json_object_get(object, "file"));
    json_t *path = file != NULL ? json_object_get(paths, file) : NULL;
    if (path != NULL)
      json_object_set(object, "file", path);
  }
}

void wb_check_baseline(const json_t *results, struct wb_text *text)
{
  /* What formats/results reads. */
  static const struct {
    const char *member, *names;
  } parts[] = {
      {"device", "name"},
      {"launch", "grid block blocks"},
      {"lower", "cycles kind"},
      {"upper", "cycles kind"},
      {"occupancy", "resident_blocks waves block_warps registers static_shared dynamic_shared "
                    "barriers"},
      {"breakdown", "name cycles"},
      {"lines", "file line address cycles"},
      {"loops", "file line address warp_bound"},
      {"accesses", "space store atomic file line address sectors wavefronts runs"},
      {"values", "name value"},
  };
  json_t *launches = json_array();
  const json_t *list = json_object_get(results, "launches");
  for (size_t l = 0; l < json_array_size(list); l++) {
    const json_t *row = json_array_get(list, l);
    json_t *object = only(row, "name kernel assumptions");
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
      json_t *part = only(json_object_get(row, parts[p].member), parts[p].names);
      if (json_is_array(part))
        rename_files(part, json_object_get(row, "paths"));
      wb_json_put(&object, parts[p].member, part);
    }
    wb_json_push(&launches, object);
  }
  wb_json_append(json_pack("{s:s, s:o}", "format", "warpbound-baseline-1", "launches", launches),
                 text);
}

/* ---- status ---- */

/* Of launches without a bound, or whose analysis a limit ended: the first one's status. */
static warpbound_status status_of_rows(const struct wb_check_report *report, warpbound_error *error)
{
  size_t count;
  const json_t **rows = wb_check_rows(report->results, &count);
  warpbound_status status = rows == NULL ? wb_out_of_memory(error) : WARPBOUND_OK;
  size_t others = 0;
  const json_t *first = NULL;
  for (size_t r = 0; rows != NULL && r < count; r++) {
    if (!is_refused(rows[r]) && !json_is_true(json_object_get(rows[r], "limited")))
      continue;
    others += first != NULL;
    first = first != NULL ? first : rows[r];
  }
  if (first != NULL)
    status = is_refused(first) ? (warpbound_status)number_of(first, "status") : WARPBOUND_LIMIT;
  if (first != NULL)
    (void)wb_fail(error, status, "%.100s: %s%s", text_of(first, "name"),
                  is_refused(first) ? "there is no bound" : "a limit was reached",
                  others > 0 ? "; and others" : "");
  free(rows);
  return status;
}

warpbound_status wb_check_status(const struct wb_check_report *report, warpbound_error *error)
{
  const json_t *launches = json_object_get(report->results, "launches");
  const size_t count = json_array_size(launches);
  const json_t *first = NULL;
  size_t refused = 0;
  for (size_t l = 0; l < count; l++) {
    const json_t *row = json_array_get(launches, l);
    if (json_is_true(json_object_get(row, "allowed")))
      continue;
    first = first != NULL ? first : row;
    refused++;
  }
  if (first != NULL) {
    struct wb_text words = {0};
    wb_check_verdict(first, &words);
    const warpbound_status status =
        words.failed ? wb_out_of_memory(error)
                     : wb_fail(error, WARPBOUND_CHECK_FAILED,
                               "%zu of %zu upper ends are not allowed, the first: %.100s: %.300s",
                               refused, count, text_of(first, "name"), words.data);
    wb_text_free(&words);
    return status;
  }
  if (report->compared != NULL && report->compared->comparison.failures > 0)
    return wb_fail(error, WARPBOUND_CHECK_FAILED, "%.500s", report->compared->failure);
  return status_of_rows(report, error);
}
