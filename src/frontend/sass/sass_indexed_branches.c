/* Targets of indexed branches that no annotation gives: from the tables of constant bank 2,
 *   LDC R4, c[0x2][R4+0xc] ; BRX R4 -0xb0
 * of which entries are addresses in the function and the branch's offset cancels its own
 * address; then from what the user says. Without optimisation the index is moved up and the
 * offset down by as much: IADD32I R4, R4, 0x8000 ; LDC R4, c[0x2][R4+-0x8000]. */
#include "base/checked.h"
#include "base/memory.h"
#include "frontend/sass/sass_front_end.h"
#include "frontend/sass/sass_parser.h"
#include "isa/lower/lower.h"
#include "isa/opcode.h"
#include "isa/runtime_calls.h"
#include "isa/sass_operand.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- targets that the user gives, also to calls by register from Volta on ---- */

#define FROM_USER "its targets are what the user says"

static bool usage(struct wb_sass_parser *parser, const struct wb_sass_targets *given,
                  const char *problem)
{
  parser->status =
      wb_fail(parser->error, WARPBOUND_USAGE, "targets of the branch at 0x%" PRIx64 "%s%s: %s",
              given->address, given->kernel != NULL ? " of " : "",
              given->kernel != NULL ? given->kernel : "", problem);
  return false;
}

/* Whether an instruction from Volta on calls the address in a register, which may be in its
 * function: `CALL.REL.NOINC R8 0x0`. */
static bool calls_register(const struct wb_function *function, const struct wb_instruction *call)
{
  for (uint32_t o = 0; call->transfer == WB_TRANSFER_CALL_OUTSIDE && o < call->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, call, o);
    if (operand->kind != WB_OPERAND_PREDICATE)
      return wb_operand_is_plain_register(operand) && operand->number != WB_NO_REGISTER;
  }
  return false;
}

static bool add_span(struct wb_sass_parser *parser, struct wb_function *function,
                     struct wb_register_span span)
{
  size_t capacity = function->span_count;
  if (!wb_grow(function->spans, &capacity, function->span_count + 1))
    return wb_sass_out_of_memory(parser);
  function->spans[function->span_count++] = span;
  return true;
}

/* Makes of a call by register one that stays in its function: an indexed branch, for the address to
 * return to is in registers anyhow. It reads its predicates and its register pair. */
static bool call_to_branch(struct wb_sass_parser *parser, struct wb_function *function,
                           struct wb_instruction *call)
{
  const uint32_t first = (uint32_t)function->span_count;
  if (call->guarded && !add_span(parser, function, (struct wb_register_span){call->guard, 1}))
    return false;
  for (uint32_t o = 0; o < call->operand_count; o++) {
    const struct wb_operand operand = *wb_operand_of(function, call, o);
    const bool predicate = operand.kind == WB_OPERAND_PREDICATE;
    if ((operand.kind != WB_OPERAND_REGISTER && !predicate) || operand.number == WB_NO_REGISTER)
      continue;
    const struct wb_register_span span = {operand.number, predicate ? 1 : 2};
    if (!add_span(parser, function, span))
      return false;
  }
  call->transfer = WB_TRANSFER_INDEXED_BRANCH;
  call->agreement = WB_AGREES_BY_SOURCES;
  call->callee = NULL;
  call->first_read = first;
  call->read_count = (uint16_t)(function->span_count - first);
  call->write_count = 0;
  return true;
}

static bool apply(struct wb_sass_parser *parser, struct wb_function *function,
                  struct wb_instruction *branch, const struct wb_sass_targets *given)
{
  size_t capacity = function->target_count;
  if (branch->target_count > 0)
    return true;
  if (branch->transfer == WB_TRANSFER_CALL_OUTSIDE && !call_to_branch(parser, function, branch))
    return false;
  branch->first_target = (uint32_t)function->target_count;
  for (size_t t = 0; t < given->target_count; t++) {
    const size_t index = wb_sass_target_at(function, given->targets[t]);
    if (index == SIZE_MAX)
      return usage(parser, given, "expected addresses of the kernel's instructions");
    if (!wb_sass_add_target(parser, function, &capacity, index))
      return false;
  }
  branch->target_count = (uint32_t)given->target_count;
  branch->assumption = FROM_USER;
  return true;
}

