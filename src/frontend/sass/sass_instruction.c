/* From a statement to an instruction: its row of the opcode table, its guard, its registers, and
 * where it goes. */
#include "base/hash.h"
#include "base/memory.h"
#include "frontend/sass/sass_parser.h"
#include "isa/opcode.h"
#include "isa/sass_facts.h"
#include "isa/sass_operand.h"

#include <stdio.h>
#include <string.h>

#define UNKNOWN_OPCODE                                                                             \
  "its opcode is not in the table of SASS opcodes; taken to read and write every register"
#define UNKNOWN_OPERANDS                                                                           \
  "its operands are not those of the table of SASS opcodes; taken to read and write every "        \
  "register"
#define UNKNOWN_MODIFIERS                                                                          \
  "its modifiers are not in the table of machine words; taken to read and write every register"
#define LISTED_TARGETS "its targets are those that the compiler lists"
#define OUTSIDE                                                                                    \
  "what it calls is not in its function's section; taken to return, and to read and write every "  \
  "register"
#define OUTSIDE_LINKED                                                                             \
  "what it calls is not in its function's section; taken to return, to read every register and "   \
  "to keep what functions of nvcc keep: R1, R2, R16 to R31, the last four of each eight from R32 " \
  "on, and barrier registers"

#define NOT_MODELLED "it writes a control register that is not modelled"

/* A word that the disassembler does not know: UNKNOWN 0x.., 0x..; with a dot after it it stands
 * before an opcode whose modifiers are not known. */
#define UNKNOWN_WORD "UNKNOWN"

#define BRANCH_TARGETS "BRANCH_TARGETS"

/* An opcode with its modifiers, which is looked up once. */
struct wb_sass_met_opcode {
  const char *name; /* among the code's names */
  size_t length;
  bool partly_known; /* UNKNOWN.FADD: the disassembler knows the opcode alone; row and
                        numbers are of that */
  const struct wb_sass_opcode *row; /* NULL: the table of opcodes lacks it */
  enum wb_sass_family family;
  uint16_t number; /* these as in struct wb_instruction */
  uint8_t modifier_count;
  uint8_t modifiers[WB_MODIFIER_LIMIT];
};

/* An instruction being made. */
struct making {
  struct wb_sass_parser *parser;
  struct wb_function *function;
  const struct wb_sass_statement *statement;
  struct wb_instruction *instruction;
  enum wb_sass_family family;
  const struct wb_sass_met_opcode *opcode;
  struct wb_sass_operand operands[WB_SASS_MOST_OPERANDS + 1]; /* one more to be refused */
  size_t operand_count;
  struct wb_sass_facts facts;
};

static bool expected(const struct making *making, struct wb_sass_piece found, const char *what)
{
  const struct wb_sass_statement *statement = making->statement;
  return wb_sass_expected_at(making->parser, statement->line,
                             statement->column + (size_t)(found.text - statement->text), found,
                             what);
}

static struct wb_sass_piece piece_of(const struct wb_sass_operand *operand)
{
  if (operand->kind == WB_SASS_SYMBOL)
    return (struct wb_sass_piece){operand->symbol, operand->symbol_length};
  return (struct wb_sass_piece){operand->text, operand->length};
}

static bool split_operands(struct making *making)
{
  const struct wb_sass_piece all = making->statement->operands;
  const char *cursor = all.text;
  struct wb_sass_operand *operand = making->operands;
  while (wb_sass_next_operand(&cursor, all.text + all.length, operand)) {
    if (operand->fault != NULL)
      return expected(making, piece_of(operand), operand->fault);
    if (making->operand_count == WB_SASS_MOST_OPERANDS)
      return expected(making, piece_of(operand), "at most 24 operands");
    operand = &making->operands[++making->operand_count];
  }
  return true;
}

static uint64_t hash_piece(struct wb_sass_piece piece, enum wb_sass_family family)
{
  return wb_hash_finish(wb_hash_bytes(WB_HASH_START + family, piece.text, piece.length));
}

static uint64_t hash_of(const void *items, uint32_t item)
{
  const struct wb_sass_met_opcode *met = (const struct wb_sass_met_opcode *)items + item;
  return hash_piece((struct wb_sass_piece){met->name, met->length}, met->family);
}

