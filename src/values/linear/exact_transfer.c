/* What instructions do to exact forms. */
#include "values/domain.h"
#include "values/linear/linear_forms.h"

#define WORD ((uint64_t)1 << 32)

static uint16_t new_symbol(struct wb_forms *forms)
{
  const struct wb_form any = wb_forms_any(forms);
  return any.count > 0 ? any.terms[0].symbol : WB_SYMBOL_ANY;
}

/* A word of which nothing is known. */
static struct wb_exact any_exact(struct wb_forms *forms)
{
  return wb_exact_symbol(new_symbol(forms));
}

/* A word that is one symbol, or a number. */
static struct wb_exact of_form(struct wb_forms *forms, const struct wb_form *form)
{
  if (form->count == 0)
    return wb_exact_number(form->number);
  return form->count == 1 && form->number == 0 && form->terms[0].factor == 1
             ? wb_exact_symbol(form->terms[0].symbol)
             : any_exact(forms);
}

static bool is_plain(const struct wb_source *source)
{
  return !source->negated && !source->complemented;
}

/* The word of a source that stands `word` after it, without its sign. */
static struct wb_exact plain_word(struct wb_forms *forms, const struct wb_source *source,
                                  uint32_t word)
{
  struct wb_source plain = *source;
  plain.negated = plain.complemented = false;
  switch ((enum wb_source_kind)source->kind) {
  case WB_SOURCE_RESULT:
    return forms->results[source->number].exact[word];
  case WB_SOURCE_REGISTER:
  case WB_SOURCE_REGISTER_PAIR:
    return source->number + word < WB_VALUE_COUNT ? forms->exact[source->number + word]
                                                  : any_exact(forms);
  case WB_SOURCE_NONE:
  case WB_SOURCE_NUMBER:
  case WB_SOURCE_CONSTANT:
  case WB_SOURCE_CONSTANT_PAIR: {
    const struct wb_form form = wb_forms_source(forms, &plain, word);
    return of_form(forms, &form);
  }
  default:
    return any_exact(forms);
  }
}

/* What a source adds to a sum: of a word that is subtracted its complement and 1. */
static struct wb_exact addend_of(struct wb_forms *forms, const struct wb_source *source)
{
  struct wb_exact word = plain_word(forms, source, 0);
  struct wb_exact result = wb_exact_number(WORD - (source->complemented ? 1 : 0));
  if (is_plain(source))
    return word;
  return wb_exact_add(&result, &word, UINT64_MAX, &result) ? result : any_exact(forms);
}

static struct wb_exact number_of(struct wb_forms *forms, const struct wb_source *source, bool *told)
{
  const struct wb_exact low = plain_word(forms, source, 0);
  const struct wb_exact high = plain_word(forms, source, 1);
  struct wb_exact number = wb_exact_number(0);
  *told = *told && is_plain(source) &&
          wb_exact_pair(forms->parts, forms->part_count, &low, &high, &number);
  return number;
}

/* ---- parts ---- */

/* A new part, or NULL. */
static struct wb_exact_part *add_part(struct wb_forms *forms)
{
  if (forms->part_count == WB_EXACT_PARTS)
    return NULL;
  struct wb_exact_part *part = &forms->parts[forms->part_count++];
  *part = (struct wb_exact_part){.symbol = new_symbol(forms)};
  return part;
}

/* Finds the number of 64 bits that a word is the upper one of: the word has what was cut off from
 * another one, which is the lower word. */
static void find_number(const struct wb_forms *forms, struct wb_exact_part *part)
{
  for (size_t c = 0; c < forms->cut_count && !part->is_upper; c++) {
    const struct wb_exact_cut *cut = &forms->cuts[c];
    struct wb_exact lower = wb_exact_symbol(cut->symbol);
    part->is_upper = wb_exact_factor(&part->of, cut->symbol) == 1 &&
                     wb_exact_add(&cut->total, &lower, 0 - WORD, &lower) &&
                     wb_exact_add(&lower, &part->of, WORD, &part->upper);
  }
}

