#include "values/lanes/lane_domain.h"

#include "values/lanes/lane_walk.h"
#include "values/lookup_table.h"

/* The words of a number of 64 bits are no terms yet. */
#define NO_TERM UINT32_MAX

#define ALL_ONES UINT32_MAX

/* ---- sources ---- */

static uint32_t value_of(const struct wb_lane_walk *walk, uint32_t term)
{
  return wb_lane_term_value(walk, term);
}

static uint32_t number(struct wb_lane_walk *walk, uint32_t number)
{
  return number == 0 ? wb_lane_term_zero(walk)
                     : wb_lane_term_plain(walk, wb_lanes_number(walk->values, number));
}

static uint32_t complement(struct wb_lane_walk *walk, uint32_t value)
{
  const uint32_t operands[3] = {value, WB_LANES_UNIFORM, WB_LANES_UNIFORM};
  return wb_lanes_lookup(walk->values, operands, 0x0f);
}

/* The lane value of a constant, `words` words after its place. */
static uint32_t constant(struct wb_lane_walk *walk, const struct wb_source *source, unsigned words)
{
  if (source->index == WB_NO_REGISTER)
    return wb_lane_constant(walk, source->bank, source->value + 4 * words);
  const uint32_t index = value_of(walk, wb_lane_walk_read(walk, source->index));
  return wb_lanes_are_uniform(walk->values, index) ? WB_LANES_UNIFORM : WB_LANES_UNKNOWN;
}

/* The term of a word or predicate without its sign. */
static uint32_t plain_source(struct wb_lane_walk *walk, const struct wb_source *source)
{
  switch (source->kind) {
  case WB_SOURCE_NONE:
    return wb_lane_term_zero(walk);
  case WB_SOURCE_RESULT:
    return walk->results[source->number].term;
  case WB_SOURCE_REGISTER:
  case WB_SOURCE_PREDICATE:
    return wb_lane_walk_read(walk, source->number);
  case WB_SOURCE_NUMBER:
    return number(walk, (uint32_t)source->value);
  case WB_SOURCE_CONSTANT:
    return wb_lane_term_plain(walk, constant(walk, source, 0));
  case WB_SOURCE_SPECIAL:
    return wb_lane_term_plain(walk, wb_lane_special(walk, (unsigned)source->value));
  default:
    return wb_lane_term_plain(walk, WB_LANES_UNKNOWN);
  }
}

static uint32_t word(struct wb_lane_walk *walk, const struct wb_source *source)
{
  const uint32_t term = plain_source(walk, source);
  if (source->complemented)
    return wb_lane_term_plain(walk, complement(walk, value_of(walk, term)));
  return source->negated
             ? wb_lane_term_plain(walk, wb_lanes_negate(walk->values, value_of(walk, term)))
             : term;
}

/* The lane value of a predicate: 0 or 1. */
static uint32_t predicate(struct wb_lane_walk *walk, const struct wb_source *source)
{
  const uint32_t value = value_of(walk, plain_source(walk, source));
  return source->negated ? wb_lanes_add(walk->values, wb_lanes_number(walk->values, 1),
                                        wb_lanes_negate(walk->values, value))
                         : value;
}

static struct wb_lane_result wide_source(struct wb_lane_walk *walk, const struct wb_source *source)
{
  struct wb_lane_result wide = {WB_LANES_UNKNOWN, NO_TERM, NO_TERM};
  switch (source->kind) {
  case WB_SOURCE_RESULT:
    wide = walk->results[source->number];
    break;
  case WB_SOURCE_NONE:
  case WB_SOURCE_NUMBER:
    wide.value = wb_lanes_wide_number(walk->values, source->value);
    break;
  case WB_SOURCE_REGISTER_PAIR:
    wide.term = wb_lane_walk_read(walk, source->number);
    wide.upper = wb_lane_walk_read(walk, source->number == WB_NO_REGISTER ? WB_NO_REGISTER
                                                                          : source->number + 1U);
    wide.value = wb_lane_terms_wide(walk, wide.term, wide.upper);
    break;
  case WB_SOURCE_CONSTANT_PAIR:
    wide.term = wb_lane_term_plain(walk, constant(walk, source, 0));
    wide.upper = wb_lane_term_plain(walk, constant(walk, source, 1));
    wide.value = wb_lane_terms_wide(walk, wide.term, wide.upper);
    break;
  default:
    break;
  }
  if (!source->negated && !source->complemented)
    return wide;
  wide = (struct wb_lane_result){wb_lanes_wide_negate(walk->values, wide.value), NO_TERM, NO_TERM};
  if (source->complemented)
    wide.value =
        wb_lanes_wide_add(walk->values, wide.value, wb_lanes_wide_number(walk->values, UINT64_MAX));
  return wide;
}

