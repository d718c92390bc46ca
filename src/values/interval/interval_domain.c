#include "values/interval/interval_domain.h"

#include "values/domain.h"
#include "values/interval/launch_values.h"

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
  context->results[index].below = context->results[index].above = WB_NO_REGISTER;
  context->results[index].choice = 0;
}

/* ---- words ---- */

/* A register's value before the instruction, for threads that do it, or that skip it: cut by the
 * comparisons of the guard that the block made of this register as it stands. */
static struct wb_integer cut_by_guard(const struct wb_interval_context *context, uint32_t number,
                                      struct wb_integer value, bool done)
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
  return context->guarded ? cut_by_guard(context, number, state->registers[number], true)
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
  const struct wb_launch *launch = context->launch;
  uint32_t parameter;
  if (launch != NULL && launch->buffer_count > 0 &&
      wb_launch_parameter(context->function, (uint32_t)source->bank << 16 | offset, &parameter)) {
    for (size_t b = 0; b < launch->buffer_count && b < WB_VALUE_BUFFER_COUNT; b++) {
      const uint32_t byte = parameter - launch->buffers[b].parameter;
      if (byte == 0 || byte == 4)
        return wb_integer_of_register((uint16_t)(WB_VALUE_BUFFERS + 2 * b + byte / 4));
    }
  }
  const struct wb_integer word =
      wb_launch_constant(launch, context->function, source->bank, offset);
  return !wb_integer_is_exact(&word) && source->bank == 0 &&
                 wb_launch_is_stack(context->function, offset)
             ? wb_integer_of_register(WB_VALUE_STACK)
             : word;
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

/* Whether nothing is known of a word of constant memory: of two that are read as one number, who
 * asks for it asks for all of it. */
static bool is_of_constant(const struct wb_integer *word)
{
  return word->width == UINT32_MAX && word->origin >> 24 == WB_ORIGIN_CONSTANT;
}

struct wb_interval_wide wb_interval_wide(const struct wb_interval_context *context,
                                         const struct wb_source *source)
{
  struct wb_interval_wide wide = {wb_wide_top(), {wb_integer_top(), wb_integer_top()}};
  const struct wb_wide zero = wb_wide_exactly(source->complemented ? UINT64_MAX : 0);
  const struct wb_pair *pair;
  switch ((enum wb_source_kind)source->kind) {
  case WB_SOURCE_NONE:
  case WB_SOURCE_NUMBER:
    wide.value = wb_wide_exactly(source->value);
    wide.words[0] = wb_integer_exactly((uint32_t)source->value);
    wide.words[1] = wb_integer_exactly((uint32_t)(source->value >> 32));
    break;
  case WB_SOURCE_RESULT:
    wide = context->results[source->number].wide;
    break;
  case WB_SOURCE_CONSTANT_PAIR:
    wide.words[0] = constant_at(context, source, 0);
    wide.words[1] = constant_at(context, source, 1);
    wide.value = wb_wide_of_words(&wide.words[0], &wide.words[1]);
    if (is_of_constant(&wide.words[0]) && is_of_constant(&wide.words[1]))
      wide.words[0].origin = wide.words[1].origin = wide.words[0].origin | WB_ORIGIN_WIDE;
    break;
  case WB_SOURCE_REGISTER_PAIR:
    wide.words[0] = register_value(context, source->number);
    wide.words[1] = register_value(context, source->number + 1U);
    pair = wb_pairs_find(&context->state->pairs, source->number, source->number + 1U);
    wide.value = pair != NULL ? pair->value : wb_wide_of_words(&wide.words[0], &wide.words[1]);
    break;
  default:
    break;
  }
  if (source->negated || source->complemented) {
    wide.value = wb_wide_subtract(&zero, &wide.value);
    wide.words[0] = with_sign(source, wide.words[0]);
    wide.words[1] = source->complemented ? with_sign(source, wide.words[1]) : wb_integer_top();
  }
  return wide;
}

/* ---- words, of known operands ---- */

/* An operation and the words of its sources. */
struct operands {
  const struct wb_micro_operation *operation;
  struct wb_integer a, b, c;
};

static struct operands operands_of(const struct wb_interval_context *context,
                                   const struct wb_micro_code *code, size_t index)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  return (struct operands){.operation = operation,
                           .a = wb_interval_word(context, &operation->sources[0]),
                           .b = wb_interval_word(context, &operation->sources[1]),
                           .c = wb_interval_word(context, &operation->sources[2])};
}

