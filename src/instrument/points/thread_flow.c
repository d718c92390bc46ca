/* What a thread can do next, by the PTX. */
#include "instrument/points/point_choice.h"

#include <string.h>

bool wb_ptx_ends_thread(const struct wb_instruction *instruction)
{
  return instruction->transfer == WB_TRANSFER_RETURN ||
         (instruction->transfer == WB_TRANSFER_EXIT && strcmp(instruction->opcode, "exit") == 0);
}

/* Whether the thread can go on to the next instruction of the text. */
static bool goes_on(const struct wb_instruction *instruction)
{
  switch (instruction->transfer) {
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_INDEXED_BRANCH:
  case WB_TRANSFER_INDIRECT_BRANCH:
  case WB_TRANSFER_EXIT:
  case WB_TRANSFER_RETURN:
    return instruction->guarded;
  default:
    return true;
  }
}

void wb_ptx_successors(const struct wb_function *function, size_t instruction,
                       wb_successor_visitor *visit, void *context)
{
  const struct wb_instruction *at = &function->instructions[instruction];
  bool ends = wb_ptx_ends_thread(at);
  for (size_t t = 0; t < at->target_count; t++) {
    const uint32_t target = function->targets[at->first_target + t];
    ends |= target == function->instruction_count;
    if (target != function->instruction_count)
      visit(context, target);
  }
  if (goes_on(at) && instruction + 1 < function->instruction_count)
    visit(context, instruction + 1);
  else if (goes_on(at))
    ends = true;
  if (ends)
    visit(context, SIZE_MAX);
}
