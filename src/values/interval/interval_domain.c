#include "values/interval/interval_domain.h"

#include "values/interval/integer_operations.h"
#include "values/register_writes.h"

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
             ? wb_integer_half(&field, false)
             : wb_integer_lowest_bits(&field, operation->bits);
}

/* Functions of the bits of one word. */
static struct wb_integer bits_of(const struct operands *of)
{
  const bool exact = wb_integer_is_exact(&of->a);
  uint32_t bits = of->a.low;
  uint32_t result = 0;
  switch (of->operation->kind) {
  case WB_MICRO_COUNT_ONES:
    for (; bits != 0; bits &= bits - 1)
      result++;
    return exact ? wb_integer_exactly(result) : wb_integer_range(0, 32);
  case WB_MICRO_LEADING_ONE:
    if (of->operation->as_signed && bits > INT32_MAX)
      bits = ~bits;
    for (result = UINT32_MAX; bits != 0; bits >>= 1)
      result++;
    return exact ? wb_integer_exactly(result) : wb_integer_range(-1, 31);
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
    word = wb_integer_minimum(&of.a, &of.b, of.operation->as_signed);
    break;
  case WB_MICRO_MAXIMUM:
    word = wb_integer_maximum(&of.a, &of.b, of.operation->as_signed);
    break;
  case WB_MICRO_ABSOLUTE:
    word = wb_integer_magnitude(&of.a);
    break;
  case WB_MICRO_SOME_LANE: /* of another thread where it is relative to this one's registers */
    word = of.a.base == WB_NO_REGISTER ? of.a : wb_integer_unknown(of.a.origin);
    break;
  default:
    word = bits_of(&of);
  }
  wb_interval_set_word(context, code, index, word);
}

/* ---- other words ---- */

static void select_word(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct operands operands = operands_of(context, code, index);
  const uint8_t first = wb_interval_predicate(context, &operands.operation->sources[2]).truth;
  const struct wb_integer either = wb_integer_join(&operands.a, &operands.b);
  wb_interval_set_word(context, code, index,
                       first == WB_TRUTH_UNKNOWN ? either
                       : first == WB_TRUTH_TRUE  ? operands.a
                                                 : operands.b);
}

static void any_word(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const uint32_t origin = WB_ORIGIN(WB_ORIGIN_INSTRUCTION, instruction->index);
  wb_interval_set_word(context, code, index, wb_integer_unknown(origin));
  instruction->results[index].wide.words[1] = wb_integer_unknown(origin);
  instruction->results[index].wide.value = wb_wide_top();
  instruction->results[index].predicate = (struct wb_implications){0};
}

static void function_of_sources(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  any_word(context, code, index);
  if (operation->most - operation->least < UINT32_MAX)
    wb_interval_set_word(context, code, index, wb_integer_range(operation->least, operation->most));
}

/* ---- numbers of 64 bits ---- */

static void copy_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_source *sources = code->operations[index].sources;
  wb_interval_set_wide(context, index, wb_interval_wide(context, &sources[0]));
}

static void add_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_interval_context *instruction = context;
  const struct wb_source *sources = code->operations[index].sources;
  struct wb_interval_wide sum = wb_interval_wide(context, &sources[0]);
  for (size_t s = 1; s < 3; s++) {
    if (sources[s].kind == WB_SOURCE_NONE)
      continue;
    const struct wb_interval_wide more = wb_interval_wide(context, &sources[s]);
    sum.value = wb_wide_add(&sum.value, &more.value);
    sum.words[0] = wb_integer_add(&sum.words[0], &more.words[0]);
  }
  sum.words[1] = wb_integer_unknown(WB_ORIGIN(WB_ORIGIN_INSTRUCTION, instruction->index));
  wb_interval_set_wide(context, index, sum);
}

static void multiply_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct operands of = operands_of(context, code, index);
  const bool a_signed = of.operation->as_signed;
  const bool b_signed = of.operation->b_signed;
  wb_interval_set_wide(
      context, index,
      (struct wb_interval_wide){wb_wide_product(&of.a, a_signed, &of.b, b_signed),
                                {wb_integer_product(&of.a, &of.b),
                                 wb_integer_product_upper(&of.a, a_signed, &of.b, b_signed)}});
}

static void select_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_source *sources = code->operations[index].sources;
  const uint8_t first = wb_interval_predicate(context, &sources[2]).truth;
  struct wb_interval_wide a = wb_interval_wide(context, &sources[0]);
  const struct wb_interval_wide b = wb_interval_wide(context, &sources[1]);
  if (first == WB_TRUTH_UNKNOWN) {
    a.value = wb_wide_join(&a.value, &b.value);
    for (size_t w = 0; w < 2; w++)
      a.words[w] = wb_integer_join(&a.words[w], &b.words[w]);
  }
  wb_interval_set_wide(context, index, first == WB_TRUTH_FALSE ? b : a);
}

