/* Sums, products, minima, maxima and comparisons of floats. */
#include "isa/lower/lowering.h"

#include <string.h>

/* An immediate that is printed without a point is a float all the same, up to here: no text of bits
 * is as small. */
#define MOST_WHOLE (INT64_C(1) << 24)

/* How far the double of a printed number may be from that number, in units of its last place: the
 * text is rounded, and so are the steps that read it. */
#define PRINTED_ERROR (UINT64_C(1) << 16)

/* What the modifiers of such an instruction say. */
struct float_form {
  uint8_t relation, table;
  bool has_relation, has_table;
};

/* False where one is not known: another way to round, say. */
static bool read_modifiers(const struct wb_instruction *instruction, struct float_form *form)
{
  static const struct {
    uint8_t modifier, relation;
  } rows[] = {{WB_MODIFIER_LT, WB_RELATION_LESS},     {WB_MODIFIER_LTU, WB_RELATION_LESS},
              {WB_MODIFIER_EQ, WB_RELATION_EQUAL},    {WB_MODIFIER_EQU, WB_RELATION_EQUAL},
              {WB_MODIFIER_LE, WB_RELATION_AT_MOST},  {WB_MODIFIER_LEU, WB_RELATION_AT_MOST},
              {WB_MODIFIER_GT, WB_RELATION_GREATER},  {WB_MODIFIER_GTU, WB_RELATION_GREATER},
              {WB_MODIFIER_NE, WB_RELATION_UNEQUAL},  {WB_MODIFIER_NEU, WB_RELATION_UNEQUAL},
              {WB_MODIFIER_GE, WB_RELATION_AT_LEAST}, {WB_MODIFIER_GEU, WB_RELATION_AT_LEAST}};
  *form = (struct float_form){0};
  for (unsigned m = 0; m < instruction->modifier_count; m++) {
    const uint8_t modifier = instruction->modifiers[m];
    size_t r = 0;
    while (r < sizeof rows / sizeof *rows && rows[r].modifier != modifier)
      r++;
    if (r < sizeof rows / sizeof *rows && !form->has_relation) {
      form->relation = rows[r].relation;
      form->has_relation = true;
    } else if (form->has_relation && !form->has_table &&
               (modifier == WB_MODIFIER_AND || modifier == WB_MODIFIER_OR)) {
      form->table = modifier == WB_MODIFIER_AND ? WB_TABLE_AND : WB_TABLE_OR;
      form->has_table = true;
    } else if (modifier != WB_MODIFIER_FTZ && modifier != WB_MODIFIER_RN)
      return false;
  }
  return true;
}

/* Whether a source is a float that is read whole. */
static bool is_float(const struct wb_operand *source)
{
  const int64_t number = (int64_t)source->value;
  if (source->half || source->part != 0 || source->complemented)
    return false;
  if (source->kind == WB_OPERAND_NUMBER)
    return !source->negated && !source->absolute && number >= -MOST_WHOLE && number <= MOST_WHOLE;
  if (source->kind == WB_OPERAND_FLOAT)
    return !source->negated && !source->absolute;
  return source->kind == WB_OPERAND_REGISTER || source->kind == WB_OPERAND_CONSTANT;
}

/* Whether the sources are that many floats and, where `chooses`, a predicate after them. */
static bool has_sources(const struct wb_lowering *lowering, size_t floats, bool chooses)
{
  if (lowering->source_count != floats + chooses)
    return false;
  for (size_t s = 0; s < floats; s++)
    if (!is_float(&lowering->sources[s]))
      return false;
  return !chooses || lowering->sources[floats].kind == WB_OPERAND_PREDICATE;
}

/* Whether it computes one word of that many floats, by nothing else than maybe a predicate. */
static bool has_form(const struct wb_lowering *lowering, size_t floats, bool chooses)
{
  struct float_form form;
  return has_sources(lowering, floats, chooses) && lowering->output_count == 0 &&
         read_modifiers(lowering->instruction, &form) && !form.has_relation && !form.has_table;
}

