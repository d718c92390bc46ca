#include "flow/accesses/lane_results.h"

#include "flow/transfer/half_number.h"

#include <string.h>

typedef const struct wb_lane_operation *operation_of;

static struct wb_lane_value_pool *values_of(operation_of operation)
{
  return operation->walk->values;
}

static uint32_t number(operation_of operation, uint32_t value)
{
  return wb_lanes_number(values_of(operation), value);
}

static bool has(operation_of operation, const char *word)
{
  return strstr(operation->text.opcode, word) != NULL;
}

/* ---- moves, sums and products ---- */

static uint32_t move(operation_of operation)
{
  return wb_lane_operand(operation, 1);
}

static uint32_t second(operation_of operation)
{
  return wb_lane_operand(operation, 2);
}

static uint32_t add(operation_of operation)
{
  return wb_lanes_add(values_of(operation), wb_lane_operand(operation, 1),
                      wb_lane_operand(operation, 2));
}

static uint32_t add_three(operation_of operation)
{
  return wb_lanes_add(values_of(operation), add(operation), wb_lane_operand(operation, 3));
}

static uint32_t multiply(operation_of operation)
{
  return wb_lanes_multiply(values_of(operation), wb_lane_operand(operation, 1),
                           wb_lane_operand(operation, 2));
}

static uint32_t multiply_and_add(operation_of operation)
{
  return wb_lanes_add(values_of(operation), multiply(operation), wb_lane_operand(operation, 3));
}

/* LEA R0, a, b, n: (a << n) + b. */
static uint32_t scaled_add(operation_of operation)
{
  unsigned count;
  if (!wb_lane_operand_count(operation, 3, &count))
    return WB_LANES_UNKNOWN;
  const uint32_t scaled =
      wb_lanes_shift_left(values_of(operation), wb_lane_operand(operation, 1), count);
  return wb_lanes_add(values_of(operation), scaled, wb_lane_operand(operation, 2));
}

/* LEA.HI R0, a, b, RZ, n: (a >> (32 - n)) + b. */
static uint32_t scaled_add_upper(operation_of operation)
{
  unsigned count;
  if (!wb_lane_operand_count(operation, 4, &count) || count == 0 ||
      !wb_lane_operand_is_zero(operation, 3) || operation->text.operands[1].negated)
    return WB_LANES_UNKNOWN;
  const uint32_t upper =
      wb_lanes_shift_right(values_of(operation), wb_lane_operand(operation, 1), 32 - count, false);
  return wb_lanes_add(values_of(operation), upper, wb_lane_operand(operation, 2));
}

/* LEA.HI.SX32 R0, a, b, n: (a >> (32 - n)) + b, a with its sign. */
static uint32_t scaled_add_signed(operation_of operation)
{
  unsigned count;
  if (!wb_lane_operand_count(operation, 3, &count) || count == 0 ||
      operation->text.operands[1].negated)
    return WB_LANES_UNKNOWN;
  const uint32_t upper =
      wb_lanes_shift_right(values_of(operation), wb_lane_operand(operation, 1), 32 - count, true);
  return wb_lanes_add(values_of(operation), upper, wb_lane_operand(operation, 2));
}

/* ---- products of 16-bit halves ---- */

static uint32_t half(operation_of operation, uint32_t value, bool upper)
{
  return upper ? wb_lanes_shift_right(values_of(operation), value, 16, false)
               : wb_lanes_and(values_of(operation), value, 0xffff);
}