static void extend(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct operands of = operands_of(context, code, index);
  const bool as_signed = of.operation->as_signed;
  wb_interval_set_wide(
      context, index,
      (struct wb_interval_wide){wb_wide_extend(&of.a, as_signed),
                                {of.a, wb_integer_shift_right(&of.a, 32, as_signed)}});
}

/* ---- instructions ---- */

/* Whether the thread does the instruction. */
static enum wb_truth guard_outcome(const struct wb_interval_context *context)
{
  if (context->guard == WB_TRUTH_COUNT)
    return WB_TRUTH_UNKNOWN;
  const enum wb_truth truth = (enum wb_truth)context->state->predicates[context->guard].truth;
  if (truth == WB_TRUTH_UNKNOWN)
    return WB_TRUTH_UNKNOWN;
  return (truth == WB_TRUTH_TRUE) == context->guard_when ? WB_TRUTH_TRUE : WB_TRUTH_FALSE;
}

static void begin(void *context, const struct wb_function *function, uint32_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_instruction *what = &function->instructions[index];
  instruction->function = function;
  instruction->index = index;
  instruction->guard = wb_predicate_index(what->guard);
  instruction->guard_when = !what->guard_negated;
  instruction->guarded =
      what->guard != WB_NO_REGISTER && guard_outcome(instruction) != WB_TRUTH_TRUE;
}

static void forget_writes(void *context, const struct wb_function *function, uint32_t index,
                          const struct wb_micro_code *code)
{
  (void)code;
  struct wb_interval_context *instruction = context;
  struct wb_integer_state *state = instruction->state;
  const struct wb_instruction *what = &function->instructions[index];
  const uint32_t origin = WB_ORIGIN(WB_ORIGIN_INSTRUCTION, index);
  instruction->kept_count = 0;
  instruction->kept_pairs.count = state->pairs.count;
  for (size_t p = 0; p < state->pairs.count; p++)
    instruction->kept_pairs.rows[p] = state->pairs.rows[p];
  if (instruction->guarded)
    instruction->kept_conditionals = state->conditionals;
  for (uint32_t s = 0; s < what->write_count; s++) {
    const struct wb_register_span *span = &function->spans[what->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      const size_t predicate = wb_predicate_index(r);
      if (predicate < WB_TRUTH_COUNT) {
        state->predicates[predicate] = (struct wb_implications){0};
        wb_conditionals_forget_predicate(&state->conditionals, predicate);
        continue;
      }
      if (r >= WB_VALUE_COUNT)
        continue;
      /* Threads that skip an instruction with a guard keep what they have. */
      if (instruction->guarded && instruction->kept_count < WB_INTERVAL_KEPT) {
        instruction->kept[instruction->kept_count] = (uint16_t)r;
        instruction->kept_values[instruction->kept_count++] = state->registers[r];
      }
      state->registers[r] = wb_integer_unknown(origin);
      wb_pairs_forget(&state->pairs, r, true);
      wb_conditionals_forget_register(&state->conditionals, r);
    }
  }
}

/* Whether the instruction writes the register. */
static bool writes(const struct wb_interval_context *context, uint32_t number)
{
  return wb_registers_written(context->function, context->index, context->index, number);
}

/* Threads that skip a guarded instruction keep their old value: the state gets both, and each under
 * its outcome of the guard. Values under other predicates hold the new one too. */
