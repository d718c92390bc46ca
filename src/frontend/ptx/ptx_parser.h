/* What the parts of the PTX parser share: the state of one parse, and the helpers
 * that read tokens and report errors. Recursive descent, one token ahead.
 *
 * Every function that returns bool returns true, or false after the first error
 * was recorded; then the caller returns false as well. */
#ifndef WB_FRONTEND_PTX_PTX_PARSER_H
#define WB_FRONTEND_PTX_PTX_PARSER_H

#include "base/text.h"
#include "frontend/ptx/ptx_front_end.h"
#include "frontend/ptx/ptx_labels.h"
#include "frontend/ptx/ptx_lexer.h"
#include "frontend/ptx/ptx_symbols.h"

/* Opcodes that neither the table nor the user gives a unit: how many first words they
 * have, the first such opcode in full and its place, and the names of some words. */
struct wb_ptx_unknown {
  struct wb_text names;
  const char *opcode;
  struct wb_ptx_token first;
  size_t count;
};

struct wb_ptx_parser {
  struct wb_ptx_lexer lexer;
  struct wb_ptx_token token;            /* the next one */
  const char *previous_end;             /* where the last one that was taken ended */
  const struct wb_ptx_options *options; /* may be NULL */
  struct wb_code *code;
  warpbound_error *error;
  warpbound_status status; /* of the first error */
  struct wb_ptx_symbols symbols;
  struct wb_ptx_labels labels;
  struct wb_function *function; /* whose body is being read, or NULL */
  struct wb_text opcode;        /* for one that blanks interrupt */
  size_t function_capacity;
  size_t file_capacity;
  size_t instruction_capacity; /* of `function`, as are the next two */
  size_t label_capacity;
  size_t target_capacity;
  uint32_t nesting;     /* of expressions and initialisers */
  uint32_t source_file; /* what .loc said last; see struct wb_instruction */
  uint32_t source_line;
  bool aliased; /* the module holds an .alias */
  struct wb_ptx_unknown unknown;
};

/* --- tokens and errors (ptx_parser.c) --- */

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

/* --- operands (ptx_operand.c) --- */

/* Whether the next token can begin an operand. */
bool wb_ptx_at_operand(const struct wb_ptx_parser *parser);
/* An operand: register, immediate, expression, address or vector. */
bool wb_ptx_operand(struct wb_ptx_parser *parser);
/* Operands separated by commas, one at least. */
bool wb_ptx_operand_list(struct wb_ptx_parser *parser);
/* An expression. In an initialiser it may apply generic(...) and 0xff(...). */
bool wb_ptx_expression(struct wb_ptx_parser *parser, bool initialiser);

/* --- declarations (ptx_declaration.c) --- */

/* Whether the next token names the state space of a variable. */
bool wb_ptx_at_state_space(const struct wb_ptx_parser *parser);
/* `.reg .b32 %r<4>;` and all its kin; the next token names the state space. */
bool wb_ptx_variables(struct wb_ptx_parser *parser);
/* Parameters with their parentheses. */
bool wb_ptx_parameters(struct wb_ptx_parser *parser);
/* `.attribute(...)`; the next token is the directive. */
bool wb_ptx_attribute(struct wb_ptx_parser *parser);

/* --- debug information (ptx_debug.c); the next token is the directive --- */

bool wb_ptx_file(struct wb_ptx_parser *parser);
bool wb_ptx_location(struct wb_ptx_parser *parser);
/* `.loc_intermediate` and `.nv_intermediate_source_section` of PTX 9.4: places in,
 * and text of, a language between the source and PTX. */
bool wb_ptx_intermediate_location(struct wb_ptx_parser *parser);
bool wb_ptx_intermediate_source(struct wb_ptx_parser *parser);
bool wb_ptx_section(struct wb_ptx_parser *parser);
/* `@DWARF ...`: the first @ was taken. */
bool wb_ptx_old_dwarf(struct wb_ptx_parser *parser);

/* --- instructions (ptx_statement.c) --- */

/* An instruction whose guard, if any, was taken; the next token is the word after
 * its first word, which is `first`. */
bool wb_ptx_instruction(struct wb_ptx_parser *parser, struct wb_ptx_token first, bool guarded);
/* The end of the module: fails where units of opcodes are not known. */
bool wb_ptx_units_known(struct wb_ptx_parser *parser);
/* Appends a target that is to be filled in, and refers it to the label. */
bool wb_ptx_target(struct wb_ptx_parser *parser, const struct wb_ptx_token *label);

/* --- functions (ptx_function.c) --- */

/* .entry or .func with what follows; the next token is that directive. */
bool wb_ptx_function(struct wb_ptx_parser *parser);
/* `.pragma "...";`: the next token is the directive. */
bool wb_ptx_pragma(struct wb_ptx_parser *parser);
/* Directives that follow a function's parameters: .maxntid, .noreturn, ... What they say of it is
 * kept in `function`, unless that is NULL. */
bool wb_ptx_function_directives(struct wb_ptx_parser *parser, struct wb_function *function);

/* --- modules (ptx_module.c) --- */

/* The whole text. */
bool wb_ptx_module(struct wb_ptx_parser *parser);

#endif
