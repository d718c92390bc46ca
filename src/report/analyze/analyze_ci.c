/* Launches as files for continuous integration: JUnit XML, which is read as tests, and SARIF 2.1.0.
 */
#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "formats/json/json_output.h"
#include "report/analyze/analyze_report.h"
#include "report/html_text.h"
#include "report/report_words.h"
#include "report/sarif.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What makes the upper end an estimate, in a line; nothing where it is proven. */
static void write_doubts(const struct wb_launch_report *report, struct wb_text *words)
{
  const struct wb_estimate *estimate = &report->launch->analysis.upper_estimate;
  if (wb_is_estimate(estimate))
    wb_text_string(words, "; estimate because: ");
  wb_estimate_summary(estimate, words);
}

/* ---- JUnit: a test case for what is allowed of each launch, or for its bound where nothing is
 * asked ---- */

static void write_bracket(const struct wb_launch_report *report, struct wb_text *text)
{
  struct wb_launch_report plain = *report;
  struct wb_text words = {0};
  plain.colour = false;
  wb_analyze_bracket_text(&plain, &words);
  write_doubts(report, &words);
  wb_xml_text(text, &words);
}

/* The test cases so far. */
struct cases {
  size_t count, failures;
  struct wb_text text;
};

/* Adds a test case. name: "deadline 2 ms", freed. */
static void add_case(const struct wb_launch_report *report, enum wb_allowed allowed,
                     struct wb_text *name, struct cases *cases)
{
  const enum wb_allowance verdict = wb_analyze_verdict(report, allowed);
  const bool failure = verdict > WB_ALLOWANCE_MET || !wb_analyze_proof_kept(report);
  struct wb_text *text = &cases->text;
  cases->count++;
  cases->failures += failure;
  wb_text_string(text, "    <testcase classname=\"");
  struct wb_text launch = {0};
  if (report->name != NULL)
    wb_text_string(&launch, report->name);
  else
    wb_kernel_name_write(report->launch->analysis.function->name, &launch);
  wb_xml_text(text, &launch);
  wb_text_string(text, "\" name=\"");
  wb_xml_text(text, name);
  wb_text_format(text, "\" time=\"%.6f\">\n", report->launch->analysis.seconds);
  if (failure) {
    struct wb_text words = {0};
    wb_text_format(text, "      <failure type=\"%s\" message=\"",
                   verdict == WB_ALLOWANCE_EXCEEDED ? "exceeded" : "not proven");
    wb_analyze_write_verdict(report, allowed, &words);
    wb_text_string(&words, verdict != WB_ALLOWANCE_NONE ? "; " : "");
    wb_xml_text(text, &words);
    write_bracket(report, text);
    wb_text_string(text, "\"/>\n");
  }
  wb_text_string(text, "      <system-out>");
  write_bracket(report, text);
  wb_text_string(text, "</system-out>\n    </testcase>\n");
}

void wb_analyze_junit(const struct wb_launch_report *reports, size_t count,
                      const struct wb_refused_launches *refused, struct wb_text *text)
{
  struct cases cases = {0};
  for (size_t r = 0; r < count; r++) {
    const struct wb_launch_report *report = &reports[r];
    struct wb_text name = {0};
    if (report->deadline_seconds > 0) {
      wb_text_string(&name, "deadline ");
      wb_analyze_write_time(report->deadline_seconds, false, &name);
      add_case(report, WB_ALLOWED_DEADLINE, &name, &cases);
    }
    if (report->budget > 0) {
      wb_text_format(&name, "budget %" PRIu64 " cycles", report->budget);
      add_case(report, WB_ALLOWED_BUDGET, &name, &cases);
    }
    if (report->deadline_seconds <= 0 && report->budget == 0) {
      wb_text_string(&name, "bound");
      add_case(report, WB_ALLOWED_DEADLINE, &name, &cases);
    }
  }
  wb_text_format(text,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<testsuites>\n"
                 "  <testsuite name=\"warpbound analyze\" tests=\"%zu\" failures=\"%zu\" "
                 "errors=\"%zu\" skipped=\"0\">\n",
                 cases.count + refused->count, cases.failures, refused->count);
  wb_text_join(text, &cases.text);
  for (size_t r = 0; r < refused->count; r++) {
    struct wb_text words = {0};
    wb_text_string(&words, refused->items[r].name);
    wb_text_string(text, "    <testcase classname=\"");
    wb_xml_text(text, &words);
    wb_text_string(text, "\" name=\"analysis\">\n      <error message=\"");
    wb_text_string(&words, refused->items[r].message);
    wb_xml_text(text, &words);
    wb_text_string(text, "\"/>\n    </testcase>\n");
  }
  wb_text_string(text, "  </testsuite>\n</testsuites>\n");
}

