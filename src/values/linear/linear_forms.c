#include "values/linear/linear_forms.h"

#include "values/domain.h"
#include "values/interval/launch_values.h"

#include <string.h>

/* ---- forms ---- */

struct wb_form wb_form_number(uint32_t number)
{
  return (struct wb_form){.number = number};
}

struct wb_form wb_form_symbol(uint16_t symbol)
{
  return (struct wb_form){.count = 1, .terms = {{symbol, 1}}};
}

/* The same numbers as an exact form. */
static struct wb_exact widen(const struct wb_form *form)
{
  struct wb_exact wide = {.number = form->number, .count = form->count};
  for (size_t t = 0; t < form->count; t++)
    wide.terms[t] = (struct wb_exact_term){form->terms[t].symbol, form->terms[t].factor};
  return wide;
}

/* Modulo 2^32. False where that has too many terms. */
static bool narrow(const struct wb_exact *wide, struct wb_form *form)
{
  *form = (struct wb_form){.number = (uint32_t)wide->number};
  for (size_t t = 0; t < wide->count; t++) {
    const uint32_t factor = (uint32_t)wide->terms[t].factor;
    if (factor == 0)
      continue;
    if (form->count == WB_FORM_TERMS)
      return false;
    form->terms[form->count++] = (struct wb_form_term){wide->terms[t].symbol, factor};
  }
  return true;
}

bool wb_form_add(const struct wb_form *left, const struct wb_form *right, uint32_t factor,
                 struct wb_form *sum)
{
  const struct wb_exact one = widen(left);
  const struct wb_exact other = widen(right);
  struct wb_exact wide;
  struct wb_form result;
  if (!wb_exact_add(&one, &other, factor, &wide) || !narrow(&wide, &result))
    return false;
  *sum = result;
  return true;
}

bool wb_form_equal(const struct wb_form *left, const struct wb_form *right)
{
  if (left->number != right->number || left->count != right->count)
    return false;
  for (size_t t = 0; t < left->count; t++) {
    if (left->terms[t].symbol != right->terms[t].symbol ||
        left->terms[t].factor != right->terms[t].factor)
      return false;
  }
  return true;
}

/* ---- a way ---- */

void wb_forms_start(struct wb_forms *forms)
{
  forms->shift_count = 0;
  forms->part_count = 0;
  forms->cut_count = 0;
  forms->any_count = 0;
  forms->test_count = 0;
  forms->split_next = 0;
  for (size_t r = 0; r < WB_VALUE_COUNT; r++) {
    forms->registers[r] = wb_form_symbol((uint16_t)r);
    forms->exact[r] = wb_exact_symbol((uint16_t)r);
  }
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++) {
    forms->predicates[p] = (struct wb_form_truth){.test = UINT16_MAX};
    wb_forms_forget_carry(forms, p);
  }
}

bool wb_forms_next(struct wb_forms *forms)
{
  forms->split_count = forms->split_next;
  while (forms->split_count > 0) {
    struct wb_form_split *last = &forms->splits[forms->split_count - 1];
    if (++last->choice < last->count)
      return true;
    forms->split_count--;
  }
  return false;
}

uint32_t wb_forms_choose(struct wb_forms *forms, uint32_t count)
{
  if (count == 1)
    return 0;
  if (forms->split_next == WB_FORM_SPLITS) {
    forms->failed = true;
    return 0;
  }
  if (forms->split_next == forms->split_count)
    forms->splits[forms->split_count++] = (struct wb_form_split){0, count};
  return forms->splits[forms->split_next++].choice;
}

struct wb_form wb_forms_any(struct wb_forms *forms)
{
  if (WB_SYMBOL_ANY + forms->any_count >= UINT16_MAX) {
    forms->failed = true;
    return wb_form_number(0);
  }
  return wb_form_symbol((uint16_t)(WB_SYMBOL_ANY + forms->any_count++));
}

/* ---- predicates ---- */

static struct wb_form_truth known_truth(bool truth)
{
  return (struct wb_form_truth){.truth = truth ? WB_TRUTH_TRUE : WB_TRUTH_FALSE};
}

