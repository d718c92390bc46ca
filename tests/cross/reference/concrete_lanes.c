#include "concrete_lanes.h"

#include "isa/opcode.h"

#include <math.h>
#include <string.h>

typedef struct wb_concrete_number number;

/* What the evaluation of one operation in one lane needs. */
struct evaluation {
  struct wb_concrete *concrete;
  const struct wb_micro_code *code;
  const struct wb_micro_operation *operation;
  unsigned lane;
  bool known; /* all that was read so far */
};

/* ---- sources ---- */

static number register_at(const struct evaluation *of, unsigned which)
{
  const struct wb_concrete_lane *lane = &of->concrete->lanes[of->lane];
  return (number){lane->words[which], lane->known[which]};
}

static number pair_of(number low, number high)
{
  return (number){low.number | high.number << 32, low.known && high.known};
}

static number constant_at(const struct evaluation *of, const struct wb_source *source, unsigned on)
{
  const struct wb_concrete_memory *memory = &of->concrete->memory;
  uint32_t offset = (uint32_t)source->value + on;
  bool known = true;
  if (source->index != WB_NO_REGISTER) {
    const number index = register_at(of, source->index);
    offset += (uint32_t)index.number;
    known = index.known;
  }
  return (number){memory->constant(memory->context, source->bank, offset), known};
}

/* A source without its sign. */
static number plain_value(const struct evaluation *of, const struct wb_source *source)
{
  const struct wb_concrete_memory *memory = &of->concrete->memory;
  switch ((enum wb_source_kind)source->kind) {
  case WB_SOURCE_NONE:
    return (number){0, true};
  case WB_SOURCE_RESULT:
    return of->concrete->results[source->number][of->lane];
  case WB_SOURCE_REGISTER:
  case WB_SOURCE_PREDICATE:
    return register_at(of, source->number);
  case WB_SOURCE_REGISTER_PAIR:
    return pair_of(register_at(of, source->number), register_at(of, source->number + 1U));
  case WB_SOURCE_NUMBER:
    return (number){source->value, true};
  case WB_SOURCE_CONSTANT:
    return constant_at(of, source, 0);
  case WB_SOURCE_CONSTANT_PAIR:
    return pair_of(constant_at(of, source, 0), constant_at(of, source, 4));
  case WB_SOURCE_LABEL:
    return (number){source->value, false};
  case WB_SOURCE_SPECIAL:
    return (number){memory->special(memory->context, of->lane, (uint32_t)source->value),
                    source->value >= WB_SPECIAL_ZERO};
  }
  return (number){0, false};
}

static uint64_t wide(struct evaluation *of, unsigned which)
{
  const struct wb_source *source = &of->operation->sources[which];
  const number value = plain_value(of, source);
  of->known &= value.known;
  return source->negated ? 0 - value.number : source->complemented ? ~value.number : value.number;
}

static uint32_t word(struct evaluation *of, unsigned which)
{
  return (uint32_t)wide(of, which);
}

static bool truth(struct evaluation *of, unsigned which)
{
  const struct wb_source *source = &of->operation->sources[which];
  const number value = plain_value(of, source);
  of->known &= value.known;
  return (value.number != 0) != source->negated;
}

/* ---- operations ---- */

static uint64_t extended(uint32_t a, bool as_signed)
{
  return as_signed && a > INT32_MAX ? a | UINT64_C(0xffffffff00000000) : a;
}

static uint64_t shifted_right(uint64_t a, unsigned count, bool as_signed)
{
  return as_signed && a >> 63 != 0 ? ~(~a >> count) : a >> count;
}

static uint64_t product(struct evaluation *of)
{
  return extended(word(of, 0), of->operation->as_signed) *
         extended(word(of, 1), of->operation->b_signed);
}

static uint32_t funnel(struct evaluation *of, bool left)
{
  const uint64_t both = (uint64_t)word(of, 1) << 32 | word(of, 0);
  const uint32_t count = word(of, 2);
  if (count > 63) {
    of->known = false;
    return 0;
  }
  return (uint32_t)(left ? both << count >> 32
                         : shifted_right(both, count, of->operation->as_signed));
}

