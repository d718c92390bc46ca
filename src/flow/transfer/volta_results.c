#include "flow/transfer/volta_results.h"

#include "flow/transfer/common_results.h"
#include "flow/transfer/half_number.h"
#include "values/interval/integer_bits.h"
#include "values/interval/integer_product.h"

#include <string.h>

static bool has(const struct wb_integer_operation *operation, const char *word)
{
  return strstr(operation->opcode, word) != NULL;
}

static bool is_zero(const struct wb_integer_operation *operation, size_t number)
{
  const struct wb_integer value = wb_operand_value(operation, number);
  return wb_integer_is_exact(&value) && value.low == 0;
}

/* ---- sums and products ---- */

/* The carry that predicate operand `number` says. */
static struct wb_integer carry(const struct wb_integer_operation *operation, size_t number)
{
  const enum wb_truth truth = wb_result_truth(operation, number);
  return truth == WB_TRUTH_UNKNOWN ? wb_integer_range(0, 1)
                                   : wb_integer_exactly(truth == WB_TRUTH_TRUE);
}

/* IADD3.X R0, a, b, c, P0, !PT. */
static struct wb_integer add_with_carries(const struct wb_integer_operation *operation)
{
  struct wb_integer sum = wb_result_add_three(operation);
  for (size_t i = 4; i <= 5; i++) {
    const struct wb_integer more = carry(operation, i);
    sum = wb_integer_add(&sum, &more);
  }
  return sum;
}

/* IMAD.X R0, a, b, c, P0. */
static struct wb_integer multiply_with_carry(const struct wb_integer_operation *operation)
{
  const struct wb_integer sum = wb_result_multiply_and_add(operation);
  const struct wb_integer more = carry(operation, 4);
  return wb_integer_add(&sum, &more);
}

/* IMAD.HI R0, a, b, c: the upper word of a * b + (register after c, c); c's lower word has to be
 * 0. */
static struct wb_integer multiply_upper(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  const struct wb_integer product = wb_integer_product_upper(&a, &b, !has(operation, ".U32"));
  struct wb_text_operand upper = operation->operands[3];
  if (!is_zero(operation, 3) || upper.negated || upper.complemented)
    return wb_integer_top();
  if (upper.kind != WB_TEXT_REGISTER || upper.number == WB_NO_REGISTER)
    return upper.kind == WB_TEXT_CONSTANT ? wb_integer_top() : product;
  upper.number++;
  const struct wb_integer more = wb_operand_unsigned_value(operation, &upper);
  return wb_integer_add(&product, &more);
}

/* LEA.HI.SX32 R0, a, b, n: the upper word of a << n, a continued by its sign, plus b. */
static struct wb_integer scaled_add_signed(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  uint32_t count;
  if (!wb_result_count(operation, 3, &count) || operation->operands[1].negated)
    return wb_integer_top();
  const struct wb_integer upper = wb_integer_shift_right(&a, 32 - count, true);
  return wb_integer_add(&upper, &b);
}

static struct wb_integer scaled_add_signed_with_carry(const struct wb_integer_operation *operation)
{
  const struct wb_integer sum = scaled_add_signed(operation);
  const struct wb_integer more = carry(operation, 4);
  return wb_integer_add(&sum, &more);
}

static struct wb_integer scaled_add_upper_with_carry(const struct wb_integer_operation *operation)
{
  const struct wb_integer sum = wb_result_scaled_add_upper(operation);
  const struct wb_integer more = carry(operation, 5);
  return wb_integer_add(&sum, &more);
}

/* VIADDMNMX R0, a, b, c, P0: a + b or c. */
static struct wb_integer add_and_choose(const struct wb_integer_operation *operation)
{
  const struct wb_integer sum = wb_result_add(operation);
  const struct wb_integer c = wb_operand_value(operation, 3);
  return wb_result_extreme(&sum, &c, !has(operation, ".U32"), wb_result_truth(operation, 4));
}

static struct wb_integer magnitude(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  return wb_integer_magnitude(&a);
}

/* ---- shifts ---- */