/* Whether it compares two floats, with a relation, a table and a predicate. */
static bool is_comparison(const struct wb_lowering *lowering, struct float_form *form)
{
  return has_sources(lowering, 2, true) && !wb_has_output(lowering, 1) &&
         read_modifiers(lowering->instruction, form) && form->has_relation && form->has_table;
}

/* The number of an immediate as it is read. */
static double immediate_value(const struct wb_operand *source)
{
  double value = (double)(int64_t)source->value;
  if (source->kind == WB_OPERAND_FLOAT)
    memcpy(&value, &source->value, sizeof value);
  return value;
}

/* The upper word of an immediate of 64 bits: instructions have no room for a lower one, which is 0,
 * so that the number meant is the nearest one of these. False where it is not near. */
static bool upper_word(const struct wb_operand *source, uint32_t *upper)
{
  const double value = immediate_value(source);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t most = bits + PRINTED_ERROR;
  *upper = (uint32_t)(most >> 32);
  return (most & UINT32_MAX) <= 2 * PRINTED_ERROR;
}

/* Whether the first floats, of 64 bits, are known where they are immediates. */
static bool has_doubles(const struct wb_lowering *lowering, size_t floats)
{
  uint32_t upper;
  for (size_t s = 0; s < floats && s < lowering->source_count; s++) {
    const uint8_t kind = lowering->sources[s].kind;
    if ((kind == WB_OPERAND_FLOAT || kind == WB_OPERAND_NUMBER) &&
        !upper_word(&lowering->sources[s], &upper))
      return false;
  }
  return true;
}

/* The bits of an immediate. */
static void immediate_words(const struct wb_operand *source, bool wide, struct wb_source words[2])
{
  const float single = (float)immediate_value(source);
  uint32_t word;
  memcpy(&word, &single, sizeof word);
  words[0] = wb_number(wide ? 0 : word);
  words[1] = wb_number(upper_word(source, &word) ? word : 0);
}

/* The words of a source with its sign. */
static void float_words(struct wb_lowering *lowering, size_t number, bool wide,
                        struct wb_source words[2])
{
  struct wb_operand plain = lowering->sources[number];
  struct wb_lowering one = *lowering;
  struct wb_source *top = &words[wide];
  if (plain.kind == WB_OPERAND_FLOAT || plain.kind == WB_OPERAND_NUMBER) {
    immediate_words(&plain, wide, words);
    return;
  }
  plain.negated = plain.absolute = false;
  one.sources = &plain;
  one.source_count = 1;
  if (wide)
    wb_words_of_source(&one, 0, words);
  else
    words[0] = wb_word(&one, 0);
  lowering->failed |= one.failed;
  if (lowering->sources[number].absolute)
    *top = wb_lookup(lowering, WB_TABLE_AND, *top, wb_number(INT32_MAX), wb_number(0));
  if (lowering->sources[number].negated) /* a sum, which ranges outlast */
    *top = wb_emit(lowering, WB_MICRO_ADD, *top, wb_number(0x80000000), wb_none());
}

/* A function of the first floats. */
static struct wb_source float_function(struct wb_lowering *lowering, size_t floats, bool wide,
                                       struct wb_micro_operation told)
{
  told.kind = WB_MICRO_FUNCTION;
  for (size_t s = 0; s < floats; s++) {
    struct wb_source words[2];
    float_words(lowering, s, wide, words);
    told.sources[s << wide] = words[0];
    if (wide)
      told.sources[2 * s + 1] = words[1];
  }
  lowering->sources_read = (1U << lowering->source_count) - 1;
  lowering->modifiers_read = (1U << lowering->instruction->modifier_count) - 1;
  return wb_emit_operation(lowering, &told);
}

/* One of 32 bits. */
static struct wb_source single(struct wb_lowering *lowering, size_t floats,
                               enum wb_conversion conversion)
{
  return float_function(
      lowering, floats, false,
      (struct wb_micro_operation){.conversion = (uint8_t)conversion, .most = UINT32_MAX});
}

