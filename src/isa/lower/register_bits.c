#include "isa/lower/register_bits.h"

#include "isa/lower/lower.h"
#include "isa/opcode.h"

/* The general register that is the one source of a LOOKUP besides numbers; WB_NO_REGISTER: there is
 * none, or more. words[v][s]: the sources where all bits of the register are v. */
static uint16_t source_of(const struct wb_micro_operation *lookup, uint32_t words[2][3])
{
  uint16_t number = WB_NO_REGISTER;
  for (size_t s = 0; s < 3; s++) {
    const struct wb_source *source = &lookup->sources[s];
    if (source->kind == WB_SOURCE_NUMBER && !source->negated) {
      words[0][s] = words[1][s] = (uint32_t)source->value;
      continue;
    }
    if (source->kind != WB_SOURCE_REGISTER || source->negated ||
        source->number >= WB_REGISTER_PREDICATE || number != WB_NO_REGISTER)
      return WB_NO_REGISTER;
    number = source->number;
    words[0][s] = source->complemented ? UINT32_MAX : 0;
    words[1][s] = source->complemented ? 0 : UINT32_MAX;
  }
  return number;
}

static uint32_t look_up(uint8_t table, const uint32_t words[3])
{
  uint32_t result = 0;
  for (uint32_t bit = 0; bit < 32; bit++) {
    const uint32_t row =
        4 * (words[0] >> bit & 1) + 2 * (words[1] >> bit & 1) + (words[2] >> bit & 1);
    result |= (uint32_t)(table >> row & 1) << bit;
  }
  return result;
}

/* What an instruction does with bits of one register, which it finds. */
static enum wb_bit_use use_of(const struct wb_function *function, uint32_t index, uint16_t *number,
                              uint32_t *bits)
{
  struct wb_micro_code code;
  uint32_t words[2][3];
  if (function->instructions[index].number != WB_OPCODE_LOP3 || !wb_lower(function, index, &code) ||
      code.count == 0 || code.operations[0].kind != WB_MICRO_LOOKUP || code.write_count != 1 ||
      code.writes[0].wide)
    return WB_BITS_NONE;
  *number = source_of(&code.operations[0], words);
  if (*number == WB_NO_REGISTER)
    return WB_BITS_NONE;
  const uint32_t of_zeros = look_up(code.operations[0].table, words[0]);
  const uint32_t of_ones = look_up(code.operations[0].table, words[1]);
  const uint32_t differing = of_zeros ^ of_ones;
  const struct wb_micro_write *write = &code.writes[0];
  const struct wb_micro_operation *result = &code.operations[write->result];
  if (write->result == 0 && write->number == *number) {
    *bits = ~differing;
    return (of_ones & differing) == differing ? WB_BITS_KEPT : WB_BITS_NONE;
  }
  *bits = differing;
  return function->instructions[index].write_count == 1 && result->kind == WB_MICRO_IS_NOT_ZERO &&
                 result->sources[0].kind == WB_SOURCE_RESULT && result->sources[0].number == 0 &&
                 code.count == 2
             ? WB_BITS_TESTED
             : WB_BITS_NONE;
}

/* The register of which bits are tested most often; 0: none. */
static uint16_t most_tested(const struct wb_function *function)
{
  uint32_t tests[WB_REGISTER_PREDICATE] = {0};
  uint16_t most = 0;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    uint16_t number;
    uint32_t bits;
    if (use_of(function, i, &number, &bits) == WB_BITS_TESTED && number > 0 &&
        ++tests[number] > tests[most])
      most = number;
  }
  return most;
}

void wb_mark_register_bits(struct wb_function *function)
{
  function->bit_register = most_tested(function);
  for (uint32_t i = 0; i < function->instruction_count && function->bit_register > 0; i++) {
    struct wb_instruction *instruction = &function->instructions[i];
    uint16_t number;
    uint32_t bits;
    const enum wb_bit_use use = use_of(function, i, &number, &bits);
    if (use == WB_BITS_NONE || number != function->bit_register)
      continue;
    instruction->bit_use = (uint8_t)use;
    instruction->bit_register = number;
    instruction->bits = bits;
  }
}
