/* Quotients and remainders by a variable divisor: what each instruction of a block computes of one
 * (doc/loop-bounds.md, Lemma 9). */
#include "values/interval/quotient_terms.h"

#include "isa/lower/lower.h"
#include "isa/opcode.h"
#include "values/domain.h"
#include "values/interval/interval_domain.h"

#include <assert.h>
#include <string.h>

typedef struct wb_quotient_term term;

/* An instruction and what its operations have given. */
struct step {
  const struct wb_interval_context *context;
  struct wb_quotients *all;
  const struct wb_micro_code *code;
  term guard; /* the predicate of the instruction's guard, as lanes do it */
  term results[WB_MICRO_LIMIT];
};

static const term none = {.kind = WB_QUOTIENT_NONE};

/* ---- terms ---- */

static term add_number(struct wb_quotients *all, struct wb_integer value, uint32_t place)
{
  if (all->count == WB_QUOTIENT_NUMBERS)
    return none;
  all->numbers[all->count] = (struct wb_quotient_number){value, place};
  return (term){.kind = WB_QUOTIENT_NUMBER, .a = (uint8_t)all->count++};
}

/* The word of a source without its sign; NONE where there is no room. */
static term plain_term(const struct step *step, const struct wb_source *source)
{
  struct wb_quotients *all = step->all;
  uint32_t place = UINT32_MAX;
  assert(all != NULL);
  if (source->kind == WB_SOURCE_RESULT)
    return step->results[source->number];
  if (source->kind == WB_SOURCE_REGISTER && source->number >= WB_VALUE_STACK)
    return none;
  term *known = source->kind == WB_SOURCE_REGISTER ? &all->registers[source->number] : NULL;
  if (known != NULL && known->kind != WB_QUOTIENT_NONE)
    return *known;
  if (source->kind == WB_SOURCE_CONSTANT && source->index == WB_NO_REGISTER)
    place = (uint32_t)source->bank << 16 | (uint32_t)(source->value & UINT16_MAX);
  for (size_t n = 0; n < all->count && place != UINT32_MAX; n++) {
    if (all->numbers[n].place == place)
      return (term){.kind = WB_QUOTIENT_NUMBER, .a = (uint8_t)n};
  }
  /* Of all threads, whether they do the instruction or not. */
  const struct wb_integer value = source->kind == WB_SOURCE_REGISTER
                                      ? step->context->state->registers[source->number]
                                      : wb_interval_plain_word(step->context, source);
  const term number = add_number(all, value, place);
  if (known != NULL)
    *known = number;
  return number;
}

static term negated(term of)
{
  of.negative = !of.negative;
  return of;
}

static term term_of(const struct step *step, const struct wb_source *source)
{
  if (source->complemented)
    return none;
  const term plain = plain_term(step, source);
  return source->negated ? negated(plain) : plain;
}

static term predicate_of(const struct step *step, const struct wb_source *source)
{
  term plain = none;
  const size_t predicate = wb_predicate_index(source->number);
  if (source->kind == WB_SOURCE_RESULT)
    plain = step->results[source->number];
  else if (source->kind == WB_SOURCE_PREDICATE && predicate < WB_TRUTH_COUNT)
    plain = step->all->predicates[predicate];
  return source->negated ? negated(plain) : plain;
}

static bool is_number(const struct step *step, term of, uint32_t number)
{
  if (of.kind != WB_QUOTIENT_NUMBER)
    return false;
  const struct wb_integer *value = &step->all->numbers[of.a].value;
  return wb_integer_is_exact(value) && (of.negative ? 0 - value->low : value->low) == number;
}

/* Whether two numbers are the same one. */
static bool same(const struct step *step, uint8_t a, uint8_t b)
{
  const struct wb_quotient_number *numbers = step->all->numbers;
  return a == b || (wb_integer_is_exact(&numbers[a].value) &&
                    wb_integer_equal(&numbers[a].value, &numbers[b].value));
}

static bool is(term of, enum wb_quotient_kind kind, bool negative)
{
  return of.kind == kind && of.negative == negative;
}

/* Whether the term is the number n, not its negative. */
static bool is_the(const struct step *step, term of, uint8_t n)
{
  return is(of, WB_QUOTIENT_NUMBER, false) && same(step, of.a, n);
}

