/* Functions: their heads, and the statements of their bodies. */
#include "frontend/ptx/ptx_function.h"

#include "base/memory.h"
#include "frontend/ptx/ptx_debug.h"
#include "frontend/ptx/ptx_declaration.h"
#include "frontend/ptx/ptx_labels.h"
#include "frontend/ptx/ptx_lexer.h"
#include "frontend/ptx/ptx_scanner.h"
#include "frontend/ptx/ptx_statement.h"

#include <string.h>

/* More threads than any block has. */
#define THREAD_LIMIT 65536

/* Directives between a function's parameters and its body, and how many numbers
 * follow each. */
struct function_directive {
  const char *name;
  uint8_t least;
  uint8_t most;
};

static const struct function_directive function_directives[] = {
    {".abi_preserve", 1, 1},      {".abi_preserve_control", 1, 1},
    {".blocksareclusters", 0, 0}, {".explicitcluster", 0, 0},
    {".maxclusterrank", 1, 1},    {".maxnctapersm", 1, 1},
    {".maxnreg", 1, 1},           {".maxntid", 1, 3},
    {".minnctapersm", 1, 1},      {".minperctamemory", 1, 1},
    {".noreturn", 0, 0},          {".reqnctapercluster", 1, 3},
    {".reqntid", 1, 3},
};

static const struct function_directive *find_directive(const struct wb_ptx_token *token)
{
  const size_t count = sizeof function_directives / sizeof *function_directives;
  for (size_t i = 0; i < count; i++)
    if (wb_ptx_token_is(token, function_directives[i].name))
      return &function_directives[i];
  return NULL;
}

/* *product: of the numbers, 0 where that is beyond any number of threads. */
static bool directive_numbers(struct wb_ptx_parser *parser,
                              const struct function_directive *directive, uint64_t *product)
{
  bool more = directive->most > 0;
  *product = 1;
  for (unsigned i = 0; i < directive->most && more; i++) {
    uint64_t number = wb_ptx_number(&parser->token);
    *product = number <= THREAD_LIMIT ? *product * number : 0;
    *product = *product <= THREAD_LIMIT ? *product : 0;
    if (!wb_ptx_expect(parser, WB_PTX_INTEGER, "a number") ||
        (i + 1 < directive->most && !wb_ptx_accept(parser, ',', &more)))
      return false;
  }
  return true;
}

/* Keeps what a directive says of the function that it follows. */
static void keep_directive(struct wb_function *function, const struct function_directive *directive,
                           uint64_t product)
{
  if (strcmp(directive->name, ".reqntid") == 0)
    function->block_threads = (uint32_t)product;
  if (strcmp(directive->name, ".noreturn") == 0)
    function->no_return = true;
}

bool wb_ptx_pragma(struct wb_ptx_parser *parser)
{
  bool more = true;
  if (!wb_ptx_advance(parser))
    return false;
  while (more)
    if (!wb_ptx_expect(parser, WB_PTX_STRING, "a string") || !wb_ptx_accept(parser, ',', &more))
      return false;
  return wb_ptx_expect(parser, ';', "',' or ';'");
}

bool wb_ptx_function_directives(struct wb_ptx_parser *parser, struct wb_function *function)
{
  uint64_t product = 0;
  while (parser->token.kind == WB_PTX_DIRECTIVE) {
    const struct function_directive *directive = find_directive(&parser->token);
    if (wb_ptx_at_directive(parser, ".pragma")) {
      if (!wb_ptx_pragma(parser))
        return false;
    } else if (directive == NULL) {
      return wb_ptx_expected(parser, "a directive of a function, '{' or ';'");
    } else if (!wb_ptx_advance(parser) || !directive_numbers(parser, directive, &product)) {
      return false;
    } else if (function != NULL) {
      keep_directive(function, directive, product);
    }
  }
  return true;
}

/* Adds a place of the function to the code's labels. */
static bool add_place(struct wb_ptx_parser *parser, const struct wb_ptx_label *label)
{
  struct wb_function *function = parser->function;
  bool grown = wb_grow(function->labels, &parser->label_capacity, function->label_count + 1);
  if (!grown)
    return false;
  function->labels[function->label_count++] = (struct wb_label){
      .name = label->symbol->name,
      .index = label->first,
      .line = label->line,
  };
  return true;
}

static bool add_label(struct wb_ptx_parser *parser, const struct wb_ptx_label *label)
{
  bool place = label->kind == WB_PTX_LABEL_PLACE;
  if (!wb_ptx_label_add(&parser->labels, *label) || (place && !add_place(parser, label)))
    return wb_ptx_out_of_memory(parser);
  return true;
}

