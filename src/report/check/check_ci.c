/* The results of a check for continuous integration: SARIF 2.1.0, JUnit XML. */
#include "report/check/check_report.h"

#include "base/text/quantity.h"
#include "formats/json/json_output.h"
#include "report/html_text.h"
#include "report/report_words.h"
#include "report/sarif.h"
#include "warpbound.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text != NULL ? text : "";
}

static bool is_refused(const json_t *row)
{
  return json_object_get(row, "status") != NULL;
}

static const char *verdict_of(const json_t *row, const char *allowance)
{
  return text_of(json_object_get(row, allowance), "verdict");
}

static bool is_unproven(const json_t *row)
{
  return json_is_true(json_object_get(row, "require_proof")) &&
         strcmp(text_of(json_object_get(row, "upper"), "kind"), "estimate") == 0;
}

/* "worst case at most 64,270 cycles (upper) on orin-agx". */
static void write_bound(const json_t *row, struct wb_text *text)
{
  const json_t *upper = json_object_get(row, "upper");
  wb_text_string(text, "worst case at most ");
  wb_text_count_of(text, (uint64_t)json_integer_value(json_object_get(upper, "cycles")), "cycle");
  wb_text_format(text, " (%s) on %s", text_of(upper, "kind"),
                 text_of(json_object_get(row, "device"), "name"));
}

/* "the upper end grew by 10.42 %, most by matrix_multiply.cu:20 (+5232 cycles)". */
static void write_growth(const struct wb_launch_change *change, struct wb_text *text)
{
  const struct wb_number_change *cause = wb_check_cause(change);
  if (change->failure == WB_COMPARE_MISSING) {
    wb_text_string(text, "the baseline has a bound of it, and these results have none");
    return;
  }
  if (change->failure == WB_COMPARE_UNPROVEN)
    wb_text_string(text, "the upper end is no longer proven; ");
  if (change->failure == WB_COMPARE_SLOWER)
    wb_text_string(text, "the clock is another one, and the upper end later; ");
  wb_text_string(text, "at most ");
  wb_text_count_of(text, change->before->upper.cycles, "cycle");
  wb_text_string(text, " in the baseline, now ");
  wb_text_count(text, change->after->upper.cycles);
  if (cause != NULL)
    wb_text_format(text, ", most by %s (%+.0f cycles)", cause->key, cause->after - cause->before);
}

/* ---- JUnit ---- */

struct suite {
  size_t tests, failures, errors;
  struct wb_text cases;
};

/* A test case; kind: "failure", "error", or NULL where it passes. Frees the words. */
static void add_case(struct suite *suite, const json_t *row, const char *name, const char *kind,
                     struct wb_text *words)
{
  struct wb_text launch = {0};
  suite->tests++;
  suite->failures += kind != NULL && strcmp(kind, "failure") == 0;
  suite->errors += kind != NULL && strcmp(kind, "error") == 0;
  wb_text_string(&launch, text_of(row, "name"));
  wb_text_string(&suite->cases, "    <testcase classname=\"");
  wb_xml_text(&suite->cases, &launch);
  wb_text_format(&suite->cases, "\" name=\"%s\">\n", name);
  if (kind != NULL)
    wb_text_format(&suite->cases, "      <%s message=\"", kind);
  else
    wb_text_string(&suite->cases, "      <system-out>");
  wb_xml_text(&suite->cases, words);
  wb_text_string(&suite->cases, kind != NULL ? "\"/>\n" : "</system-out>\n");
  wb_text_string(&suite->cases, "    </testcase>\n");
}

static void add_allowance(struct suite *suite, const json_t *row, const char *allowance)
{
  const json_t *asked = json_object_get(row, allowance);
  struct wb_text words = {0};
  if (asked == NULL)
    return;
  wb_text_format(&words, "%s; ", text_of(asked, "words"));
  write_bound(row, &words);
  add_case(suite, row, allowance, strcmp(text_of(asked, "verdict"), "met") == 0 ? NULL : "failure",
           &words);
}

static void add_row(const struct wb_check_report *report, struct suite *suite, const json_t *row)
{
  const struct wb_launch_change *change = wb_check_change(report, row);
  struct wb_text words = {0};
  if (is_refused(row)) {
    wb_text_string(&words, text_of(row, "message"));
    add_case(suite, row, "bound", "error", &words);
    return;
  }
  write_bound(row, &words);
  add_case(suite, row, "bound", is_unproven(row) ? "failure" : NULL, &words);
  add_allowance(suite, row, "deadline");
  add_allowance(suite, row, "budget");
  if (change != NULL && change->before != NULL) {
    struct wb_text growth = {0};
    write_growth(change, &growth);
    add_case(suite, row, "baseline", change->failure != WB_COMPARE_PASSED ? "failure" : NULL,
             &growth);
  }
}