/* A key is an opcode without its row. */
static bool equal(const void *items, uint32_t item, const void *key)
{
  const struct wb_sass_met_opcode *met = (const struct wb_sass_met_opcode *)items + item;
  const struct wb_sass_met_opcode *other = key;
  return met->length == other->length && met->family == other->family &&
         memcmp(met->name, other->name, met->length) == 0;
}

/* The opcode of the statement, which is looked up once in a listing: listings have millions of
 * instructions and some hundred opcodes. */
static bool find_opcode(struct making *making)
{
  struct wb_sass_parser *parser = making->parser;
  struct wb_sass_piece opcode = making->statement->opcode;
  struct wb_instruction *instruction = making->instruction;
  struct wb_sass_met_opcode made = {
      .name = opcode.text, .length = opcode.length, .family = making->family};
  if (!wb_hash_table_grow(&parser->opcode_table, parser->opcode_count, hash_of, parser->opcodes))
    return wb_sass_out_of_memory(parser);
  uint32_t *slot = wb_hash_table_slot(&parser->opcode_table, hash_piece(opcode, making->family),
                                      equal, parser->opcodes, &made);
  if (*slot == 0) {
    struct wb_instruction numbers = {.number = 0};
    if (!wb_grow(parser->opcodes, &parser->opcode_capacity, parser->opcode_count + 1))
      return wb_sass_out_of_memory(parser);
    made.name = wb_sass_keep(parser, opcode);
    made.partly_known = wb_sass_begins(opcode, UNKNOWN_WORD ".");
    if (made.partly_known)
      opcode = wb_sass_after(opcode, strlen(UNKNOWN_WORD "."));
    wb_opcode_parse(opcode.text, opcode.length, &numbers);
    made.row = wb_sass_opcode_find(opcode.text, opcode.length, making->family);
    made.number = numbers.number;
    made.modifier_count = numbers.modifier_count;
    memcpy(made.modifiers, numbers.modifiers, sizeof made.modifiers);
    if (made.name == NULL)
      return wb_sass_out_of_memory(parser);
    parser->opcodes[parser->opcode_count++] = made;
    *slot = (uint32_t)parser->opcode_count;
  }
  const struct wb_sass_met_opcode *met = &parser->opcodes[*slot - 1];
  making->opcode = met;
  instruction->opcode = met->name;
  instruction->number = met->number;
  instruction->modifier_count = met->modifier_count;
  memcpy(instruction->modifiers, met->modifiers, sizeof instruction->modifiers);
  return true;
}

/* An instruction of which at most the opcode is known, by its row. */
static void assume_everything(struct making *making, const struct wb_sass_opcode *row)
{
  const struct wb_sass_piece opcode = making->statement->opcode;
  struct wb_instruction *instruction = making->instruction;
  const bool no_word =
      wb_sass_same(opcode, (struct wb_sass_piece){UNKNOWN_WORD, strlen(UNKNOWN_WORD)});
  /* A move of a barrier register decides where lanes meet. */
  const bool moves_barrier =
      row != NULL && wb_instruction_is(instruction, WB_TRAIT_MOVES_BARRIER_REGISTER);
  const bool goes_on = row != NULL ? row->transfer == WB_TRANSFER_NEXT && !moves_barrier : !no_word;
  wb_sass_facts_everything(&making->facts);
  instruction->unknown = true;
  instruction->unit = (uint8_t)(row == NULL ? WB_UNIT_CORE : row->unit);
  instruction->transfer = (uint8_t)(goes_on ? WB_TRANSFER_NEXT : WB_TRANSFER_UNSUPPORTED);
}

