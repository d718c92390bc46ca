#include "flow/transfer/integer_results.h"

#include "flow/transfer/common_results.h"
#include "flow/transfer/volta_results.h"

#include <string.h>

static bool number_of(const struct wb_integer_operation *operation, size_t number, uint32_t *value)
{
  *value = operation->operands[number].number;
  return operation->operands[number].kind == WB_TEXT_NUMBER;
}

/* Reads the carry, 0 or 1. A subtracted operand is complemented, which is one less than negated. */
static struct wb_integer add_with_carry(const struct wb_integer_operation *operation)
{
  const struct wb_integer sum = wb_result_add(operation);
  const int64_t less = operation->operands[1].negated || operation->operands[2].negated;
  const struct wb_integer carry = wb_integer_range(-less, 1 - less);
  if (operation->operands[1].negated && operation->operands[2].negated)
    return wb_integer_top();
  return wb_integer_add(&sum, &carry);
}

/* ((a + b) >> 16) + c, where a + b does not wrap round. */
static struct wb_integer add_and_shift(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  const struct wb_integer c = wb_operand_value(operation, 3);
  int64_t low[2];
  int64_t high[2];
  if (!wb_integer_interval(&a, false, &low[0], &high[0]) ||
      !wb_integer_interval(&b, false, &low[1], &high[1]) || high[0] + high[1] > UINT32_MAX)
    return wb_integer_top();
  const struct wb_integer sum = wb_integer_add(&a, &b);
  const struct wb_integer upper = wb_integer_half(&sum, true);
  return wb_integer_add(&upper, &c);
}

static struct wb_integer scaled_add_upper_with_carry(const struct wb_integer_operation *operation)
{
  const struct wb_integer carry = wb_integer_range(0, 1);
  const struct wb_integer sum = wb_result_scaled_add_upper(operation);
  if (operation->operands[1].negated || operation->operands[2].negated)
    return wb_integer_top();
  return wb_integer_add(&sum, &carry);
}

static struct wb_integer shift_left(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer count = wb_operand_value(operation, 2);
  if (!wb_integer_is_exact(&count) || count.low > 31)
    return wb_integer_top();
  return wb_integer_shift_left(&a, count.low);
}

static struct wb_integer shift_right(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer count = wb_operand_value(operation, 2);
  if (!wb_integer_is_exact(&count) || count.low > 31)
    return wb_integer_top();
  return wb_integer_shift_right(&a, count.low, strstr(operation->opcode, ".U32") == NULL);
}

static struct wb_integer bits_and(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  return wb_integer_and(&a, &b);
}

/* OR and XOR of two known numbers. */
static struct wb_integer bits_or(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  if (!wb_integer_is_exact(&a) || !wb_integer_is_exact(&b))
    return wb_integer_top();
  return wb_integer_exactly(strstr(operation->opcode, "XOR") != NULL ? a.low ^ b.low
                                                                     : a.low | b.low);
}

static struct wb_integer second(const struct wb_integer_operation *operation)
{
  return wb_operand_value(operation, 2);
}

/* A field of `length` bits from bit `position` on. */
static struct wb_integer extract(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  uint32_t field;
  if (!number_of(operation, 2, &field) || field > 0xffff)
    return wb_integer_top();
  const unsigned position = field & 0xff;
  const unsigned length = field >> 8;
  if (position > 31 || length == 0)
    return wb_integer_top();
  const struct wb_integer shifted = wb_integer_shift_right(&a, position, false);
  if (position + length >= 32)
    return shifted;
  const struct wb_integer mask = wb_integer_exactly((UINT32_C(1) << length) - 1);
  return wb_integer_and(&shifted, &mask);
}

/* A product of two 16-bit halves plus a 32-bit addend, with the modifiers by which compilers build
 * 32-bit products: PSL shifts the product to the left by 16; CBCC adds the low half of
 * the second factor's register, shifted likewise, CHI and CLO take a half of the addend; MRG
 * puts that low half above the low half of the result. */
static struct wb_integer multiply_add(const struct wb_integer_operation *operation)
{
  const char *words = operation->opcode;
  struct wb_integer factors[2];
  for (size_t i = 0; i < 2; i++) {
    const struct wb_text_operand *operand = &operation->operands[i + 1];
    const struct wb_integer whole = wb_operand_unsigned_value(operation, operand);
    if (operand->negated || operand->complemented)
      return wb_integer_top();
    factors[i] = wb_integer_half(&whole, operand->upper);
  }
  const struct wb_integer second_factor =
      wb_operand_unsigned_value(operation, &operation->operands[2]);
  const struct wb_integer low_half = wb_integer_half(&second_factor, false);
  const struct wb_integer moved = wb_integer_shift_left(&low_half, 16);
  struct wb_integer sum = wb_integer_multiply(&factors[0], &factors[1]);
  struct wb_integer addend = wb_operand_value(operation, 3);
  if (strstr(words, ".PSL") != NULL)
    sum = wb_integer_shift_left(&sum, 16);
  if (strstr(words, ".CBCC") != NULL)
    addend = wb_integer_add(&addend, &moved);
  if (strstr(words, ".CHI") != NULL || strstr(words, ".CLO") != NULL)
    addend = wb_integer_half(&addend, strstr(words, ".CHI") != NULL);
  sum = wb_integer_add(&sum, &addend);
  if (strstr(words, ".MRG") == NULL)
    return sum;
  sum = wb_integer_half(&sum, false);
  return wb_integer_add(&sum, &moved);
}