static struct wb_exact shifted_word(struct wb_forms *forms, const struct wb_exact *word,
                                    unsigned places, bool as_signed)
{
  for (size_t p = 0; p < forms->part_count; p++) {
    const struct wb_exact_part *part = &forms->parts[p];
    if (!part->is_lower && part->places == places && part->as_signed == as_signed &&
        wb_exact_equal(&part->of, word))
      return wb_exact_symbol(part->symbol);
  }
  struct wb_exact_part *part = add_part(forms);
  if (part == NULL)
    return any_exact(forms);
  part->of = *word;
  part->places = (uint8_t)places;
  part->as_signed = as_signed;
  find_number(forms, part);
  return wb_exact_symbol(part->symbol);
}

/* The lower word of (high, low) >> places. */
static struct wb_exact shifted_pair(struct wb_forms *forms, const struct wb_exact *low,
                                    const struct wb_exact *high, unsigned places)
{
  struct wb_exact number;
  if (!wb_exact_pair(forms->parts, forms->part_count, low, high, &number))
    return any_exact(forms);
  for (size_t p = 0; p < forms->part_count; p++) {
    const struct wb_exact_part *part = &forms->parts[p];
    if (part->is_lower && part->places == places && wb_exact_equal(&part->of, &number) &&
        wb_exact_equal(&part->upper, high))
      return wb_exact_symbol(part->symbol);
  }
  struct wb_exact_part *part = add_part(forms);
  if (part == NULL)
    return any_exact(forms);
  part->of = number;
  part->upper = *high;
  part->places = (uint8_t)places;
  part->is_lower = true;
  part->whole[0] = new_symbol(forms);
  part->whole[1] = new_symbol(forms);
  return wb_exact_symbol(part->symbol);
}

/* The two words of a number. */
static void split(struct wb_forms *forms, const struct wb_exact *number, struct wb_exact words[2])
{
  struct wb_exact_part *part = add_part(forms);
  words[0] = words[1] = any_exact(forms);
  if (part == NULL)
    return;
  part->of = *number;
  part->is_lower = true;
  part->mate = new_symbol(forms);
  words[0] = wb_exact_symbol(part->symbol);
  words[1] = wb_exact_symbol(part->mate);
}

/* ---- sums ---- */

static struct wb_form_carry carry_of(const struct wb_forms *forms, const struct wb_source *source)
{
  const size_t predicate =
      source->kind == WB_SOURCE_PREDICATE ? wb_predicate_index(source->number) : WB_TRUTH_COUNT;
  if (source->negated)
    return (struct wb_form_carry){0};
  if (source->kind == WB_SOURCE_RESULT)
    return forms->results[source->number].carry;
  return predicate < WB_TRUTH_COUNT ? forms->carries[predicate] : (struct wb_form_carry){0};
}

/* The carries that a sum gets. */
static struct wb_exact carries_in(struct wb_forms *forms, const struct wb_micro_operation *sum)
{
  struct wb_exact total = wb_exact_number(0);
  const struct wb_form_carry both[2] = {carry_of(forms, &sum->sources[3]),
                                        carry_of(forms, &sum->sources[4])};
  if (both[0].symbol != 0 && both[0].symbol == both[1].symbol && both[0].of_two &&
      both[0].second != both[1].second)
    return wb_exact_symbol(both[0].symbol);
  for (size_t s = 0; s < 2; s++) {
    const struct wb_source *source = &sum->sources[3 + s];
    if (source->kind == WB_SOURCE_NONE)
      continue;
    struct wb_exact carry =
        both[s].symbol != 0 && !both[s].of_two ? wb_exact_symbol(both[s].symbol) : any_exact(forms);
    if (source->kind == WB_SOURCE_NUMBER)
      carry = wb_exact_number((source->value != 0) != source->negated);
    if (!wb_exact_add(&total, &carry, 1, &total))
      return any_exact(forms);
  }
  return total;
}

/* Whether a sum can get two carries. */
static bool gets_two(const struct wb_micro_operation *sum)
{
  unsigned count = 0;
  for (size_t s = 3; s < 5; s++) {
    const struct wb_source *source = &sum->sources[s];
    const bool never = source->kind == WB_SOURCE_NUMBER && (source->value != 0) == source->negated;
    count += source->kind != WB_SOURCE_NONE && !never;
  }
  return count == 2;
}

