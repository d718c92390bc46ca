/* Functions of machine code, of a listing or of a cubin. */
#ifndef WB_FRONTEND_SASS_SASS_FUNCTION_H
#define WB_FRONTEND_SASS_SASS_FUNCTION_H

#include "frontend/sass/text/sass_parser.h"

/* Begins a function, whose name stands at that column of line parser->line. */
bool wb_sass_begin_function(struct wb_sass_parser *parser, size_t column,
                            struct wb_sass_piece name);

/* Adds the function parser->name, with room for parser->statement_count instructions; NULL where
 * memory is out. */
struct wb_function *wb_sass_add_function(struct wb_sass_parser *parser);

/* Adds a label at line parser->line, before the instruction of that index. */
bool wb_sass_add_label(struct wb_sass_parser *parser, struct wb_sass_piece name, size_t index);

/* Gives a function the labels that were added, and sorts these for wb_sass_find_label. */
bool wb_sass_keep_labels(struct wb_sass_parser *parser, struct wb_function *function);

/* Ends the function whose lines were read: its statements become instructions. None may be missing.
 * Near linear in its lines. */
bool wb_sass_finish_function(struct wb_sass_parser *parser);

#endif
