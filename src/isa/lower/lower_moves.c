/* Moves: registers, constants, special registers. */
#include "isa/lower/lower_rules.h"

#include "isa/opcode.h"

#include <string.h>

/* MOV.SPILL, R2UR.FILL: why the compiler moves it. */
static void take_reason(struct wb_lowering *lowering)
{
  wb_take_modifier(lowering, WB_MODIFIER_SPILL);
  wb_take_modifier(lowering, WB_MODIFIER_FILL);
}

/* MOV R0, a; MOV32I; UMOV; MOV.64. */
void wb_lower_move(struct wb_lowering *lowering)
{
  take_reason(lowering);
  if (lowering->volta && wb_take_modifier(lowering, WB_MODIFIER_64))
    wb_set_wide(lowering, wb_wide(lowering, 0));
  else
    wb_set_word(lowering, wb_word(lowering, 0));
}

/* R2UR UR0, R0: the word of some lane. */
void wb_lower_uniform_move(struct wb_lowering *lowering)
{
  take_reason(lowering);
  wb_set_word(lowering,
              wb_emit(lowering, WB_MICRO_SOME_LANE, wb_word(lowering, 0), wb_none(), wb_none()));
}

/* ---- special registers ---- */

/* A special register; SRZ is a register that holds 0. */
static struct wb_source special_source(struct wb_lowering *lowering)
{
  const struct wb_operand *operand = &lowering->sources[0];
  if (lowering->source_count == 0 || operand->kind != WB_OPERAND_SPECIAL)
    return wb_word(lowering, 0);
  lowering->sources_read |= 1;
  return (struct wb_source){
      .kind = WB_SOURCE_SPECIAL, .value = operand->value, .index = WB_NO_REGISTER};
}

/* S2R R0, SR_TID.X. */
void wb_lower_special(struct wb_lowering *lowering)
{
  wb_set_word(lowering, special_source(lowering));
}

/* S2UR UR0, SR_CTAID.X: of some lane. */
void wb_lower_uniform_special(struct wb_lowering *lowering)
{
  wb_set_word(lowering, wb_emit(lowering, WB_MICRO_SOME_LANE, special_source(lowering), wb_none(),
                                wb_none()));
}

/* CS2R R0, SRZ: 64 bits, of SRZ alone, as other ones have words of which nothing is known; CS2R.32.
 */
void wb_lower_counter(struct wb_lowering *lowering)
{
  if (wb_take_modifier(lowering, WB_MODIFIER_32)) {
    wb_set_word(lowering, special_source(lowering));
    return;
  }
  const struct wb_source source = special_source(lowering);
  if (lowering->volta && wb_is_number(source, 0)) {
    wb_set_wide(lowering, source);
    return;
  }
  lowering->failed |= source.kind != WB_SOURCE_SPECIAL || !lowering->volta;
  for (unsigned w = 0; w < 2; w++)
    wb_set_word_after(lowering, w,
                      wb_emit(lowering, WB_MICRO_UNKNOWN, wb_none(), wb_none(), wb_none()));
}

/* ---- constants ---- */

/* A part of a word of constant memory. */
static void lower_part_load(struct wb_lowering *lowering, struct wb_source word, unsigned bits,
                            bool as_signed)
{
  const uint32_t most = bits == 8 ? UINT8_MAX : UINT16_MAX;
  const unsigned place = 8 * (unsigned)(word.value & 3);
  if (word.index != WB_NO_REGISTER) {
    const struct wb_source index = {
        .kind = WB_SOURCE_REGISTER, .number = word.index, .index = WB_NO_REGISTER};
    wb_set_word(lowering, wb_function_of(lowering, 0, as_signed ? UINT32_MAX : most, index,
                                         wb_none(), wb_none()));
    return;
  }
  lowering->failed |= place % bits != 0;
  word.value -= word.value & 3;
  wb_set_word(lowering, wb_extract(lowering, word, place, bits, as_signed));
}

