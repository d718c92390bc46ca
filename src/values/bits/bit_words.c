#include "values/bits/bit_words.h"

#include "isa/lower/lower.h"

#include <string.h>

#define WORD 32

/* ---- words ---- */

static struct wb_bits all_of(uint8_t bit)
{
  struct wb_bits all;
  memset(all.of, bit, sizeof all.of);
  return all;
}

static struct wb_bits of_number(uint64_t number)
{
  struct wb_bits bits;
  for (unsigned i = 0; i < WB_BIT_PLACES; i++)
    bits.of[i] = number >> i & 1;
  return bits;
}

static struct wb_bits one_bit(uint8_t bit)
{
  struct wb_bits bits = all_of(WB_BIT_ZERO);
  bits.of[0] = bit;
  return bits;
}

/* Whether the first `count` bits are known: *number. */
static bool is_number(const struct wb_bits *bits, unsigned count, uint64_t *number)
{
  *number = 0;
  for (unsigned i = 0; i < count; i++) {
    if (!wb_bit_is_known(bits->of[i]))
      return false;
    *number |= (uint64_t)bits->of[i] << i;
  }
  return true;
}

/* The sum modulo 2^count; *carry: the carry in, and out. */
static struct wb_bits added(const struct wb_bits *a, const struct wb_bits *b, uint8_t *carry,
                            unsigned count)
{
  struct wb_bits sum = all_of(WB_BIT_ZERO);
  for (unsigned i = 0; i < count; i++) {
    sum.of[i] = wb_bit_parity(a->of[i], b->of[i], *carry);
    *carry = wb_bit_majority(a->of[i], b->of[i], *carry);
  }
  return sum;
}

static struct wb_bits complement(const struct wb_bits *bits)
{
  struct wb_bits result;
  for (unsigned i = 0; i < WB_BIT_PLACES; i++)
    result.of[i] = wb_bit_inverted(bits->of[i]);
  return result;
}

/* ---- sources ---- */

static struct wb_bits register_bits(const struct wb_bit_state *state, unsigned number)
{
  struct wb_bits bits = all_of(WB_BIT_ZERO);
  if (number < WB_VALUE_COUNT)
    memcpy(bits.of, state->registers[number], WORD);
  else if (number != WB_NO_REGISTER)
    memset(bits.of, WB_BIT_ANY, WORD);
  return bits;
}

static struct wb_bits predicate_bits(const struct wb_bit_state *state, uint32_t number)
{
  const size_t index = wb_predicate_index(number);
  return one_bit(index < WB_TRUTH_COUNT ? state->predicates[index] : WB_BIT_ANY);
}

/* A source without its sign. */
static struct wb_bits plain(const struct wb_bit_state *state, const struct wb_source *source)
{
  switch ((enum wb_source_kind)source->kind) {
  case WB_SOURCE_NONE:
    return all_of(WB_BIT_ZERO);
  case WB_SOURCE_RESULT:
    return state->results[source->number];
  case WB_SOURCE_REGISTER:
    return register_bits(state, source->number);
  case WB_SOURCE_REGISTER_PAIR: {
    struct wb_bits both = register_bits(state, source->number);
    const struct wb_bits upper = register_bits(state, source->number + 1U);
    memcpy(both.of + WORD, upper.of, WORD);
    return source->number == WB_NO_REGISTER ? all_of(WB_BIT_ANY) : both;
  }
  case WB_SOURCE_PREDICATE:
    return predicate_bits(state, source->number);
  case WB_SOURCE_NUMBER:
    return of_number(source->value);
  default:
    return all_of(WB_BIT_ANY);
  }
}

static struct wb_bits number_of(const struct wb_bit_state *state, const struct wb_source *source,
                                unsigned count)
{
  const struct wb_bits bits = plain(state, source);
  const struct wb_bits other = complement(&bits);
  uint8_t carry = WB_BIT_ONE;
  const struct wb_bits none = all_of(WB_BIT_ZERO);
  return source->negated        ? added(&other, &none, &carry, count)
         : source->complemented ? other
                                : bits;
}

static struct wb_bits word(const struct wb_bit_state *state,
                           const struct wb_micro_operation *operation, unsigned which)
{
  return number_of(state, &operation->sources[which], WORD);
}

static uint8_t truth(const struct wb_bit_state *state, const struct wb_source *source)
{
  const struct wb_bits bits = plain(state, source);
  return source->negated ? wb_bit_inverted(bits.of[0]) : bits.of[0];
}

/* ---- sums ---- */

