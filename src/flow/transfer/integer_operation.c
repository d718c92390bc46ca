#include "flow/transfer/integer_operation.h"

#include "values/interval/launch_values.h"

/* Moves the predicates `from` .. `from` + count - 1 from the operands to the outputs. */
static void take_outputs(struct wb_integer_operation *operation, size_t from, size_t count)
{
  operation->output_count = count;
  for (size_t i = 0; i < count; i++)
    operation->outputs[i] = operation->operands[from + i];
  for (size_t i = from; i + count < operation->count; i++)
    operation->operands[i] = operation->operands[i + count];
  operation->count -= count;
}

/* LOP3.LUT P0, R2, ...; IADD3 R2, P0, P1, ... */
static void separate_outputs(struct wb_integer_operation *operation)
{
  const struct wb_text_operand *operands = operation->operands;
  size_t count = 0;
  if (operation->count > 1 && operands[0].kind == WB_TEXT_PREDICATE &&
      operands[1].kind == WB_TEXT_REGISTER) {
    take_outputs(operation, 0, 1);
    return;
  }
  if (operation->count == 0 || operands[0].kind != WB_TEXT_REGISTER)
    return;
  while (count < WB_OUTPUT_LIMIT && count + 2 < operation->count &&
         operands[count + 1].kind == WB_TEXT_PREDICATE)
    count++;
  take_outputs(operation, 1, count);
}

bool wb_operation_read(const struct wb_integer_environment *environment, uint32_t index,
                       const struct wb_integer_state *before,
                       struct wb_integer_operation *operation)
{
  const struct wb_instruction *instruction = &environment->function->instructions[index];
  *operation = (struct wb_integer_operation){.environment = environment,
                                             .before = before,
                                             .opcode = instruction->opcode,
                                             .index = index,
                                             .guarded = instruction->guard != WB_NO_REGISTER,
                                             .guard = wb_predicate_index(instruction->guard),
                                             .guard_when = !instruction->guard_negated,
                                             .volta = environment->function->wide ||
                                                      environment->function->sm >= 70};
  operation->count = wb_operands_read(instruction->operands, operation->operands);
  if (operation->count > WB_TEXT_LIMIT)
    return false;
  if (operation->volta && operation->opcode[0] == 'U')
    operation->opcode++;
  if (operation->volta)
    separate_outputs(operation);
  return true;
}

/* The value of a register for threads that do the instruction. */
static struct wb_integer register_value(const struct wb_integer_operation *operation,
                                        uint32_t number)
{
  const struct wb_integer_state *before = operation->before;
  const struct wb_integer *value =
      wb_conditionals_find(&before->conditionals, number, operation->guard, operation->guard_when);
  if (value != NULL)
    return *value;
  return number < WB_VALUE_COUNT ? before->registers[number] : wb_integer_top();
}

static struct wb_integer constant_at(const struct wb_integer_operation *operation,
                                     const struct wb_text_operand *operand)
{
  uint32_t offset = operand->number;
  if (operand->index != WB_NO_REGISTER) {
    const struct wb_integer index = register_value(operation, operand->index);
    if (!wb_integer_is_exact(&index))
      return wb_integer_top();
    offset += index.low;
  }
  return wb_launch_constant(operation->environment->launch, operation->environment->function,
                            operand->bank, offset);
}

struct wb_integer wb_operand_unsigned_value(const struct wb_integer_operation *operation,
                                            const struct wb_text_operand *operand)
{
  switch (operand->kind) {
  case WB_TEXT_REGISTER:
    return operand->number == WB_NO_REGISTER ? wb_integer_exactly(0)
                                             : register_value(operation, operand->number);
  case WB_TEXT_NUMBER:
    return wb_integer_exactly(operand->number);
  case WB_TEXT_CONSTANT:
    return constant_at(operation, operand);
  default:
    return wb_integer_top();
  }
}

struct wb_integer wb_operand_value(const struct wb_integer_operation *operation, size_t number)
{
  const struct wb_text_operand *operand = &operation->operands[number];
  const struct wb_integer value = wb_operand_unsigned_value(operation, operand);
  const struct wb_integer zero = wb_integer_exactly(operand->complemented ? UINT32_MAX : 0);
  if (operand->half)
    return wb_integer_top();
  return operand->negated || operand->complemented ? wb_integer_subtract(&zero, &value) : value;
}

/* Without its sign. */
static struct wb_wide unsigned_wide_value(const struct wb_integer_operation *operation,
                                          const struct wb_text_operand *operand)
{
  const struct wb_integer_state *before = operation->before;
  struct wb_text_operand upper = *operand;
  upper.number += 4;
  switch (operand->kind) {
  case WB_TEXT_NUMBER:
  case WB_TEXT_WIDE_NUMBER:
    return wb_wide_exactly(operand->wide);
  case WB_TEXT_CONSTANT: {
    const struct wb_integer low = wb_operand_unsigned_value(operation, operand);
    const struct wb_integer high = wb_operand_unsigned_value(operation, &upper);
    return wb_wide_of_words(&low, &high);
  }
  case WB_TEXT_REGISTER:
    if (operand->number == WB_NO_REGISTER)
      return wb_wide_exactly(0);
    return operand->number + 1 < WB_VALUE_COUNT
               ? wb_pairs_value(&before->pairs, before->registers, (uint16_t)operand->number,
                                (uint16_t)(operand->number + 1))
               : wb_wide_top();
  default:
    return wb_wide_top();
  }
}

struct wb_wide wb_operand_wide_value(const struct wb_integer_operation *operation, size_t number)
{
  const struct wb_text_operand *operand = &operation->operands[number];
  const struct wb_wide value = unsigned_wide_value(operation, operand);
  const struct wb_wide zero = wb_wide_exactly(operand->complemented ? UINT64_MAX : 0);
  if (operand->half)
    return wb_wide_top();
  return operand->negated || operand->complemented ? wb_wide_subtract(&zero, &value) : value;
}
