/* Launches in the XML of JUnit, which continuous integration reads as tests: a test case for what
 * is allowed of each launch, or for its bound where nothing is asked. */
#include "report/analyze/analyze_report.h"

#include "base/text/utf8.h"
#include "report/analyze/analyze_parts.h"
#include "report/report_words.h"

#include <inttypes.h>

/* Appends a text of any bytes as XML. */
static void put_escaped(struct wb_text *text, const char *string)
{
  struct wb_text clean = {0};
  wb_text_clean(&clean, string);
  text->failed = text->failed || clean.failed;
  for (size_t at = 0; at < clean.length; at++) {
    const char character = clean.data[at];
    const char *escape = character == '<'   ? "&lt;"
                         : character == '>' ? "&gt;"
                         : character == '&' ? "&amp;"
                         : character == '"' ? "&quot;"
                                            : NULL;
    if (escape != NULL)
      wb_text_string(text, escape);
    else
      wb_text_append(text, &character, 1);
  }
  wb_text_free(&clean);
}

/* The same of a text that was put together, which is freed. */
static void put_text(struct wb_text *text, struct wb_text *part)
{
  text->failed = text->failed || part->failed;
  put_escaped(text, part->data != NULL ? part->data : "");
  wb_text_free(part);
}

static void write_bracket(const struct wb_launch_report *report, struct wb_text *text)
{
  struct wb_launch_report plain = *report;
  struct wb_text words = {0};
  plain.colour = false;
  wb_analyze_bracket_text(&plain, &words);
  if (wb_is_estimate(&wb_analyze_analysis(report)->upper_estimate))
    wb_text_string(&words, "; estimate because: ");
  wb_analyze_doubts(report, &words);
  put_text(text, &words);
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
    wb_kernel_name_write(wb_analyze_analysis(report)->function->name, &launch);
  put_text(text, &launch);
  wb_text_string(text, "\" name=\"");
  put_text(text, name);
  wb_text_format(text, "\" time=\"%.6f\">\n", wb_analyze_analysis(report)->seconds);
  if (failure) {
    struct wb_text words = {0};
    wb_text_format(text, "      <failure type=\"%s\" message=\"",
                   verdict == WB_ALLOWANCE_EXCEEDED ? "exceeded" : "not proven");
    wb_analyze_write_verdict(report, allowed, &words);
    wb_text_string(&words, verdict != WB_ALLOWANCE_NONE ? "; " : "");
    put_text(text, &words);
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
  text->failed = text->failed || cases.text.failed;
  wb_text_append(text, cases.text.data, cases.text.length);
  wb_text_free(&cases.text);
  for (size_t r = 0; r < refused->count; r++) {
    wb_text_string(text, "    <testcase classname=\"");
    put_escaped(text, refused->items[r].name);
    wb_text_string(text, "\" name=\"analysis\">\n      <error message=\"");
    put_escaped(text, refused->items[r].message);
    wb_text_string(text, "\"/>\n    </testcase>\n");
  }
  wb_text_string(text, "  </testsuite>\n</testsuites>\n");
}
