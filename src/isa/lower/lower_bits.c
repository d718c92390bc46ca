/* Logic, shifts, bytes and fields of bits. */
#include "isa/lower/lowering.h"

/* ---- logic ---- */

/* The predicate that Maxwell's logic writes beside its result. */
static void set_test(struct wb_lowering *lowering, struct wb_source result)
{
  const bool not_zero = wb_take_modifier(lowering, WB_MODIFIER_NZ);
  const bool zero = !not_zero && wb_take_modifier(lowering, WB_MODIFIER_Z);
  if (!wb_has_output(lowering, 0))
    return;
  const struct wb_source test =
      wb_emit(lowering, WB_MICRO_IS_NOT_ZERO, result, wb_none(), wb_none());
  if (not_zero || zero)
    wb_set_predicate(lowering, 0, zero ? wb_not(test) : test);
  else
    lowering->failed = true;
}

/* LOP.AND P0, R0, a, b; LOP32I; ULOP. */
void wb_lower_logic(struct wb_lowering *lowering)
{
  static const struct {
    uint8_t modifier, table;
  } rows[] = {{WB_MODIFIER_AND, WB_TABLE_AND},
              {WB_MODIFIER_OR, WB_TABLE_OR},
              {WB_MODIFIER_XOR, WB_TABLE_XOR},
              {WB_MODIFIER_PASS_B, 0}};
  size_t r = 0;
  while (r < sizeof rows / sizeof *rows &&
         !wb_take_modifier(lowering, (enum wb_modifier)rows[r].modifier))
    r++;
  if (r == sizeof rows / sizeof *rows) {
    lowering->failed = true;
    return;
  }
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source b = wb_word(lowering, 1);
  const struct wb_source result = rows[r].table != 0
                                      ? wb_lookup(lowering, rows[r].table, a, b, wb_number(0))
                                      : wb_emit(lowering, WB_MICRO_COPY, b, wb_none(), wb_none());
  wb_set_word(lowering, result);
  set_test(lowering, result);
}

/* LOP3.LUT P0, R0, a, b, c, table; from Volta on, with a predicate after it: P0 is whether the
 * result is not 0, or that. */
void wb_lower_logic3(struct wb_lowering *lowering)
{
  lowering->failed |= !wb_take_modifier(lowering, WB_MODIFIER_LUT);
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source b = wb_word(lowering, 1);
  const struct wb_source c = wb_word(lowering, 2);
  const uint32_t table = wb_immediate(lowering, 3);
  lowering->failed |= table > UINT8_MAX;
  const struct wb_source result = wb_lookup(lowering, (uint8_t)table, a, b, c);
  wb_set_word(lowering, result);
  if (!lowering->volta) {
    set_test(lowering, result);
    return;
  }
  const struct wb_source other = wb_truth(lowering, 4);
  if (wb_has_output(lowering, 0) && wb_is_number(other, 0))
    wb_set_predicate(lowering, 0,
                     wb_emit(lowering, WB_MICRO_IS_NOT_ZERO, result, wb_none(), wb_none()));
}

/* ---- shifts ---- */

static struct wb_source lesser(struct wb_lowering *lowering, struct wb_source count, uint32_t most)
{
  if (count.kind == WB_SOURCE_NUMBER)
    return wb_number(count.value < most ? count.value : most);
  return wb_emit(lowering, WB_MICRO_MINIMUM, count, wb_number(most), wb_none());
}

/* The number of places modulo 32. */
static struct wb_source wrapped(struct wb_lowering *lowering, struct wb_source count)
{
  if (count.kind == WB_SOURCE_NUMBER)
    return wb_number(count.value & 31);
  return wb_lookup(lowering, WB_TABLE_AND, count, wb_number(31), wb_number(0));
}

/* SHL R0, a, n; SHR; USHL. Without .W more than 31 places leave nothing, or all sign bits. */
static void lower_shift(struct wb_lowering *lowering, enum wb_micro_kind kind, bool as_signed)
{
  const bool wraps = wb_take_modifier(lowering, WB_MODIFIER_W);
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source count = wb_word(lowering, 1);
  /* Whether USHL and USHR wrap is not known. */
  lowering->failed |= lowering->volta && !wraps && wb_immediate(lowering, 1) > 31;
  wb_set_word(lowering, wb_emit_signed(lowering, kind, as_signed, a,
                                       wraps ? wrapped(lowering, count) : count, wb_none()));
}