static uint32_t lookup(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
  uint32_t result = 0;
  for (unsigned entry = 0; entry < 8; entry++)
    if ((table >> entry & 1) != 0)
      result |=
          ((entry & 4) != 0 ? a : ~a) & ((entry & 2) != 0 ? b : ~b) & ((entry & 1) != 0 ? c : ~c);
  return result;
}

static uint32_t permuted(uint64_t bytes, uint32_t selector)
{
  uint32_t result = 0;
  for (unsigned place = 0; place < 4; place++) {
    const unsigned digit = selector >> 4 * place & 15;
    const uint32_t byte = bytes >> 8 * (digit & 7) & 0xff;
    const uint32_t sign = byte > 0x7f ? 0xff : 0;
    result |= (digit > 7 ? sign : byte) << 8 * place;
  }
  return result;
}

static uint32_t field(uint32_t a, unsigned place, unsigned bits, bool as_signed)
{
  const uint64_t above = (uint64_t)a << (64 - place - bits);
  return (uint32_t)shifted_right(above, 64 - bits, as_signed);
}

static bool is_less(uint64_t a, uint64_t b, bool as_signed, bool of_words)
{
  const uint64_t turn = !as_signed ? 0 : of_words ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
  return (a ^ turn) < (b ^ turn);
}

static bool holds(enum wb_relation relation, bool less, bool equal)
{
  switch (relation) {
  case WB_RELATION_LESS:
    return less;
  case WB_RELATION_EQUAL:
    return equal;
  case WB_RELATION_AT_MOST:
    return less || equal;
  case WB_RELATION_GREATER:
    return !less && !equal;
  case WB_RELATION_UNEQUAL:
    return !equal;
  case WB_RELATION_AT_LEAST:
    return !less;
  }
  return false;
}

static bool compared(struct evaluation *of, uint64_t a, uint64_t b, bool of_words)
{
  const struct wb_micro_operation *operation = of->operation;
  return holds((enum wb_relation)operation->relation, is_less(a, b, operation->as_signed, of_words),
               a == b);
}

/* The upper words and, where they are equal, the condition code. */
static bool compared_by_carry(struct evaluation *of)
{
  const uint32_t a = word(of, 0);
  const uint32_t b = word(of, 1);
  const struct wb_concrete_lane *lane = &of->concrete->lanes[of->lane];
  if (a != b)
    return compared(of, a, b, true);
  const bool carry = truth(of, 2);
  of->known &= lane->zero_known && (carry || !lane->zero);
  return holds((enum wb_relation)of->operation->relation, !carry, lane->zero);
}

/* The carry of the ADD that the first source refers to. */
static bool carry_of(struct evaluation *of)
{
  const struct wb_micro_operation *add = &of->code->operations[of->operation->sources[0].number];
  struct evaluation addends = {of->concrete, of->code, add, of->lane, true};
  uint64_t sum = 0;
  unsigned words = 0;
  for (unsigned s = 0; s < 3; s++) {
    struct wb_source source = add->sources[s];
    const number value = plain_value(&addends, &source);
    const uint32_t plain = (uint32_t)value.number;
    uint64_t addend = source.complemented ? (uint32_t)~plain : plain;
    if (source.negated)
      addend = (uint64_t)(uint32_t)~plain + 1;
    sum += addend;
    words += addend != 0;
    addends.known &= value.known;
  }
  for (unsigned s = 3; s < 5; s++)
    sum += add->sources[s].kind != WB_SOURCE_NONE && truth(&addends, s);
  /* Of three words the first carry is the one that is true for one. */
  of->known = addends.known && (words == 3 || (!of->operation->second && sum >> 33 == 0));
  return sum >> (of->operation->second ? 33 : 32) != 0;
}

static uint32_t leading_one(uint32_t a, bool as_signed)
{
  if (as_signed && a > INT32_MAX)
    a = ~a;
  for (uint32_t bit = 32; bit-- > 0;)
    if ((a >> bit & 1) != 0)
      return bit;
  return UINT32_MAX;
}

