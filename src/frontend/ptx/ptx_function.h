/* Functions of PTX: their heads, bodies and directives. */
#ifndef WB_FRONTEND_PTX_PTX_FUNCTION_H
#define WB_FRONTEND_PTX_PTX_FUNCTION_H

#include "frontend/ptx/ptx_parser.h"

/* .entry or .func with what follows; the next token is that directive. */
bool wb_ptx_function(struct wb_ptx_parser *parser);
/* `.pragma "...";`: the next token is the directive. */
bool wb_ptx_pragma(struct wb_ptx_parser *parser);
/* Directives that follow a function's parameters: .maxntid, .noreturn, ... What they say of it is
 * kept in `function`, unless that is NULL. */
bool wb_ptx_function_directives(struct wb_ptx_parser *parser, struct wb_function *function);

#endif
