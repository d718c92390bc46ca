#include "values/lanes/lane_domain.h"

#include "values/domain.h"

/* The words of a number of 64 bits are no terms yet. */
#define NO_TERM UINT32_MAX

/* ---- sources ---- */

/* The term of a number, and whether a term is that number in all lanes. */
static uint32_t number_term(struct wb_lane_walk *walk, uint32_t number)
{
  return number == 0 ? wb_lane_term_zero(walk)
                     : wb_lane_term_plain(walk, wb_lanes_number(walk->values, number));
}

uint32_t wb_lane_complement(struct wb_lane_walk *walk, uint32_t value)
{
  const uint32_t operands[3] = {value, WB_LANES_UNIFORM, WB_LANES_UNIFORM};
  return wb_lanes_lookup(walk->values, operands, 0x0f);
}

/* The lane value of a constant, `words` words after its place. */
static uint32_t constant(struct wb_lane_walk *walk, const struct wb_source *source, unsigned words)
{
  if (source->index == WB_NO_REGISTER)
    return wb_lane_constant(walk, source->bank, source->value + 4 * words);
  const uint32_t index = wb_lane_term_value(walk, wb_lane_walk_read(walk, source->index));
  return wb_lanes_are_uniform(walk->values, index) ? WB_LANES_UNIFORM : WB_LANES_UNKNOWN;
}

/* The term of a word or predicate without its sign. */
uint32_t wb_lane_source(struct wb_lane_walk *walk, const struct wb_source *source)
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
    return number_term(walk, (uint32_t)source->value);
  case WB_SOURCE_CONSTANT:
    return wb_lane_term_plain(walk, constant(walk, source, 0));
  case WB_SOURCE_LABEL:
    return wb_lane_term_plain(walk, WB_LANES_UNIFORM);
  case WB_SOURCE_SPECIAL:
    return wb_lane_term_plain(walk, wb_lane_special(walk, (unsigned)source->value));
  default:
    return wb_lane_term_plain(walk, WB_LANES_UNKNOWN);
  }
}

uint32_t wb_lane_word(struct wb_lane_walk *walk, const struct wb_source *source)
{
  const uint32_t term = wb_lane_source(walk, source);
  if (source->complemented)
    return wb_lane_term_plain(walk, wb_lane_complement(walk, wb_lane_term_value(walk, term)));
  return source->negated ? wb_lane_term_plain(
                               walk, wb_lanes_negate(walk->values, wb_lane_term_value(walk, term)))
                         : term;
}

/* The lane value of a predicate: 0 or 1. */
uint32_t wb_lane_truth(struct wb_lane_walk *walk, const struct wb_source *source)
{
  const uint32_t value = wb_lane_term_value(walk, wb_lane_source(walk, source));
  return source->negated ? wb_lanes_add(walk->values, wb_lanes_number(walk->values, 1),
                                        wb_lanes_negate(walk->values, value))
                         : value;
}

static struct wb_lane_result wide_source(struct wb_lane_walk *walk, const struct wb_source *source)
{
  struct wb_lane_result wide = {.term = NO_TERM, .upper = NO_TERM};
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
  wide = (struct wb_lane_result){
      .value = wb_lanes_wide_negate(walk->values, wide.value), .term = NO_TERM, .upper = NO_TERM};
  if (source->complemented)
    wide.value =
        wb_lanes_wide_add(walk->values, wide.value, wb_lanes_wide_number(walk->values, UINT64_MAX));
  return wide;
}

bool wb_lane_is_number(const struct wb_lane_walk *walk, uint32_t term, uint32_t number)
{
  uint32_t found;
  return wb_lane_term_number(walk, term, &found) && found == number;
}

/* ---- results ---- */

void wb_lane_set_term(struct wb_lane_walk *walk, size_t index, uint32_t term)
{
  walk->results[index] = (struct wb_lane_result){
      .value = wb_lane_term_value(walk, term), .term = term, .upper = NO_TERM};
}

void wb_lane_set_value(struct wb_lane_walk *walk, size_t index, uint32_t value)
{
  wb_lane_set_term(walk, index, wb_lane_term_plain(walk, value));
}

void wb_lane_set_wide(struct wb_lane_walk *walk, size_t index, uint32_t value)
{
  walk->results[index] = (struct wb_lane_result){.value = value, .term = NO_TERM, .upper = NO_TERM};
}

/* ---- any function ---- */

#define ALL_ONES UINT32_MAX

static bool has_wide_result(enum wb_micro_kind kind)
{
  return kind >= WB_MICRO_WIDE_COPY && kind <= WB_MICRO_WIDE_EXTEND;
}

