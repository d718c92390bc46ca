#include "isa/opcode.h"

#include "isa/opcode_search.h"

#include <string.h>

/* Sorted by strcmp, as the enumerations are; the first stands for none and is below all others. */
static const char *const opcodes[WB_OPCODE_COUNT] = {
    "",
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption)
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption) #name,
#include "isa/opcodes.def"
#undef OPCODE
#undef VARIANT
};

static const char *const modifiers[WB_MODIFIER_COUNT] = {
    "",
#define MODIFIER(name) #name,
#include "isa/modifiers.def"
#undef MODIFIER
};

static const char *opcode_of(size_t row)
{
  return opcodes[row];
}

static const char *modifier_of(size_t row)
{
  return modifiers[row];
}

/* The row of a word; 0 where the table lacks it. */
static size_t find(wb_opcode_of_row *name_of, size_t count, const char *word, size_t length)
{
  const size_t row = wb_opcode_lower_bound(name_of, count, word, length);
  return row < count && wb_opcode_compare(word, length, name_of(row)) == 0 ? row : 0;
}

void wb_opcode_parse(const char *text, size_t length, struct wb_instruction *instruction)
{
  const char *end = text + length;
  const char *dot = length > 0 ? memchr(text, '.', length) : NULL;
  const size_t first = (size_t)((dot != NULL ? dot : end) - text);
  instruction->number = (uint16_t)find(opcode_of, WB_OPCODE_COUNT, text, first);
  instruction->modifier_count = 0;
  while (dot != NULL) {
    const char *word = dot + 1;
    dot = memchr(word, '.', (size_t)(end - word));
    const size_t size = (size_t)((dot != NULL ? dot : end) - word);
    if (instruction->modifier_count == WB_MODIFIER_LIMIT) {
      instruction->modifiers[WB_MODIFIER_LIMIT - 1] = WB_MODIFIER_OTHER;
      return;
    }
    instruction->modifiers[instruction->modifier_count++] =
        (uint8_t)find(modifier_of, WB_MODIFIER_COUNT, word, size);
  }
}

const char *wb_opcode_name(enum wb_opcode opcode)
{
  return opcodes[opcode];
}

bool wb_instruction_has(const struct wb_instruction *instruction, enum wb_modifier modifier)
{
  return memchr(instruction->modifiers, (int)modifier, instruction->modifier_count) != NULL;
}

bool wb_instruction_has_just(const struct wb_instruction *instruction,
                             const enum wb_modifier *wanted, size_t count)
{
  if (instruction->modifier_count != count)
    return false;
  for (size_t m = 0; m < count; m++)
    if (instruction->modifiers[m] != (uint8_t)wanted[m])
      return false;
  return true;
}

bool wb_instruction_votes(const struct wb_instruction *instruction)
{
  return wb_instruction_has(instruction, WB_MODIFIER_ANY) ||
         wb_instruction_has(instruction, WB_MODIFIER_ALL);
}