static struct wb_integer shift_right(const struct operands *of)
{
  const bool as_signed = of->operation->as_signed;
  struct wb_integer_end low;
  struct wb_integer_end high;
  if (wb_integer_is_exact(&of->b))
    return wb_integer_shift_right(&of->a, of->b.low, as_signed);
  /* By any number of places: towards 0 or -1. */
  wb_integer_ends(&of->a, as_signed, &low, &high);
  if (low.number >= 0)
    low = (struct wb_integer_end){0, false};
  if (high.number < 0)
    high = (struct wb_integer_end){-1, false};
  return wb_integer_between(low, high, of->a.origin);
}

/* A word of (b, a), b the upper one, shifted by up to 63 places. */
static struct wb_integer funnel(const struct operands *of)
{
  const bool right = of->operation->kind == WB_MICRO_FUNNEL_RIGHT;
  const bool far = of->c.low >= 32; /* nothing is left of one word */
  if (!wb_integer_is_exact(&of->c) || of->c.low > 63)
    return wb_integer_top();
  if (of->c.low % 32 == 0)
    return right == !far ? of->a : of->b;
  if (!far)
    return wb_integer_funnel(&of->a, &of->b, of->c.low, right);
  return right ? wb_integer_shift_right(&of->b, of->c.low - 32, of->operation->as_signed)
               : wb_integer_shift_left(&of->a, of->c.low - 32);
}

static struct wb_integer extract(const struct operands *of)
{
  const struct wb_micro_operation *operation = of->operation;
  const bool whole = operation->place + operation->bits == 32;
  const struct wb_integer field =
      wb_integer_shift_right(&of->a, operation->place, operation->as_signed && whole);
  if (whole)
    return field;
  if (operation->as_signed)
    return wb_integer_sign_extend(&field, operation->bits);
  /* A half of a register is bounded by its width alone. */
  return operation->place == 0 && operation->bits == 16
             ? wb_integer_lower_half(&field)
             : wb_integer_lowest_bits(&field, operation->bits);
}

/* Functions of the bits of one word. */
static struct wb_integer bits_of(const struct operands *of)
{
  const bool exact = wb_integer_is_exact(&of->a);
  const uint32_t bits = of->a.low;
  uint32_t result = 0;
  switch (of->operation->kind) {
  case WB_MICRO_COUNT_ONES:
    return wb_integer_count_ones(&of->a);
  case WB_MICRO_LEADING_ONE:
    return wb_integer_highest_one(&of->a, of->operation->as_signed);
  default: /* reversed */
    for (unsigned b = 0; b < 32; b++)
      result |= (bits >> b & 1) << (31 - b);
    return exact ? wb_integer_exactly(result) : wb_integer_top();
  }
}

static void find_word(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct operands of = operands_of(context, code, index);
  const struct wb_integer words[] = {of.a, of.b, of.c};
  const bool b_exact = wb_integer_is_exact(&of.b);
  struct wb_integer word = wb_integer_top();
  switch ((enum wb_micro_kind)of.operation->kind) {
  case WB_MICRO_COPY:
    word = of.a;
    break;
  case WB_MICRO_MULTIPLY:
    word = wb_integer_product(&of.a, &of.b);
    break;
  case WB_MICRO_MULTIPLY_UPPER:
    word = wb_integer_product_upper(&of.a, of.operation->as_signed, &of.b, of.operation->b_signed);
    break;
  case WB_MICRO_SHIFT_LEFT:
    if (b_exact)
      word = wb_integer_shift_left(&of.a, of.b.low);
    break;
  case WB_MICRO_SHIFT_RIGHT:
    word = shift_right(&of);
    break;
  case WB_MICRO_FUNNEL_LEFT:
  case WB_MICRO_FUNNEL_RIGHT:
    word = funnel(&of);
    break;
  case WB_MICRO_LOOKUP:
    word = wb_integer_lookup(words, of.operation->table);
    break;
  case WB_MICRO_PERMUTE:
    if (b_exact)
      word = wb_integer_permute(&of.a, &of.c, of.b.low & 0xffff);
    break;
  case WB_MICRO_EXTRACT:
    word = extract(&of);
    break;
  case WB_MICRO_MINIMUM:
  case WB_MICRO_MAXIMUM:
    word = wb_integer_extreme(&of.a, &of.b, of.operation->as_signed,
                              of.operation->kind == WB_MICRO_MINIMUM);
    break;
  case WB_MICRO_ABSOLUTE:
    word = wb_integer_magnitude(&of.a);
    break;
  case WB_MICRO_SOME_LANE:
    word = wb_interval_lane_word(context, &of.a);
    break;
  default:
    word = bits_of(&of);
  }
  wb_interval_set_word(context, code, index, word);
  ((struct wb_interval_context *)context)->results[index].slack =
      wb_interval_slack(of.operation, &of.a, &of.b, &word);
  wb_interval_refine_by_masks(context, code, index);
}