static struct wb_form_truth add_test(struct wb_forms *forms, const struct wb_form_test *test)
{
  if (forms->test_count == WB_FORM_TESTS) {
    forms->failed = true;
    return known_truth(false);
  }
  forms->tests[forms->test_count] = *test;
  return (struct wb_form_truth){.test = (uint16_t)forms->test_count++};
}

static bool decide(struct wb_forms *forms, struct wb_form_truth truth)
{
  if (truth.truth != WB_TRUTH_UNKNOWN)
    return truth.truth == WB_TRUTH_TRUE;
  struct wb_form_test *test = &forms->tests[truth.test];
  if (test->truth == WB_TRUTH_UNKNOWN)
    test->truth = wb_forms_choose(forms, 2) == 0 ? WB_TRUTH_FALSE : WB_TRUTH_TRUE;
  return (test->truth == WB_TRUTH_TRUE) != truth.negated;
}

/* A predicate as it stands; one that the way has not met before is any. */
static struct wb_form_truth truth_of(struct wb_forms *forms, size_t predicate)
{
  if (predicate >= WB_TRUTH_COUNT)
    return add_test(forms, &(struct wb_form_test){.known = false});
  struct wb_form_truth *it = &forms->predicates[predicate];
  if (it->truth == WB_TRUTH_UNKNOWN && it->test == UINT16_MAX)
    *it = add_test(forms, &(struct wb_form_test){.known = false});
  return *it;
}

bool wb_forms_decide(struct wb_forms *forms, size_t predicate)
{
  return decide(forms, truth_of(forms, predicate));
}

static bool holds(uint32_t left, enum wb_relation relation, uint32_t right, bool as_signed)
{
  const int64_t a = as_signed ? (int32_t)left : (int64_t)left;
  const int64_t b = as_signed ? (int32_t)right : (int64_t)right;
  return !wb_interval_excludes((const int64_t[]){a, a}, relation, (const int64_t[]){b, b});
}

/* The outcome of a comparison: known, that of one that was made before, or of a new one. */
static struct wb_form_truth compare(struct wb_forms *forms, const struct wb_form *left,
                                    const struct wb_form *right, enum wb_relation relation,
                                    bool as_signed)
{
  struct wb_form difference;
  const bool fixed = wb_form_add(left, right, UINT32_MAX, &difference) && difference.count == 0;
  const bool equality = relation == WB_RELATION_EQUAL || relation == WB_RELATION_UNEQUAL;
  if (left->count == 0 && right->count == 0)
    return known_truth(holds(left->number, relation, right->number, as_signed));
  if (fixed && (equality || difference.number == 0))
    return known_truth(holds(difference.number, relation, 0, false));
  for (size_t t = 0; t < forms->test_count; t++) {
    const struct wb_form_test *test = &forms->tests[t];
    const bool negated = test->relation == wb_relation_negated(relation);
    if (test->known && (test->relation == relation || negated) && test->as_signed == as_signed &&
        wb_form_equal(&test->left, left) && wb_form_equal(&test->right, right))
      return (struct wb_form_truth){.negated = negated, .test = (uint16_t)t};
  }
  return add_test(forms, &(struct wb_form_test){.left = *left,
                                                .right = *right,
                                                .relation = (uint8_t)relation,
                                                .as_signed = as_signed,
                                                .known = true});
}

static struct wb_form_truth source_truth(struct wb_forms *forms, const struct wb_source *source)
{
  struct wb_form_truth truth;
  if (source->kind == WB_SOURCE_NUMBER)
    truth = known_truth(source->value != 0);
  else if (source->kind == WB_SOURCE_RESULT)
    truth = forms->results[source->number].predicate;
  else
    truth = truth_of(forms, source->kind == WB_SOURCE_PREDICATE ? wb_predicate_index(source->number)
                                                                : WB_TRUTH_COUNT);
  if (source->negated && truth.truth != WB_TRUTH_UNKNOWN)
    return known_truth(truth.truth == WB_TRUTH_FALSE);
  truth.negated ^= source->negated;
  return truth;
}

bool wb_forms_decide_source(struct wb_forms *forms, const struct wb_source *source)
{
  return decide(forms, source_truth(forms, source));
}