static uint32_t bits_of(uint32_t a, bool reversed)
{
  uint32_t count = 0;
  uint32_t reverse = 0;
  for (unsigned bit = 0; bit < 32; bit++) {
    count += a >> bit & 1;
    reverse |= (a >> bit & 1) << (31 - bit);
  }
  return reversed ? reverse : count;
}

/* The word of a random lane; known where all have the same. */
static uint32_t of_some_lane(struct evaluation *of)
{
  struct evaluation other = *of;
  uint32_t chosen = 0;
  unsigned seen = 0;
  bool same = true;
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++) {
    if ((of->concrete->doing >> l & 1) == 0)
      continue;
    other.lane = l;
    const uint32_t value = word(&other, 0);
    same &= seen == 0 || value == chosen;
    if (wb_random_below(&of->concrete->random, ++seen) == 0)
      chosen = value;
  }
  of->known = other.known && same;
  return chosen;
}

/* The number with which the processor rounds, or its other neighbour. */
static uint32_t to_single(double real, bool other)
{
  float single = (float)real;
  uint32_t bits;
  if (other && (double)single != real)
    single = nextafterf(single, (double)single < real ? INFINITY : -INFINITY);
  memcpy(&bits, &single, sizeof bits);
  return bits;
}

static uint32_t to_integer(double real, bool upward, bool as_signed)
{
  const double least = as_signed ? -2147483648.0 : 0;
  const double most = as_signed ? 2147483647.0 : 4294967295.0;
  const double whole = upward ? ceil(real) : floor(real);
  return (uint32_t)(int64_t)(whole < least ? least : whole > most ? most : whole);
}

static float single_of(uint32_t bits)
{
  float single;
  memcpy(&single, &bits, sizeof single);
  return single;
}

static float flushed(float single, bool flushes)
{
  return flushes && single != 0 && !isnormal(single) && !isnan(single) && !isinf(single)
             ? copysignf(0.0F, single)
             : single;
}

/* Sums and products of single floats, rounded to either side, with what is below 2^-126 taken for 0
 * or not; minima and maxima. */
static uint32_t single_result(struct evaluation *of, bool other, bool flushes, uint32_t any)
{
  const enum wb_conversion kind = (enum wb_conversion)of->operation->conversion;
  const float a = flushed(single_of(word(of, 0)), flushes);
  const float b = flushed(single_of(word(of, 1)), flushes);
  const float c = flushed(single_of(word(of, 2)), flushes);
  uint32_t bits;
  if (kind == WB_CONVERSION_MINIMUM_SINGLE || kind == WB_CONVERSION_MAXIMUM_SINGLE) {
    if (isnan(a) && isnan(b))
      return any;
    const bool a_less = a < b || (a == b && signbit(a) != 0 && signbit(b) == 0);
    const bool first = isnan(b) || (!isnan(a) && a_less == (kind == WB_CONVERSION_MINIMUM_SINGLE));
    const float result = first ? a : b;
    memcpy(&bits, &result, sizeof bits);
    return bits;
  }
  if (!isfinite(a) || !isfinite(b) || (kind == WB_CONVERSION_FUSED_SINGLE && !isfinite(c)))
    return any;
  /* The processor's single precision rounds these to the nearest. */
  float result = kind == WB_CONVERSION_SUM_SINGLE       ? a + b
                 : kind == WB_CONVERSION_PRODUCT_SINGLE ? a * b
                                                        : fmaf(a, b, c);
  const long double exact = kind == WB_CONVERSION_SUM_SINGLE ? (long double)a + (long double)b
                            : kind == WB_CONVERSION_PRODUCT_SINGLE
                                ? (long double)a * (long double)b
                                : (long double)a * (long double)b + (long double)c;
  if (!isfinite(result))
    return any;
  if (other && (long double)result != exact)
    result = nextafterf(result, (long double)result < exact ? INFINITY : -INFINITY);
  result = flushed(result, flushes);
  memcpy(&bits, &result, sizeof bits);
  return isfinite(result) ? bits : any;
}

