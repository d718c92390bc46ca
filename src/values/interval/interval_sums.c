/* Sums of words with their carries in the domain of strided intervals. */
#include "values/interval/interval_domain.h"

/* ---- words of a sum ---- */

static bool is_number(const struct wb_source *source, uint64_t most)
{
  return source->kind == WB_SOURCE_NUMBER && !source->negated && !source->complemented &&
         source->value <= most;
}

/* The words of an ADD that are not 0; the rest are of no kind. Returns their number, 2 or 3. */
static size_t find_words(const struct wb_micro_operation *sum, const struct wb_source *words[3])
{
  static const struct wb_source none = {.kind = WB_SOURCE_NONE};
  size_t count = 0;
  words[0] = words[1] = words[2] = &none;
  for (size_t s = 0; s < 3; s++) {
    if (sum->sources[s].kind == WB_SOURCE_NONE ||
        (sum->sources[s].kind == WB_SOURCE_NUMBER && (uint32_t)sum->sources[s].value == 0 &&
         !sum->sources[s].negated && !sum->sources[s].complemented))
      continue;
    words[count++] = &sum->sources[s];
  }
  return count < 2 ? 2 : count;
}

/* The operation of the instruction that the source is the result of; NULL: none. */
static const struct wb_micro_operation *operation_of(const struct wb_micro_code *code,
                                                     const struct wb_source *source)
{
  return source->kind == WB_SOURCE_RESULT ? &code->operations[source->number] : NULL;
}

/* A word of an upper sum. */
struct upper_word {
  struct wb_source source;
  const struct wb_micro_operation *operation; /* that found it in this instruction; NULL: none */
  bool subtracted;
};

/* ---- numbers of 64 bits ---- */

/* A pair of registers as it was before the lower sum, if it still is; else the number of two
 * words. */
static struct wb_wide pair_of(const struct wb_interval_context *context,
                              const struct wb_carry *carry, uint16_t low,
                              const struct wb_integer *lower, const struct wb_source *high,
                              const struct wb_integer *upper)
{
  const struct wb_pair *pair = low != WB_NO_REGISTER && high->kind == WB_SOURCE_REGISTER
                                   ? wb_pairs_find(&carry->pairs, low, high->number)
                                   : NULL;
  return pair != NULL && !wb_interval_written_since(context, carry->instruction, high->number)
             ? pair->value
             : wb_wide_of_words(lower, upper);
}

/* The number of a lower and an upper word, without their signs. Where the lower one is a shifted
 * register and the upper one was made of the same register, the number is the register, continued
 * by its sign or by another word, and shifted. */
static struct wb_wide number_of(const struct wb_interval_context *context,
                                const struct wb_carry *carry, const struct wb_addend *lower,
                                const struct upper_word *upper)
{
  struct wb_wide number = wb_wide_top();
  const struct wb_micro_operation *made = upper->operation;
  if (made == NULL || lower->source == WB_NO_REGISTER ||
      wb_interval_source_register(&made->sources[0]) != lower->source ||
      wb_interval_written_since(context, carry->instruction, lower->source)) {
    number = wb_wide_top();
  } else if (made->kind == WB_MICRO_FUNNEL_LEFT && is_number(&made->sources[2], 31) &&
             made->sources[2].value == lower->shift && !made->sources[1].negated &&
             !made->sources[1].complemented) {
    const struct wb_integer high = wb_interval_word(context, &made->sources[1]);
    number = pair_of(context, carry, lower->source, &lower->whole, &made->sources[1], &high);
  } else if (made->kind == WB_MICRO_SHIFT_RIGHT && is_number(&made->sources[1], 32) &&
             made->sources[1].value + lower->shift == 32) {
    number = wb_wide_extend(&lower->whole, made->as_signed);
  }
  number = wb_wide_shift_left(&number, lower->shift);
  if (!wb_wide_is_top(&number))
    return number;
  const struct wb_integer high = wb_interval_plain_word(context, &upper->source);
  return pair_of(context, carry, lower->shift == 0 ? lower->source : WB_NO_REGISTER, &lower->word,
                 &upper->source, &high);
}

