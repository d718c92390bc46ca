/* Functions: their heads, and the statements and instructions of their bodies. */
#include "base/checked.h"
#include "base/memory.h"
#include "frontend/ptx/ptx_front_end.h"
#include "frontend/ptx/ptx_parser.h"
#include "isa/ptx_opcodes.h"

#include <stdio.h>
#include <string.h>

/* ---- instructions: opcode, operands, and what control does ---- */

/* Most words of unknown opcodes that an error names: they fit its message. */
#define NAMED_OPCODES ((size_t)8)
/* Most characters of an opcode that a stated assumption repeats. */
#define LONGEST_NAME UINT64_C(200)

/* The words of an opcode, in order and without blanks between: *text points into
 * the listing where they stand together, else into parser->opcode. */
static bool opcode_text(struct wb_ptx_parser *parser, const struct wb_ptx_token *first,
                        const char **text, size_t *length)
{
  const char *end = first->text + first->length;
  bool together = true;
  parser->opcode.length = 0;
  while (parser->token.kind == WB_PTX_DIRECTIVE) {
    if (together && parser->token.text != end) {
      together = false;
      wb_text_append(&parser->opcode, first->text, (size_t)(end - first->text));
    }
    if (!together)
      wb_text_append(&parser->opcode, parser->token.text, parser->token.length);
    end = parser->token.text + parser->token.length;
    if (!wb_ptx_advance(parser))
      return false;
  }
  *text = together ? first->text : parser->opcode.data;
  *length = together ? (size_t)(end - first->text) : parser->opcode.length;
  return !parser->opcode.failed || wb_ptx_out_of_memory(parser);
}

/* The user's assumption on an opcode, or NULL; the longest that applies. */
static const struct wb_unit_assumption *find_assumption(const struct wb_ptx_options *options,
                                                        const struct wb_ptx_symbol *opcode)
{
  const struct wb_unit_assumption *found = NULL;
  for (size_t i = 0; options != NULL && i < options->assumption_count; i++) {
    const struct wb_unit_assumption *candidate = &options->assumptions[i];
    if (candidate->length > opcode->length ||
        memcmp(candidate->opcode, opcode->name, candidate->length) != 0)
      continue;
    char next = opcode->name[candidate->length];
    if ((next == '\0' || next == '.') && (found == NULL || candidate->length > found->length))
      found = candidate;
  }
  return found;
}

/* Notes an opcode whose unit nobody gives. One assumption on its first word serves all
 * that begin with it, so that words are counted. */
static bool note_unknown(struct wb_ptx_parser *parser, const struct wb_ptx_token *first,
                         const struct wb_ptx_symbol *opcode)
{
  struct wb_ptx_unknown *unknown = &parser->unknown;
  struct wb_ptx_symbol *word;
  if (!wb_ptx_intern(parser, first, &word))
    return false;
  if (word->unknown)
    return true;
  word->unknown = true;
  if (unknown->count == 0) {
    unknown->first = *first;
    unknown->opcode = opcode->name;
  }
  if (unknown->count < NAMED_OPCODES)
    wb_text_format(&unknown->names, "%s'%.32s'", unknown->count > 0 ? ", " : "", word->name);
  unknown->count++;
  return !unknown->names.failed || wb_ptx_out_of_memory(parser);
}

bool wb_ptx_units_known(struct wb_ptx_parser *parser)
{
  const struct wb_ptx_unknown *unknown = &parser->unknown;
  const struct wb_ptx_token *first = &unknown->first;
  int length = (int)(first->length < 60 ? first->length : 60);
  if (unknown->count == 0 || (parser->options != NULL && parser->options->any_opcode))
    return true;
  char more[40] = "";
  if (unknown->count > NAMED_OPCODES)
    snprintf(more, sizeof more, " and %zu more", unknown->count - NAMED_OPCODES);
  if (unknown->count == 1)
    wb_ptx_error(parser, first,
                 "opcode '%.80s' is not in the table of PTX opcodes; say which unit it uses with "
                 "--assume-unit %.*s=L|C|S|D|N",
                 unknown->opcode, length, first->text);
  else
    wb_ptx_error(parser, first,
                 "opcodes %s%s are not in the table of PTX opcodes; say which unit each uses with "
                 "--assume-unit %.*s=L|C|S|D|N and so on",
                 unknown->names.data, more, length < 32 ? length : 32, first->text);
  parser->error->status = parser->status = WARPBOUND_FACTS_MISSING;
  return false;
}

