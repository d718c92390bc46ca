/* The forms of VOTE and LOP3 by which code asks which lanes run. */
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

bool wb_instruction_only_yields(const struct wb_instruction *instruction)
{
  return instruction->never ||
         (instruction->transfer == WB_TRANSFER_NEXT &&
          (instruction->number == WB_OPCODE_NOP || instruction->number == WB_OPCODE_YIELD));
}
