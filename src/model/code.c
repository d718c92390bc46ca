#include "model/code.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "base/text/nearest.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wb_instruction_conditional(const struct wb_instruction *instruction)
{
  return instruction->guard != WB_NO_REGISTER || instruction->conditional_code ||
         instruction->second_predicate || instruction->together ||
         instruction->transfer == WB_TRANSFER_INDEXED_BRANCH;
}

const struct wb_operand *wb_operand_of(const struct wb_function *function,
                                       const struct wb_instruction *instruction, uint32_t number)
{
  return &function->operands[instruction->first_operand + number];
}

enum wb_unit wb_instruction_unit(const struct wb_instruction *instruction)
{
  return instruction->never ? WB_UNIT_NONE : (enum wb_unit)instruction->unit;
}

size_t wb_function_at(const struct wb_function *function, uint64_t address)
{
  size_t low = 0;
  size_t high = function->instruction_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (function->instructions[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  const bool found =
      low < function->instruction_count && function->instructions[low].address == address;
  return found ? low : SIZE_MAX;
}

size_t wb_function_copies(const struct wb_function *function, uint32_t instruction, size_t *count)
{
  size_t low = 0;
  size_t high = function->copy_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (function->copies[middle].instruction < instruction)
      low = middle + 1;
    else
      high = middle;
  }
  size_t end = low;
  while (end < function->copy_count && function->copies[end].instruction == instruction)
    end++;
  *count = end - low;
  return low;
}

const struct wb_annotation *wb_function_annotation(const struct wb_function *function,
                                                   uint32_t instruction)
{
  size_t low = 0;
  size_t high = function->annotation_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (function->annotations[middle].instruction < instruction)
      low = middle + 1;
    else
      high = middle;
  }
  const bool found =
      low < function->annotation_count && function->annotations[low].instruction == instruction;
  return found ? &function->annotations[low] : NULL;
}

void wb_register_name(unsigned number, char name[8])
{
  static const struct {
    unsigned first;
    const char *prefix;
  } kinds[] = {
      {WB_REGISTER_BARRIER, "B"},  {WB_REGISTER_UNIFORM_PREDICATE, "UP"},
      {WB_REGISTER_UNIFORM, "UR"}, {WB_REGISTER_PREDICATE, "P"},
      {WB_REGISTER_GENERAL, "R"},
  };
  if (number == WB_REGISTER_CONDITION_CODE) {
    snprintf(name, 8, "CC");
    return;
  }
  size_t k = 0;
  while (kinds[k].first > number)
    k++;
  snprintf(name, 8, "%s%u", kinds[k].prefix, (number - kinds[k].first) % 1000);
}

size_t wb_code_find_kernel(const struct wb_code *code, const char *name, warpbound_error *error)
{
  size_t found = SIZE_MAX;
  size_t matches = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    if (!function->kernel || !function->defined)
      continue;
    if (name != NULL && strcmp(function->name, name) == 0)
      return f;
    if (name == NULL || wb_demangled_matches(name, function->name)) {
      found = f;
      matches++;
    }
  }
  if (matches == 1)
    return found;
  struct wb_text list = {0};
  struct wb_nearest nearest = wb_nearest_start(name != NULL ? name : "");
  char hint[WB_HINT_SIZE];
  size_t kernels = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    if (function->kernel && function->defined)
      wb_nearest_offer(&nearest, function->name);
    bool shown = matches == 0 || name == NULL || wb_demangled_matches(name, function->name);
    if (function->kernel && function->defined && shown && list.length < 300)
      wb_text_format(&list, "%s%s", kernels++ > 0 ? ", " : "", function->name);
  }
  char *names = wb_text_take(&list);
  if (names == NULL)
    wb_out_of_memory(error);
  else if (kernels == 0)
    wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, 0, 0,
               "expected a kernel (.entry with a body), found none");
  else if (name != NULL && matches == 0)
    wb_fail_at(error, WARPBOUND_USAGE, code->name, 0, 0,
               "there is no kernel '%.120s'%s; there is: %s", name,
               wb_nearest_hint(&nearest, "", hint), names);
  else
    wb_fail_at(error, WARPBOUND_USAGE, code->name, 0, 0,
               "several kernels, say which with --kernel: %s", names);
  free(names);
  return SIZE_MAX;
}

void wb_code_free(struct wb_code *code)
{
  for (size_t f = 0; f < code->function_count; f++) {
    struct wb_function *function = &code->functions[f];
    free(function->instructions);
    free(function->encodings);
    free(function->operands);
    free(function->spans);
    free(function->targets);
    free(function->annotations);
    free(function->copies);
    free(function->labels);
    free(function->symbols);
    free(function->parameters);
  }
  wb_name_pool_free(&code->names);
  free(code->functions);
  free(code->files);
  free(code->name);
  *code = (struct wb_code){0};
}

static void add_number(uint64_t *sum, uint64_t number)
{
  for (unsigned byte = 0; byte < 8; byte++)
    *sum = wb_hash_byte(*sum, (uint8_t)(number >> (8 * byte)));
}

static void add_spans(uint64_t *sum, const struct wb_function *function, uint32_t first,
                      uint32_t count)
{
  add_number(sum, count);
  for (uint32_t s = first; s < first + count; s++)
    add_number(sum, (uint64_t)function->spans[s].first << 16 | function->spans[s].count);
}

uint64_t wb_function_checksum(const struct wb_function *function)
{
  uint64_t sum = WB_HASH_START;
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    add_number(&sum, instruction->address);
    for (const char *c = instruction->opcode; *c != '\0'; c++)
      add_number(&sum, (unsigned char)*c);
    add_number(&sum, (uint64_t)instruction->guard << 1 | instruction->guard_negated);
    add_spans(&sum, function, instruction->first_read, instruction->read_count);
    add_spans(&sum, function, instruction->first_write, instruction->write_count);
    if (instruction->transfer == WB_TRANSFER_INDEXED_BRANCH)
      continue; /* the forms differ in what they know of its targets */
    for (uint32_t t = 0; t < instruction->target_count; t++)
      add_number(&sum, function->targets[instruction->first_target + t]);
  }
  return sum;
}
