/* Pieces of a listing, and errors at them. */
#ifndef WB_FRONTEND_SASS_SASS_SCANNER_H
#define WB_FRONTEND_SASS_SASS_SCANNER_H

#include "frontend/sass/text/sass_parser.h"

/* Records an error at a place. */
bool wb_sass_error(struct wb_sass_parser *parser, size_t line, size_t column, const char *format,
                   ...) WB_PRINTF(4, 5);
/* Records "expected X, found Y" at a piece of the line line_start, which is shortened. */
bool wb_sass_expected(struct wb_sass_parser *parser, size_t line, const char *line_start,
                      struct wb_sass_piece found, const char *what);
/* The same at a column of a line. */
bool wb_sass_expected_at(struct wb_sass_parser *parser, size_t line, size_t column,
                         struct wb_sass_piece found, const char *what);
bool wb_sass_out_of_memory(struct wb_sass_parser *parser);
/* Fails where a piece at a column of the line parser->line has a byte that is no blank and not
 * printable: names and operands go to terminals and files. */
bool wb_sass_printable(struct wb_sass_parser *parser, size_t column, struct wb_sass_piece piece);
/* The column of a piece of the line being read. */
size_t wb_sass_column(const struct wb_sass_parser *parser, struct wb_sass_piece piece);
/* A zero-ended copy among the code's names; NULL where memory is out. */
const char *wb_sass_keep(struct wb_sass_parser *parser, struct wb_sass_piece piece);

/* The text up to `end` without the blanks around it. */
struct wb_sass_piece wb_sass_trim(const char *text, const char *end);

bool wb_sass_begins(struct wb_sass_piece piece, const char *prefix);
bool wb_sass_equal(struct wb_sass_piece piece, const char *other);
bool wb_sass_same(struct wb_sass_piece one, struct wb_sass_piece other);

/* One to sixteen hexadecimal digits and nothing else. */
bool wb_sass_hexadecimal(struct wb_sass_piece piece, uint64_t *value);
/* The comment that a text begins with, trimmed; *text is then what follows it. False where
 * it begins with none that ends. */
bool wb_sass_comment(struct wb_sass_piece *text, struct wb_sass_piece *comment);

/* Orders names. */
int wb_sass_compare(struct wb_sass_piece one, struct wb_sass_piece other);

#endif
