#include "launch/timing/sleep.h"

#include "isa/opcode.h"

#define LONGEST 1000000 /* ns */

bool wb_sleep_most(const struct wb_function *function, uint32_t instruction, uint64_t *nanoseconds)
{
  const struct wb_instruction *at = &function->instructions[instruction];
  const bool documented = at->number == WB_OPCODE_NANOSLEEP &&
                          (at->modifier_count == 0 ||
                           (at->modifier_count == 1 && at->modifiers[0] == WB_MODIFIER_WARP));
  *nanoseconds = LONGEST;
  if (at->unknown || !documented || at->operand_count != 1)
    return false;
  const struct wb_operand *time = wb_operand_of(function, at, 0);
  if (time->kind == WB_OPERAND_NUMBER && (uint32_t)time->value < LONGEST / 2)
    *nanoseconds = 2 * (uint64_t)(uint32_t)time->value;
  return time->kind == WB_OPERAND_NUMBER || time->kind == WB_OPERAND_REGISTER ||
         time->kind == WB_OPERAND_CONSTANT;
}
