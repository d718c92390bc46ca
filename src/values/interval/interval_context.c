#include "values/interval/interval_context.h"

#include "values/interval/launch_values.h"
#include "values/register_writes.h"

/* ---- results ---- */

void wb_interval_set_word(struct wb_interval_context *context, const struct wb_micro_code *code,
                          size_t index, struct wb_integer word)
{
  const struct wb_source *sources = code->operations[index].sources;
  for (size_t s = 0; s < 3 && word.width == UINT32_MAX && word.origin == 0; s++) {
    const uint8_t kind = sources[s].kind;
    if (kind != WB_SOURCE_PREDICATE && kind != WB_SOURCE_REGISTER_PAIR &&
        kind != WB_SOURCE_CONSTANT_PAIR)
      word.origin = wb_interval_plain_word(context, &sources[s]).origin;
  }
  context->results[index].wide.words[0] = word;
  context->results[index].below = WB_NO_REGISTER;
}

void wb_interval_set_wide(struct wb_interval_context *context, size_t index,
                          struct wb_interval_wide wide)
{
  if (!wb_wide_to_words(&wide.value, &wide.words[0], &wide.words[1])) {
    const struct wb_integer lower = wb_wide_lower_word(&wide.value);
    if (lower.width < wide.words[0].width)
      wide.words[0] = lower;
  }
  context->results[index].wide = wide;
}

/* ---- words ---- */

struct wb_integer wb_interval_under_guard(const struct wb_interval_context *context,
                                          uint32_t number, struct wb_integer value, bool done)
{
  if (context->guard >= WB_TRUTH_COUNT)
    return value;
  const struct wb_implications *guard = &context->state->predicates[context->guard];
  const struct wb_comparison *rows = context->comparisons->rows;
  uint32_t row = done == context->guard_when ? guard->when_true : guard->when_false;
  for (; row != 0; row = rows[row].next) {
    const struct wb_comparison *it = &rows[row];
    if (it->wide || it->visit != context->visit ||
        wb_interval_written_since(context, it->instruction + 1, number))
      continue;
    struct wb_integer cut = value;
    const enum wb_relation relation = (enum wb_relation)it->relation;
    if ((it->sources[0] == number &&
         wb_integer_assume(&cut, relation, &it->right, it->as_signed)) ||
        (it->sources[1] == number &&
         wb_integer_assume(&cut, wb_relation_mirrored(relation), &it->left, it->as_signed)))
      value = cut;
  }
  return value;
}

static struct wb_integer register_value(const struct wb_interval_context *context, uint32_t number)
{
  const struct wb_integer_state *state = context->state;
  const struct wb_integer *value =
      context->guarded
          ? wb_conditionals_find(&state->conditionals, number, context->guard, context->guard_when)
          : NULL;
  if (value != NULL)
    return *value;
  if (number >= WB_VALUE_COUNT)
    return wb_integer_top();
  return context->guarded ? wb_interval_under_guard(context, number, state->registers[number], true)
                          : state->registers[number];
}

/* The word of constant memory that stands `words` after the source. */
static struct wb_integer constant_at(const struct wb_interval_context *context,
                                     const struct wb_source *source, uint32_t words)
{
  uint32_t offset = (uint32_t)source->value + 4 * words;
  if (source->index != WB_NO_REGISTER) {
    const struct wb_integer index = register_value(context, source->index);
    if (!wb_integer_is_exact(&index))
      return wb_integer_top();
    offset += index.low;
  }
  return wb_launch_constant(context->launch, context->function, source->bank, offset);
}

struct wb_integer wb_interval_plain_word(const struct wb_interval_context *context,
                                         const struct wb_source *source)
{
  switch ((enum wb_source_kind)source->kind) {
  case WB_SOURCE_NONE:
    return wb_integer_exactly(0);
  case WB_SOURCE_RESULT:
    return context->results[source->number].wide.words[0];
  case WB_SOURCE_REGISTER:
    return register_value(context, source->number);
  case WB_SOURCE_NUMBER:
    return wb_integer_exactly((uint32_t)source->value);
  case WB_SOURCE_CONSTANT:
    return constant_at(context, source, 0);
  case WB_SOURCE_SPECIAL:
    return wb_launch_special(context->launch, context->function,
                             (enum wb_special_register)source->value);
  default:
    return wb_integer_top();
  }
}

