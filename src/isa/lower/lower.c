#include "isa/lower/lower.h"

#include "isa/opcode.h"

static struct wb_source source_of(const struct wb_operand *operand)
{
  switch (operand->kind) {
  case WB_OPERAND_REGISTER:
    return operand->number == WB_NO_REGISTER
               ? (struct wb_source){.kind = WB_SOURCE_NUMBER, .index = WB_NO_REGISTER}
               : (struct wb_source){.kind = WB_SOURCE_REGISTER,
                                    .number = operand->number,
                                    .index = WB_NO_REGISTER,
                                    .negated = operand->negated,
                                    .complemented = operand->complemented};
  case WB_OPERAND_NUMBER:
    return (struct wb_source){
        .kind = WB_SOURCE_NUMBER, .value = (uint32_t)operand->value, .index = WB_NO_REGISTER};
  default:
    return (struct wb_source){.kind = WB_SOURCE_NONE};
  }
}

bool wb_lower(const struct wb_function *function, uint32_t index, struct wb_micro_code *code)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  const struct wb_operand *operands = &function->operands[instruction->first_operand];
  code->count = 0;
  code->write_count = 0;
  if (instruction->number != WB_OPCODE_MOV || instruction->operand_count != 2 ||
      instruction->modifier_count > 0)
    return false;
  const struct wb_source source = source_of(&operands[1]);
  if (source.kind == WB_SOURCE_NONE || operands[0].number == WB_NO_REGISTER)
    return false;
  code->operations[code->count++] =
      (struct wb_micro_operation){.kind = WB_MICRO_COPY, .sources = {source}};
  code->writes[code->write_count++] = (struct wb_micro_write){.number = operands[0].number};
  return true;
}