void wb_lower_shift_left(struct wb_lowering *lowering)
{
  lower_shift(lowering, WB_MICRO_SHIFT_LEFT, false);
}

void wb_lower_shift_right(struct wb_lowering *lowering)
{
  lower_shift(lowering, WB_MICRO_SHIFT_RIGHT, !wb_take_modifier(lowering, WB_MODIFIER_U32));
}

/* What the modifiers of SHF say. */
struct funnel {
  bool left;
  bool wraps;
  bool wide; /* S64, U64: a number of 64 bits is shifted, by up to 63 places */
  bool as_signed;
  bool upper; /* HI: the upper word of the result */
};

static struct funnel read_funnel(struct wb_lowering *lowering)
{
  struct funnel funnel = {.left = wb_take_modifier(lowering, WB_MODIFIER_L)};
  lowering->failed |= !funnel.left && !wb_take_modifier(lowering, WB_MODIFIER_R);
  funnel.wraps = wb_take_modifier(lowering, WB_MODIFIER_W);
  funnel.as_signed = wb_take_modifier(lowering, WB_MODIFIER_S64);
  funnel.wide = funnel.as_signed || wb_take_modifier(lowering, WB_MODIFIER_U64);
  if (lowering->volta && !funnel.wide) {
    funnel.as_signed = wb_take_modifier(lowering, WB_MODIFIER_S32);
    lowering->failed |= !funnel.as_signed && !wb_take_modifier(lowering, WB_MODIFIER_U32);
  }
  funnel.upper = lowering->volta ? wb_take_modifier(lowering, WB_MODIFIER_HI) : funnel.left;
  return funnel;
}

/* SHF.L.U64.HI R0, a, n, c: the upper word of (c, a) << n; SHF.R.U64: the lower word of (c, a) >>
 * n. SHF.L.U32 R0, a, n, RZ: a << n; SHF.R.S32.HI R0, RZ, n, c: c >> n. */
void wb_lower_funnel_shift(struct wb_lowering *lowering)
{
  const struct funnel funnel = read_funnel(lowering);
  const struct wb_source a = wb_word(lowering, 0);
  struct wb_source count = wb_word(lowering, 1);
  const struct wb_source c = wb_word(lowering, 2);
  if (funnel.wraps)
    count = wrapped(lowering, count);
  /* Whether wide shifts wrap at 32 or 64 places is not known. */
  if (funnel.wraps && funnel.wide)
    lowering->failed |= !wb_is_immediate(lowering, 1) || wb_immediate(lowering, 1) > 31;
  if (funnel.left != funnel.upper) { /* one word is shifted */
    lowering->failed |= funnel.wide || !wb_is_number(funnel.left ? c : a, 0);
    wb_set_word(lowering,
                wb_emit_signed(lowering, funnel.left ? WB_MICRO_SHIFT_LEFT : WB_MICRO_SHIFT_RIGHT,
                               funnel.as_signed, funnel.left ? a : c, count, wb_none()));
    return;
  }
  if (!funnel.wraps && !funnel.wide)
    count = lesser(lowering, count, 32);
  wb_set_word(lowering,
              wb_emit_signed(lowering, funnel.left ? WB_MICRO_FUNNEL_LEFT : WB_MICRO_FUNNEL_RIGHT,
                             funnel.as_signed && funnel.wide && !funnel.left, a, c, count));
}

/* ---- bytes ---- */

/* The digits by which the modes of PRMT choose bytes, by the lowest two bits of the selector. */
static const struct {
  uint8_t modifier;
  uint16_t digits[4];
} permute_modes[] = {
    {WB_MODIFIER_F4E, {0x3210, 0x4321, 0x5432, 0x6543}},
    {WB_MODIFIER_B4E, {0x5670, 0x6701, 0x7012, 0x0123}},
    {WB_MODIFIER_RC8, {0x0000, 0x1111, 0x2222, 0x3333}},
    {WB_MODIFIER_ECL, {0x3210, 0x3211, 0x3222, 0x3333}},
    {WB_MODIFIER_ECR, {0x0000, 0x1110, 0x2210, 0x3210}},
    {WB_MODIFIER_RC16, {0x1010, 0x3232, 0x1010, 0x3232}},
};