bool wb_forms_source_test(struct wb_forms *forms, const struct wb_source *source, uint16_t *test,
                          bool *negated)
{
  const struct wb_form_truth truth = source_truth(forms, source);
  *test = truth.test;
  *negated = truth.negated;
  return truth.truth == WB_TRUTH_UNKNOWN;
}

/* ---- words ---- */

static struct wb_form sum_of(struct wb_forms *forms, const struct wb_form *left,
                             const struct wb_form *right, uint32_t factor)
{
  struct wb_form sum;
  return wb_form_add(left, right, factor, &sum) ? sum : wb_forms_any(forms);
}

static struct wb_form scaled(const struct wb_form *form, uint32_t factor)
{
  struct wb_form result = wb_form_number(0);
  wb_form_add(&result, form, factor, &result);
  return result;
}

static struct wb_form constant_form(struct wb_forms *forms, uint32_t bank, uint32_t offset)
{
  const struct wb_integer value = wb_launch_constant(forms->launch, forms->function, bank, offset);
  const uint32_t place = bank << 16 | (offset & UINT16_MAX);
  if (wb_integer_is_exact(&value))
    return wb_form_number(value.low);
  for (size_t c = 0; c < forms->constant_count; c++) {
    if (forms->constants[c] == place)
      return wb_form_symbol((uint16_t)(WB_SYMBOL_CONSTANT + c));
  }
  if (forms->constant_count == WB_SYMBOL_CONSTANT_LIMIT)
    return wb_forms_any(forms);
  forms->constants[forms->constant_count] = place;
  return wb_form_symbol((uint16_t)(WB_SYMBOL_CONSTANT + forms->constant_count++));
}

struct wb_form wb_forms_source(struct wb_forms *forms, const struct wb_source *source,
                               uint32_t words)
{
  struct wb_form form;
  const struct wb_form zero = wb_form_number(source->complemented ? UINT32_MAX : 0);
  switch ((enum wb_source_kind)source->kind) {
  case WB_SOURCE_NONE:
    form = wb_form_number(0);
    break;
  case WB_SOURCE_RESULT:
    form = forms->results[source->number].words[words];
    break;
  case WB_SOURCE_REGISTER:
  case WB_SOURCE_REGISTER_PAIR:
    form = source->number + words < WB_VALUE_COUNT ? forms->registers[source->number + words]
                                                   : wb_forms_any(forms);
    break;
  case WB_SOURCE_NUMBER:
    form = wb_form_number((uint32_t)(source->value >> (32 * words)));
    break;
  case WB_SOURCE_CONSTANT:
  case WB_SOURCE_CONSTANT_PAIR:
    form = source->index == WB_NO_REGISTER
               ? constant_form(forms, source->bank, (uint32_t)source->value + 4 * words)
               : wb_forms_any(forms);
    break;
  default:
    form = wb_forms_any(forms);
  }
  return source->negated || source->complemented ? sum_of(forms, &zero, &form, UINT32_MAX) : form;
}

static struct wb_form shifted_right(struct wb_forms *forms, const struct wb_form *form,
                                    uint32_t places, bool as_signed)
{
  if (places > 31 && as_signed)
    places = 31;
  if (places == 0)
    return *form;
  if (places > 31)
    return wb_form_number(0);
  if (form->count == 0)
    return wb_form_number(as_signed ? (uint32_t)((int64_t)(int32_t)form->number >> places)
                                    : form->number >> places);
  for (size_t s = 0; s < forms->shift_count; s++) {
    const struct wb_form_shift *shift = &forms->shifts[s];
    if (shift->places == places && shift->as_signed == as_signed && wb_form_equal(&shift->of, form))
      return wb_form_symbol((uint16_t)(WB_SYMBOL_SHIFTED + s));
  }
  if (forms->shift_count == WB_SYMBOL_SHIFTED_LIMIT)
    return wb_forms_any(forms);
  forms->shifts[forms->shift_count] = (struct wb_form_shift){*form, (uint8_t)places, as_signed};
  return wb_form_symbol((uint16_t)(WB_SYMBOL_SHIFTED + forms->shift_count++));
}

