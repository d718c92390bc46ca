/* The page on a launch: the parts of src/report/analyze/page around the data. What comes from the
 * input stands in one JSON text, in which nothing can end the element that holds it; the browser is
 * told to run the page's own script alone (its SHA-256 is in the policy) and to load nothing. */
#include "report/analyze/analyze_report.h"

#include "formats/json/json_output.h"
#include "report/analyze/analyze_parts.h"
#include "report/analyze/page_data.h"
#include "report/analyze/page_parts.h"

static void append(struct wb_text *text, const unsigned char *bytes, size_t length)
{
  wb_text_append(text, (const char *)bytes, length);
}

/* ---- the data ---- */

static void write_data(const struct wb_launch_report *report, struct wb_text *text)
{
  struct wb_text json = {0};
  json_t *data = json_object();
  wb_json_put(&data, "result", wb_analyze_object(report));
  wb_json_put(&data, "bounded", json_boolean(wb_analyze_has_bound(report)));
  wb_json_put(
      &data, "file",
      wb_json_clean(report->file != NULL ? report->file : wb_analyze_analysis(report)->code->name));
  wb_json_put(&data, "version", json_string(WARPBOUND_VERSION));
  wb_json_put(&data, "code", wb_page_code(report));
  wb_json_put(&data, "files", wb_page_files(report));
  wb_json_put(&data, "graph", wb_page_graph(report));
  wb_json_put(&data, "timeline", wb_page_timeline(report));
  wb_json_put(&data, "missing", wb_page_template(report));
  if (data != NULL)
    wb_json_write(data, JSON_COMPACT, &json);
  json_decref(data);
  if (json.length > 0 && !json.failed) {
    /* JSON in which no character means anything to HTML: those that could stand in strings alone,
     * and are written as escapes there. */
    const char *from = json.data;
    for (const char *at = json.data; *at != '\0'; at++) {
      const bool line_end =
          at[0] == '\xe2' && at[1] == '\x80' && (at[2] == '\xa8' || at[2] == '\xa9');
      if (*at != '<' && *at != '>' && *at != '&' && !line_end)
        continue;
      wb_text_append(text, from, (size_t)(at - from));
      if (line_end) {
        wb_text_format(text, "\\u202%c", at[2] == '\xa8' ? '8' : '9');
        at += 2;
      } else {
        wb_text_format(text, "\\u%04x", (unsigned)*at);
      }
      from = at + 1;
    }
    wb_text_string(text, from);
  } else {
    text->failed = true;
  }
  wb_text_free(&json);
}

/* ---- the page ---- */

void wb_analyze_page(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_text_string(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "script-src ");
  wb_text_format(text, "'%s'; style-src '%s'", wb_embedded_page_script_hash,
                 wb_embedded_page_style_hash);
  wb_text_string(text, "; img-src data:; base-uri 'none'; form-action 'none'\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>Warpbound report</title>\n<link rel=\"icon\" href=\"data:,\">\n"
                       "<style>");
  append(text, wb_embedded_page_style, wb_embedded_page_style_length);
  wb_text_string(text, "</style>\n</head>\n<body>\n");
  append(text, wb_embedded_page_body, wb_embedded_page_body_length);
  wb_text_string(text, "<script type=\"application/json\" id=\"data\">");
  write_data(report, text);
  wb_text_string(text, "</script>\n<script>");
  /* The script: its parts one after the other; the first has "use strict", the last one starts. */
  append(text, wb_embedded_page_base, wb_embedded_page_base_length);
  append(text, wb_embedded_page_overview, wb_embedded_page_overview_length);
  append(text, wb_embedded_page_lists, wb_embedded_page_lists_length);
  append(text, wb_embedded_page_code, wb_embedded_page_code_length);
  append(text, wb_embedded_page_pictures, wb_embedded_page_pictures_length);
  append(text, wb_embedded_page_start, wb_embedded_page_start_length);
  wb_text_string(text, "</script>\n</body>\n</html>\n");
}