/* Makes terms of the words of a number of 64 bits. */
static void make_words(struct wb_lane_walk *walk, struct wb_lane_result *wide)
{
  if (wide->term != NO_TERM)
    return;
  wide->term = wb_lane_term_plain(walk, wb_lanes_lower_word(walk->values, wide->value));
  const struct wb_lane_term upper = {.form = WB_LANE_UPPER,
                                     .a = wide->term,
                                     .wide = wide->value,
                                     .value = wb_lanes_upper_word(walk->values, wide->value)};
  wide->upper = wb_lane_term_add(walk, &upper);
}

/* ---- results ---- */

static const struct wb_source *sources_of(const struct wb_micro_code *code, size_t index)
{
  return code->operations[index].sources;
}

static void set_term(struct wb_lane_walk *walk, size_t index, uint32_t term)
{
  walk->results[index] = (struct wb_lane_result){value_of(walk, term), term, NO_TERM};
}

static void set_value(struct wb_lane_walk *walk, size_t index, uint32_t value)
{
  set_term(walk, index, wb_lane_term_plain(walk, value));
}

static void set_wide(struct wb_lane_walk *walk, size_t index, uint32_t value)
{
  walk->results[index] = (struct wb_lane_result){value, NO_TERM, NO_TERM};
}

static bool has_wide_result(enum wb_micro_kind kind)
{
  return kind >= WB_MICRO_WIDE_COPY && kind <= WB_MICRO_WIDE_EXTEND;
}

/* The greatest word that an operation has as its result. */
static uint32_t most_of(const struct wb_micro_operation *operation)
{
  if (operation->kind >= WB_MICRO_CARRY && operation->kind <= WB_MICRO_IS_NOT_ZERO)
    return 1;
  if (operation->kind == WB_MICRO_COUNT_ONES)
    return 32;
  return operation->kind == WB_MICRO_FUNCTION ? operation->most : UINT32_MAX;
}

static bool is_uniform_source(struct wb_lane_walk *walk, const struct wb_source *source)
{
  const bool wide =
      source->kind == WB_SOURCE_REGISTER_PAIR || source->kind == WB_SOURCE_CONSTANT_PAIR;
  const uint32_t value = source->kind == WB_SOURCE_RESULT ? walk->results[source->number].value
                         : wide                           ? wide_source(walk, source).value
                                : value_of(walk, plain_source(walk, source));
  return wb_lanes_are_uniform(walk->values, value);
}

/* Any function of the sources. */
static void some_function(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  bool uniform = true;
  for (size_t s = 0; s < 5; s++)
    uniform = uniform && is_uniform_source(walk, &operation->sources[s]);
  if (has_wide_result(operation->kind))
    set_wide(walk, index, uniform ? WB_LANES_WIDE : WB_LANES_UNKNOWN);
  else
    set_value(walk, index,
              uniform ? wb_lanes_uniform_below(walk->values, most_of(operation))
                      : WB_LANES_UNKNOWN);
}

static void unknown(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  if (has_wide_result(code->operations[index].kind))
    set_wide(walk, index, WB_LANES_UNKNOWN);
  else
    set_value(walk, index, WB_LANES_UNKNOWN);
}