/* Gives the targets of an option to what is at its address; there must be one branch that the
 * address can mean. */
static bool user_targets(struct wb_sass_parser *parser, const struct wb_sass_targets *given)
{
  struct wb_code *code = parser->code;
  size_t found = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    struct wb_function *function = &code->functions[f];
    const size_t index = wb_function_at(function, given->address);
    if (index == SIZE_MAX || (given->kernel != NULL && strcmp(given->kernel, function->name) != 0))
      continue;
    struct wb_instruction *branch = &function->instructions[index];
    if (branch->transfer != WB_TRANSFER_INDEXED_BRANCH &&
        (function->sm < 70 || !calls_register(function, branch)))
      continue;
    if (found++ > 0 && given->kernel == NULL)
      return usage(parser, given, "expected the name of a kernel, for several have one there");
    if (!apply(parser, function, branch, given))
      return false;
  }
  return found > 0 || usage(parser, given, "expected an indexed branch, found none there");
}

/* ---- jump tables ---- */

#define FROM_TABLE "its targets are what its table in constant bank 2 holds"

/* How far before a branch its load may be. */
#define LOAD_DISTANCE ((size_t)64)

/* Bytes of a constant bank. */
#define LARGEST_BANK 0x10000

/* A branch without targets, and where its table begins. */
struct use {
  uint32_t instruction;
  uint32_t start;
};

/* The tables of one function. */
struct tables {
  struct wb_sass_parser *parser;
  struct wb_function *function;
  struct wb_sass_piece constants;
  bool *entered; /* entered[i]: something goes to instruction i */
  struct use *uses;
  size_t use_count;
  size_t use_capacity;
};

/* Whether between an instruction and the next one nothing else runs on the same lanes. */
static bool keeps_registers(const struct wb_instruction *instruction)
{
  switch (instruction->transfer) {
  case WB_TRANSFER_NEXT:
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_PUSH:
  case WB_TRANSFER_POP:
  case WB_TRANSFER_EXIT:
  case WB_TRANSFER_SCOPE_OPEN:
  case WB_TRANSFER_SCOPE_SYNC:
  case WB_TRANSFER_SCOPE_BREAK:
  case WB_TRANSFER_WARP_SYNC:
    return true;
  default:
    return false;
  }
}

/* The last instruction before `branch` that writes a register, on the one way that leads to
 * it; NULL where there may be several. */
static const struct wb_instruction *writer(const struct tables *tables, size_t branch,
                                           unsigned number)
{
  for (size_t i = branch; i > 0 && branch - i < LOAD_DISTANCE && !tables->entered[i]; i--) {
    const struct wb_instruction *before = &tables->function->instructions[i - 1];
    bool writes = false;
    if (!keeps_registers(before))
      return NULL;
    for (uint32_t w = 0; w < before->write_count; w++) {
      const struct wb_register_span *span = &tables->function->spans[before->first_write + w];
      writes |= number >= span->first && number < (unsigned)span->first + span->count;
    }
    if (writes)
      return before->guard == WB_NO_REGISTER ? before : NULL;
  }
  return NULL;
}

/* What an instruction from Volta on copies to a register, `number`, by a copy of that kind; NULL
 * for none. */
static const struct wb_copy *copied(const struct tables *tables,
                                    const struct wb_instruction *instruction, uint16_t number,
                                    enum wb_copy_kind kind)
{
  const struct wb_function *function = tables->function;
  size_t count;
  const size_t first =
      wb_function_copies(function, (uint32_t)(instruction - function->instructions), &count);
  for (size_t c = first; c < first + count; c++)
    if (function->copies[c].kind == kind && function->copies[c].to == number)
      return &function->copies[c];
  return NULL;
}

/* As writer, of the value before it was moved through other registers; *number is the register that
 * it is then written to. */