/* Of Maxwell and Pascal. Exact names: an opcode with any other modifier is not in the table. */
static const struct row {
  const char *opcode;
  size_t operands;
  struct wb_integer (*result)(const struct wb_integer_operation *operation);
} rows[] = {
    {"BFE.U32", 3, extract},
    {"I2I.S32.S32", 2, wb_result_move},
    {"I2I.U32.U32", 2, wb_result_move},
    {"IADD", 3, wb_result_add},
    {"IADD.X", 3, add_with_carry},
    {"IADD3", 4, wb_result_add_three},
    {"IADD3.RS", 4, add_and_shift},
    {"IADD32I", 3, wb_result_add},
    {"IADD32I.X", 3, add_with_carry},
    {"IMAD", 4, wb_result_multiply_and_add},
    {"IMAD.U32.U32", 4, wb_result_multiply_and_add},
    {"IMNMX", 4, wb_result_minimum_or_maximum},
    {"IMNMX.U32", 4, wb_result_minimum_or_maximum},
    {"IMUL", 3, wb_result_multiply},
    {"IMUL.U32.U32", 3, wb_result_multiply},
    {"IMUL.U32.U32.HI", 3, wb_result_multiply_upper},
    {"IMUL32I", 3, wb_result_multiply},
    {"IMUL32I.U32.U32", 3, wb_result_multiply},
    {"IMUL32I.U32.U32.HI", 3, wb_result_multiply_upper},
    {"ISCADD", 4, wb_result_scaled_add},
    {"ISCADD32I", 4, wb_result_scaled_add},
    {"LDC", 2, wb_result_move},
    {"LEA", 4, wb_result_scaled_add},
    {"LEA.HI", 5, wb_result_scaled_add_upper},
    {"LEA.HI.X", 5, scaled_add_upper_with_carry},
    {"LOP.AND", 3, bits_and},
    {"LOP.OR", 3, bits_or},
    {"LOP.PASS_B", 3, second},
    {"LOP.XOR", 3, bits_or},
    {"LOP32I.AND", 3, bits_and},
    {"LOP32I.OR", 3, bits_or},
    {"LOP32I.XOR", 3, bits_or},
    {"MOV", 2, wb_result_move},
    {"MOV32I", 2, wb_result_move},
    {"S2R", 2, wb_result_special},
    {"SEL", 4, wb_result_choose},
    {"SHF.L", 4, wb_result_funnel},
    {"SHF.L.S64", 4, wb_result_funnel},
    {"SHF.L.U64", 4, wb_result_funnel},
    {"SHF.L.W", 4, wb_result_funnel},
    {"SHF.L.W.S64", 4, wb_result_funnel},
    {"SHF.L.W.U64", 4, wb_result_funnel},
    {"SHF.R", 4, wb_result_funnel},
    {"SHF.R.S64", 4, wb_result_funnel},
    {"SHF.R.U64", 4, wb_result_funnel},
    {"SHF.R.W", 4, wb_result_funnel},
    {"SHF.R.W.S64", 4, wb_result_funnel},
    {"SHF.R.W.U64", 4, wb_result_funnel},
    {"SHL", 3, shift_left},
    {"SHL.W", 3, shift_left},
    {"SHR", 3, shift_right},
    {"SHR.U32", 3, shift_right},
    {"SHR.U32.W", 3, shift_right},
    {"SHR.W", 3, shift_right},
    {"XMAD", 4, multiply_add},
    {"XMAD.CBCC", 4, multiply_add},
    {"XMAD.CHI", 4, multiply_add},
    {"XMAD.CLO", 4, multiply_add},
    {"XMAD.MRG", 4, multiply_add},
    {"XMAD.PSL", 4, multiply_add},
    {"XMAD.PSL.CBCC", 4, multiply_add},
    {"XMAD.PSL.CHI", 4, multiply_add},
    {"XMAD.PSL.CLO", 4, multiply_add},
};

static bool old_result(const struct wb_integer_operation *operation, struct wb_integer *result)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].opcode, operation->opcode) == 0 && rows[i].operands == operation->count) {
      *result = rows[i].result(operation);
      return true;
    }
  }
  return false;
}

bool wb_integer_result(const struct wb_integer_operation *operation, struct wb_integer *result)
{
  const bool found =
      operation->volta ? wb_volta_result(operation, result) : old_result(operation, result);
  if (!found)
    return false;
  for (size_t o = 1; o < operation->count && result->width == UINT32_MAX && result->origin == 0;
       o++)
    result->origin = wb_operand_unsigned_value(operation, &operation->operands[o]).origin;
  return true;
}
