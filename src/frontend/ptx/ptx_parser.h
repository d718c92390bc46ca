/* The state of one parse of PTX, which the parts of the front end share: recursive descent, one
 * token ahead.
 *
 * Every function of these parts that returns bool returns true, or false after the first error was
 * recorded; then its caller returns false as well. */
#ifndef WB_FRONTEND_PTX_PTX_PARSER_H
#define WB_FRONTEND_PTX_PTX_PARSER_H

#include "base/arena.h"
#include "base/name_pool.h"
#include "base/text.h"
#include "frontend/ptx/ptx_lexer.h"
#include "model/code.h"

struct wb_ptx_options;

/* ---- names: each stored once, in the code's pool of names, with what the parser knows of it ----
 */

/* One name in all its roles: an opcode, a label and a function may share it. */
struct wb_ptx_symbol {
  struct wb_ptx_symbol *child[4];
  uint64_t hash;
  const char *name;
  size_t length;
  const struct wb_ptx_symbol *alias; /* .alias: the function that it stands for */
  const char *assumption;            /* as an opcode, once `classified`; static or pool */
  uint32_t label;                    /* while labels are resolved: the visible one + 1 */
  uint32_t file;                     /* as a file number: index into files + 1 */
  uint8_t unit;                      /* as an opcode: enum wb_unit */
  uint8_t transfer;                  /* as an opcode: enum wb_transfer */
  bool several;                      /* as an opcode: it can become several machine instructions */
  bool classified;                   /* unit, flow and assumption are set */
  bool unknown;                      /* as the first word of an opcode: the table lacks it */
  bool variable;                     /* declared as a register or variable somewhere */
  bool function;                     /* declared as a function */
  bool defined;                      /* declared as a function with a body */
};

/* A tree over hashes, not a hash table: names made to share a hash cost it little. Symbols stay
 * where they are until the end. */
struct wb_ptx_symbols {
  struct wb_name_pool *names; /* the code's, which the names go to; borrowed */
  struct wb_ptx_symbol *root;
  struct wb_arena blocks;
  struct wb_ptx_symbol *block; /* the last one */
  size_t used;                 /* symbols of it */
};

/* ---- labels of a function: who names a place, who jumps there. A label is known in the block that
 * holds it and in the blocks inside, before and after its place; an inner one hides an outer one
 * ---- */

/* Deepest nesting of blocks, expressions and initialisers. */
#define WB_PTX_NESTING_LIMIT 256

enum wb_ptx_label_kind {
  WB_PTX_LABEL_PLACE,     /* an instruction, or the end */
  WB_PTX_LABEL_TARGETS,   /* a .branchtargets list */
  WB_PTX_LABEL_PROTOTYPE, /* a .callprototype or .calltargets list */
};

/* A label where it stands. For a place, `first` is the instruction's index; for a
 * .branchtargets list, the list is targets first .. first + count - 1. */
struct wb_ptx_label {
  struct wb_ptx_symbol *symbol;
  uint32_t first;
  uint32_t count;
  uint32_t scope;
  uint32_t line;
  uint32_t column;
  uint32_t next;   /* the scope's next label + 1 */
  uint32_t hidden; /* while resolving: the label that it hides + 1 */
  uint8_t kind;
};

/* A use of a label. For a place, `slot` is the index of the target to fill in;
 * else it is the index of the instruction. */
struct wb_ptx_reference {
  struct wb_ptx_symbol *symbol;
  uint32_t slot;
  uint32_t line;
  uint32_t column;
  uint32_t next; /* the scope's next reference + 1 */
  uint8_t kind;  /* what the label must be */
};

/* A block. first_* and last_* are the ends of lists, each index + 1. */
struct wb_ptx_scope {
  uint32_t depth; /* 0: the body of the function */
  uint32_t first_label, last_label;
  uint32_t first_reference, last_reference;
};

/* Invariant: scopes are in the order of their opening braces, and open[0 ..
 * depth - 1] are those that are not closed. */