/* The term of another kind, with the same numbers, in the same round. */
static term as(term of, enum wb_quotient_kind kind)
{
  of.kind = (uint8_t)kind;
  return of;
}

/* ---- operations ---- */

static term sum_of(const struct step *step, term x, term y)
{
  for (unsigned side = 0; side < 2; side++) {
    if (is(x, WB_QUOTIENT_RECIPROCAL, false) && is_number(step, y, 0xffffffe))
      return as(x, WB_QUOTIENT_SCALED);
    if (is(x, WB_QUOTIENT_ESTIMATE, false) && is(y, WB_QUOTIENT_CORRECTION, false) &&
        same(step, x.d, y.d))
      return as(x, WB_QUOTIENT_REFINED);
    if (is(y, WB_QUOTIENT_TAKEN, true) && is_the(step, x, y.a))
      return (term){.kind = WB_QUOTIENT_REST, .a = y.a, .d = y.d};
    if ((is(x, WB_QUOTIENT_GUESS, false) || is(x, WB_QUOTIENT_SO_FAR, false)) &&
        is_number(step, y, 1))
      return as(x, WB_QUOTIENT_MORE);
    if (is(x, WB_QUOTIENT_REST, false) && is(y, WB_QUOTIENT_NUMBER, true) && same(step, y.a, x.d))
      return as(x, WB_QUOTIENT_REST_LESS);
    const term other = x;
    x = y;
    y = other;
  }
  return none;
}

/* A sum of what is not 0: of one word it is that word. */
static term add(const struct step *step, const struct wb_micro_operation *operation)
{
  term words[3];
  size_t count = 0;
  for (size_t s = 0; s < 3; s++) {
    if (operation->sources[s].kind == WB_SOURCE_NONE)
      continue;
    const term word = term_of(step, &operation->sources[s]);
    if (!is_number(step, word, 0))
      words[count++] = word;
  }
  /* A carry out of a sum with 0 is none; NUMBER stands for it. */
  for (size_t s = 3; s < 5; s++) {
    const struct wb_source *carry = &operation->sources[s];
    const bool zero = carry->kind == WB_SOURCE_NONE ||
                      (carry->kind == WB_SOURCE_NUMBER && (carry->value != 0) == carry->negated) ||
                      (carry->kind == WB_SOURCE_RESULT && !carry->negated &&
                       step->results[carry->number].kind == WB_QUOTIENT_NUMBER);
    if (!zero)
      return none;
  }
  return count == 1 ? words[0] : count == 2 ? sum_of(step, words[0], words[1]) : none;
}

/* Whether the operation is the carry out of a sum of one word, not subtracted, and zeros. */
static bool is_no_carry(const struct step *step, const struct wb_micro_operation *operation)
{
  const struct wb_source *source = &operation->sources[0];
  if (operation->kind != WB_MICRO_CARRY || source->kind != WB_SOURCE_RESULT || operation->second)
    return false;
  const struct wb_micro_operation *sum = &step->code->operations[source->number];
  size_t words = 0;
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *it = &sum->sources[s];
    if (it->kind == WB_SOURCE_NONE)
      continue;
    if (it->negated || it->complemented || s > 2)
      return false;
    words += !is_number(step, plain_term(step, it), 0);
  }
  return words <= 1;
}

static term product_of(const struct step *step, term x, term y)
{
  for (unsigned side = 0; side < 2; side++) {
    const bool negative = x.negative != y.negative;
    if (y.kind == WB_QUOTIENT_NUMBER && same(step, y.a, x.d) &&
        (x.kind == WB_QUOTIENT_ESTIMATE || x.kind == WB_QUOTIENT_GUESS)) {
      term product = as(x, x.kind == WB_QUOTIENT_GUESS ? WB_QUOTIENT_TAKEN : WB_QUOTIENT_PART);
      product.negative = negative;
      return product;
    }
    const term other = x;
    x = y;
    y = other;
  }
  return none;
}