/* The opcode's row laid over the operands; where that fails, every register. */
static void find_facts(struct making *making)
{
  const enum wb_sass_family family = making->family;
  const struct wb_sass_piece opcode = making->statement->opcode;
  const struct wb_sass_opcode *row = making->opcode->row;
  struct wb_instruction *instruction = making->instruction;
  const bool unknown = making->opcode->partly_known || row == NULL;
  if (unknown || !wb_sass_facts_make(&making->facts, row, family, opcode.text, opcode.length,
                                     making->operands, making->operand_count)) {
    instruction->assumption = making->opcode->partly_known ? UNKNOWN_MODIFIERS
                              : row == NULL                ? UNKNOWN_OPCODE
                                                           : UNKNOWN_OPERANDS;
    assume_everything(making, row);
  } else {
    instruction->unit = row->unit;
    instruction->transfer = row->transfer;
    instruction->token = row->token;
    instruction->assumption = row->assumption;
    instruction->conditional_code = making->facts.conditional_code;
    instruction->second_predicate = making->facts.second_predicate;
    instruction->uniform = making->facts.uniform;
    instruction->never = making->facts.never;
    /* A barrier is one of all warps of the block where its first operand is the barrier's number,
     * and what follows are predicates. A register may name any barrier, and a further number is
     * that of the threads which take part. */
    bool waits_for_block = making->operand_count > 0;
    for (size_t o = 0; o < making->operand_count; o++)
      waits_for_block &= making->operands[o].kind == (o == 0 ? WB_SASS_NUMBER : WB_SASS_PREDICATE);
    if (instruction->unit == WB_UNIT_BARRIER && !waits_for_block)
      instruction->unit = WB_UNIT_NONE;
  }
  if (family == WB_SASS_64 && wb_sass_joins(opcode.text, opcode.length)) {
    /* `NOP.S`: with a guard it is not known which lanes join. */
    const bool plain =
        instruction->transfer == WB_TRANSFER_NEXT && making->statement->guard.length == 0;
    instruction->transfer = (uint8_t)(plain ? WB_TRANSFER_POP : WB_TRANSFER_UNSUPPORTED);
    instruction->token = (uint8_t)(plain ? WB_TOKEN_SYNC : WB_TOKEN_NONE);
  }
}

/* ---- barrier registers, masks of lanes and link registers, from Volta on ---- */

/* Which lanes an operand names. */
static enum wb_lane_mask mask_of(const struct wb_operand *operand)
{
  const bool no_register =
      operand->kind == WB_OPERAND_REGISTER && operand->number == WB_NO_REGISTER;
  if ((operand->kind == WB_OPERAND_NUMBER && (uint32_t)operand->value == UINT32_MAX) ||
      (no_register && operand->complemented))
    return WB_MASK_ALL;
  return wb_operand_is_plain_register(operand) && !no_register ? WB_MASK_REGISTER : WB_MASK_OTHER;
}

/* Whether operand `o`, a register, is an address to return to that counts from the start of the
 * function: RET.REL.NODEC R20 0x0, or with the function's name. */
static bool is_link(const struct making *making, size_t o)
{
  const uint16_t number = making->operands[o].meaning.number;
  const struct wb_sass_operand *base = &making->operands[o + 1];
  if (number >= WB_REGISTER_PREDICATE &&
      (number < WB_REGISTER_UNIFORM || number >= WB_REGISTER_UNIFORM_PREDICATE))
    return false;
  if (o + 2 != making->operand_count)
    return o + 1 >= making->operand_count;
  if (base->kind != WB_SASS_SYMBOL)
    return base->meaning.kind == WB_OPERAND_NUMBER && base->meaning.value == 0;
  struct wb_sass_piece symbol = {base->symbol, base->symbol_length};
  if (wb_sass_begins(symbol, ".text."))
    symbol = (struct wb_sass_piece){symbol.text + 6, symbol.length - 6};
  return wb_sass_same(symbol, making->parser->name);
}

/* Sets an instruction's barrier, mask, link, together, unless_all and yields from its opcode and
 * operands; its transfer is known. What has an effect on control that is not modelled becomes
 * UNSUPPORTED. */
