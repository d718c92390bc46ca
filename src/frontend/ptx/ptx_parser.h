/* The state of one parse of PTX, which the parts of the front end share: recursive descent, one
 * token ahead.
 *
 * Every function of these parts that returns bool returns true, or false after the first error was
 * recorded; then its caller returns false as well. */
#ifndef WB_FRONTEND_PTX_PTX_PARSER_H
#define WB_FRONTEND_PTX_PTX_PARSER_H

#include "base/text.h"
#include "frontend/ptx/ptx_labels.h"
#include "frontend/ptx/ptx_lexer.h"
#include "frontend/ptx/ptx_options.h"
#include "frontend/ptx/ptx_symbols.h"

/* Opcodes that neither the table nor the user gives a unit. */
struct wb_ptx_unknown {
  struct wb_text names;      /* some of their first words, for the message */
  const char *opcode;        /* the first such opcode in full */
  struct wb_ptx_token first; /* its place */
  size_t count;              /* of different first words */
};

/* The state of a parse. Capacities are those of the function being read, but of functions and
 * files. */
struct wb_ptx_parser {
  struct wb_ptx_lexer lexer;
  struct wb_ptx_token token;            /* the next one */
  const char *previous_end;             /* where the last one that was taken ended */
  const struct wb_ptx_options *options; /* may be NULL */
  struct wb_code *code;                 /* what is being made */
  warpbound_error *error;               /* the first one */
  warpbound_status status;              /* of the first error */
  struct wb_ptx_symbols symbols;        /* all names of the module */
  struct wb_ptx_labels labels;          /* of the function */
  struct wb_function *function;         /* whose body is being read, or NULL */
  struct wb_text opcode;                /* for one that blanks interrupt */
  size_t function_capacity;
  size_t file_capacity;
  size_t instruction_capacity;
  size_t label_capacity;
  size_t target_capacity;
  uint32_t nesting;              /* levels of expressions and initialisers */
  uint32_t source_file;          /* of the last .loc; see struct wb_instruction */
  uint32_t source_line;          /* of the last .loc */
  bool aliased;                  /* the module holds an .alias */
  struct wb_ptx_unknown unknown; /* reported at the end of the module */
};

#endif
