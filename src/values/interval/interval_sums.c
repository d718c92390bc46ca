/* Sums of words with their carries, comparisons, and what predicates imply, in the domain of
 * strided intervals. */
#include "values/interval/interval_domain.h"

#include "isa/lower/lower.h"
#include "values/domain.h"

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
  if (carry->completed != 0 && high->kind == WB_SOURCE_REGISTER && low == carry->above.low &&
      high->number == carry->above.high &&
      !wb_interval_written_since(context, carry->completed + 1, high->number))
    return carry->above.value;
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
static struct wb_wide sum_of(struct wb_interval_context *context, size_t index,
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
    const struct wb_addend words[2] = {lower[1 - low], lower[low]};
    const struct wb_source *const highs[2] = {&upper[1 - high].source, &upper[high].source};
    struct wb_wide number = wb_wide_subtract(&from, &less);
    wb_interval_refine_by_wide_differences(context, index, carry, words, highs, &number);
    return number;
  }
  /* Addition does not tell which upper word belongs to which lower one. */
  struct wb_wide sum = wb_wide_top();
  for (size_t i = 0; i < 2 && wb_wide_is_top(&sum); i++) {
    const struct wb_wide a = number_of(context, carry, &lower[i], &upper[0]);
    const struct wb_wide b = number_of(context, carry, &lower[1 - i], &upper[1]);
    sum = wb_wide_add(&a, &b);
    wb_interval_note_wide_addend(context, index, carry, &lower[i], &upper[0].source, &b);
    wb_interval_note_wide_addend(context, index, carry, &lower[1 - i], &upper[1].source, &a);
  }
  return sum;
}

/* The 64-bit sum of three lower and three upper words, of which one lower and one upper word may be
 * subtracted: whichever other upper word belongs to which lower one, the sum is the same. */