/* Whether a source is a predicate or the condition code's carry. */
static bool is_predicate(const struct wb_micro_code *code, const struct wb_source *source)
{
  const uint8_t kind = code->operations[source->number < code->count ? source->number : 0].kind;
  return source->kind == WB_SOURCE_PREDICATE ||
         (source->kind == WB_SOURCE_RESULT && kind >= WB_MICRO_CARRY &&
          kind <= WB_MICRO_IS_NOT_ZERO);
}

static void copy(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_source *source = sources_of(code, index);
  if (source->negated && is_predicate(code, source))
    set_value(context, index, predicate(context, source));
  else
    set_term(context, index, word(context, source));
}

static void some_lane(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const uint32_t term = word(walk, sources_of(code, index));
  if (wb_lanes_are_uniform(walk->values, value_of(walk, term)))
    set_term(walk, index, term);
  else
    set_value(walk, index, WB_LANES_UNIFORM);
}

/* ---- shifts ---- */

/* A term of the form `it`, unless its value is one number. */
static uint32_t shifted(struct wb_lane_walk *walk, const struct wb_lane_term *it)
{
  uint64_t found;
  return wb_lanes_are_number(walk->values, it->value, &found) ? number(walk, (uint32_t)found)
                                                              : wb_lane_term_add(walk, it);
}

static uint32_t left(struct wb_lane_walk *walk, uint32_t a, unsigned places)
{
  if (places == 0)
    return a;
  if (places > 31)
    return wb_lane_term_zero(walk);
  const struct wb_lane_term term = {
      .form = WB_LANE_SHIFTED_LEFT,
      .a = a,
      .places = (uint8_t)places,
      .value = wb_lanes_shift_left(walk->values, value_of(walk, a), places)};
  return shifted(walk, &term);
}

static uint32_t right(struct wb_lane_walk *walk, uint32_t a, unsigned places, bool as_signed)
{
  if (places == 0)
    return a;
  if (places > 31 && !as_signed)
    return wb_lane_term_zero(walk);
  places = places > 31 ? 31 : places;
  const struct wb_lane_term term = {
      .form = WB_LANE_SHIFTED_RIGHT,
      .a = a,
      .places = (uint8_t)places,
      .as_signed = as_signed,
      .value = wb_lanes_shift_right(walk->values, value_of(walk, a), places, as_signed)};
  return shifted(walk, &term);
}

/* The upper word of (high, low) << places, places up to 32. */
static uint32_t funnel(struct wb_lane_walk *walk, uint32_t low, uint32_t high, unsigned places)
{
  struct wb_lane_value_pool *values = walk->values;
  uint32_t upper;
  if (places == 0 || places == 32)
    return places == 0 ? high : low;
  if (wb_lane_term_number(walk, high, &upper) && upper == 0)
    return right(walk, low, 32 - places, false);
  const struct wb_lane_term *sign = &walk->terms[high];
  if (sign->form == WB_LANE_SHIFTED_RIGHT && sign->a == low && sign->places == 31 &&
      sign->as_signed)
    return right(walk, low, 32 - places, true);
  struct wb_lane_term term = {
      .form = WB_LANE_FUNNEL, .a = low, .b = high, .places = (uint8_t)places};
  term.value = wb_lanes_upper_word(
      values, wb_lanes_wide_shift_left(values, wb_lane_terms_wide(walk, low, high), places));
  if (term.value == WB_LANES_UNKNOWN)
    term.value =
        wb_lanes_add(values, wb_lanes_shift_left(values, value_of(walk, high), places),
                     wb_lanes_shift_right(values, value_of(walk, low), 32 - places, false));
  return shifted(walk, &term);
}

/* A shift by a known number of places. */
static void shift(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  uint32_t places;
  if (!wb_lane_term_number(walk, word(walk, &operation->sources[1]), &places)) {
    some_function(walk, code, index);
    return;
  }
  const uint32_t a = word(walk, &operation->sources[0]);
  set_term(walk, index,
           operation->kind == WB_MICRO_SHIFT_LEFT ? left(walk, a, places)
                                                  : right(walk, a, places, operation->as_signed));
}