static const struct wb_instruction *maker(const struct tables *tables, size_t before,
                                          uint16_t *number)
{
  const struct wb_instruction *found = writer(tables, before, *number);
  while (found != NULL) {
    const struct wb_copy *copy = copied(tables, found, *number, WB_COPY_REGISTER);
    if (copy == NULL || copy->value != 0)
      break;
    *number = copy->from;
    found = writer(tables, copy->instruction, *number);
  }
  return found;
}

/* Operand `number` of an instruction; NULL where it has fewer. */
static const struct wb_operand *
operand_at(const struct tables *tables, const struct wb_instruction *instruction, uint32_t number)
{
  return number < instruction->operand_count ? wb_operand_of(tables->function, instruction, number)
                                             : NULL;
}

/* What an instruction adds to a register to make another, `number`: from Volta on as its copy says,
 * before as `IADD32I R4, R4, 0x8000` says. */
static bool find_addend(const struct tables *tables, const struct wb_instruction *adder,
                        uint16_t number, int64_t *addend)
{
  if (tables->function->sm >= 70) {
    const struct wb_copy *copy = copied(tables, adder, number, WB_COPY_REGISTER);
    *addend = copy != NULL ? (int64_t)copy->value : 0;
    return copy != NULL && copy->value <= INT32_MAX;
  }
  const struct wb_operand *operand = operand_at(tables, adder, 2);
  const bool added = operand != NULL && operand->kind == WB_OPERAND_NUMBER;
  *addend = added ? (int64_t)operand->value : 0;
  return added;
}

/* Where the table of a load begins. */
static bool table_start(const struct tables *tables, const struct wb_instruction *load,
                        uint32_t *start)
{
  const struct wb_operand *operand = operand_at(tables, load, 1); /* c[0x2][R4+offset] */
  int64_t addend;
  if (operand == NULL || operand->kind != WB_OPERAND_CONSTANT || operand->bank != 2 ||
      operand->index == WB_NO_REGISTER)
    return false;
  int64_t offset = (int32_t)operand->value;
  if (offset < 0) {
    const size_t index = (size_t)(load - tables->function->instructions);
    uint16_t number = operand->index;
    const struct wb_instruction *adder = maker(tables, index, &number);
    if (adder == NULL || !find_addend(tables, adder, number, &addend) ||
        !wb_add_signed(offset, addend, &offset))
      return false;
  }
  *start = (uint32_t)offset;
  return offset >= 0 && offset <= LARGEST_BANK;
}

/* Where a branch's table begins. The branch's offset cancels its own address: `BRX R4 -0xb0` at
 * 0xa8. */
static bool find_start(const struct tables *tables, size_t index, uint32_t *start)
{
  const struct wb_instruction *branch = &tables->function->instructions[index];
  const struct wb_operand *operand = operand_at(tables, branch, 0);
  const struct wb_operand *offset = operand_at(tables, branch, 1);
  if (offset == NULL || offset->kind != WB_OPERAND_NUMBER ||
      (int64_t)offset->value !=
          -((int64_t)branch->address + (tables->function->sm < 70 ? 8 : 16)) ||
      operand->kind != WB_OPERAND_REGISTER)
    return false;
  uint16_t number = operand->number;
  const struct wb_instruction *load = maker(tables, index, &number);
  return load != NULL && load->agreement == WB_AGREES_BY_MEMORY && table_start(tables, load, start);
}

static int compare_uses(const void *one, const void *other)
{
  const struct use *a = one;
  const struct use *b = other;
  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  return (a->instruction > b->instruction) - (a->instruction < b->instruction);
}

static int compare_indices(const void *one, const void *other)
{
  const uint32_t a = *(const uint32_t *)one;
  const uint32_t b = *(const uint32_t *)other;
  return (a > b) - (a < b);
}

/* Appends the instructions that bytes start .. end - 1 name, up to the first value that is
 * none's address, each once and in order. */
