/* Rows of comma-separated values (RFC 4180) and of their relatives: cells between commas,
 * semicolons, tabs or blanks, in quotes or not.
 *
 * The separator shows in the first lines: a tab where the first row has one, else a semicolon, else
 * a comma, else blanks, unless the first or the second row is a single cell without them. Blanks
 * around a cell do not belong to it; several blanks are one separator. Empty lines, and lines that
 * begin with '#' or "==" (as NVIDIA's profilers print messages), are no rows. A cell in quotes may
 * hold separators, line ends, and quotes as two of them. A byte order mark is skipped. */
#ifndef WB_FORMATS_CSV_CSV_ROWS_H
#define WB_FORMATS_CSV_CSV_ROWS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Most cells of a row. */
#define WB_CSV_CELLS 4096

/* A cell, in the text that was given. Borrowed. */
struct wb_csv_cell {
  const char *text; /* without the quotes around it */
  size_t length;
  size_t line, column; /* from 1, of its first character or quote; columns count bytes */
  bool quoted;
  bool doubled; /* it has quotes as two of them */
};

/* A reader of rows. The text is borrowed; free with wb_csv_free. */
struct wb_csv {
  const char *name; /* the file's, for messages */
  const char *at, *end;
  const char *line_start;
  size_t line;
  char separator;            /* ',' ';' '\t', ' ' for blanks; '\0': every row is one cell */
  struct wb_csv_cell *cells; /* of the row that was read last */
  size_t count, capacity;
};

/* Begins a text. Cannot fail. */
void wb_csv_start(struct wb_csv *csv, const char *name, const char *text, size_t length);

/* Reads the next row into csv->cells; csv->count is 0 after the last. Errors, with line and column:
 * WARPBOUND_INVALID_INPUT (a quote that is not closed, text behind one, too many cells),
 * WARPBOUND_INTERNAL. Linear in the row. */
warpbound_status wb_csv_next(struct wb_csv *csv, warpbound_error *error);

/* Fails with WARPBOUND_INVALID_INPUT at a cell. */
warpbound_status wb_csv_fail(const struct wb_csv *csv, const struct wb_csv_cell *cell,
                             warpbound_error *error, const char *format, ...) WB_PRINTF(4, 5);

/* A copy of the cell's text, two quotes being one. The caller frees it; NULL where memory is out.
 */
char *wb_csv_copy(const struct wb_csv_cell *cell);

void wb_csv_free(struct wb_csv *csv);

#endif
