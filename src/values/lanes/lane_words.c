/* All other operations. */
#include "values/lanes/lane_operations.h"
#include "values/lookup_table.h"

#define ALL_ONES UINT32_MAX

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
  uint32_t value;
  if (source->kind == WB_SOURCE_RESULT)
    value = walk->results[source->number].value;
  else if (source->kind == WB_SOURCE_REGISTER_PAIR || source->kind == WB_SOURCE_CONSTANT_PAIR)
    value = wb_lane_wide(walk, source).value;
  else
    value = wb_lane_term_value(walk, wb_lane_source(walk, source));
  return wb_lanes_are_uniform(walk->values, value);
}

/* Any function of the sources. */
void wb_lane_some_function(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  bool uniform = true;
  for (size_t s = 0; s < 5; s++)
    uniform = uniform && is_uniform_source(walk, &operation->sources[s]);
  if (has_wide_result(operation->kind))
    wb_lane_set_wide(walk, index, uniform ? WB_LANES_WIDE : WB_LANES_UNKNOWN);
  else
    wb_lane_set_value(walk, index,
                      uniform ? wb_lanes_uniform_below(walk->values, most_of(operation))
                              : WB_LANES_UNKNOWN);
}

void wb_lane_unknown(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  if (has_wide_result(code->operations[index].kind))
    wb_lane_set_wide(walk, index, WB_LANES_UNKNOWN);
  else
    wb_lane_set_value(walk, index, WB_LANES_UNKNOWN);
}

/* Whether a source is a predicate or the condition code's carry. */
static bool is_predicate(const struct wb_micro_code *code, const struct wb_source *source)
{
  const uint8_t kind = code->operations[source->number < code->count ? source->number : 0].kind;
  return source->kind == WB_SOURCE_PREDICATE ||
         (source->kind == WB_SOURCE_RESULT && kind >= WB_MICRO_CARRY &&
          kind <= WB_MICRO_IS_NOT_ZERO);
}

void wb_lane_copy(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_source *source = wb_lane_sources(code, index);
  if (source->negated && is_predicate(code, source))
    wb_lane_set_value(context, index, wb_lane_truth(context, source));
  else
    wb_lane_set_term(context, index, wb_lane_word(context, source));
}

void wb_lane_some_lane(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const uint32_t term = wb_lane_word(walk, wb_lane_sources(code, index));
  if (wb_lanes_are_uniform(walk->values, wb_lane_term_value(walk, term)))
    wb_lane_set_term(walk, index, term);
  else
    wb_lane_set_value(walk, index, WB_LANES_UNIFORM);
}

/* ---- shifts ---- */

/* A term of the form `it`, unless its value is one number. */
static uint32_t shifted(struct wb_lane_walk *walk, const struct wb_lane_term *it)
{
  uint64_t found;
  return wb_lanes_are_number(walk->values, it->value, &found)
             ? wb_lane_number(walk, (uint32_t)found)
             : wb_lane_term_add(walk, it);
}

uint32_t wb_lane_left(struct wb_lane_walk *walk, uint32_t a, unsigned places)
{
  if (places == 0)
    return a;
  if (places > 31)
    return wb_lane_term_zero(walk);
  const struct wb_lane_term term = {
      .form = WB_LANE_SHIFTED_LEFT,
      .a = a,
      .places = (uint8_t)places,
      .value = wb_lanes_shift_left(walk->values, wb_lane_term_value(walk, a), places)};
  return shifted(walk, &term);
}

uint32_t wb_lane_right(struct wb_lane_walk *walk, uint32_t a, unsigned places, bool as_signed)
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
      .value = wb_lanes_shift_right(walk->values, wb_lane_term_value(walk, a), places, as_signed)};
  return shifted(walk, &term);
}