static struct wb_wide sum_of_three(const struct wb_interval_context *context,
                                   const struct wb_carry *carry, const struct upper_word upper[3])
{
  static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  struct wb_wide sum = wb_wide_top();
  for (size_t o = 0; o < 6 && wb_wide_is_top(&sum); o++) {
    bool same = true;
    for (size_t i = 0; i < 3; i++)
      same = same && carry->addends[i].subtracted == upper[orders[o][i]].subtracted;
    if (!same)
      continue;
    sum = wb_wide_exactly(0);
    for (size_t i = 0; i < 3; i++) {
      const struct wb_wide more =
          number_of(context, carry, &carry->addends[i], &upper[orders[o][i]]);
      sum = carry->addends[i].subtracted ? wb_wide_subtract(&sum, &more) : wb_wide_add(&sum, &more);
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

/* The lower word of the number was overwritten before this instruction wrote its upper word: by a
 * sum that it is an addend of, if that is remembered, to which the number belongs. */
static void complete_addend(struct wb_interval_context *context, const struct wb_micro_code *code,
                            size_t index, const struct wb_carry *lower,
                            const struct wb_wide *number)
{
  const uint16_t low = lower->target;
  uint16_t high = WB_NO_REGISTER;
  for (size_t w = 0; w < code->write_count; w++)
    high = code->writes[w].result == index ? code->writes[w].number : high;
  for (size_t r = 1; r < context->carries->count && high < WB_VALUE_COUNT && high != low; r++) {
    struct wb_carry *row = &context->carries->rows[r];
    bool reads = false;
    for (size_t a = 0; a < row->count; a++)
      reads |= row->addends[a].source == low && row->addends[a].shift == 0;
    if (!reads || row->instruction <= lower->instruction ||
        (row->instruction > lower->instruction + 1 &&
         wb_registers_written(context->function, lower->instruction + 1, row->instruction - 1,
                              low)))
      continue;
    row->above = (struct wb_pair){low, high, *number};
    row->completed = context->index;
  }
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
      find_words(&code->operations[index], sources) > carry->count)
    return;
  for (size_t i = 0; i < 3; i++) {
    const struct wb_source *word = sources[i];
    /* The sum subtracts what it complements. */
    upper[i] = (struct upper_word){*word, operation_of(code, word), word->complemented};
    if (word->negated)
      return;
  }
  const struct wb_wide number = carry->count == 3 ? sum_of_three(context, carry, upper)
                                                  : sum_of(context, index, carry, upper);
  if (wb_interval_written_since(context, carry->instruction + 1, carry->target)) {
    complete_addend(context, code, index, carry, &number);
    return;
  }
  result->wide.value = number;
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
  wb_interval_refine_by_masks(instruction, code, index);
  wb_interval_refine_by_differences(instruction, code, index);
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
      negated > 1 || (carry.count == 2 && operation->second))
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

/* ---- comparisons by a carry ---- */

/* A 64-bit number that is compared. */
struct compared_number {
  struct wb_wide value;
  struct wb_integer low, high; /* its words */
  uint16_t source;      /* the register that still holds the lower word; WB_NO_REGISTER: none */
  uint16_t high_source; /* the same of the upper word */
};

/* The number of a lower word and an upper one. */
static struct compared_number compared(const struct wb_interval_context *context,
                                       const struct wb_carry *carry, const struct wb_addend *low,
                                       const struct upper_word *high)
{
  const bool held = low->shift == 0 && low->source != WB_NO_REGISTER &&
                    !wb_interval_written_since(context, carry->instruction, low->source);
  return (struct compared_number){.value = number_of(context, carry, low, high),
                                  .low = low->word,
                                  .high = wb_interval_word(context, &high->source),
                                  .source = held ? low->source : WB_NO_REGISTER,
                                  .high_source = wb_interval_source_register(&high->source)};
}

/* The two 64-bit numbers of COMPARE_BY_CARRY; top where they are not known. */
static void carry_sides(const struct wb_interval_context *context,
                        const struct wb_micro_operation *operation, struct compared_number sides[2])
{
  const struct wb_source *sources = operation->sources;
  const uint32_t row = wb_interval_predicate(context, &sources[2]).carry;
  sides[0] = sides[1] = (struct compared_number){.value = wb_wide_top(),
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

/* ---- comparisons ---- */

/* A comparison of this instruction; its sides are still to be set. */
static struct wb_comparison new_row(const struct wb_interval_context *context,
                                    const struct wb_micro_operation *operation)
{
  return (struct wb_comparison){
      .relation = operation->relation,
      .as_signed = operation->as_signed,
      .sources = {WB_NO_REGISTER, WB_NO_REGISTER},
      .pairs = {{WB_NO_REGISTER, WB_NO_REGISTER}, {WB_NO_REGISTER, WB_NO_REGISTER}},
      .masks = {{WB_NO_REGISTER, 0}, {WB_NO_REGISTER, 0}},
      .instruction = context->index,
      .visit = context->visit};
}

/* The register that holds the source after the instruction; WB_NO_REGISTER where there is none. */
static uint16_t register_after(const struct wb_interval_context *context,
                               const struct wb_micro_code *code, const struct wb_source *source)
{
  const uint16_t number = wb_interval_source_register(source);
  if (number != WB_NO_REGISTER &&
      !wb_registers_written(context->function, context->index, context->index, number))
    return number;
  if (source->kind != WB_SOURCE_RESULT || source->negated || source->complemented)
    return WB_NO_REGISTER;
  for (size_t w = 0; w < code->write_count; w++) {
    const struct wb_micro_write *write = &code->writes[w];
    if (write->result == source->number && !write->wide && write->number < WB_VALUE_COUNT)
      return write->number;
  }
  return WB_NO_REGISTER;
}

/* Whether the relation is false for all numbers of both sides. */
static bool excludes(const struct wb_comparison *row, enum wb_relation relation)
{
  return row->wide ? wb_wide_excludes(&row->wide_left, relation, &row->wide_right, row->as_signed)
                   : wb_integer_excludes(&row->left, relation, &row->right, row->as_signed);
}

static uint8_t truth_of_comparison(const struct wb_comparison *row)
{
  const enum wb_relation relation = (enum wb_relation)row->relation;
  if (excludes(row, relation))
    return WB_TRUTH_FALSE;
  return excludes(row, wb_relation_negated(relation)) ? WB_TRUTH_TRUE : WB_TRUTH_UNKNOWN;
}

void wb_interval_compare(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  struct wb_comparison row = new_row(instruction, operation);
  row.left = wb_interval_word(instruction, &operation->sources[0]);
  row.right = wb_interval_word(instruction, &operation->sources[1]);
  for (size_t side = 0; side < 2; side++) {
    const struct wb_source *source = &operation->sources[side];
    row.sources[side] = register_after(instruction, code, source);
    row.masks[side] = wb_interval_source_mask(instruction, code, source);
    /* Sums of this instruction's results are found after all of its operations. */
    row.sums[side] =
        source->kind == WB_SOURCE_RESULT ? 0 : wb_interval_source_sum(instruction, source);
  }
  if (operation->kind == WB_MICRO_IS_NOT_ZERO) { /* the second source is 0 */
    row.relation = WB_RELATION_UNEQUAL;
    row.as_signed = false;
  }
  struct wb_comparison otherwise = row;
  otherwise.relation = (uint8_t)wb_relation_negated((enum wb_relation)row.relation);
  struct wb_implications *outcome = &instruction->results[index].predicate;
  *outcome = (struct wb_implications){
      .when_true = wb_comparisons_add(instruction->comparisons, &row),
      .when_false = wb_comparisons_add(instruction->comparisons, &otherwise),
      .truth = truth_of_comparison(&row)};
  wb_interval_add_flag(instruction, code, operation, &row, outcome);
}

/* ---- comparisons of 64-bit numbers ---- */

/* Instructions before a comparison among which the one that made its upper word is looked for. */
#define MOST_DISTANCE 32

/* Whether the upper word holds the sign of that register in all bits: by an instruction of the
 * block after which neither is written. */
static bool is_sign_of(const struct wb_interval_context *context, uint16_t high, uint16_t low)
{
  const struct wb_function *function = context->function;
  uint32_t at = context->index;
  do {
    if (at == context->first || context->index - at == MOST_DISTANCE)
      return false;
    at--;
    if (wb_registers_written(function, at, at, low))
      return false;
  } while (!wb_registers_written(function, at, at, high));
  const struct wb_instruction *instruction = &function->instructions[at];
  struct wb_micro_code code;
  if (instruction->guard != WB_NO_REGISTER || instruction->unknown || instruction->never ||
      !wb_lower(function, at, &code) || code.write_count != 1 || code.writes[0].wide)
    return false;
  const struct wb_micro_operation *made = &code.operations[code.writes[0].result];
  return made->kind == WB_MICRO_SHIFT_RIGHT && made->as_signed &&
         made->sources[1].kind == WB_SOURCE_NUMBER && made->sources[1].value == 31 &&
         wb_interval_source_register(&made->sources[0]) == low;
}

/* What a comparison "number relation limit" of 64 bits says of the lower word of a number whose
 * upper word extends it by zeros or by its sign: "word relation *right" in 32 bits, signed or not.
 * A limit above all numbers that are not negative is cut to them. False: nothing. */
static bool word_limit(const struct wb_interval_context *context,
                       const struct compared_number *number, enum wb_relation relation,
                       const struct wb_wide *limit, bool wide_signed, struct wb_integer *right,
                       bool *word_signed)
{
  struct wb_integer_end ends[2];
  const bool below = relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST;
  const bool above = relation == WB_RELATION_GREATER || relation == WB_RELATION_AT_LEAST;
  const bool by_zeros = wb_integer_is_exact(&number->high) && number->high.low == 0;
  const bool by_sign = !by_zeros && number->source != WB_NO_REGISTER &&
                       number->high_source != WB_NO_REGISTER &&
                       is_sign_of(context, number->high_source, number->source);
  if (!by_zeros && !by_sign)
    return false;
  *word_signed = wide_signed && by_sign;
  const int64_t least = *word_signed ? INT32_MIN : 0;
  const int64_t most = by_zeros ? UINT32_MAX : INT32_MAX;
  /* Unsigned, the extensions of negative words are above all others. */
  const bool turned = by_sign && !wide_signed;
  const int64_t cut = relation == WB_RELATION_LESS && turned ? most + 1 : most;
  for (size_t e = 0; e < 2; e++) {
    const bool known = wb_wide_end(limit, wide_signed, e == 1, &ends[e]);
    /* No word is below a limit that is less than all of them, or above one that is greater. */
    if (below && (known ? ends[e].number < least : e == 0))
      ends[e] = (struct wb_integer_end){least, true};
    else if (above && !turned && (known ? ends[e].number > most : e == 1))
      ends[e] = (struct wb_integer_end){most, true};
    else if (known && below && turned && ends[e].number > cut)
      ends[e] = (struct wb_integer_end){cut, true};
    else if (!known || ends[e].number < least || ends[e].number > most)
      return false;
  }
  *right = wb_integer_between(ends[0], ends[1], limit->origin);
  return true;
}

/* Adds the comparison of two numbers of 64 bits, and what it says of their lower words. */
static uint32_t add_wide(struct wb_interval_context *context, struct wb_comparison row,
                         const struct compared_number sides[2])
{
  row.wide = true;
  row.wide_left = sides[0].value;
  row.wide_right = sides[1].value;
  for (size_t side = 0; side < 2; side++)
    row.pairs[side] = (struct wb_side_pair){sides[side].source, sides[side].high_source};
  uint32_t chain = wb_comparisons_add(context->comparisons, &row);
  for (size_t side = 0; side < 2; side++) {
    const enum wb_relation relation = (enum wb_relation)row.relation;
    struct wb_comparison word = row;
    word.wide = false;
    word.relation = side == 0 ? row.relation : (uint8_t)wb_relation_mirrored(relation);
    word.left = sides[side].low;
    const bool written =
        wb_registers_written(context->function, context->index, context->index, sides[side].source);
    word.sources[0] = written ? WB_NO_REGISTER : sides[side].source;
    word.masks[0] = wb_interval_held_mask(context, word.sources[0]);
    const struct wb_wide limit = wb_interval_fixed_limit(context, &sides[1 - side].value);
    if (word_limit(context, &sides[side], (enum wb_relation)word.relation, &limit, row.as_signed,
                   &word.right, &word.as_signed))
      chain = wb_comparisons_concatenate(context->comparisons, chain,
                                         wb_comparisons_add(context->comparisons, &word));
  }
  return chain;
}

void wb_interval_compare_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  struct compared_number sides[2] = {0};
  if (operation->kind == WB_MICRO_COMPARE_BY_CARRY)
    carry_sides(context, operation, sides);
  for (size_t side = 0; side < 2 && operation->kind == WB_MICRO_COMPARE_WIDE; side++) {
    const struct wb_source *source = &operation->sources[side];
    const struct wb_interval_wide number = wb_interval_wide(context, source);
    const bool pair = source->kind == WB_SOURCE_REGISTER_PAIR && !source->negated &&
                      !source->complemented && source->number < WB_VALUE_COUNT - 1;
    sides[side] = (struct compared_number){.value = number.value,
                                           .low = number.words[0],
                                           .high = number.words[1],
                                           .source = pair ? source->number : WB_NO_REGISTER,
                                           .high_source = pair ? (uint16_t)(source->number + 1)
                                                               : WB_NO_REGISTER};
  }
  struct wb_comparison row = new_row(instruction, operation);
  row.wide = true;
  row.wide_left = sides[0].value;
  row.wide_right = sides[1].value;
  struct wb_implications outcome = {.truth = truth_of_comparison(&row)};
  outcome.when_true = add_wide(instruction, row, sides);
  row.relation = (uint8_t)wb_relation_negated((enum wb_relation)row.relation);
  outcome.when_false = add_wide(instruction, row, sides);
  instruction->results[index].predicate = outcome;
}

/* The 64-bit number of side 0 or 1: the lower word that was compared on some side, and the upper
 * word that this operation compares. */
static struct compared_number side_of(const struct wb_interval_context *context,
                                      const struct wb_micro_operation *operation,
                                      const struct wb_comparison *lower, size_t low_side,
                                      size_t side)
{
  const uint16_t low = lower->sources[low_side];
  const uint16_t high = wb_interval_source_register(&operation->sources[side]);
  const struct wb_integer upper = wb_interval_word(context, &operation->sources[side]);
  const bool held =
      low != WB_NO_REGISTER && !wb_interval_written_since(context, lower->instruction + 1, low);
  struct compared_number number = {.low = low_side == 0 ? lower->left : lower->right,
                                   .high = upper,
                                   .source = held ? low : WB_NO_REGISTER,
                                   .high_source = high};
  number.value = held && high != WB_NO_REGISTER
                     ? wb_pairs_value(&context->state->pairs, context->state->registers, low, high)
                     : wb_wide_of_words(&number.low, &upper);
  return number;
}

/* The truth of "upper words in the relation, or equal and the predicate": by the upper words where
 * those are never, or always, equal; or where one outcome implies a comparison that is false. */
static uint8_t truth_of_upper(const struct wb_interval_context *context,
                              const struct wb_micro_operation *operation,
                              const struct wb_implications *below,
                              const struct wb_implications *outcome)
{
  const struct wb_integer a = wb_interval_word(context, &operation->sources[0]);
  const struct wb_integer b = wb_interval_word(context, &operation->sources[1]);
  const struct wb_comparison *rows = context->comparisons->rows;
  if (wb_integer_is_exact(&a) && wb_integer_is_exact(&b) && a.low == b.low)
    return below->truth;
  if (outcome->when_true != 0 &&
      excludes(&rows[outcome->when_true], (enum wb_relation)rows[outcome->when_true].relation))
    return WB_TRUTH_FALSE;
  if (outcome->when_false != 0 &&
      excludes(&rows[outcome->when_false], (enum wb_relation)rows[outcome->when_false].relation))
    return WB_TRUTH_TRUE;
  if (!wb_integer_excludes(&a, WB_RELATION_EQUAL, &b, operation->as_signed))
    return WB_TRUTH_UNKNOWN;
  const struct wb_comparison upper = {
      .left = a, .right = b, .relation = operation->relation, .as_signed = operation->as_signed};
  return truth_of_comparison(&upper);
}

/* Upper words in strict order, or equal and the lower words in the relation. Each outcome rests on
 * what the predicate of the lower words implies where it is so. */
void wb_interval_compare_upper(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const struct wb_implications below = wb_interval_predicate(instruction, &operation->sources[2]);
  struct wb_implications outcome = {0};
  for (int holds = 1; holds >= 0; holds--) {
    struct wb_comparison row = new_row(instruction, operation);
    if (holds == 0)
      row.relation = (uint8_t)wb_relation_negated((enum wb_relation)row.relation);
    const uint8_t mirrored = (uint8_t)wb_relation_mirrored((enum wb_relation)row.relation);
    const bool equality = row.relation == WB_RELATION_EQUAL || row.relation == WB_RELATION_UNEQUAL;
    /* The comparison of lower words in that relation, or mirrored, on this visit. */
    const struct wb_comparison *rows = instruction->comparisons->rows;
    uint32_t lower = holds == 1 ? below.when_true : below.when_false;
    for (; lower != 0; lower = rows[lower].next) {
      const struct wb_comparison *it = &rows[lower];
      if (!it->wide && it->visit == instruction->visit && (equality || !it->as_signed) &&
          (it->relation == row.relation || it->relation == mirrored))
        break;
    }
    if (lower == 0)
      continue;
    const size_t left = rows[lower].relation != row.relation; /* the side of the left number */
    const struct compared_number sides[2] = {
        side_of(instruction, operation, &rows[lower], left, 0),
        side_of(instruction, operation, &rows[lower], 1 - left, 1)};
    *(holds == 1 ? &outcome.when_true : &outcome.when_false) = add_wide(instruction, row, sides);
  }
  outcome.truth = truth_of_upper(instruction, operation, &below, &outcome);
  instruction->results[index].predicate = outcome;
}