/* ---- other words ---- */

/* Of a conversion that is not known: the constant that it lacks, where it lacks nothing else. */
static uint32_t conversion_origin(const struct wb_integer words[3], uint32_t own)
{
  uint32_t origin = 0;
  for (size_t s = 0; s < 3; s++) {
    if (words[s].width != UINT32_MAX)
      continue;
    if (words[s].origin >> 24 != WB_ORIGIN_CONSTANT)
      return own;
    origin = wb_first_origin(origin, words[s].origin);
  }
  return origin != 0 ? origin : own;
}

/* Any number; of a function of the sources, those of its range. */
static void any_word(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const uint32_t origin = WB_ORIGIN(WB_ORIGIN_INSTRUCTION, instruction->index);
  const bool function = operation->kind == WB_MICRO_FUNCTION;
  const bool bounded = function && operation->most - operation->least < UINT32_MAX;
  struct wb_integer word =
      bounded ? wb_integer_range(operation->least, operation->most) : wb_integer_unknown(origin);
  if (function && operation->conversion != WB_CONVERSION_NONE) {
    const struct operands operands = operands_of(context, code, index);
    const struct wb_integer words[] = {operands.a, operands.b, operands.c,
                                       wb_interval_word(context, &operation->sources[3])};
    uint32_t number;
    if (wb_interval_calculate(operation, words, &number))
      word = wb_integer_exactly(number);
    else if (!wb_interval_convert(operation, words, origin, &word) && !bounded)
      word.origin = conversion_origin(words, origin);
  }
  wb_interval_set_word(context, code, index, word);
  instruction->results[index].wide.words[1] = wb_integer_unknown(origin);
  instruction->results[index].wide.value = wb_wide_top();
  instruction->results[index].predicate = (struct wb_implications){0};
}

/* ---- results of 64 bits ---- */

static void find_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct operands of = operands_of(context, code, index);
  const struct wb_source *sources = of.operation->sources;
  const bool as_signed = of.operation->as_signed;
  const bool b_signed = of.operation->b_signed;
  struct wb_interval_wide wide = wb_interval_wide(context, &sources[0]);
  switch ((enum wb_micro_kind)of.operation->kind) {
  case WB_MICRO_WIDE_ADD:
    for (size_t s = 1; s < 3 && sources[s].kind != WB_SOURCE_NONE; s++) {
      const struct wb_interval_wide more = wb_interval_wide(context, &sources[s]);
      wide.value = wb_wide_add(&wide.value, &more.value);
      wide.words[0] = wb_integer_add(&wide.words[0], &more.words[0]);
    }
    wb_interval_refine_whole_difference(instruction, of.operation, &wide.value);
    wb_interval_note_whole_addends(instruction, of.operation, index);
    wide.words[1] = wb_integer_unknown(
        wb_first_origin(wide.value.origin, WB_ORIGIN(WB_ORIGIN_INSTRUCTION, instruction->index)));
    break;
  case WB_MICRO_WIDE_MULTIPLY:
    wide.value = wb_wide_product(&of.a, as_signed, &of.b, b_signed);
    wide.words[0] = wb_integer_product(&of.a, &of.b);
    wide.words[1] = wb_integer_product_upper(&of.a, as_signed, &of.b, b_signed);
    break;
  case WB_MICRO_WIDE_SELECT:
    wide = wb_interval_select_wide(instruction, of.operation);
    break;
  case WB_MICRO_WIDE_EXTEND:
    wide.value = wb_wide_extend(&of.a, as_signed);
    wide.words[0] = of.a;
    wide.words[1] = wb_integer_shift_right(&of.a, 32, as_signed);
    break;
  default: /* a copy */
    break;
  }
  /* The words are refined by the number. */
  if (!wb_wide_to_words(&wide.value, &wide.words[0], &wide.words[1])) {
    const struct wb_integer words[2] = {wb_wide_lower_word(&wide.value),
                                        wb_wide_upper_word(&wide.value)};
    for (size_t w = 0; w < 2; w++) {
      if (words[w].width < wide.words[w].width)
        wide.words[w] = words[w];
    }
  }
  instruction->results[index].wide = wide;
}