/* The upper word of (high, low) << places, places up to 32. */
uint32_t wb_lane_funnel(struct wb_lane_walk *walk, uint32_t low, uint32_t high, unsigned places)
{
  struct wb_lane_value_pool *values = walk->values;
  uint32_t upper;
  if (places == 0 || places == 32)
    return places == 0 ? high : low;
  if (wb_lane_term_number(walk, high, &upper) && upper == 0)
    return wb_lane_right(walk, low, 32 - places, false);
  const struct wb_lane_term *sign = &walk->terms[high];
  if (sign->form == WB_LANE_SHIFTED_RIGHT && sign->a == low && sign->places == 31 &&
      sign->as_signed)
    return wb_lane_right(walk, low, 32 - places, true);
  struct wb_lane_term term = {
      .form = WB_LANE_FUNNEL, .a = low, .b = high, .places = (uint8_t)places};
  term.value = wb_lanes_upper_word(
      values, wb_lanes_wide_shift_left(values, wb_lane_terms_wide(walk, low, high), places));
  if (term.value == WB_LANES_UNKNOWN)
    term.value = wb_lanes_add(
        values, wb_lanes_shift_left(values, wb_lane_term_value(walk, high), places),
        wb_lanes_shift_right(values, wb_lane_term_value(walk, low), 32 - places, false));
  return shifted(walk, &term);
}

/* A shift by a known number of places. */
void wb_lane_shift(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  uint32_t places;
  if (!wb_lane_term_number(walk, wb_lane_word(walk, &operation->sources[1]), &places)) {
    wb_lane_some_function(walk, code, index);
    return;
  }
  const uint32_t a = wb_lane_word(walk, &operation->sources[0]);
  wb_lane_set_term(walk, index,
                   operation->kind == WB_MICRO_SHIFT_LEFT
                       ? wb_lane_left(walk, a, places)
                       : wb_lane_right(walk, a, places, operation->as_signed));
}

void wb_lane_funnel_shift(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const uint32_t low = wb_lane_word(walk, &operation->sources[0]);
  const uint32_t high = wb_lane_word(walk, &operation->sources[1]);
  uint32_t places;
  if (!wb_lane_term_number(walk, wb_lane_word(walk, &operation->sources[2]), &places) ||
      places > 63)
    wb_lane_some_function(walk, code, index);
  else if (operation->kind == WB_MICRO_FUNNEL_LEFT)
    wb_lane_set_term(walk, index,
                     places > 32 ? wb_lane_left(walk, low, places - 32)
                                 : wb_lane_funnel(walk, low, high, places));
  else
    wb_lane_set_term(walk, index,
                     places > 32 ? wb_lane_right(walk, high, places - 32, operation->as_signed)
                                 : wb_lane_funnel(walk, low, high, 32 - places));
}

/* ---- bits and bytes ---- */

/* A lookup that is one of its operands is a copy. */
void wb_lane_lookup(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  uint8_t table = operation->table;
  uint32_t terms[3];
  uint32_t values[3];
  for (unsigned o = 0; o < 3; o++) {
    terms[o] = wb_lane_word(walk, &operation->sources[o]);
    values[o] = wb_lane_term_value(walk, terms[o]);
    if (wb_lane_is_number(walk, terms[o], 0) || wb_lane_is_number(walk, terms[o], ALL_ONES))
      table = wb_lookup_fixed(table, o, !wb_lane_is_number(walk, terms[o], 0));
  }
  for (unsigned o = 0; o < 3; o++)
    if (table == wb_lookup_variable(o)) {
      wb_lane_set_term(walk, index, terms[o]);
      return;
    }
  wb_lane_set_value(walk, index, wb_lanes_lookup(walk->values, values, table));
}

/* `bits` bits from `place` on. */
static uint32_t field(struct wb_lane_walk *walk, uint32_t a, unsigned place, unsigned bits,
                      bool as_signed)
{
  struct wb_lane_value_pool *values = walk->values;
  if (place + bits >= 32)
    return wb_lane_right(walk, a, place, as_signed);
  if (as_signed)
    return wb_lane_right(walk, wb_lane_left(walk, a, 32 - place - bits), 32 - bits, true);
  const uint32_t moved =
      place == 0 ? wb_lane_term_value(walk, a)
                 : wb_lanes_shift_right(values, wb_lane_term_value(walk, a), place, false);
  return wb_lane_term_plain(walk, wb_lanes_and(values, moved, (UINT32_C(1) << bits) - 1));
}

void wb_lane_extract(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  wb_lane_set_term(walk, index,
                   field(walk, wb_lane_word(walk, &operation->sources[0]), operation->place,
                         operation->bits, operation->as_signed));
}