static void funnel_shift(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const uint32_t low = word(walk, &operation->sources[0]);
  const uint32_t high = word(walk, &operation->sources[1]);
  uint32_t places;
  if (!wb_lane_term_number(walk, word(walk, &operation->sources[2]), &places) || places > 63)
    some_function(walk, code, index);
  else if (operation->kind == WB_MICRO_FUNNEL_LEFT)
    set_term(walk, index,
             places > 32 ? left(walk, low, places - 32) : funnel(walk, low, high, places));
  else
    set_term(walk, index,
             places > 32 ? right(walk, high, places - 32, operation->as_signed)
                         : funnel(walk, low, high, 32 - places));
}

/* ---- sums ---- */

/* A word of a sum. */
struct addend {
  uint32_t term; /* without the sign */
  bool negated;
};

static struct addend addend_of(struct wb_lane_walk *walk, const struct wb_source *source)
{
  if (source->complemented)
    return (struct addend){word(walk, source), false};
  return (struct addend){plain_source(walk, source), source->negated};
}

static bool is_number(const struct wb_lane_walk *walk, uint32_t term, uint32_t number)
{
  uint32_t found;
  return wb_lane_term_number(walk, term, &found) && found == number;
}

static bool is_missing(const struct wb_source *source)
{
  return source->kind == WB_SOURCE_NONE ||
         (source->kind == WB_SOURCE_NUMBER && (source->value != 0) == source->negated);
}

static uint32_t sum_of(struct wb_lane_walk *walk, const struct wb_source *sources)
{
  uint32_t sum = wb_lanes_number(walk->values, 0);
  for (size_t s = 0; s < 3; s++)
    sum = wb_lanes_add(walk->values, sum, value_of(walk, word(walk, &sources[s])));
  for (size_t s = 3; s < 5; s++)
    if (!is_missing(&sources[s]))
      sum = wb_lanes_add(walk->values, sum, predicate(walk, &sources[s]));
  return sum;
}

/* The number of 64 bits of the word of a lower sum and a word of the upper one. Subtracted lower
 * words go with the complement of the upper one: -(h, l) has the words -l and ~h and a carry. */
static uint32_t together(struct wb_lane_walk *walk, const struct addend *low,
                         const struct wb_source *high)
{
  if (!low->negated)
    return wb_lane_terms_wide(walk, low->term, word(walk, high));
  const uint32_t upper =
      high->complemented
          ? plain_source(walk, high)
          : wb_lane_term_plain(walk, complement(walk, value_of(walk, word(walk, high))));
  return wb_lanes_wide_negate(walk->values, wb_lane_terms_wide(walk, low->term, upper));
}

