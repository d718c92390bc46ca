/* Comparisons, predicates and choices. */
#include "isa/lower/lower.h"
#include "isa/lower/lowering.h"

/* ---- comparisons ---- */

/* What the modifiers of a comparison say. */
struct comparison {
  bool always; /* F, T: the outcome, without a comparison */
  bool outcome;
  enum wb_relation relation;
};

static struct comparison read_relation(struct wb_lowering *lowering)
{
  static const struct {
    uint8_t modifier, relation;
  } rows[] = {{WB_MODIFIER_LT, WB_RELATION_LESS},    {WB_MODIFIER_EQ, WB_RELATION_EQUAL},
              {WB_MODIFIER_LE, WB_RELATION_AT_MOST}, {WB_MODIFIER_GT, WB_RELATION_GREATER},
              {WB_MODIFIER_NE, WB_RELATION_UNEQUAL}, {WB_MODIFIER_GE, WB_RELATION_AT_LEAST}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    if (wb_take_modifier(lowering, (enum wb_modifier)rows[r].modifier))
      return (struct comparison){.relation = (enum wb_relation)rows[r].relation};
  const bool outcome = wb_take_modifier(lowering, WB_MODIFIER_T);
  lowering->failed |= !outcome && !wb_take_modifier(lowering, WB_MODIFIER_F);
  return (struct comparison){.always = true, .outcome = outcome};
}

uint8_t wb_next_table(struct wb_lowering *lowering)
{
  switch (wb_next_modifier(lowering)) {
  case WB_MODIFIER_AND:
    return WB_TABLE_AND;
  case WB_MODIFIER_OR:
    return WB_TABLE_OR;
  case WB_MODIFIER_XOR:
    return WB_TABLE_XOR;
  default:
    lowering->failed = true;
    return 0;
  }
}

/* a and b by a table; the one itself where the other says nothing. */
static struct wb_source combined(struct wb_lowering *lowering, uint8_t table, struct wb_source a,
                                 struct wb_source b)
{
  if ((table == WB_TABLE_AND && wb_is_number(b, 1)) ||
      (table != WB_TABLE_AND && wb_is_number(b, 0)))
    return a;
  if ((table == WB_TABLE_AND && wb_is_number(a, 1)) ||
      (table != WB_TABLE_AND && wb_is_number(a, 0)))
    return b;
  return wb_combine(lowering, table, a, b, wb_number(0));
}

/* CSET.EQ, CSETP.EQ: a test of the condition code, of which the carry alone is followed. */
static struct wb_source test_condition(struct wb_lowering *lowering)
{
  lowering->failed |=
      lowering->source_count < 2 || lowering->sources[0].kind != WB_OPERAND_CONDITION;
  lowering->sources_read |= 1;
  wb_next_modifier(lowering);
  const struct wb_source any = wb_emit(lowering, WB_MICRO_UNKNOWN, wb_none(), wb_none(), wb_none());
  return wb_emit(lowering, WB_MICRO_IS_NOT_ZERO, any, wb_none(), wb_none());
}

/* Compares the first two sources; *other: the number of the one after them. */
static struct wb_source compare_sources(struct wb_lowering *lowering, size_t *other)
{
  *other = 1;
  if (lowering->instruction->number == WB_OPCODE_CSET ||
      lowering->instruction->number == WB_OPCODE_CSETP)
    return test_condition(lowering);
  *other = 2;
  const struct comparison comparison = read_relation(lowering);
  const bool by_carry = !lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_X);
  const bool by_lower = lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_EX);
  const bool unsigned_wide = lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_U64);
  const bool wide =
      unsigned_wide || (lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_S64));
  const bool as_signed = !unsigned_wide && !wb_take_modifier(lowering, WB_MODIFIER_U32);
  struct wb_micro_operation compare = {
      .kind = WB_MICRO_COMPARE, .relation = (uint8_t)comparison.relation, .as_signed = as_signed};
  lowering->failed |= (wide && by_lower) || (comparison.always && (by_lower || by_carry));
  for (size_t i = 0; i < 2; i++) {
    compare.sources[i] = wide ? wb_wide(lowering, i) : wb_word(lowering, i);
    /* A number that is printed with a minus has an upper word of ones only as a signed one. */
    lowering->failed |= unsigned_wide && compare.sources[i].kind == WB_SOURCE_NUMBER &&
                        compare.sources[i].value > INT64_MAX;
    lowering->failed |= by_carry && (compare.sources[i].negated || compare.sources[i].complemented);
  }
  if (comparison.always)
    return wb_number(comparison.outcome);
  if (wide)
    compare.kind = WB_MICRO_COMPARE_WIDE;
  if (by_carry) {
    compare.kind = WB_MICRO_COMPARE_BY_CARRY;
    compare.sources[2] = wb_condition_carry();
  }
  if (by_lower) {
    compare.kind = WB_MICRO_COMPARE_UPPER;
    compare.sources[2] = wb_truth(lowering, 3);
  }
  return wb_emit_operation(lowering, &compare);
}