struct wb_ptx_labels {
  struct wb_ptx_label *labels;
  size_t label_count, label_capacity;
  struct wb_ptx_reference *references;
  size_t reference_count, reference_capacity;
  struct wb_ptx_scope *scopes;
  size_t scope_count, scope_capacity;
  uint32_t open[WB_PTX_NESTING_LIMIT];
  uint32_t depth;
};

/* ---- the parse ---- */

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

/* ---- ptx_front_end.c: tokens, errors, names and labels ---- */

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

/* Items separated by commas, one at least. */
bool wb_ptx_list(struct wb_ptx_parser *parser, bool (*item)(struct wb_ptx_parser *parser));

/* The symbol of a name, made where there is none; NULL where memory is out. */
struct wb_ptx_symbol *wb_ptx_symbol(struct wb_ptx_symbols *symbols, const char *text,
                                    size_t length);

/* Opens and closes a block, whose brace is the next token. */
bool wb_ptx_scope_open(struct wb_ptx_parser *parser);
bool wb_ptx_scope_close(struct wb_ptx_parser *parser);

/* Adds a label or a use to the innermost open block (its scope and next are filled in). */
bool wb_ptx_label_add(struct wb_ptx_parser *parser, struct wb_ptx_label label);
bool wb_ptx_reference_add(struct wb_ptx_parser *parser, struct wb_ptx_reference reference);

/* Fills in the targets of the function's branches. Linear in the number of blocks, labels and uses.
 * Error: a label that is missing, double or of the wrong kind. */
bool wb_ptx_labels_resolve(struct wb_ptx_parser *parser);

/* ---- ptx_declaration.c: operands, declarations, debug information ---- */

/* Whether the next token can begin an operand. */
bool wb_ptx_at_operand(const struct wb_ptx_parser *parser);
/* An operand: register, immediate, expression, address or vector. */
bool wb_ptx_operand(struct wb_ptx_parser *parser);
/* Operands separated by commas, one at least. */
bool wb_ptx_operand_list(struct wb_ptx_parser *parser);
/* An expression. In an initialiser it may apply generic(...) and 0xff(...). */
bool wb_ptx_expression(struct wb_ptx_parser *parser, bool initialiser);

/* Whether the next token names the state space of a variable. */
bool wb_ptx_at_state_space(const struct wb_ptx_parser *parser);
/* `.reg .b32 %r<4>;` and all its kin; the next token names the state space. */
bool wb_ptx_variables(struct wb_ptx_parser *parser);
/* Parameters with their parentheses. */
bool wb_ptx_parameters(struct wb_ptx_parser *parser);
/* `.attribute(...)`; the next token is the directive. */
bool wb_ptx_attribute(struct wb_ptx_parser *parser);

/* Debug information. Of each function here, the next token is the directive. */
bool wb_ptx_file(struct wb_ptx_parser *parser);
bool wb_ptx_location(struct wb_ptx_parser *parser);
/* `.loc_intermediate` and `.nv_intermediate_source_section` of PTX 9.4: places in,
 * and text of, a language between the source and PTX. */
bool wb_ptx_intermediate_location(struct wb_ptx_parser *parser);
bool wb_ptx_intermediate_source(struct wb_ptx_parser *parser);
bool wb_ptx_section(struct wb_ptx_parser *parser);
/* `@DWARF ...`: the first @ was taken. */
bool wb_ptx_old_dwarf(struct wb_ptx_parser *parser);

/* ---- ptx_function.c: functions and instructions ---- */

/* .entry or .func with what follows; the next token is that directive. */
bool wb_ptx_function(struct wb_ptx_parser *parser);
/* `.pragma "...";`: the next token is the directive. */
bool wb_ptx_pragma(struct wb_ptx_parser *parser);
/* The end of the module: fails where units of opcodes are not known. */
bool wb_ptx_units_known(struct wb_ptx_parser *parser);

#endif
