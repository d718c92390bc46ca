#include "cfg/agreement/lane_agreement.h"

#include <string.h>

static bool reads_agree(const struct wb_function *function,
                        const struct wb_instruction *instruction,
                        const struct wb_register_set *agreed)
{
  bool all = true;
  for (uint32_t s = 0; s < instruction->read_count; s++)
    all = all && wb_register_set_has_span(agreed, function->spans[instruction->first_read + s]);
  return all;
}

bool wb_simt_condition_agrees(const struct wb_function *function,
                              const struct wb_instruction *instruction,
                              const struct wb_register_set *agreed)
{
  const bool guard =
      instruction->guard == WB_NO_REGISTER || wb_register_set_has(agreed, instruction->guard);
  const bool code =
      !instruction->conditional_code || wb_register_set_has(agreed, WB_REGISTER_CONDITION_CODE);
  return guard && code &&
         (!instruction->second_predicate || reads_agree(function, instruction, agreed));
}

bool wb_simt_index_agrees(const struct wb_function *function,
                          const struct wb_instruction *instruction,
                          const struct wb_register_set *agreed)
{
  bool agrees = true;
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_read + s];
    const bool guard = span.first == instruction->guard && span.count == 1;
    agrees = agrees && (guard || wb_register_set_has_span(agreed, span));
  }
  return agrees || instruction->uniform;
}

static bool result_agrees(const struct wb_function *function,
                          const struct wb_instruction *instruction,
                          const struct wb_register_set *agreed)
{
  if (!wb_simt_condition_agrees(function, instruction, agreed))
    return false;
  switch (instruction->agreement) {
  case WB_AGREES_ALWAYS:
    return true;
  case WB_AGREES_BY_SOURCES:
  case WB_AGREES_BY_MEMORY:
    return reads_agree(function, instruction, agreed);
  default:
    return false;
  }
}

void wb_simt_agreement_step(const struct wb_function *function,
                            const struct wb_instruction *instruction,
                            struct wb_register_set *agreed, struct wb_register_set *written)
{
  if (instruction->never)
    return;
  if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE) {
    memset(agreed, 0, sizeof *agreed);
    wb_register_set_add(written, (struct wb_register_span){0, WB_REGISTER_COUNT});
    return;
  }
  const bool agrees = result_agrees(function, instruction, agreed);
  /* Where a condition says for all lanes at once whether they write, either value may be
   * there afterwards: the register agrees where both do. */
  const bool certain = !wb_instruction_conditional(instruction);
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_write + s];
    wb_register_set_add(written, span);
    if (!agrees)
      wb_register_set_remove(agreed, span);
    else if (certain)
      wb_register_set_add(agreed, span);
  }
}