/* `.branchtargets A, B;` */
static bool branch_targets(struct wb_ptx_parser *parser, struct wb_ptx_label *label)
{
  label->kind = WB_PTX_LABEL_TARGETS;
  label->first = (uint32_t)parser->function->target_count;
  bool more = true;
  if (!wb_ptx_advance(parser))
    return false;
  while (more) {
    if (parser->token.kind != WB_PTX_WORD)
      return wb_ptx_expected(parser, "a label");
    if (!wb_ptx_target(parser, &parser->token) || !wb_ptx_advance(parser) ||
        !wb_ptx_accept(parser, ',', &more))
      return false;
  }
  label->count = (uint32_t)parser->function->target_count - label->first;
  return wb_ptx_expect(parser, ';', "',' or ';'") && add_label(parser, label);
}

/* `.calltargets f, g;` */
static bool call_targets(struct wb_ptx_parser *parser, struct wb_ptx_label *label)
{
  label->kind = WB_PTX_LABEL_PROTOTYPE;
  bool more = true;
  if (!wb_ptx_advance(parser))
    return false;
  while (more)
    if (!wb_ptx_expect(parser, WB_PTX_WORD, "the name of a function") ||
        !wb_ptx_accept(parser, ',', &more))
      return false;
  return wb_ptx_expect(parser, ';', "',' or ';'") && add_label(parser, label);
}

/* `.callprototype (results) _ (parameters);` */
static bool call_prototype(struct wb_ptx_parser *parser, struct wb_ptx_label *label)
{
  label->kind = WB_PTX_LABEL_PROTOTYPE;
  if (!wb_ptx_advance(parser) || (parser->token.kind == '(' && !wb_ptx_parameters(parser)) ||
      !wb_ptx_expect(parser, WB_PTX_WORD, "'_'"))
    return false;
  if (parser->token.kind == '(' && !wb_ptx_parameters(parser))
    return false;
  return wb_ptx_function_directives(parser, NULL) && wb_ptx_expect(parser, ';', "';'") &&
         add_label(parser, label);
}

/* After a name: ':' makes it a label, else it begins an instruction. */
static bool word_statement(struct wb_ptx_parser *parser, bool guarded)
{
  struct wb_ptx_token word = parser->token;
  struct wb_ptx_symbol *symbol;
  bool labelled;
  if (!wb_ptx_advance(parser))
    return false;
  if (guarded || parser->token.kind != ':')
    return wb_ptx_instruction(parser, word, guarded);
  if (!wb_ptx_accept(parser, ':', &labelled) || !wb_ptx_intern(parser, &word, &symbol))
    return false;
  struct wb_ptx_label label = {
      .symbol = symbol,
      .first = (uint32_t)parser->function->instruction_count,
      .line = word.line,
      .column = word.column,
      .kind = WB_PTX_LABEL_PLACE,
  };
  if (wb_ptx_at_directive(parser, ".branchtargets"))
    return branch_targets(parser, &label);
  if (wb_ptx_at_directive(parser, ".calltargets"))
    return call_targets(parser, &label);
  if (wb_ptx_at_directive(parser, ".callprototype"))
    return call_prototype(parser, &label);
  return add_label(parser, &label);
}

/* `@p`, `@!p` and the instruction, or `@@DWARF`. */
static bool guarded_statement(struct wb_ptx_parser *parser)
{
  bool negated;
  if (!wb_ptx_advance(parser))
    return false;
  if (parser->token.kind == '@')
    return wb_ptx_old_dwarf(parser);
  if (!wb_ptx_accept(parser, '!', &negated) ||
      !wb_ptx_expect(parser, WB_PTX_WORD, "a predicate register"))
    return false;
  if (parser->token.kind != WB_PTX_WORD)
    return wb_ptx_expected(parser, "an instruction");
  return word_statement(parser, true);
}

static bool directive_statement(struct wb_ptx_parser *parser)
{
  if (wb_ptx_at_state_space(parser))
    return wb_ptx_variables(parser);
  if (wb_ptx_at_directive(parser, ".loc"))
    return wb_ptx_location(parser);
  if (wb_ptx_at_directive(parser, ".loc_intermediate"))
    return wb_ptx_intermediate_location(parser);
  if (wb_ptx_at_directive(parser, ".file"))
    return wb_ptx_file(parser);
  if (wb_ptx_at_directive(parser, ".pragma"))
    return wb_ptx_pragma(parser);
  if (wb_ptx_at_directive(parser, ".section"))
    return wb_ptx_section(parser);
  return wb_ptx_expected(parser, "a directive that may stand in a function");
}

