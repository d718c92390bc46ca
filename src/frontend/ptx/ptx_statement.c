/* Instructions: opcode, operands, and what control does. */
#include "frontend/ptx/ptx_statement.h"

#include "base/checked.h"
#include "base/memory.h"
#include "frontend/ptx/ptx_labels.h"
#include "frontend/ptx/ptx_operand.h"
#include "frontend/ptx/ptx_scanner.h"
#include "frontend/ptx/ptx_symbols.h"
#include "isa/ptx_opcodes.h"

#include <stdio.h>
#include <string.h>

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

/* The assumption on its unit that a path which uses the opcode states, or NULL where memory is out:
 * by the user's word, not by opcode, of which there may be very many. */
static const char *user_assumption(struct wb_ptx_parser *parser,
                                   const struct wb_unit_assumption *assumed)
{
  struct wb_text text = {0};
  wb_text_format(&text, "the unit of '%.*s' is the user's assumption",
                 (int)wb_minimum(assumed->length, LONGEST_NAME), assumed->opcode);
  const char *copy =
      !text.failed ? wb_name_pool_copy(parser->symbols.names, text.data, text.length) : NULL;
  wb_text_free(&text);
  return copy;
}

/* Whether the module's target has multipliers of 16 bits only: Maxwell and Pascal. */
static bool is_maxwell(const struct wb_ptx_parser *parser)
{
  const char *target = parser->code->target;
  return strncmp(target, "sm_5", 4) == 0 || strncmp(target, "sm_6", 4) == 0;
}

static bool becomes_several(const struct wb_ptx_parser *parser, enum wb_ptx_several several)
{
  return several == WB_PTX_SEVERAL || (several == WB_PTX_SEVERAL_ON_MAXWELL && is_maxwell(parser));
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
  opcode->classified = true;
  opcode->transfer = (uint8_t)(row != NULL ? row->transfer : WB_TRANSFER_NEXT);
  opcode->unit = (uint8_t)(row != NULL ? row->unit : WB_UNIT_NONE);
  opcode->assumption = row != NULL ? row->assumption : NULL;
  opcode->several = row != NULL && becomes_several(parser, row->several);
  if (assumed == NULL)
    return row != NULL || note_unknown(parser, first, opcode);
  opcode->unit = (uint8_t)assumed->unit;
  opcode->assumption = user_assumption(parser, assumed);
  return opcode->assumption != NULL || wb_ptx_out_of_memory(parser);
}

/* Appends an instruction, without its operands. */
static bool add_instruction(struct wb_ptx_parser *parser, const struct wb_ptx_token *first,
                            const struct wb_ptx_symbol *opcode, bool guarded)
{
  struct wb_function *function = parser->function;
  bool grown = wb_grow(function->instructions, &parser->instruction_capacity,
                       function->instruction_count + 1);
  if (!grown)
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
  struct wb_ptx_reference reference = {
      .symbol = symbol,
      .slot = (uint32_t)slot,
      .line = label->line,
      .column = label->column,
      .kind = (uint8_t)kind,
  };
  return wb_ptx_reference_add(&parser->labels, reference) || wb_ptx_out_of_memory(parser);
}

bool wb_ptx_target(struct wb_ptx_parser *parser, const struct wb_ptx_token *label)
{
  struct wb_function *function = parser->function;
  bool grown = wb_grow(function->targets, &parser->target_capacity, function->target_count + 1);
  if (!grown)
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
    return wb_ptx_target(parser, &target);
  }
  bool listed;
  if (!wb_ptx_accept(parser, ',', &listed))
    return false;
  instruction->transfer = listed ? WB_TRANSFER_INDEXED_BRANCH : WB_TRANSFER_INDIRECT_BRANCH;
  return !listed || list_label(parser, WB_PTX_LABEL_TARGETS, "the label of a .branchtargets list");
}

/* `brx.idx INDEX, LIST` */
static bool indexed_branch(struct wb_ptx_parser *parser)
{
  return wb_ptx_operand(parser) && wb_ptx_expect(parser, ',', "','") &&
         list_label(parser, WB_PTX_LABEL_TARGETS, "the label of a .branchtargets list");
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

/* Whether a call goes to what a register holds: registers begin with '%', or were
 * declared, as no function was. */
static bool is_register(const struct wb_ptx_symbol *symbol)
{
  return symbol->name[0] == '%' || (symbol->variable && !symbol->function);
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
  struct wb_instruction *instruction = last_instruction(parser);
  if (more || is_register(symbol))
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
    return indexed_branch(parser);
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

bool wb_ptx_instruction(struct wb_ptx_parser *parser, struct wb_ptx_token first, bool guarded)
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
