/* Which instructions from Volta on put a value unchanged elsewhere (struct wb_copy). */
#ifndef WB_FRONTEND_SASS_SASS_COPIES_H
#define WB_FRONTEND_SASS_SASS_COPIES_H

#include "frontend/sass/text/sass_parser.h"

/* Appends the copies of the instruction of that index, whose opcode and operands are set, to the
 * function's: one a word; none where it computes, or where it is not known that all bits stay. */
bool wb_sass_add_copies(struct wb_sass_parser *parser, struct wb_function *function, size_t index);

#endif