/* PRMT R0, a, selector, c. */
void wb_lower_permute(struct wb_lowering *lowering)
{
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source c = wb_word(lowering, 2);
  struct wb_source selector = wb_word(lowering, 1);
  for (size_t m = 0; m < sizeof permute_modes / sizeof *permute_modes; m++)
    if (wb_take_modifier(lowering, (enum wb_modifier)permute_modes[m].modifier))
      selector = wb_number(permute_modes[m].digits[wb_immediate(lowering, 1) & 3]);
  lowering->failed |= selector.negated || selector.complemented;
  wb_set_word(lowering, wb_emit(lowering, WB_MICRO_PERMUTE, a, selector, c));
}

/* ---- fields ---- */

/* A number whose lowest n bits are 1. */
static struct wb_source ones(struct wb_lowering *lowering, struct wb_source n)
{
  if (n.kind == WB_SOURCE_NUMBER)
    return wb_number(n.value > 31 ? UINT32_MAX : (UINT32_C(1) << n.value) - 1);
  const struct wb_source power = wb_emit(lowering, WB_MICRO_SHIFT_LEFT, wb_number(1), n, wb_none());
  return wb_sum(lowering, power, wb_number(UINT32_MAX), wb_none());
}

/* The first bit and the number of bits of a field that source 1 names: bits << 8 | place. */
static void read_field(struct wb_lowering *lowering, struct wb_source *place,
                       struct wb_source *bits)
{
  const struct wb_source field = wb_word(lowering, 1);
  if (field.kind == WB_SOURCE_NUMBER) {
    *place = wb_number(field.value & 0xff);
    *bits = wb_number(field.value >> 8 & 0xff);
    return;
  }
  *place = wb_extract(lowering, field, 0, 8, false);
  *bits = wb_extract(lowering, field, 8, 8, false);
}

/* A field of a, all of it known before the instruction. */
static struct wb_source known_field(struct wb_lowering *lowering, struct wb_source a,
                                    uint64_t place, uint64_t bits, bool as_signed)
{
  if (bits == 0 || (place > 31 && !as_signed))
    return wb_number(0);
  if (place + bits < 32)
    return wb_extract(lowering, a, (unsigned)place, (unsigned)bits, as_signed);
  return wb_emit_signed(lowering, WB_MICRO_SHIFT_RIGHT, as_signed, a, wb_number(place), wb_none());
}

/* BFE R0, a, field. With .BREV it reverses bits, of the whole word where that is the field. */
void wb_lower_extract(struct wb_lowering *lowering)
{
  const bool as_signed = !wb_take_modifier(lowering, WB_MODIFIER_U32);
  const bool reverses = wb_take_modifier(lowering, WB_MODIFIER_BREV);
  const struct wb_source a = wb_word(lowering, 0);
  struct wb_source place;
  struct wb_source bits;
  read_field(lowering, &place, &bits);
  if (reverses) {
    lowering->failed |= !wb_is_number(place, 0) || !wb_is_number(bits, 32);
    wb_set_word(lowering, wb_emit(lowering, WB_MICRO_REVERSE, a, wb_none(), wb_none()));
  } else if (place.kind == WB_SOURCE_NUMBER) {
    wb_set_word(lowering, known_field(lowering, a, place.value, bits.value, as_signed));
  } else {
    lowering->failed |= as_signed;
    const struct wb_source moved = wb_emit(lowering, WB_MICRO_SHIFT_RIGHT, a, place, wb_none());
    wb_set_word(lowering,
                wb_lookup(lowering, WB_TABLE_AND, moved, ones(lowering, bits), wb_number(0)));
  }
}