static bool read_table(struct tables *tables, uint32_t start, size_t end, size_t *first)
{
  struct wb_function *function = tables->function;
  size_t capacity = function->target_count;
  *first = function->target_count;
  for (size_t at = start; at + 4 <= end && at + 4 <= tables->constants.length; at += 4) {
    uint32_t value = 0;
    for (unsigned byte = 0; byte < 4; byte++)
      value |= (uint32_t)(unsigned char)tables->constants.text[at + byte] << (8 * byte);
    /* Zero names the start, to which no switch goes: it is padding. */
    const size_t index = value != 0 ? wb_sass_target_at(function, value) : SIZE_MAX;
    if (index == SIZE_MAX)
      break;
    if (!wb_sass_add_target(tables->parser, function, &capacity, index))
      return false;
  }
  if (function->target_count == *first)
    return true;
  uint32_t *targets = function->targets + *first;
  const size_t count = function->target_count - *first;
  size_t kept = 1;
  qsort(targets, count, sizeof *targets, compare_indices);
  for (size_t t = 1; t < count; t++)
    if (targets[t] != targets[kept - 1])
      targets[kept++] = targets[t];
  function->target_count = *first + kept;
  return true;
}

/* Branches of one table share its targets; a table ends where the next one begins. */
static bool read_tables(struct tables *tables)
{
  struct wb_function *function = tables->function;
  if (tables->use_count > 1)
    qsort(tables->uses, tables->use_count, sizeof *tables->uses, compare_uses);
  for (size_t u = 0, last = 0; u < tables->use_count; u = last) {
    const uint32_t start = tables->uses[u].start;
    bool annotated = true;
    for (; last < tables->use_count && tables->uses[last].start == start; last++)
      annotated &= function->instructions[tables->uses[last].instruction].target_count > 0;
    size_t first;
    const size_t end = last < tables->use_count ? tables->uses[last].start : SIZE_MAX;
    if (annotated)
      continue;
    if (!read_table(tables, start, end, &first))
      return false;
    for (size_t s = u; s < last && function->target_count > first; s++) {
      struct wb_instruction *branch = &function->instructions[tables->uses[s].instruction];
      if (branch->target_count > 0)
        continue;
      branch->first_target = (uint32_t)first;
      branch->target_count = (uint32_t)(function->target_count - first);
      branch->assumption = FROM_TABLE;
    }
  }
  return true;
}

/* Collects the branches whose tables are found, and reads these. */
static bool function_tables(struct wb_sass_parser *parser, struct wb_function *function)
{
  struct tables tables = {.parser = parser, .function = function};
  if (!wb_sass_keep_constants(parser, function, &tables.constants))
    return false;
  if (tables.constants.length == 0)
    return true;
  tables.entered = wb_allocate(function->instruction_count, sizeof *tables.entered);
  bool read = tables.entered != NULL;
  for (size_t t = 0; read && t < function->target_count; t++)
    tables.entered[function->targets[t]] = true;
  for (size_t i = 0; read && i < function->instruction_count; i++) {
    uint32_t start;
    if (function->instructions[i].transfer != WB_TRANSFER_INDEXED_BRANCH ||
        !find_start(&tables, i, &start))
      continue;
    read = wb_grow(tables.uses, &tables.use_capacity, tables.use_count + 1);
    if (read)
      tables.uses[tables.use_count++] = (struct use){(uint32_t)i, start};
  }
  read = read ? read_tables(&tables) : wb_sass_out_of_memory(parser);
  free(tables.entered);
  free(tables.uses);
  return read;
}

bool wb_sass_indexed_branches(struct wb_sass_parser *parser)
{
  const struct wb_sass_options *options = parser->options;
  wb_sass_sort_constants(parser);
  for (size_t f = 0; f < parser->code->function_count; f++)
    if (!function_tables(parser, &parser->code->functions[f]))
      return false;
  for (size_t t = 0; options != NULL && t < options->target_count; t++)
    if (!user_targets(parser, &options->targets[t]))
      return false;
  return true;
}

/* ---- calls through a register of code that the listing does not have: printf, malloc, functions
 * by pointer ---- */

#define CALLED_OUTSIDE                                                                             \
  "code that is called through a register is not in the listing: it returns, with all lanes that " \
  "called it, together; it may write every register"

/* A jump of which no target is known, and that the listing says to be a call, or that a PRET stands
 * before, wherever that returns to. A jump table has no PRET before it. */