/* The text is freed. */
static json_t *result_json(const struct wb_launch_report *report, enum wb_sarif_rule rule,
                           uint32_t instruction, struct wb_text *words)
{
  /* The place of an instruction in its source, or else in the input. */
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const struct wb_instruction *at = &analysis->function->instructions[instruction];
  const bool source = at->source_file > 0 && at->source_line > 0;
  const char *input = report->file != NULL ? report->file : analysis->code->name;
  struct wb_text uri = {0};
  wb_uri_path(source ? analysis->code->files[at->source_file - 1] : input, &uri);
  json_t *physical = json_pack("{s:{s:o}}", "artifactLocation", "uri", wb_json_clean_text(&uri));
  if (source)
    wb_json_put(&physical, "region", json_pack("{s:I}", "startLine", (json_int_t)at->source_line));
  json_t *result = wb_sarif_result(rule, words);
  wb_json_put(&result, "locations",
              json_pack("[{s:o, s:[{s:o, s:s}]}]", "physicalLocation", physical, "logicalLocations",
                        "name", wb_json_clean(analysis->function->name), "kind", "function"));
  return result;
}

static void write_launch(const struct wb_launch_report *report, struct wb_text *words)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  if (report->name != NULL)
    wb_text_format(words, "%s: ", report->name);
  wb_kernel_name_write(analysis->function->name, words);
  wb_text_format(words, ": worst case at most %s (%s), ",
                 WB_COUNT_OF(analysis->upper.cycles, "cycle"),
                 warpbound_kind_name(analysis->upper_kind));
  wb_analyze_write_time(wb_analyze_seconds(analysis, analysis->upper.cycles), true, words);
  wb_text_format(words, " on %s", analysis->device->name);
}

static void push_allowance(const struct wb_launch_report *report, enum wb_allowed allowed,
                           json_t **results)
{
  const enum wb_allowance verdict = wb_analyze_verdict(report, allowed);
  struct wb_text words = {0};
  if (verdict == WB_ALLOWANCE_NONE ||
      (verdict == WB_ALLOWANCE_MET && wb_analyze_proof_kept(report)))
    return;
  write_launch(report, &words);
  if (allowed == WB_ALLOWED_DEADLINE) {
    wb_text_string(&words, "; deadline of ");
    wb_analyze_write_time(report->deadline_seconds, false, &words);
  } else {
    wb_text_format(&words, "; budget of %s", WB_COUNT_OF(report->budget, "cycle"));
  }
  wb_text_string(&words, " ");
  wb_analyze_write_verdict(report, allowed, &words);
  write_doubts(report, &words);
  wb_json_push(results,
               result_json(report,
                           allowed == WB_ALLOWED_DEADLINE ? WB_SARIF_DEADLINE : WB_SARIF_BUDGET, 0,
                           &words));
}

/* What an access is one cause with, whatever the number of launches that have it: accesses of one
 * kind in a line of the source; without a line the instruction alone. */
static void write_cause(const struct wb_launch_analysis *analysis, const struct wb_access *access,
                        struct wb_text *cause)
{
  const struct wb_instruction *at = &analysis->function->instructions[access->instruction];
  wb_text_clean(cause, analysis->function->name);
  wb_text_format(cause, "\n%s %s\n", wb_memory_space_name(access->space),
                 wb_access_kind_name(access));
  if (at->source_line > 0 && at->source_file > 0)
    wb_text_format(cause, "%" PRIu32 ":%" PRIu32, at->source_file, at->source_line);
  else
    wb_text_format(cause, "0x%04" PRIx32, at->address);
}