static term upper_product_of(const struct step *step, term x, term y)
{
  for (unsigned side = 0; side < 2; side++) {
    if (is(x, WB_QUOTIENT_ESTIMATE, false) && is(y, WB_QUOTIENT_PART, true) && same(step, x.d, y.d))
      return as(x, WB_QUOTIENT_CORRECTION);
    if (is(x, WB_QUOTIENT_REFINED, false) && is(y, WB_QUOTIENT_NUMBER, false))
      return (term){.kind = WB_QUOTIENT_GUESS, .a = y.a, .d = x.d};
    const term other = x;
    x = y;
    y = other;
  }
  return none;
}

static term compare(const struct step *step, const struct wb_micro_operation *operation)
{
  term x = term_of(step, &operation->sources[0]);
  term y = term_of(step, &operation->sources[1]);
  enum wb_relation relation = (enum wb_relation)operation->relation;
  if (y.kind == WB_QUOTIENT_REST) {
    const term other = x;
    x = y;
    y = other;
    relation = wb_relation_mirrored(relation);
  }
  if (operation->as_signed || !is(x, WB_QUOTIENT_REST, false) || !is_the(step, y, x.d) ||
      (relation != WB_RELATION_AT_LEAST && relation != WB_RELATION_LESS))
    return none;
  x = as(x, WB_QUOTIENT_CORRECTS);
  return relation == WB_RELATION_LESS ? negated(x) : x;
}

/* A function of predicates that is one of them, or its opposite. */
static term combine(const struct step *step, const struct wb_micro_operation *operation)
{
  uint8_t table = operation->table;
  for (unsigned s = 0; s < 3; s++) {
    const struct wb_source *source = &operation->sources[s];
    if (source->kind == WB_SOURCE_NUMBER)
      table = wb_lookup_fixed(table, s, (source->value != 0) != source->negated);
  }
  for (unsigned s = 0; s < 3; s++) {
    if (operation->sources[s].kind == WB_SOURCE_NONE ||
        operation->sources[s].kind == WB_SOURCE_NUMBER)
      continue;
    if (table == wb_lookup_variable(s))
      return predicate_of(step, &operation->sources[s]);
    if ((table ^ wb_lookup_variable(s)) == WB_LOOKUP_TRUE)
      return negated(predicate_of(step, &operation->sources[s]));
  }
  return none;
}

/* The one term where the predicate holds, else the other one. */
static term select(const struct step *step, term predicate, term x, term y)
{
  if (predicate.kind != WB_QUOTIENT_CORRECTS)
    return none;
  const term more = predicate.negative ? y : x;
  const term less = predicate.negative ? x : y;
  const bool second = predicate.second;
  const bool fits = !more.negative && !less.negative && more.second == second &&
                    less.second == second && same(step, more.d, predicate.d) &&
                    same(step, less.d, predicate.d) && same(step, more.a, predicate.a) &&
                    same(step, less.a, predicate.a);
  term result = predicate;
  result.negative = false;
  result.second = true;
  if (fits && more.kind == WB_QUOTIENT_REST_LESS && less.kind == WB_QUOTIENT_REST)
    return as(result, second ? WB_QUOTIENT_REMAINDER : WB_QUOTIENT_REST);
  if (fits && more.kind == WB_QUOTIENT_MORE &&
      less.kind == (second ? WB_QUOTIENT_SO_FAR : WB_QUOTIENT_GUESS))
    return as(result, second ? WB_QUOTIENT_EXACT : WB_QUOTIENT_SO_FAR);
  return none;
}

/* Whether the instruction reads its operands as they stand. */
static bool reads_plain_operands(const struct wb_interval_context *context)
{
  const struct wb_instruction *instruction = &context->function->instructions[context->index];
  for (uint32_t o = 0; o < instruction->operand_count; o++) {
    const struct wb_operand *it = wb_operand_of(context->function, instruction, o);
    const bool plain_constant = it->kind == WB_OPERAND_CONSTANT && it->part == 0 && !it->half &&
                                !it->negated && !it->complemented && !it->absolute;
    if (!plain_constant && (!wb_operand_is_plain_register(it) || it->part != 0))
      return false;
  }
  return true;
}