/* The sum of an ADD, and its carry; of three words that may not be 0 the carry is any. */
static struct wb_bits sum_of(const struct wb_bit_state *state,
                             const struct wb_micro_operation *operation, uint8_t *carry)
{
  struct wb_bits words[3];
  uint8_t carries[5];
  unsigned word_count = 0;
  unsigned carry_count = 0;
  for (unsigned s = 0; s < 5; s++) {
    const struct wb_source *source = &operation->sources[s];
    uint64_t number;
    if (s > 2) {
      if (source->kind != WB_SOURCE_NONE)
        carries[carry_count++] = truth(state, source);
      continue;
    }
    struct wb_bits bits = plain(state, source);
    if (source->negated || source->complemented)
      bits = complement(&bits);
    if (source->negated)
      carries[carry_count++] = WB_BIT_ONE;
    if (!is_number(&bits, WORD, &number) || (uint32_t)number != 0)
      words[word_count++] = bits;
  }
  const struct wb_bits none = all_of(WB_BIT_ZERO);
  struct wb_bits sum = word_count > 0 ? words[0] : none;
  *carry = WB_BIT_ZERO;
  for (unsigned i = 0; i + 1 < word_count || i < carry_count; i++) {
    uint8_t one = i < carry_count ? carries[i] : WB_BIT_ZERO;
    sum = added(&sum, i + 1 < word_count ? &words[i + 1] : &none, &one, WORD);
    /* More than one: the sum is 2^33 or more. */
    *carry = wb_bit_and(*carry, one) == WB_BIT_ZERO ? wb_bit_or(*carry, one) : WB_BIT_ANY;
  }
  if (word_count > 2)
    *carry = WB_BIT_ANY;
  return sum;
}

/* ---- comparisons ---- */

static uint8_t are_equal(const struct wb_bits *a, const struct wb_bits *b, unsigned count)
{
  uint8_t equal = WB_BIT_ONE;
  for (unsigned i = 0; i < count; i++) {
    const uint8_t differ = wb_bit_differs(a->of[i], b->of[i]);
    if (differ == WB_BIT_ONE)
      return WB_BIT_ZERO;
    if (differ != WB_BIT_ZERO)
      equal = WB_BIT_ANY;
  }
  return equal;
}

static uint8_t is_less(const struct wb_bits *a, const struct wb_bits *b, unsigned count,
                       bool as_signed)
{
  for (unsigned i = count; i-- > 0;) {
    const uint8_t differ = wb_bit_differs(a->of[i], b->of[i]);
    if (differ == WB_BIT_ONE)
      return as_signed && i == count - 1 ? a->of[i] : b->of[i];
    if (differ != WB_BIT_ZERO)
      return WB_BIT_ANY;
  }
  return WB_BIT_ZERO;
}

static uint8_t compared(const struct wb_micro_operation *operation, const struct wb_bits *a,
                        const struct wb_bits *b, unsigned count)
{
  const bool as_signed = operation->as_signed;
  switch ((enum wb_relation)operation->relation) {
  case WB_RELATION_LESS:
    return is_less(a, b, count, as_signed);
  case WB_RELATION_AT_LEAST:
    return wb_bit_inverted(is_less(a, b, count, as_signed));
  case WB_RELATION_GREATER:
    return is_less(b, a, count, as_signed);
  case WB_RELATION_AT_MOST:
    return wb_bit_inverted(is_less(b, a, count, as_signed));
  case WB_RELATION_EQUAL:
    return are_equal(a, b, count);
  case WB_RELATION_UNEQUAL:
    return wb_bit_inverted(are_equal(a, b, count));
  }
  return WB_BIT_ANY;
}

/* Whether lower words are in the relation, by the condition code. */
static uint8_t lower_by_carry(const struct wb_bit_state *state, enum wb_relation relation,
                              uint8_t carry)
{
  const bool equality = relation == WB_RELATION_EQUAL || relation == WB_RELATION_UNEQUAL;
  if (state->zero == WB_BIT_ZERO && equality)
    return relation == WB_RELATION_UNEQUAL ? WB_BIT_ONE : WB_BIT_ZERO;
  if (!wb_bit_is_known(state->zero) || !wb_bit_is_known(carry) ||
      (state->zero == WB_BIT_ONE && carry == WB_BIT_ZERO))
    return WB_BIT_ANY;
  const bool equal = state->zero == WB_BIT_ONE;
  const bool less = carry == WB_BIT_ZERO;
  const bool holds[] = {[WB_RELATION_LESS] = less,
                        [WB_RELATION_EQUAL] = equal,
                        [WB_RELATION_AT_MOST] = less || equal,
                        [WB_RELATION_GREATER] = !less && !equal,
                        [WB_RELATION_UNEQUAL] = !equal,
                        [WB_RELATION_AT_LEAST] = !less};
  return holds[relation] ? WB_BIT_ONE : WB_BIT_ZERO;
}

