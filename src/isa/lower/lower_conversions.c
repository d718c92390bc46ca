/* Conversions between formats of numbers. */
#include "isa/lower/lower_rules.h"

/* ---- integers ---- */

struct integer_type {
  unsigned bits; /* 0: none */
  bool as_signed;
};

static struct integer_type type_of(enum wb_modifier modifier)
{
  static const struct {
    uint8_t modifier, bits;
    bool as_signed;
  } rows[] = {{WB_MODIFIER_U8, 8, false},   {WB_MODIFIER_S8, 8, true},
              {WB_MODIFIER_U16, 16, false}, {WB_MODIFIER_S16, 16, true},
              {WB_MODIFIER_U32, 32, false}, {WB_MODIFIER_S32, 32, true}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    if (rows[r].modifier == modifier)
      return (struct integer_type){rows[r].bits, rows[r].as_signed};
  return (struct integer_type){0, false};
}

/* I2I.S32.S8 R0, a of Maxwell, where the result has room for all numbers of the source. */
static void lower_maxwell_integers(struct wb_lowering *lowering)
{
  const struct integer_type to = type_of(wb_next_modifier(lowering));
  const struct integer_type from = type_of(wb_next_modifier(lowering));
  const bool same = to.bits == from.bits && to.as_signed == from.as_signed;
  const bool wider = to.bits == 32 ? from.bits < 32 && (to.as_signed || !from.as_signed)
                                   : !to.as_signed && !from.as_signed && from.bits < to.bits;
  lowering->failed |= from.bits == 0 || !((same && to.bits == 32) || wider);
  if (lowering->failed)
    return;
  wb_set_word(lowering,
              same ? wb_magnitude(lowering, 0) : wb_part(lowering, 0, from.bits, from.as_signed));
}

/* I2I.U8.S32.SAT R0, a: the nearest number of the type. How one with a sign is continued is not
 * known. */
static void lower_saturation(struct wb_lowering *lowering)
{
  const struct integer_type to = type_of(wb_next_modifier(lowering));
  lowering->failed |= to.bits == 0 || to.bits == 32 ||
                      !wb_take_modifier(lowering, WB_MODIFIER_S32) ||
                      !wb_take_modifier(lowering, WB_MODIFIER_SAT);
  if (lowering->failed)
    return;
  const struct wb_source a = wb_word(lowering, 0);
  if (to.as_signed) {
    wb_set_word(lowering, wb_function_of(lowering, 0, UINT32_MAX, a, wb_none(), wb_none()));
    return;
  }
  const struct wb_source least =
      wb_emit_signed(lowering, WB_MICRO_MAXIMUM, true, a, wb_number(0), wb_none());
  wb_set_word(lowering, wb_emit_signed(lowering, WB_MICRO_MINIMUM, true, least,
                                       wb_number((UINT32_C(1) << to.bits) - 1), wb_none()));
}

void wb_lower_integer_conversion(struct wb_lowering *lowering)
{
  if (lowering->volta)
    lower_saturation(lowering);
  else
    lower_maxwell_integers(lowering);
}

/* ---- functions that are not told ---- */

/* All modifiers count as read. */
static void read_modifiers(struct wb_lowering *lowering)
{
  lowering->modifiers_read = (1U << lowering->instruction->modifier_count) - 1;
}

/* Whether one of the modifiers is among those of the instruction. */
static bool has_wide_type(const struct wb_lowering *lowering)
{
  return wb_instruction_has(lowering->instruction, WB_MODIFIER_F64) ||
         wb_instruction_has(lowering->instruction, WB_MODIFIER_S64) ||
         wb_instruction_has(lowering->instruction, WB_MODIFIER_U64);
}

/* The word of an operand, with whatever sign and part: a function of the whole word as well. */
static struct wb_source whole_word(struct wb_lowering *lowering, size_t number)
{
  struct wb_operand plain = lowering->sources[number];
  struct wb_lowering one = *lowering;
  plain.negated = plain.complemented = plain.absolute = plain.half = plain.upper = false;
  if (plain.kind == WB_OPERAND_FLOAT)
    plain.kind = WB_OPERAND_NUMBER;
  plain.part = 0;
  one.sources = &plain;
  one.source_count = 1;
  const struct wb_source source = wb_word(&one, 0);
  lowering->failed |= one.failed;
  return source;
}

/* One word is a function of up to four words, from `least` to `most`. */
static void lower_function(struct wb_lowering *lowering, uint32_t least, uint32_t most)
{
  struct wb_micro_operation function = {.kind = WB_MICRO_FUNCTION, .least = least, .most = most};
  lowering->failed |= has_wide_type(lowering) || lowering->source_count > 4;
  if (lowering->failed)
    return;
  for (size_t s = 0; s < lowering->source_count; s++)
    function.sources[s] = whole_word(lowering, s);
  lowering->sources_read = (1U << lowering->source_count) - 1;
  read_modifiers(lowering);
  wb_set_word(lowering, wb_emit_operation(lowering, &function));
}

/* I2F R0, a; I2FP; F2F of words; I2IP. */
void wb_lower_conversion(struct wb_lowering *lowering)
{
  lower_function(lowering, 0, UINT32_MAX);
}

/* F2I.U16.F32 R0, a: the result is a number of its type, which is the first one named. */
void wb_lower_to_integer(struct wb_lowering *lowering)
{
  const struct wb_instruction *instruction = lowering->instruction;
  uint32_t most = UINT32_MAX;
  for (unsigned m = 0; m < instruction->modifier_count; m++) {
    const struct integer_type type = type_of((enum wb_modifier)instruction->modifiers[m]);
    if (type.bits == 0)
      continue;
    if (!type.as_signed && type.bits < 32)
      most = (UINT32_C(1) << type.bits) - 1;
    break;
  }
  lower_function(lowering, 0, most);
}