/* The worst of so many accesses that are one cause; seen: causes of launches before. */
static void push_access(const struct wb_launch_report *report, const struct wb_access *access,
                        size_t count, json_t *seen, json_t **results)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  struct wb_text words = {0};
  struct wb_text key = {0};
  write_cause(analysis, access, &key);
  const bool fresh = key.failed || json_object_get(seen, key.data) == NULL;
  if (fresh && !key.failed)
    json_object_set_new(seen, key.data, json_true());
  wb_text_free(&key);
  if (!fresh)
    return;
  wb_text_format(&words, "%s %s at 0x%04" PRIx32 " may take %" PRIu32 " %s instead of %" PRIu32,
                 wb_memory_space_name(access->space), wb_access_kind_name(access),
                 analysis->function->instructions[access->instruction].address,
                 wb_access_transactions(access),
                 wb_access_transaction_name(access, wb_access_transactions(access)), access->ideal);
  wb_sarif_write_others(count, &words);
  if (access->reason != NULL)
    wb_text_format(&words, ": %s", access->reason);
  wb_json_push(results, result_json(report, WB_SARIF_ACCESS, access->instruction, &words));
}

static void push_accesses(const struct wb_launch_report *report, json_t *seen, json_t **results)
{
  const struct wb_launch_analysis *analysis = &report->launch->analysis;
  const struct wb_accesses *accesses = &analysis->accesses;
  json_t *groups = json_object();
  const char *key;
  json_t *group;
  for (size_t a = 0; a < accesses->count; a++) {
    const struct wb_access *access = &accesses->items[a];
    struct wb_text cause = {0};
    if (!wb_access_is_wasteful(access))
      continue;
    write_cause(analysis, access, &cause);
    (void)wb_sarif_group(groups, &cause, a, wb_access_transactions(access) - access->ideal);
  }
  json_object_foreach(groups, key, group)
  {
    const struct wb_sarif_cause cause = wb_sarif_cause_of(group);
    push_access(report, &accesses->items[cause.index], cause.count, seen, results);
  }
  json_decref(groups);
}

void wb_analyze_sarif(const struct wb_launch_report *reports, size_t count,
                      const struct wb_refused_launches *refused, struct wb_text *text)
{
  json_t *results = json_array();
  json_t *seen = json_object();
  for (size_t r = 0; r < count; r++) {
    const struct wb_launch_report *report = &reports[r];
    push_allowance(report, WB_ALLOWED_DEADLINE, &results);
    push_allowance(report, WB_ALLOWED_BUDGET, &results);
    if (report->deadline_seconds <= 0 && report->budget <= 0 && !wb_analyze_proof_kept(report)) {
      struct wb_text words = {0};
      write_launch(report, &words);
      wb_text_string(&words, "; a proof is required");
      write_doubts(report, &words);
      wb_json_push(&results, result_json(report, WB_SARIF_PROOF, 0, &words));
    }
    push_accesses(report, seen, &results);
  }
  json_decref(seen);
  json_t *notes = json_array(); /* on how the analysis went */
  for (size_t r = 0; r < refused->count; r++) {
    struct wb_text words = {0};
    wb_text_format(&words, "%s: %s", refused->items[r].name, refused->items[r].message);
    wb_json_push(&notes, json_pack("{s:s, s:{s:o}}", "level", "error", "message", "text",
                                   wb_json_clean_text(&words)));
  }
  json_t *run = json_pack("{s:o, s:[{s:b, s:o}], s:s, s:o}", "tool",
                          wb_sarif_tool(WB_SARIF_PROOF + 1), "invocations", "executionSuccessful",
                          refused->count == 0, "toolExecutionNotifications", notes, "columnKind",
                          "utf16CodeUnits", "results", results);
  wb_sarif_write(run, text);
}