void wb_sass_outside_calls(struct wb_sass_parser *parser)
{
  for (size_t f = 0; f < parser->code->function_count; f++) {
    const struct wb_function *function = &parser->code->functions[f];
    for (size_t i = 0; i < function->instruction_count; i++) {
      struct wb_instruction *jump = &function->instructions[i];
      const bool returns = i > 0 && jump[-1].transfer == WB_TRANSFER_PUSH &&
                           jump[-1].token == WB_TOKEN_RETURN && !jump[-1].never;
      jump->outside = jump->transfer == WB_TRANSFER_INDEXED_BRANCH && jump->target_count == 0 &&
                      (jump->outside || returns);
      if (!jump->outside)
        continue;
      /* The code that is called ends with RET: the lanes go on where the nearest PRET said, or
       * return from the function that it is called from. */
      jump->transfer = WB_TRANSFER_POP;
      jump->token = WB_TOKEN_RETURN;
      jump->unknown = true;
      jump->assumption = CALLED_OUTSIDE;
    }
  }
}

/* ---- calls by register of what constant bank 4 names ---- */

/* MOV R0, 0x40 ; LDC.64 R2, c[0x4][R0] ; CALL.ABS.NOINC R2 */

#define BANK_OF_ADDRESSES 4

/* Operand `write` of the lowered instruction `index` that brings a word of a constant bank to the
 * register `number`, or NULL. *word: how many words behind the source. */
static const struct wb_source *constant_source(const struct wb_micro_code *code, uint16_t number,
                                               uint32_t *word)
{
  for (size_t w = 0; w < code->write_count; w++) {
    const struct wb_micro_write *write = &code->writes[w];
    const struct wb_micro_operation *made = &code->operations[write->result];
    const uint32_t behind = (uint32_t)number - write->number;
    const bool wide = made->kind == WB_MICRO_WIDE_COPY && write->wide;
    if (behind > (wide ? 1u : 0u) || (made->kind != WB_MICRO_COPY && !wide))
      continue;
    *word = behind;
    return made->sources[0].negated || made->sources[0].complemented ? NULL : &made->sources[0];
  }
  return NULL;
}

/* Where in constant bank 4 the word stands that a register has before an instruction. */
static bool find_address(const struct tables *tables, size_t before, uint16_t number, uint32_t *at)
{
  const struct wb_function *function = tables->function;
  struct wb_micro_code code;
  uint32_t word = 0;
  const struct wb_instruction *made = maker(tables, before, &number);
  if (made == NULL || !wb_lower(function, (uint32_t)(made - function->instructions), &code))
    return false;
  const struct wb_source *source = constant_source(&code, number, &word);
  if (source == NULL || source->bank != BANK_OF_ADDRESSES ||
      (source->kind != WB_SOURCE_CONSTANT && source->kind != WB_SOURCE_CONSTANT_PAIR))
    return false;
  *at = (uint32_t)source->value + 4 * word;
  if (source->index == WB_NO_REGISTER)
    return true;
  uint16_t index = source->index;
  const struct wb_instruction *set = maker(tables, (size_t)(made - function->instructions), &index);
  const struct wb_copy *copy = set != NULL ? copied(tables, set, index, WB_COPY_NUMBER) : NULL;
  *at += copy != NULL ? (uint32_t)copy->value : 0;
  return copy != NULL;
}

/* The name of the symbol whose address is at an offset in the bank of a function's module; NULL:
 * none. */
static const char *name_at(const struct wb_sass_parser *parser, size_t function, uint32_t offset)
{
  size_t module = parser->module_count;
  while (module > 0 && parser->module_starts[module - 1] > function)
    module--;
  const char *name = NULL;
  for (size_t a = 0; a < parser->address_count; a++) {
    const struct wb_sass_address *row = &parser->addresses[a];
    if ((size_t)row->module + 1 != module || row->offset != offset)
      continue;
    if (name != NULL)
      return NULL;
    name = row->name;
  }
  return name;
}

/* Where in constant bank 4 the address stands that a call goes to: its operand is a register pair,
 * or such a constant itself. */
