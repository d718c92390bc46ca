/* Plain text for people: tables whose columns are as wide as their widest cell, and long lines
 * that are broken. */
#ifndef WB_REPORT_MEASURED_TEXT_COLUMNS_H
#define WB_REPORT_MEASURED_TEXT_COLUMNS_H

#include "base/text.h"

#include <stddef.h>

/* Characters of a line of words. */
#define WB_TEXT_WIDTH 120
/* Columns that are aligned; cells behind them follow as they are. */
#define WB_TEXT_COLUMNS 10

/* Writes a table of which each row ends with a line feed and its cells are parted by tabs, `indent`
 * blanks before each row and two between columns; no blanks at the end of a row. A row without a
 * tab is a line of its own: it is written as it stands and widens no column. A failure of rows is
 * the text's. */
void wb_text_columns(struct wb_text *text, size_t indent, const struct wb_text *rows);

/* Writes the bytes from `from` to the end of the text anew, in lines of at most WB_TEXT_WIDTH bytes
 * broken at blanks: every line but the first has `indent` blanks before it. */
void wb_text_break(struct wb_text *text, size_t from, size_t indent);

#endif
