/* Targets of indexed branches that no annotation gives: from the tables of constant bank 2,
 *   LDC R4, c[0x2][R4+0xc] ; BRX R4 -0xb0
 * of which entries are addresses in the function and the branch's offset cancels its own
 * address; then from what the user says. Without optimisation the index is moved up and the
 * offset down by as much: IADD32I R4, R4, 0x8000 ; LDC R4, c[0x2][R4+-0x8000]. */
#include "base/checked.h"
#include "base/memory.h"
#include "frontend/sass/sass_front_end.h"
#include "frontend/sass/sass_origin.h"
#include "frontend/sass/sass_parser.h"
#include "isa/opcode.h"
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
        (function->sm < 70 || !wb_sass_calls_register(function, branch)))
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
  struct wb_sass_origin origin;
  struct wb_sass_piece constants;
  struct use *uses;
  size_t use_count;
  size_t use_capacity;
};

/* What an instruction adds to a register to make another, `number`: from Volta on as its copy says,
 * before as `IADD32I R4, R4, 0x8000` says. */
static bool find_addend(const struct tables *tables, const struct wb_instruction *adder,
                        uint16_t number, int64_t *addend)
{
  if (tables->function->sm >= 70) {
    const struct wb_copy *copy = wb_sass_copied(&tables->origin, adder, number, WB_COPY_REGISTER);
    *addend = copy != NULL ? (int64_t)copy->value : 0;
    return copy != NULL && copy->value <= INT32_MAX;
  }
  const struct wb_operand *operand = wb_sass_operand_at(&tables->origin, adder, 2);
  const bool added = operand != NULL && operand->kind == WB_OPERAND_NUMBER;
  *addend = added ? (int64_t)operand->value : 0;
  return added;
}

/* Where the table of a load begins. */
static bool table_start(const struct tables *tables, const struct wb_instruction *load,
                        uint32_t *start)
{
  const struct wb_operand *operand =
      wb_sass_operand_at(&tables->origin, load, 1); /* c[0x2][R4+offset] */
  int64_t addend;
  if (operand == NULL || operand->kind != WB_OPERAND_CONSTANT || operand->bank != 2 ||
      operand->index == WB_NO_REGISTER)
    return false;
  int64_t offset = (int32_t)operand->value;
  if (offset < 0) {
    const size_t index = (size_t)(load - tables->function->instructions);
    uint16_t number = operand->index;
    const struct wb_instruction *adder = wb_sass_maker(&tables->origin, index, &number);
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
  const struct wb_operand *operand = wb_sass_operand_at(&tables->origin, branch, 0);
  const struct wb_operand *offset = wb_sass_operand_at(&tables->origin, branch, 1);
  if (offset == NULL || offset->kind != WB_OPERAND_NUMBER ||
      (int64_t)offset->value !=
          -((int64_t)branch->address + (tables->function->sm < 70 ? 8 : 16)) ||
      operand->kind != WB_OPERAND_REGISTER)
    return false;
  uint16_t number = operand->number;
  const struct wb_instruction *load = wb_sass_maker(&tables->origin, index, &number);
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
  bool read = wb_sass_origin_begin(function, &tables.origin);
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
  wb_sass_origin_end(&tables.origin);
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
