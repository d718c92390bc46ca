/* A line of code: guard, opcode, operands, annotation, encoding. */
#ifndef WB_FRONTEND_SASS_SASS_LINE_H
#define WB_FRONTEND_SASS_SASS_LINE_H

#include "frontend/sass/text/sass_parser.h"

/* Reads a line of code, whose address was taken: `rest` is what follows it. Adds a statement. */
bool wb_sass_instruction_line(struct wb_sass_parser *parser, uint64_t address,
                              struct wb_sass_piece rest);

#endif
