#include "flow/values/integer_operation.h"

#include "flow/values/launch_values.h"

static struct wb_integer constant_at(const struct wb_integer_operation *operation,
                                     const struct wb_operand *operand)
{
  uint32_t offset = operand->number;
  if (operand->index != WB_NO_REGISTER) {
    const struct wb_integer *index = &operation->before->registers[operand->index];
    if (!wb_integer_is_exact(index))
      return wb_integer_top();
    offset += index->low;
  }
  return wb_launch_constant(operation->environment->launch, operation->environment->function,
                            operand->bank, offset);
}

struct wb_integer wb_operand_unsigned_value(const struct wb_integer_operation *operation,
                                            const struct wb_operand *operand)
{
  switch (operand->kind) {
  case WB_OPERAND_REGISTER:
    return operand->number == WB_NO_REGISTER ? wb_integer_exactly(0)
                                             : operation->before->registers[operand->number];
  case WB_OPERAND_NUMBER:
    return wb_integer_exactly(operand->number);
  case WB_OPERAND_CONSTANT:
    return constant_at(operation, operand);
  default:
    return wb_integer_top();
  }
}

struct wb_integer wb_operand_value(const struct wb_integer_operation *operation, size_t number)
{
  const struct wb_operand *operand = &operation->operands[number];
  const struct wb_integer value = wb_operand_unsigned_value(operation, operand);
  const struct wb_integer zero = wb_integer_exactly(operand->complemented ? UINT32_MAX : 0);
  if (operand->half)
    return wb_integer_top();
  return operand->negated || operand->complemented ? wb_integer_subtract(&zero, &value) : value;
}
