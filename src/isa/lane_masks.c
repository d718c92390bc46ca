/* The forms of VOTE and LOP3 by which code asks which lanes run, of ELECT and R2UR by which it
 * chooses one, and of PLOP3 with them. */
#include "isa/lane_masks.h"

#include "isa/opcode.h"

/* The register or predicate of an operand that is one as it stands. */
static bool operand_at(const struct wb_function *function, const struct wb_instruction *instruction,
                       uint32_t number, enum wb_operand_kind kind, uint16_t *which)
{
  const struct wb_operand *operand = wb_operand_of(function, instruction, number);
  *which = operand->number;
  return operand->kind == kind && operand->part == 0 && !operand->negated &&
         !operand->complemented && !operand->absolute && !operand->half && !operand->carry;
}

static bool register_at(const struct wb_function *function,
                        const struct wb_instruction *instruction, uint32_t number, uint16_t *which)
{
  return operand_at(function, instruction, number, WB_OPERAND_REGISTER, which);
}

/* The operand is RZ, of that kind, or PT. */
static bool is_none_at(const struct wb_function *function, const struct wb_instruction *instruction,
                       uint32_t number, enum wb_operand_kind kind)
{
  uint16_t which;
  return operand_at(function, instruction, number, kind, &which) && which == WB_NO_REGISTER;
}

bool wb_instruction_reads_lanes(const struct wb_function *function,
                                const struct wb_instruction *instruction, uint16_t *to)
{
  static const enum wb_modifier any[] = {WB_MODIFIER_ANY};
  return (instruction->number == WB_OPCODE_VOTE || instruction->number == WB_OPCODE_VOTEU) &&
         instruction->guard == WB_NO_REGISTER && !instruction->never &&
         wb_instruction_has_just(instruction, any, 1) && instruction->operand_count == 3 &&
         register_at(function, instruction, 0, to) && *to != WB_NO_REGISTER &&
         is_none_at(function, instruction, 1, WB_OPERAND_PREDICATE) &&
         is_none_at(function, instruction, 2, WB_OPERAND_PREDICATE);
}

bool wb_instruction_compares_lanes(const struct wb_function *function,
                                   const struct wb_instruction *instruction, uint16_t masks[2],
                                   uint16_t *predicate)
{
  static const enum wb_modifier table[] = {WB_MODIFIER_LUT};
  enum { NOT_A_AND_B = 0x0c };
  if (instruction->number != WB_OPCODE_LOP3 || instruction->guard != WB_NO_REGISTER ||
      instruction->never || !wb_instruction_has_just(instruction, table, 1) ||
      instruction->operand_count != 7)
    return false;
  const struct wb_operand *number = wb_operand_of(function, instruction, 5);
  const struct wb_operand *last = wb_operand_of(function, instruction, 6);
  return operand_at(function, instruction, 0, WB_OPERAND_PREDICATE, predicate) &&
         *predicate != WB_NO_REGISTER &&
         is_none_at(function, instruction, 1, WB_OPERAND_REGISTER) &&
         register_at(function, instruction, 2, &masks[0]) &&
         register_at(function, instruction, 3, &masks[1]) &&
         is_none_at(function, instruction, 4, WB_OPERAND_REGISTER) &&
         number->kind == WB_OPERAND_NUMBER && number->value == NOT_A_AND_B &&
         last->kind == WB_OPERAND_PREDICATE && last->number == WB_NO_REGISTER && last->negated;
}

bool wb_instruction_elects(const struct wb_function *function,
                           const struct wb_instruction *instruction, uint16_t *elected)
{
  return instruction->number == WB_OPCODE_ELECT && !instruction->never &&
         instruction->modifier_count == 0 && instruction->operand_count == 3 &&
         operand_at(function, instruction, 0, WB_OPERAND_PREDICATE, elected) &&
         *elected != WB_NO_REGISTER && is_none_at(function, instruction, 1, WB_OPERAND_REGISTER) &&
         is_none_at(function, instruction, 2, WB_OPERAND_PREDICATE);
}

bool wb_instruction_takes_number(const struct wb_function *function,
                                 const struct wb_instruction *instruction, uint16_t *others,
                                 bool *too)
{
  static const enum wb_modifier or [] = {WB_MODIFIER_OR};
  uint16_t to;
  uint16_t from;
  *too = wb_instruction_has_just(instruction, or, 1);
  return instruction->number == WB_OPCODE_R2UR && !instruction->never &&
         (*too || instruction->modifier_count == 0) && instruction->operand_count == 3 &&
         operand_at(function, instruction, 0, WB_OPERAND_PREDICATE, others) &&
         *others != WB_NO_REGISTER && register_at(function, instruction, 1, &to) &&
         register_at(function, instruction, 2, &from);
}

/* A table of PLOP3. */
static bool table_at(const struct wb_function *function, const struct wb_instruction *instruction,
                     uint32_t number, uint8_t *table)
{
  const struct wb_operand *operand = wb_operand_of(function, instruction, number);
  *table = (uint8_t)operand->value;
  return operand->kind == WB_OPERAND_NUMBER && operand->value <= UINT8_MAX;
}

bool wb_instruction_combines(const struct wb_function *function,
                             const struct wb_instruction *instruction,
                             struct wb_combination *combination)
{
  static const enum wb_modifier table[] = {WB_MODIFIER_LUT};
  if (instruction->number != WB_OPCODE_PLOP3 || !wb_instruction_has_just(instruction, table, 1) ||
      instruction->operand_count != 7)
    return false;
  bool all = true;
  for (uint32_t t = 0; t < 2; t++)
    all = all && operand_at(function, instruction, t, WB_OPERAND_PREDICATE, &combination->to[t]) &&
          table_at(function, instruction, 5 + t, &combination->tables[t]);
  for (uint32_t s = 0; s < 3; s++) {
    const struct wb_operand *source = wb_operand_of(function, instruction, 2 + s);
    combination->sources[s] = source->number;
    combination->negated[s] = source->negated;
    all = all && source->kind == WB_OPERAND_PREDICATE;
  }
  return all;
}

bool wb_instruction_only_yields(const struct wb_instruction *instruction)
{
  return instruction->never ||
         (instruction->transfer == WB_TRANSFER_NEXT &&
          (instruction->number == WB_OPCODE_NOP || instruction->number == WB_OPCODE_YIELD));
}
