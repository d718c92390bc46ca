#include "report/measured/text_columns.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

/* The first tab or line feed of the text, or its end. */
static const char *cell_end(const char *at)
{
  return at + strcspn(at, "\t\n");
}

/* Whether the row that begins here is a line of its own. */
static bool is_line(const char *row)
{
  return *cell_end(row) != '\t';
}

static const char *row_end(const char *row)
{
  return row + strcspn(row, "\n");
}

static const char *next_row(const char *row)
{
  const char *const end = row_end(row);
  return *end != '\0' ? end + 1 : end;
}

/* Blanks go before a cell, not behind one, so that no row ends with them. */
static void write_cells(struct wb_text *text, const char *row, const size_t widths[WB_TEXT_COLUMNS])
{
  size_t gap = 0;
  for (size_t c = 0;; c++) {
    const char *const end = cell_end(row);
    const size_t width = (size_t)(end - row);
    if (width > 0) {
      wb_text_fill(text, ' ', gap);
      gap = 0;
    }
    wb_text_append(text, row, width);
    gap += 2 + (c < WB_TEXT_COLUMNS ? widths[c] - width : 0);
    if (*end != '\t')
      return;
    row = end + 1;
  }
}

void wb_text_columns(struct wb_text *text, size_t indent, const struct wb_text *rows)
{
  size_t widths[WB_TEXT_COLUMNS] = {0};
  text->failed = text->failed || rows->failed;
  if (rows->data == NULL)
    return;
  for (const char *row = rows->data; *row != '\0'; row = next_row(row)) {
    const char *cell = row;
    for (size_t c = 0; !is_line(row) && c < WB_TEXT_COLUMNS; c++) {
      const char *const end = cell_end(cell);
      const size_t width = (size_t)(end - cell);
      widths[c] = width > widths[c] ? width : widths[c];
      if (*end != '\t')
        break;
      cell = end + 1;
    }
  }
  for (const char *row = rows->data; *row != '\0'; row = next_row(row)) {
    wb_text_fill(text, ' ', indent);
    if (is_line(row))
      wb_text_append(text, row, (size_t)(row_end(row) - row));
    else
      write_cells(text, row, widths);
    wb_text_string(text, "\n");
  }
}

/* ---- long lines ---- */

/* Where a line that begins at `at` has to be broken: the last blank that leaves it short enough,
 * behind its first word; its end where it is short or has no such blank. `indent` blanks stand
 * before it. */
static const char *break_of(const char *at, size_t indent)
{
  const char *const end = row_end(at);
  const char *found = NULL;
  for (const char *c = at + strspn(at, " "); c < end; c++) {
    if (*c != ' ')
      continue;
    if (found != NULL && (size_t)(c - at) + indent > WB_TEXT_WIDTH)
      return found;
    found = c;
  }
  const bool fits = (size_t)(end - at) + indent <= WB_TEXT_WIDTH;
  return fits || found == NULL ? end : found;
}

void wb_text_break(struct wb_text *text, size_t from, size_t indent)
{
  if (text->failed || from >= text->length)
    return;
  char *const words = wb_copy_text(text->data + from, text->length - from);
  text->failed = words == NULL;
  text->length = from;
  size_t before = 0;
  for (const char *at = words; at != NULL && *at != '\0';) {
    const char *const end = break_of(at, before);
    wb_text_append(text, at, (size_t)(end - at));
    const bool broken = *end == ' ';
    if (*end != '\0')
      wb_text_string(text, "\n");
    before = broken ? indent : 0;
    wb_text_fill(text, ' ', before);
    at = *end != '\0' ? end + 1 : end;
  }
  free(words);
}