/* The sum of 64 bits of the words of a carry's sum with three upper words in some order. */
static uint32_t sum_together(struct wb_lane_walk *walk, const struct wb_lane_term *carry,
                             const struct wb_source *uppers)
{
  static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                       {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
  const struct addend lows[3] = {
      {carry->a, carry->a_negated}, {carry->b, carry->b_negated}, {wb_lane_term_zero(walk), false}};
  for (size_t o = 0; o < 6; o++) {
    uint32_t total = wb_lanes_wide_number(walk->values, 0);
    for (size_t t = 0; t < 3 && total != WB_LANES_UNKNOWN; t++)
      total =
          wb_lanes_wide_add(walk->values, total, together(walk, &lows[t], &uppers[orders[o][t]]));
    if (total != WB_LANES_UNKNOWN)
      return total;
  }
  return WB_LANES_UNKNOWN;
}

/* The upper half of a sum of 64 bits: the words go with those of the lower half, whose carry is
 * added. */
static void add_with_carry(struct wb_lane_walk *walk, const struct wb_source *sources, size_t index)
{
  const struct wb_source *source = &sources[is_missing(&sources[3]) ? 4 : 3];
  const struct wb_lane_term carry = walk->terms[plain_source(walk, source)];
  const uint32_t sum = sum_of(walk, sources);
  struct wb_lane_term term = {.form = WB_LANE_UPPER, .a = carry.c};
  if (carry.form == WB_LANE_CARRY && source->kind == WB_SOURCE_PREDICATE && !source->negated &&
      (is_missing(&sources[3]) || is_missing(&sources[4])))
    term.wide = sum_together(walk, &carry, sources);
  if (term.wide == WB_LANES_UNKNOWN) {
    set_value(walk, index, sum);
    return;
  }
  term.value = wb_lanes_upper_word(walk->values, term.wide);
  term.value = term.value != WB_LANES_UNKNOWN ? term.value : sum;
  set_term(walk, index, wb_lane_term_add(walk, &term));
}

static void add(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = sources_of(code, index);
  uint32_t only = wb_lane_term_zero(walk);
  size_t count = 0;
  if (!is_missing(&sources[3]) || !is_missing(&sources[4])) {
    add_with_carry(walk, sources, index);
    return;
  }
  for (size_t s = 0; s < 3; s++) {
    const uint32_t term = word(walk, &sources[s]);
    if (is_number(walk, term, 0))
      continue;
    only = term;
    count++;
  }
  if (count < 2)
    set_term(walk, index, only);
  else
    set_value(walk, index, sum_of(walk, sources));
}

/* Of at most two words, of which at most one is subtracted, the carry says all that upper words
 * need. */
static void carry(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const size_t sum = operation->sources[0].number;
  const struct wb_source *sources = sources_of(code, sum);
  const uint32_t zero = wb_lane_term_zero(walk);
  struct addend words[2] = {{zero, false}, {zero, false}};
  size_t count = 0;
  bool uniform = true;
  for (size_t s = 0; s < 3; s++) {
    const struct addend addend = addend_of(walk, &sources[s]);
    uniform = uniform && wb_lanes_are_uniform(walk->values, value_of(walk, addend.term));
    if (!addend.negated && is_number(walk, addend.term, 0))
      continue;
    if (count < 2)
      words[count] = addend;
    count++;
  }
  const bool carries_in = !is_missing(&sources[3]) || !is_missing(&sources[4]);
  struct wb_lane_term term = {
      .form = WB_LANE_CARRY,
      .a = words[0].term,
      .b = words[1].term,
      .a_negated = words[0].negated,
      .b_negated = words[1].negated,
      .c = walk->results[sum].term,
      .value = uniform && !carries_in ? wb_lanes_uniform_below(walk->values, 1) : WB_LANES_UNKNOWN};
  if (carries_in || operation->second || count > 2 || (words[0].negated && words[1].negated))
    term.form = WB_LANE_PLAIN;
  set_term(walk, index, wb_lane_term_add(walk, &term));
}

/* ---- products ---- */

/* The places by which a product with the number shifts; false where it is no power of two. */
static bool is_power(uint32_t number, unsigned *places)
{
  *places = 0;
  while (*places < 31 && number >> *places != 1)
    ++*places;
  return number == UINT32_C(1) << *places;
}

static void multiply(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = sources_of(code, index);
  const uint32_t factors[2] = {word(walk, &sources[0]), word(walk, &sources[1])};
  uint32_t known;
  unsigned places;
  for (size_t f = 0; f < 2; f++)
    if (wb_lane_term_number(walk, factors[f], &known) && is_power(known, &places)) {
      set_term(walk, index, left(walk, factors[1 - f], places));
      return;
    }
  set_value(
      walk, index,
      wb_lanes_multiply(walk->values, value_of(walk, factors[0]), value_of(walk, factors[1])));
}

static uint32_t product(struct wb_lane_walk *walk, const struct wb_micro_operation *operation)
{
  return wb_lanes_wide_product(walk->values, value_of(walk, word(walk, &operation->sources[0])),
                               value_of(walk, word(walk, &operation->sources[1])),
                               operation->as_signed, operation->b_signed);
}

static void multiply_upper(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  uint32_t known;
  unsigned places;
  if (wb_lane_term_number(walk, word(walk, &operation->sources[1]), &known) &&
      is_power(known, &places) && (places < 31 || !operation->b_signed)) {
    const uint32_t a = word(walk, &operation->sources[0]);
    const uint32_t zero = wb_lane_term_zero(walk);
    set_term(walk, index,
             funnel(walk, a, operation->as_signed ? right(walk, a, 31, true) : zero, places));
    return;
  }
  const uint32_t upper = wb_lanes_upper_word(walk->values, product(walk, operation));
  if (upper != WB_LANES_UNKNOWN)
    set_value(walk, index, upper);
  else
    some_function(walk, code, index);
}

static void multiply_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  set_wide(context, index, product(context, &code->operations[index]));
}