/* Sums and comparisons of two floats; `any` where it is not told what they give. */
static uint32_t calculated(struct evaluation *of, uint32_t any)
{
  const struct wb_micro_operation *operation = of->operation;
  const enum wb_conversion kind = (enum wb_conversion)operation->conversion;
  const bool compares =
      kind == WB_CONVERSION_COMPARE_SINGLE || kind == WB_CONVERSION_COMPARE_DOUBLE;
  double doubles[2];
  uint64_t bits[2];
  for (unsigned i = 0; i < 2; i++) {
    const float single = single_of(word(of, i));
    bits[i] = (uint64_t)word(of, 2 * i + 1) << 32 | word(of, 2 * i);
    memcpy(&doubles[i], &bits[i], sizeof doubles[i]);
    if (kind == WB_CONVERSION_COMPARE_SINGLE)
      doubles[i] = (double)single;
    if (kind == WB_CONVERSION_COMPARE_SINGLE ? single != 0 && !isnormal(single)
                                             : doubles[i] != 0 && !isnormal(doubles[i]))
      return any;
  }
  if (compares)
    return holds((enum wb_relation)operation->relation, doubles[0] < doubles[1],
                 doubles[0] == doubles[1]);
  const double sum = doubles[0] + doubles[1];
  memcpy(bits, &sum, sizeof sum);
  if ((long double)doubles[0] + (long double)doubles[1] != (long double)sum ||
      !(sum == 0 || isnormal(sum)))
    return any;
  return (uint32_t)(bits[0] >> (kind == WB_CONVERSION_SUM_DOUBLE_UPPER ? 32 : 0));
}

/* An integer as a float, or a float as an integer; `other` and `any` are chosen at random. */
static uint32_t converted(struct evaluation *of, bool other, bool flushes, uint32_t any)
{
  const struct wb_micro_operation *operation = of->operation;
  const double integer = operation->as_signed ? (double)(int32_t)word(of, 0) : (double)word(of, 0);
  uint64_t bits;
  uint32_t half;
  float single;
  double real;
  if (operation->conversion >= WB_CONVERSION_SUM_SINGLE)
    return operation->conversion <= WB_CONVERSION_MAXIMUM_SINGLE
               ? single_result(of, other, flushes, any)
               : calculated(of, any);
  switch ((enum wb_conversion)operation->conversion) {
  case WB_CONVERSION_TO_SINGLE:
    return to_single(integer, other);
  case WB_CONVERSION_TO_DOUBLE_LOWER:
  case WB_CONVERSION_TO_DOUBLE_UPPER:
    memcpy(&bits, &integer, sizeof bits);
    return (uint32_t)(bits >> (operation->conversion == WB_CONVERSION_TO_DOUBLE_UPPER ? 32 : 0));
  case WB_CONVERSION_FROM_SINGLE:
    half = word(of, 0);
    memcpy(&single, &half, sizeof single);
    real = (double)single;
    break;
  default: /* WB_CONVERSION_FROM_DOUBLE */
    bits = (uint64_t)word(of, 1) << 32 | word(of, 0);
    memcpy(&real, &bits, sizeof real);
  }
  return isnan(real) ? any : to_integer(real, other, operation->as_signed);
}

/* A number that depends on the sources alone. */
static uint32_t of_function(struct evaluation *of)
{
  const struct wb_micro_operation *operation = of->operation;
  struct wb_random mixed = {operation->kind};
  for (unsigned s = 0; s < 5; s++) {
    mixed.state ^= wide(of, s);
    mixed.state = wb_random_next(&mixed);
  }
  if (operation->conversion != WB_CONVERSION_NONE) {
    of->known = false;
    return converted(of, (mixed.state & 1) != 0, (mixed.state & 2) != 0,
                     (uint32_t)(mixed.state >> 32));
  }
  of->known = operation->least == operation->most;
  return operation->least +
         (uint32_t)wb_random_below(&mixed, (uint64_t)operation->most - operation->least + 1);
}