/* ISETP.GE.AND P0, P1, a, b, P2: P0 is a >= b and P2, P1 is a < b and P2. */
void wb_lower_compare_predicate(struct wb_lowering *lowering)
{
  size_t last;
  const struct wb_source outcome = compare_sources(lowering, &last);
  const uint8_t table = wb_next_table(lowering);
  const struct wb_source other = wb_truth(lowering, last);
  if (wb_has_output(lowering, 0))
    wb_set_predicate(lowering, 0, combined(lowering, table, outcome, other));
  if (wb_has_output(lowering, 1))
    wb_set_predicate(lowering, 1, combined(lowering, table, wb_not(outcome), other));
}

/* All ones where the predicate holds, else 0; with .BF 1.0 in single precision. */
static void set_mask(struct wb_lowering *lowering, bool as_float, struct wb_source predicate)
{
  wb_set_word(lowering,
              wb_emit(lowering, WB_MICRO_SELECT, wb_number(as_float ? 0x3f800000 : UINT32_MAX),
                      wb_number(0), predicate));
}

/* ISET.GE.AND R0, a, b, P0. */
void wb_lower_compare_word(struct wb_lowering *lowering)
{
  const bool as_float = wb_take_modifier(lowering, WB_MODIFIER_BF);
  size_t last;
  const struct wb_source outcome = compare_sources(lowering, &last);
  const uint8_t table = wb_next_table(lowering);
  set_mask(lowering, as_float, combined(lowering, table, outcome, wb_truth(lowering, last)));
}

/* ICMP.GE R0, a, b, c: a where c >= 0, else b. */
void wb_lower_compare_with_zero(struct wb_lowering *lowering)
{
  const struct comparison comparison = read_relation(lowering);
  const bool as_signed = !wb_take_modifier(lowering, WB_MODIFIER_U32);
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source b = wb_word(lowering, 1);
  const struct wb_source c = wb_word(lowering, 2);
  const struct wb_source outcome =
      comparison.always ? wb_number(comparison.outcome)
                        : wb_compare(lowering, comparison.relation, as_signed, c, wb_number(0));
  wb_set_word(lowering, wb_emit(lowering, WB_MICRO_SELECT, a, b, outcome));
}

/* ---- logic of predicates ---- */

/* (P1 and P2) or P3, of the three sources. */
static struct wb_source lower_logic_of_three(struct wb_lowering *lowering)
{
  const uint8_t first = wb_next_table(lowering);
  const uint8_t second = wb_next_table(lowering);
  const struct wb_source a = wb_truth(lowering, 0);
  const struct wb_source b = wb_truth(lowering, 1);
  return combined(lowering, second, combined(lowering, first, a, b), wb_truth(lowering, 2));
}

/* PSETP.AND.OR P0, PT, P1, P2, P3: what the second result is, is not known. */
void wb_lower_logic_predicate(struct wb_lowering *lowering)
{
  wb_set_predicate(lowering, 0, lower_logic_of_three(lowering));
}

/* PSET.AND.OR R0, P1, P2, P3. */
void wb_lower_logic_word(struct wb_lowering *lowering)
{
  const bool as_float = wb_take_modifier(lowering, WB_MODIFIER_BF);
  set_mask(lowering, as_float, lower_logic_of_three(lowering));
}

/* PLOP3.LUT P0, P1, P2, P3, P4, table, table: each result by its table. */
void wb_lower_predicate_logic3(struct wb_lowering *lowering)
{
  lowering->failed |= !wb_take_modifier(lowering, WB_MODIFIER_LUT);
  const struct wb_source a = wb_truth(lowering, 0);
  const struct wb_source b = wb_truth(lowering, 1);
  const struct wb_source c = wb_truth(lowering, 2);
  for (size_t o = 0; o < WB_LOWERING_OUTPUTS; o++) {
    const uint32_t table = wb_immediate(lowering, 3 + o);
    lowering->failed |= table > UINT8_MAX;
    if (wb_has_output(lowering, o))
      wb_set_predicate(lowering, o, wb_combine(lowering, (uint8_t)table, a, b, c));
  }
}

/* ---- predicates and registers ---- */

