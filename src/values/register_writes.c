#include "values/register_writes.h"

static bool writes(const struct wb_function *function, uint32_t index, uint32_t number)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    if (span->first <= number && number < (uint32_t)span->first + span->count)
      return true;
  }
  return instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE;
}

bool wb_registers_written(const struct wb_function *function, uint32_t first, uint32_t last,
                          uint32_t number)
{
  for (uint32_t i = first; i <= last; i++) {
    if (writes(function, i, number))
      return true;
  }
  return false;
}
