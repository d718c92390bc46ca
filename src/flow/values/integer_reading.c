#include "flow/values/integer_reading.h"

#include "flow/values/launch_values.h"

static struct wb_integer constant_at(const struct wb_reading *reading,
                                     const struct wb_operand *operand)
{
  uint32_t offset = operand->number;
  if (operand->index != WB_NO_REGISTER) {
    const struct wb_integer *index = &reading->before->registers[operand->index];
    if (!wb_integer_is_exact(index))
      return wb_integer_anything();
    offset += index->low;
  }
  return wb_launch_constant(reading->machine->launch, reading->machine->function, operand->bank,
                            offset);
}

struct wb_integer wb_reading_plain(const struct wb_reading *reading,
                                   const struct wb_operand *operand)
{
  switch (operand->kind) {
  case WB_OPERAND_REGISTER:
    return operand->number == WB_NO_REGISTER ? wb_integer_exactly(0)
                                             : reading->before->registers[operand->number];
  case WB_OPERAND_NUMBER:
    return wb_integer_exactly(operand->number);
  case WB_OPERAND_CONSTANT:
    return constant_at(reading, operand);
  default:
    return wb_integer_anything();
  }
}

struct wb_integer wb_reading_value(const struct wb_reading *reading, size_t number)
{
  const struct wb_operand *operand = &reading->operands[number];
  const struct wb_integer value = wb_reading_plain(reading, operand);
  const struct wb_integer zero = wb_integer_exactly(operand->complemented ? UINT32_MAX : 0);
  if (operand->half)
    return wb_integer_anything();
  return operand->negated || operand->complemented ? wb_integer_subtract(&zero, &value) : value;
}