/* Predicates that a register holds: P0 to P6. */
#define PREDICATES 7

/* R2P PR, R0, mask; UR2UP UPR, UR0, mask: the predicates of the mask from the bits of a byte of R0;
 * all without a mask.
 */
void wb_lower_to_predicates(struct wb_lowering *lowering)
{
  const struct wb_operand *first = &lowering->sources[0];
  const bool uniform = lowering->instruction->number == WB_OPCODE_UR2UP;
  const uint16_t first_predicate = uniform ? WB_REGISTER_UNIFORM_PREDICATE : WB_REGISTER_PREDICATE;
  lowering->failed |= lowering->source_count < 2 || first->kind != WB_OPERAND_OTHER;
  lowering->sources_read |= 1;
  const struct wb_source byte = wb_part(lowering, 1, 8, false);
  const uint32_t mask = lowering->source_count > 2 ? wb_immediate(lowering, 2) : 0x7f;
  for (unsigned p = 0; p < PREDICATES && !lowering->failed; p++) {
    if ((mask >> p & 1) == 0)
      continue;
    const struct wb_source bit = wb_extract(lowering, byte, p, 1, false);
    wb_set_predicate_register(lowering, (uint16_t)(first_predicate + p),
                              wb_emit(lowering, WB_MICRO_IS_NOT_ZERO, bit, wb_none(), wb_none()));
  }
}

/* P2R R0, PR, a, mask; UP2UR UR0, UPR, a, mask: the predicates of the mask as bits, and a where the
 * mask has none. */
void wb_lower_from_predicates(struct wb_lowering *lowering)
{
  const struct wb_operand *first = &lowering->sources[0];
  const bool uniform = lowering->instruction->number == WB_OPCODE_UP2UR;
  const uint16_t first_predicate = uniform ? WB_REGISTER_UNIFORM_PREDICATE : WB_REGISTER_PREDICATE;
  lowering->failed |= lowering->source_count < 3 || first->kind != WB_OPERAND_OTHER;
  lowering->sources_read |= 1;
  const struct wb_source a = wb_word(lowering, 1);
  const uint32_t mask = wb_immediate(lowering, 2);
  lowering->failed |= mask >> PREDICATES != 0;
  struct wb_source sum = wb_lookup(lowering, WB_TABLE_AND_NOT, a, wb_number(mask), wb_number(0));
  for (unsigned p = 0; p < PREDICATES; p++) {
    if ((mask >> p & 1) == 0)
      continue;
    const struct wb_source predicate = {.kind = WB_SOURCE_PREDICATE,
                                        .number = (uint16_t)(first_predicate + p),
                                        .index = WB_NO_REGISTER};
    sum = wb_sum(
        lowering, sum,
        wb_emit(lowering, WB_MICRO_SELECT, wb_number(UINT32_C(1) << p), wb_number(0), predicate),
        wb_none());
  }
  wb_set_word(lowering, sum);
}

/* ---- choices ---- */

/* SEL R0, a, b, P0: a where P0 holds, else b; SEL.64. */
void wb_lower_select(struct wb_lowering *lowering)
{
  if (lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_64)) {
    wb_set_wide(lowering, wb_emit(lowering, WB_MICRO_WIDE_SELECT, wb_wide(lowering, 0),
                                  wb_wide(lowering, 1), wb_truth(lowering, 2)));
    return;
  }
  wb_set_word(lowering, wb_emit(lowering, WB_MICRO_SELECT, wb_word(lowering, 0),
                                wb_word(lowering, 1), wb_truth(lowering, 2)));
}

/* The lesser of a and b where the predicate holds, else the greater one. */
static struct wb_source extreme(struct wb_lowering *lowering, bool as_signed, struct wb_source a,
                                struct wb_source b, struct wb_source least)
{
  struct wb_source minimum = wb_none();
  struct wb_source maximum = wb_none();
  if (!wb_is_number(least, 0))
    minimum = wb_emit_signed(lowering, WB_MICRO_MINIMUM, as_signed, a, b, wb_none());
  if (!wb_is_number(least, 1))
    maximum = wb_emit_signed(lowering, WB_MICRO_MAXIMUM, as_signed, a, b, wb_none());
  if (least.kind == WB_SOURCE_NUMBER)
    return wb_is_number(least, 1) ? minimum : maximum;
  return wb_emit(lowering, WB_MICRO_SELECT, minimum, maximum, least);
}

/* Signed where it is not U32. */
static bool read_sign(struct wb_lowering *lowering)
{
  const bool as_signed = !wb_take_modifier(lowering, WB_MODIFIER_U32);
  if (as_signed)
    wb_take_modifier(lowering, WB_MODIFIER_S32);
  return as_signed;
}

