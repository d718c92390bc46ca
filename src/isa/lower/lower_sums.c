/* Sums and products. */
#include "isa/lower/lowering.h"

/* ---- sums ---- */

/* A word of a sum. With a carry a minus complements it on Maxwell; Volta writes ~. A subtracted RZ
 * carries, which RZ itself does not. */
static struct wb_source addend(struct wb_lowering *lowering, size_t number, bool with_carry)
{
  if (with_carry && !lowering->volta)
    return wb_upper_word(lowering, number);
  struct wb_source source = wb_word(lowering, number);
  if (number < lowering->source_count && lowering->sources[number].kind == WB_OPERAND_REGISTER &&
      lowering->sources[number].number == WB_NO_REGISTER)
    source.negated = lowering->sources[number].negated;
  lowering->failed |= with_carry && source.negated;
  return source;
}

static struct wb_source carry_of(struct wb_lowering *lowering, struct wb_source sum, bool second)
{
  return wb_emit_operation(
      lowering,
      &(struct wb_micro_operation){.kind = WB_MICRO_CARRY, .second = second, .sources = {sum}});
}

/* The carry of a sum goes to the condition code (Maxwell) or to the predicates beside the result
 * (Volta). */
static void set_carries(struct wb_lowering *lowering, struct wb_source sum)
{
  if (!lowering->volta) {
    if (lowering->target != NULL && lowering->target->carry)
      wb_set_predicate_register(lowering, WB_REGISTER_CONDITION_CODE,
                                carry_of(lowering, sum, false));
    return;
  }
  for (size_t o = 0; o < lowering->output_count; o++)
    if (wb_has_output(lowering, o))
      wb_set_predicate(lowering, o, carry_of(lowering, sum, o > 0));
}

/* The sum of the sources from 0 on, and with .X of `carries` predicates after them, or of the
 * condition code. */
static void lower_sum(struct wb_lowering *lowering, size_t words, size_t carries)
{
  const bool with_carry = wb_take_modifier(lowering, WB_MODIFIER_X);
  struct wb_micro_operation add = {.kind = WB_MICRO_ADD};
  for (size_t w = 0; w < words; w++)
    add.sources[w] = addend(lowering, w, with_carry);
  if (with_carry && !lowering->volta)
    add.sources[3] = wb_condition_carry();
  for (size_t c = 0; with_carry && lowering->volta && c < carries; c++)
    add.sources[3 + c] = wb_truth(lowering, words + c);
  const struct wb_source sum = wb_emit_operation(lowering, &add);
  wb_set_word(lowering, sum);
  set_carries(lowering, sum);
}

/* IADD3.RS R0, a, b, c: ((a + b) >> 16) + c; whether a carry of a + b is shifted too is not known,
 * but it is so for the same words each time.
 */
static void lower_shifted_sum(struct wb_lowering *lowering)
{
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source b = wb_word(lowering, 1);
  const struct wb_source sum = wb_sum(lowering, a, b, wb_none());
  const struct wb_source carry = carry_of(lowering, sum, false);
  const struct wb_source upper = wb_extract(lowering, sum, 16, 16, false);
  const struct wb_micro_operation either = {
      .kind = WB_MICRO_FUNCTION, .most = 0x1ffff, .sources = {a, b}};
  const struct wb_source first =
      wb_emit(lowering, WB_MICRO_SELECT, wb_emit_operation(lowering, &either), upper, carry);
  wb_set_word(lowering, wb_sum(lowering, first, wb_word(lowering, 2), wb_none()));
  lowering->failed |= lowering->target != NULL && lowering->target->carry;
}

/* The sum of `count` numbers of 64 bits. */
static void lower_wide_sum(struct wb_lowering *lowering, size_t count)
{
  struct wb_micro_operation add = {.kind = WB_MICRO_WIDE_ADD};
  for (size_t i = 0; i < count; i++)
    add.sources[i] = wb_wide(lowering, i);
  wb_set_wide(lowering, wb_emit_operation(lowering, &add));
}

