#include "flow/accesses/lane_operation.h"

#include "values/interval/launch_values.h"

#include <string.h>

bool wb_lane_operation_read(struct wb_lane_walk *walk, uint32_t index,
                            struct wb_lane_operation *operation)
{
  const struct wb_instruction *instruction = &walk->function->instructions[index];
  const struct wb_integer_environment environment = {.function = walk->function,
                                                     .launch = walk->launch};
  operation->walk = walk;
  operation->instruction = instruction;
  operation->guard = wb_lane_slot(&walk->layout, instruction->guard);
  operation->when = !instruction->guard_negated;
  return wb_operation_read(&environment, index, NULL, &operation->text);
}

uint32_t wb_lane_register(const struct wb_lane_operation *operation, uint16_t slot)
{
  const struct wb_lane_walk *walk = operation->walk;
  if (slot >= walk->layout.count)
    return WB_LANES_UNKNOWN;
  const struct wb_lane_conditional *row =
      wb_lane_state_conditional(walk->state, slot, operation->guard, operation->when);
  return row != NULL ? row->value : walk->state->values[slot];
}

uint32_t wb_lane_registers(const struct wb_lane_operation *operation, uint16_t low, uint16_t high)
{
  struct wb_lane_walk *walk = operation->walk;
  uint64_t number;
  if (low >= walk->layout.count || high >= walk->layout.count)
    return WB_LANES_UNKNOWN;
  const struct wb_lane_conditional *row =
      wb_lane_state_conditional(walk->state, low, operation->guard, operation->when);
  if (high == low + 1 && row != NULL && row->wide != WB_LANES_UNKNOWN)
    return row->wide;
  const uint32_t pair = wb_lane_state_pair(walk->state, &walk->layout, low, high);
  if (pair != WB_LANES_UNKNOWN)
    return pair;
  const uint32_t lower = wb_lane_register(operation, low);
  const uint32_t upper = wb_lane_register(operation, high);
  if (wb_lanes_are_number(walk->values, upper, &number) && number == 0)
    return wb_lanes_extend(walk->values, lower, false);
  return wb_lanes_pair(walk->values, lower, upper);
}

/* A word of constant memory. */
static uint32_t constant(const struct wb_lane_operation *operation,
                         const struct wb_text_operand *operand)
{
  const struct wb_lane_walk *walk = operation->walk;
  struct wb_integer_end low;
  struct wb_integer_end high;
  if (operand->index != WB_NO_REGISTER) {
    const uint32_t index = wb_lane_register(operation, wb_lane_slot(&walk->layout, operand->index));
    return wb_lanes_are_uniform(walk->values, index) ? WB_LANES_UNIFORM : WB_LANES_UNKNOWN;
  }
  const struct wb_integer value =
      wb_launch_constant(walk->launch, walk->function, operand->bank, operand->number);
  wb_integer_ends(&value, false, &low, &high);
  if (low.number == high.number && low.number >= 0)
    return wb_lanes_number(walk->values, (uint32_t)low.number);
  return high.number >= 0 && high.number <= UINT32_MAX
             ? wb_lanes_uniform_below(walk->values, (uint32_t)high.number)
             : WB_LANES_UNIFORM;
}

uint16_t wb_lane_operand_slot(const struct wb_lane_operation *operation,
                              const struct wb_text_operand *operand)
{
  const struct wb_lane_layout *layout = &operation->walk->layout;
  const bool plain = operand->kind == WB_TEXT_REGISTER && !operand->half;
  return plain ? wb_lane_slot(layout, operand->number) : layout->count;
}

uint32_t wb_lane_operand_plain(const struct wb_lane_operation *operation,
                               const struct wb_text_operand *operand)
{
  const struct wb_lane_walk *walk = operation->walk;
  switch (operand->kind) {
  case WB_TEXT_REGISTER:
    return operand->number == WB_NO_REGISTER
               ? wb_lanes_number(walk->values, 0)
               : wb_lane_register(operation, wb_lane_slot(&walk->layout, operand->number));
  case WB_TEXT_NUMBER:
    return wb_lanes_number(walk->values, operand->number);
  case WB_TEXT_CONSTANT:
    return constant(operation, operand);
  default:
    return WB_LANES_UNKNOWN;
  }
}

uint32_t wb_lane_operand(const struct wb_lane_operation *operation, size_t number)
{
  struct wb_lane_value_pool *values = operation->walk->values;
  const struct wb_text_operand *operand = &operation->text.operands[number];
  const uint32_t value = wb_lane_operand_plain(operation, operand);
  if (number >= operation->text.count || operand->half)
    return WB_LANES_UNKNOWN;
  if (operand->complemented) {
    const uint32_t operands[3] = {value, WB_LANES_UNIFORM, WB_LANES_UNIFORM};
    return wb_lanes_lookup(values, operands, 0x0f);
  }
  return operand->negated ? wb_lanes_negate(values, value) : value;
}

uint32_t wb_lane_operand_wide(const struct wb_lane_operation *operation, size_t number)
{
  struct wb_lane_walk *walk = operation->walk;
  const struct wb_text_operand *operand = &operation->text.operands[number];
  uint32_t value = WB_LANES_UNKNOWN;
  struct wb_text_operand upper = *operand;
  upper.number += 4;
  if (number >= operation->text.count || operand->half || operand->complemented)
    return WB_LANES_UNKNOWN;
  if (operand->kind == WB_TEXT_NUMBER || operand->kind == WB_TEXT_WIDE_NUMBER)
    value = wb_lanes_wide_number(walk->values, operand->wide);
  else if (operand->kind == WB_TEXT_CONSTANT)
    value = wb_lanes_pair(walk->values, constant(operation, operand), constant(operation, &upper));
  else if (operand->kind == WB_TEXT_REGISTER && operand->number == WB_NO_REGISTER)
    value = wb_lanes_wide_number(walk->values, 0);
  else if (operand->kind == WB_TEXT_REGISTER)
    value = wb_lane_registers(operation, wb_lane_slot(&walk->layout, operand->number),
                              wb_lane_slot(&walk->layout, operand->number + 1));
  return operand->negated ? wb_lanes_wide_negate(walk->values, value) : value;
}

bool wb_lane_operand_is_zero(const struct wb_lane_operation *operation, size_t number)
{
  uint64_t value;
  return wb_lanes_are_number(operation->walk->values, wb_lane_operand(operation, number), &value) &&
         value == 0;
}

bool wb_lane_operand_count(const struct wb_lane_operation *operation, size_t number,
                           unsigned *count)
{
  uint64_t value;
  const bool known =
      wb_lanes_are_number(operation->walk->values, wb_lane_operand(operation, number), &value);
  *count = known ? (unsigned)(value & 31) : 0;
  return known && value < 32;
}
