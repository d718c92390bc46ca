#include "isa/lower/meaning.h"

#include "isa/lower/lower.h"

/* Whether the instruction writes a register or predicate, convergence barriers apart. */
static bool writes_value(const struct wb_function *function,
                         const struct wb_instruction *instruction)
{
  for (uint32_t w = 0; w < instruction->write_count; w++)
    if (function->spans[instruction->first_write + w].first < WB_REGISTER_BARRIER)
      return true;
  return false;
}

enum wb_meaning wb_meaning_of(const struct wb_function *function, uint32_t index)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  struct wb_micro_code code;
  if (wb_lower(function, index, &code))
    return code.count == 1 && code.operations[0].kind == WB_MICRO_FUNCTION ? WB_MEANING_FUNCTION
                                                                           : WB_MEANING_KNOWN;
  return instruction->unit == WB_UNIT_LOAD_STORE || !writes_value(function, instruction)
             ? WB_MEANING_NONE_NEEDED
             : WB_MEANING_MISSING;
}
