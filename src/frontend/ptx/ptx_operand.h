/* Operands and expressions of PTX. */
#ifndef WB_FRONTEND_PTX_PTX_OPERAND_H
#define WB_FRONTEND_PTX_PTX_OPERAND_H

#include "frontend/ptx/ptx_parser.h"

/* Whether the next token can begin an operand. */
bool wb_ptx_at_operand(const struct wb_ptx_parser *parser);
/* An operand: register, immediate, expression, address or vector. */
bool wb_ptx_operand(struct wb_ptx_parser *parser);
/* Operands separated by commas, one at least. */
bool wb_ptx_operand_list(struct wb_ptx_parser *parser);
/* An expression. In an initialiser it may apply generic(...) and 0xff(...). */
bool wb_ptx_expression(struct wb_ptx_parser *parser, bool initialiser);

#endif
