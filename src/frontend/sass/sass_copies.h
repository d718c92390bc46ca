/* Which instructions from Volta on put a value unchanged elsewhere (struct wb_copy). */
#ifndef WB_FRONTEND_SASS_SASS_COPIES_H
#define WB_FRONTEND_SASS_SASS_COPIES_H

#include "frontend/sass/text/sass_parser.h"
#include "isa/parse/sass_operand.h"

/* Appends the copies of an instruction, whose opcode and operands these are, to the function's: one
 * a word; none where it computes, or where it is not known that all bits stay. */
bool wb_sass_add_copies(struct wb_sass_parser *parser, struct wb_function *function, size_t index,
                        struct wb_sass_piece opcode, const struct wb_sass_operand *operands,
                        size_t operand_count);

#endif