/* SHF.L.U32 R0, a, n, RZ: a << n. */
static struct wb_integer shift_left(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  uint32_t count;
  if (!wb_result_count(operation, 2, &count) || !is_zero(operation, 3))
    return wb_integer_top();
  return wb_integer_shift_left(&a, count);
}

/* SHF.R.U32.HI R0, RZ, n, c: c >> n. */
static struct wb_integer shift_right(const struct wb_integer_operation *operation)
{
  const struct wb_integer c = wb_operand_value(operation, 3);
  const bool as_signed = has(operation, ".S32");
  const struct wb_integer_end zero = {0, false};
  struct wb_integer_end low;
  struct wb_integer_end high;
  uint32_t count;
  if (!is_zero(operation, 1))
    return wb_integer_top();
  if (wb_result_count(operation, 2, &count))
    return wb_integer_shift_right(&c, count, as_signed);
  /* By any number of places. */
  wb_integer_ends(&c, as_signed, &low, &high);
  return low.number >= 0 ? wb_integer_between(zero, high, c.origin) : wb_integer_top();
}

/* ---- bits ---- */

static bool number_of(const struct wb_integer_operation *operation, size_t number, uint32_t *value)
{
  const struct wb_integer operand = wb_operand_value(operation, number);
  *value = operand.low;
  return wb_integer_is_exact(&operand);
}

/* LOP3.LUT R0, a, b, c, table, !PT. */
static struct wb_integer lookup(const struct wb_integer_operation *operation)
{
  const struct wb_integer values[3] = {wb_operand_value(operation, 1),
                                       wb_operand_value(operation, 2),
                                       wb_operand_value(operation, 3)};
  uint32_t table;
  if (operation->operands[4].kind != WB_TEXT_NUMBER || !number_of(operation, 4, &table) ||
      table > UINT8_MAX)
    return wb_integer_top();
  return wb_integer_lookup(values, (uint8_t)table);
}

/* PRMT R0, a, selector, b. */
static struct wb_integer permute(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 3);
  uint32_t selector;
  if (!number_of(operation, 2, &selector))
    return wb_integer_top();
  return wb_integer_permute(&a, &b, selector & 0xffff);
}

/* SGXT R0, a, n: the lowest n bits with their sign; SGXT.U32: without one. */
static struct wb_integer extend(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  uint32_t bits;
  if (!number_of(operation, 2, &bits) || bits == 0 || bits > 32)
    return wb_integer_top();
  return has(operation, ".U32") ? wb_integer_lowest_bits(&a, bits)
                                : wb_integer_sign_extend(&a, bits);
}

/* BMSK R0, p, n: n bits from bit p on. */
static struct wb_integer mask(const struct wb_integer_operation *operation)
{
  uint32_t place;
  uint32_t bits;
  if (!number_of(operation, 1, &place) || !number_of(operation, 2, &bits) || bits > 31 ||
      place > 31 || place + bits > 32)
    return wb_integer_top();
  return wb_integer_exactly(((UINT32_C(1) << bits) - 1) << place);
}

/* HFMA2 R0, -RZ, RZ, 0, 5.9604644775390625e-08: -0 * 0 + n is n in both halves, the upper one
 * first; compilers load numbers so. */
static struct wb_integer half_numbers(const struct wb_integer_operation *operation)
{
  const struct wb_text_operand *operands = operation->operands;
  uint32_t halves[2];
  const bool zeros = operands[1].kind == WB_TEXT_REGISTER && operands[1].number == WB_NO_REGISTER &&
                     operands[1].negated && operands[2].kind == WB_TEXT_REGISTER &&
                     operands[2].number == WB_NO_REGISTER && !operands[2].negated;
  if (!zeros || !wb_half_number(operands[3].text, operands[3].length, &halves[0]) ||
      !wb_half_number(operands[4].text, operands[4].length, &halves[1]))
    return wb_integer_top();
  return wb_integer_exactly(halves[0] << 16 | halves[1]);
}

static struct wb_integer bit_count(const struct wb_integer_operation *operation)
{
  (void)operation;
  return wb_integer_range(0, 32);
}