/* Looks an opcode up, once for all its uses. An assumption gives the unit alone:
 * a branch stays a branch, whatever unit it is said to use. */
static bool classify(struct wb_ptx_parser *parser, const struct wb_ptx_token *first,
                     struct wb_ptx_symbol *opcode)
{
  if (opcode->classified)
    return true;
  const struct wb_unit_assumption *assumed = find_assumption(parser->options, opcode);
  const struct wb_ptx_opcode *row = wb_ptx_opcode_find(opcode->name, opcode->length);
  /* Maxwell and Pascal have multipliers of 16 bits only. */
  const char *target = parser->code->target;
  const bool maxwell = strncmp(target, "sm_5", 4) == 0 || strncmp(target, "sm_6", 4) == 0;
  opcode->classified = true;
  opcode->transfer = (uint8_t)(row != NULL ? row->transfer : WB_TRANSFER_NEXT);
  opcode->unit = (uint8_t)(row != NULL ? row->unit : WB_UNIT_NONE);
  opcode->assumption = row != NULL ? row->assumption : NULL;
  opcode->several = row != NULL && (row->several == WB_PTX_SEVERAL ||
                                    (row->several == WB_PTX_SEVERAL_ON_MAXWELL && maxwell));
  if (assumed == NULL)
    return row != NULL || note_unknown(parser, first, opcode);
  opcode->unit = (uint8_t)assumed->unit;
  /* A path that uses the opcode states the assumption: by the user's word, not by opcode, of which
   * there may be very many. */
  struct wb_text text = {0};
  wb_text_format(&text, "the unit of '%.*s' is the user's assumption",
                 (int)wb_minimum(assumed->length, LONGEST_NAME), assumed->opcode);
  opcode->assumption =
      !text.failed ? wb_name_pool_copy(parser->symbols.names, text.data, text.length) : NULL;
  wb_text_free(&text);
  return opcode->assumption != NULL || wb_ptx_out_of_memory(parser);
}

/* Appends an instruction, without its operands. */
static bool add_instruction(struct wb_ptx_parser *parser, const struct wb_ptx_token *first,
                            const struct wb_ptx_symbol *opcode, bool guarded)
{
  struct wb_function *function = parser->function;
  if (!wb_grow(function->instructions, &parser->instruction_capacity,
               function->instruction_count + 1))
    return wb_ptx_out_of_memory(parser);
  function->instructions[function->instruction_count++] = (struct wb_instruction){
      .opcode = opcode->name,
      .assumption = opcode->assumption,
      .line = first->line,
      .column = first->column,
      .source_file = parser->source_file,
      .source_line = parser->source_line,
      .unit = opcode->unit,
      .transfer = opcode->transfer,
      .guard = WB_NO_REGISTER,
      .guarded = guarded,
      .several = opcode->several,
  };
  return true;
}

static struct wb_instruction *last_instruction(const struct wb_ptx_parser *parser)
{
  return &parser->function->instructions[parser->function->instruction_count - 1];
}

static bool refer(struct wb_ptx_parser *parser, const struct wb_ptx_token *label, size_t slot,
                  enum wb_ptx_label_kind kind)
{
  struct wb_ptx_symbol *symbol;
  if (!wb_ptx_intern(parser, label, &symbol))
    return false;
  const struct wb_ptx_reference reference = {
      .symbol = symbol,
      .slot = (uint32_t)slot,
      .line = label->line,
      .column = label->column,
      .kind = (uint8_t)kind,
  };
  return wb_ptx_reference_add(parser, reference);
}

/* Appends a target that is to be filled in, and refers it to the label. */
static bool add_target(struct wb_ptx_parser *parser, const struct wb_ptx_token *label)
{
  struct wb_function *function = parser->function;
  if (!wb_grow(function->targets, &parser->target_capacity, function->target_count + 1))
    return wb_ptx_out_of_memory(parser);
  function->targets[function->target_count++] = 0;
  return refer(parser, label, function->target_count - 1, WB_PTX_LABEL_PLACE);
}

/* The label of a list of targets or of a prototype, for the last instruction. */
static bool list_label(struct wb_ptx_parser *parser, enum wb_ptx_label_kind kind, const char *what)
{
  if (parser->token.kind != WB_PTX_WORD)
    return wb_ptx_expected(parser, what);
  return refer(parser, &parser->token, parser->function->instruction_count - 1, kind) &&
         wb_ptx_advance(parser);
}