static bool find_convergence(struct making *making)
{
  static const enum wb_modifier all[] = {WB_MODIFIER_ALL};
  struct wb_instruction *instruction = making->instruction;
  const struct wb_sass_operand *operands = making->operands;
  const size_t count = making->operand_count;
  const bool divides = wb_instruction_has(instruction, WB_MODIFIER_DIV);
  const bool converges = wb_instruction_has(instruction, WB_MODIFIER_CONV);
  size_t o = 0; /* after the predicates at the front */
  while (o < count && operands[o].kind == WB_SASS_PREDICATE)
    o++;
  const struct wb_operand *first = o < count ? &operands[o].meaning : NULL;
  const bool plain = first != NULL && wb_operand_is_plain_register(first);
  instruction->yields = wb_instruction_is(instruction, WB_TRAIT_YIELDS);
  if (wb_instruction_is(instruction, WB_TRAIT_MOVES_BARRIER_REGISTER) && count > 0 &&
      operands[0].kind == WB_SASS_WORD) { /* BMOV ATEXIT_PC.LO, R2 */
    instruction->transfer = WB_TRANSFER_UNSUPPORTED;
    instruction->assumption = NOT_MODELLED;
  }
  switch (instruction->transfer) {
  case WB_TRANSFER_SCOPE_OPEN:
  case WB_TRANSFER_SCOPE_SYNC:
  case WB_TRANSFER_SCOPE_BREAK:
    if (!plain || first->number < WB_REGISTER_BARRIER || first->number >= WB_REGISTER_COUNT)
      return expected(making, first != NULL ? piece_of(&operands[o]) : making->statement->operands,
                      "a barrier register B0 to B15");
    instruction->barrier = (uint8_t)(first->number - WB_REGISTER_BARRIER);
    break;
  case WB_TRANSFER_WARP_SYNC:
    instruction->mask = WB_MASK_OTHER;
    if (wb_instruction_has_just(instruction, all, 1))
      instruction->mask = WB_MASK_ALL;
    else if (instruction->modifier_count == 0 && first != NULL)
      instruction->mask = (uint8_t)mask_of(first);
    break;
  case WB_TRANSFER_BRANCH:
    instruction->unless_all = divides;
    instruction->together = divides || converges;
    /* Up to Turing BRA.DIV and BRA.CONV name no mask: they compare with all lanes of the warp. */
    if (instruction->together)
      instruction->mask = (uint8_t)(o + 1 < count ? mask_of(first) : WB_MASK_ALL);
    break;
  case WB_TRANSFER_INDEXED_BRANCH: /* BRXU.DIV, JMXU.CONV: found in no compiled code */
    if (divides || converges)
      instruction->transfer = WB_TRANSFER_UNSUPPORTED;
    break;
  case WB_TRANSFER_RETURN_LINKED:
    if (plain && is_link(making, o))
      instruction->link = first->number;
    else
      instruction->transfer = WB_TRANSFER_UNSUPPORTED;
    break;
  default:
    break;
  }
  return true;
}

/* ---- guards and targets ---- */

static bool is_uniform_predicate(uint16_t number)
{
  return number != WB_NO_REGISTER && number >= WB_REGISTER_UNIFORM_PREDICATE;
}

static bool read_guard(struct making *making)
{
  struct wb_instruction *instruction = making->instruction;
  struct wb_sass_piece guard = making->statement->guard;
  uint16_t number = WB_NO_REGISTER;
  const char *fault = NULL;
  if (guard.text != NULL) {
    instruction->guard_negated = wb_sass_begins(guard, "!");
    if (instruction->guard_negated)
      guard = (struct wb_sass_piece){guard.text + 1, guard.length - 1};
    if ((!wb_sass_begins(guard, "UP") && !wb_sass_begins(guard, "P")) ||
        !wb_sass_register_number(guard.text, guard.length, &number, &fault) || fault != NULL)
      return expected(making, making->statement->guard, "a predicate as guard");
    instruction->guarded = number != WB_NO_REGISTER;
    if (!instruction->guarded) {
      instruction->never |= instruction->guard_negated;
      instruction->guard_negated = false;
    }
    wb_sass_facts_read(&making->facts, number, 1);
  }
  instruction->guard = number;
  /* A uniform predicate is one of the lanes that run together: the compiler vouches for nothing. */
  bool uniform_predicate = is_uniform_predicate(number);
  for (size_t o = 0; o < making->operand_count; o++)
    uniform_predicate |= making->operands[o].kind == WB_SASS_PREDICATE &&
                         is_uniform_predicate(making->operands[o].registers[0].number);
  if (making->family == WB_SASS_128)
    instruction->uniform &= !uniform_predicate;
  return true;
}

