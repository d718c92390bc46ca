/* What an operand of a SASS instruction from Maxwell on is, from its text in a listing. */
#ifndef WB_ISA_PARSE_OPERAND_PARSER_H
#define WB_ISA_PARSE_OPERAND_PARSER_H

#include "model/code.h"

#include <stddef.h>

/* The operand that a text, which may be empty, stands for. What is not understood is
 * WB_OPERAND_OTHER. Linear. */
struct wb_operand wb_operand_parse(const char *text, size_t length);

#endif