/* By upper words, and where these are equal by what is known of the lower ones. */
static uint8_t compared_upper(const struct wb_bit_state *state,
                              const struct wb_micro_operation *operation)
{
  const struct wb_bits a = word(state, operation, 0);
  const struct wb_bits b = word(state, operation, 1);
  const enum wb_relation relation = (enum wb_relation)operation->relation;
  const uint8_t equal = are_equal(&a, &b, WORD);
  const uint8_t of_c = truth(state, &operation->sources[2]);
  const uint8_t lower =
      operation->kind == WB_MICRO_COMPARE_UPPER ? of_c : lower_by_carry(state, relation, of_c);
  const uint8_t upper = relation == WB_RELATION_UNEQUAL ? WB_BIT_ONE
                        : relation == WB_RELATION_EQUAL ? WB_BIT_ZERO
                                                        : compared(operation, &a, &b, WORD);
  if (wb_bit_is_known(equal))
    return equal == WB_BIT_ONE ? lower : upper;
  return wb_bit_is_known(lower) ? wb_bit_joined(lower, upper) : WB_BIT_ANY;
}

/* ---- shifts and fields ---- */

/* a << count, or a >> count with `sign` above, of `places` bits. */
static struct wb_bits shifted(const struct wb_bits *a, uint64_t count, bool left, uint8_t sign,
                              unsigned places)
{
  struct wb_bits result = all_of(WB_BIT_ZERO);
  for (unsigned i = 0; i < places; i++) {
    const uint64_t from = left ? i - count : i + count;
    result.of[i] = from < places ? a->of[from] : left ? WB_BIT_ZERO : sign;
  }
  return result;
}

static struct wb_bits shifted_word(const struct wb_bit_state *state,
                                   const struct wb_micro_operation *operation)
{
  const struct wb_bits a = word(state, operation, 0);
  const struct wb_bits b = word(state, operation, 1);
  const bool left = operation->kind == WB_MICRO_SHIFT_LEFT;
  uint64_t count;
  if (!is_number(&b, WORD, &count))
    return all_of(WB_BIT_ANY);
  return shifted(&a, count, left, operation->as_signed ? a.of[WORD - 1] : WB_BIT_ZERO, WORD);
}

static struct wb_bits funnel(struct wb_bit_state *state, const struct wb_micro_operation *operation)
{
  const struct wb_bits low = word(state, operation, 0);
  const struct wb_bits high = word(state, operation, 1);
  const struct wb_bits c = word(state, operation, 2);
  const bool left = operation->kind == WB_MICRO_FUNNEL_LEFT;
  struct wb_bits both = low;
  uint64_t count;
  if (!is_number(&c, WORD, &count) || (count > 63 && !state->shifts_all))
    return all_of(WB_BIT_ANY);
  state->shifted_all |= count > 63;
  memcpy(both.of + WORD, high.of, WORD);
  both = shifted(&both, count, left, operation->as_signed ? high.of[WORD - 1] : WB_BIT_ZERO,
                 WB_BIT_PLACES);
  if (left)
    memcpy(both.of, both.of + WORD, WORD);
  return both;
}

static struct wb_bits permuted(const struct wb_bit_state *state,
                               const struct wb_micro_operation *operation)
{
  const struct wb_bits low = word(state, operation, 0);
  const struct wb_bits selector = word(state, operation, 1);
  const struct wb_bits high = word(state, operation, 2);
  struct wb_bits result = all_of(WB_BIT_ZERO);
  uint64_t digits;
  if (!is_number(&selector, WORD, &digits))
    return all_of(WB_BIT_ANY);
  for (unsigned i = 0; i < WORD; i++) {
    const unsigned digit = digits >> i / 8 * 4 & 15;
    const unsigned from = (digit & 7) * 8 + (digit > 7 ? 7 : i % 8);
    result.of[i] = from < WORD ? low.of[from] : high.of[from - WORD];
  }
  return result;
}