/* LDC R0, c[0x0][0x160]; LDC.64; LDCU.128; LDC.U8. */
void wb_lower_constant_load(struct wb_lowering *lowering)
{
  static const struct {
    uint8_t modifier, bits;
    bool as_signed;
  } parts[] = {{WB_MODIFIER_U8, 8, false},
               {WB_MODIFIER_S8, 8, true},
               {WB_MODIFIER_U16, 16, false},
               {WB_MODIFIER_S16, 16, true}};
  const bool four = wb_take_modifier(lowering, WB_MODIFIER_128);
  const bool two = !four && wb_take_modifier(lowering, WB_MODIFIER_64);
  struct wb_source source = two ? wb_wide(lowering, 0) : wb_word(lowering, 0);
  lowering->failed |= source.kind != WB_SOURCE_CONSTANT && source.kind != WB_SOURCE_CONSTANT_PAIR;
  for (size_t p = 0; p < sizeof parts / sizeof *parts && !four && !two; p++) {
    if (!wb_take_modifier(lowering, (enum wb_modifier)parts[p].modifier))
      continue;
    lower_part_load(lowering, source, parts[p].bits, parts[p].as_signed);
    return;
  }
  if (two) {
    wb_set_wide(lowering, source);
    return;
  }
  for (unsigned w = 0; w < (four ? 4 : 1); w++) {
    wb_set_word_after(lowering, w, source);
    source.value += 4;
  }
}

/* ---- numbers of 16-bit floating point ---- */

/* Numbers of this format are multiples of 2^-24 and below 2^16, with 11 significant bits. */
#define UNITS_OF_ONE 16777216.0
#define MOST_UNITS 1099511627776.0
#define SIGNIFICANT 2048

/* A text that is exact differs from its number by rounding of its reader alone, far less than two
 * numbers of the format differ. */
static bool is_near(double number, double other)
{
  const double difference = number < other ? other - number : number - other;
  return difference <= other * 1e-9;
}

/* The 16 bits of a number. */
static uint32_t half_bits(struct wb_lowering *lowering, size_t number)
{
  double value = 0;
  uint32_t exponent = 0;
  if (number >= lowering->source_count || lowering->sources[number].kind != WB_OPERAND_FLOAT) {
    lowering->failed = true;
    return 0;
  }
  lowering->sources_read |= 1U << number;
  const uint64_t bits = lowering->sources[number].value;
  memcpy(&value, &bits, sizeof value);
  const uint32_t sign = bits >> 63 != 0 ? 0x8000 : 0;
  double scaled = (sign != 0 ? -value : value) * UNITS_OF_ONE;
  if (!(scaled < MOST_UNITS)) {
    lowering->failed = true;
    return 0;
  }
  while (scaled > SIGNIFICANT - 0.5) {
    scaled /= 2;
    exponent++;
  }
  const uint32_t significand = (uint32_t)(scaled + 0.5);
  /* Below 2^10 units there is no hidden bit. */
  const uint32_t size =
      significand < SIGNIFICANT / 2 ? significand : (exponent + 1) << 10 | (significand & 0x3ff);
  lowering->failed |= !is_near(scaled, significand) || size >= 0x7c00;
  return size | sign;
}

/* HFMA2 R0, -RZ, RZ, 0, 5.9604644775390625e-08: -0 * 0 + n is n in both halves, the upper one
 * first; compilers load numbers so. Other products: a function of their sources. */
void wb_lower_half_load(struct wb_lowering *lowering)
{
  const struct wb_operand *sources = lowering->sources;
  wb_take_modifier(lowering, WB_MODIFIER_MMA);
  for (size_t s = 0; s < 2; s++)
    lowering->failed |= lowering->source_count != 4 || sources[s].kind != WB_OPERAND_REGISTER ||
                        sources[s].number != WB_NO_REGISTER || sources[s].negated != (s == 0) ||
                        sources[s].half;
  lowering->sources_read |= 3;
  const uint32_t upper = half_bits(lowering, 2);
  wb_set_word(lowering, wb_number(upper << 16 | half_bits(lowering, 3)));
}
