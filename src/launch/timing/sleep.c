#include "launch/timing/sleep.h"

#include "isa/opcode.h"

#include <string.h>

#define LONGEST 1000000 /* ns */

bool wb_sleep_most(const struct wb_function *function, uint32_t instruction, uint64_t *nanoseconds)
{
  const struct wb_instruction *at = &function->instructions[instruction];
  const bool documented =
      strcmp(at->opcode, "NANOSLEEP") == 0 || strcmp(at->opcode, "NANOSLEEP.WARP") == 0;
  *nanoseconds = LONGEST;
  if (at->unknown || !documented || at->operand_count != 1)
    return false;
  const struct wb_operand *time = wb_operand_of(function, at, 0);
  if (time->kind == WB_OPERAND_NUMBER && (uint32_t)time->value < LONGEST / 2)
    *nanoseconds = 2 * (uint64_t)(uint32_t)time->value;
  return time->kind == WB_OPERAND_NUMBER || time->kind == WB_OPERAND_REGISTER ||
         time->kind == WB_OPERAND_CONSTANT;
}
