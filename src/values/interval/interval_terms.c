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

void wb_interval_find_sums(struct wb_interval_context *context, const struct wb_micro_code *code)
{
  for (size_t o = 0; context->terms != NULL && o < code->count; o++)
    context->sums[o] = context->guarded ? 0 : sum_of(context, code, o);
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
  const enum wb_relation relation = (enum wb_relation)row->relation;
  const bool upward = relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST;
  const bool strict = relation == WB_RELATION_LESS || relation == WB_RELATION_GREATER;
  if (terms == NULL || row->sums[0] == 0 || row->sums[1] == 0)
    return;
  const uint32_t sum = wb_terms_add(terms, row->sums[upward], row->sums[!upward], UINT32_MAX, 0);
  struct wb_integer value = wb_integer_exactly(0);
  if (relation == WB_RELATION_UNEQUAL) {
    const struct wb_integer zero = value;
    value = wb_terms_value(terms, &state->facts, sum);
    if (!wb_integer_assume(&value, WB_RELATION_UNEQUAL, &zero, false))
      return;
  } else if (relation != WB_RELATION_EQUAL &&
             !wb_interval_ordered_difference(&sides[upward], &sides[!upward], strict,
                                             row->as_signed, &value)) {
    return;
  }
  if (wb_terms_learn(terms, &state->facts, sum, &value))
    reduce(terms, state);
}