void wb_lane_some_function(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const bool predicate =
      operation->kind >= WB_MICRO_CARRY && operation->kind <= WB_MICRO_IS_NOT_ZERO;
  uint32_t most = predicate ? 1 : UINT32_MAX; /* the greatest result */
  uint32_t operands[5];
  if (operation->kind == WB_MICRO_COUNT_ONES)
    most = 32;
  else if (operation->kind == WB_MICRO_FUNCTION)
    most = operation->most;
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &operation->sources[s];
    if (source->kind == WB_SOURCE_RESULT)
      operands[s] = walk->results[source->number].value;
    else if (source->kind == WB_SOURCE_REGISTER_PAIR || source->kind == WB_SOURCE_CONSTANT_PAIR)
      operands[s] = wide_source(walk, source).value;
    else
      operands[s] = wb_lane_term_value(walk, wb_lane_source(walk, source));
  }
  const bool wide = has_wide_result(operation->kind);
  const uint32_t found = wb_lanes_function(walk->values, operands, 5, wide);
  if (wide)
    wb_lane_set_wide(walk, index, found);
  else
    wb_lane_set_value(walk, index, wb_lanes_limit(walk->values, found, most));
}

static void unknown(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  if (has_wide_result(code->operations[index].kind))
    wb_lane_set_wide(walk, index, WB_LANES_UNKNOWN);
  else
    wb_lane_set_value(walk, index, WB_LANES_UNKNOWN);
}

static void copy(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_source *source = &code->operations[index].sources[0];
  bool predicate = source->kind == WB_SOURCE_PREDICATE;
  if (source->kind == WB_SOURCE_RESULT) {
    const uint8_t kind = code->operations[source->number < code->count ? source->number : 0].kind;
    predicate = kind >= WB_MICRO_CARRY && kind <= WB_MICRO_IS_NOT_ZERO;
  }
  if (source->negated && predicate)
    wb_lane_set_value(context, index, wb_lane_truth(context, source));
  else
    wb_lane_set_term(context, index, wb_lane_word(context, source));
}

static void some_lane(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const uint32_t term = wb_lane_word(walk, &code->operations[index].sources[0]);
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
  return wb_lanes_are_number(walk->values, it->value, &found) ? number_term(walk, (uint32_t)found)
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
  return wb_lane_quotient(walk, shifted(walk, &term));
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
static void shift(void *context, const struct wb_micro_code *code, size_t index)
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

static void funnel_shift(void *context, const struct wb_micro_code *code, size_t index)
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
static void lookup(void *context, const struct wb_micro_code *code, size_t index)
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
    return wb_lane_upper_part(walk, wb_lane_right(walk, a, place, as_signed));
  if (as_signed)
    return wb_lane_right(walk, wb_lane_left(walk, a, 32 - place - bits), 32 - bits, true);
  const uint32_t moved =
      place == 0 ? wb_lane_term_value(walk, a)
                 : wb_lanes_shift_right(values, wb_lane_term_value(walk, a), place, false);
  const uint32_t value = wb_lanes_and(values, moved, (UINT32_C(1) << bits) - 1);
  return place == 0 && bits == 16 ? wb_lane_half(walk, a, value) : wb_lane_term_plain(walk, value);
}

static void extract(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  wb_lane_set_term(walk, index,
                   field(walk, wb_lane_word(walk, &operation->sources[0]), operation->place,
                         operation->bits, operation->as_signed));
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
  const struct wb_source *sources = code->operations[index].sources;
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
  struct wb_lane_value_pool *values = walk->values;
  uint32_t sum = wb_lanes_number(values, 0);
  for (unsigned place = 0; place < 4; place++) {
    const unsigned digit = selector >> 4 * place & 15; /* names a byte of (b, a), or its sign */
    const uint32_t from = (digit & 4) == 0 ? a : b;
    const unsigned bits = 8 * (digit & 3);
    const uint32_t part =
        digit < 8 ? field(walk, from, bits, 8, false) : field(walk, from, bits + 7, 1, false);
    const uint32_t value = wb_lane_term_value(walk, part);
    const uint32_t byte =
        digit < 8 ? wb_lanes_shift_left(values, value, 8 * place)
                  : wb_lanes_multiply(values, value,
                                      wb_lanes_number(values, UINT32_C(0xff) << 8 * place));
    sum = wb_lanes_add(values, sum, byte);
  }
  wb_lane_set_value(walk, index, sum);
}

/* ---- comparisons ---- */