/* ---- instructions ---- */

/* Whether a predicate, by its index or WB_TRUTH_COUNT, is as `when` says. */
static enum wb_truth truth_of(const struct wb_interval_context *context, size_t predicate,
                              bool when)
{
  if (predicate == WB_TRUTH_COUNT)
    return WB_TRUTH_UNKNOWN;
  const enum wb_truth truth = (enum wb_truth)context->state->predicates[predicate].truth;
  if (truth == WB_TRUTH_UNKNOWN)
    return WB_TRUTH_UNKNOWN;
  return (truth == WB_TRUTH_TRUE) == when ? WB_TRUTH_TRUE : WB_TRUTH_FALSE;
}

enum wb_truth wb_interval_guard(const struct wb_interval_context *context)
{
  return truth_of(context, context->guard, context->guard_when);
}

enum wb_truth wb_interval_truth(const struct wb_interval_context *context, uint32_t number,
                                bool when)
{
  return truth_of(context, wb_predicate_index(number), when);
}

static void begin(void *context, const struct wb_function *function, uint32_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_instruction *what = &function->instructions[index];
  instruction->function = function;
  instruction->index = index;
  instruction->guard = wb_predicate_index(what->guard);
  instruction->guard_when = !what->guard_negated;
  instruction->wide_sum.count = 0;
  instruction->wide_sum.differs = false;
  instruction->guarded =
      what->guard != WB_NO_REGISTER && wb_interval_guard(instruction) != WB_TRUTH_TRUE;
}

/* Whether the instruction writes the register. */
static bool writes(const struct wb_interval_context *context, uint32_t number)
{
  return wb_registers_written(context->function, context->index, context->index, number);
}

/* The register gets the value. Threads that skip a guarded instruction keep their old value: the
 * state gets both, and each under its outcome of the guard. Values under other predicates hold the
 * new one too. */
void wb_interval_set_register(struct wb_interval_context *context, uint32_t number,
                              const struct wb_integer *value)
{
  struct wb_integer_state *state = context->state;
  const struct wb_conditionals *before = &context->kept_conditionals;
  const size_t guard = context->guard;
  if (number >= WB_VALUE_COUNT)
    return;
  if (!context->guarded) {
    state->registers[number] = *value;
    return;
  }
  const bool kept_by_others = guard != WB_TRUTH_COUNT &&
                              !writes(context, wb_predicate_register(guard)) &&
                              (number < WB_REGISTER_UNIFORM || guard >= WB_PREDICATE_COUNT);
  const struct wb_integer *under_guard =
      kept_by_others ? wb_conditionals_find(before, number, guard, !context->guard_when) : NULL;
  struct wb_integer old = wb_integer_top();
  for (size_t k = 0; k < context->kept_count; k++)
    old = context->kept[k] == number ? context->kept_values[k] : old;
  if (under_guard != NULL)
    old = *under_guard;
  else if (kept_by_others)
    old = cut_by_guard(context, number, old, false);
  state->registers[number] = wb_integer_join(&old, value);
  for (size_t i = 0; i < before->count; i++) {
    const struct wb_conditional_value *row = &before->rows[i];
    const struct wb_integer both = wb_integer_join(&row->value, value);
    if (row->number == number && row->predicate != guard &&
        !writes(context, wb_predicate_register(row->predicate)))
      wb_conditionals_set(&state->conditionals, number, row->predicate, row->when, &both);
  }
  if (!kept_by_others)
    return;
  wb_conditionals_set(&state->conditionals, number, guard, context->guard_when, value);
  wb_conditionals_set(&state->conditionals, number, guard, !context->guard_when, &old);
}