/* A conversion to or from float, or a reciprocal. */
static term approximate(const struct step *step, term x)
{
  const struct wb_integer *value;
  struct wb_integer_end low;
  struct wb_integer_end high;
  if (!reads_plain_operands(step->context))
    return none;
  switch (wb_instruction_reciprocal_step(
      &step->context->function->instructions[step->context->index])) {
  case WB_RECIPROCAL_FROM_SIGNED: /* of what is not negative */
    if (!is(x, WB_QUOTIENT_NUMBER, false))
      return none;
    value = &step->all->numbers[x.a].value;
    if (!wb_integer_ends(value, false, &low, &high) || high.number > INT32_MAX)
      return none;
    return (term){.kind = WB_QUOTIENT_FLOAT, .d = x.a};
  case WB_RECIPROCAL_FROM_UNSIGNED:
    return is(x, WB_QUOTIENT_NUMBER, false) ? (term){.kind = WB_QUOTIENT_FLOAT, .d = x.a} : none;
  case WB_RECIPROCAL_OF_FLOAT:
    return is(x, WB_QUOTIENT_FLOAT, false) ? as(x, WB_QUOTIENT_RECIPROCAL) : none;
  case WB_RECIPROCAL_TO_UNSIGNED:
    return is(x, WB_QUOTIENT_SCALED, false) ? as(x, WB_QUOTIENT_ESTIMATE) : none;
  default:
    return none;
  }
}

/* The upper word of a product of 64 bits and a pair whose lower word is 0, so that nothing is
 * carried from below. */
static term upper_sum(const struct step *step, const struct wb_micro_operation *operation)
{
  const struct wb_source *product = &operation->sources[0];
  struct wb_source word = operation->sources[1];
  if (product->kind != WB_SOURCE_RESULT || product->negated || product->complemented ||
      step->code->operations[product->number].kind != WB_MICRO_WIDE_MULTIPLY ||
      operation->sources[2].kind != WB_SOURCE_NONE)
    return none;
  const term upper = step->results[product->number];
  if (word.kind == WB_SOURCE_NUMBER && word.value == 0)
    return upper;
  if (word.kind != WB_SOURCE_REGISTER_PAIR || word.negated || word.complemented)
    return none;
  word.kind = WB_SOURCE_REGISTER;
  const term lower_added = plain_term(step, &word);
  word.number++;
  return is_number(step, lower_added, 0) ? sum_of(step, upper, plain_term(step, &word)) : none;
}

/* Of a number of 64 bits the upper word. */
static term result_of(const struct step *step, const struct wb_micro_operation *operation)
{
  const struct wb_source *sources = operation->sources;
  switch ((enum wb_micro_kind)operation->kind) {
  case WB_MICRO_COPY:
    return term_of(step, &sources[0]);
  case WB_MICRO_ADD:
    return add(step, operation);
  case WB_MICRO_CARRY:
    return is_no_carry(step, operation) ? (term){.kind = WB_QUOTIENT_NUMBER} : none;
  case WB_MICRO_MULTIPLY:
    return product_of(step, term_of(step, &sources[0]), term_of(step, &sources[1]));
  case WB_MICRO_WIDE_ADD:
    return upper_sum(step, operation);
  case WB_MICRO_WIDE_MULTIPLY:
  case WB_MICRO_MULTIPLY_UPPER:
    return operation->as_signed || operation->b_signed
               ? none
               : upper_product_of(step, term_of(step, &sources[0]), term_of(step, &sources[1]));
  case WB_MICRO_COMPARE:
    return compare(step, operation);
  case WB_MICRO_COMBINE:
    return combine(step, operation);
  case WB_MICRO_SELECT:
    return select(step, predicate_of(step, &sources[2]), term_of(step, &sources[0]),
                  term_of(step, &sources[1]));
  case WB_MICRO_FUNCTION:
    return approximate(step, term_of(step, &sources[0]));
  default:
    return none;
  }
}

/* ---- values ---- */