/* The byte of (b, a) that a digit of a selector names, as a word at its place in the result. */
static uint32_t permuted(struct wb_lane_walk *walk, uint32_t a, uint32_t b, unsigned digit,
                         unsigned place)
{
  struct wb_lane_value_pool *values = walk->values;
  const uint32_t from = (digit & 4) == 0 ? a : b;
  const unsigned bits = 8 * (digit & 3);
  if (digit < 8)
    return wb_lanes_shift_left(values, wb_lane_term_value(walk, field(walk, from, bits, 8, false)),
                               8 * place);
  const uint32_t sign = wb_lane_term_value(walk, field(walk, from, bits + 7, 1, false));
  return wb_lanes_multiply(values, sign, wb_lanes_number(values, UINT32_C(0xff) << 8 * place));
}

void wb_lane_permute(void *context, const struct wb_micro_code *code, size_t index)
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
  const struct wb_source *sources = wb_lane_sources(code, index);
  const uint32_t a = wb_lane_word(walk, &sources[0]);
  const uint32_t b = wb_lane_word(walk, &sources[2]);
  uint32_t selector;
  if (!wb_lane_term_number(walk, wb_lane_word(walk, &sources[1]), &selector)) {
    wb_lane_some_function(walk, code, index);
    return;
  }
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
    if (fields[f].selector == (selector & 0xffff)) {
      wb_lane_set_term(walk, index,
                       field(walk, fields[f].upper ? b : a, fields[f].place, fields[f].bits,
                             fields[f].as_signed));
      return;
    }
  uint32_t sum = wb_lanes_number(walk->values, 0);
  for (unsigned place = 0; place < 4; place++)
    sum = wb_lanes_add(walk->values, sum, permuted(walk, a, b, selector >> 4 * place & 15, place));
  wb_lane_set_value(walk, index, sum);
}

/* ---- choices ---- */

void wb_lane_select(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = wb_lane_sources(code, index);
  const bool negated = sources[2].negated;
  const uint32_t condition = wb_lane_source(walk, &sources[2]);
  const uint32_t a = wb_lane_word(walk, &sources[negated ? 1 : 0]);
  const uint32_t b = wb_lane_word(walk, &sources[negated ? 0 : 1]);
  wb_lane_set_term(walk, index, wb_lane_term_choice(walk, condition, a, b));
}

void wb_lane_select_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = wb_lane_sources(code, index);
  const bool negated = sources[2].negated;
  const uint32_t condition = wb_lane_source(walk, &sources[2]);
  const uint32_t a = wb_lane_wide(walk, &sources[negated ? 1 : 0]).value;
  const uint32_t b = wb_lane_wide(walk, &sources[negated ? 0 : 1]).value;
  wb_lane_set_wide(walk, index, wb_lane_choice(walk, condition, a, b));
}

void wb_lane_extreme(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const uint32_t a = wb_lane_word(walk, &operation->sources[0]);
  const uint32_t b = wb_lane_word(walk, &operation->sources[1]);
  const uint32_t found =
      wb_lanes_extreme(walk->values, wb_lane_term_value(walk, a), wb_lane_term_value(walk, b),
                       operation->as_signed, operation->kind == WB_MICRO_MINIMUM);
  if (found != WB_LANES_UNKNOWN)
    wb_lane_set_value(walk, index, found);
  else
    wb_lane_some_function(walk, code, index);
}

/* ---- numbers of 64 bits ---- */

void wb_lane_copy_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  walk->results[index] = wb_lane_wide(walk, wb_lane_sources(code, index));
}

void wb_lane_add_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = wb_lane_sources(code, index);
  uint32_t sum = wb_lanes_wide_number(walk->values, 0);
  for (size_t s = 0; s < 3; s++)
    sum = wb_lanes_wide_add(walk->values, sum, wb_lane_wide(walk, &sources[s]).value);
  wb_lane_set_wide(walk, index, sum);
}

void wb_lane_extend(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const uint32_t low = wb_lane_word(walk, &operation->sources[0]);
  const uint32_t high =
      operation->as_signed ? wb_lane_right(walk, low, 31, true) : wb_lane_term_zero(walk);
  walk->results[index] = (struct wb_lane_result){
      wb_lanes_extend(walk->values, wb_lane_term_value(walk, low), operation->as_signed), low,
      high};
}