/* `bra LABEL`. PTX 2.1 also described `bra %r1, LIST` and `bra %r1`. */
static bool branch(struct wb_ptx_parser *parser)
{
  struct wb_ptx_token target = parser->token;
  struct wb_instruction *instruction = last_instruction(parser);
  if (!wb_ptx_expect(parser, WB_PTX_WORD, "a label"))
    return false;
  if (target.text[0] != '%') {
    instruction->first_target = (uint32_t)parser->function->target_count;
    instruction->target_count = 1;
    return add_target(parser, &target);
  }
  bool listed;
  if (!wb_ptx_accept(parser, ',', &listed))
    return false;
  instruction->transfer = listed ? WB_TRANSFER_INDEXED_BRANCH : WB_TRANSFER_INDIRECT_BRANCH;
  return !listed || list_label(parser, WB_PTX_LABEL_TARGETS, "the label of a .branchtargets list");
}

/* Operands in parentheses, perhaps none. */
static bool arguments(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_expect(parser, '(', "'('"))
    return false;
  if (parser->token.kind != ')' && !wb_ptx_operand_list(parser))
    return false;
  return wb_ptx_expect(parser, ')', "',' or ')'");
}

/* `call (results), function, (arguments), prototype`: all but the function may be
 * missing, and with a prototype the function is a register. */
static bool call(struct wb_ptx_parser *parser)
{
  if (parser->token.kind == '(' && (!arguments(parser) || !wb_ptx_expect(parser, ',', "','")))
    return false;
  struct wb_ptx_token callee = parser->token;
  struct wb_ptx_symbol *symbol;
  bool more;
  if (!wb_ptx_expect(parser, WB_PTX_WORD, "the function to call") ||
      !wb_ptx_intern(parser, &callee, &symbol) || !wb_ptx_accept(parser, ',', &more))
    return false;
  if (more && parser->token.kind == '(' &&
      (!arguments(parser) || !wb_ptx_accept(parser, ',', &more)))
    return false;
  /* Registers begin with '%', or were declared, as no function was. */
  struct wb_instruction *instruction = last_instruction(parser);
  if (more || symbol->name[0] == '%' || (symbol->variable && !symbol->function))
    instruction->transfer = WB_TRANSFER_CALL_INDIRECT;
  else
    instruction->callee = symbol->name;
  return !more || list_label(parser, WB_PTX_LABEL_PROTOTYPE, "the label of a prototype");
}

/* `bar.sync BARRIER, THREADS`, `bar.red.and.pred RESULT, BARRIER, THREADS, PREDICATE`: without a
 * number of threads, or with that of the whole block, it is for all warps of the block. */
static bool barrier(struct wb_ptx_parser *parser)
{
  struct wb_instruction *instruction = last_instruction(parser);
  bool reduces = strstr(instruction->opcode, ".red") != NULL;
  size_t place = reduces ? 2 : 1;
  size_t least = reduces ? 4 : 2; /* operands with which there is a number of threads */
  size_t count = 0;
  uint64_t threads = 0;
  bool more = parser->token.kind != ';';
  if (more && !wb_ptx_at_operand(parser))
    return wb_ptx_expected(parser, "an operand or ';'");
  while (more) {
    if (count == place)
      threads = wb_ptx_number(&parser->token);
    if (!wb_ptx_operand(parser) || !wb_ptx_accept(parser, ',', &more))
      return false;
    count++;
  }
  uint32_t all = parser->function->block_threads;
  if (count >= least && (all == 0 || threads != all)) {
    instruction->unit = WB_UNIT_NONE;
    instruction->partial_barrier = true;
  }
  return true;
}

static bool operands(struct wb_ptx_parser *parser)
{
  const struct wb_instruction *instruction = last_instruction(parser);
  if (instruction->unit == WB_UNIT_BARRIER && strncmp(instruction->opcode, "bar", 3) == 0)
    return barrier(parser);
  switch (instruction->transfer) {
  case WB_TRANSFER_BRANCH:
    return branch(parser);
  case WB_TRANSFER_INDEXED_BRANCH:
    /* `brx.idx INDEX, LIST` */
    return wb_ptx_operand(parser) && wb_ptx_expect(parser, ',', "','") &&
           list_label(parser, WB_PTX_LABEL_TARGETS, "the label of a .branchtargets list");
  case WB_TRANSFER_CALL_FUNCTION:
    return call(parser);
  default:
    if (parser->token.kind == ';')
      return true;
    if (!wb_ptx_at_operand(parser))
      return wb_ptx_expected(parser, "an operand or ';'");
    return wb_ptx_operand_list(parser);
  }
}