/* The interval of a quotient or remainder; false where nothing is known. */
static bool value_of(const struct wb_quotients *all, term of, struct wb_integer *value)
{
  struct wb_integer_end a[2];
  struct wb_integer_end d[2];
  if (of.kind != WB_QUOTIENT_EXACT && of.kind != WB_QUOTIENT_REMAINDER)
    return false;
  const uint32_t origin = all->numbers[of.a].value.origin;
  (void)wb_integer_ends(&all->numbers[of.a].value, false, &a[0], &a[1]);
  (void)wb_integer_ends(&all->numbers[of.d].value, false, &d[0], &d[1]);
  if (of.kind == WB_QUOTIENT_EXACT && d[0].number >= 1) {
    const struct wb_integer_end low = {a[0].number / d[1].number, false};
    const struct wb_integer_end high = {a[1].number / d[0].number, a[1].by_width};
    *value = wb_integer_between(low, high, origin);
    return true;
  }
  if (of.kind == WB_QUOTIENT_EXACT)
    return false;
  struct wb_integer_end most = a[1];
  if (d[0].number >= 1 && d[1].number - 1 < most.number)
    most = (struct wb_integer_end){d[1].number - 1, d[1].by_width};
  *value = wb_integer_between((struct wb_integer_end){0, false}, most, origin);
  return true;
}

/* ---- instructions ---- */

/* The register gets the term. */
static void write(struct step *step, uint16_t number, term result)
{
  const struct wb_interval_context *context = step->context;
  struct wb_quotients *all = step->all;
  const size_t predicate = wb_predicate_index(number);
  struct wb_integer value;
  if (predicate < WB_TRUTH_COUNT) {
    all->predicates[predicate] = context->guarded ? none : result;
    return;
  }
  if (number >= WB_VALUE_STACK)
    return;
  /* A uniform register may be written for lanes that skip the instruction. */
  if (context->guarded)
    result = number < WB_REGISTER_UNIFORM
                 ? select(step, step->guard, result, all->registers[number])
                 : none;
  all->registers[number] = result;
  if (all->found_count < sizeof all->found / sizeof *all->found && value_of(all, result, &value)) {
    all->found[all->found_count].number = number;
    all->found[all->found_count++].value = value;
  }
}

/* The register that gets the result's term. */
static uint16_t written_register(const struct wb_micro_write *write)
{
  return (uint16_t)(write->number + write->wide);
}

static void forget(struct wb_quotients *all, uint32_t number)
{
  const size_t predicate = wb_predicate_index(number);
  if (predicate < WB_TRUTH_COUNT)
    all->predicates[predicate] = none;
  else if (number < WB_VALUE_STACK)
    all->registers[number] = none;
}

void wb_interval_quotients_before(struct wb_interval_context *context)
{
  struct wb_quotients *all = context->quotients;
  const struct wb_function *function = context->function;
  const struct wb_instruction *instruction = &function->instructions[context->index];
  struct wb_micro_code code;
  if (all == NULL)
    return;
  all->found_count = 0;
  if (all->visit != context->visit)
    all->active = false;
  const enum wb_reciprocal_step begins = wb_instruction_reciprocal_step(instruction);
  if (!all->active && begins != WB_RECIPROCAL_FROM_SIGNED && begins != WB_RECIPROCAL_FROM_UNSIGNED)
    return;
  if (!all->active) {
    memset(all->registers, 0, sizeof all->registers);
    memset(all->predicates, 0, sizeof all->predicates);
    all->count = 0;
    all->visit = context->visit;
    all->active = true;
  }
  if (instruction->unknown) {
    all->active = false;
    return;
  }
  if (instruction->never || instruction->write_count == 0)
    return;
  wb_lower(function, context->index, &code);
  struct step step = {.context = context, .all = all, .code = &code};
  if (context->guard < WB_TRUTH_COUNT)
    step.guard = context->guard_when ? all->predicates[context->guard]
                                     : negated(all->predicates[context->guard]);
  for (size_t o = 0; o < code.count; o++)
    step.results[o] = result_of(&step, &code.operations[o]);
  /* A guarded write needs the term from before it: what is not written with a word is forgotten. */
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    for (uint32_t r = span->first; r < (uint32_t)span->first + span->count; r++) {
      bool is_written = false;
      for (size_t w = 0; w < code.write_count; w++)
        is_written |= written_register(&code.writes[w]) == r;
      if (!is_written)
        forget(all, r);
    }
  }
  for (size_t w = 0; w < code.write_count; w++)
    write(&step, written_register(&code.writes[w]), step.results[code.writes[w].result]);
}

void wb_interval_quotients_after(struct wb_interval_context *context)
{
  const struct wb_quotients *all = context->quotients;
  for (size_t f = 0; all != NULL && f < all->found_count; f++)
    wb_integer_meet(&context->state->registers[all->found[f].number], &all->found[f].value);
}