/* XMAD R0, a, b, c: as the integer analysis has it (flow/transfer/integer_results.c). */
static uint32_t multiply_halves(operation_of operation)
{
  struct wb_lane_value_pool *values = values_of(operation);
  const struct wb_text_operand *operands = operation->text.operands;
  uint32_t factors[2];
  for (size_t i = 0; i < 2; i++) {
    if (operands[i + 1].negated || operands[i + 1].complemented)
      return WB_LANES_UNKNOWN;
    factors[i] =
        half(operation, wb_lane_operand_plain(operation, &operands[i + 1]), operands[i + 1].upper);
  }
  const uint32_t low = half(operation, wb_lane_operand_plain(operation, &operands[2]), false);
  const uint32_t moved = wb_lanes_shift_left(values, low, 16);
  uint32_t sum = wb_lanes_multiply(values, factors[0], factors[1]);
  uint32_t addend = wb_lane_operand(operation, 3);
  if (has(operation, ".PSL"))
    sum = wb_lanes_shift_left(values, sum, 16);
  if (has(operation, ".CBCC"))
    addend = wb_lanes_add(values, addend, moved);
  if (has(operation, ".CHI") || has(operation, ".CLO"))
    addend = half(operation, addend, has(operation, ".CHI"));
  sum = wb_lanes_add(values, sum, addend);
  if (!has(operation, ".MRG"))
    return sum;
  return wb_lanes_add(values, half(operation, sum, false), moved);
}

/* ---- shifts ---- */

static uint32_t shift_left(operation_of operation)
{
  unsigned count;
  if (!wb_lane_operand_count(operation, 2, &count))
    return WB_LANES_UNKNOWN;
  return wb_lanes_shift_left(values_of(operation), wb_lane_operand(operation, 1), count);
}

/* SHF.L.U32 R0, a, n, RZ. */
static uint32_t funnel_left(operation_of operation)
{
  return wb_lane_operand_is_zero(operation, 3) ? shift_left(operation) : WB_LANES_UNKNOWN;
}

/* SHR R0, a, n. */
static uint32_t shift_right(operation_of operation)
{
  unsigned count;
  if (!wb_lane_operand_count(operation, 2, &count))
    return WB_LANES_UNKNOWN;
  return wb_lanes_shift_right(values_of(operation), wb_lane_operand(operation, 1), count,
                              !has(operation, ".U32"));
}

/* SHF.R.U32.HI R0, RZ, n, c. */
static uint32_t funnel_right(operation_of operation)
{
  unsigned count;
  if (!wb_lane_operand_count(operation, 2, &count) || !wb_lane_operand_is_zero(operation, 1))
    return WB_LANES_UNKNOWN;
  return wb_lanes_shift_right(values_of(operation), wb_lane_operand(operation, 3), count,
                              has(operation, ".S32"));
}

/* ---- bits ---- */

static uint32_t bits(operation_of operation, uint32_t a, uint32_t b, uint32_t c, uint8_t table)
{
  const uint32_t operands[3] = {a, b, c};
  return wb_lanes_lookup(values_of(operation), operands, table);
}

static uint32_t bits_and(operation_of operation)
{
  return bits(operation, wb_lane_operand(operation, 1), wb_lane_operand(operation, 2),
              WB_LANES_UNIFORM, 0xc0);
}

static uint32_t bits_or(operation_of operation)
{
  return bits(operation, wb_lane_operand(operation, 1), wb_lane_operand(operation, 2),
              WB_LANES_UNIFORM, 0xfc);
}

static uint32_t bits_xor(operation_of operation)
{
  return bits(operation, wb_lane_operand(operation, 1), wb_lane_operand(operation, 2),
              WB_LANES_UNIFORM, 0x3c);
}

/* LOP3.LUT R0, a, b, c, table. */
static uint32_t lookup(operation_of operation)
{
  const struct wb_text_operand *table = &operation->text.operands[4];
  if (table->kind != WB_TEXT_NUMBER || table->number > UINT8_MAX)
    return WB_LANES_UNKNOWN;
  return bits(operation, wb_lane_operand(operation, 1), wb_lane_operand(operation, 2),
              wb_lane_operand(operation, 3), (uint8_t)table->number);
}

/* PRMT R0, a, selector, b. */
static uint32_t permute(operation_of operation)
{
  struct wb_lane_value_pool *values = values_of(operation);
  uint64_t selector;
  uint32_t result = number(operation, 0);
  if (!wb_lanes_are_number(values, wb_lane_operand(operation, 2), &selector))
    return WB_LANES_UNKNOWN;
  for (unsigned place = 0; place < 4; place++) {
    const unsigned from = selector >> 4 * place & 15;
    if (from > 7) /* repeats a sign */
      return WB_LANES_UNKNOWN;
    const uint32_t word = wb_lane_operand(operation, from < 4 ? 1 : 3);
    const uint32_t upper = wb_lanes_shift_right(values, word, 8 * (from & 3), false);
    const uint32_t byte = wb_lanes_and(values, (from & 3) != 0 ? upper : word, UINT32_C(0xff));
    result = wb_lanes_add(values, result, wb_lanes_shift_left(values, byte, 8 * place));
  }
  return result;
}

