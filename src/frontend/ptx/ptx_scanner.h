/* Tokens and errors: how the parts of the PTX front end read the text. */
#ifndef WB_FRONTEND_PTX_PTX_SCANNER_H
#define WB_FRONTEND_PTX_PTX_SCANNER_H

#include "frontend/ptx/ptx_parser.h"

/* Takes the token and reads the next one. */
bool wb_ptx_advance(struct wb_ptx_parser *parser);

/* Takes a token of this kind; `what` names it for "expected X, found Y". */
bool wb_ptx_expect(struct wb_ptx_parser *parser, int kind, const char *what);

/* Takes a token of this kind where it is next. */
bool wb_ptx_accept(struct wb_ptx_parser *parser, int kind, bool *taken);

/* Whether the next token is the directive `name` (with its dot). */
bool wb_ptx_at_directive(const struct wb_ptx_parser *parser, const char *name);

/* Records "expected X, found Y" of the next token. */
bool wb_ptx_expected(struct wb_ptx_parser *parser, const char *what);

/* Records an error at a token. */
bool wb_ptx_error(struct wb_ptx_parser *parser, const struct wb_ptx_token *at, const char *format,
                  ...) WB_PRINTF(3, 4);
bool wb_ptx_out_of_memory(struct wb_ptx_parser *parser);

/* Enters and leaves a level of nesting. */
bool wb_ptx_enter(struct wb_ptx_parser *parser);
void wb_ptx_leave(struct wb_ptx_parser *parser);

/* The value of an integer; 0 for other tokens and what needs more than 64 bits. */
uint64_t wb_ptx_number(const struct wb_ptx_token *token);

/* The symbol of a token's text. */
bool wb_ptx_intern(struct wb_ptx_parser *parser, const struct wb_ptx_token *token,
                   struct wb_ptx_symbol **symbol);

#endif