static struct wb_form looked_up(struct wb_forms *forms, const struct wb_form sources[3],
                                uint8_t table)
{
  uint32_t number = 0;
  for (unsigned variable = 0; variable < 3; variable++) {
    if (table == wb_lookup_variable(variable))
      return sources[variable];
  }
  for (unsigned variable = 0; variable < 3; variable++) {
    if (wb_lookup_depends(table, variable) && sources[variable].count > 0)
      return wb_forms_any(forms);
  }
  for (unsigned bit = 0; bit < 32; bit++) {
    const unsigned row = (sources[0].number >> bit & 1U) << 2 |
                         (sources[1].number >> bit & 1U) << 1 | (sources[2].number >> bit & 1U);
    number |= ((uint32_t)table >> row & 1U) << bit;
  }
  return wb_form_number(number);
}

/* A word of known sources, whose number is that of an operation. */
static struct wb_form find_form(struct wb_forms *forms, const struct wb_micro_operation *operation)
{
  const bool as_signed = operation->as_signed;
  struct wb_form it[3];
  for (size_t s = 0; s < 3 && operation->kind != WB_MICRO_SELECT; s++)
    it[s] = wb_forms_source(forms, &operation->sources[s], 0);
  switch ((enum wb_micro_kind)operation->kind) {
  case WB_MICRO_COPY:
    return it[0];
  case WB_MICRO_ADD:
    if (operation->sources[3].kind != WB_SOURCE_NONE ||
        operation->sources[4].kind != WB_SOURCE_NONE)
      return wb_forms_any(forms);
    it[0] = sum_of(forms, &it[0], &it[1], 1);
    return sum_of(forms, &it[0], &it[2], 1);
  case WB_MICRO_MULTIPLY:
    if (it[0].count > 0 && it[1].count > 0)
      return wb_forms_any(forms);
    return it[0].count == 0 ? scaled(&it[1], it[0].number) : scaled(&it[0], it[1].number);
  case WB_MICRO_SHIFT_LEFT:
    if (it[1].count > 0)
      return wb_forms_any(forms);
    return it[1].number > 31 ? wb_form_number(0) : scaled(&it[0], UINT32_C(1) << it[1].number);
  case WB_MICRO_SHIFT_RIGHT:
    return it[1].count > 0 ? wb_forms_any(forms)
                           : shifted_right(forms, &it[0], it[1].number, as_signed);
  case WB_MICRO_FUNNEL_LEFT:
  case WB_MICRO_FUNNEL_RIGHT: {
    const bool left = operation->kind == WB_MICRO_FUNNEL_LEFT;
    if (it[2].count > 0 || it[2].number == 0 || it[2].number > 31)
      return wb_forms_any(forms);
    const uint32_t up = left ? it[2].number : 32 - it[2].number;
    const struct wb_form below = shifted_right(forms, &it[0], 32 - up, false);
    return sum_of(forms, &below, &it[1], UINT32_C(1) << up);
  }
  case WB_MICRO_LOOKUP:
    return looked_up(forms, it, operation->table);
  case WB_MICRO_EXTRACT:
    return operation->place + operation->bits == 32
               ? shifted_right(forms, &it[0], operation->place, as_signed)
               : wb_forms_any(forms);
  case WB_MICRO_SELECT:
    return wb_forms_source(
        forms, &operation->sources[wb_forms_decide_source(forms, &operation->sources[2]) ? 0 : 1],
        0);
  case WB_MICRO_MINIMUM:
  case WB_MICRO_MAXIMUM: {
    const bool below = decide(forms, compare(forms, &it[0], &it[1], WB_RELATION_LESS, as_signed));
    return it[below == (operation->kind == WB_MICRO_MINIMUM) ? 0 : 1];
  }
  default:
    return wb_forms_any(forms);
  }
}

/* ---- the domain ---- */

static void begin(void *context, const struct wb_function *function, uint32_t index)
{
  (void)context;
  (void)function;
  (void)index;
}

static void find_word(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_forms *forms = context;
  forms->results[index].words[0] = find_form(forms, &code->operations[index]);
  wb_forms_find_exact(forms, code, index);
}