/* An instruction whose guard, if any, was taken; the next token is the word after its first word,
 * which is `first`. */
static bool instruction(struct wb_ptx_parser *parser, struct wb_ptx_token first, bool guarded)
{
  const char *text;
  size_t length;
  if (!opcode_text(parser, &first, &text, &length))
    return false;
  struct wb_ptx_symbol *opcode = wb_ptx_symbol(&parser->symbols, text, length);
  if (opcode == NULL)
    return wb_ptx_out_of_memory(parser);
  return classify(parser, &first, opcode) && add_instruction(parser, &first, opcode, guarded) &&
         operands(parser) && wb_ptx_expect(parser, ';', "',' or ';'");
}

/* ---- functions ---- */

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

static bool pragma_string(struct wb_ptx_parser *parser)
{
  return wb_ptx_expect(parser, WB_PTX_STRING, "a string");
}

bool wb_ptx_pragma(struct wb_ptx_parser *parser)
{
  return wb_ptx_advance(parser) && wb_ptx_list(parser, pragma_string) &&
         wb_ptx_expect(parser, ';', "',' or ';'");
}

/* A directive with its numbers. What it says of the function that it follows is kept in `function`,
 * unless that is NULL. */
static bool read_directive(struct wb_ptx_parser *parser, const struct function_directive *directive,
                           struct wb_function *function)
{
  uint64_t product = 1; /* of the numbers, 0 where that is beyond any number of threads */
  bool more = directive->most > 0;
  if (!wb_ptx_advance(parser))
    return false;
  for (unsigned i = 0; i < directive->most && more; i++) {
    uint64_t number = wb_ptx_number(&parser->token);
    product = number <= THREAD_LIMIT ? product * number : 0;
    product = product <= THREAD_LIMIT ? product : 0;
    if (!wb_ptx_expect(parser, WB_PTX_INTEGER, "a number") ||
        (i + 1 < directive->most && !wb_ptx_accept(parser, ',', &more)))
      return false;
  }
  if (function != NULL && strcmp(directive->name, ".reqntid") == 0)
    function->block_threads = (uint32_t)product;
  if (function != NULL && strcmp(directive->name, ".noreturn") == 0)
    function->no_return = true;
  return true;
}

/* Directives that follow a function's parameters: .maxntid, .noreturn, ... */
static bool read_directives(struct wb_ptx_parser *parser, struct wb_function *function)
{
  const size_t count = sizeof function_directives / sizeof *function_directives;
  while (parser->token.kind == WB_PTX_DIRECTIVE) {
    size_t d = 0;
    while (d < count && !wb_ptx_token_is(&parser->token, function_directives[d].name))
      d++;
    bool read;
    if (wb_ptx_at_directive(parser, ".pragma"))
      read = wb_ptx_pragma(parser);
    else if (d == count)
      read = wb_ptx_expected(parser, "a directive of a function, '{' or ';'");
    else
      read = read_directive(parser, &function_directives[d], function);
    if (!read)
      return false;
  }
  return true;
}

/* Adds a label; one of a place also to those of the code. */
static bool add_label(struct wb_ptx_parser *parser, const struct wb_ptx_label *label)
{
  struct wb_function *function = parser->function;
  if (!wb_ptx_label_add(parser, *label))
    return false;
  if (label->kind != WB_PTX_LABEL_PLACE)
    return true;
  if (!wb_grow(function->labels, &parser->label_capacity, function->label_count + 1))
    return wb_ptx_out_of_memory(parser);
  function->labels[function->label_count++] = (struct wb_label){
      .name = label->symbol->name,
      .index = label->first,
      .line = label->line,
  };
  return true;
}

static bool branch_target(struct wb_ptx_parser *parser)
{
  if (parser->token.kind != WB_PTX_WORD)
    return wb_ptx_expected(parser, "a label");
  return add_target(parser, &parser->token) && wb_ptx_advance(parser);
}

static bool call_target(struct wb_ptx_parser *parser)
{
  return wb_ptx_expect(parser, WB_PTX_WORD, "the name of a function");
}

/* What a label may stand before: `.branchtargets A, B;`, `.calltargets f, g;`, `.callprototype
 * (results) _ (parameters);`, or an instruction. */