/* IADD R0, a, b; IADD32I; IADD.64. */
void wb_lower_add(struct wb_lowering *lowering)
{
  if (lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_64))
    lower_wide_sum(lowering, 2);
  else
    lower_sum(lowering, 2, 1);
}

/* IADD3 R0, P0, P1, a, b, c; IADD3.X ..., P2, P3; IADD3.64. */
void wb_lower_add3(struct wb_lowering *lowering)
{
  if (lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_64))
    lower_wide_sum(lowering, 3);
  else if (!lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_RS))
    lower_shifted_sum(lowering);
  else
    lower_sum(lowering, 3, 2);
}

/* VIADD R0, a, b, without carries; of words alone. */
void wb_lower_video_add(struct wb_lowering *lowering)
{
  if (!wb_take_modifier(lowering, WB_MODIFIER_32))
    wb_take_modifier(lowering, WB_MODIFIER_S32);
  lower_sum(lowering, 2, 0);
}

/* ---- sums with a shifted word ---- */

/* The number of places that a shifted sum names, which Maxwell leaves out where it is 0. */
static uint32_t places_of(struct wb_lowering *lowering, size_t number)
{
  const uint32_t places =
      !lowering->volta && number >= lowering->source_count ? 0 : wb_immediate(lowering, number);
  lowering->failed |= places > 31;
  return places;
}

/* Adds b, and with .X a carry, to the shifted word. The carry is that of the last sum: it is not
 * told where the shifted word is subtracted. */
static void add_to_shifted(struct wb_lowering *lowering, struct wb_source shifted, size_t carry,
                           bool with_carry)
{
  const struct wb_source b = addend(lowering, 1, false);
  const bool negated = shifted.negated;
  struct wb_micro_operation add = {.kind = WB_MICRO_ADD, .sources = {shifted, b}};
  if (with_carry) {
    add.sources[3] = lowering->volta ? wb_truth(lowering, carry) : wb_condition_carry();
    lowering->failed |= negated || b.negated || (!lowering->volta && b.complemented);
  }
  const struct wb_source sum = wb_emit_operation(lowering, &add);
  wb_set_word(lowering, sum);
  if (!negated && (lowering->volta || lowering->output_count == 0))
    set_carries(lowering, sum);
}

/* ISCADD R0, a, b, n and LEA R0, P0, a, b, n: (a << n) + b. */
static void lower_scaled(struct wb_lowering *lowering, bool with_carry)
{
  struct wb_source a = wb_word(lowering, 0);
  const bool negated = a.negated;
  a.negated = false;
  lowering->failed |= a.complemented;
  struct wb_source shifted =
      wb_emit(lowering, WB_MICRO_SHIFT_LEFT, a, wb_number(places_of(lowering, 2)), wb_none());
  shifted.negated = negated;
  add_to_shifted(lowering, shifted, 3, with_carry);
}

/* ISUB R0, a, b of Kepler. */
void wb_lower_subtract(struct wb_lowering *lowering)
{
  const struct wb_source b = wb_word(lowering, 1);
  wb_set_word(lowering, wb_sum(lowering, wb_word(lowering, 0), wb_negated(lowering, b), wb_none()));
}

void wb_lower_scaled_add(struct wb_lowering *lowering)
{
  lower_scaled(lowering, false);
}

/* LEA.HI R0, P0, a, b, c, n: the upper word of (c, a) << n, plus b. LEA.HI.SX32 R0, P0, a, b, n: of
 * a with its sign. */
static void lower_scaled_upper(struct wb_lowering *lowering, bool with_carry)
{
  const bool extends = lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_SX32);
  const struct wb_source a = wb_word(lowering, 0);
  const uint32_t places = places_of(lowering, extends ? 2 : 3);
  const struct wb_source c = extends ? wb_none() : wb_word(lowering, 2);
  lowering->failed |= a.negated || a.complemented || c.negated || c.complemented;
  const struct wb_source upper =
      extends ? wb_emit_signed(lowering, WB_MICRO_SHIFT_RIGHT, true, a, wb_number(32 - places),
                               wb_none())
              : wb_emit(lowering, WB_MICRO_FUNNEL_LEFT, a, c, wb_number(places));
  add_to_shifted(lowering, upper, extends ? 3 : 4, with_carry);
}