static bool find_called(const struct tables *tables, size_t index, uint32_t *at)
{
  const struct wb_instruction *call = &tables->function->instructions[index];
  uint32_t o = 0, high;
  while (o < call->operand_count &&
         wb_operand_of(tables->function, call, o)->kind == WB_OPERAND_PREDICATE)
    o++;
  const struct wb_operand *operand = operand_at(tables, call, o);
  if (call->transfer != WB_TRANSFER_CALL_OUTSIDE || operand == NULL ||
      !wb_instruction_has(call, WB_MODIFIER_ABS))
    return false;
  *at = (uint32_t)operand->value;
  if (operand->kind == WB_OPERAND_CONSTANT)
    return operand->bank == BANK_OF_ADDRESSES && operand->index == WB_NO_REGISTER;
  return calls_register(tables->function, call) &&
         find_address(tables, index, operand->number, at) &&
         find_address(tables, index, (uint16_t)(operand->number + 1), &high) && high == *at + 4;
}

/* The register in which functions expect the address to return to. */
#define LINK_REGISTER (WB_REGISTER_GENERAL + 20)

/* Whether the file has a function of that name, which is then what a call by it calls. */
static bool defines(const struct wb_code *code, const char *name)
{
  bool defined = false;
  for (size_t f = 0; f < code->function_count; f++)
    defined |= code->functions[f].defined && strcmp(code->functions[f].name, name) == 0;
  return defined;
}

/* Whether a function of the file can be linked to a call: it is not there, or the code before the
 * call shows to where it returns. */
static bool may_be_linked(const struct tables *tables, size_t index, const char *name)
{
  if (!defines(tables->parser->code, name))
    return true;
  uint16_t number = LINK_REGISTER;
  const struct wb_instruction *set = maker(tables, index, &number);
  const struct wb_copy *copy = set != NULL ? copied(tables, set, number, WB_COPY_NUMBER) : NULL;
  return copy != NULL && index + 1 < tables->function->instruction_count &&
         copy->value == tables->function->instructions[index + 1].address;
}

/* Names what an instruction calls by register. */
static void name_call(const struct tables *tables, size_t function, size_t index)
{
  struct wb_instruction *call = &tables->function->instructions[index];
  uint32_t at;
  if (!find_called(tables, index, &at))
    return;
  const char *name = name_at(tables->parser, function, at);
  if (name != NULL && may_be_linked(tables, index, name))
    call->callee = name;
}

#define NEVER_RETURNS                                                                              \
  "what the code calls where an assertion fails stops the kernel and does not return (CUDA C++ "   \
  "Programming Guide): the lanes that call it end"

/* What the runtime has and never returns ends the lanes that call it; a function of the file with
 * such a name may return. */
static void end_call(const struct wb_code *code, struct wb_instruction *call)
{
  const struct wb_runtime_call *row =
      call->transfer == WB_TRANSFER_CALL_OUTSIDE ? wb_runtime_call_find(call->callee) : NULL;
  if (row == NULL || !row->ends_thread || defines(code, call->callee))
    return;
  call->transfer = WB_TRANSFER_EXIT;
  call->outside = true;
  call->write_count = 0;
  call->assumption = NEVER_RETURNS;
}

bool wb_sass_name_calls(struct wb_sass_parser *parser)
{
  for (size_t f = 0; f < parser->code->function_count; f++) {
    struct wb_function *function = &parser->code->functions[f];
    struct tables tables = {.parser = parser, .function = function};
    if (parser->address_count > 0 && function->wide) {
      tables.entered = wb_allocate(function->instruction_count, sizeof *tables.entered);
      if (tables.entered == NULL)
        return wb_sass_out_of_memory(parser);
      for (size_t t = 0; t < function->target_count; t++)
        tables.entered[function->targets[t]] = true;
    }
    for (size_t i = 0; i < function->instruction_count; i++) {
      if (tables.entered != NULL)
        name_call(&tables, f, i);
      end_call(parser->code, &function->instructions[i]);
    }
    free(tables.entered);
  }
  return true;
}