/* R2UR UR0, R1: the number of some lane of those that run together, which is another thread's where
 * it is relative to this one's. */
static struct wb_integer of_some_lane(const struct wb_integer_operation *operation)
{
  const struct wb_integer value = wb_operand_value(operation, 1);
  return value.base == WB_NO_REGISTER ? value : wb_integer_unknown(value.origin);
}

/* Exact names: an opcode with any other modifier is not in the table. Those of the uniform datapath
 * stand without their U. */
static const struct row {
  const char *opcode;
  size_t operands;
  struct wb_integer (*result)(const struct wb_integer_operation *operation);
} rows[] = {
    {"BMSK", 3, mask},
    {"CS2R.32", 2, wb_result_special},
    {"HFMA2", 5, half_numbers},
    {"HFMA2.MMA", 5, half_numbers},
    {"IABS", 2, magnitude},
    {"IADD", 3, wb_result_add},
    {"IADD3", 4, wb_result_add_three},
    {"IADD3.X", 6, add_with_carries},
    {"IMAD", 4, wb_result_multiply_and_add},
    {"IMAD.HI", 4, multiply_upper},
    {"IMAD.HI.U32", 4, multiply_upper},
    {"IMAD.IADD", 4, wb_result_multiply_and_add},
    {"IMAD.IADD.U32", 4, wb_result_multiply_and_add},
    {"IMAD.MOV", 4, wb_result_multiply_and_add},
    {"IMAD.MOV.U32", 4, wb_result_multiply_and_add},
    {"IMAD.SHL", 4, wb_result_multiply_and_add},
    {"IMAD.SHL.U32", 4, wb_result_multiply_and_add},
    {"IMAD.U32", 4, wb_result_multiply_and_add},
    {"IMAD.X", 5, multiply_with_carry},
    {"IMNMX", 4, wb_result_minimum_or_maximum},
    {"IMNMX.U32", 4, wb_result_minimum_or_maximum},
    {"LDC", 2, wb_result_move},
    {"LDCU", 2, wb_result_move},
    {"LEA", 4, wb_result_scaled_add},
    {"LEA.HI", 5, wb_result_scaled_add_upper},
    {"LEA.HI.SX32", 4, scaled_add_signed},
    {"LEA.HI.X", 6, scaled_add_upper_with_carry},
    {"LEA.HI.X.SX32", 5, scaled_add_signed_with_carry},
    {"LOP3.LUT", 6, lookup},
    {"MOV", 2, wb_result_move},
    {"POPC", 2, bit_count},
    {"PRMT", 4, permute},
    {"R2UR", 2, of_some_lane},
    {"S2R", 2, wb_result_special},
    {"S2UR", 2, wb_result_special},
    {"SEL", 4, wb_result_choose},
    {"SGXT", 3, extend},
    {"SGXT.U32", 3, extend},
    {"SHF.L.S64.HI", 4, wb_result_funnel},
    {"SHF.L.U32", 4, shift_left},
    {"SHF.L.U32.HI", 4, wb_result_funnel},
    {"SHF.L.U64.HI", 4, wb_result_funnel},
    {"SHF.L.W.U32", 4, shift_left},
    {"SHF.L.W.U32.HI", 4, wb_result_funnel},
    {"SHF.R.S32.HI", 4, shift_right},
    {"SHF.R.S64", 4, wb_result_funnel},
    {"SHF.R.U32.HI", 4, shift_right},
    {"SHF.R.U64", 4, wb_result_funnel},
    {"SHF.R.W.U32", 4, wb_result_funnel},
    {"VIADD", 3, wb_result_add},
    {"VIADDMNMX", 5, add_and_choose},
    {"VIADDMNMX.U32", 5, add_and_choose},
    {"VIMNMX", 4, wb_result_minimum_or_maximum},
    {"VIMNMX.S32", 4, wb_result_minimum_or_maximum},
    {"VIMNMX.U32", 4, wb_result_minimum_or_maximum},
};