static void write_word(struct wb_interval_context *context, const struct wb_micro_code *code,
                       const struct wb_micro_write *write)
{
  const struct wb_micro_operation *operation = &code->operations[write->result];
  const struct wb_interval_result *result = &context->results[write->result];
  struct wb_integer_state *state = context->state;
  struct wb_integer words[2];
  wb_interval_set_register(context, write->number, &result->wide.words[0]);
  wb_interval_keep_flags(context, code, write->result, write->number);
  if (context->guarded || write->number >= WB_VALUE_COUNT)
    return;
  wb_interval_name_sum_of(context, write->result, write->number);
  wb_interval_move_masks(context, code, write->result, write->number);
  wb_interval_move_differences(context, operation, result, write->number);
  wb_interval_move_orders(context, operation, write->number);
  if (operation->kind == WB_MICRO_LOOKUP && result->mask.number != WB_NO_REGISTER)
    wb_interval_name_bits(context, result, write->number);
  if (operation->kind == WB_MICRO_COPY) {
    /* A copy of one word of a pair makes a pair with the other word, which the instruction does not
     * write. */
    const uint16_t from = wb_interval_source_register(&operation->sources[0]);
    struct wb_pairs *pairs = &state->pairs;
    wb_interval_copy_wide_differences(context, from, write->number);
    for (size_t i = 0; from != WB_NO_REGISTER && i < context->kept_pairs.count; i++) {
      const struct wb_pair *pair = &context->kept_pairs.rows[i];
      if (pair->low == from && !writes(context, pair->high))
        wb_pairs_set(pairs, write->number, pair->high, &pair->value);
      if (pair->high == from && !writes(context, pair->low))
        wb_pairs_set(pairs, pair->low, write->number, &pair->value);
    }
  }
  if (operation->kind == WB_MICRO_SELECT)
    wb_interval_name_choice(context, result, write->number);
  if (operation->kind != WB_MICRO_ADD)
    return;
  wb_interval_name_sum(context, code, write->result, write->number);
  if (result->below == WB_NO_REGISTER || result->below == write->number ||
      writes(context, result->below))
    return;
  wb_pairs_set(&state->pairs, result->below, write->number, &result->wide.value);
  wb_interval_name_wide_sum(context, write->result, result->below, write->number);
  const struct wb_pair pair = {result->below, write->number, result->wide.value};
  wb_interval_round_held_words(context, &pair);
  if (wb_wide_to_words(&result->wide.value, &words[0], &words[1]))
    wb_integer_meet(&state->registers[result->below], &words[0]);
}

static void write_result(void *context, const struct wb_micro_code *code,
                         const struct wb_micro_write *write)
{
  struct wb_interval_context *instruction = context;
  const struct wb_interval_result *result = &instruction->results[write->result];
  const struct wb_interval_wide *wide = &result->wide;
  const size_t predicate = wb_predicate_index(write->number);
  struct wb_integer words[2];
  if (predicate < WB_TRUTH_COUNT) {
    struct wb_implications truth = result->predicate;
    /* A sum sets the zero flag beside the condition code's carry; a copied carry does not. */
    if (predicate == WB_TRUTH_CONDITION_CODE &&
        code->operations[write->result].kind != WB_MICRO_CARRY)
      truth.carry = 0;
    if (!instruction->guarded) {
      instruction->state->predicates[predicate] = truth;
      wb_interval_note_conditions(instruction, code, write->result, predicate);
      wb_interval_note_orders(instruction, predicate);
    }
  } else if (!write->wide) {
    write_word(instruction, code, write);
  } else if (write->number < WB_VALUE_COUNT - 1) {
    wb_interval_set_register(instruction, write->number, &wide->words[0]);
    wb_interval_set_register(instruction, write->number + 1U, &wide->words[1]);
    if (!instruction->guarded) {
      wb_interval_move_masks(instruction, code, write->result, write->number);
      wb_interval_name_wide_sum(instruction, write->result, write->number,
                                (uint16_t)(write->number + 1));
    }
    if (!instruction->guarded && !wb_wide_to_words(&wide->value, &words[0], &words[1]))
      wb_pairs_set(&instruction->state->pairs, write->number, (uint16_t)(write->number + 1),
                   &wide->value);
  }
}

static void forget_all(void *context)
{
  struct wb_interval_context *instruction = context;
  wb_integer_state_top(instruction->state);
}

