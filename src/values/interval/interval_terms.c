/* Sums of terms, in the domain of strided intervals: what registers hold in terms of numbers that
 * never change (doc/loop-bounds.md, "Sums of terms"). */
#include "values/interval/interval_domain.h"

#include "isa/opcode.h"
#include "values/domain.h"

/* ---- sources ---- */

uint32_t wb_interval_register_sum(struct wb_terms *terms, struct wb_integer_state *state,
                                  uint32_t number)
{
  if (terms == NULL || number >= WB_NAMED_REGISTERS)
    return 0;
  const struct wb_integer *value = &state->registers[number];
  uint32_t *sum = &state->sums[number];
  if (wb_integer_is_exact(value))
    return wb_terms_name_number(terms, value->low);
  struct wb_term term = {.kind = WB_TERM_WORD, .range = wb_integer_top()};
  if (*sum == WB_SUM_OF_START) {
    /* What is known of the register here need not hold wherever else that term is met. */
    term.kind = WB_TERM_START;
    term.key = number;
  } else if (value->base == WB_NO_REGISTER) {
    /* All threads that know this term have come by here. */
    term.range = *value;
  }
  if (*sum == 0 || *sum == WB_SUM_OF_START)
    *sum = wb_terms_name_term(terms, &term);
  return *sum;
}

/* A term of a source that never changes, of whatever place it is read. */
static uint32_t name_source(struct wb_interval_context *context, enum wb_term_kind kind,
                            uint32_t key, const struct wb_source *source)
{
  const struct wb_integer value = wb_interval_plain_word(context, source);
  const struct wb_term term = {.kind = (uint8_t)kind,
                               .key = key,
                               .range = value.base == WB_NO_REGISTER ? value : wb_integer_top()};
  return wb_integer_is_exact(&value) ? wb_terms_name_number(context->terms, value.low)
                                     : wb_terms_name_term(context->terms, &term);
}

/* Special registers that a thread reads alike whenever it does. */
static bool never_changes(uint64_t special)
{
  return special >= WB_SPECIAL_ZERO && special < WB_SPECIAL_COUNT;
}

static uint32_t plain_sum(struct wb_interval_context *context, const struct wb_source *source)
{
  switch ((enum wb_source_kind)source->kind) {
  case WB_SOURCE_NONE:
    return wb_terms_name_number(context->terms, 0);
  case WB_SOURCE_NUMBER:
    return wb_terms_name_number(context->terms, (uint32_t)source->value);
  case WB_SOURCE_RESULT:
    return source->number < WB_MICRO_LIMIT ? context->sums[source->number] : 0;
  case WB_SOURCE_REGISTER:
    return wb_interval_register_sum(context->terms, context->state, source->number);
  case WB_SOURCE_CONSTANT:
    if (source->index != WB_NO_REGISTER || source->value > UINT16_MAX)
      return 0;
    return name_source(context, WB_TERM_CONSTANT,
                       (uint32_t)source->bank << 16 | (uint32_t)source->value, source);
  case WB_SOURCE_SPECIAL:
    return never_changes(source->value)
               ? name_source(context, WB_TERM_SPECIAL, (uint32_t)source->value, source)
               : 0;
  default:
    return 0;
  }
}

uint32_t wb_interval_source_sum(struct wb_interval_context *context, const struct wb_source *source)
{
  if (context->terms == NULL)
    return 0;
  const uint32_t sum = plain_sum(context, source);
  const uint32_t from = source->complemented ? UINT32_MAX : 0;
  return source->negated || source->complemented
             ? wb_terms_add(context->terms, wb_terms_name_number(context->terms, from), sum,
                            UINT32_MAX, 0)
             : sum;
}

/* ---- results ---- */

static uint32_t sum_of_words(struct wb_interval_context *context,
                             const struct wb_micro_operation *operation)
{
  uint32_t sum = wb_terms_name_number(context->terms, 0);
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &operation->sources[s];
    if (source->kind == WB_SOURCE_NONE)
      continue;
    if (s < 3)
      sum = wb_terms_add(context->terms, sum, wb_interval_source_sum(context, source), 1, 0);
    else if (source->kind != WB_SOURCE_NUMBER || source->value != 0 || source->negated)
      return 0; /* a carry that comes in */
  }
  return sum;
}

/* Of a source and a known factor. */
static uint32_t product(struct wb_interval_context *context, const struct wb_source *source,
                        uint32_t factor)
{
  return wb_terms_add(context->terms, wb_terms_name_number(context->terms, 0),
                      wb_interval_source_sum(context, source), factor, 0);
}