/* The lowest n bits, 0 < n < 32. */
static uint32_t lowest_bits(operation_of operation, uint32_t value, uint64_t count)
{
  return count > 0 && count < 32
             ? wb_lanes_and(values_of(operation), value, (UINT32_C(1) << count) - 1)
             : WB_LANES_UNKNOWN;
}

/* SGXT R0, a, n; SGXT.U32. */
static uint32_t extend(operation_of operation)
{
  struct wb_lane_value_pool *values = values_of(operation);
  unsigned count;
  if (!wb_lane_operand_count(operation, 2, &count) || count == 0)
    return WB_LANES_UNKNOWN;
  if (has(operation, ".U32"))
    return lowest_bits(operation, wb_lane_operand(operation, 1), count);
  const uint32_t moved = wb_lanes_shift_left(values, wb_lane_operand(operation, 1), 32 - count);
  return wb_lanes_shift_right(values, moved, 32 - count, true);
}

/* BFE.U32 R0, a, field: n bits from bit p on, field = n << 8 | p. */
static uint32_t extract(operation_of operation)
{
  struct wb_lane_value_pool *values = values_of(operation);
  uint64_t field;
  if (!wb_lanes_are_number(values, wb_lane_operand(operation, 2), &field) || field > 0xffff ||
      (field & 0xff) > 31)
    return WB_LANES_UNKNOWN;
  const uint32_t moved =
      wb_lanes_shift_right(values, wb_lane_operand(operation, 1), (unsigned)(field & 0xff), false);
  return (field & 0xff) + (field >> 8) >= 32 && field >> 8 > 0
             ? moved
             : lowest_bits(operation, moved, field >> 8);
}

/* HFMA2 R0, -RZ, RZ, a, b: compilers load numbers so. */
static uint32_t half_numbers(operation_of operation)
{
  const struct wb_text_operand *operands = operation->text.operands;
  uint32_t halves[2];
  const bool zeros = operands[1].kind == WB_TEXT_REGISTER && operands[1].number == WB_NO_REGISTER &&
                     operands[1].negated && operands[2].kind == WB_TEXT_REGISTER &&
                     operands[2].number == WB_NO_REGISTER && !operands[2].negated;
  if (!zeros || !wb_half_number(operands[3].text, operands[3].length, &halves[0]) ||
      !wb_half_number(operands[4].text, operands[4].length, &halves[1]))
    return WB_LANES_UNKNOWN;
  return number(operation, halves[0] << 16 | halves[1]);
}

/* ---- choices ---- */

/* A predicate operand: known, or the same in all lanes. */
static bool is_uniform_predicate(operation_of operation, size_t operand, bool *known, bool *truth)
{
  const struct wb_text_operand *predicate = &operation->text.operands[operand];
  const struct wb_lane_walk *walk = operation->walk;
  *known = predicate->number == WB_NO_REGISTER;
  *truth = !predicate->negated;
  if (predicate->kind != WB_TEXT_PREDICATE)
    return false;
  return *known || wb_lanes_are_uniform(
                       walk->values,
                       wb_lane_register(operation, wb_lane_slot(&walk->layout, predicate->number)));
}

/* SEL R0, a, b, P0. */
static uint32_t choose(operation_of operation)
{
  const uint32_t a = wb_lane_operand(operation, 1);
  const uint32_t b = wb_lane_operand(operation, 2);
  bool known;
  bool truth;
  if (!is_uniform_predicate(operation, 3, &known, &truth))
    return wb_lanes_mixed(values_of(operation), a, b);
  return known ? truth ? a : b : wb_lanes_either(values_of(operation), a, b);
}