static struct wb_bits extracted(const struct wb_bit_state *state,
                                const struct wb_micro_operation *operation)
{
  const struct wb_bits a = word(state, operation, 0);
  const unsigned last = operation->place + operation->bits - 1U;
  struct wb_bits result = all_of(WB_BIT_ZERO);
  for (unsigned i = 0; i < WORD; i++)
    result.of[i] = i < operation->bits    ? a.of[operation->place + i]
                   : operation->as_signed ? a.of[last]
                                          : WB_BIT_ZERO;
  return result;
}

/* ---- other words ---- */

static struct wb_bits chosen(const struct wb_bit_state *state,
                             const struct wb_micro_operation *operation, unsigned count)
{
  const struct wb_bits a = number_of(state, &operation->sources[0], count);
  const struct wb_bits b = number_of(state, &operation->sources[1], count);
  const uint8_t choice = truth(state, &operation->sources[2]);
  struct wb_bits result = choice == WB_BIT_ONE ? a : b;
  for (unsigned i = 0; i < count && !wb_bit_is_known(choice); i++)
    result.of[i] = wb_bit_joined(a.of[i], b.of[i]);
  return result;
}

static struct wb_bits looked_up_word(const struct wb_bit_state *state,
                                     const struct wb_micro_operation *operation)
{
  const struct wb_bits a = word(state, operation, 0);
  const struct wb_bits b = word(state, operation, 1);
  const struct wb_bits c = word(state, operation, 2);
  struct wb_bits result = all_of(WB_BIT_ZERO);
  for (unsigned i = 0; i < WORD; i++) {
    const uint8_t bits[3] = {a.of[i], b.of[i], c.of[i]};
    result.of[i] = wb_bit_looked_up(operation->table, bits);
  }
  return result;
}

/* The place of the highest 1, where what is above it is 0. */
static struct wb_bits leading_one(const struct wb_bits *a, bool as_signed)
{
  uint64_t number;
  if (as_signed && a->of[WORD - 1] != WB_BIT_ZERO)
    return all_of(WB_BIT_ANY);
  for (unsigned i = WORD; i-- > 0;) {
    if (a->of[i] == WB_BIT_ONE)
      return of_number(i);
    if (a->of[i] != WB_BIT_ZERO)
      return all_of(WB_BIT_ANY);
  }
  return is_number(a, WORD, &number) ? of_number(UINT32_MAX) : all_of(WB_BIT_ANY);
}

static struct wb_bits count_ones(const struct wb_bits *a)
{
  uint64_t number;
  unsigned count = 0;
  if (!is_number(a, WORD, &number))
    return all_of(WB_BIT_ANY);
  for (; number != 0; number &= number - 1)
    count++;
  return of_number(count);
}

static struct wb_bits reversed(const struct wb_bits *a)
{
  struct wb_bits result = all_of(WB_BIT_ZERO);
  for (unsigned i = 0; i < WORD; i++)
    result.of[i] = a->of[WORD - 1 - i];
  return result;
}

/* The product with a number that has few ones. */
static struct wb_bits product(const struct wb_bits *a, const struct wb_bits *b)
{
  uint64_t factor;
  struct wb_bits sum = all_of(WB_BIT_ZERO);
  unsigned ones = 0;
  if (!is_number(b, WORD, &factor))
    return all_of(WB_BIT_ANY);
  for (unsigned i = 0; i < WORD; i++) {
    if ((factor >> i & 1) == 0)
      continue;
    if (++ones > 4)
      return all_of(WB_BIT_ANY);
    const struct wb_bits part = shifted(a, i, true, WB_BIT_ZERO, WORD);
    uint8_t carry = WB_BIT_ZERO;
    sum = added(&sum, &part, &carry, WORD);
  }
  return sum;
}

static struct wb_bits product_of(const struct wb_bit_state *state,
                                 const struct wb_micro_operation *operation)
{
  const struct wb_bits a = word(state, operation, 0);
  const struct wb_bits b = word(state, operation, 1);
  uint64_t number;
  return is_number(&a, WORD, &number) ? product(&b, &a) : product(&a, &b);
}

/* ---- operations ---- */

static struct wb_bits wide_result(const struct wb_bit_state *state,
                                  const struct wb_micro_operation *operation)
{
  struct wb_bits result = number_of(state, &operation->sources[0], WB_BIT_PLACES);
  if (operation->kind == WB_MICRO_WIDE_SELECT)
    return chosen(state, operation, WB_BIT_PLACES);
  if (operation->kind == WB_MICRO_WIDE_EXTEND) {
    result = word(state, operation, 0);
    memset(result.of + WORD, operation->as_signed ? result.of[WORD - 1] : WB_BIT_ZERO, WORD);
  }
  for (unsigned s = 1; s < 3 && operation->kind == WB_MICRO_WIDE_ADD; s++) {
    const struct wb_bits more = number_of(state, &operation->sources[s], WB_BIT_PLACES);
    uint8_t carry = WB_BIT_ZERO;
    result = added(&result, &more, &carry, WB_BIT_PLACES);
  }
  return result;
}

