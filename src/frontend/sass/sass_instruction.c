#include "frontend/sass/sass_instruction.h"

#include "base/memory.h"
#include "frontend/sass/sass_convergence.h"
#include "frontend/sass/sass_copies.h"
#include "frontend/sass/text/sass_opcode_table.h"
#include "frontend/sass/text/sass_scanner.h"
#include "frontend/sass/text/sass_target.h"
#include "isa/opcode.h"
#include "isa/parse/sass_operand.h"
#include "isa/sass_facts.h"

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
  "what it calls is not in its function's section; taken to return, to read every register, and "  \
  "to write all but R1, R16 to R31 and barrier registers"

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

static struct wb_sass_piece piece_of_text(const struct wb_sass_operand *operand)
{
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

static bool find_opcode(struct making *making)
{
  struct wb_instruction *instruction = making->instruction;
  making->opcode = wb_sass_meet_opcode(making->parser, making->statement->opcode, making->family);
  if (making->opcode == NULL)
    return wb_sass_out_of_memory(making->parser);
  instruction->opcode = making->opcode->name;
  instruction->number = making->opcode->number;
  instruction->modifier_count = making->opcode->modifier_count;
  memcpy(instruction->modifiers, making->opcode->modifiers, sizeof instruction->modifiers);
  return true;
}

/* Whether a barrier is one of all warps of the block: its first operand is the barrier's number,
 * and what follows are predicates. A register may name any barrier, and a further number is that
 * of the threads which take part. */
static bool waits_for_block(const struct making *making)
{
  for (size_t o = 0; o < making->operand_count; o++) {
    const enum wb_sass_operand_kind kind = (enum wb_sass_operand_kind)making->operands[o].kind;
    if (kind != (o == 0 ? WB_SASS_NUMBER : WB_SASS_PREDICATE))
      return false;
  }
  return making->operand_count > 0;
}

/* A word that the disassembler does not know: UNKNOWN 0x.., 0x.. */
#define UNKNOWN_WORD "UNKNOWN"

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
  if (making->opcode->partly_known) {
    instruction->assumption = UNKNOWN_MODIFIERS;
    assume_everything(making, row);
    return;
  }
  if (row == NULL || !wb_sass_facts_make(&making->facts, row, family, opcode.text, opcode.length,
                                         making->operands, making->operand_count)) {
    instruction->assumption = row == NULL ? UNKNOWN_OPCODE : UNKNOWN_OPERANDS;
    assume_everything(making, row);
    return;
  }
  instruction->unit = row->unit;
  instruction->transfer = row->transfer;
  instruction->token = row->token;
  instruction->assumption = row->assumption;
  instruction->conditional_code = making->facts.conditional_code;
  instruction->second_predicate = making->facts.second_predicate;
  instruction->uniform = making->facts.uniform;
  instruction->never = making->facts.never;
  if (instruction->unit == WB_UNIT_BARRIER && !waits_for_block(making))
    instruction->unit = WB_UNIT_NONE;
}

/* `NOP.S`: with a guard it is not known which lanes join. */
static void join(struct making *making)
{
  const struct wb_sass_piece opcode = making->statement->opcode;
  struct wb_instruction *instruction = making->instruction;
  if (making->family != WB_SASS_64 || !wb_sass_joins(opcode.text, opcode.length))
    return;
  const bool plain =
      instruction->transfer == WB_TRANSFER_NEXT && making->statement->guard.length == 0;
  instruction->transfer = (uint8_t)(plain ? WB_TRANSFER_POP : WB_TRANSFER_UNSUPPORTED);
  instruction->token = (uint8_t)(plain ? WB_TOKEN_SYNC : WB_TOKEN_NONE);
}