/* Opens a block with its brace. */
static bool open_block(struct wb_ptx_parser *parser)
{
  if (parser->labels.depth == WB_PTX_NESTING_LIMIT)
    return wb_ptx_error(parser, &parser->token, "expected at most %d levels of nesting, found more",
                        WB_PTX_NESTING_LIMIT);
  if (!wb_ptx_scope_open(&parser->labels))
    return wb_ptx_out_of_memory(parser);
  return wb_ptx_expect(parser, '{', "'{'");
}

static bool close_block(struct wb_ptx_parser *parser)
{
  wb_ptx_scope_close(&parser->labels);
  return wb_ptx_advance(parser);
}

static bool statement(struct wb_ptx_parser *parser)
{
  switch (parser->token.kind) {
  case '{':
    return open_block(parser);
  case '}':
    return close_block(parser);
  case '@':
    return guarded_statement(parser);
  case WB_PTX_DIRECTIVE:
    return directive_statement(parser);
  case WB_PTX_WORD:
    return word_statement(parser, false);
  default:
    return wb_ptx_expected(parser, "a statement or '}'");
  }
}

static bool label_error(struct wb_ptx_parser *parser, const struct wb_ptx_label_problem *problem)
{
  static const char *const kinds[] = {
      [WB_PTX_LABEL_PLACE] = "an instruction",
      [WB_PTX_LABEL_TARGETS] = "a .branchtargets list",
      [WB_PTX_LABEL_PROTOTYPE] = "a .callprototype or .calltargets",
  };
  struct wb_ptx_token at = {.line = problem->line, .column = problem->column};
  if (problem->other_line != 0)
    return wb_ptx_error(parser, &at,
                        "expected a new label, found '%.120s', which line %lu defines as well",
                        problem->name, (unsigned long)problem->other_line);
  if (problem->defined)
    return wb_ptx_error(parser, &at, "expected the label of %s, found '%.120s', another label",
                        kinds[problem->kind], problem->name);
  return wb_ptx_error(parser, &at,
                      "expected the label of %s, found '%.120s', which this function does not "
                      "define here",
                      kinds[problem->kind], problem->name);
}

static bool body(struct wb_ptx_parser *parser)
{
  struct wb_ptx_label_problem problem;
  wb_ptx_labels_start(&parser->labels);
  parser->source_file = 0;
  parser->source_line = 0;
  if (!open_block(parser))
    return false;
  while (parser->labels.depth > 0)
    if (!statement(parser))
      return false;
  return wb_ptx_labels_resolve(&parser->labels, parser->function, &problem) ||
         label_error(parser, &problem);
}

/* Adds a function without a body. */
static bool add_function(struct wb_ptx_parser *parser, const struct wb_ptx_token *name, bool kernel)
{
  struct wb_code *code = parser->code;
  struct wb_ptx_symbol *symbol;
  if (!wb_ptx_intern(parser, name, &symbol))
    return false;
  symbol->function = true;
  bool grown = wb_grow(code->functions, &parser->function_capacity, code->function_count + 1);
  if (!grown)
    return wb_ptx_out_of_memory(parser);
  parser->function = &code->functions[code->function_count++];
  *parser->function = (struct wb_function){
      .name = symbol->name,
      .line = name->line,
      .kernel = kernel,
  };
  parser->instruction_capacity = 0;
  parser->label_capacity = 0;
  parser->target_capacity = 0;
  return true;
}

/* Reads the body, and sees that there is one at most. */
static bool definition(struct wb_ptx_parser *parser, const struct wb_ptx_token *name)
{
  struct wb_ptx_symbol *symbol;
  if (!wb_ptx_intern(parser, name, &symbol))
    return false;
  if (symbol->defined)
    return wb_ptx_error(parser, name, "expected a new function, found '%.120s' a second time",
                        symbol->name);
  symbol->defined = true;
  parser->function->defined = true;
  return body(parser);
}

bool wb_ptx_function(struct wb_ptx_parser *parser)
{
  bool kernel = wb_ptx_at_directive(parser, ".entry");
  if (!wb_ptx_advance(parser))
    return false;
  while (wb_ptx_at_directive(parser, ".attribute"))
    if (!wb_ptx_attribute(parser))
      return false;
  if (!kernel && parser->token.kind == '(' && !wb_ptx_parameters(parser))
    return false;
  struct wb_ptx_token name = parser->token;
  if (!wb_ptx_expect(parser, WB_PTX_WORD, "the name of a function") ||
      !add_function(parser, &name, kernel))
    return false;
  if (parser->token.kind == '(' && !wb_ptx_parameters(parser))
    return false;
  if (!wb_ptx_function_directives(parser, parser->function))
    return false;
  if (parser->token.kind == '{')
    return definition(parser, &name);
  return wb_ptx_expect(parser, ';', "a directive of a function, '{' or ';'");
}