/* Of a word or a predicate; a sign means another thing of each. */
static struct wb_bits copied(const struct wb_bit_state *state,
                             const struct wb_micro_operation *operation)
{
  const struct wb_source *source = &operation->sources[0];
  if (source->kind == WB_SOURCE_PREDICATE)
    return one_bit(truth(state, source));
  if (source->kind == WB_SOURCE_RESULT && source->negated)
    return all_of(WB_BIT_ANY);
  return word(state, operation, 0);
}

static uint8_t predicate_result(const struct wb_bit_state *state, const struct wb_micro_code *code,
                                const struct wb_micro_operation *operation)
{
  const unsigned places = operation->kind == WB_MICRO_COMPARE_WIDE ? WB_BIT_PLACES : WORD;
  const struct wb_bits a = number_of(state, &operation->sources[0], places);
  const struct wb_bits b = number_of(state, &operation->sources[1], places);
  const struct wb_bits none = all_of(WB_BIT_ZERO);
  uint8_t carry;
  switch (operation->kind) {
  case WB_MICRO_CARRY:
    sum_of(state, &code->operations[operation->sources[0].number], &carry);
    return operation->second ? WB_BIT_ANY : carry;
  case WB_MICRO_COMPARE:
  case WB_MICRO_COMPARE_WIDE:
    return compared(operation, &a, &b, places);
  case WB_MICRO_IS_NOT_ZERO:
    return wb_bit_inverted(are_equal(&a, &none, WORD));
  case WB_MICRO_COMBINE: {
    const uint8_t bits[3] = {truth(state, &operation->sources[0]),
                             truth(state, &operation->sources[1]),
                             truth(state, &operation->sources[2])};
    return wb_bit_looked_up(operation->table, bits);
  }
  default: /* WB_MICRO_COMPARE_UPPER, WB_MICRO_COMPARE_BY_CARRY */
    return compared_upper(state, operation);
  }
}

static struct wb_bits result_of(struct wb_bit_state *state, const struct wb_micro_code *code,
                                const struct wb_micro_operation *operation)
{
  const struct wb_bits a = word(state, operation, 0);
  uint8_t carry;
  switch ((enum wb_micro_kind)operation->kind) {
  case WB_MICRO_COPY:
    return copied(state, operation);
  case WB_MICRO_ADD:
    return sum_of(state, operation, &carry);
  case WB_MICRO_MULTIPLY:
    return product_of(state, operation);
  case WB_MICRO_SHIFT_LEFT:
  case WB_MICRO_SHIFT_RIGHT:
    return shifted_word(state, operation);
  case WB_MICRO_FUNNEL_LEFT:
  case WB_MICRO_FUNNEL_RIGHT:
    return funnel(state, operation);
  case WB_MICRO_LOOKUP:
    return looked_up_word(state, operation);
  case WB_MICRO_PERMUTE:
    return permuted(state, operation);
  case WB_MICRO_EXTRACT:
    return extracted(state, operation);
  case WB_MICRO_SELECT:
    return chosen(state, operation, WORD);
  case WB_MICRO_COUNT_ONES:
    return count_ones(&a);
  case WB_MICRO_LEADING_ONE:
    return leading_one(&a, operation->as_signed);
  case WB_MICRO_REVERSE:
    return reversed(&a);
  case WB_MICRO_CARRY:
  case WB_MICRO_COMPARE:
  case WB_MICRO_COMPARE_UPPER:
  case WB_MICRO_COMPARE_BY_CARRY:
  case WB_MICRO_COMPARE_WIDE:
  case WB_MICRO_COMBINE:
  case WB_MICRO_IS_NOT_ZERO:
    return one_bit(predicate_result(state, code, operation));
  case WB_MICRO_WIDE_COPY:
  case WB_MICRO_WIDE_ADD:
  case WB_MICRO_WIDE_SELECT:
  case WB_MICRO_WIDE_EXTEND:
    return wide_result(state, operation);
  default:
    return all_of(WB_BIT_ANY);
  }
}

/* ---- instructions ---- */

