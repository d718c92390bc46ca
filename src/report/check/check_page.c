/* The index page of a check: a table of the launches that links a page of each. It needs no script,
 * no other file and no network. */
#include "report/check/check_report.h"

#include "base/text/quantity.h"
#include "report/analyze/analyze_report.h"
#include "report/html_text.h"
#include "report/report_words.h"
#include "warpbound.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text != NULL ? text : "";
}

/* The name, as a link where there is a page. */
static void put_name(const json_t *row, bool page, struct wb_text *text)
{
  struct wb_text name = {0};
  wb_check_page_name(row, &name);
  wb_text_string(text, "<tr><td>");
  if (page && name.data != NULL)
    wb_text_format(text, "<a href=\"%s\">", name.data);
  wb_html_text(text, text_of(row, "name"));
  wb_text_string(text, page ? "</a></td>" : "</td>");
  text->failed |= name.failed;
  wb_text_free(&name);
}

static void put_end(const json_t *end, struct wb_text *text)
{
  struct wb_text words = {0};
  wb_text_count(&words, (uint64_t)json_integer_value(json_object_get(end, "cycles")));
  wb_text_format(&words, " (%s)", text_of(end, "kind"));
  wb_html_cell(text, &words);
}

static void put_growth(const struct wb_launch_change *change, struct wb_text *text)
{
  struct wb_text words = {0};
  if (change == NULL || change->after == NULL)
    wb_text_string(&words, "");
  else if (change->before == NULL)
    wb_text_string(&words, "new");
  else {
    const struct wb_number_change *cause = wb_check_cause(change);
    wb_text_count(&words, change->before->upper.cycles);
    wb_text_string(&words, " before");
    if (cause != NULL && change->after->upper.cycles > change->before->upper.cycles)
      wb_text_format(&words, ", most by %s", cause->key);
  }
  wb_html_cell(text, &words);
}

static void put_row(const struct wb_check_report *report, const json_t *row, bool page,
                    struct wb_text *text)
{
  put_name(row, page, text);
  if (json_object_get(row, "status") != NULL) {
    wb_text_format(text, "<td colspan=\"%d\">no bound: ", report->compared != NULL ? 5 : 4);
    wb_html_text(text, text_of(row, "message"));
    wb_text_string(text, "</td></tr>\n");
    return;
  }
  struct wb_text words = {0};
  put_end(json_object_get(row, "lower"), text);
  put_end(json_object_get(row, "upper"), text);
  wb_analyze_write_time(
      json_number_value(json_object_get(json_object_get(row, "seconds"), "upper")), true, &words);
  wb_html_cell(text, &words);
  if (report->compared != NULL)
    put_growth(wb_check_change(report, row), text);
  words = (struct wb_text){0};
  wb_check_verdict(row, &words);
  wb_html_cell(text, &words);
  wb_text_string(text, "</tr>\n");
}

void wb_check_page(const struct wb_check_report *report, struct wb_text *text)
{
  size_t count;
  const json_t **rows = wb_check_rows(report->results, &count);
  wb_html_begin(text, text_of(report->results, "project"));
  wb_text_format(text,
                 "<table>\n<thead><tr><th>launch</th><th>at least</th><th>at most</th>"
                 "<th>time</th>%s<th>verdict</th></tr></thead>\n<tbody>\n",
                 report->compared != NULL ? "<th>baseline</th>" : "");
  for (size_t r = 0; rows != NULL && r < count; r++)
    put_row(report, rows[r], report->has_page != NULL && report->has_page[r], text);
  json_t *gone = wb_check_gone(report);
  for (size_t g = 0; g < json_array_size(gone); g++) {
    wb_text_string(text, "<tr><td>");
    wb_html_text(text, text_of(json_array_get(gone, g), "name"));
    wb_text_string(text, "</td><td colspan=\"5\">gone: the baseline has a bound of it</td></tr>\n");
  }
  text->failed |= rows == NULL || gone == NULL;
  json_decref(gone);
  free(rows);
  wb_text_string(text, "</tbody>\n</table>\n");
  wb_html_end(text);
}
