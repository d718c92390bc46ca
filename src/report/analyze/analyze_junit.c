/* Launches in the XML of JUnit, which continuous integration reads as tests: a test case for what
 * is allowed of each launch, or for its bound where nothing is asked. */
#include "report/analyze/analyze_report.h"

#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "report/analyze/analyze_parts.h"
#include "report/kernel_name.h"

#include <inttypes.h>

/* Appends a text of any bytes as XML. */
static void put_escaped(struct wb_text *text, const char *string)
{
  struct wb_text clean = {0};
  wb_text_clean(&clean, string);
  text->failed = text->failed || clean.failed;
  for (size_t at = 0; at < clean.length; at++) {
    switch (clean.data[at]) {
    case '<':
      wb_text_string(text, "&lt;");
      break;
    case '>':
      wb_text_string(text, "&gt;");
      break;
    case '&':
      wb_text_string(text, "&amp;");
      break;
    case '"':
      wb_text_string(text, "&quot;");
      break;
    default:
      wb_text_append(text, clean.data + at, 1);
    }
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

static void write_name(const struct wb_launch_report *report, struct wb_text *text)
{
  struct wb_text name = {0};
  if (report->name != NULL)
    wb_text_string(&name, report->name);
  else
    wb_kernel_name_write(wb_analyze_analysis(report)->function->name, &name);
  put_text(text, &name);
}

/* "at most 11,360 cycles (upper), 8.739 us; at least 5620 (lower)" */
static void write_bracket(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = wb_analyze_analysis(report);
  struct wb_text words = {0};
  wb_text_string(&words, "at most ");
  wb_text_count_of(&words, analysis->upper.cycles, "cycle");
  wb_text_format(&words, " (%s), ", warpbound_kind_name(analysis->upper_kind));
  wb_analyze_write_time(wb_analyze_seconds(analysis, analysis->upper.cycles), true, &words);
  wb_text_string(&words, " on ");
  wb_text_string(&words, analysis->device->name);
  wb_text_string(&words, "; at least ");
  wb_text_count(&words, analysis->lower);
  wb_text_format(&words, " (%s)", warpbound_kind_name(analysis->lower_kind));
  put_text(text, &words);
}

/* One test case. allowed: "deadline 2 ms", freed. */
static void write_case(const struct wb_launch_report *report, enum wb_allowance verdict,
                       struct wb_text *allowed, struct wb_text *text)
{
  wb_text_string(text, "    <testcase classname=\"");
  write_name(report, text);
  wb_text_string(text, "\" name=\"");
  put_text(text, allowed);
  wb_text_format(text, "\" time=\"%.6f\">\n", wb_analyze_analysis(report)->seconds);
  if (verdict > WB_ALLOWANCE_MET) {
    wb_text_format(text, "      <failure type=\"%s\" message=\"", wb_allowance_name(verdict));
    write_bracket(report, text);
    wb_text_string(text, "\"/>\n");
  }
  wb_text_string(text, "      <system-out>");
  write_bracket(report, text);
  wb_text_string(text, "</system-out>\n    </testcase>\n");
}

static void write_cases(const struct wb_launch_report *report, struct wb_text *text)
{
  struct wb_text allowed = {0};
  if (report->deadline_seconds > 0) {
    wb_text_string(&allowed, "deadline ");
    wb_analyze_write_time(report->deadline_seconds, false, &allowed);
    write_case(report, wb_analyze_deadline(report), &allowed, text);
  }
  if (report->budget > 0) {
    wb_text_format(&allowed, "budget %" PRIu64 " cycles", report->budget);
    write_case(report, wb_analyze_budget(report), &allowed, text);
  }
  if (report->deadline_seconds <= 0 && report->budget == 0) {
    wb_text_string(&allowed, "bound");
    write_case(report, WB_ALLOWANCE_NONE, &allowed, text);
  }
}

static void write_refused(const struct wb_refused_launches *refused, struct wb_text *text)
{
  for (size_t r = 0; r < refused->count; r++) {
    wb_text_string(text, "    <testcase classname=\"");
    put_escaped(text, refused->items[r].name);
    wb_text_string(text, "\" name=\"analysis\">\n      <error message=\"");
    put_escaped(text, refused->items[r].message);
    wb_text_string(text, "\"/>\n    </testcase>\n");
  }
}

void wb_analyze_junit(const struct wb_launch_report *reports, size_t count,
                      const struct wb_refused_launches *refused, struct wb_text *text)
{
  size_t tests = refused->count;
  size_t failures = 0;
  for (size_t r = 0; r < count; r++) {
    const size_t asked = (size_t)(reports[r].deadline_seconds > 0) + (reports[r].budget > 0);
    tests += asked > 0 ? asked : 1;
    failures += (size_t)(wb_analyze_deadline(&reports[r]) > WB_ALLOWANCE_MET) +
                (size_t)(wb_analyze_budget(&reports[r]) > WB_ALLOWANCE_MET);
  }
  wb_text_format(text,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<testsuites>\n"
                 "  <testsuite name=\"warpbound analyze\" tests=\"%zu\" failures=\"%zu\" "
                 "errors=\"%zu\" skipped=\"0\">\n",
                 tests, failures, refused->count);
  for (size_t r = 0; r < count; r++)
    write_cases(&reports[r], text);
  write_refused(refused, text);
  wb_text_string(text, "  </testsuite>\n</testsuites>\n");
}