void wb_bits_any(struct wb_bit_state *state)
{
  memset(state->registers, WB_BIT_ANY, sizeof state->registers);
  memset(state->predicates, WB_BIT_ANY, sizeof state->predicates);
  state->zero = WB_BIT_ANY;
}

void wb_bits_set(struct wb_bit_state *state, uint16_t number, uint32_t value)
{
  const struct wb_bits bits = of_number(value);
  memcpy(state->registers[number], bits.of, WORD);
}

static bool is_uniform(uint32_t number)
{
  return number >= WB_REGISTER_UNIFORM;
}

/* A register or predicate gets these bits where the guard holds. */
static void give(struct wb_bit_state *state, uint32_t number, const uint8_t *bits, uint8_t guard)
{
  const size_t index = wb_predicate_index(number);
  uint8_t *to = index < WB_TRUTH_COUNT    ? &state->predicates[index]
                : number < WB_VALUE_COUNT ? state->registers[number]
                                          : NULL;
  for (unsigned i = 0; to != NULL && i < (index < WB_TRUTH_COUNT ? 1U : WORD); i++)
    to[i] = guard == WB_BIT_ONE    ? bits[i]
            : guard == WB_BIT_ZERO ? to[i]
                                   : wb_bit_joined(to[i], bits[i]);
}

/* What the condition code says of a sum that was 0. */
static uint8_t zero_of(const struct wb_bit_state *state, const struct wb_micro_code *code,
                       const struct wb_micro_operation *carry)
{
  if (carry->kind != WB_MICRO_CARRY)
    return WB_BIT_ANY;
  const size_t index = carry->sources[0].number;
  const struct wb_source *sources = code->operations[index].sources;
  const struct wb_bits none = all_of(WB_BIT_ZERO);
  return sources[3].kind == WB_SOURCE_NONE && sources[4].kind == WB_SOURCE_NONE
             ? are_equal(&state->results[index], &none, WORD)
             : WB_BIT_ANY;
}

static void write_results(struct wb_bit_state *state, const struct wb_micro_code *code,
                          uint8_t guard, bool of_lanes)
{
  for (size_t w = 0; w < code->write_count; w++) {
    const struct wb_micro_write *write = &code->writes[w];
    const struct wb_bits *result = &state->results[write->result];
    /* A uniform register is written for lanes too whose guard says otherwise. */
    if (of_lanes && is_uniform(write->number))
      continue;
    give(state, write->number, result->of, guard);
    if (write->wide)
      give(state, write->number + 1U, result->of + WORD, guard);
    if (write->number == WB_REGISTER_CONDITION_CODE) {
      const uint8_t zero = zero_of(state, code, &code->operations[write->result]);
      state->zero = guard == WB_BIT_ONE ? zero : WB_BIT_ANY;
    }
  }
}

/* All that the instruction writes is any. */
static void forget_writes(struct wb_bit_state *state, const struct wb_function *function,
                          const struct wb_instruction *instruction, uint8_t guard, bool of_lanes)
{
  const struct wb_bits any = all_of(WB_BIT_ANY);
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      if (r == WB_REGISTER_CONDITION_CODE && guard != WB_BIT_ZERO)
        state->zero = WB_BIT_ANY;
      give(state, r, any.of, of_lanes && is_uniform(r) ? WB_BIT_ONE : guard);
    }
  }
}

void wb_bits_apply(struct wb_bit_state *state, const struct wb_function *function, uint32_t index,
                   const struct wb_micro_code *code)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  const struct wb_source source = {.kind = WB_SOURCE_PREDICATE,
                                   .number = instruction->guard,
                                   .negated = instruction->guard_negated};
  const bool guarded = instruction->guard != WB_NO_REGISTER;
  const uint8_t guard = guarded ? truth(state, &source) : WB_BIT_ONE;
  const bool of_lanes = guarded && !is_uniform(instruction->guard);
  for (size_t o = 0; o < code->count; o++)
    state->results[o] = result_of(state, code, &code->operations[o]);
  forget_writes(state, function, instruction, guard, of_lanes);
  write_results(state, code, guard, of_lanes);
}

void wb_bits_step(struct wb_bit_state *state, const struct wb_function *function, uint32_t index)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  struct wb_micro_code code;
  if (instruction->never)
    return;
  if (instruction->unknown)
    wb_bits_any(state);
  else if (instruction->write_count > 0) {
    wb_lower(function, index, &code); /* where it is not known, there is no write */
    wb_bits_apply(state, function, index, &code);
  }
}