void wb_lower_lea(struct wb_lowering *lowering)
{
  const bool upper = wb_take_modifier(lowering, WB_MODIFIER_HI);
  const bool with_carry = wb_take_modifier(lowering, WB_MODIFIER_X);
  if (upper)
    lower_scaled_upper(lowering, with_carry);
  else
    lower_scaled(lowering, with_carry);
}

/* ---- products ---- */

/* The upper word of a * b. */
static struct wb_source upper_product(struct wb_lowering *lowering, struct wb_source a,
                                      struct wb_source b, bool a_signed, bool b_signed)
{
  return wb_emit_operation(lowering, &(struct wb_micro_operation){.kind = WB_MICRO_MULTIPLY_UPPER,
                                                                  .as_signed = a_signed,
                                                                  .b_signed = b_signed,
                                                                  .sources = {a, b}});
}

/* Maxwell's U32.U32, S32.U32, U32.S32; both signed where they are not written. */
static void read_signs(struct wb_lowering *lowering, bool *a_signed, bool *b_signed)
{
  const enum wb_modifier first = (enum wb_modifier)(lowering->instruction->modifier_count > 0
                                                        ? lowering->instruction->modifiers[0]
                                                        : WB_MODIFIER_OTHER);
  *a_signed = *b_signed = true;
  if (first != WB_MODIFIER_U32 && first != WB_MODIFIER_S32)
    return;
  *a_signed = wb_next_modifier(lowering) == WB_MODIFIER_S32;
  const enum wb_modifier second = wb_next_modifier(lowering);
  *b_signed = second == WB_MODIFIER_S32;
  lowering->failed |= second != WB_MODIFIER_S32 && second != WB_MODIFIER_U32;
}

/* The product of the first two sources of Maxwell, low or upper word. */
static struct wb_source maxwell_product(struct wb_lowering *lowering)
{
  bool a_signed;
  bool b_signed;
  read_signs(lowering, &a_signed, &b_signed);
  const bool upper = wb_take_modifier(lowering, WB_MODIFIER_HI);
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source b = wb_word(lowering, 1);
  lowering->failed |= a.complemented || b.complemented || (upper && (a.negated || b.negated));
  return upper ? upper_product(lowering, a, b, a_signed, b_signed) : wb_product(lowering, a, b);
}

/* IMUL R0, a, b; IMUL32I. */
void wb_lower_multiply(struct wb_lowering *lowering)
{
  wb_set_word(lowering, maxwell_product(lowering));
}

/* Adds c to the product, and a carry where there is one. */
static void add_to_product(struct wb_lowering *lowering, struct wb_source product,
                           struct wb_source c, struct wb_source carry)
{
  if (carry.kind != WB_SOURCE_NONE)
    wb_set_word(lowering, wb_sum_with_carry(lowering, product, c, carry));
  else if (wb_is_number(product, 0))
    wb_set_word(lowering, c);
  else if (wb_is_number(c, 0))
    wb_set_word(lowering, product);
  else
    wb_set_word(lowering, wb_sum(lowering, product, c, wb_none()));
}

/* IMAD R0, a, b, c of Maxwell; IMAD32I. */
void wb_lower_maxwell_multiply_add(struct wb_lowering *lowering)
{
  const struct wb_source product = maxwell_product(lowering);
  const bool with_carry = wb_take_modifier(lowering, WB_MODIFIER_X);
  const struct wb_source c = wb_word(lowering, 2);
  lowering->failed |= with_carry && c.negated;
  add_to_product(lowering, product, c, with_carry ? wb_condition_carry() : wb_none());
}

