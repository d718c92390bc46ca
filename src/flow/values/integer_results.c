#include "flow/values/integer_results.h"

#include "flow/values/launch_values.h"

#include <string.h>

static bool number_of(const struct wb_integer_operation *operation, size_t number, uint32_t *value)
{
  *value = operation->operands[number].number;
  return operation->operands[number].kind == WB_OPERAND_NUMBER;
}

/* ---- arithmetic: the result of an instruction with its operands in place ---- */

static struct wb_integer move(const struct wb_integer_operation *operation)
{
  return wb_operand_value(operation, 1);
}

static struct wb_integer add(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  return wb_integer_add(&a, &b);
}

static struct wb_integer add_three(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = add(operation);
  const struct wb_integer b = wb_operand_value(operation, 3);
  return wb_integer_add(&a, &b);
}

/* Reads the carry, 0 or 1. A subtracted operand is complemented, which is one less than negated. */
static struct wb_integer add_with_carry(const struct wb_integer_operation *operation)
{
  const struct wb_integer sum = add(operation);
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

static bool take_count(const struct wb_integer_operation *operation, size_t number, uint32_t *count)
{
  const struct wb_integer value = wb_operand_value(operation, number);
  *count = value.low;
  return wb_integer_is_exact(&value) && value.low < 32;
}

/* LEA.HI R0, R1, R2, R3, n: the upper word of (R3, R1) << n, plus R2. */
static struct wb_integer scaled_add_upper(const struct wb_integer_operation *operation)
{
  const struct wb_integer low = wb_operand_value(operation, 1);
  const struct wb_integer other = wb_operand_value(operation, 2);
  const struct wb_integer high = wb_operand_value(operation, 3);
  uint32_t count;
  if (!take_count(operation, 4, &count))
    return wb_integer_top();
  const struct wb_integer upper = count == 0 ? high : wb_integer_funnel(&low, &high, count, false);
  return wb_integer_add(&upper, &other);
}

static struct wb_integer scaled_add_upper_with_carry(const struct wb_integer_operation *operation)
{
  const struct wb_integer carry = wb_integer_range(0, 1);
  const struct wb_integer sum = scaled_add_upper(operation);
  if (operation->operands[1].negated || operation->operands[2].negated)
    return wb_integer_top();
  return wb_integer_add(&sum, &carry);
}

/* SHF.L R0, R1, n, R2: the upper word of (R2, R1) << n; SHF.R: the lower one of >> n. */
static struct wb_integer funnel(const struct wb_integer_operation *operation)
{
  const bool right = strncmp(operation->opcode, "SHF.R", strlen("SHF.R")) == 0;
  const struct wb_integer low = wb_operand_value(operation, 1);
  const struct wb_integer high = wb_operand_value(operation, 3);
  uint32_t count;
  if (!take_count(operation, 2, &count))
    return wb_integer_top();
  if (count == 0)
    return right ? low : high;
  return wb_integer_funnel(&low, &high, count, right);
}

static struct wb_integer scaled_add(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  uint32_t count;
  if (!number_of(operation, 3, &count) || count > 31)
    return wb_integer_top();
  const struct wb_integer scaled = wb_integer_shift_left(&a, count);
  return wb_integer_add(&scaled, &b);
}

/* The lower 32 bits of a product, which do not depend on signs: of two known numbers, by a power of
 * two, or of two intervals whose product fits. */
static struct wb_integer multiply(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  struct wb_integer_end low[2];
  struct wb_integer_end high[2];
  unsigned count = 0;
  if (wb_integer_is_exact(&a) && wb_integer_is_exact(&b))
    return wb_integer_exactly(a.low * b.low);
  if (wb_integer_is_exact(&b) && b.low != 0) {
    while ((b.low >> count & 1U) == 0)
      count++;
    if (b.low >> count == 1)
      return wb_integer_shift_left(&a, count);
  }
  if (!wb_integer_ends(&a, false, &low[0], &high[0]) ||
      !wb_integer_ends(&b, false, &low[1], &high[1]) ||
      (high[1].number > 0 && high[0].number > UINT32_MAX / high[1].number))
    return wb_integer_top();
  low[0].number *= low[1].number;
  low[0].by_width |= low[1].by_width;
  high[0].number *= high[1].number;
  high[0].by_width |= high[1].by_width;
  return wb_integer_between(low[0], high[0], a.origin != 0 ? a.origin : b.origin);
}

static struct wb_integer multiply_and_add(const struct wb_integer_operation *operation)
{
  const struct wb_integer product = multiply(operation);
  const struct wb_integer b = wb_operand_value(operation, 3);
  return wb_integer_add(&product, &b);
}

/* The upper word of a product of unsigned numbers. */
static struct wb_integer multiply_upper(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  int64_t low[2];
  int64_t high[2];
  if (!wb_integer_interval(&a, false, &low[0], &high[0]) ||
      !wb_integer_interval(&b, false, &low[1], &high[1]))
    return wb_integer_top();
  const uint64_t least = (uint64_t)low[0] * (uint64_t)low[1] >> 32;
  const uint64_t most = (uint64_t)high[0] * (uint64_t)high[1] >> 32;
  const struct wb_integer_end first = {(int64_t)least, a.low_by_width || b.low_by_width};
  const struct wb_integer_end last = {(int64_t)most, a.high_by_width || b.high_by_width};
  return wb_integer_between(first, last, a.origin != 0 ? a.origin : b.origin);
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

/* The minimum where the predicate is true, else the maximum. */
static struct wb_integer minimum_or_maximum(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  const bool as_signed = strstr(operation->opcode, ".U32") == NULL;
  const struct wb_operand *which = &operation->operands[3];
  const struct wb_integer least = wb_integer_minimum(&a, &b, as_signed);
  const struct wb_integer greatest = wb_integer_maximum(&a, &b, as_signed);
  if (which->kind != WB_OPERAND_PREDICATE)
    return wb_integer_top();
  if (which->number != WB_NO_REGISTER)
    return wb_integer_join(&least, &greatest);
  return which->negated ? greatest : least;
}

static struct wb_integer choose(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  return wb_integer_join(&a, &b);
}

static struct wb_integer special(const struct wb_integer_operation *operation)
{
  const struct wb_operand *name = &operation->operands[1];
  return wb_launch_special(operation->environment->launch, name->text, name->length);
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
    const struct wb_operand *operand = &operation->operands[i + 1];
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

/* Exact names: an opcode with any other modifier is not in the table. */
static const struct row {
  const char *opcode;
  size_t operands;
  struct wb_integer (*result)(const struct wb_integer_operation *operation);
} rows[] = {
    {"BFE.U32", 3, extract},
    {"I2I.S32.S32", 2, move},
    {"I2I.U32.U32", 2, move},
    {"IADD", 3, add},
    {"IADD.X", 3, add_with_carry},
    {"IADD3", 4, add_three},
    {"IADD3.RS", 4, add_and_shift},
    {"IADD32I", 3, add},
    {"IADD32I.X", 3, add_with_carry},
    {"IMAD", 4, multiply_and_add},
    {"IMAD.U32.U32", 4, multiply_and_add},
    {"IMNMX", 4, minimum_or_maximum},
    {"IMNMX.U32", 4, minimum_or_maximum},
    {"IMUL", 3, multiply},
    {"IMUL.U32.U32", 3, multiply},
    {"IMUL.U32.U32.HI", 3, multiply_upper},
    {"IMUL32I", 3, multiply},
    {"IMUL32I.U32.U32", 3, multiply},
    {"IMUL32I.U32.U32.HI", 3, multiply_upper},
    {"ISCADD", 4, scaled_add},
    {"ISCADD32I", 4, scaled_add},
    {"LDC", 2, move},
    {"LEA", 4, scaled_add},
    {"LEA.HI", 5, scaled_add_upper},
    {"LEA.HI.X", 5, scaled_add_upper_with_carry},
    {"LOP.AND", 3, bits_and},
    {"LOP.OR", 3, bits_or},
    {"LOP.PASS_B", 3, second},
    {"LOP.XOR", 3, bits_or},
    {"LOP32I.AND", 3, bits_and},
    {"LOP32I.OR", 3, bits_or},
    {"LOP32I.XOR", 3, bits_or},
    {"MOV", 2, move},
    {"MOV32I", 2, move},
    {"S2R", 2, special},
    {"SEL", 4, choose},
    {"SHF.L", 4, funnel},
    {"SHF.L.S64", 4, funnel},
    {"SHF.L.U64", 4, funnel},
    {"SHF.L.W", 4, funnel},
    {"SHF.L.W.S64", 4, funnel},
    {"SHF.L.W.U64", 4, funnel},
    {"SHF.R", 4, funnel},
    {"SHF.R.S64", 4, funnel},
    {"SHF.R.U64", 4, funnel},
    {"SHF.R.W", 4, funnel},
    {"SHF.R.W.S64", 4, funnel},
    {"SHF.R.W.U64", 4, funnel},
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

bool wb_integer_result(const struct wb_integer_operation *operation, struct wb_integer *result)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].opcode, operation->opcode) == 0 && rows[i].operands == operation->count) {
      *result = rows[i].result(operation);
      for (size_t o = 1; o < operation->count && result->width == UINT32_MAX && result->origin == 0;
           o++)
        result->origin = wb_operand_unsigned_value(operation, &operation->operands[o]).origin;
      return true;
    }
  }
  return false;
}