/* Of bits of a register, all below a place or all from it on; of a source or its complement. */
static uint32_t lookup(struct wb_interval_context *context,
                       const struct wb_micro_operation *operation, const struct wb_mask *mask)
{
  struct wb_terms *terms = context->terms;
  for (unsigned v = 0; v < 3; v++) {
    const uint32_t sum = wb_interval_source_sum(context, &operation->sources[v]);
    if (operation->table == wb_lookup_variable(v))
      return sum;
    if ((operation->table ^ wb_lookup_variable(v)) == WB_LOOKUP_TRUE)
      return wb_terms_add(terms, wb_terms_name_number(terms, UINT32_MAX), sum, UINT32_MAX, 0);
  }
  if (mask->number == WB_NO_REGISTER || mask->complemented)
    return 0;
  const bool upper = mask->bits >> 31 != 0;
  const uint32_t low = upper ? ~mask->bits : mask->bits;
  unsigned bits = 0;
  while (bits < 31 && low >> bits != 0)
    bits++;
  if (low != (UINT32_C(1) << bits) - 1)
    return 0;
  const uint32_t all = wb_interval_register_sum(terms, context->state, mask->number);
  const uint32_t lowest = wb_terms_bits(terms, all, bits);
  return upper ? wb_terms_add(terms, all, lowest, UINT32_MAX, 0) : lowest;
}

static uint32_t sum_of(struct wb_interval_context *context, const struct wb_micro_code *code,
                       size_t index)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  const struct wb_source *sources = operation->sources;
  struct wb_integer words[2];
  switch ((enum wb_micro_kind)operation->kind) {
  case WB_MICRO_COPY:
    return wb_interval_source_sum(context, &sources[0]);
  case WB_MICRO_ADD:
    return sum_of_words(context, operation);
  case WB_MICRO_MULTIPLY:
    words[0] = wb_interval_word(context, &sources[0]);
    words[1] = wb_interval_word(context, &sources[1]);
    if (wb_integer_is_exact(&words[1]))
      return product(context, &sources[0], words[1].low);
    return wb_integer_is_exact(&words[0]) ? product(context, &sources[1], words[0].low) : 0;
  case WB_MICRO_SHIFT_LEFT:
    words[1] = wb_interval_word(context, &sources[1]);
    return wb_integer_is_exact(&words[1]) && words[1].low < 32
               ? product(context, &sources[0], UINT32_C(1) << words[1].low)
               : 0;
  case WB_MICRO_SHIFT_RIGHT:
    words[1] = wb_interval_word(context, &sources[1]);
    return wb_integer_is_exact(&words[1]) && !operation->as_signed
               ? wb_terms_shifted(context->terms, wb_interval_source_sum(context, &sources[0]),
                                  words[1].low)
               : 0;
  case WB_MICRO_LOOKUP:
    return lookup(context, operation, &context->results[index].mask);
  case WB_MICRO_MINIMUM:
  case WB_MICRO_MAXIMUM:
    return wb_terms_extreme(context->terms, wb_interval_source_sum(context, &sources[0]),
                            wb_interval_source_sum(context, &sources[1]), operation->as_signed,
                            operation->kind == WB_MICRO_MINIMUM);
  default:
    return 0;
  }
}

/* ---- choices ---- */

/* The side of a comparison, or all numbers of its type where it wraps round. */
static struct wb_integer side_of(const struct wb_integer *side, bool as_signed)
{
  struct wb_integer_end ends[2];
  (void)wb_integer_ends(side, as_signed, &ends[0], &ends[1]);
  return wb_integer_between(ends[0], ends[1], 0);
}

/* What a comparison of words that holds says of the difference of the sums that its sides are:
 * *sum, 0 where it has none, and *value. sides: their values. False: nothing is said. */
static bool ordered_sums(struct wb_terms *terms, const struct wb_comparison *row,
                         const struct wb_integer sides[2], uint32_t *sum, struct wb_integer *value)
{
  const enum wb_relation relation = (enum wb_relation)row->relation;
  const bool upward = relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST;
  const bool strict = relation == WB_RELATION_LESS || relation == WB_RELATION_GREATER;
  *sum = 0;
  if (row->sums[0] == 0 || row->sums[1] == 0)
    return false;
  *sum = wb_terms_add(terms, row->sums[upward], row->sums[!upward], UINT32_MAX, 0);
  *value = wb_integer_exactly(0);
  return relation == WB_RELATION_EQUAL ||
         (relation != WB_RELATION_UNEQUAL &&
          wb_interval_ordered_difference(&sides[upward], &sides[!upward], strict, row->as_signed,
                                         value));
}

