#include "flow/transfer/common_results.h"

#include "values/interval/integer_product.h"
#include "values/interval/launch_values.h"

#include <string.h>

struct wb_integer wb_result_move(const struct wb_integer_operation *operation)
{
  return wb_operand_value(operation, 1);
}

struct wb_integer wb_result_add(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  return wb_integer_add(&a, &b);
}

struct wb_integer wb_result_add_three(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_result_add(operation);
  const struct wb_integer b = wb_operand_value(operation, 3);
  return wb_integer_add(&a, &b);
}

bool wb_result_count(const struct wb_integer_operation *operation, size_t number, uint32_t *count)
{
  const struct wb_integer value = wb_operand_value(operation, number);
  *count = value.low;
  return wb_integer_is_exact(&value) && value.low < 32;
}

/* LEA.HI R0, R1, R2, R3, n: the upper word of (R3, R1) << n, plus R2. */
struct wb_integer wb_result_scaled_add_upper(const struct wb_integer_operation *operation)
{
  const struct wb_integer low = wb_operand_value(operation, 1);
  const struct wb_integer other = wb_operand_value(operation, 2);
  const struct wb_integer high = wb_operand_value(operation, 3);
  uint32_t count;
  if (!wb_result_count(operation, 4, &count) || operation->operands[1].negated ||
      operation->operands[3].negated)
    return wb_integer_top();
  const struct wb_integer upper = count == 0 ? high : wb_integer_funnel(&low, &high, count, false);
  return wb_integer_add(&upper, &other);
}

struct wb_integer wb_result_scaled_add(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  uint32_t count;
  if (!wb_result_count(operation, 3, &count))
    return wb_integer_top();
  const struct wb_integer scaled = wb_integer_shift_left(&a, count);
  return wb_integer_add(&scaled, &b);
}

struct wb_integer wb_result_funnel(const struct wb_integer_operation *operation)
{
  const bool right = strncmp(operation->opcode, "SHF.R", strlen("SHF.R")) == 0;
  const struct wb_integer low = wb_operand_value(operation, 1);
  const struct wb_integer high = wb_operand_value(operation, 3);
  uint32_t count;
  if (!wb_result_count(operation, 2, &count))
    return wb_integer_top();
  if (count == 0)
    return right ? low : high;
  return wb_integer_funnel(&low, &high, count, right);
}

struct wb_integer wb_result_multiply(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  return wb_integer_product(&a, &b);
}

struct wb_integer wb_result_multiply_and_add(const struct wb_integer_operation *operation)
{
  const struct wb_integer product = wb_result_multiply(operation);
  const struct wb_integer b = wb_operand_value(operation, 3);
  return wb_integer_add(&product, &b);
}

struct wb_integer wb_result_multiply_upper(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  return wb_integer_product_upper(&a, &b, false);
}

/* ---- choices ---- */

enum wb_truth wb_result_truth(const struct wb_integer_operation *operation, size_t number)
{
  static const uint8_t negated[] = {WB_TRUTH_UNKNOWN, WB_TRUTH_TRUE, WB_TRUTH_FALSE};
  const struct wb_text_operand *operand = &operation->operands[number];
  uint8_t truth = WB_TRUTH_UNKNOWN;
  if (operand->kind != WB_TEXT_PREDICATE)
    return WB_TRUTH_UNKNOWN;
  if (operand->number == WB_NO_REGISTER)
    truth = WB_TRUTH_TRUE;
  else if (wb_predicate_index(operand->number) < WB_TRUTH_COUNT)
    truth = operation->before->predicates[wb_predicate_index(operand->number)].truth;
  return (enum wb_truth)(operand->negated ? negated[truth] : truth);
}

struct wb_integer wb_result_extreme(const struct wb_integer *a, const struct wb_integer *b,
                                    bool as_signed, enum wb_truth least)
{
  const struct wb_integer minimum = wb_integer_minimum(a, b, as_signed);
  const struct wb_integer maximum = wb_integer_maximum(a, b, as_signed);
  if (least == WB_TRUTH_UNKNOWN)
    return wb_integer_join(&minimum, &maximum);
  return least == WB_TRUTH_TRUE ? minimum : maximum;
}

struct wb_integer wb_result_minimum_or_maximum(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  const bool as_signed = strstr(operation->opcode, ".U32") == NULL;
  return wb_result_extreme(&a, &b, as_signed, wb_result_truth(operation, 3));
}

struct wb_integer wb_result_choose(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  const enum wb_truth first = wb_result_truth(operation, 3);
  if (first == WB_TRUTH_UNKNOWN)
    return wb_integer_join(&a, &b);
  return first == WB_TRUTH_TRUE ? a : b;
}

struct wb_integer wb_result_special(const struct wb_integer_operation *operation)
{
  const struct wb_text_operand *name = &operation->operands[1];
  if (name->kind != WB_TEXT_WORD)
    return wb_operand_value(operation, 1);
  return wb_launch_special(operation->environment->launch, operation->environment->function,
                           name->text, name->length);
}