/* IMAD.WIDE R0, P0, a, b, c: a * b, of 64 bits, plus the pair c; with .X a carry too. */
static void lower_wide_product(struct wb_lowering *lowering, bool as_signed, bool with_carry)
{
  const struct wb_source product =
      wb_emit_signed(lowering, WB_MICRO_WIDE_MULTIPLY, as_signed, wb_word(lowering, 0),
                     wb_word(lowering, 1), wb_none());
  const struct wb_source c = wb_wide(lowering, 2);
  struct wb_source carry = wb_none();
  /* Whether an immediate of 32 bits is continued by its sign is not known. */
  lowering->failed |= c.kind == WB_SOURCE_NUMBER && c.value > INT32_MAX;
  if (with_carry) {
    lowering->failed |= c.negated;
    const struct wb_source one =
        wb_emit(lowering, WB_MICRO_SELECT, wb_number(1), wb_number(0), wb_truth(lowering, 3));
    carry = wb_emit(lowering, WB_MICRO_WIDE_EXTEND, one, wb_none(), wb_none());
  }
  wb_set_wide(lowering, wb_emit(lowering, WB_MICRO_WIDE_ADD, product, c, carry));
}

/* IMAD.HI R0, P0, a, b, c: the upper word of a * b, of 64 bits, plus the pair c. */
static void lower_upper_product(struct wb_lowering *lowering, bool as_signed)
{
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source b = wb_word(lowering, 1);
  const struct wb_source upper = upper_product(lowering, a, b, as_signed, as_signed);
  struct wb_source c[2];
  wb_words_of_source(lowering, 2, c);
  if (wb_is_number(c[0], 0) && wb_is_number(c[1], 0)) {
    wb_set_word(lowering, upper);
    return;
  }
  lowering->failed |= c[0].kind == WB_SOURCE_NUMBER;
  const struct wb_source lower = wb_emit(lowering, WB_MICRO_MULTIPLY, a, b, wb_none());
  const struct wb_source sum = wb_sum(lowering, lower, c[0], wb_none());
  wb_set_word(lowering, wb_sum_with_carry(lowering, upper, c[1], carry_of(lowering, sum, false)));
}

/* IMAD R0, a, b, c from Volta on. MOV, IADD and SHL name products by 0, 1 and powers of two. */
void wb_lower_volta_multiply_add(struct wb_lowering *lowering)
{
  const bool wide = wb_take_modifier(lowering, WB_MODIFIER_WIDE);
  const bool upper = wb_take_modifier(lowering, WB_MODIFIER_HI);
  if (!wide && !upper && !wb_take_modifier(lowering, WB_MODIFIER_MOV) &&
      !wb_take_modifier(lowering, WB_MODIFIER_IADD))
    wb_take_modifier(lowering, WB_MODIFIER_SHL);
  const bool as_signed = !wb_take_modifier(lowering, WB_MODIFIER_U32);
  const bool with_carry = !upper && wb_take_modifier(lowering, WB_MODIFIER_X);
  if (wide) {
    lower_wide_product(lowering, as_signed, with_carry);
    return;
  }
  if (upper) {
    lower_upper_product(lowering, as_signed);
    return;
  }
  const struct wb_source product = wb_product(lowering, wb_word(lowering, 0), wb_word(lowering, 1));
  const struct wb_source c = with_carry ? addend(lowering, 2, true) : wb_word(lowering, 2);
  add_to_product(lowering, product, c, with_carry ? wb_truth(lowering, 3) : wb_none());
}

/* A factor of XMAD: a half of a word. */
static struct wb_source half_factor(struct wb_lowering *lowering, size_t number, bool as_signed)
{
  return wb_part(lowering, number, 16, as_signed);
}

/* The lower half of the second factor's word, in the upper half. */
static struct wb_source moved_half(struct wb_lowering *lowering)
{
  if (lowering->failed)
    return wb_none();
  struct wb_operand whole = lowering->sources[1];
  struct wb_lowering second = *lowering;
  whole.half = whole.upper = false;
  second.sources = &whole;
  second.source_count = 1;
  const struct wb_source word = wb_word(&second, 0);
  lowering->failed |= second.failed;
  return wb_emit(lowering, WB_MICRO_SHIFT_LEFT, word, wb_number(16), wb_none());
}

