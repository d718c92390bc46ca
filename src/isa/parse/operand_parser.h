/* The operands of SASS instructions from Maxwell on, from the text of a listing. */
#ifndef WB_ISA_PARSE_OPERAND_PARSER_H
#define WB_ISA_PARSE_OPERAND_PARSER_H

#include "model/operand.h"

#include <stddef.h>

/* Most operands of an instruction. */
#define WB_OPERAND_LIMIT 24

/* Parses the operands of an instruction, separated by commas, and returns their number: at most
 * WB_OPERAND_LIMIT, more are left out. What is not understood is WB_OPERAND_OTHER. Linear. */
size_t wb_operands_parse(const char *text, size_t length,
                         struct wb_operand operands[WB_OPERAND_LIMIT]);

#endif