const struct wb_domain wb_interval_domain = {
    .name = "intervals",
    .begin = begin,
    .apply =
        {
            [WB_MICRO_COPY] = find_word,
            [WB_MICRO_ADD] = wb_interval_add,
            [WB_MICRO_MULTIPLY] = find_word,
            [WB_MICRO_MULTIPLY_UPPER] = find_word,
            [WB_MICRO_SHIFT_LEFT] = find_word,
            [WB_MICRO_SHIFT_RIGHT] = find_word,
            [WB_MICRO_FUNNEL_LEFT] = find_word,
            [WB_MICRO_FUNNEL_RIGHT] = find_word,
            [WB_MICRO_LOOKUP] = find_word,
            [WB_MICRO_PERMUTE] = find_word,
            [WB_MICRO_EXTRACT] = find_word,
            [WB_MICRO_SELECT] = wb_interval_select,
            [WB_MICRO_MINIMUM] = find_word,
            [WB_MICRO_MAXIMUM] = find_word,
            [WB_MICRO_ABSOLUTE] = find_word,
            [WB_MICRO_COUNT_ONES] = find_word,
            [WB_MICRO_LEADING_ONE] = find_word,
            [WB_MICRO_REVERSE] = find_word,
            [WB_MICRO_CARRY] = wb_interval_carry,
            [WB_MICRO_COMPARE] = wb_interval_compare,
            [WB_MICRO_COMPARE_UPPER] = wb_interval_compare_upper,
            [WB_MICRO_COMPARE_BY_CARRY] = wb_interval_compare_wide,
            [WB_MICRO_COMPARE_WIDE] = wb_interval_compare_wide,
            [WB_MICRO_COMBINE] = wb_interval_combine,
            [WB_MICRO_IS_NOT_ZERO] = wb_interval_compare,
            [WB_MICRO_WIDE_COPY] = find_wide,
            [WB_MICRO_WIDE_ADD] = find_wide,
            [WB_MICRO_WIDE_MULTIPLY] = find_wide,
            [WB_MICRO_WIDE_SELECT] = find_wide,
            [WB_MICRO_WIDE_EXTEND] = find_wide,
            [WB_MICRO_SOME_LANE] = find_word,
            [WB_MICRO_FUNCTION] = any_word,
        },
    .unknown = any_word,
    .forget_writes = wb_interval_forget_writes,
    .write = write_result,
    .forget_all = forget_all,
};

/* A load, or another instruction, of an assumed range has been done: its registers get it. */
static void write_load(struct wb_interval_context *context, const struct wb_load_range *range)
{
  struct wb_integer words[2];
  if (range->bytes < 8) {
    words[0] = wb_integer_range(range->least, range->most);
    wb_interval_set_register(context, range->number, &words[0]);
    return;
  }
  const struct wb_wide number = {.low = (uint64_t)range->least,
                                 .width = (uint64_t)range->most - (uint64_t)range->least,
                                 .base_low = WB_NO_REGISTER,
                                 .base_high = WB_NO_REGISTER};
  const bool split = wb_wide_to_words(&number, &words[0], &words[1]);
  if (!split) {
    words[0] = wb_wide_lower_word(&number);
    words[1] = wb_integer_range(range->least >> 32, range->most >> 32);
  }
  wb_interval_set_register(context, range->number, &words[0]);
  wb_interval_set_register(context, range->number + 1U, &words[1]);
  if (!split && !context->guarded)
    wb_pairs_set(&context->state->pairs, range->number, (uint16_t)(range->number + 1), &number);
}

void wb_interval_transfer(struct wb_interval_context *context, const struct wb_function *function,
                          uint32_t index)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  begin(context, function, index);
  bool writes_something = instruction->unknown || wb_interval_guard(context) != WB_TRUTH_FALSE;
  /* Uniform registers may change though the thread skips the instruction: other lanes may do it. */
  for (uint32_t s = 0; s < instruction->write_count && context->guard < WB_PREDICATE_COUNT; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    writes_something |= (uint32_t)span->first + span->count > WB_REGISTER_UNIFORM;
  }
  if (!writes_something)
    return;
  struct wb_interval_extreme extreme;
  wb_interval_quotients_before(context);
  wb_interval_extreme_before(context, &extreme);
  wb_interval_stack_transfer(context, function, index);
  wb_interval_extreme_after(context, &extreme);
  wb_interval_quotients_after(context);
  struct wb_load_range of_type;
  const struct wb_load_range *range = wb_launch_load(context->launch, index);
  if (range == NULL && wb_load_type_range(function, index, &of_type))
    range = &of_type;
  if (range != NULL && !instruction->never)
    write_load(context, range);
}
