/* Moves: registers, constants, special registers. Conversions. Video instructions. */
#include "isa/lower/lowering.h"
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

/* SHFL.IDX PT, R0, R1, RZ, 0x1f: the word of one lane for all. Of other shuffles nothing is known.
 */
void wb_lower_shuffle(struct wb_lowering *lowering)
{
  lowering->failed |= lowering->instruction->agreement != WB_AGREES_BY_LANE ||
                      !wb_take_modifier(lowering, WB_MODIFIER_IDX);
  lowering->sources_read = 6; /* which lane */
  wb_set_word(lowering,
              wb_emit(lowering, WB_MICRO_SOME_LANE, wb_word(lowering, 0), wb_none(), wb_none()));
}

/* One word for all lanes that do it, of which nothing else is known. */
static struct wb_source any_for_all(struct wb_lowering *lowering)
{
  const struct wb_source any = wb_emit(lowering, WB_MICRO_UNKNOWN, wb_none(), wb_none(), wb_none());
  return wb_emit(lowering, WB_MICRO_SOME_LANE, any, wb_none(), wb_none());
}

/* VOTE.ANY R0, P0, P1; VOTE.ALL P0, P1; REDUX.SUM UR0, R0: one word for all lanes. Without a
 * register the second predicate is a source. The register is the mask of lanes whose predicate
 * holds. Whether any does is whether that is not 0; whether all do, or all agree, is not. */