/* A sum of words, of which 2^32 was cut off as often as the carries count. */
static struct wb_exact sum_of(struct wb_forms *forms, const struct wb_micro_operation *sum,
                              struct wb_form_carry *carry)
{
  const struct wb_exact in = carries_in(forms, sum);
  const bool gets = in.count > 0 || in.number != 0;
  struct wb_exact total = in;
  size_t words = 0;
  size_t negated = 0;
  bool told = true;
  *carry = (struct wb_form_carry){0};
  for (size_t s = 0; s < 3; s++) {
    const struct wb_source *source = &sum->sources[s];
    if (source->kind == WB_SOURCE_NONE ||
        (source->kind == WB_SOURCE_NUMBER && (uint32_t)source->value == 0 && is_plain(source)))
      continue;
    const struct wb_exact word = addend_of(forms, source);
    told = told && wb_exact_add(&total, &word, 1, &total);
    words++;
    negated += source->negated;
  }
  const struct wb_exact cut = any_exact(forms);
  if (!told)
    return any_exact(forms);
  const struct wb_exact_cut row = {total, cut.terms[0].symbol};
  if (!wb_exact_add(&total, &cut, 0 - WORD, &total))
    return any_exact(forms);
  if (forms->cut_count < WB_EXACT_CUTS)
    forms->cuts[forms->cut_count++] = row;
  /* Below 2^33, which two words and two carries may not be; or below 3 * 2^32 with both carries of
   * three words. */
  if (negated <= 1 && !(gets && (negated > 0 || words == 3)) && !(words == 2 && gets_two(sum)))
    *carry = (struct wb_form_carry){.symbol = cut.terms[0].symbol, .of_two = words == 3};
  return total;
}

/* ---- words ---- */

static struct wb_exact word_of(struct wb_forms *forms, const struct wb_micro_operation *operation,
                               struct wb_form_carry *carry)
{
  const struct wb_source *sources = operation->sources;
  const struct wb_form places =
      operation->kind == WB_MICRO_SHIFT_RIGHT ? wb_forms_source(forms, &sources[1], 0)
      : operation->kind == WB_MICRO_FUNNEL_RIGHT || operation->kind == WB_MICRO_FUNNEL_LEFT
          ? wb_forms_source(forms, &sources[2], 0)
          : wb_form_number(0);
  const bool shifts = places.count == 0 && places.number > 0 && places.number < 32;
  switch ((enum wb_micro_kind)operation->kind) {
  case WB_MICRO_COPY:
    return sources[0].negated ? any_exact(forms) : addend_of(forms, &sources[0]);
  case WB_MICRO_ADD:
    return sum_of(forms, operation, carry);
  case WB_MICRO_SELECT: {
    const struct wb_source *source = &sources[wb_forms_decide_source(forms, &sources[2]) ? 0 : 1];
    return source->negated ? any_exact(forms) : addend_of(forms, source);
  }
  case WB_MICRO_LOOKUP:
    for (unsigned variable = 0; variable < 3; variable++) {
      struct wb_source source = sources[variable];
      const unsigned differs = operation->table ^ wb_lookup_variable(variable);
      source.complemented ^= differs != 0;
      if ((differs == 0 || differs == UINT8_MAX) && !source.negated)
        return addend_of(forms, &source);
    }
    return any_exact(forms);
  case WB_MICRO_SHIFT_RIGHT: {
    const struct wb_exact word = plain_word(forms, &sources[0], 0);
    return shifts && is_plain(&sources[0])
               ? shifted_word(forms, &word, places.number, operation->as_signed)
               : any_exact(forms);
  }
  case WB_MICRO_FUNNEL_RIGHT: {
    const struct wb_exact low = plain_word(forms, &sources[0], 0);
    const struct wb_exact high = plain_word(forms, &sources[1], 0);
    return shifts && is_plain(&sources[0]) && is_plain(&sources[1])
               ? shifted_pair(forms, &low, &high, places.number)
               : any_exact(forms);
  }
  case WB_MICRO_FUNNEL_LEFT: {
    const struct wb_exact low = plain_word(forms, &sources[0], 0);
    const struct wb_form high = wb_forms_source(forms, &sources[1], 0);
    return shifts && is_plain(&sources[0]) && high.count == 0 && high.number == 0
               ? shifted_word(forms, &low, 32 - places.number, false)
               : any_exact(forms);
  }
  default:
    return any_exact(forms);
  }
}