/* Subtracting a known lower word other than 0 is adding 2^32 less it, carry and all. False where
 * the word is another. */
static bool add_instead(struct wb_addend *addend)
{
  if (!wb_integer_is_exact(&addend->word) || addend->word.low == 0)
    return false;
  const struct wb_integer word = wb_integer_exactly(0 - addend->word.low);
  *addend = (struct wb_addend){.whole = word, .word = word, .source = WB_NO_REGISTER};
  return true;
}

/* The 64-bit sum: all words are added, or one lower and one upper word are subtracted. Top where
 * the words do not match. */
static struct wb_wide sum_of(const struct wb_interval_context *context,
                             const struct wb_carry *carry, struct upper_word upper[2])
{
  struct wb_addend lower[2] = {carry->addends[0], carry->addends[1]};
  bool above = upper[0].subtracted || upper[1].subtracted;
  const size_t low = lower[0].subtracted ? 0 : 1;
  const bool below = lower[low].subtracted && (above || !add_instead(&lower[low]));
  /* A number is the complement of another one. */
  for (size_t i = 0; i < 2 && below && !above; i++) {
    if (upper[i].source.kind != WB_SOURCE_NUMBER)
      continue;
    upper[i].source.value = ~upper[i].source.value;
    upper[i].subtracted = above = true;
  }
  if (below != above || (upper[0].subtracted && upper[1].subtracted))
    return wb_wide_top();
  if (below) {
    const size_t high = upper[0].subtracted ? 0 : 1;
    const struct wb_wide less = number_of(context, carry, &lower[low], &upper[high]);
    const struct wb_wide from = number_of(context, carry, &lower[1 - low], &upper[1 - high]);
    return wb_wide_subtract(&from, &less);
  }
  /* Addition does not tell which upper word belongs to which lower one. */
  struct wb_wide sum = wb_wide_top();
  for (size_t i = 0; i < 2 && wb_wide_is_top(&sum); i++) {
    const struct wb_wide a = number_of(context, carry, &lower[i], &upper[0]);
    const struct wb_wide b = number_of(context, carry, &lower[1 - i], &upper[1]);
    sum = wb_wide_add(&a, &b);
  }
  return sum;
}

/* The 64-bit sum of three lower and three upper words, all added: whichever upper word belongs to
 * which lower one, the sum is the same. */
static struct wb_wide sum_of_three(const struct wb_interval_context *context,
                                   const struct wb_carry *carry, const struct upper_word upper[3])
{
  static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  struct wb_wide sum = wb_wide_top();
  if (upper[0].subtracted || upper[1].subtracted || upper[2].subtracted)
    return sum;
  for (size_t o = 0; o < 6 && wb_wide_is_top(&sum); o++) {
    sum = number_of(context, carry, &carry->addends[0], &upper[orders[o][0]]);
    for (size_t i = 1; i < 3; i++) {
      const struct wb_wide more =
          number_of(context, carry, &carry->addends[i], &upper[orders[o][i]]);
      sum = wb_wide_add(&sum, &more);
    }
  }
  return sum;
}

/* ---- sums ---- */

static bool is_false(const struct wb_source *source)
{
  return source->kind == WB_SOURCE_NONE ||
         (source->kind == WB_SOURCE_NUMBER && (source->value != 0) == source->negated);
}

/* The result is the upper word of a 64-bit sum, whose lower sum is at that row. */
static void set_wide_sum(struct wb_interval_context *context, const struct wb_micro_code *code,
                         size_t index, uint32_t row)
{
  struct wb_interval_result *result = &context->results[index];
  const struct wb_carry *carry = &context->carries->rows[row];
  const struct wb_source *sources[3];
  struct upper_word upper[3];
  struct wb_integer words[2];
  if (carry->target >= WB_VALUE_COUNT ||
      wb_interval_written_since(context, carry->instruction + 1, carry->target) ||
      find_words(&code->operations[index], sources) > carry->count)
    return;
  for (size_t i = 0; i < 3; i++) {
    const struct wb_source *word = sources[i];
    /* The sum subtracts what it complements. */
    upper[i] = (struct upper_word){*word, operation_of(code, word), word->complemented};
    if (word->negated)
      return;
  }
  result->wide.value =
      carry->count == 3 ? sum_of_three(context, carry, upper) : sum_of(context, carry, upper);
  result->below = carry->target;
  if (wb_wide_to_words(&result->wide.value, &words[0], &words[1]))
    wb_integer_meet(&result->wide.words[0], &words[1]);
}