static void lower_single(struct wb_lowering *lowering, size_t floats, enum wb_conversion conversion)
{
  if (has_form(lowering, floats, false))
    wb_set_word(lowering, single(lowering, floats, conversion));
  else
    wb_lower_function(lowering);
}

/* FADD R0, a, b. */
void wb_lower_float_sum(struct wb_lowering *lowering)
{
  lower_single(lowering, 2, WB_CONVERSION_SUM_SINGLE);
}

/* FMUL R0, a, b. */
void wb_lower_float_product(struct wb_lowering *lowering)
{
  lower_single(lowering, 2, WB_CONVERSION_PRODUCT_SINGLE);
}

/* FFMA R0, a, b, c. */
void wb_lower_float_fused(struct wb_lowering *lowering)
{
  lower_single(lowering, 3, WB_CONVERSION_FUSED_SINGLE);
}

/* FMNMX R0, a, b, P0: the lesser one where P0 holds. */
void wb_lower_float_minimum(struct wb_lowering *lowering)
{
  if (!has_form(lowering, 2, true)) {
    wb_lower_function(lowering);
    return;
  }
  const struct wb_source least = wb_truth(lowering, 2);
  struct wb_source minimum = wb_none();
  struct wb_source maximum = wb_none();
  if (!wb_is_number(least, 0))
    minimum = single(lowering, 2, WB_CONVERSION_MINIMUM_SINGLE);
  if (!wb_is_number(least, 1))
    maximum = single(lowering, 2, WB_CONVERSION_MAXIMUM_SINGLE);
  if (least.kind == WB_SOURCE_NUMBER)
    wb_set_word(lowering, wb_is_number(least, 1) ? minimum : maximum);
  else
    wb_set_word(lowering, wb_emit(lowering, WB_MICRO_SELECT, minimum, maximum, least));
}

/* DADD R0, a, b. */
void wb_lower_double_sum(struct wb_lowering *lowering)
{
  if (!has_form(lowering, 2, false) || !has_doubles(lowering, 2)) {
    wb_lower_double_function(lowering);
    return;
  }
  struct wb_micro_operation told = {.conversion = WB_CONVERSION_SUM_DOUBLE_LOWER,
                                    .most = UINT32_MAX};
  wb_set_word(lowering, float_function(lowering, 2, true, told));
  told.conversion = WB_CONVERSION_SUM_DOUBLE_UPPER;
  wb_set_word_after(lowering, 1, float_function(lowering, 2, true, told));
}

static void lower_compare(struct wb_lowering *lowering, bool wide)
{
  struct float_form form;
  if (!is_comparison(lowering, &form) || (wide && !has_doubles(lowering, 2))) {
    (wide ? wb_lower_double_function : wb_lower_function)(lowering);
    return;
  }
  const struct wb_source bit =
      float_function(lowering, 2, wide,
                     (struct wb_micro_operation){.conversion = wide ? WB_CONVERSION_COMPARE_DOUBLE
                                                                    : WB_CONVERSION_COMPARE_SINGLE,
                                                 .relation = form.relation,
                                                 .most = 1});
  const struct wb_source holds = wb_emit(lowering, WB_MICRO_IS_NOT_ZERO, bit, wb_none(), wb_none());
  wb_set_predicate(lowering, 0,
                   wb_combine(lowering, form.table, holds, wb_truth(lowering, 2), wb_number(0)));
}

/* FSETP.GEU.AND P0, PT, a, b, P1: of what is no number nothing is told, so that GEU is as GE. */
void wb_lower_float_compare(struct wb_lowering *lowering)
{
  lower_compare(lowering, false);
}

/* DSETP.GT.AND P0, PT, a, b, P1. */
void wb_lower_double_compare(struct wb_lowering *lowering)
{
  lower_compare(lowering, true);
}