/* What a call by register names: R6 of `R6 0x0`, which other disassemblers give a label. */
static struct wb_sass_piece called_register(struct wb_sass_piece operands)
{
  for (size_t i = operands.length; i > 1; i--) {
    const char *behind = operands.text + i;
    if (operands.text[i - 1] != ' ' || i == operands.length)
      continue;
    const bool place = *behind == '`' || *behind == '0' || *behind == '-';
    return place && operands.text[i - 2] != ',' ? wb_sass_trim(operands.text, behind) : operands;
  }
  return operands;
}

/* The code that a call enters is not there to be followed. */
static bool call_outside(struct making *making)
{
  struct wb_instruction *instruction = making->instruction;
  const struct wb_sass_operand *destination = making->facts.destination;
  const struct wb_sass_piece callee =
      destination != NULL ? piece_of(destination) : called_register(making->statement->operands);
  instruction->transfer = WB_TRANSFER_CALL_OUTSIDE;
  instruction->token = WB_TOKEN_NONE;
  instruction->assumption = making->family == WB_SASS_64 ? OUTSIDE : OUTSIDE_LINKED;
  instruction->callee = wb_sass_keep(making->parser, callee);
  wb_sass_facts_call(&making->facts, making->family);
  wb_sass_facts_read(&making->facts, instruction->guard, 1);
  return instruction->callee != NULL || wb_sass_out_of_memory(making->parser);
}

/* The target is in a register or a constant: a branch may go anywhere; what a push, a call or a
 * scope then means is not known. */
static void without_target(struct wb_instruction *instruction, bool collective)
{
  switch (instruction->transfer) {
  case WB_TRANSFER_BRANCH:
    if (!instruction->together) {
      instruction->transfer = WB_TRANSFER_INDEXED_BRANCH;
      return;
    }
    break;
  case WB_TRANSFER_WARP_SYNC:
    if (!collective)
      return;
    break;
  case WB_TRANSFER_PUSH:
  case WB_TRANSFER_CALL:
  case WB_TRANSFER_SCOPE_OPEN:
    break;
  default:
    return;
  }
  instruction->transfer = WB_TRANSFER_UNSUPPORTED;
  instruction->token = WB_TOKEN_NONE;
  instruction->barrier = 0;
  instruction->together = false;
  instruction->unless_all = false;
}

/* Whether the code that a call enters is not in its function's section. An absolute address is
 * known where it is a label; what only the loader knows is printed as 0. */
static bool leaves_section(const struct making *making, const struct wb_sass_operand *destination,
                           size_t index)
{
  switch (making->instruction->transfer) {
  case WB_TRANSFER_CALL_OUTSIDE:
    return true;
  case WB_TRANSFER_CALL:
    return destination != NULL && destination->kind == WB_SASS_SYMBOL && index == SIZE_MAX;
  case WB_TRANSFER_CALL_LINKED:
    if (destination == NULL || destination->kind == WB_SASS_WORD)
      return true;
    if (destination->kind == WB_SASS_SYMBOL)
      return index == SIZE_MAX;
    return wb_instruction_has(making->instruction, WB_MODIFIER_ABS);
  default:
    return false;
  }
}