/* What instructions from Volta on have, where their operands are understood. */
static bool find_convergence(struct making *making)
{
  size_t fault = 0;
  struct wb_instruction *instruction = making->instruction;
  if (making->family != WB_SASS_128)
    return true;
  const char *what = wb_sass_convergence(instruction, making->parser->name, making->operands,
                                         making->operand_count, &fault);
  if (what == NULL)
    return true;
  return expected(making,
                  fault < making->operand_count ? piece_of(&making->operands[fault])
                                                : making->statement->operands,
                  what);
}

/* A uniform predicate is one of the lanes that run together: the compiler vouches for nothing. */
static bool tests_uniform_predicate(const struct making *making)
{
  bool found = making->instruction->guard != WB_NO_REGISTER &&
               making->instruction->guard >= WB_REGISTER_UNIFORM_PREDICATE;
  for (size_t o = 0; o < making->operand_count; o++) {
    const struct wb_sass_operand *operand = &making->operands[o];
    found |= operand->kind == WB_SASS_PREDICATE && operand->registers[0].number != WB_NO_REGISTER &&
             operand->registers[0].number >= WB_REGISTER_UNIFORM_PREDICATE;
  }
  return found;
}

static bool read_guard(struct making *making)
{
  struct wb_instruction *instruction = making->instruction;
  struct wb_sass_piece guard = making->statement->guard;
  uint16_t number = WB_NO_REGISTER;
  const char *fault = NULL;
  instruction->guard = WB_NO_REGISTER;
  if (guard.text == NULL)
    return true;
  const struct wb_sass_piece whole = guard;
  if (wb_sass_begins(guard, "!")) {
    instruction->guard_negated = true;
    guard = (struct wb_sass_piece){guard.text + 1, guard.length - 1};
  }
  const bool uniform = wb_sass_begins(guard, "UP");
  if ((!uniform && !wb_sass_begins(guard, "P")) ||
      !wb_sass_register_number(guard.text, guard.length, &number, &fault) || fault != NULL)
    return expected(making, whole, "a predicate as guard");
  instruction->guard = number;
  instruction->guarded = number != WB_NO_REGISTER;
  if (number == WB_NO_REGISTER) {
    instruction->never |= instruction->guard_negated;
    instruction->guard_negated = false;
  }
  wb_sass_facts_read(&making->facts, number, 1);
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

/* Where the operand goes: a label, or an address. */
static size_t destination_index(const struct making *making,
                                const struct wb_sass_operand *destination)
{
  if (making->statement->target > 0)
    return making->statement->target - 1;
  if (destination->kind == WB_SASS_NUMBER)
    return destination->integer && destination->value >= 0
               ? wb_sass_target_at(making->function, (uint64_t)destination->value)
               : SIZE_MAX;
  return wb_sass_find_label(making->parser, piece_of(destination));
}

static bool outside_error(const struct making *making, const struct wb_sass_operand *destination)
{
  const struct wb_function *function = making->function;
  char what[120];
  if (destination->kind != WB_SASS_NUMBER)
    return expected(making, piece_of(destination), "a label of this function");
  snprintf(what, sizeof what, "an instruction's address, 0x%04x to 0x%04x",
           (unsigned)function->instructions[0].address,
           (unsigned)function->instructions[function->instruction_count - 1].address);
  return expected(making, piece_of(destination), what);
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
  const struct wb_sass_operand *destination = making->facts.destination;
  const size_t index = destination != NULL ? destination_index(making, destination) : SIZE_MAX;
  if (instruction->transfer == WB_TRANSFER_CALL_LINKED && destination == NULL &&
      wb_sass_begins(making->statement->annotation, "BRANCH_TARGETS")) {
    instruction->transfer = WB_TRANSFER_INDEXED_BRANCH;
    return true;
  }
  if (leaves_section(making, destination, index))
    return call_outside(making);
  if (destination == NULL) {
    without_target(instruction, wb_instruction_has(instruction, WB_MODIFIER_COLLECTIVE));
    return true;
  }
  if (index == SIZE_MAX)
    return outside_error(making, destination);
  instruction->first_target = (uint32_t)making->function->target_count;
  instruction->target_count = 1;
  return wb_sass_add_target(making->parser, making->function, &making->parser->target_capacity,
                            index);
}

static bool add_annotation(struct making *making, struct wb_annotation annotation)
{
  struct wb_function *function = making->function;
  if (!wb_grow(function->annotations, &making->parser->annotation_capacity,
               function->annotation_count + 1))
    return wb_sass_out_of_memory(making->parser);
  function->annotations[function->annotation_count++] = annotation;
  return true;
}

/* Targets from the annotation: those of an indexed branch, a claim to be checked elsewhere; or that
 * it is a call (wb_sass_outside_calls). */
static bool annotate(struct making *making)
{
  struct wb_instruction *instruction = making->instruction;
  struct wb_annotation annotation = {.instruction =
                                         (uint32_t)(instruction - making->function->instructions)};
  if (!wb_sass_annotation(making->parser, making->function, making->statement, &annotation))
    return false;
  if (instruction->transfer == WB_TRANSFER_INDEXED_BRANCH) {
    instruction->outside = wb_sass_begins(making->statement->annotation, "INDIRECT_CALL");
    instruction->first_target = annotation.first_target;
    instruction->target_count = annotation.target_count;
    if (annotation.target_count > 0)
      instruction->assumption = LISTED_TARGETS;
  }
  return annotation.target_count == 0 || add_annotation(making, annotation);
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

static bool store_facts(struct making *making)
{
  struct wb_instruction *instruction = making->instruction;
  const struct wb_sass_facts *facts = &making->facts;
  instruction->agreement = (uint8_t)facts->agreement;
  instruction->read_count = (uint16_t)facts->read_count;
  instruction->write_count = (uint16_t)facts->write_count;
  return add_spans(making, facts->reads, facts->read_count, &instruction->first_read) &&
         add_spans(making, facts->writes, facts->write_count, &instruction->first_write);
}

static bool add_copies(struct making *making, size_t index)
{
  return making->family == WB_SASS_64 || making->instruction->unknown ||
         wb_sass_add_copies(making->parser, making->function, index);
}

static bool store_operands(struct making *making)
{
  struct wb_function *function = making->function;
  struct wb_instruction *instruction = making->instruction;
  if (!wb_grow(function->operands, &making->parser->operand_capacity,
               function->operand_count + making->operand_count))
    return wb_sass_out_of_memory(making->parser);
  instruction->first_operand = (uint32_t)function->operand_count;
  instruction->operand_count = (uint8_t)making->operand_count;
  for (size_t o = 0; o < making->operand_count; o++) {
    struct wb_sass_operand *operand = &making->operands[o];
    if ((operand->kind == WB_SASS_SYMBOL || operand->kind == WB_SASS_WORD) &&
        operand->meaning.kind == WB_OPERAND_OTHER &&
        wb_sass_label_value(making->parser, function, piece_of_text(operand),
                            &operand->meaning.value))
      operand->meaning.kind = WB_OPERAND_LABEL;
    function->operands[function->operand_count++] = operand->meaning;
  }
  return true;
}

static bool store_text(struct making *making)
{
  struct wb_instruction *instruction = making->instruction;
  const struct wb_sass_statement *statement = making->statement;
  const bool maxwell =
      statement->has_control && making->function->sm < 70 && statement->encoding[1] == 0;
  instruction->column = statement->column + (uint32_t)(statement->opcode.text - statement->text);
  instruction->dual_issue =
      statement->opens || (maxwell && statement->control.stall == 0 && !statement->control.yield);
  instruction->operands = wb_sass_keep(making->parser, statement->operands);
  return instruction->operands != NULL || wb_sass_out_of_memory(making->parser);
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
  join(&making);
  if (!find_convergence(&making) || !read_guard(&making))
    return false;
  if (making.family == WB_SASS_128)
    making.instruction->uniform &= !tests_uniform_predicate(&making);
  return find_target(&making) && annotate(&making) && store_facts(&making) &&
         store_operands(&making) && add_copies(&making, index) && store_text(&making);
}