static void find_words(struct wb_forms *forms, const struct wb_micro_operation *operation,
                       struct wb_exact words[2])
{
  const struct wb_source *sources = operation->sources;
  words[0] = any_exact(forms);
  words[1] = any_exact(forms);
  switch ((enum wb_micro_kind)operation->kind) {
  case WB_MICRO_WIDE_COPY:
  case WB_MICRO_WIDE_SELECT: {
    const bool first =
        operation->kind == WB_MICRO_WIDE_COPY || wb_forms_decide_source(forms, &sources[2]);
    const struct wb_source *source = &sources[first ? 0 : 1];
    for (uint32_t w = 0; w < 2 && is_plain(source); w++)
      words[w] = plain_word(forms, source, w);
    return;
  }
  case WB_MICRO_WIDE_ADD: {
    struct wb_exact total = wb_exact_number(0);
    bool told = sources[3].kind == WB_SOURCE_NONE && sources[4].kind == WB_SOURCE_NONE;
    for (size_t s = 0; s < 3; s++) {
      struct wb_source plain = sources[s];
      if (plain.kind == WB_SOURCE_NONE)
        continue;
      plain.negated = false;
      const struct wb_exact number = number_of(forms, &plain, &told);
      told = told && wb_exact_add(&total, &number, sources[s].negated ? UINT64_MAX : 1, &total);
    }
    if (told)
      split(forms, &total, words);
    return;
  }
  case WB_MICRO_WIDE_EXTEND:
    if (!is_plain(&sources[0]))
      return;
    words[0] = plain_word(forms, &sources[0], 0);
    words[1] = operation->as_signed ? shifted_word(forms, &words[0], 31, true) : wb_exact_number(0);
    return;
  default:
    return;
  }
}

static bool is_never(const struct wb_source *source)
{
  return source->kind == WB_SOURCE_NONE ||
         (source->kind == WB_SOURCE_NUMBER && (source->value != 0) == source->negated);
}

/* Whether a sum of two words and no carry is a difference, and of which words: there is a carry
 * where nothing is borrowed. Adding a number n is subtracting 2^32 - n, but for 0, which has no
 * carry, where 0 that is subtracted has one. */
static bool is_difference(struct wb_forms *forms, const struct wb_micro_operation *sum,
                          struct wb_exact sides[2])
{
  const struct wb_source *words[2] = {NULL, NULL};
  size_t count = 0;
  for (size_t s = 0; s < 3; s++) {
    const struct wb_source *source = &sum->sources[s];
    if (source->kind == WB_SOURCE_NONE ||
        (source->kind == WB_SOURCE_NUMBER && (uint32_t)source->value == 0 && is_plain(source)))
      continue;
    if (count == 2 || source->complemented)
      return false;
    words[count++] = source;
  }
  if (count < 2 || !is_never(&sum->sources[3]) || !is_never(&sum->sources[4]) ||
      (words[0]->negated && words[1]->negated))
    return false;
  for (size_t w = 0; w < 2; w++) {
    const bool added = !words[0]->negated && !words[1]->negated;
    if (!words[w]->negated && !(added && words[w]->kind == WB_SOURCE_NUMBER))
      continue;
    sides[0] = plain_word(forms, words[1 - w], 0);
    sides[1] =
        added ? wb_exact_number((uint32_t)(0 - words[w]->value)) : plain_word(forms, words[w], 0);
    return true;
  }
  return false;
}

/* What a carry tells of the sum that it is of. */
static struct wb_form_carry told_by_carry(struct wb_forms *forms, const struct wb_micro_code *code,
                                          const struct wb_micro_operation *operation)
{
  const size_t sum = operation->sources[0].number;
  const struct wb_form_carry of = forms->results[sum].carry;
  struct wb_form_carry carry = {0};
  if (of.symbol != 0 && of.of_two)
    carry =
        (struct wb_form_carry){.symbol = of.symbol, .of_two = true, .second = operation->second};
  else if (!operation->second)
    carry = of;
  carry.compares = !operation->second && is_difference(forms, &code->operations[sum], carry.sides);
  return carry;
}

