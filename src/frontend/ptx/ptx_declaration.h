/* Declarations of PTX: variables, parameters, attributes. */
#ifndef WB_FRONTEND_PTX_PTX_DECLARATION_H
#define WB_FRONTEND_PTX_PTX_DECLARATION_H

#include "frontend/ptx/ptx_parser.h"

/* Whether the next token names the state space of a variable. */
bool wb_ptx_at_state_space(const struct wb_ptx_parser *parser);
/* `.reg .b32 %r<4>;` and all its kin; the next token names the state space. */
bool wb_ptx_variables(struct wb_ptx_parser *parser);
/* Parameters with their parentheses. */
bool wb_ptx_parameters(struct wb_ptx_parser *parser);
/* `.attribute(...)`; the next token is the directive. */
bool wb_ptx_attribute(struct wb_ptx_parser *parser);

#endif