static bool find_target(struct making *making)
{
  struct wb_instruction *instruction = making->instruction;
  const struct wb_function *function = making->function;
  const struct wb_sass_operand *destination = making->facts.destination;
  size_t index = SIZE_MAX;
  if (destination != NULL && making->statement->target > 0)
    index = making->statement->target - 1;
  else if (destination != NULL && destination->kind != WB_SASS_NUMBER)
    index = wb_sass_find_label(making->parser, piece_of(destination));
  else if (destination != NULL && destination->integer && destination->value >= 0)
    index = wb_sass_target_at(function, (uint64_t)destination->value);
  if (instruction->transfer == WB_TRANSFER_CALL_LINKED && destination == NULL &&
      wb_sass_begins(making->statement->annotation, BRANCH_TARGETS)) {
    instruction->transfer = WB_TRANSFER_INDEXED_BRANCH;
    return true;
  }
  if (leaves_section(making, destination, index))
    return call_outside(making);
  if (destination == NULL) {
    without_target(instruction, wb_instruction_has(instruction, WB_MODIFIER_COLLECTIVE));
    return true;
  }
  if (index == SIZE_MAX) {
    char what[120];
    snprintf(what, sizeof what, "an instruction's address, 0x%04x to 0x%04x",
             (unsigned)function->instructions[0].address,
             (unsigned)function->instructions[function->instruction_count - 1].address);
    return expected(making, piece_of(destination),
                    destination->kind == WB_SASS_NUMBER ? what : "a label of this function");
  }
  instruction->first_target = (uint32_t)function->target_count;
  instruction->target_count = 1;
  return wb_sass_add_target(making->parser, making->function, &making->parser->target_capacity,
                            index);
}

/* Appends the targets of `(*"BRANCH_TARGETS .L_x_1,.L_x_2"*)` to the function's. */
static bool add_listed_targets(struct making *making)
{
  const struct wb_sass_piece annotation = making->statement->annotation;
  const char *end = annotation.text + annotation.length;
  for (const char *p = annotation.text + strlen(BRANCH_TARGETS); p < end;) {
    const char *comma = memchr(p, ',', (size_t)(end - p));
    const struct wb_sass_piece name = wb_sass_trim(p, comma != NULL ? comma : end);
    const size_t index = wb_sass_find_label(making->parser, name);
    if (index == SIZE_MAX)
      return expected(making, name, "a label of this function");
    if (!wb_sass_add_target(making->parser, making->function, &making->parser->target_capacity,
                            index))
      return false;
    p = comma != NULL ? comma + 1 : end;
  }
  return true;
}

/* Targets from the annotation: those of an indexed branch, a claim to be checked elsewhere; or that
 * it is a call (wb_sass_outside_calls). */
static bool annotate(struct making *making)
{
  struct wb_instruction *instruction = making->instruction;
  struct wb_function *function = making->function;
  const struct wb_sass_piece text = making->statement->annotation;
  struct wb_annotation annotation = {.instruction =
                                         (uint32_t)(instruction - function->instructions)};
  if (wb_sass_begins(text, BRANCH_TARGETS)) {
    annotation.first_target = (uint32_t)function->target_count;
    if (!add_listed_targets(making))
      return false;
    annotation.target_count = (uint32_t)function->target_count - annotation.first_target;
  }
  if (instruction->transfer == WB_TRANSFER_INDEXED_BRANCH) {
    instruction->outside = wb_sass_begins(text, "INDIRECT_CALL");
    instruction->first_target = annotation.first_target;
    instruction->target_count = annotation.target_count;
    if (annotation.target_count > 0)
      instruction->assumption = LISTED_TARGETS;
  }
  if (annotation.target_count == 0)
    return true;
  if (!wb_grow(function->annotations, &making->parser->annotation_capacity,
               function->annotation_count + 1))
    return wb_sass_out_of_memory(making->parser);
  function->annotations[function->annotation_count++] = annotation;
  return true;
}

/* ---- what the function keeps ---- */

/* The address in its function that an operand such as 32@lo((f + .L_x_1@srel)) stands for, in
 * bytes, or the upper word of that. False where it names no label of the function; the name of the
 * function itself is none, for its start is where a loader puts it. */
static bool label_value(const struct making *making, struct wb_sass_piece piece, uint64_t *value)
{
  const bool upper = wb_sass_begins(piece, "32@hi(");
  if (upper || wb_sass_begins(piece, "32@lo("))
    piece = wb_sass_after(piece, strlen("32@lo"));
  /* "(", "`(" and ")" that stand around the whole piece. */
  while (piece.length >= 2 && piece.text[piece.length - 1] == ')') {
    if (wb_sass_begins(piece, "`"))
      piece = wb_sass_after(piece, 1);
    if (!wb_sass_begins(piece, "("))
      break;
    piece = wb_sass_trim(piece.text + 1, piece.text + piece.length - 1);
  }
  const char *plus = piece.length > 0 ? memchr(piece.text, '+', piece.length) : NULL;
  if (plus != NULL) {
    if (!wb_sass_same(wb_sass_trim(piece.text, plus), making->parser->name))
      return false;
    piece = wb_sass_trim(plus + 1, piece.text + piece.length);
  }
  const char *at = piece.length > 0 ? memchr(piece.text, '@', piece.length) : NULL;
  if (at != NULL && wb_sass_equal(wb_sass_after(piece, (size_t)(at - piece.text)), "@srel"))
    piece.length = (size_t)(at - piece.text);
  const size_t index = wb_sass_find_label(making->parser, piece);
  if (index == SIZE_MAX || index == 0)
    return false;
  *value = upper ? 0 : making->function->instructions[index].address;
  return true;
}

