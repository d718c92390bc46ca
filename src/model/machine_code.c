#include "model/machine_code.h"

#include <stdio.h>
#include <stdlib.h>

bool wb_machine_instruction_conditional(const struct wb_machine_instruction *instruction)
{
  return instruction->guard != WB_NO_REGISTER || instruction->conditional_code ||
         instruction->second_predicate || instruction->transfer == WB_TRANSFER_INDEXED_BRANCH;
}

size_t wb_machine_function_at(const struct wb_machine_function *function, uint64_t address)
{
  size_t low = 0;
  size_t high = function->instruction_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (function->instructions[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  const bool found =
      low < function->instruction_count && function->instructions[low].address == address;
  return found ? low : SIZE_MAX;
}

void wb_register_name(unsigned number, char name[8])
{
  static const struct {
    unsigned first;
    const char *prefix;
  } kinds[] = {
      {WB_REGISTER_BARRIER, "B"},  {WB_REGISTER_UNIFORM_PREDICATE, "UP"},
      {WB_REGISTER_UNIFORM, "UR"}, {WB_REGISTER_PREDICATE, "P"},
      {WB_REGISTER_GENERAL, "R"},
  };
  if (number == WB_REGISTER_CONDITION_CODE) {
    snprintf(name, 8, "CC");
    return;
  }
  size_t k = 0;
  while (kinds[k].first > number)
    k++;
  snprintf(name, 8, "%s%u", kinds[k].prefix, (number - kinds[k].first) % 1000);
}

void wb_machine_code_free(struct wb_machine_code *code)
{
  for (size_t f = 0; f < code->function_count; f++) {
    free(code->functions[f].instructions);
    free(code->functions[f].spans);
    free(code->functions[f].targets);
    free(code->functions[f].symbols);
    free(code->functions[f].labels);
    free(code->functions[f].parameters);
  }
  wb_name_pool_free(&code->names);
  free(code->functions);
  free(code->files);
  free(code->name);
  *code = (struct wb_machine_code){0};
}
