/* From a statement to an instruction: its row of the opcode table, its guard, its registers, and
 * where it goes. */
#ifndef WB_FRONTEND_SASS_SASS_INSTRUCTION_H
#define WB_FRONTEND_SASS_SASS_INSTRUCTION_H

#include "frontend/sass/text/sass_parser.h"
#include "isa/sass_opcodes.h"

/* Makes the instruction `index` of a statement: its operands, registers, guard, control transfer
 * and targets. All of the function's instructions have their addresses already. */
bool wb_sass_make_instruction(struct wb_sass_parser *parser, struct wb_function *function,
                              const struct wb_sass_statement *statement, size_t index);

#endif
