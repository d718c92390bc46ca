#include "isa/integer_results.h"

#include "isa/opcode.h"

#include <string.h>

/* A register that reads as clocks, timers and what no launch says: of others the launch or the code
 * gives the range. */
static bool reads_unknown_special(const struct wb_function *function,
                                  const struct wb_instruction *instruction)
{
  for (uint32_t o = 0; o < instruction->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, instruction, o);
    if (operand->kind == WB_OPERAND_SPECIAL &&
        (operand->value == WB_SPECIAL_OTHER || operand->value == WB_SPECIAL_CLOCK))
      return true;
  }
  return false;
}

/* A word of constant memory at a place that a register says: of others --constant and --param give
 * the value. */
static bool reads_constant_by_register(const struct wb_function *function,
                                       const struct wb_instruction *instruction)
{
  for (uint32_t o = 0; o < instruction->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, instruction, o);
    if ((operand->kind == WB_OPERAND_CONSTANT && operand->index != WB_NO_REGISTER) ||
        operand->kind == WB_OPERAND_CONSTANT_PART)
      return true;
  }
  return false;
}

/* Whether a modifier names a type of floats: F16, F32x2, FTZ, BF16. */
static bool is_of_floats(const struct wb_instruction *instruction)
{
  return strstr(instruction->opcode, ".F") != NULL || strstr(instruction->opcode, ".BF") != NULL;
}

static bool is_one(const struct wb_function *function, const struct wb_instruction *instruction)
{
  switch (instruction->number) {
  case WB_OPCODE_F2I:
  case WB_OPCODE_UF2I:
  case WB_OPCODE_SHFL:
  case WB_OPCODE_VOTE:
  case WB_OPCODE_VOTEU:
  case WB_OPCODE_MATCH:
    return true;
  case WB_OPCODE_ATOM:
  case WB_OPCODE_ATOMG:
  case WB_OPCODE_ATOMS:
  case WB_OPCODE_REDUX:
  case WB_OPCODE_CREDUX:
    return !is_of_floats(instruction);
  case WB_OPCODE_S2R:
  case WB_OPCODE_S2UR:
  case WB_OPCODE_CS2R:
  case WB_OPCODE_CS2UR:
    return reads_unknown_special(function, instruction);
  default:
    return wb_instruction_loads_constant(instruction) &&
           reads_constant_by_register(function, instruction);
  }
}

/* Numbers of types that a modifier names. Conversions name the type of their result first. */
static const struct {
  uint8_t modifier;
  bool extends; /* also of a word from constant memory: the rest of the register continues it */
  int64_t least, most;
} types[] = {
    {WB_MODIFIER_U8, true, 0, UINT8_MAX},    {WB_MODIFIER_S8, true, INT8_MIN, INT8_MAX},
    {WB_MODIFIER_U16, true, 0, UINT16_MAX},  {WB_MODIFIER_S16, true, INT16_MIN, INT16_MAX},
    {WB_MODIFIER_U32, false, 0, UINT32_MAX}, {WB_MODIFIER_S32, false, INT32_MIN, INT32_MAX},
    {WB_MODIFIER_U64, false, 0, INT64_MAX},  {WB_MODIFIER_S64, false, INT64_MIN, INT64_MAX}};

static void take_type(const struct wb_instruction *instruction, struct wb_integer_result *result)
{
  const bool converts =
      instruction->number == WB_OPCODE_F2I || instruction->number == WB_OPCODE_UF2I;
  const bool loads = wb_instruction_loads_constant(instruction);
  result->least = result->bytes == 8 ? INT64_MIN : INT32_MIN;
  result->most = result->bytes == 8 ? INT64_MAX : converts ? INT32_MAX : (int64_t)UINT32_MAX;
  for (unsigned m = 0; m < instruction->modifier_count && (converts || loads); m++) {
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
      if (instruction->modifiers[m] != types[t].modifier || (loads && !types[t].extends))
        continue;
      result->least = types[t].least;
      result->most = types[t].most;
      return;
    }
  }
}

bool wb_instruction_gives_integer(const struct wb_function *function,
                                  const struct wb_instruction *instruction,
                                  struct wb_integer_result *result)
{
  *result = (struct wb_integer_result){.number = WB_NO_REGISTER};
  if (instruction->unknown || !is_one(function, instruction))
    return false;
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    const bool general = span->first < WB_REGISTER_PREDICATE;
    const bool uniform =
        span->first >= WB_REGISTER_UNIFORM && span->first < WB_REGISTER_UNIFORM + WB_UNIFORM_COUNT;
    if (!general && !uniform)
      continue;
    if (result->number != WB_NO_REGISTER || span->count > 2) {
      result->number = WB_NO_REGISTER;
      return false;
    }
    result->number = span->first;
    result->bytes = (uint8_t)(4 * span->count);
  }
  if (result->number != WB_NO_REGISTER)
    take_type(instruction, result);
  return result->number != WB_NO_REGISTER;
}