/* Appends spans to the function's; *first is where they are. */
static bool add_spans(struct making *making, const struct wb_register_span *spans, size_t count,
                      uint32_t *first)
{
  struct wb_function *function = making->function;
  const bool grown =
      wb_grow(function->spans, &making->parser->span_capacity, function->span_count + count);
  if (!grown)
    return wb_sass_out_of_memory(making->parser);
  *first = (uint32_t)function->span_count;
  if (count > 0)
    memcpy(function->spans + function->span_count, spans, count * sizeof *spans);
  function->span_count += count;
  return true;
}

static bool store(struct making *making)
{
  struct wb_sass_parser *parser = making->parser;
  struct wb_function *function = making->function;
  struct wb_instruction *instruction = making->instruction;
  const struct wb_sass_statement *statement = making->statement;
  const struct wb_sass_facts *facts = &making->facts;
  instruction->agreement = (uint8_t)facts->agreement;
  instruction->read_count = (uint16_t)facts->read_count;
  instruction->write_count = (uint16_t)facts->write_count;
  if (!add_spans(making, facts->reads, facts->read_count, &instruction->first_read) ||
      !add_spans(making, facts->writes, facts->write_count, &instruction->first_write))
    return false;
  if (!wb_grow(function->operands, &parser->operand_capacity,
               function->operand_count + making->operand_count))
    return wb_sass_out_of_memory(parser);
  instruction->first_operand = (uint32_t)function->operand_count;
  instruction->operand_count = (uint8_t)making->operand_count;
  for (size_t o = 0; o < making->operand_count; o++) {
    struct wb_sass_operand *operand = &making->operands[o];
    const struct wb_sass_piece text = {operand->text, operand->length};
    if ((operand->kind == WB_SASS_SYMBOL || operand->kind == WB_SASS_WORD) &&
        operand->meaning.kind == WB_OPERAND_OTHER &&
        label_value(making, text, &operand->meaning.value))
      operand->meaning.kind = WB_OPERAND_LABEL;
    function->operands[function->operand_count++] = operand->meaning;
  }
  if (making->family == WB_SASS_128 && !instruction->unknown &&
      !wb_sass_add_copies(parser, function, (size_t)(instruction - function->instructions)))
    return false;
  const bool maxwell = statement->has_control && function->sm < 70 && statement->encoding[1] == 0;
  instruction->column = statement->column + (uint32_t)(statement->opcode.text - statement->text);
  instruction->dual_issue =
      statement->opens || (maxwell && statement->control.stall == 0 && !statement->control.yield);
  instruction->operands = wb_sass_keep(parser, statement->operands);
  return instruction->operands != NULL || wb_sass_out_of_memory(parser);
}

bool wb_sass_make_instruction(struct wb_sass_parser *parser, struct wb_function *function,
                              const struct wb_sass_statement *statement, size_t index)
{
  struct making making; /* its arrays are filled as far as they are counted */
  making.parser = parser;
  making.function = function;
  making.statement = statement;
  making.instruction = &function->instructions[index];
  making.family = function->wide ? WB_SASS_128 : WB_SASS_64;
  making.operand_count = 0;
  if (!find_opcode(&making) || !split_operands(&making))
    return false;
  find_facts(&making);
  if (making.family == WB_SASS_128 && !find_convergence(&making))
    return false;
  return read_guard(&making) && find_target(&making) && annotate(&making) && store(&making);
}