void wb_check_junit(const struct wb_check_report *report, struct wb_text *text)
{
  struct suite suite = {0};
  size_t count;
  const json_t **rows = wb_check_rows(report->results, &count);
  text->failed |= rows == NULL;
  for (size_t r = 0; rows != NULL && r < count; r++)
    add_row(report, &suite, rows[r]);
  free(rows);
  wb_text_format(text,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<testsuites>\n"
                 "  <testsuite name=\"warpbound check\" tests=\"%zu\" failures=\"%zu\" "
                 "errors=\"%zu\" skipped=\"0\">\n",
                 suite.tests, suite.failures, suite.errors);
  wb_text_join(text, &suite.cases);
  wb_text_string(text, "  </testsuite>\n</testsuites>\n");
}

/* ---- SARIF ---- */

/* The results so far, and the causes that they have been written for. */
struct results {
  json_t *list;
  json_t *seen;
  const char *project;
  const char *pages; /* as of the report; NULL where the row at hand has no page */
};

/* Whether a cause is new. Frees it. */
static bool is_new(struct results *results, struct wb_text *cause)
{
  const bool fresh = cause->failed || json_object_get(results->seen, cause->data) == NULL;
  if (fresh && !cause->failed)
    json_object_set_new(results->seen, cause->data, json_true());
  wb_text_free(cause);
  return fresh;
}

/* A path as a relative URI reference. */
static json_t *uri_json(const json_t *row, const char *file)
{
  const char *path = json_string_value(json_object_get(json_object_get(row, "paths"), file));
  struct wb_text uri = {0};
  wb_uri_path(path != NULL ? path : file, &uri);
  return wb_json_clean_text(&uri);
}

/* The address of the row's page. */
static void write_page(const struct results *results, const json_t *row, struct wb_text *uri)
{
  wb_text_string(uri, results->pages);
  wb_check_page_name(row, uri);
}

/* Adds a link to the row's page, as messages of SARIF have them. */
static void add_link(const struct results *results, const json_t *row, struct wb_text *words)
{
  if (results->pages == NULL)
    return;
  wb_text_string(words, " ([page](");
  write_page(results, row, words);
  wb_text_string(words, "))");
}

/* Adds a result at a line of a file; line 0: of the whole file. Frees the words. */
static void push(struct results *results, const json_t *row, enum wb_sarif_rule rule,
                 const char *file, json_int_t line, struct wb_text *words)
{
  json_t *location = json_pack("{s:{s:o, s:s}}", "artifactLocation", "uri", uri_json(row, file),
                               "uriBaseId", "PROJECT");
  if (line > 0)
    wb_json_put(&location, "region", json_pack("{s:I}", "startLine", line));
  json_t *place = json_pack("{s:o}", "physicalLocation", location);
  if (text_of(row, "kernel")[0] != '\0')
    wb_json_put(&place, "logicalLocations",
                json_pack("[{s:s, s:s}]", "name", text_of(row, "kernel"), "kind", "function"));
  json_t *result = wb_sarif_result(rule, words);
  wb_json_put(&result, "locations", json_pack("[o]", place));
  if (results->pages != NULL) {
    struct wb_text uri = {0};
    write_page(results, row, &uri);
    wb_json_put(&result, "attachments",
                json_pack("[{s:{s:s}, s:{s:o}}]", "description", "text",
                          "the page of the launch in the report", "artifactLocation", "uri",
                          wb_json_clean_text(&uri)));
  }
  wb_json_push(&results->list, result);
}

/* The same at the kernel's first line, else in the file of the project. */
static void push_at_kernel(struct results *results, const json_t *row, enum wb_sarif_rule rule,
                           struct wb_text *words)
{
  const json_t *place = json_object_get(row, "place");
  const char *file = text_of(place, "file");
  if (file[0] != '\0')
    push(results, row, rule, file, json_integer_value(json_object_get(place, "line")), words);
  else
    push(results, row, rule, results->project, json_integer_value(json_object_get(row, "line")),
         words);
}