void wb_lower_vote(struct wb_lowering *lowering)
{
  const bool any = wb_instruction_has(lowering->instruction, WB_MODIFIER_ANY);
  const struct wb_source word = any_for_all(lowering);
  const struct wb_source told = any ? word : any_for_all(lowering);
  lowering->sources_read = (1U << lowering->source_count) - 1;
  lowering->modifiers_read = (1U << lowering->instruction->modifier_count) - 1;
  if (lowering->target != NULL)
    wb_set_word(lowering, word);
  wb_set_predicate(lowering, 0,
                   wb_emit(lowering, WB_MICRO_IS_NOT_ZERO, told, wb_none(), wb_none()));
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

/* ---- conversions of integers ---- */

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

/* The sources of a function that is not told. */
struct function_sources {
  struct wb_micro_operation function;
  size_t count;
};

/* Adds a word. What does not fit any more goes into a function of its own first. */
static void add_word(struct wb_lowering *lowering, struct function_sources *sources,
                     struct wb_source word)
{
  const size_t most = sizeof sources->function.sources / sizeof *sources->function.sources;
  if (sources->count == most) {
    sources->function.most = UINT32_MAX;
    const struct wb_source earlier = wb_emit_operation(lowering, &sources->function);
    sources->function =
        (struct wb_micro_operation){.kind = WB_MICRO_FUNCTION, .sources = {earlier}};
    sources->count = 1;
  }
  sources->function.sources[sources->count++] = word;
}

/* Adds an operand with whatever sign and part: a function of the whole word, or, of 64 bits, of
 * both words, is one as well. */
static void add_operand(struct wb_lowering *lowering, struct function_sources *sources,
                        size_t number, bool wide)
{
  struct wb_operand plain = lowering->sources[number];
  struct wb_lowering one = *lowering;
  struct wb_source words[2];
  plain.negated = plain.complemented = plain.absolute = plain.half = plain.upper = false;
  plain.part = 0;
  if (plain.kind == WB_OPERAND_FLOAT)
    return; /* the same number in all lanes */
  one.sources = &plain;
  one.source_count = 1;
  if (plain.kind == WB_OPERAND_PREDICATE)
    words[0] = wb_emit(&one, WB_MICRO_SELECT, wb_number(1), wb_number(0), wb_truth(&one, 0));
  else if (wide)
    wb_words_of_source(&one, 0, words);
  else
    words[0] = wb_word(&one, 0);
  lowering->failed |= one.failed;
  for (size_t w = 0; w <= (wide && plain.kind != WB_OPERAND_PREDICATE); w++)
    add_word(lowering, sources, words[w]);
}

/* The first word that is written is what `told` says of a function, and predicates are functions of
 * all sources; of two words the second is not known, but that of a float of 64 bits. */
static void lower_function(struct wb_lowering *lowering, const struct wb_micro_operation *told,
                           bool wide)
{
  /* Those by which the condition code or a half of the target is one more source. */
  static const enum wb_modifier hidden[] = {WB_MODIFIER_X,      WB_MODIFIER_XHI,
                                            WB_MODIFIER_XLO,    WB_MODIFIER_XMED,
                                            WB_MODIFIER_MRG_H0, WB_MODIFIER_MRG_H1};
  const struct wb_instruction *instruction = lowering->instruction;
  struct function_sources sources = {.function = {.kind = WB_MICRO_FUNCTION}};
  for (size_t h = 0; h < sizeof hidden / sizeof *hidden; h++)
    lowering->failed |= wb_instruction_has(instruction, hidden[h]);
  lowering->failed |= instruction->agreement == WB_AGREES_NEVER;
  wide |= wb_instruction_has(instruction, WB_MODIFIER_F64) ||
          wb_instruction_has(instruction, WB_MODIFIER_S64) ||
          wb_instruction_has(instruction, WB_MODIFIER_U64);
  for (size_t s = 0; s < lowering->source_count && !lowering->failed; s++)
    add_operand(lowering, &sources, s, wide);
  if (lowering->failed)
    return;
  lowering->sources_read = (1U << lowering->source_count) - 1;
  lowering->modifiers_read = (1U << instruction->modifier_count) - 1; /* all of them */
  for (size_t o = 0; o < lowering->output_count; o++) {
    if (!wb_has_output(lowering, o))
      continue;
    sources.function.most = 1;
    const struct wb_source bit = wb_emit_operation(lowering, &sources.function);
    wb_set_predicate(lowering, o,
                     wb_emit(lowering, WB_MICRO_IS_NOT_ZERO, bit, wb_none(), wb_none()));
  }
  sources.function.least = told->least;
  sources.function.most = told->most;
  sources.function.conversion = told->conversion;
  sources.function.as_signed = told->as_signed;
  if (lowering->target == NULL)
    return;
  wb_set_word(lowering, wb_emit_operation(lowering, &sources.function));
  if (told->conversion == WB_CONVERSION_TO_DOUBLE_LOWER) {
    sources.function.conversion = WB_CONVERSION_TO_DOUBLE_UPPER;
    wb_set_word_after(lowering, 1, wb_emit_operation(lowering, &sources.function));
  }
}

/* F2F R0, a; I2IP; arithmetic and comparisons of numbers in single precision; UCLEA; VABSDIFF4
 * of Maxwell: bytes chosen, added, merged. */
void wb_lower_function(struct wb_lowering *lowering)
{
  lower_function(lowering, &(struct wb_micro_operation){.most = UINT32_MAX}, false);
}

/* DADD R0, a, b: of 64 bits. */
void wb_lower_double_function(struct wb_lowering *lowering)
{
  lower_function(lowering, &(struct wb_micro_operation){.most = UINT32_MAX}, true);
}

/* FCHK P0, a, b: a predicate alone is written. */
void wb_lower_check(struct wb_lowering *lowering)
{
  if (lowering->target != NULL) {
    lowering->sources--;
    lowering->source_count++;
    lowering->target = NULL;
  }
  wb_lower_function(lowering);
}

/* HFMA2 R0, -RZ, RZ, 0, 5.9604644775390625e-08: -0 * 0 + n is n in both halves, the upper one
 * first; compilers load numbers so. Other products: a function of their sources. */
void wb_lower_half_load(struct wb_lowering *lowering)
{
  const struct wb_operand *sources = lowering->sources;
  bool loads = lowering->source_count == 4;
  for (size_t s = 0; s < 2 && loads; s++)
    loads = sources[s].kind == WB_OPERAND_REGISTER && sources[s].number == WB_NO_REGISTER &&
            sources[s].negated == (s == 0) && !sources[s].half;
  if (!loads || sources[2].kind != WB_OPERAND_FLOAT || sources[3].kind != WB_OPERAND_FLOAT) {
    wb_lower_function(lowering);
    return;
  }
  wb_take_modifier(lowering, WB_MODIFIER_MMA);
  lowering->sources_read |= 3;
  const uint32_t upper = half_bits(lowering, 2);
  wb_set_word(lowering, wb_number(upper << 16 | half_bits(lowering, 3)));
}

/* Whether the instruction, with one source as it stands, converts between an integer of 32 bits and
 * a float of 32 or, where *wide, 64: a conversion with other types has other modifiers. */
static bool is_conversion(const struct wb_lowering *lowering, bool *as_signed, bool *wide)
{
  static const enum wb_modifier others[] = {WB_MODIFIER_S32,  WB_MODIFIER_F32,  WB_MODIFIER_FTZ,
                                            WB_MODIFIER_NTZ,  WB_MODIFIER_RN,   WB_MODIFIER_RM,
                                            WB_MODIFIER_RP,   WB_MODIFIER_RZ,   WB_MODIFIER_FLOOR,
                                            WB_MODIFIER_CEIL, WB_MODIFIER_TRUNC};
  const struct wb_instruction *instruction = lowering->instruction;
  const struct wb_operand *source = &lowering->sources[0];
  *as_signed = true;
  *wide = false;
  if (lowering->source_count != 1 || source->negated || source->complemented || source->absolute ||
      source->half || source->part != 0 || source->kind == WB_OPERAND_FLOAT ||
      source->kind == WB_OPERAND_PREDICATE)
    return false;
  for (unsigned m = 0; m < instruction->modifier_count; m++) {
    const enum wb_modifier modifier = (enum wb_modifier)instruction->modifiers[m];
    bool known = false;
    for (size_t o = 0; o < sizeof others / sizeof *others; o++)
      known |= modifier == others[o];
    *as_signed &= modifier != WB_MODIFIER_U32;
    *wide |= modifier == WB_MODIFIER_F64;
    if (!known && modifier != WB_MODIFIER_U32 && modifier != WB_MODIFIER_F64)
      return false;
  }
  return true;
}

/* I2F.F64.U32 R0, a; I2FP.F32.S32. */
void wb_lower_to_float(struct wb_lowering *lowering)
{
  struct wb_micro_operation told = {.most = UINT32_MAX};
  bool wide;
  if (is_conversion(lowering, &told.as_signed, &wide))
    told.conversion = wide ? WB_CONVERSION_TO_DOUBLE_LOWER : WB_CONVERSION_TO_SINGLE;
  lower_function(lowering, &told, false);
}

/* F2I.U16.F32 R0, a: the result is a number of its type, which is the first one named. */
void wb_lower_to_integer(struct wb_lowering *lowering)
{
  const struct wb_instruction *instruction = lowering->instruction;
  struct wb_micro_operation told = {.most = UINT32_MAX};
  bool wide;
  for (unsigned m = 0; m < instruction->modifier_count; m++) {
    const struct integer_type type = type_of((enum wb_modifier)instruction->modifiers[m]);
    if (type.bits == 0)
      continue;
    if (!type.as_signed && type.bits < 32)
      told.most = (UINT32_C(1) << type.bits) - 1;
    break;
  }
  if (is_conversion(lowering, &told.as_signed, &wide))
    told.conversion = wide ? WB_CONVERSION_FROM_DOUBLE : WB_CONVERSION_FROM_SINGLE;
  lower_function(lowering, &told, false);
}

/* FSEL R0, a, b, P0: a choice of words as they stand; another one is a function. */
void wb_lower_float_select(struct wb_lowering *lowering)
{
  bool words = lowering->instruction->modifier_count == 0 && lowering->source_count == 3;
  for (size_t s = 0; s < 2 && words; s++) {
    const struct wb_operand *source = &lowering->sources[s];
    /* Of -1 the operand does not tell whether it is an integer or a float. */
    words = !source->negated && !source->absolute && source->kind != WB_OPERAND_FLOAT &&
            source->kind != WB_OPERAND_NUMBER;
  }
  if (words)
    wb_lower_select(lowering);
  else
    wb_lower_function(lowering);
}

/* ---- video instructions ---- */

/* The video instructions of Maxwell and Pascal: sums, comparisons and shifts of bytes, halves and
 * words, with a second operation. Results that are saturated or merged have no lowering. */

/* The two operands of a video instruction. */
struct video {
  struct integer_type types[2];
  struct wb_source parts[2];
  bool adds; /* ACC: the third source is added to the result */
};

/* Reads what is left of the modifiers: two types, signed words where they are not written. The
 * third source is read only where it is added. */
static struct video read_video(struct wb_lowering *lowering)
{
  struct video video = {.types = {{32, true}, {32, true}},
                        .adds = wb_take_modifier(lowering, WB_MODIFIER_ACC)};
  wb_take_modifier(lowering, WB_MODIFIER_UD); /* of use for saturation alone */
  if (lowering->modifiers_read != (UINT32_C(1) << lowering->instruction->modifier_count) - 1)
    for (size_t i = 0; i < 2; i++)
      video.types[i] = type_of(wb_next_modifier(lowering));
  lowering->failed |= video.types[0].bits == 0 || video.types[1].bits == 0;
  for (size_t i = 0; i < 2 && !lowering->failed; i++)
    video.parts[i] = wb_part(lowering, i, video.types[i].bits, video.types[i].as_signed);
  return video;
}

static void set_result(struct wb_lowering *lowering, const struct video *video,
                       struct wb_source result)
{
  const struct wb_source c = wb_word(lowering, 2);
  wb_set_word(lowering, video->adds ? wb_sum(lowering, result, c, wb_none()) : result);
}

/* Whether the parts are ordered as signed words; fails where neither reading holds both. */
static bool ordered_as_signed(struct wb_lowering *lowering, const struct video *video)
{
  bool as_signed = true;
  for (size_t i = 0; i < 2; i++)
    if (video->types[i].bits == 32 && !video->types[i].as_signed)
      as_signed = false;
  for (size_t i = 0; i < 2; i++)
    lowering->failed |= !as_signed && video->types[i].as_signed;
  for (size_t i = 0; i < 2; i++)
    lowering->failed |= video->parts[i].negated;
  return as_signed;
}

/* VADD.U8.U8 R0, a, b, c. */
void wb_lower_video_sum(struct wb_lowering *lowering)
{
  const struct video video = read_video(lowering);
  set_result(lowering, &video, wb_sum(lowering, video.parts[0], video.parts[1], wb_none()));
}

static struct wb_source extreme_part(struct wb_lowering *lowering, const struct video *video,
                                     bool most)
{
  return wb_emit_signed(lowering, most ? WB_MICRO_MAXIMUM : WB_MICRO_MINIMUM,
                        ordered_as_signed(lowering, video), video->parts[0], video->parts[1],
                        wb_none());
}

/* VMNMX R0, a, b, c: the least; .MX: the greatest. */
void wb_lower_video_extreme(struct wb_lowering *lowering)
{
  const bool most = wb_take_modifier(lowering, WB_MODIFIER_MX);
  const struct video video = read_video(lowering);
  set_result(lowering, &video, extreme_part(lowering, &video, most));
}

/* VABSDIFF R0, a, b, c. */
void wb_lower_video_difference(struct wb_lowering *lowering)
{
  wb_take_modifier(lowering, WB_MODIFIER_SD); /* of use for saturation alone */
  const struct video video = read_video(lowering);
  const struct wb_source most = extreme_part(lowering, &video, true);
  const struct wb_source least = extreme_part(lowering, &video, false);
  set_result(lowering, &video, wb_sum(lowering, most, wb_negated(lowering, least), wb_none()));
}

/* VSET.LT R0, a, b, c: 1 or 0. VSETP.LT.U8.U8.AND P0, PT, a, b, P1: what the second result is, is
 * not known. */
void wb_lower_video_compare(struct wb_lowering *lowering)
{
  static const struct {
    uint8_t modifier, relation;
  } rows[] = {{WB_MODIFIER_LT, WB_RELATION_LESS},    {WB_MODIFIER_EQ, WB_RELATION_EQUAL},
              {WB_MODIFIER_LE, WB_RELATION_AT_MOST}, {WB_MODIFIER_GT, WB_RELATION_GREATER},
              {WB_MODIFIER_NE, WB_RELATION_UNEQUAL}, {WB_MODIFIER_GE, WB_RELATION_AT_LEAST}};
  size_t r = 0;
  while (r < sizeof rows / sizeof *rows &&
         !wb_take_modifier(lowering, (enum wb_modifier)rows[r].modifier))
    r++;
  if (r == sizeof rows / sizeof *rows) {
    lowering->failed = true;
    return;
  }
  const bool predicate = lowering->instruction->number == WB_OPCODE_VSETP;
  const struct video video = read_video(lowering);
  const uint8_t table = predicate ? wb_next_table(lowering) : 0;
  const struct wb_source outcome =
      wb_compare(lowering, (enum wb_relation)rows[r].relation, ordered_as_signed(lowering, &video),
                 video.parts[0], video.parts[1]);
  if (predicate)
    wb_set_predicate(lowering, 0,
                     wb_combine(lowering, table, outcome, wb_truth(lowering, 2), wb_number(0)));
  else
    set_result(lowering, &video,
               wb_emit(lowering, WB_MICRO_SELECT, wb_number(1), wb_number(0), outcome));
}

/* VSHL R0, a, b, c; VSHR: more than 31 places leave nothing; .W: modulo 32. */
void wb_lower_video_shift(struct wb_lowering *lowering)
{
  const bool left = lowering->instruction->number == WB_OPCODE_VSHL;
  const bool wraps = wb_take_modifier(lowering, WB_MODIFIER_W);
  const struct video video = read_video(lowering);
  const struct wb_source count =
      wraps ? wb_lookup(lowering, WB_TABLE_AND, video.parts[1], wb_number(31), wb_number(0))
            : video.parts[1];
  lowering->failed |= count.negated || video.parts[0].negated;
  set_result(lowering, &video,
             wb_emit_signed(lowering, left ? WB_MICRO_SHIFT_LEFT : WB_MICRO_SHIFT_RIGHT,
                            !left && video.types[0].as_signed, video.parts[0], count, wb_none()));
}

/* VMAD.U16.U16 R0, a, b, c: a * b + c. */
void wb_lower_video_product(struct wb_lowering *lowering)
{
  struct video video = read_video(lowering);
  lowering->failed |= video.adds;
  video.adds = true;
  set_result(lowering, &video,
             wb_emit(lowering, WB_MICRO_MULTIPLY, video.parts[0], video.parts[1], wb_none()));
}