/* Cuts the value of a sum that differs from another one, or from its negative, by a number. */
static void cut_by_sum(struct wb_terms *terms, uint32_t sum, uint32_t known_sum,
                       const struct wb_integer *known, struct wb_integer *value)
{
  for (unsigned turned = 0; turned < 2; turned++) {
    const uint32_t rest = wb_terms_add(terms, sum, known_sum, turned ? 1 : UINT32_MAX, 0);
    if (rest == 0 || wb_terms_sum(terms, rest)->count > 0)
      continue;
    const struct wb_integer number = wb_integer_exactly(wb_terms_sum(terms, rest)->number);
    const struct wb_integer cut =
        turned ? wb_integer_subtract(&number, known) : wb_integer_add(&number, known);
    wb_integer_narrow(value, &cut);
  }
}

/* Sums within shifted ones that are looked at. */
#define MOST_SHIFTED 2

/* What a sum is where all comparisons of a chain hold that the block made. */
static struct wb_integer value_where(struct wb_interval_context *context, uint32_t sum,
                                     uint32_t chain, unsigned depth)
{
  struct wb_terms *terms = context->terms;
  struct wb_integer value = wb_terms_value(terms, &context->state->facts, sum);
  const struct wb_comparison *rows = context->comparisons->rows;
  for (uint32_t row = chain; row != 0; row = rows[row].next) {
    const bool as_signed = rows[row].as_signed;
    const struct wb_integer sides[2] = {side_of(&rows[row].left, as_signed),
                                        side_of(&rows[row].right, as_signed)};
    uint32_t known_sum;
    struct wb_integer known;
    if (!rows[row].wide && rows[row].visit == context->visit &&
        ordered_sums(terms, &rows[row], sides, &known_sum, &known))
      cut_by_sum(terms, sum, known_sum, &known, &value);
  }
  if (sum == 0 || wb_terms_sum(terms, sum)->count != 1 || depth == MOST_SHIFTED)
    return value;
  const struct wb_sum of = *wb_terms_sum(terms, sum);
  const struct wb_term term = terms->terms[of.terms[0].term];
  if (term.kind != WB_TERM_SHIFTED)
    return value;
  const struct wb_integer whole = value_where(context, term.of[0], chain, depth + 1);
  const struct wb_integer part = wb_integer_shift_right(&whole, term.key, false);
  const struct wb_integer factor = wb_integer_exactly(of.terms[0].factor);
  const struct wb_integer product = wb_integer_product(&part, &factor);
  const struct wb_integer number = wb_integer_exactly(of.number);
  const struct wb_integer cut = wb_integer_add(&product, &number);
  wb_integer_narrow(&value, &cut);
  return value;
}

/* The other source of a minimum or maximum less the one, where it is what is chosen: less than 0,
 * or greater. False: it never is. */
static bool other_extreme(struct wb_interval_context *context,
                          const struct wb_micro_operation *operation, size_t one,
                          struct wb_integer *rest)
{
  const bool least = operation->kind == WB_MICRO_MINIMUM;
  struct wb_integer words[2];
  struct wb_integer_end ends[2][2];
  for (size_t s = 0; s < 2; s++) {
    words[s] = wb_interval_word(context, &operation->sources[s]);
    if (!wb_integer_ends(&words[s], operation->as_signed, &ends[s][0], &ends[s][1]))
      return true;
  }
  const int64_t low = ends[!one][0].number - ends[one][1].number;
  const int64_t high = ends[!one][1].number - ends[one][0].number;
  if (least ? low > -1 : high < 1)
    return false;
  if (low < INT32_MIN || high > INT32_MAX)
    return true;
  const struct wb_integer ordered = least ? wb_integer_range(low, high < -1 ? high : -1)
                                          : wb_integer_range(low > 1 ? low : 1, high);
  wb_integer_narrow(rest, &ordered);
  return true;
}

