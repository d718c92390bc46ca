/* Texts of any bytes as HTML, for pages that no script fills, as XML, and as addresses. */
#ifndef WB_REPORT_HTML_TEXT_H
#define WB_REPORT_HTML_TEXT_H

#include "base/text.h"

/* Appends a text, cleaned and escaped. */
void wb_html_text(struct wb_text *text, const char *words);
/* The same of a text that was put together, as XML; frees it. */
void wb_xml_text(struct wb_text *text, struct wb_text *words);
/* The same of a text that was put together, as a cell of a table; frees it. */
void wb_html_cell(struct wb_text *text, struct wb_text *words);
/* Appends a path as a URI reference: what is no plain character is escaped. */
void wb_uri_path(const char *path, struct wb_text *uri);
/* The page up to its heading, which is also its title: it loads nothing, and has no script. Closed
 * by wb_html_end. */
void wb_html_begin(struct wb_text *text, const char *title);
void wb_html_end(struct wb_text *text);

#endif