void wb_interval_add(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_source *sources = code->operations[index].sources;
  struct wb_integer sum = wb_interval_word(instruction, &sources[0]);
  uint32_t rows[2] = {0, 0};
  bool known = true; /* all carries that it reads are of sums that are remembered */
  for (size_t s = 1; s < 5; s++) {
    struct wb_integer word;
    if (s < 3 ? sources[s].kind == WB_SOURCE_NONE : is_false(&sources[s]))
      continue;
    if (s < 3)
      word = wb_interval_word(instruction, &sources[s]);
    else {
      const struct wb_implications carry = wb_interval_predicate(instruction, &sources[s]);
      word = carry.truth == WB_TRUTH_UNKNOWN ? wb_integer_range(0, 1)
                                             : wb_integer_exactly(carry.truth == WB_TRUTH_TRUE);
      rows[s - 3] = carry.carry;
      known = known && carry.carry != 0;
    }
    sum = wb_integer_add(&sum, &word);
  }
  wb_interval_set_word(instruction, code, index, sum);
  if (!known || instruction->guarded || (rows[0] == 0 && rows[1] == 0))
    return;
  /* An upper sum has to read all carries of one lower sum: one of two words, two of three. */
  const struct wb_carry *one = &instruction->carries->rows[rows[0]];
  const struct wb_carry *other = &instruction->carries->rows[rows[1]];
  bool all = false;
  if (rows[0] != 0 && rows[1] != 0)
    all = one->count == 3 && other->count == 3 && one->instruction == other->instruction &&
          one->second != other->second;
  else if (rows[0] != rows[1])
    all = (rows[0] != 0 ? one : other)->count == 2;
  if (all)
    set_wide_sum(instruction, code, index, rows[0] != 0 ? rows[0] : rows[1]);
}

/* ---- carries ---- */

/* Whether two words carry: a difference where it does not borrow, a sum where it is beyond 32 bits
 * or, which is the same, below both words. */
static uint8_t carry_truth(const struct wb_addend addends[2], const struct wb_integer *sum)
{
  const bool first = addends[0].subtracted;
  const struct wb_integer *a = &addends[first].word;
  const struct wb_integer *b = &addends[!first].word;
  int64_t low[2];
  int64_t high[2];
  if (addends[!first].subtracted) {
    if (wb_integer_excludes(a, WB_RELATION_LESS, b, false))
      return WB_TRUTH_TRUE;
    return wb_integer_excludes(a, WB_RELATION_AT_LEAST, b, false) ? WB_TRUTH_FALSE
                                                                  : WB_TRUTH_UNKNOWN;
  }
  if (wb_integer_interval(a, false, &low[0], &high[0]) &&
      wb_integer_interval(b, false, &low[1], &high[1])) {
    if (high[0] + high[1] <= UINT32_MAX)
      return WB_TRUTH_FALSE;
    if (low[0] + low[1] > UINT32_MAX)
      return WB_TRUTH_TRUE;
  }
  for (size_t i = 0; i < 2; i++) {
    if (wb_integer_excludes(sum, WB_RELATION_LESS, &addends[i].word, false))
      return WB_TRUTH_FALSE;
    if (wb_integer_excludes(sum, WB_RELATION_AT_LEAST, &addends[i].word, false))
      return WB_TRUTH_TRUE;
  }
  return WB_TRUTH_UNKNOWN;
}