/* XMAD R0, a, b, c: a product of two 16-bit halves plus a 32-bit addend, with the modifiers by
 * which compilers build 32-bit products: PSL shifts the product to the left by 16; CBCC adds the
 * lower half of the second factor's register, shifted likewise; CHI and CLO take a half of the
 * addend; MRG puts that lower half above the lower half of the result. */
void wb_lower_half_products(struct wb_lowering *lowering)
{
  const enum wb_modifier first = (enum wb_modifier)(lowering->instruction->modifier_count > 0
                                                        ? lowering->instruction->modifiers[0]
                                                        : WB_MODIFIER_OTHER);
  if (first == WB_MODIFIER_S16 || first == WB_MODIFIER_U16) {
    const bool a_signed = wb_next_modifier(lowering) == WB_MODIFIER_S16;
    const enum wb_modifier second = wb_next_modifier(lowering);
    lowering->failed |= second != WB_MODIFIER_S16 && second != WB_MODIFIER_U16;
    const struct wb_source product =
        wb_emit(lowering, WB_MICRO_MULTIPLY, half_factor(lowering, 0, a_signed),
                half_factor(lowering, 1, second == WB_MODIFIER_S16), wb_none());
    wb_set_word(lowering, wb_sum(lowering, product, wb_word(lowering, 2), wb_none()));
    return;
  }
  const bool shifts = wb_take_modifier(lowering, WB_MODIFIER_PSL);
  const bool adds_half = wb_take_modifier(lowering, WB_MODIFIER_CBCC);
  const bool upper = !adds_half && wb_take_modifier(lowering, WB_MODIFIER_CHI);
  const bool lower = !adds_half && !upper && wb_take_modifier(lowering, WB_MODIFIER_CLO);
  const bool merges = wb_take_modifier(lowering, WB_MODIFIER_MRG);
  lowering->failed |= merges && (shifts || adds_half || upper || lower);
  struct wb_source product = wb_emit(lowering, WB_MICRO_MULTIPLY, half_factor(lowering, 0, false),
                                     half_factor(lowering, 1, false), wb_none());
  struct wb_source c = wb_word(lowering, 2);
  const struct wb_source moved = adds_half || merges ? moved_half(lowering) : wb_none();
  if (shifts)
    product = wb_emit(lowering, WB_MICRO_SHIFT_LEFT, product, wb_number(16), wb_none());
  if (upper || lower)
    c = wb_extract(lowering, c, upper ? 16 : 0, 16, false);
  struct wb_source sum = wb_sum(lowering, product, c, adds_half ? moved : wb_none());
  if (merges)
    sum = wb_sum(lowering, wb_extract(lowering, sum, 0, 16, false), moved, wb_none());
  wb_set_word(lowering, sum);
}

/* A source of IMADSP by the modifier that names its part. */
static struct wb_source typed_factor(struct wb_lowering *lowering, size_t number)
{
  static const struct {
    uint8_t modifier, place, bits;
    bool as_signed;
  } rows[] = {
      {WB_MODIFIER_U32, 0, 32, false},    {WB_MODIFIER_S32, 0, 32, true},
      {WB_MODIFIER_U24, 0, 24, false},    {WB_MODIFIER_S24, 0, 24, true},
      {WB_MODIFIER_U16H0, 0, 16, false},  {WB_MODIFIER_S16H0, 0, 16, true},
      {WB_MODIFIER_U16H1, 16, 16, false}, {WB_MODIFIER_S16H1, 16, 16, true},
  };
  const enum wb_modifier modifier = wb_next_modifier(lowering);
  const struct wb_source word = wb_word(lowering, number);
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    if (rows[r].modifier != modifier)
      continue;
    return rows[r].bits == 32
               ? word
               : wb_extract(lowering, word, rows[r].place, rows[r].bits, rows[r].as_signed);
  }
  lowering->failed = true;
  return wb_none();
}