/* IMNMX R0, a, b, PT: the minimum; !PT: the maximum. */
static uint32_t extreme(operation_of operation)
{
  bool known;
  bool truth;
  if (!is_uniform_predicate(operation, 3, &known, &truth) || !known)
    return WB_LANES_UNKNOWN;
  return wb_lanes_extreme(values_of(operation), wb_lane_operand(operation, 1),
                          wb_lane_operand(operation, 2), !has(operation, ".U32"), truth);
}

static uint32_t special(operation_of operation)
{
  const struct wb_text_operand *name = &operation->text.operands[1];
  return name->kind == WB_TEXT_WORD ? wb_lane_special(operation->walk, name->text, name->length)
                                    : wb_lane_operand(operation, 1);
}

/* R2UR UR0, R1: some lane's. */
static uint32_t of_some_lane(operation_of operation)
{
  const uint32_t value = wb_lane_operand(operation, 1);
  return wb_lanes_are_uniform(values_of(operation), value) ? value : WB_LANES_UNIFORM;
}

/* Exact names, by strcmp: an opcode with any other modifier is not in the table. */
struct row {
  const char *opcode;
  size_t operands;
  uint32_t (*result)(operation_of operation);
};

static const struct row old_rows[] = {
    {"BFE.U32", 3, extract},
    {"I2I.S32.S32", 2, move},
    {"I2I.U32.U32", 2, move},
    {"IADD", 3, add},
    {"IADD3", 4, add_three},
    {"IADD32I", 3, add},
    {"IMAD", 4, multiply_and_add},
    {"IMAD.U32.U32", 4, multiply_and_add},
    {"IMNMX", 4, extreme},
    {"IMNMX.U32", 4, extreme},
    {"IMUL", 3, multiply},
    {"IMUL.U32.U32", 3, multiply},
    {"IMUL32I", 3, multiply},
    {"IMUL32I.U32.U32", 3, multiply},
    {"ISCADD", 4, scaled_add},
    {"ISCADD32I", 4, scaled_add},
    {"LDC", 2, move},
    {"LEA", 4, scaled_add},
    {"LEA.HI", 5, scaled_add_upper},
    {"LOP.AND", 3, bits_and},
    {"LOP.OR", 3, bits_or},
    {"LOP.PASS_B", 3, second},
    {"LOP.XOR", 3, bits_xor},
    {"LOP3.LUT", 5, lookup},
    {"LOP32I.AND", 3, bits_and},
    {"LOP32I.OR", 3, bits_or},
    {"LOP32I.XOR", 3, bits_xor},
    {"MOV", 2, move},
    {"MOV32I", 2, move},
    {"PRMT", 4, permute},
    {"S2R", 2, special},
    {"SEL", 4, choose},
    {"SHL", 3, shift_left},
    {"SHL.W", 3, shift_left},
    {"SHR", 3, shift_right},
    {"SHR.U32", 3, shift_right},
    {"SHR.U32.W", 3, shift_right},
    {"SHR.W", 3, shift_right},
    {"XMAD", 4, multiply_halves},
    {"XMAD.CBCC", 4, multiply_halves},
    {"XMAD.CHI", 4, multiply_halves},
    {"XMAD.CLO", 4, multiply_halves},
    {"XMAD.MRG", 4, multiply_halves},
    {"XMAD.PSL", 4, multiply_halves},
    {"XMAD.PSL.CBCC", 4, multiply_halves},
    {"XMAD.PSL.CHI", 4, multiply_halves},
    {"XMAD.PSL.CLO", 4, multiply_halves},
};