void wb_interval_carry(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const size_t number = operation->sources[0].number;
  const struct wb_micro_operation *sum = &code->operations[number];
  const struct wb_source *words[3];
  struct wb_carry carry = {.target = WB_NO_REGISTER,
                           .instruction = instruction->index,
                           .second = operation->second,
                           .count = (uint8_t)find_words(sum, words)};
  size_t negated = 0;
  size_t complemented = 0;
  struct wb_implications *result = &instruction->results[index].predicate;
  *result = (struct wb_implications){0};
  for (size_t i = 0; i < carry.count; i++) {
    const struct wb_micro_operation *shift = operation_of(code, words[i]);
    const struct wb_integer word = wb_interval_plain_word(context, words[i]);
    struct wb_addend *addend = &carry.addends[i];
    *addend = (struct wb_addend){
        .whole = word, .word = word, .source = WB_NO_REGISTER, .subtracted = words[i]->negated};
    if (shift != NULL && shift->kind == WB_MICRO_SHIFT_LEFT && is_number(&shift->sources[1], 31)) {
      addend->whole = wb_interval_word(context, &shift->sources[0]);
      addend->source = wb_interval_source_register(&shift->sources[0]);
      addend->shift = (uint8_t)shift->sources[1].value;
    } else if (words[i]->kind == WB_SOURCE_REGISTER && words[i]->number < WB_VALUE_COUNT) {
      addend->source = words[i]->number;
    }
    negated += words[i]->negated;
    complemented += words[i]->complemented;
  }
  if (!is_false(&sum->sources[3]) || !is_false(&sum->sources[4]) || complemented > 0 ||
      negated > (carry.count == 2) || (carry.count == 2 && operation->second))
    return;
  if (carry.count == 2)
    result->truth = carry_truth(carry.addends, &instruction->results[number].wide.words[0]);
  if (instruction->guarded)
    return;
  carry.pairs = instruction->state->pairs;
  result->carry = wb_carries_add(instruction->carries, &carry);
}

void wb_interval_name_sum(struct wb_interval_context *context, const struct wb_micro_code *code,
                          size_t index, uint16_t number)
{
  for (size_t c = index + 1; c < code->count; c++) {
    const struct wb_micro_operation *operation = &code->operations[c];
    const uint32_t row = context->results[c].predicate.carry;
    if (operation->kind == WB_MICRO_CARRY && operation->sources[0].number == index && row != 0)
      context->carries->rows[row].target = number;
  }
}

/* ---- comparisons ---- */

/* The number of a lower word and an upper one. */
static struct wb_compared_number compared(const struct wb_interval_context *context,
                                          const struct wb_carry *carry, const struct wb_addend *low,
                                          const struct upper_word *high)
{
  const bool held = low->shift == 0 && low->source != WB_NO_REGISTER &&
                    !wb_interval_written_since(context, carry->instruction, low->source);
  return (struct wb_compared_number){.value = number_of(context, carry, low, high),
                                     .low = low->word,
                                     .high = wb_interval_word(context, &high->source),
                                     .source = held ? low->source : WB_NO_REGISTER,
                                     .high_source = wb_interval_source_register(&high->source)};
}

void wb_interval_carry_sides(const struct wb_interval_context *context,
                             const struct wb_micro_operation *operation,
                             struct wb_compared_number sides[2])
{
  const struct wb_source *sources = operation->sources;
  const uint32_t row = wb_interval_predicate(context, &sources[2]).carry;
  sides[0] = sides[1] = (struct wb_compared_number){.value = wb_wide_top(),
                                                    .low = wb_integer_top(),
                                                    .high = wb_integer_top(),
                                                    .source = WB_NO_REGISTER,
                                                    .high_source = WB_NO_REGISTER};
  if (row == 0 || context->carries->rows[row].count != 2 || sources[0].negated ||
      sources[1].negated || sources[0].complemented || sources[1].complemented)
    return;
  const struct wb_carry *carry = &context->carries->rows[row];
  const struct upper_word upper[2] = {{.source = sources[0]}, {.source = sources[1]}};
  for (size_t i = 0; i < 2; i++) {
    struct wb_addend less = carry->addends[i];
    const struct wb_addend *from = &carry->addends[1 - i];
    /* Adding n is subtracting -n, except for 0, which sets no carry. */
    if (!less.subtracted && (from->subtracted || !add_instead(&less)))
      continue;
    sides[0] = compared(context, carry, from, &upper[0]);
    sides[1] = compared(context, carry, &less, &upper[1]);
    return;
  }
}