/* ---- bits and bytes ---- */

/* A lookup that is one of its operands is a copy. */
static void lookup(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  uint8_t table = operation->table;
  uint32_t terms[3];
  uint32_t values[3];
  for (unsigned o = 0; o < 3; o++) {
    terms[o] = word(walk, &operation->sources[o]);
    values[o] = value_of(walk, terms[o]);
    if (is_number(walk, terms[o], 0) || is_number(walk, terms[o], ALL_ONES))
      table = wb_lookup_fixed(table, o, !is_number(walk, terms[o], 0));
  }
  for (unsigned o = 0; o < 3; o++)
    if (table == wb_lookup_variable(o)) {
      set_term(walk, index, terms[o]);
      return;
    }
  set_value(walk, index, wb_lanes_lookup(walk->values, values, table));
}

/* `bits` bits from `place` on. */
static uint32_t field(struct wb_lane_walk *walk, uint32_t a, unsigned place, unsigned bits,
                      bool as_signed)
{
  struct wb_lane_value_pool *values = walk->values;
  if (place + bits >= 32)
    return right(walk, a, place, as_signed);
  if (as_signed)
    return right(walk, left(walk, a, 32 - place - bits), 32 - bits, true);
  const uint32_t moved = place == 0 ? value_of(walk, a)
                                    : wb_lanes_shift_right(values, value_of(walk, a), place, false);
  return wb_lane_term_plain(walk, wb_lanes_and(values, moved, (UINT32_C(1) << bits) - 1));
}

static void extract(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  set_term(walk, index,
           field(walk, word(walk, &operation->sources[0]), operation->place, operation->bits,
                 operation->as_signed));
}

/* The byte of (b, a) that a digit of a selector names, as a word at its place in the result. */
static uint32_t permuted(struct wb_lane_walk *walk, uint32_t a, uint32_t b, unsigned digit,
                         unsigned place)
{
  struct wb_lane_value_pool *values = walk->values;
  const uint32_t from = (digit & 4) == 0 ? a : b;
  const unsigned bits = 8 * (digit & 3);
  if (digit < 8)
    return wb_lanes_shift_left(values, value_of(walk, field(walk, from, bits, 8, false)),
                               8 * place);
  const uint32_t sign = value_of(walk, field(walk, from, bits + 7, 1, false));
  return wb_lanes_multiply(values, sign, wb_lanes_number(values, UINT32_C(0xff) << 8 * place));
}

static void permute(void *context, const struct wb_micro_code *code, size_t index)
{
  static const struct {
    uint32_t selector;
    bool upper; /* of the upper word */
    uint8_t place, bits;
    bool as_signed;
  } fields[] = {{0x3210, false, 0, 32, false}, {0x7654, true, 0, 32, false},
                {0xbbbb, false, 31, 1, true},  {0xffff, true, 31, 1, true},
                {0x9910, false, 0, 16, true},  {0xbb32, false, 16, 16, true},
                {0x8880, false, 0, 8, true},   {0xdd54, true, 0, 16, true}};
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = sources_of(code, index);
  const uint32_t a = word(walk, &sources[0]);
  const uint32_t b = word(walk, &sources[2]);
  uint32_t selector;
  if (!wb_lane_term_number(walk, word(walk, &sources[1]), &selector)) {
    some_function(walk, code, index);
    return;
  }
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
    if (fields[f].selector == (selector & 0xffff)) {
      set_term(walk, index,
               field(walk, fields[f].upper ? b : a, fields[f].place, fields[f].bits,
                     fields[f].as_signed));
      return;
    }
  uint32_t sum = wb_lanes_number(walk->values, 0);
  for (unsigned place = 0; place < 4; place++)
    sum = wb_lanes_add(walk->values, sum, permuted(walk, a, b, selector >> 4 * place & 15, place));
  set_value(walk, index, sum);
}