static void any_result(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_forms *forms = context;
  struct wb_form_result *result = &forms->results[index];
  const uint8_t kind = code->operations[index].kind;
  if (kind >= WB_MICRO_CARRY && kind <= WB_MICRO_IS_NOT_ZERO)
    result->predicate = add_test(forms, &(struct wb_form_test){.known = false});
  result->words[0] = wb_forms_any(forms);
  result->words[1] = wb_forms_any(forms);
  wb_forms_find_exact(forms, code, index);
}

static void find_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_forms *forms = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  size_t from = 0;
  if (operation->kind == WB_MICRO_WIDE_SELECT)
    from = wb_forms_decide_source(forms, &operation->sources[2]) ? 0 : 1;
  const struct wb_source *source = &operation->sources[from];
  if (source->negated || source->complemented) {
    any_result(context, code, index);
    return;
  }
  for (uint32_t word = 0; word < 2; word++)
    forms->results[index].words[word] = wb_forms_source(forms, source, word);
  wb_forms_find_exact(forms, code, index);
}

static void find_comparison(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_forms *forms = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const bool zero = operation->kind == WB_MICRO_IS_NOT_ZERO;
  const struct wb_form left = wb_forms_source(forms, &operation->sources[0], 0);
  const struct wb_form right =
      zero ? wb_form_number(0) : wb_forms_source(forms, &operation->sources[1], 0);
  forms->results[index].predicate = compare(
      forms, &left, &right, zero ? WB_RELATION_UNEQUAL : (enum wb_relation)operation->relation,
      operation->as_signed);
  const struct wb_form_truth truth = forms->results[index].predicate;
  forms->results[index].carry = (struct wb_form_carry){0};
  if (truth.truth != WB_TRUTH_UNKNOWN)
    return;
  forms->tests[truth.test].exact[0] = wb_forms_exact_word(forms, &operation->sources[0]);
  forms->tests[truth.test].exact[1] =
      zero ? wb_exact_number(0) : wb_forms_exact_word(forms, &operation->sources[1]);
}

/* A comparison of numbers of 64 bits. */
static void find_wide_comparison(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_forms *forms = context;
  struct wb_form_test test;
  if (!wb_forms_wide_test(forms, code, index, &test))
    test = (struct wb_form_test){.known = false};
  forms->results[index].predicate = add_test(forms, &test);
  forms->results[index].carry = (struct wb_form_carry){0};
}

/* Predicates that the outcome depends on beside others are decided. */
static void find_combination(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_forms *forms = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  uint8_t table = operation->table;
  forms->results[index].carry = (struct wb_form_carry){0};
  for (unsigned variable = 0; variable < 3; variable++) {
    if (!wb_lookup_depends(table, variable))
      continue;
    struct wb_form_truth last = source_truth(forms, &operation->sources[variable]);
    bool alone = last.truth == WB_TRUTH_UNKNOWN;
    for (unsigned other = 0; other < 3; other++)
      alone = alone && (other == variable || !wb_lookup_depends(table, other));
    if (alone) {
      last.negated ^= table != wb_lookup_variable(variable);
      forms->results[index].predicate = last;
      return;
    }
    table = wb_lookup_fixed(table, variable, decide(forms, last));
  }
  forms->results[index].predicate = known_truth(table == WB_LOOKUP_TRUE);
}

static void forget_register(struct wb_forms *forms, uint32_t number)
{
  forms->registers[number] = wb_forms_any(forms);
  wb_forms_forget_exact(forms, number);
}

static void forget_writes(void *context, const struct wb_function *function, uint32_t index,
                          const struct wb_micro_code *code)
{
  struct wb_forms *forms = context;
  const struct wb_instruction *instruction = &function->instructions[index];
  (void)code;
  /* Code outside may write words of the stack. */
  for (uint32_t r = WB_VALUE_SLOTS;
       instruction->transfer == WB_TRANSFER_CALL_OUTSIDE && r < WB_VALUE_COUNT; r++)
    forget_register(forms, r);
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      const size_t predicate = wb_predicate_index(r);
      if (predicate < WB_TRUTH_COUNT) {
        forms->predicates[predicate] = (struct wb_form_truth){.test = UINT16_MAX};
        wb_forms_forget_carry(forms, predicate);
      } else if (r < WB_VALUE_COUNT) {
        forget_register(forms, r);
      }
    }
  }
}