static void compare(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const struct wb_source *sources = operation->sources;
  const enum wb_relation relation = (enum wb_relation)operation->relation;
  const bool wide = operation->kind == WB_MICRO_COMPARE_WIDE;
  const uint32_t a = wide ? wide_source(walk, &sources[0]).value
                          : wb_lane_term_value(walk, wb_lane_word(walk, &sources[0]));
  const uint32_t b = wide ? wide_source(walk, &sources[1]).value
                          : wb_lane_term_value(walk, wb_lane_word(walk, &sources[1]));
  uint32_t found;
  if (operation->kind == WB_MICRO_IS_NOT_ZERO)
    found = wb_lanes_compare(walk->values, a, wb_lanes_number(walk->values, 0), WB_RELATION_UNEQUAL,
                             false);
  else
    found = wb_lanes_compare(walk->values, a, b, relation, operation->as_signed);
  if (operation->kind == WB_MICRO_COMPARE_UPPER)
    found = wb_lanes_decide(walk->values,
                            wb_lanes_compare(walk->values, a, b, WB_RELATION_EQUAL, false),
                            wb_lane_truth(walk, &sources[2]), found);
  wb_lane_set_value(walk, index, wb_lanes_limit(walk->values, found, 1));
}

static void combine(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  uint32_t operands[3];
  for (size_t o = 0; o < 3; o++)
    operands[o] = wb_lane_truth(walk, &operation->sources[o]);
  const uint32_t found = wb_lanes_lookup(walk->values, operands, operation->table);
  wb_lane_set_value(walk, index, wb_lanes_and(walk->values, found, 1));
}

/* ---- choices ---- */

static void select_word(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = code->operations[index].sources;
  const bool negated = sources[2].negated;
  const uint32_t condition = wb_lane_source(walk, &sources[2]);
  const uint32_t a = wb_lane_word(walk, &sources[negated ? 1 : 0]);
  const uint32_t b = wb_lane_word(walk, &sources[negated ? 0 : 1]);
  wb_lane_set_term(walk, index, wb_lane_term_choice(walk, condition, a, b));
}

static void extreme(void *context, const struct wb_micro_code *code, size_t index)
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

static bool is_nothing(const struct wb_source *source)
{
  return source->kind == WB_SOURCE_NONE ||
         (source->kind == WB_SOURCE_NUMBER && source->value == 0) ||
         (source->kind == WB_SOURCE_REGISTER_PAIR && source->number == WB_NO_REGISTER);
}

static void find_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const struct wb_source *sources = operation->sources;
  const bool negated = sources[2].negated; /* of a choice */
  uint32_t first;
  uint32_t second;
  switch ((enum wb_micro_kind)operation->kind) {
  case WB_MICRO_WIDE_ADD:
    first = wb_lanes_wide_number(walk->values, 0);
    for (size_t s = 0; s < 3; s++)
      first = wb_lanes_wide_add(walk->values, first, wide_source(walk, &sources[s]).value);
    wb_lane_set_wide(walk, index, first);
    if (sources[0].kind == WB_SOURCE_RESULT && !sources[0].negated && !sources[0].complemented &&
        is_nothing(&sources[1]) && is_nothing(&sources[2]))
      walk->results[index].product = walk->results[sources[0].number].product;
    break;
  case WB_MICRO_WIDE_SELECT:
    first = wide_source(walk, &sources[negated ? 1 : 0]).value;
    second = wide_source(walk, &sources[negated ? 0 : 1]).value;
    wb_lane_set_wide(walk, index,
                     wb_lanes_decide(walk->values,
                                     wb_lane_term_value(walk, wb_lane_source(walk, &sources[2])),
                                     first, second));
    break;
  case WB_MICRO_WIDE_EXTEND:
    first = wb_lane_word(walk, &sources[0]);
    second = operation->as_signed ? wb_lane_right(walk, first, 31, true) : wb_lane_term_zero(walk);
    walk->results[index] = (struct wb_lane_result){
        .value =
            wb_lanes_extend(walk->values, wb_lane_term_value(walk, first), operation->as_signed),
        .term = first,
        .upper = second};
    break;
  default: /* a copy */
    walk->results[index] = wide_source(walk, &sources[0]);
  }
}

/* ---- the domain ---- */