static void write_launch(const json_t *row, struct wb_text *words)
{
  wb_text_format(words, "%s: ", text_of(row, "name"));
  wb_kernel_name_write(text_of(row, "kernel"), words);
  wb_text_string(words, ": ");
  write_bound(row, words);
}

/* One result for what is asked of a launch: the deadline, else the budget, else the proof. */
static void push_allowance(struct results *results, const json_t *row)
{
  struct wb_text words = {0};
  struct wb_text verdict = {0};
  if (json_is_true(json_object_get(row, "allowed")))
    return;
  const char *deadline = verdict_of(row, "deadline");
  const char *budget = verdict_of(row, "budget");
  const enum wb_sarif_rule rule =
      deadline[0] != '\0' && strcmp(deadline, "met") != 0 ? WB_SARIF_DEADLINE
      : budget[0] != '\0' && strcmp(budget, "met") != 0   ? WB_SARIF_BUDGET
                                                          : WB_SARIF_PROOF;
  write_launch(row, &words);
  wb_check_verdict(row, &verdict);
  wb_text_string(&words, "; ");
  wb_text_join(&words, &verdict);
  add_link(results, row, &words);
  push_at_kernel(results, row, rule, &words);
}

/* Launches beside the first one that a line made slower than the baseline allows. */
static size_t others_of(const struct wb_check_report *report, const char *line)
{
  const struct wb_result_comparison *comparison = &report->compared->comparison;
  size_t count = 0;
  for (size_t l = 0; l < comparison->count; l++) {
    const struct wb_launch_change *change = &comparison->launches[l];
    const bool failed = change->failure != WB_COMPARE_PASSED && change->after != NULL;
    const struct wb_number_change *cause = failed ? wb_check_cause(change) : NULL;
    count += cause != NULL && strcmp(cause->key, line) == 0;
  }
  return count > 0 ? count - 1 : 0;
}

/* At the line that made the launch slower; one result for all launches that it did so. The keys of
 * lines are FILE:LINE. */
static void push_growth(const struct wb_check_report *report, struct results *results,
                        const json_t *row)
{
  const struct wb_launch_change *change = wb_check_change(report, row);
  struct wb_text words = {0};
  struct wb_text key = {0};
  if (change == NULL || change->failure == WB_COMPARE_PASSED || change->after == NULL)
    return;
  const struct wb_number_change *cause = wb_check_cause(change);
  const char *colon = cause != NULL ? strrchr(cause->key, ':') : NULL;
  wb_text_format(&key, "growth\n%s", colon != NULL ? cause->key : text_of(row, "name"));
  if (!is_new(results, &key))
    return;
  wb_text_format(&words, "%s: ", text_of(row, "name"));
  write_growth(change, &words);
  if (colon == NULL) {
    add_link(results, row, &words);
    push_at_kernel(results, row, WB_SARIF_GROWTH, &words);
    return;
  }
  const size_t others = others_of(report, cause->key);
  if (others > 0)
    wb_text_format(&words, "; and %zu more launch%s", others, others > 1 ? "es" : "");
  add_link(results, row, &words);
  struct wb_text file = {0};
  wb_text_append(&file, cause->key, (size_t)(colon - cause->key));
  push(results, row, WB_SARIF_GROWTH, file.failed ? "" : file.data, strtol(colon + 1, NULL, 10),
       &words);
  wb_text_free(&file);
}

static const char *kind_of_access(const json_t *access)
{
  return json_is_true(json_object_get(access, "atomic"))  ? "atomic"
         : json_is_true(json_object_get(access, "store")) ? "store"
                                                          : "load";
}

/* What an access of a row is one cause with, whatever the number of launches that have it: accesses
 * of one kind in a line of the source; without a line the instruction alone. */
static void write_cause(const json_t *row, const json_t *access, struct wb_text *cause)
{
  wb_text_format(cause, "%s\n%s\n%s %s\n", text_of(row, "binary"), text_of(row, "kernel"),
                 text_of(access, "space"), kind_of_access(access));
  if (text_of(access, "file")[0] != '\0')
    wb_text_format(cause, "%s:%" PRId64, text_of(access, "file"),
                   (int64_t)json_integer_value(json_object_get(access, "line")));
  else
    wb_text_format(cause, "%" PRId64,
                   (int64_t)json_integer_value(json_object_get(access, "address")));
}

static json_int_t transactions_of(const json_t *access)
{
  const bool shared = strcmp(text_of(access, "space"), "shared") == 0;
  return json_integer_value(json_object_get(access, shared ? "wavefronts" : "sectors"));
}

