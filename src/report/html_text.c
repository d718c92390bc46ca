#include "report/html_text.h"

#include "base/text/utf8.h"
#include "report/embedded.h"
#include "report/report_words.h"

#include <string.h>

/* Appends a text that is clean, and frees it. */
static void append_escaped(struct wb_text *text, struct wb_text *clean)
{
  for (size_t at = 0; at < clean->length; at++) {
    const char character = clean->data[at];
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
  text->failed |= clean->failed;
  wb_text_free(clean);
}

void wb_html_text(struct wb_text *text, const char *words)
{
  struct wb_text clean = {0};
  wb_text_clean(&clean, words);
  append_escaped(text, &clean);
}

void wb_xml_text(struct wb_text *text, struct wb_text *words)
{
  struct wb_text clean = {0};
  wb_text_join_clean(&clean, words);
  append_escaped(text, &clean);
}

void wb_html_cell(struct wb_text *text, struct wb_text *words)
{
  wb_text_string(text, "<td>");
  wb_html_text(text, words->data != NULL ? words->data : "");
  wb_text_string(text, "</td>");
  text->failed |= words->failed;
  wb_text_free(words);
}

void wb_uri_path(const char *path, struct wb_text *uri)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  wb_text_string(uri, "");
  for (const char *c = path; *c != '\0'; c++) {
    if (strchr(plain, *c) != NULL)
      wb_text_append(uri, c, 1);
    else if (*c == '\\')
      wb_text_string(uri, "/");
    else
      wb_text_format(uri, "%%%02X", (unsigned)(unsigned char)*c);
  }
}

void wb_html_begin(struct wb_text *text, const char *title)
{
  wb_text_format(text,
                 "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<link rel=\"icon\" href=\"data:,\">\n<title>Warpbound: ",
                 wb_embedded_page_style_hash);
  wb_html_text(text, title);
  wb_text_string(text, "</title>\n<style>");
  wb_text_append(text, (const char *)wb_embedded_page_style, wb_embedded_page_style_length);
  wb_text_string(text, "</style>\n</head>\n<body>\n<main>\n<h1>");
  wb_html_text(text, title);
  wb_text_string(text, "</h1>\n");
}

void wb_html_end(struct wb_text *text)
{
  wb_text_string(text, "<p>Cycles of the device's clock; warpbound " WARPBOUND_VERSION
                       ".</p>\n</main>\n</body>\n</html>\n");
}