static void write_result(void *context, const struct wb_micro_code *code,
                         const struct wb_micro_write *write)
{
  struct wb_forms *forms = context;
  const struct wb_form_result *result = &forms->results[write->result];
  const size_t predicate = wb_predicate_index(write->number);
  (void)code;
  const size_t words = write->wide ? 2 : 1;
  if (predicate < WB_TRUTH_COUNT) {
    forms->predicates[predicate] = result->predicate;
    forms->carries[predicate] = result->carry;
  } else if (write->number + words <= WB_VALUE_COUNT) {
    memcpy(&forms->registers[write->number], result->words, words * sizeof *result->words);
    memcpy(&forms->exact[write->number], result->exact, words * sizeof *result->exact);
  }
}

static void forget_all(void *context)
{
  struct wb_forms *forms = context;
  for (uint32_t r = 0; r < WB_VALUE_COUNT; r++)
    forget_register(forms, r);
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++) {
    forms->predicates[p] = (struct wb_form_truth){.test = UINT16_MAX};
    wb_forms_forget_carry(forms, p);
  }
}

static const struct wb_domain form_domain = {
    .name = "linear forms",
    .begin = begin,
    .apply =
        {
            [WB_MICRO_COPY] = find_word,
            [WB_MICRO_ADD] = find_word,
            [WB_MICRO_MULTIPLY] = find_word,
            [WB_MICRO_SHIFT_LEFT] = find_word,
            [WB_MICRO_SHIFT_RIGHT] = find_word,
            [WB_MICRO_FUNNEL_LEFT] = find_word,
            [WB_MICRO_FUNNEL_RIGHT] = find_word,
            [WB_MICRO_LOOKUP] = find_word,
            [WB_MICRO_EXTRACT] = find_word,
            [WB_MICRO_SELECT] = find_word,
            [WB_MICRO_MINIMUM] = find_word,
            [WB_MICRO_MAXIMUM] = find_word,
            [WB_MICRO_COMPARE] = find_comparison,
            [WB_MICRO_COMPARE_UPPER] = find_wide_comparison,
            [WB_MICRO_COMPARE_BY_CARRY] = find_wide_comparison,
            [WB_MICRO_COMPARE_WIDE] = find_wide_comparison,
            [WB_MICRO_COMBINE] = find_combination,
            [WB_MICRO_IS_NOT_ZERO] = find_comparison,
            [WB_MICRO_WIDE_COPY] = find_wide,
            [WB_MICRO_WIDE_SELECT] = find_wide,
        },
    .unknown = any_result,
    .forget_writes = forget_writes,
    .write = write_result,
    .forget_all = forget_all,
};

void wb_forms_forget(struct wb_forms *forms, uint32_t index)
{
  const struct wb_instruction *instruction = &forms->function->instructions[index];
  if (instruction->unknown)
    forget_all(forms);
  else
    forget_writes(forms, forms->function, index, NULL);
}

void wb_forms_transfer(struct wb_forms *forms, uint32_t index)
{
  const struct wb_instruction *instruction = &forms->function->instructions[index];
  const size_t guard = wb_predicate_index(instruction->guard);
  bool uniform = false; /* it writes a register of all lanes */
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &forms->function->spans[instruction->first_write + s];
    uniform |= (uint32_t)span->first + span->count > WB_REGISTER_UNIFORM;
  }
  if (instruction->never || (instruction->write_count == 0 && !instruction->unknown))
    return;
  /* Other lanes may do it, though the thread skips it; or the guard is not told. */
  if (instruction->guarded &&
      (guard >= WB_TRUTH_COUNT || instruction->unknown || instruction->conditional_code ||
       instruction->transfer != WB_TRANSFER_NEXT || (uniform && guard < WB_PREDICATE_COUNT)))
    wb_forms_forget(forms, index);
  else if (!instruction->guarded || wb_forms_decide(forms, guard) != instruction->guard_negated)
    wb_domain_transfer(&form_domain, forms, forms->function, index);
}