/* What a choice gives less a source of it: 0, or the other source less it where that is chosen. */
static bool find_rest(struct wb_interval_context *context,
                      const struct wb_micro_operation *operation, size_t one,
                      struct wb_interval_chosen *chosen)
{
  const uint32_t other = wb_interval_source_sum(context, &operation->sources[!one]);
  const struct wb_integer zero = wb_integer_exactly(0);
  chosen->of = wb_interval_source_sum(context, &operation->sources[one]);
  const uint32_t rest = wb_terms_add(context->terms, other, chosen->of, UINT32_MAX, 0);
  if (rest == 0 || wb_terms_sum(context->terms, chosen->of)->count == 0)
    return false;
  const struct wb_integer any = wb_terms_value(context->terms, &context->state->facts, rest);
  chosen->rest = any;
  bool possible = true;
  if (operation->kind == WB_MICRO_SELECT) {
    const struct wb_implications by = wb_interval_predicate(context, &operation->sources[2]);
    chosen->rest = value_where(context, rest, one == 0 ? by.when_false : by.when_true, 0);
  } else {
    possible = other_extreme(context, operation, one, &chosen->rest);
  }
  chosen->rest = possible ? wb_integer_join(&chosen->rest, &zero) : zero;
  return chosen->rest.width < any.width;
}

static void find_choice(struct wb_interval_context *context, const struct wb_micro_code *code,
                        size_t index)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  struct wb_interval_chosen *chosen = &context->chosen[index];
  const bool chooses = operation->kind == WB_MICRO_SELECT || operation->kind == WB_MICRO_MINIMUM ||
                       operation->kind == WB_MICRO_MAXIMUM;
  if (context->guarded || !chooses ||
      (!find_rest(context, operation, 0, chosen) && !find_rest(context, operation, 1, chosen)))
    chosen->of = 0;
}

void wb_interval_find_sums(struct wb_interval_context *context, const struct wb_micro_code *code)
{
  for (size_t o = 0; context->terms != NULL && o < code->count; o++) {
    context->sums[o] = context->guarded ? 0 : sum_of(context, code, o);
    find_choice(context, code, o);
  }
}

void wb_interval_name_sum_of(struct wb_interval_context *context, size_t result, uint32_t number)
{
  if (context->terms == NULL || number >= WB_NAMED_REGISTERS)
    return;
  struct wb_integer_state *state = context->state;
  state->sums[number] = context->sums[result];
  const struct wb_integer value =
      wb_terms_value(context->terms, &state->facts, context->sums[result]);
  wb_integer_narrow(&state->registers[number], &value);
  const struct wb_interval_chosen *chosen = &context->chosen[result];
  if (chosen->of == 0)
    return;
  const uint32_t own = wb_interval_register_sum(context->terms, state, number);
  (void)wb_terms_learn(context->terms, &state->facts,
                       wb_terms_add(context->terms, own, chosen->of, UINT32_MAX, 0), &chosen->rest);
}

/* ---- edges ---- */

/* Refines registers by the sums that they hold. */
static void reduce(struct wb_terms *terms, struct wb_integer_state *state)
{
  for (size_t r = 0; r < WB_NAMED_REGISTERS; r++) {
    const uint32_t sum = state->sums[r];
    if (sum == 0 || sum == WB_SUM_OF_START || wb_terms_sum(terms, sum)->count < 2)
      continue;
    const struct wb_integer value = wb_terms_value(terms, &state->facts, sum);
    wb_integer_narrow(&state->registers[r], &value);
  }
}

void wb_interval_assume_sums(struct wb_terms *terms, struct wb_integer_state *state,
                             const struct wb_comparison *row, const struct wb_integer sides[2])
{
  uint32_t sum;
  struct wb_integer value;
  if (terms == NULL)
    return;
  bool known = ordered_sums(terms, row, sides, &sum, &value);
  if (sum != 0 && row->relation == WB_RELATION_UNEQUAL) {
    const struct wb_integer zero = wb_integer_exactly(0);
    value = wb_terms_value(terms, &state->facts, sum);
    known = wb_integer_assume(&value, WB_RELATION_UNEQUAL, &zero, false);
  }
  if (known && wb_terms_learn(terms, &state->facts, sum, &value))
    reduce(terms, state);
}

/* ---- what a loop does not change ---- */

struct wb_wide wb_interval_fixed_limit(const struct wb_interval_context *context,
                                       const struct wb_wide *limit)
{
  const struct wb_integer_state *fixed = context->fixed;
  const struct wb_integer zero = wb_integer_exactly(0);
  if (fixed == NULL || limit->base_low == WB_NO_REGISTER)
    return *limit;
  const struct wb_wide base =
      limit->base_high == WB_NO_REGISTER
          ? wb_wide_of_words(&fixed->registers[limit->base_low], &zero)
          : wb_pairs_value(&fixed->pairs, fixed->registers, limit->base_low, limit->base_high);
  return wb_wide_substitute(limit, &base);
}