static void set_guarded(struct wb_interval_context *context, uint32_t number,
                        const struct wb_integer *value)
{
  struct wb_integer_state *state = context->state;
  const struct wb_conditionals *before = &context->kept_conditionals;
  const bool kept_by_others =
      context->guard != WB_TRUTH_COUNT && !writes(context, wb_predicate_register(context->guard)) &&
      (number < WB_REGISTER_UNIFORM || context->guard >= WB_PREDICATE_COUNT);
  const size_t guard = context->guard;
  const struct wb_integer *under_guard =
      kept_by_others ? wb_conditionals_find(before, number, guard, !context->guard_when) : NULL;
  struct wb_integer old = wb_integer_top();
  for (size_t k = 0; k < context->kept_count; k++)
    old = context->kept[k] == number ? context->kept_values[k] : old;
  if (under_guard != NULL)
    old = *under_guard;
  else if (kept_by_others)
    old = wb_interval_under_guard(context, number, old, false);
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

static void set_register(struct wb_interval_context *context, uint32_t number,
                         const struct wb_integer *value)
{
  if (number >= WB_VALUE_COUNT)
    return;
  if (context->guarded)
    set_guarded(context, number, value);
  else
    context->state->registers[number] = *value;
}

static void write_word(struct wb_interval_context *context, const struct wb_micro_code *code,
                       const struct wb_micro_write *write)
{
  const struct wb_micro_operation *operation = &code->operations[write->result];
  const struct wb_interval_result *result = &context->results[write->result];
  struct wb_integer_state *state = context->state;
  struct wb_integer words[2];
  set_register(context, write->number, &result->wide.words[0]);
  if (context->guarded || write->number >= WB_VALUE_COUNT)
    return;
  if (operation->kind == WB_MICRO_COPY) {
    /* A copy of one word of a pair makes a pair with the other word, which the instruction does not
     * write. */
    const uint16_t from = wb_interval_source_register(&operation->sources[0]);
    struct wb_pairs *pairs = &state->pairs;
    for (size_t i = 0; from != WB_NO_REGISTER && i < context->kept_pairs.count; i++) {
      const struct wb_pair *pair = &context->kept_pairs.rows[i];
      if (pair->low == from && !writes(context, pair->high))
        wb_pairs_set(pairs, write->number, pair->high, &pair->value);
      if (pair->high == from && !writes(context, pair->low))
        wb_pairs_set(pairs, pair->low, write->number, &pair->value);
    }
  }
  if (operation->kind != WB_MICRO_ADD)
    return;
  wb_interval_name_sum(context, code, write->result, write->number);
  if (result->below == WB_NO_REGISTER || result->below == write->number ||
      writes(context, result->below))
    return;
  wb_pairs_set(&state->pairs, result->below, write->number, &result->wide.value);
  if (wb_wide_to_words(&result->wide.value, &words[0], &words[1]))
    wb_integer_meet(&state->registers[result->below], &words[0]);
}

static void write_wide(struct wb_interval_context *context, const struct wb_interval_wide *wide,
                       uint16_t number)
{
  struct wb_integer words[2];
  if (number >= WB_VALUE_COUNT - 1)
    return;
  set_register(context, number, &wide->words[0]);
  set_register(context, number + 1U, &wide->words[1]);
  if (!context->guarded && !wb_wide_to_words(&wide->value, &words[0], &words[1]))
    wb_pairs_set(&context->state->pairs, number, (uint16_t)(number + 1), &wide->value);
}

static void write_result(void *context, const struct wb_micro_code *code,
                         const struct wb_micro_write *write)
{
  struct wb_interval_context *instruction = context;
  const struct wb_interval_result *result = &instruction->results[write->result];
  const size_t predicate = wb_predicate_index(write->number);
  if (predicate < WB_TRUTH_COUNT) {
    struct wb_implications truth = result->predicate;
    /* A sum sets the zero flag beside the condition code's carry; a copied carry does not. */
    if (predicate == WB_TRUTH_CONDITION_CODE &&
        code->operations[write->result].kind != WB_MICRO_CARRY)
      truth.carry = 0;
    if (!instruction->guarded)
      instruction->state->predicates[predicate] = truth;
  } else if (write->wide) {
    write_wide(instruction, &result->wide, write->number);
  } else {
    write_word(instruction, code, write);
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
            [WB_MICRO_SELECT] = select_word,
            [WB_MICRO_MINIMUM] = find_word,
            [WB_MICRO_MAXIMUM] = find_word,
            [WB_MICRO_ABSOLUTE] = find_word,
            [WB_MICRO_COUNT_ONES] = find_word,
            [WB_MICRO_LEADING_ONE] = find_word,
            [WB_MICRO_REVERSE] = find_word,
            [WB_MICRO_CARRY] = wb_interval_carry,
            [WB_MICRO_COMPARE] = wb_interval_compare,
            [WB_MICRO_COMPARE_UPPER] = wb_interval_compare_upper,
            [WB_MICRO_COMPARE_BY_CARRY] = wb_interval_compare_by_carry,
            [WB_MICRO_COMPARE_WIDE] = wb_interval_compare_wide,
            [WB_MICRO_COMBINE] = wb_interval_combine,
            [WB_MICRO_IS_NOT_ZERO] = wb_interval_is_not_zero,
            [WB_MICRO_WIDE_COPY] = copy_wide,
            [WB_MICRO_WIDE_ADD] = add_wide,
            [WB_MICRO_WIDE_MULTIPLY] = multiply_wide,
            [WB_MICRO_WIDE_SELECT] = select_wide,
            [WB_MICRO_WIDE_EXTEND] = extend,
            [WB_MICRO_SOME_LANE] = find_word,
            [WB_MICRO_FUNCTION] = function_of_sources,
        },
    .unknown = any_word,
    .forget_writes = forget_writes,
    .write = write_result,
    .forget_all = forget_all,
};

/* Whether registers may change though the thread skips the instruction: uniform ones, where other
 * lanes may do it. Of an unknown instruction nothing is known. */
static bool may_write_all_the_same(const struct wb_interval_context *context)
{
  const struct wb_function *function = context->function;
  const struct wb_instruction *instruction = &function->instructions[context->index];
  if (instruction->unknown)
    return true;
  for (uint32_t s = 0; s < instruction->write_count && context->guard < WB_PREDICATE_COUNT; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    if ((uint32_t)span->first + span->count > WB_REGISTER_UNIFORM)
      return true;
  }
  return false;
}

void wb_interval_transfer(struct wb_interval_context *context, const struct wb_function *function,
                          uint32_t index)
{
  begin(context, function, index);
  if (guard_outcome(context) == WB_TRUTH_FALSE && !may_write_all_the_same(context))
    return;
  wb_domain_transfer(&wb_interval_domain, context, function, index);
}