/* ---- choices ---- */

static void choose(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = sources_of(code, index);
  const bool negated = sources[2].negated;
  const uint32_t condition = plain_source(walk, &sources[2]);
  const uint32_t a = word(walk, &sources[negated ? 1 : 0]);
  const uint32_t b = word(walk, &sources[negated ? 0 : 1]);
  set_term(walk, index, wb_lane_term_choice(walk, condition, a, b));
}

static void choose_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = sources_of(code, index);
  const bool negated = sources[2].negated;
  const uint32_t condition = plain_source(walk, &sources[2]);
  const uint32_t a = wide_source(walk, &sources[negated ? 1 : 0]).value;
  const uint32_t b = wide_source(walk, &sources[negated ? 0 : 1]).value;
  set_wide(walk, index, wb_lane_choice(walk, condition, a, b));
}

static void extreme(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const uint32_t a = word(walk, &operation->sources[0]);
  const uint32_t b = word(walk, &operation->sources[1]);
  const uint32_t found =
      wb_lanes_extreme(walk->values, value_of(walk, a), value_of(walk, b), operation->as_signed,
                       operation->kind == WB_MICRO_MINIMUM);
  if (found != WB_LANES_UNKNOWN)
    set_value(walk, index, found);
  else
    some_function(walk, code, index);
}

/* ---- numbers of 64 bits ---- */

static void copy_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  walk->results[index] = wide_source(walk, sources_of(code, index));
}

static void add_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = sources_of(code, index);
  uint32_t sum = wb_lanes_wide_number(walk->values, 0);
  for (size_t s = 0; s < 3; s++)
    sum = wb_lanes_wide_add(walk->values, sum, wide_source(walk, &sources[s]).value);
  set_wide(walk, index, sum);
}

static void extend(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const uint32_t low = word(walk, &operation->sources[0]);
  const uint32_t high = operation->as_signed ? right(walk, low, 31, true) : wb_lane_term_zero(walk);
  walk->results[index] = (struct wb_lane_result){
      wb_lanes_extend(walk->values, value_of(walk, low), operation->as_signed), low, high};
}

/* ---- instructions ---- */

static bool has_register(const struct wb_function *function, uint32_t first, uint32_t count,
                         unsigned number)
{
  for (uint32_t s = 0; s < count; s++)
    if (number >= function->spans[first + s].first &&
        number < (unsigned)function->spans[first + s].first + function->spans[first + s].count)
      return true;
  return false;
}

static bool reads_are_uniform(struct wb_lane_walk *walk, const struct wb_instruction *instruction)
{
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = walk->function->spans[instruction->first_read + s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++)
      if (r != instruction->guard &&
          !wb_lanes_are_uniform(walk->values, value_of(walk, wb_lane_walk_read(walk, r))))
        return false;
  }
  return true;
}

/* By the rule of the opcode. */
static uint32_t generic_result(struct wb_lane_walk *walk, const struct wb_instruction *instruction)
{
  switch (instruction->agreement) {
  case WB_AGREES_ALWAYS:
    return WB_LANES_UNIFORM;
  case WB_AGREES_BY_SOURCES:
  case WB_AGREES_BY_MEMORY:
    return reads_are_uniform(walk, instruction) ? WB_LANES_UNIFORM : WB_LANES_UNKNOWN;
  default:
    return WB_LANES_UNKNOWN;
  }
}

static void begin(void *context, const struct wb_function *function, uint32_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_instruction *instruction = &function->instructions[index];
  wb_lane_walk_look(walk, instruction);
  walk->generic = generic_result(walk, instruction);
  if (walk->guard == walk->layout.count)
    return;
  walk->guard_of = walk->slots[walk->guard];
  walk->together = wb_lanes_are_uniform(walk->values, walk->state->values[walk->guard]);
  walk->guard_stays = !has_register(function, instruction->first_write, instruction->write_count,
                                    instruction->guard);
}