static bool labelled(struct wb_ptx_parser *parser, struct wb_ptx_label *label)
{
  bool read = true;
  label->kind = WB_PTX_LABEL_PROTOTYPE;
  if (wb_ptx_at_directive(parser, ".branchtargets")) {
    label->kind = WB_PTX_LABEL_TARGETS;
    label->first = (uint32_t)parser->function->target_count;
    read = wb_ptx_advance(parser) && wb_ptx_list(parser, branch_target);
    label->count = (uint32_t)parser->function->target_count - label->first;
  } else if (wb_ptx_at_directive(parser, ".calltargets")) {
    read = wb_ptx_advance(parser) && wb_ptx_list(parser, call_target);
  } else if (wb_ptx_at_directive(parser, ".callprototype")) {
    read = wb_ptx_advance(parser) && (parser->token.kind != '(' || wb_ptx_parameters(parser)) &&
           wb_ptx_expect(parser, WB_PTX_WORD, "'_'") &&
           (parser->token.kind != '(' || wb_ptx_parameters(parser)) &&
           read_directives(parser, NULL) && wb_ptx_expect(parser, ';', "';'");
    return read && add_label(parser, label);
  } else {
    label->kind = WB_PTX_LABEL_PLACE;
    return add_label(parser, label);
  }
  return read && wb_ptx_expect(parser, ';', "',' or ';'") && add_label(parser, label);
}

/* After a name: ':' makes it a label, else it begins an instruction. */
static bool word_statement(struct wb_ptx_parser *parser, bool guarded)
{
  struct wb_ptx_token word = parser->token;
  struct wb_ptx_symbol *symbol;
  if (!wb_ptx_advance(parser))
    return false;
  if (guarded || parser->token.kind != ':')
    return instruction(parser, word, guarded);
  if (!wb_ptx_advance(parser) || !wb_ptx_intern(parser, &word, &symbol))
    return false;
  struct wb_ptx_label label = {
      .symbol = symbol,
      .first = (uint32_t)parser->function->instruction_count,
      .line = word.line,
      .column = word.column,
  };
  return labelled(parser, &label);
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
  static const struct {
    const char *directive;
    bool (*read)(struct wb_ptx_parser *parser);
  } statements[] = {
      {".loc", wb_ptx_location},    {".loc_intermediate", wb_ptx_intermediate_location},
      {".file", wb_ptx_file},       {".pragma", wb_ptx_pragma},
      {".section", wb_ptx_section},
  };
  if (wb_ptx_at_state_space(parser))
    return wb_ptx_variables(parser);
  for (size_t s = 0; s < sizeof statements / sizeof *statements; s++)
    if (wb_ptx_at_directive(parser, statements[s].directive))
      return statements[s].read(parser);
  return wb_ptx_expected(parser, "a directive that may stand in a function");
}

static bool statement(struct wb_ptx_parser *parser)
{
  switch (parser->token.kind) {
  case '{':
    return wb_ptx_scope_open(parser);
  case '}':
    return wb_ptx_scope_close(parser);
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

/* Reads the body of a function, whose name is given; there is one at most. */
static bool body(struct wb_ptx_parser *parser, const struct wb_ptx_token *name)
{
  struct wb_ptx_symbol *symbol;
  if (!wb_ptx_intern(parser, name, &symbol))
    return false;
  if (symbol->defined)
    return wb_ptx_error(parser, name, "expected a new function, found '%.120s' a second time",
                        symbol->name);
  symbol->defined = true;
  parser->function->defined = true;
  parser->labels.label_count = 0;
  parser->labels.reference_count = 0;
  parser->labels.scope_count = 0;
  parser->labels.depth = 0;
  parser->source_file = 0;
  parser->source_line = 0;
  if (!wb_ptx_scope_open(parser))
    return false;
  while (parser->labels.depth > 0)
    if (!statement(parser))
      return false;
  return wb_ptx_labels_resolve(parser);
}

/* Adds a function without a body. */
static bool add_function(struct wb_ptx_parser *parser, const struct wb_ptx_token *name, bool kernel)
{
  struct wb_code *code = parser->code;
  struct wb_ptx_symbol *symbol;
  if (!wb_ptx_intern(parser, name, &symbol))
    return false;
  symbol->function = true;
  if (!wb_grow(code->functions, &parser->function_capacity, code->function_count + 1))
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
  if (!read_directives(parser, parser->function))
    return false;
  if (parser->token.kind == '{')
    return body(parser, &name);
  return wb_ptx_expect(parser, ';', "a directive of a function, '{' or ';'");
}
