#include "flow/accesses/access_addresses.h"

const struct wb_operand *wb_address_find(const struct wb_function *function, uint32_t instruction,
                                         size_t number)
{
  const struct wb_instruction *it = &function->instructions[instruction];
  for (size_t o = 0; o < it->operand_count; o++) {
    const struct wb_operand *operand = &function->operands[it->first_operand + o];
    if (operand->kind == WB_OPERAND_OTHER)
      return NULL;
    if ((operand->kind == WB_OPERAND_ADDRESS || operand->kind == WB_OPERAND_CONSTANT) &&
        number-- == 0)
      return operand;
  }
  return NULL;
}

static uint32_t word_address(struct wb_lane_walk *walk, const struct wb_operand *operand)
{
  struct wb_lane_value_pool *values = walk->values;
  const uint32_t base = wb_lane_term_value(walk, wb_lane_walk_read(walk, operand->number));
  const uint32_t index = wb_lane_term_value(walk, wb_lane_walk_read(walk, operand->index));
  const uint32_t sum =
      wb_lanes_add(values, wb_lanes_shift_left(values, base, operand->scale), index);
  return wb_lanes_add(values, sum, wb_lanes_number(values, (uint32_t)operand->value));
}

static uint32_t pair_value(struct wb_lane_walk *walk, uint16_t number)
{
  return number == WB_NO_REGISTER ? wb_lanes_wide_number(walk->values, 0)
                                  : wb_lane_terms_wide(walk, wb_lane_walk_read(walk, number),
                                                       wb_lane_walk_read(walk, number + 1U));
}

static uint32_t wide_address(struct wb_lane_walk *walk, const struct wb_operand *operand)
{
  struct wb_lane_value_pool *values = walk->values;
  uint32_t base = pair_value(walk, operand->number);
  if (operand->narrow)
    base = wb_lanes_extend(
        values, wb_lane_term_value(walk, wb_lane_walk_read(walk, operand->number)), false);
  if (operand->scale > 0)
    base = wb_lanes_wide_shift_left(values, base, operand->scale);
  const uint32_t sum = wb_lanes_wide_add(values, base, pair_value(walk, operand->index));
  return wb_lanes_wide_add(values, sum, wb_lanes_wide_number(values, operand->value));
}

uint32_t wb_address_value(struct wb_lane_walk *walk, const struct wb_operand *operand, bool wide)
{
  return wide ? wide_address(walk, operand) : word_address(walk, operand);
}

uint16_t wb_address_register(const struct wb_operand *operand)
{
  return operand->index < WB_REGISTER_PREDICATE ? operand->index : operand->number;
}