static bool has_result(const struct wb_micro_code *code, unsigned number)
{
  for (size_t w = 0; w < code->write_count; w++)
    if (code->writes[w].number == number ||
        (code->writes[w].wide && code->writes[w].number + 1U == number))
      return true;
  return false;
}

static void forget_writes(void *context, const struct wb_function *function, uint32_t index,
                          const struct wb_micro_code *code)
{
  struct wb_lane_walk *walk = context;
  const struct wb_instruction *instruction = &function->instructions[index];
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_write + s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++)
      if (!has_result(code, r))
        wb_lane_walk_write(walk, r, wb_lane_term_plain(walk, walk->generic));
  }
}

/* What is not known of a word is known by the rule of the opcode. */
static void write_word(struct wb_lane_walk *walk, unsigned number, uint32_t term)
{
  if (value_of(walk, term) == WB_LANES_UNKNOWN && walk->generic != WB_LANES_UNKNOWN) {
    struct wb_lane_term better = walk->terms[term];
    if (better.form == WB_LANE_ENTRY)
      better = (struct wb_lane_term){.form = WB_LANE_PLAIN};
    better.value = walk->generic;
    term = wb_lane_term_add(walk, &better);
  }
  wb_lane_walk_write(walk, number, term);
}

static void write_result(void *context, const struct wb_micro_code *code,
                         const struct wb_micro_write *write)
{
  struct wb_lane_walk *walk = context;
  struct wb_lane_result *result = &walk->results[write->result];
  (void)code;
  if (write->wide)
    make_words(walk, result);
  write_word(walk, write->number, result->term);
  if (write->wide)
    write_word(walk, write->number + 1U, result->upper);
}

static void forget_all(void *context)
{
  wb_lane_walk_forget_all(context);
}

const struct wb_domain wb_lane_domain = {
    .name = "lanes",
    .begin = begin,
    .apply =
        {
            [WB_MICRO_COPY] = copy,
            [WB_MICRO_ADD] = add,
            [WB_MICRO_MULTIPLY] = multiply,
            [WB_MICRO_MULTIPLY_UPPER] = multiply_upper,
            [WB_MICRO_SHIFT_LEFT] = shift,
            [WB_MICRO_SHIFT_RIGHT] = shift,
            [WB_MICRO_FUNNEL_LEFT] = funnel_shift,
            [WB_MICRO_FUNNEL_RIGHT] = funnel_shift,
            [WB_MICRO_LOOKUP] = lookup,
            [WB_MICRO_PERMUTE] = permute,
            [WB_MICRO_EXTRACT] = extract,
            [WB_MICRO_SELECT] = choose,
            [WB_MICRO_MINIMUM] = extreme,
            [WB_MICRO_MAXIMUM] = extreme,
            [WB_MICRO_ABSOLUTE] = some_function,
            [WB_MICRO_COUNT_ONES] = some_function,
            [WB_MICRO_LEADING_ONE] = some_function,
            [WB_MICRO_REVERSE] = some_function,
            [WB_MICRO_CARRY] = carry,
            [WB_MICRO_COMPARE] = some_function,
            [WB_MICRO_COMPARE_UPPER] = some_function,
            [WB_MICRO_COMPARE_BY_CARRY] = some_function,
            [WB_MICRO_COMPARE_WIDE] = some_function,
            [WB_MICRO_COMBINE] = some_function,
            [WB_MICRO_IS_NOT_ZERO] = some_function,
            [WB_MICRO_WIDE_COPY] = copy_wide,
            [WB_MICRO_WIDE_ADD] = add_wide,
            [WB_MICRO_WIDE_MULTIPLY] = multiply_wide,
            [WB_MICRO_WIDE_SELECT] = choose_wide,
            [WB_MICRO_WIDE_EXTEND] = extend,
            [WB_MICRO_SOME_LANE] = some_lane,
            [WB_MICRO_FUNCTION] = some_function,
        },
    .unknown = unknown,
    .forget_writes = forget_writes,
    .write = write_result,
    .forget_all = forget_all,
};