static uint32_t sum_of(struct evaluation *of)
{
  uint32_t sum = word(of, 0) + word(of, 1) + word(of, 2);
  for (unsigned s = 3; s < 5; s++)
    sum += of->operation->sources[s].kind != WB_SOURCE_NONE && truth(of, s);
  return sum;
}

static uint32_t extreme(struct evaluation *of, bool least)
{
  const uint32_t a = word(of, 0);
  const uint32_t b = word(of, 1);
  return is_less(a, b, of->operation->as_signed, true) == least ? a : b;
}

static uint64_t selected(struct evaluation *of)
{
  return wide(of, truth(of, 2) ? 0 : 1);
}

static uint64_t wide_result(struct evaluation *of)
{
  switch (of->operation->kind) {
  case WB_MICRO_WIDE_ADD:
    return wide(of, 0) + wide(of, 1) + wide(of, 2);
  case WB_MICRO_WIDE_MULTIPLY:
    return product(of);
  case WB_MICRO_WIDE_SELECT:
    return selected(of);
  case WB_MICRO_WIDE_EXTEND:
    return extended(word(of, 0), of->operation->as_signed);
  default:
    return wide(of, 0);
  }
}

static uint32_t shifted_word(struct evaluation *of, bool left)
{
  const uint32_t a = word(of, 0);
  const uint32_t count = word(of, 1);
  if (left)
    return count > 31 ? 0 : a << count;
  return (uint32_t)shifted_right(extended(a, of->operation->as_signed), count > 31 ? 32 : count,
                                 of->operation->as_signed);
}

static uint32_t word_result(struct evaluation *of)
{
  const struct wb_micro_operation *operation = of->operation;
  switch (operation->kind) {
  case WB_MICRO_ADD:
    return sum_of(of);
  case WB_MICRO_MULTIPLY:
    return word(of, 0) * word(of, 1);
  case WB_MICRO_MULTIPLY_UPPER:
    return (uint32_t)(product(of) >> 32);
  case WB_MICRO_SHIFT_LEFT:
  case WB_MICRO_SHIFT_RIGHT:
    return shifted_word(of, operation->kind == WB_MICRO_SHIFT_LEFT);
  case WB_MICRO_FUNNEL_LEFT:
  case WB_MICRO_FUNNEL_RIGHT:
    return funnel(of, operation->kind == WB_MICRO_FUNNEL_LEFT);
  case WB_MICRO_LOOKUP:
    return lookup(word(of, 0), word(of, 1), word(of, 2), operation->table);
  case WB_MICRO_PERMUTE:
    return permuted((uint64_t)word(of, 2) << 32 | word(of, 0), word(of, 1));
  case WB_MICRO_EXTRACT:
    return field(word(of, 0), operation->place, operation->bits, operation->as_signed);
  case WB_MICRO_SELECT:
    return (uint32_t)selected(of);
  case WB_MICRO_MINIMUM:
  case WB_MICRO_MAXIMUM:
    return extreme(of, operation->kind == WB_MICRO_MINIMUM);
  case WB_MICRO_ABSOLUTE:
    return word(of, 0) > INT32_MAX ? 0 - word(of, 0) : word(of, 0);
  case WB_MICRO_COUNT_ONES:
  case WB_MICRO_REVERSE:
    return bits_of(word(of, 0), operation->kind == WB_MICRO_REVERSE);
  case WB_MICRO_LEADING_ONE:
    return leading_one(word(of, 0), operation->as_signed);
  case WB_MICRO_SOME_LANE:
    return of_some_lane(of);
  case WB_MICRO_FUNCTION:
    return of_function(of);
  default:
    return word(of, 0);
  }
}

/* ---- the domain ---- */

