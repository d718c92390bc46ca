/* Rows of comma-separated values (RFC 4180) and of their relatives: cells between commas,
 * semicolons, tabs or blanks, in quotes or not.
 *
 * The separator shows in the first lines: a tab where the first row has one, else a semicolon, else
 * a comma, else blanks, unless the first or the second row is a single cell without them. Blanks
 * around a cell do not belong to it; several blanks are one separator. Empty lines, and lines that
 * begin with '#' or "==" (as NVIDIA's profilers print messages), are no rows. A cell in quotes may
 * hold separators, line ends, and quotes as two of them. A byte order mark is skipped.
 *
 * Errors are WARPBOUND_INVALID_INPUT with file, line and column, or WARPBOUND_INTERNAL. */
#ifndef WB_FORMATS_CSV_CSV_ROWS_H
#define WB_FORMATS_CSV_CSV_ROWS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A cell, in the text that was given. Borrowed. */
struct wb_csv_cell {
  const char *text; /* without the quotes around it */
  size_t length;
  size_t line, column; /* from 1, of its first character or quote; columns count bytes */
  bool quoted;
  bool doubled; /* it has quotes as two of them */
};

/* A reader of rows. The text is borrowed. Owns the cells. */
struct wb_csv {
  const char *name; /* the file's, for messages */
  const char *at, *end;
  const char *line_start;
  size_t line;
  char separator;            /* ',' ';' '\t', ' ' for blanks; '\0': every row is one cell */
  struct wb_csv_cell *cells; /* of the row that was read last */
  size_t count, capacity;
};

/* The separator that the first lines show. */
char wb_csv_separator(struct wb_csv csv);

/* Leaves out what NVIDIA's profilers, or the program that they ran, wrote before the table. */
void wb_csv_skip_preamble(struct wb_csv *csv);

/* Reads the cells of the next row; none at the end of the text. */
warpbound_status wb_csv_next(struct wb_csv *csv, warpbound_error *error);

/* The text of a cell, which the caller frees; NULL where memory is out. */
char *wb_csv_copy(const struct wb_csv_cell *cell);

/* Fails at a cell with a message of its own. */
warpbound_status wb_csv_fail(const struct wb_csv *csv, const struct wb_csv_cell *cell,
                             warpbound_error *error, const char *format, ...) WB_PRINTF(4, 5);

#endif