/* The worst of so many accesses that are one cause. */
static void push_access(struct results *results, const json_t *row, const json_t *access,
                        size_t count)
{
  const char *space = text_of(access, "space");
  struct wb_text cause = {0};
  struct wb_text words = {0};
  write_cause(row, access, &cause);
  if (!is_new(results, &cause))
    return;
  wb_text_format(
      &words, "%s %s at 0x%04" PRIx64 " may take %" PRId64 " %s instead of %" PRId64, space,
      kind_of_access(access), (uint64_t)json_integer_value(json_object_get(access, "address")),
      (int64_t)transactions_of(access), strcmp(space, "shared") == 0 ? "wavefronts" : "sectors",
      (int64_t)json_integer_value(json_object_get(access, "ideal")));
  wb_sarif_write_others(count, &words);
  if (text_of(access, "reason")[0] != '\0')
    wb_text_format(&words, ": %s", text_of(access, "reason"));
  const char *file = text_of(access, "file");
  if (file[0] != '\0')
    push(results, row, WB_SARIF_ACCESS, file, json_integer_value(json_object_get(access, "line")),
         &words);
  else
    push(results, row, WB_SARIF_ACCESS, text_of(row, "binary"), 0, &words);
}

static void push_accesses(struct results *results, const json_t *row)
{
  const json_t *accesses = json_object_get(row, "accesses");
  json_t *groups = json_object();
  const char *key;
  json_t *group;
  for (size_t a = 0; a < json_array_size(accesses); a++) {
    const json_t *access = json_array_get(accesses, a);
    const json_int_t ideal = json_integer_value(json_object_get(access, "ideal"));
    struct wb_text cause = {0};
    if (!json_is_true(json_object_get(access, "wasteful")))
      continue;
    write_cause(row, access, &cause);
    (void)wb_sarif_group(groups, &cause, a, (uint64_t)(transactions_of(access) - ideal));
  }
  json_object_foreach(groups, key, group)
  {
    const struct wb_sarif_cause cause = wb_sarif_cause_of(group);
    push_access(results, row, json_array_get(accesses, cause.index), cause.count);
  }
  json_decref(groups);
}

/* One result for all launches that lack the same. */
static void push_refusal(struct results *results, const json_t *row)
{
  struct wb_text cause = {0};
  struct wb_text words = {0};
  const char *file = text_of(row, "file");
  wb_text_format(&cause, "%s\n%s", text_of(row, "binary"), text_of(row, "message"));
  if (!is_new(results, &cause))
    return;
  wb_text_format(&words, "%s: %s", text_of(row, "name"), text_of(row, "message"));
  add_link(results, row, &words);
  const bool missing =
      json_integer_value(json_object_get(row, "status")) == WARPBOUND_FACTS_MISSING;
  if (file[0] != '\0' && !missing)
    push(results, row, WB_SARIF_FACTS, file, json_integer_value(json_object_get(row, "file_line")),
         &words);
  else
    push(results, row, WB_SARIF_FACTS, results->project,
         json_integer_value(json_object_get(row, "line")), &words);
}

static void push_row(const struct wb_check_report *report, struct results *results,
                     const json_t *row)
{
  if (is_refused(row)) {
    push_refusal(results, row);
    return;
  }
  push_allowance(results, row);
  push_growth(report, results, row);
  push_accesses(results, row);
}

void wb_check_sarif(const struct wb_check_report *report, struct wb_text *text)
{
  struct results results = {
      .list = json_array(), .seen = json_object(), .project = text_of(report->results, "project")};
  size_t count;
  const json_t **rows = wb_check_rows(report->results, &count);
  text->failed |= rows == NULL;
  for (size_t r = 0; rows != NULL && r < count; r++) {
    results.pages = report->has_page != NULL && report->has_page[r] ? report->pages : NULL;
    push_row(report, &results, rows[r]);
  }
  free(rows);
  json_decref(results.seen);
  const bool refused = json_array_size(json_object_get(report->results, "refused")) > 0;
  json_t *run = json_pack("{s:o, s:[{s:b}], s:{s:{s:{s:s}}}, s:s, s:o}", "tool",
                          wb_sarif_tool(WB_SARIF_RULES), "invocations", "executionSuccessful",
                          (int)!refused, "originalUriBaseIds", "PROJECT", "description", "text",
                          "The folder of the project file.", "columnKind", "utf16CodeUnits",
                          "results", results.list);
  wb_sarif_write(run, text);
}