/* IMNMX.S64 P1, P2, R0, a, b, P0, !PT: the lesser number of 64 bits where P0 is true, else the
 * greater one. What P1 and P2 get, and what another last source means, no source tells. */
static bool lower_wide_extreme(struct wb_lowering *lowering)
{
  const bool as_unsigned = wb_take_modifier(lowering, WB_MODIFIER_U64);
  if (!as_unsigned && !wb_take_modifier(lowering, WB_MODIFIER_S64))
    return false;
  if (lowering->target == NULL && lowering->source_count > 0 &&
      lowering->sources[0].kind == WB_OPERAND_REGISTER) { /* behind two predicates */
    lowering->target = lowering->sources++;
    lowering->source_count--;
  }
  const struct wb_source a = wb_wide(lowering, 0), b = wb_wide(lowering, 1);
  const struct wb_source least = wb_truth(lowering, 2), last = wb_truth(lowering, 3);
  lowering->failed |= !wb_is_number(last, 0) || least.kind != WB_SOURCE_NUMBER ||
                      wb_has_output(lowering, 0) || wb_has_output(lowering, 1);
  const struct wb_micro_operation compare = {
      .kind = WB_MICRO_COMPARE_WIDE,
      .relation = wb_is_number(least, 1) ? WB_RELATION_LESS : WB_RELATION_GREATER,
      .as_signed = !as_unsigned,
      .sources = {a, b}};
  wb_set_wide(lowering,
              wb_emit(lowering, WB_MICRO_WIDE_SELECT, a, b, wb_emit_operation(lowering, &compare)));
  return true;
}

enum wb_extreme_part wb_extreme_part_of(const struct wb_instruction *instruction)
{
  if (instruction->number != WB_OPCODE_IMNMX)
    return WB_EXTREME_WHOLE;
  if (wb_instruction_has(instruction, WB_MODIFIER_XHI))
    return WB_EXTREME_UPPER;
  return wb_instruction_has(instruction, WB_MODIFIER_XLO) ? WB_EXTREME_LOWER : WB_EXTREME_WHOLE;
}

/* IMNMX.XLO R0, a, b, PT: one of both, as the condition code says. */
static void lower_lower_extreme(struct wb_lowering *lowering)
{
  wb_take_modifier(lowering, WB_MODIFIER_U32);
  const struct wb_source any = wb_emit(lowering, WB_MICRO_UNKNOWN, wb_none(), wb_none(), wb_none());
  const struct wb_source which = wb_emit(lowering, WB_MICRO_IS_NOT_ZERO, any, wb_none(), wb_none());
  lowering->failed |= wb_truth(lowering, 2).kind != WB_SOURCE_NUMBER;
  wb_set_word(lowering, wb_emit(lowering, WB_MICRO_SELECT, wb_word(lowering, 0),
                                wb_word(lowering, 1), which));
}

/* IMNMX R0, a, b, P0; IMNMX.XHI R0.CC, a, b, PT. */
void wb_lower_extreme(struct wb_lowering *lowering)
{
  if (lowering->volta && lower_wide_extreme(lowering))
    return;
  if (!lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_XLO)) {
    lower_lower_extreme(lowering);
    return;
  }
  if (!lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_XHI))
    lowering->failed |= wb_truth(lowering, 2).kind != WB_SOURCE_NUMBER;
  const bool as_signed = read_sign(lowering);
  wb_set_word(lowering, extreme(lowering, as_signed, wb_word(lowering, 0), wb_word(lowering, 1),
                                wb_truth(lowering, 2)));
}

/* VIMNMX3 R0, a, b, c, P0. */
void wb_lower_extreme3(struct wb_lowering *lowering)
{
  const bool as_signed = read_sign(lowering);
  const struct wb_source least = wb_truth(lowering, 3);
  const struct wb_source first =
      extreme(lowering, as_signed, wb_word(lowering, 0), wb_word(lowering, 1), least);
  wb_set_word(lowering, extreme(lowering, as_signed, first, wb_word(lowering, 2), least));
}

/* VIADDMNMX R0, a, b, c, P0: of a + b and c. */
void wb_lower_add_extreme(struct wb_lowering *lowering)
{
  const bool as_signed = read_sign(lowering);
  const struct wb_source sum =
      wb_sum(lowering, wb_word(lowering, 0), wb_word(lowering, 1), wb_none());
  wb_set_word(lowering,
              extreme(lowering, as_signed, sum, wb_word(lowering, 2), wb_truth(lowering, 3)));
}