static void begin(void *context, const struct wb_function *function, uint32_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_instruction *instruction = &function->instructions[index];
  const bool by_reads = instruction->agreement == WB_AGREES_BY_SOURCES ||
                        instruction->agreement == WB_AGREES_BY_MEMORY;
  wb_lane_walk_look(walk, instruction);
  walk->generic = instruction->agreement == WB_AGREES_NEVER ? WB_LANES_UNKNOWN : WB_LANES_UNIFORM;
  for (uint32_t s = 0; by_reads && s < instruction->read_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_read + s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++) {
      const uint32_t operands[2] = {walk->generic,
                                    wb_lane_term_value(walk, wb_lane_walk_read(walk, r))};
      if (r != instruction->guard && walk->generic != WB_LANES_UNKNOWN)
        walk->generic = wb_lanes_function(walk->values, operands, 2, false);
    }
  }
  if (walk->guard == walk->layout.count)
    return;
  walk->guard_of = walk->slots[walk->guard];
  walk->together = wb_lanes_are_uniform(walk->values, walk->state->values[walk->guard]);
  walk->guard_stays = !wb_registers_written(function, index, index, instruction->guard);
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
  if (wb_lane_term_value(walk, term) == WB_LANES_UNKNOWN && walk->generic != WB_LANES_UNKNOWN) {
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
  if (write->wide && result->term == NO_TERM) {
    result->term = wb_lane_term_plain(walk, wb_lanes_lower_word(walk->values, result->value));
    const struct wb_lane_term upper = {.form = WB_LANE_UPPER,
                                       .a = result->term,
                                       .wide = result->value,
                                       .value = wb_lanes_upper_word(walk->values, result->value)};
    result->upper = wb_lane_term_add(walk, &upper);
    const struct wb_lane_term scaled = result->product;
    if (scaled.form == WB_LANE_SCALED) {
      /* The pair stays known as the words that neighbours get; the upper word alone is SCALED. */
      const uint32_t term =
          wb_lane_scaled(walk, scaled.a, (uint32_t)scaled.number, scaled.as_signed,
                         scaled.a_negated, walk->terms[result->upper].value);
      if (walk->terms[term].value != WB_LANES_UNKNOWN)
        walk->terms[result->upper].value = walk->terms[term].value;
      walk->terms[result->upper].b = term;
      walk->terms[result->upper].number = 1;
    }
  }
  write_word(walk, write->number, result->term);
  if (write->wide)
    write_word(walk, write->number + 1U, result->upper);
}

static void forget_all(void *context)
{
  struct wb_lane_walk *walk = context;
  wb_lane_state_forget_all(&walk->layout, walk->state);
  for (uint16_t s = 0; s < walk->layout.count; s++)
    walk->slots[s] = wb_lane_term_plain(walk, WB_LANES_UNKNOWN);
}

const struct wb_domain wb_lane_domain = {
    .name = "lanes",
    .begin = begin,
    .apply =
        {
            [WB_MICRO_COPY] = copy,
            [WB_MICRO_ADD] = wb_lane_add,
            [WB_MICRO_MULTIPLY] = wb_lane_multiply,
            [WB_MICRO_MULTIPLY_UPPER] = wb_lane_multiply_upper,
            [WB_MICRO_SHIFT_LEFT] = shift,
            [WB_MICRO_SHIFT_RIGHT] = shift,
            [WB_MICRO_FUNNEL_LEFT] = funnel_shift,
            [WB_MICRO_FUNNEL_RIGHT] = funnel_shift,
            [WB_MICRO_LOOKUP] = lookup,
            [WB_MICRO_PERMUTE] = permute,
            [WB_MICRO_EXTRACT] = extract,
            [WB_MICRO_SELECT] = select_word,
            [WB_MICRO_MINIMUM] = extreme,
            [WB_MICRO_MAXIMUM] = extreme,
            [WB_MICRO_ABSOLUTE] = wb_lane_some_function,
            [WB_MICRO_COUNT_ONES] = wb_lane_some_function,
            [WB_MICRO_LEADING_ONE] = wb_lane_some_function,
            [WB_MICRO_REVERSE] = wb_lane_some_function,
            [WB_MICRO_CARRY] = wb_lane_carry,
            [WB_MICRO_COMPARE] = compare,
            [WB_MICRO_COMPARE_UPPER] = compare,
            [WB_MICRO_COMPARE_BY_CARRY] = wb_lane_some_function,
            [WB_MICRO_COMPARE_WIDE] = compare,
            [WB_MICRO_COMBINE] = combine,
            [WB_MICRO_IS_NOT_ZERO] = compare,
            [WB_MICRO_WIDE_COPY] = find_wide,
            [WB_MICRO_WIDE_ADD] = find_wide,
            [WB_MICRO_WIDE_MULTIPLY] = wb_lane_multiply_wide,
            [WB_MICRO_WIDE_SELECT] = find_wide,
            [WB_MICRO_WIDE_EXTEND] = find_wide,
            [WB_MICRO_SOME_LANE] = some_lane,
            [WB_MICRO_FUNCTION] = wb_lane_some_function,
        },
    .unknown = unknown,
    .forget_writes = forget_writes,
    .write = write_result,
    .forget_all = forget_all,
};