/* The number with the source's sign. */
static struct wb_integer with_sign(const struct wb_source *source, struct wb_integer value)
{
  const struct wb_integer zero = wb_integer_exactly(source->complemented ? UINT32_MAX : 0);
  return source->negated || source->complemented ? wb_integer_subtract(&zero, &value) : value;
}

struct wb_integer wb_interval_word(const struct wb_interval_context *context,
                                   const struct wb_source *source)
{
  return with_sign(source, wb_interval_plain_word(context, source));
}

uint16_t wb_interval_source_register(const struct wb_source *source)
{
  return source->kind == WB_SOURCE_REGISTER && !source->negated && !source->complemented &&
                 source->number < WB_VALUE_COUNT
             ? source->number
             : WB_NO_REGISTER;
}

bool wb_interval_written_since(const struct wb_interval_context *context, uint32_t first,
                               uint32_t number)
{
  return context->index > first &&
         wb_registers_written(context->function, first, context->index - 1, number);
}

/* ---- numbers of 64 bits ---- */

static struct wb_interval_wide plain_wide(const struct wb_interval_context *context,
                                          const struct wb_source *source)
{
  struct wb_interval_wide wide = {wb_wide_top(), {wb_integer_top(), wb_integer_top()}};
  const struct wb_pair *pair;
  switch ((enum wb_source_kind)source->kind) {
  case WB_SOURCE_NONE:
  case WB_SOURCE_NUMBER:
    return (struct wb_interval_wide){wb_wide_exactly(source->value),
                                     {wb_integer_exactly((uint32_t)source->value),
                                      wb_integer_exactly((uint32_t)(source->value >> 32))}};
  case WB_SOURCE_RESULT:
    return context->results[source->number].wide;
  case WB_SOURCE_CONSTANT_PAIR:
    wide.words[0] = constant_at(context, source, 0);
    wide.words[1] = constant_at(context, source, 1);
    wide.value = wb_wide_of_words(&wide.words[0], &wide.words[1]);
    return wide;
  case WB_SOURCE_REGISTER_PAIR:
    wide.words[0] = register_value(context, source->number);
    wide.words[1] = register_value(context, source->number + 1U);
    pair = wb_pairs_find(&context->state->pairs, source->number, source->number + 1U);
    wide.value = pair != NULL ? pair->value : wb_wide_of_words(&wide.words[0], &wide.words[1]);
    return wide;
  default:
    return wide;
  }
}

struct wb_interval_wide wb_interval_wide(const struct wb_interval_context *context,
                                         const struct wb_source *source)
{
  struct wb_interval_wide wide = plain_wide(context, source);
  const struct wb_wide zero = wb_wide_exactly(source->complemented ? UINT64_MAX : 0);
  if (source->negated || source->complemented) {
    wide.value = wb_wide_subtract(&zero, &wide.value);
    wide.words[0] = with_sign(source, wide.words[0]);
    wide.words[1] = source->complemented ? with_sign(source, wide.words[1]) : wb_integer_top();
  }
  return wide;
}

/* ---- predicates ---- */

struct wb_implications wb_implications_not(struct wb_implications a)
{
  static const uint8_t negated[] = {WB_TRUTH_UNKNOWN, WB_TRUTH_TRUE, WB_TRUTH_FALSE};
  return (struct wb_implications){
      .when_true = a.when_false, .when_false = a.when_true, .truth = negated[a.truth]};
}

struct wb_implications wb_interval_predicate(const struct wb_interval_context *context,
                                             const struct wb_source *source)
{
  struct wb_implications predicate = {.truth = WB_TRUTH_UNKNOWN};
  if (source->kind == WB_SOURCE_NONE)
    predicate.truth = WB_TRUTH_FALSE;
  else if (source->kind == WB_SOURCE_NUMBER)
    predicate.truth = source->value != 0 ? WB_TRUTH_TRUE : WB_TRUTH_FALSE;
  else if (source->kind == WB_SOURCE_RESULT)
    predicate = context->results[source->number].predicate;
  else if (source->kind == WB_SOURCE_PREDICATE &&
           wb_predicate_index(source->number) < WB_TRUTH_COUNT)
    predicate = context->state->predicates[wb_predicate_index(source->number)];
  return source->negated ? wb_implications_not(predicate) : predicate;
}