void wb_forms_find_exact(struct wb_forms *forms, const struct wb_micro_code *code, size_t index)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  struct wb_form_result *result = &forms->results[index];
  result->carry = (struct wb_form_carry){0};
  if (operation->kind >= WB_MICRO_WIDE_COPY && operation->kind <= WB_MICRO_WIDE_EXTEND) {
    find_words(forms, operation, result->exact);
    return;
  }
  if (operation->kind == WB_MICRO_CARRY) {
    result->carry = told_by_carry(forms, code, operation);
    return;
  }
  if (operation->kind >= WB_MICRO_CARRY && operation->kind <= WB_MICRO_IS_NOT_ZERO)
    return;
  result->exact[0] = result->words[0].count == 0 ? wb_exact_number(result->words[0].number)
                                                 : word_of(forms, operation, &result->carry);
  result->exact[1] = any_exact(forms);
}

/* ---- tests ---- */

struct wb_exact wb_forms_exact_word(struct wb_forms *forms, const struct wb_source *source)
{
  return source->negated ? any_exact(forms) : addend_of(forms, source);
}

static int direction_of(enum wb_relation relation)
{
  if (relation == WB_RELATION_EQUAL || relation == WB_RELATION_UNEQUAL)
    return relation == WB_RELATION_EQUAL ? 2 : 3;
  return relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST ? 0 : 1;
}

/* The relation of the upper words where these differ, else that of the lower ones, which a test of
 * unsigned words says. */
static bool upper_test(struct wb_forms *forms, const struct wb_micro_operation *operation,
                       struct wb_form_test *test)
{
  uint16_t number;
  bool negated;
  if (!wb_forms_source_test(forms, &operation->sources[2], &number, &negated))
    return false;
  const struct wb_form_test *lower = &forms->tests[number];
  const enum wb_relation below = negated ? wb_relation_negated((enum wb_relation)lower->relation)
                                         : (enum wb_relation)lower->relation;
  const int direction = direction_of((enum wb_relation)operation->relation);
  if (!lower->known || direction_of(below) != direction || (direction < 2 && lower->as_signed))
    return false;
  test->relation = (uint8_t)below;
  for (size_t side = 0; side < 2; side++) {
    const struct wb_source *source = &operation->sources[side];
    const struct wb_exact high = plain_word(forms, source, 0);
    if (!is_plain(source) || !wb_exact_pair(forms->parts, forms->part_count, &lower->exact[side],
                                            &high, &test->exact[side]))
      return false;
  }
  return true;
}

/* The upper words, and the words below them whose difference set the carry and the zero flag. */
static bool carry_test(struct wb_forms *forms, const struct wb_micro_operation *operation,
                       struct wb_form_test *test)
{
  const struct wb_form_carry carry = carry_of(forms, &operation->sources[2]);
  bool told = carry.compares;
  for (size_t side = 0; side < 2 && told; side++) {
    const struct wb_source *source = &operation->sources[side];
    const struct wb_exact high = plain_word(forms, source, 0);
    told = is_plain(source) && wb_exact_pair(forms->parts, forms->part_count, &carry.sides[side],
                                             &high, &test->exact[side]);
  }
  return told;
}

bool wb_forms_wide_test(struct wb_forms *forms, const struct wb_micro_code *code, size_t index,
                        struct wb_form_test *test)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  *test = (struct wb_form_test){
      .wide = true, .relation = operation->relation, .as_signed = operation->as_signed};
  if (operation->kind == WB_MICRO_COMPARE_UPPER)
    return upper_test(forms, operation, test);
  if (operation->kind == WB_MICRO_COMPARE_BY_CARRY)
    return carry_test(forms, operation, test);
  bool told = operation->kind == WB_MICRO_COMPARE_WIDE;
  for (size_t side = 0; side < 2 && told; side++)
    test->exact[side] = number_of(forms, &operation->sources[side], &told);
  return told;
}

/* ---- what is forgotten ---- */

void wb_forms_forget_exact(struct wb_forms *forms, uint32_t number)
{
  forms->exact[number] = any_exact(forms);
}

void wb_forms_forget_carry(struct wb_forms *forms, size_t predicate)
{
  forms->carries[predicate] = (struct wb_form_carry){0};
}