/* BFI R0, a, field, c: c, with the lowest bits of a in the place of the field. */
void wb_lower_insert(struct wb_lowering *lowering)
{
  const struct wb_source a = wb_word(lowering, 0);
  const struct wb_source c = wb_word(lowering, 2);
  struct wb_source place;
  struct wb_source bits;
  read_field(lowering, &place, &bits);
  const struct wb_source moved = wb_emit(lowering, WB_MICRO_SHIFT_LEFT, a, place, wb_none());
  const struct wb_source mask =
      wb_emit(lowering, WB_MICRO_SHIFT_LEFT, ones(lowering, bits), place, wb_none());
  wb_set_word(lowering, wb_lookup(lowering, WB_TABLE_CHOICE, moved, c, mask));
}

/* SGXT R0, a, n: the lowest n bits with their sign; .U32: without it. */
void wb_lower_extend(struct wb_lowering *lowering)
{
  const bool as_signed = !wb_take_modifier(lowering, WB_MODIFIER_U32);
  const bool wraps = wb_take_modifier(lowering, WB_MODIFIER_W);
  const struct wb_source a = wb_word(lowering, 0);
  struct wb_source bits = wb_word(lowering, 1);
  if (wraps)
    bits = wrapped(lowering, bits);
  if (bits.kind == WB_SOURCE_NUMBER && !bits.negated && !bits.complemented) {
    wb_set_word(lowering, known_field(lowering, a, 0, bits.value, as_signed));
  } else if (!as_signed) {
    wb_set_word(lowering, wb_lookup(lowering, WB_TABLE_AND, a, ones(lowering, bits), wb_number(0)));
  } else {
    const struct wb_source above = wb_sum(
        lowering, wb_number(32), wb_negated(lowering, lesser(lowering, bits, 32)), wb_none());
    const struct wb_source moved = wb_emit(lowering, WB_MICRO_SHIFT_LEFT, a, above, wb_none());
    wb_set_word(lowering,
                wb_emit_signed(lowering, WB_MICRO_SHIFT_RIGHT, true, moved, above, wb_none()));
  }
}

/* BMSK R0, p, n: n ones from bit p on. */
void wb_lower_mask(struct wb_lowering *lowering)
{
  const bool wraps = wb_take_modifier(lowering, WB_MODIFIER_W);
  struct wb_source place = wb_word(lowering, 0);
  struct wb_source bits = wb_word(lowering, 1);
  if (wraps) {
    place = wrapped(lowering, place);
    bits = wrapped(lowering, bits);
  }
  wb_set_word(lowering,
              wb_emit(lowering, WB_MICRO_SHIFT_LEFT, ones(lowering, bits), place, wb_none()));
}

/* ---- counting ---- */

void wb_lower_count_ones(struct wb_lowering *lowering)
{
  wb_set_word(lowering,
              wb_emit(lowering, WB_MICRO_COUNT_ONES, wb_word(lowering, 0), wb_none(), wb_none()));
}

void wb_lower_reverse(struct wb_lowering *lowering)
{
  wb_set_word(lowering,
              wb_emit(lowering, WB_MICRO_REVERSE, wb_word(lowering, 0), wb_none(), wb_none()));
}

/* FLO R0, P0, a: the number of the leading one; .SH: by how many places to shift it to the top. */
void wb_lower_leading_one(struct wb_lowering *lowering)
{
  const bool as_signed = !wb_take_modifier(lowering, WB_MODIFIER_U32);
  const bool shift = wb_take_modifier(lowering, WB_MODIFIER_SH);
  const struct wb_source place = wb_emit_signed(lowering, WB_MICRO_LEADING_ONE, as_signed,
                                                wb_word(lowering, 0), wb_none(), wb_none());
  if (!shift) {
    wb_set_word(lowering, place);
    return;
  }
  const struct wb_source none =
      wb_compare(lowering, WB_RELATION_EQUAL, false, place, wb_number(UINT32_MAX));
  const struct wb_source rest =
      wb_sum(lowering, wb_number(31), wb_negated(lowering, place), wb_none());
  wb_set_word(lowering, wb_emit(lowering, WB_MICRO_SELECT, place, rest, none));
}

/* IABS R0, a. */
void wb_lower_absolute(struct wb_lowering *lowering)
{
  wb_set_word(lowering,
              wb_emit(lowering, WB_MICRO_ABSOLUTE, wb_word(lowering, 0), wb_none(), wb_none()));
}