/* Those of the uniform datapath stand without their U. */
static const struct row new_rows[] = {
    {"CS2R.32", 2, special},
    {"HFMA2", 5, half_numbers},
    {"HFMA2.MMA", 5, half_numbers},
    {"IADD", 3, add},
    {"IADD3", 4, add_three},
    {"IMAD", 4, multiply_and_add},
    {"IMAD.IADD", 4, multiply_and_add},
    {"IMAD.IADD.U32", 4, multiply_and_add},
    {"IMAD.MOV", 4, multiply_and_add},
    {"IMAD.MOV.U32", 4, multiply_and_add},
    {"IMAD.SHL", 4, multiply_and_add},
    {"IMAD.SHL.U32", 4, multiply_and_add},
    {"IMAD.U32", 4, multiply_and_add},
    {"IMNMX", 4, extreme},
    {"IMNMX.U32", 4, extreme},
    {"LDC", 2, move},
    {"LDCU", 2, move},
    {"LEA", 4, scaled_add},
    {"LEA.HI", 5, scaled_add_upper},
    {"LEA.HI.SX32", 4, scaled_add_signed},
    {"LOP3.LUT", 6, lookup},
    {"MOV", 2, move},
    {"PRMT", 4, permute},
    {"R2UR", 2, of_some_lane},
    {"S2R", 2, special},
    {"S2UR", 2, special},
    {"SEL", 4, choose},
    {"SGXT", 3, extend},
    {"SGXT.U32", 3, extend},
    {"SHF.L.U32", 4, funnel_left},
    {"SHF.L.W.U32", 4, funnel_left},
    {"SHF.R.S32.HI", 4, funnel_right},
    {"SHF.R.U32.HI", 4, funnel_right},
    {"VIADD", 3, add},
    {"VIMNMX", 4, extreme},
    {"VIMNMX.S32", 4, extreme},
    {"VIMNMX.U32", 4, extreme},
};

static const struct row *find(const struct row *rows, size_t count, operation_of operation)
{
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(operation->text.opcode, rows[middle].opcode);
    if (order == 0)
      return rows[middle].operands == operation->text.count ? &rows[middle] : NULL;
    if (order > 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

uint32_t wb_lane_result(const struct wb_lane_operation *operation)
{
  const struct row *row = operation->text.volta
                              ? find(new_rows, sizeof new_rows / sizeof *new_rows, operation)
                              : find(old_rows, sizeof old_rows / sizeof *old_rows, operation);
  return row != NULL ? row->result(operation) : WB_LANES_UNKNOWN;
}

/* ---- numbers of 64 bits ---- */

static uint32_t move_wide(operation_of operation)
{
  return wb_lane_operand_wide(operation, 1);
}

static uint32_t add_wide(operation_of operation)
{
  uint32_t sum = wb_lane_operand_wide(operation, 1);
  for (size_t i = 2; i < operation->text.count; i++)
    sum = wb_lanes_wide_add(values_of(operation), sum, wb_lane_operand_wide(operation, i));
  return sum;
}

/* IMAD.WIDE R0, a, b, c: a * b, of 64 bits, plus the pair c. */
static uint32_t multiply_wide(operation_of operation)
{
  const uint32_t product =
      wb_lanes_wide_product(values_of(operation), wb_lane_operand(operation, 1),
                            wb_lane_operand(operation, 2), !has(operation, ".U32"));
  return wb_lanes_wide_add(values_of(operation), product, wb_lane_operand_wide(operation, 3));
}

static uint32_t choose_wide(operation_of operation)
{
  const uint32_t a = wb_lane_operand_wide(operation, 1);
  const uint32_t b = wb_lane_operand_wide(operation, 2);
  bool known;
  bool truth;
  if (!is_uniform_predicate(operation, 3, &known, &truth))
    return wb_lanes_mixed(values_of(operation), a, b);
  return known ? truth ? a : b : wb_lanes_either(values_of(operation), a, b);
}

uint32_t wb_lane_wide_result(const struct wb_lane_operation *operation)
{
  static const struct row rows[] = {
      {"CS2R", 2, move_wide}, /* of SRZ; no other special register is an operand of 64 bits */
      {"IADD.64", 3, add_wide},        {"IADD3.64", 4, add_wide},
      {"IMAD.WIDE", 4, multiply_wide}, {"IMAD.WIDE.U32", 4, multiply_wide},
      {"LDC.64", 2, move_wide},        {"LDCU.64", 2, move_wide},
      {"MOV.64", 2, move_wide},        {"SEL.64", 4, choose_wide},
  };
  const struct row *row = operation->text.volta || has(operation, "LDC.64")
                              ? find(rows, sizeof rows / sizeof *rows, operation)
                              : NULL;
  return row != NULL ? row->result(operation) : WB_LANES_UNKNOWN;
}