/* IMADSP.U24.U24.U32 R0, a, b, c: the product of parts of a and b plus a part of c. */
void wb_lower_part_products(struct wb_lowering *lowering)
{
  const struct wb_source a = typed_factor(lowering, 0);
  const struct wb_source b = typed_factor(lowering, 1);
  const struct wb_source c = typed_factor(lowering, 2);
  const struct wb_source product = wb_emit(lowering, WB_MICRO_MULTIPLY, a, b, wb_none());
  wb_set_word(lowering, wb_sum(lowering, product, c, wb_none()));
}

/* ---- sums of products of parts ---- */

/* IDP.4A.U8.S8 R0, a, b, c: the four products of bytes of a and b, plus c. IDP.2A.LO.U16.U8: the
 * two products of halves of a and the lower bytes of b; HI: its upper bytes. */
void wb_lower_dot_product(struct wb_lowering *lowering)
{
  const bool four = lowering->instruction->number == WB_OPCODE_IDP4A ||
                    wb_take_modifier(lowering, WB_MODIFIER_4A);
  const bool upper = !four && wb_take_modifier(lowering, WB_MODIFIER_2A) &&
                     wb_take_modifier(lowering, WB_MODIFIER_HI);
  lowering->failed |= !four && !upper && !wb_take_modifier(lowering, WB_MODIFIER_LO);
  const unsigned bits = four ? 8 : 16;
  const enum wb_modifier of_a = wb_next_modifier(lowering);
  const enum wb_modifier of_b = wb_next_modifier(lowering);
  const bool a_signed = of_a == (four ? WB_MODIFIER_S8 : WB_MODIFIER_S16);
  const bool b_signed = of_b == WB_MODIFIER_S8;
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source b = wb_word(lowering, 1);
  struct wb_source sum = wb_word(lowering, 2);
  lowering->failed |= (!a_signed && of_a != (four ? WB_MODIFIER_U8 : WB_MODIFIER_U16)) ||
                      (!b_signed && of_b != WB_MODIFIER_U8);
  for (unsigned p = 0; p < 32 / bits; p++) {
    const struct wb_source product =
        wb_emit(lowering, WB_MICRO_MULTIPLY, wb_extract(lowering, a, bits * p, bits, a_signed),
                wb_extract(lowering, b, 8 * p + (upper ? 16 : 0), 8, b_signed), wb_none());
    sum = wb_sum(lowering, sum, product, wb_none());
  }
  wb_set_word(lowering, sum);
}

/* VABSDIFF R0, a, b, c from Volta on: |a - b| + c. */
void wb_lower_absolute_difference(struct wb_lowering *lowering)
{
  const bool as_signed = !wb_take_modifier(lowering, WB_MODIFIER_U32);
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source b = wb_word(lowering, 1);
  const struct wb_source most =
      wb_emit_signed(lowering, WB_MICRO_MAXIMUM, as_signed, a, b, wb_none());
  const struct wb_source least =
      wb_emit_signed(lowering, WB_MICRO_MINIMUM, as_signed, a, b, wb_none());
  wb_set_word(lowering, wb_sum(lowering, most, wb_negated(lowering, least), wb_word(lowering, 2)));
}

/* VABSDIFF4.ACC R0, a, b, c: the four differences of bytes of a and b, without signs, plus c.
 * Without .ACC the differences are packed. */
void wb_lower_absolute_differences(struct wb_lowering *lowering)
{
  wb_take_modifier(lowering, WB_MODIFIER_U8);
  const bool sums = wb_take_modifier(lowering, WB_MODIFIER_ACC);
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source b = wb_word(lowering, 1);
  const struct wb_source c = wb_word(lowering, 2);
  wb_set_word(lowering, sums ? wb_sum(lowering, wb_function_of(lowering, 0, 1020, a, b, wb_none()),
                                      c, wb_none())
                             : wb_function_of(lowering, 0, UINT32_MAX, a, b, c));
}