bool wb_volta_result(const struct wb_integer_operation *operation, struct wb_integer *result)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].opcode, operation->opcode) == 0 && rows[i].operands == operation->count) {
      *result = rows[i].result(operation);
      return true;
    }
  }
  return false;
}

/* ---- results of 64 bits ---- */

struct wide_result {
  struct wb_wide value;
  struct wb_integer lower; /* the lower word */
};

/* The lower word of an operand of 64 bits. */
static struct wb_integer lower_operand(const struct wb_integer_operation *operation, size_t number)
{
  struct wb_text_operand word = operation->operands[number];
  if (word.kind == WB_TEXT_WIDE_NUMBER)
    word.kind = WB_TEXT_NUMBER;
  const struct wb_integer value = wb_operand_unsigned_value(operation, &word);
  const struct wb_integer zero = wb_integer_exactly(word.complemented ? UINT32_MAX : 0);
  return word.negated || word.complemented ? wb_integer_subtract(&zero, &value) : value;
}

static struct wide_result wide_operand(const struct wb_integer_operation *operation, size_t number)
{
  return (struct wide_result){wb_operand_wide_value(operation, number),
                              lower_operand(operation, number)};
}

static struct wide_result wide_sum(const struct wide_result *a, const struct wide_result *b)
{
  return (struct wide_result){wb_wide_add(&a->value, &b->value),
                              wb_integer_add(&a->lower, &b->lower)};
}

static struct wide_result move_wide(const struct wb_integer_operation *operation)
{
  return wide_operand(operation, 1);
}

static struct wide_result add_wide(const struct wb_integer_operation *operation)
{
  struct wide_result sum = wide_operand(operation, 1);
  for (size_t i = 2; i < operation->count; i++) {
    const struct wide_result more = wide_operand(operation, i);
    sum = wide_sum(&sum, &more);
  }
  return sum;
}

/* IMAD.WIDE R0, a, b, c: a * b, of 64 bits, plus the pair c. */
static struct wide_result multiply_wide(const struct wb_integer_operation *operation)
{
  const struct wb_integer a = wb_operand_value(operation, 1);
  const struct wb_integer b = wb_operand_value(operation, 2);
  const struct wide_result product = {wb_wide_product(&a, &b, !has(operation, ".U32")),
                                      wb_integer_product(&a, &b)};
  const struct wide_result c = wide_operand(operation, 3);
  return wide_sum(&product, &c);
}

static struct wide_result choose_wide(const struct wb_integer_operation *operation)
{
  const struct wide_result a = wide_operand(operation, 1);
  const struct wide_result b = wide_operand(operation, 2);
  const enum wb_truth first = wb_result_truth(operation, 3);
  if (first != WB_TRUTH_UNKNOWN)
    return first == WB_TRUTH_TRUE ? a : b;
  return (struct wide_result){wb_wide_join(&a.value, &b.value),
                              wb_integer_join(&a.lower, &b.lower)};
}

static const struct wide_row {
  const char *opcode;
  size_t operands;
  struct wide_result (*result)(const struct wb_integer_operation *operation);
} wide_rows[] = {
    {"CS2R", 2, move_wide}, /* of SRZ; no other special register is an operand of 64 bits */
    {"IADD.64", 3, add_wide},        {"IADD3.64", 4, add_wide},
    {"IMAD.WIDE", 4, multiply_wide}, {"IMAD.WIDE.U32", 4, multiply_wide},
    {"MOV.64", 2, move_wide},        {"SEL.64", 4, choose_wide},
};

bool wb_volta_wide_result(const struct wb_integer_operation *operation, struct wb_wide *result,
                          struct wb_integer *lower)
{
  for (size_t i = 0; i < sizeof wide_rows / sizeof *wide_rows; i++) {
    const struct wide_row *row = &wide_rows[i];
    if (strcmp(row->opcode, operation->opcode) == 0 && row->operands == operation->count) {
      const struct wide_result found = row->result(operation);
      const struct wb_integer word = wb_wide_lower_word(&found.value);
      *result = found.value;
      *lower = found.lower.width <= word.width ? found.lower : word;
      return true;
    }
  }
  return false;
}