static uint64_t result_of(struct evaluation *of)
{
  const uint8_t kind = of->operation->kind;
  if (kind >= WB_MICRO_CARRY && kind <= WB_MICRO_IS_NOT_ZERO) {
    const struct wb_micro_operation *operation = of->operation;
    switch (operation->kind) {
    case WB_MICRO_CARRY:
      return carry_of(of);
    case WB_MICRO_COMPARE:
      return compared(of, word(of, 0), word(of, 1), true);
    case WB_MICRO_COMPARE_UPPER:
      return word(of, 0) == word(of, 1) ? truth(of, 2)
                                        : compared(of, word(of, 0), word(of, 1), true);
    case WB_MICRO_COMPARE_BY_CARRY:
      return compared_by_carry(of);
    case WB_MICRO_COMPARE_WIDE:
      return compared(of, wide(of, 0), wide(of, 1), false);
    case WB_MICRO_COMBINE:
      return operation->table >> (4U * truth(of, 0) + 2U * truth(of, 1) + truth(of, 2)) & 1;
    default:
      return word(of, 0) != 0;
    }
  }
  return kind >= WB_MICRO_WIDE_COPY && kind <= WB_MICRO_WIDE_EXTEND ? wide_result(of)
                                                                    : word_result(of);
}

static void apply(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_concrete *concrete = context;
  const struct wb_concrete_number *same = NULL; /* that all lanes get */
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++) {
    struct evaluation of = {concrete, code, &code->operations[index], l, true};
    struct wb_concrete_number *result = &concrete->results[index][l];
    if ((concrete->doing >> l & 1) == 0)
      continue;
    if (same == NULL) {
      result->number = result_of(&of);
      result->known = of.known;
    } else {
      *result = *same;
    }
    if (of.operation->kind == WB_MICRO_SOME_LANE)
      same = result;
  }
}

static void unknown(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_concrete *concrete = context;
  (void)code;
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++)
    concrete->results[index][l] =
        (struct wb_concrete_number){(uint32_t)wb_random_next(&concrete->random), false};
}

static void begin(void *context, const struct wb_function *function, uint32_t index)
{
  struct wb_concrete *concrete = context;
  const struct wb_instruction *instruction = &function->instructions[index];
  concrete->doing = 0;
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++) {
    const bool runs = (concrete->running >> l & 1) != 0;
    const bool guarded = instruction->guard != WB_NO_REGISTER;
    const bool holds_there = !guarded || (concrete->lanes[l].words[instruction->guard] != 0) !=
                                             instruction->guard_negated;
    concrete->doing |= (uint32_t)(runs && holds_there) << l;
  }
}

static bool is_predicate(unsigned which)
{
  return (which >= WB_REGISTER_PREDICATE && which <= WB_REGISTER_CONDITION_CODE) ||
         (which >= WB_REGISTER_UNIFORM_PREDICATE && which < WB_REGISTER_BARRIER);
}

/* A register gets any which in the lanes that do the instruction. */
static void forget(struct wb_concrete *concrete, unsigned which)
{
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++) {
    struct wb_concrete_lane *lane = &concrete->lanes[l];
    if ((concrete->doing >> l & 1) == 0)
      continue;
    const uint32_t word = (uint32_t)wb_random_next(&concrete->random);
    lane->words[which] = is_predicate(which) ? word & 1 : word;
    lane->known[which] = false;
    if (which == WB_REGISTER_CONDITION_CODE)
      lane->zero_known = false;
  }
}

static void forget_writes(void *context, const struct wb_function *function, uint32_t index,
                          const struct wb_micro_code *code)
{
  (void)code;
  const struct wb_instruction *instruction = &function->instructions[index];
  (void)code;
  for (uint32_t w = 0; w < instruction->write_count; w++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + w];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++)
      forget(context, r);
  }
}

static void set(struct wb_concrete_lane *lane, unsigned which, uint64_t value, bool known)
{
  lane->words[which] = (uint32_t)value;
  lane->known[which] = known;
}

