/* Instructions of PTX. */
#ifndef WB_FRONTEND_PTX_PTX_STATEMENT_H
#define WB_FRONTEND_PTX_PTX_STATEMENT_H

#include "frontend/ptx/ptx_parser.h"

/* An instruction whose guard, if any, was taken; the next token is the word after
 * its first word, which is `first`. */
bool wb_ptx_instruction(struct wb_ptx_parser *parser, struct wb_ptx_token first, bool guarded);
/* The end of the module: fails where units of opcodes are not known. */
bool wb_ptx_units_known(struct wb_ptx_parser *parser);
/* Appends a target that is to be filled in, and refers it to the label. */
bool wb_ptx_target(struct wb_ptx_parser *parser, const struct wb_ptx_token *label);

#endif
