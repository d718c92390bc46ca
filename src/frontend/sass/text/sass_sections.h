/* Sections beside the code: constant bank 2, where compilers put jump tables. */
#ifndef WB_FRONTEND_SASS_SASS_SECTIONS_H
#define WB_FRONTEND_SASS_SASS_SECTIONS_H

#include "frontend/sass/text/sass_parser.h"

/* Begins the .nv.constant2 section of a function. */
bool wb_sass_begin_constants(struct wb_sass_parser *parser, struct wb_sass_piece function);

/* Appends zeros to it. They are limited, for a short line could ask for any memory; text: their
 * number, at that column of line parser->line. */
bool wb_sass_add_zeros(struct wb_sass_parser *parser, size_t column, struct wb_sass_piece text,
                       uint64_t count);

/* Reads a line of a .nv.constant2 section; `rest` is what follows its address. */
bool wb_sass_constant_line(struct wb_sass_parser *parser, struct wb_sass_piece rest);

/* Sorts the constant sections for the look-ups below. */
void wb_sass_sort_constants(struct wb_sass_parser *parser);

/* The bytes of a function's .nv.constant2 section; empty where the listing has none. */
struct wb_sass_piece wb_sass_constants_of(const struct wb_sass_parser *parser,
                                          const struct wb_function *function);

/* Copies them into the function, where all of them are numbers. */
bool wb_sass_keep_constants(struct wb_sass_parser *parser, struct wb_function *function);

#endif