/* The condition code says of a sum without a carry in whether it is 0. */
static void set_zero(struct wb_concrete *concrete, unsigned l, const struct wb_micro_code *code,
                     const struct wb_micro_operation *carry)
{
  const unsigned index = carry->sources[0].number;
  concrete->lanes[l].zero_known = false;
  if (carry->kind != WB_MICRO_CARRY)
    return;
  const struct wb_concrete_number sum = concrete->results[index][l];
  concrete->lanes[l].zero = sum.number == 0;
  concrete->lanes[l].zero_known =
      sum.known && code->operations[index].sources[3].kind == WB_SOURCE_NONE;
}

static void write(void *context, const struct wb_micro_code *code,
                  const struct wb_micro_write *write_of)
{
  struct wb_concrete *concrete = context;
  for (unsigned l = 0; l < WB_CONCRETE_LANES; l++) {
    const struct wb_concrete_number result = concrete->results[write_of->result][l];
    struct wb_concrete_lane *lane = &concrete->lanes[l];
    if ((concrete->doing >> l & 1) == 0)
      continue;
    set(lane, write_of->number, is_predicate(write_of->number) ? result.number & 1 : result.number,
        result.known);
    if (write_of->wide)
      set(lane, write_of->number + 1U, result.number >> 32, result.known);
    if (write_of->number == WB_REGISTER_CONDITION_CODE)
      set_zero(concrete, l, code, &code->operations[write_of->result]);
  }
}

static void forget_all(void *context)
{
  struct wb_concrete *concrete = context;
  concrete->doing = concrete->running;
  for (unsigned r = 0; r < WB_REGISTER_COUNT; r++)
    forget(concrete, r);
}

void wb_concrete_run(struct wb_concrete *concrete, const struct wb_micro_code *code)
{
  concrete->doing = concrete->running;
  for (size_t o = 0; o < code->count; o++)
    (code->operations[o].kind == WB_MICRO_UNKNOWN ? unknown : apply)(concrete, code, o);
  for (size_t w = 0; w < code->write_count; w++)
    write(concrete, code, &code->writes[w]);
}

const struct wb_domain wb_concrete_domain = {
    .name = "concrete",
    .begin = begin,
    .apply =
        {
            [WB_MICRO_COPY] = apply,          [WB_MICRO_ADD] = apply,
            [WB_MICRO_MULTIPLY] = apply,      [WB_MICRO_MULTIPLY_UPPER] = apply,
            [WB_MICRO_SHIFT_LEFT] = apply,    [WB_MICRO_SHIFT_RIGHT] = apply,
            [WB_MICRO_FUNNEL_LEFT] = apply,   [WB_MICRO_FUNNEL_RIGHT] = apply,
            [WB_MICRO_LOOKUP] = apply,        [WB_MICRO_PERMUTE] = apply,
            [WB_MICRO_EXTRACT] = apply,       [WB_MICRO_SELECT] = apply,
            [WB_MICRO_MINIMUM] = apply,       [WB_MICRO_MAXIMUM] = apply,
            [WB_MICRO_ABSOLUTE] = apply,      [WB_MICRO_COUNT_ONES] = apply,
            [WB_MICRO_LEADING_ONE] = apply,   [WB_MICRO_REVERSE] = apply,
            [WB_MICRO_CARRY] = apply,         [WB_MICRO_COMPARE] = apply,
            [WB_MICRO_COMPARE_UPPER] = apply, [WB_MICRO_COMPARE_BY_CARRY] = apply,
            [WB_MICRO_COMPARE_WIDE] = apply,  [WB_MICRO_COMBINE] = apply,
            [WB_MICRO_IS_NOT_ZERO] = apply,   [WB_MICRO_WIDE_COPY] = apply,
            [WB_MICRO_WIDE_ADD] = apply,      [WB_MICRO_WIDE_MULTIPLY] = apply,
            [WB_MICRO_WIDE_SELECT] = apply,   [WB_MICRO_WIDE_EXTEND] = apply,
            [WB_MICRO_SOME_LANE] = apply,     [WB_MICRO_FUNCTION] = apply,
        },
    .unknown = unknown,
    .forget_writes = forget_writes,
    .write = write,
    .forget_all = forget_all,
};
