/* Comparisons in the domain of strided intervals, and what predicates imply. */
#include "isa/lower/lower.h"
#include "values/domain.h"
#include "values/interval/interval_domain.h"

/* ---- comparisons ---- */

/* A comparison of this instruction; its sides are still to be set. */
static struct wb_comparison new_row(const struct wb_interval_context *context,
                                    const struct wb_micro_operation *operation)
{
  return (struct wb_comparison){.relation = operation->relation,
                                .as_signed = operation->as_signed,
                                .sources = {WB_NO_REGISTER, WB_NO_REGISTER},
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
  for (size_t side = 0; side < 2; side++)
    row.sources[side] = register_after(instruction, code, &operation->sources[side]);
  if (operation->kind == WB_MICRO_IS_NOT_ZERO) { /* the second source is 0 */
    row.relation = WB_RELATION_UNEQUAL;
    row.as_signed = false;
  }
  struct wb_comparison otherwise = row;
  otherwise.relation = (uint8_t)wb_relation_negated((enum wb_relation)row.relation);
  instruction->results[index].predicate = (struct wb_implications){
      .when_true = wb_comparisons_add(instruction->comparisons, &row),
      .when_false = wb_comparisons_add(instruction->comparisons, &otherwise),
      .truth = truth_of_comparison(&row)};
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
                       const struct wb_compared_number *number, enum wb_relation relation,
                       const struct wb_wide *limit, bool wide_signed, struct wb_integer *right,
                       bool *word_signed)
{
  struct wb_integer_end ends[2];
  const bool by_zeros = wb_integer_is_exact(&number->high) && number->high.low == 0;
  const bool by_sign = !by_zeros && number->source != WB_NO_REGISTER &&
                       number->high_source != WB_NO_REGISTER &&
                       is_sign_of(context, number->high_source, number->source);
  if ((!by_zeros && !by_sign) || !wb_wide_ends(limit, wide_signed, &ends[0], &ends[1]))
    return false;
  *word_signed = wide_signed && by_sign;
  const int64_t least = *word_signed ? INT32_MIN : 0;
  const int64_t most = by_zeros ? UINT32_MAX : INT32_MAX;
  /* Unsigned, the extensions of negative words are above all others. */
  if (by_sign && !wide_signed &&
      (relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST)) {
    const int64_t cut = relation == WB_RELATION_LESS ? most + 1 : most;
    for (size_t e = 0; e < 2; e++)
      if (ends[e].number > cut)
        ends[e] = (struct wb_integer_end){cut, true};
  } else if (ends[0].number < least || ends[1].number > most) {
    return false;
  }
  *right = wb_integer_between(ends[0], ends[1], limit->origin);
  return true;
}

/* Adds the comparison of two numbers of 64 bits, and what it says of their lower words. */
static uint32_t add_wide(struct wb_interval_context *context, struct wb_comparison row,
                         const struct wb_compared_number sides[2])
{
  row.wide = true;
  row.wide_left = sides[0].value;
  row.wide_right = sides[1].value;
  uint32_t chain = wb_comparisons_add(context->comparisons, &row);
  for (size_t side = 0; side < 2; side++) {
    const enum wb_relation relation = (enum wb_relation)row.relation;
    struct wb_comparison word = row;
    word.wide = false;
    word.relation = side == 0 ? row.relation : (uint8_t)wb_relation_mirrored(relation);
    word.left = sides[side].low;
    word.sources[0] = sides[side].source;
    if (word_limit(context, &sides[side], (enum wb_relation)word.relation, &sides[1 - side].value,
                   row.as_signed, &word.right, &word.as_signed))
      chain = wb_comparisons_concatenate(context->comparisons, chain,
                                         wb_comparisons_add(context->comparisons, &word));
  }
  return chain;
}

/* The result is the comparison of two numbers of 64 bits. */
static void set_wide_outcome(struct wb_interval_context *context, const struct wb_micro_code *code,
                             size_t index, const struct wb_compared_number sides[2])
{
  struct wb_comparison row = new_row(context, &code->operations[index]);
  row.wide = true;
  row.wide_left = sides[0].value;
  row.wide_right = sides[1].value;
  struct wb_implications outcome = {.truth = truth_of_comparison(&row)};
  outcome.when_true = add_wide(context, row, sides);
  row.relation = (uint8_t)wb_relation_negated((enum wb_relation)row.relation);
  outcome.when_false = add_wide(context, row, sides);
  context->results[index].predicate = outcome;
}

void wb_interval_compare_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_compared_number sides[2];
  for (size_t side = 0; side < 2; side++) {
    const struct wb_source *source = &code->operations[index].sources[side];
    const struct wb_interval_wide number = wb_interval_wide(context, source);
    const bool pair = source->kind == WB_SOURCE_REGISTER_PAIR && !source->negated &&
                      !source->complemented && source->number < WB_VALUE_COUNT - 1;
    sides[side] = (struct wb_compared_number){.value = number.value,
                                              .low = number.words[0],
                                              .high = number.words[1],
                                              .source = pair ? source->number : WB_NO_REGISTER,
                                              .high_source = pair ? (uint16_t)(source->number + 1)
                                                                  : WB_NO_REGISTER};
  }
  set_wide_outcome(context, code, index, sides);
}

void wb_interval_compare_by_carry(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_compared_number sides[2];
  wb_interval_carry_sides(context, &code->operations[index], sides);
  set_wide_outcome(context, code, index, sides);
}

/* A comparison of lower words. */
struct lower_words {
  const struct wb_comparison *row; /* NULL: none */
  bool mirrored;                   /* its right side belongs to the left one of the upper words */
};

/* The row of a chain that compares lower words in that relation on this visit. */
static struct lower_words lower_comparison(const struct wb_interval_context *context, uint32_t row,
                                           enum wb_relation relation)
{
  const struct wb_comparisons *table = context->comparisons;
  const uint8_t mirrored = (uint8_t)wb_relation_mirrored(relation);
  const bool equality = relation == WB_RELATION_EQUAL || relation == WB_RELATION_UNEQUAL;
  for (; row != 0; row = table->rows[row].next) {
    const struct wb_comparison *it = &table->rows[row];
    if (!it->wide && it->visit == context->visit && (equality || !it->as_signed) &&
        (it->relation == (uint8_t)relation || it->relation == mirrored))
      return (struct lower_words){it, it->relation != (uint8_t)relation};
  }
  return (struct lower_words){NULL, false};
}

/* The 64-bit number of side 0 or 1: the lower word that was compared, and the upper word that this
 * operation compares. */
static struct wb_compared_number side_of(const struct wb_interval_context *context,
                                         const struct wb_micro_operation *operation,
                                         const struct lower_words *words, size_t side)
{
  const struct wb_comparison *lower = words->row;
  const size_t low_side = words->mirrored ? 1 - side : side;
  const uint16_t low = lower->sources[low_side];
  const uint16_t high = wb_interval_source_register(&operation->sources[side]);
  const struct wb_integer upper = wb_interval_word(context, &operation->sources[side]);
  const bool held =
      low != WB_NO_REGISTER && !wb_interval_written_since(context, lower->instruction + 1, low);
  struct wb_compared_number number = {.low = low_side == 0 ? lower->left : lower->right,
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
    const struct lower_words words =
        lower_comparison(instruction, holds == 1 ? below.when_true : below.when_false,
                         (enum wb_relation)row.relation);
    if (words.row == NULL)
      continue;
    const struct wb_compared_number sides[2] = {side_of(instruction, operation, &words, 0),
                                                side_of(instruction, operation, &words, 1)};
    *(holds == 1 ? &outcome.when_true : &outcome.when_false) = add_wide(instruction, row, sides);
  }
  outcome.truth = truth_of_upper(instruction, operation, &below, &outcome);
  instruction->results[index].predicate = outcome;
}

/* ---- functions of predicates ---- */

static struct wb_implications conjunction(struct wb_comparisons *table, struct wb_implications a,
                                          struct wb_implications b)
{
  if (b.truth != WB_TRUTH_UNKNOWN)
    return b.truth == WB_TRUTH_TRUE ? a : b;
  if (a.truth != WB_TRUTH_UNKNOWN)
    return a.truth == WB_TRUTH_TRUE ? b : a;
  return (struct wb_implications){.when_true =
                                      wb_comparisons_concatenate(table, a.when_true, b.when_true)};
}

/* The function of a table of three predicates; nothing is known of functions that are no
 * conjunctions, disjunctions and negations. Depth 3 at most, as the rest of a split does not depend
 * on the variable. */
static struct wb_implications lookup(struct wb_comparisons *comparisons,
                                     const struct wb_implications values[3], uint8_t table)
{
  if (table == WB_LOOKUP_TRUE || table == WB_LOOKUP_FALSE)
    return (struct wb_implications){.truth =
                                        table == WB_LOOKUP_TRUE ? WB_TRUTH_TRUE : WB_TRUTH_FALSE};
  for (unsigned v = 0; v < 3; v++) {
    uint8_t rest;
    if (table == wb_lookup_variable(v))
      return values[v];
    if ((table ^ wb_lookup_variable(v)) == WB_LOOKUP_TRUE)
      return wb_implications_not(values[v]);
    const enum wb_lookup_split split = wb_lookup_split(table, v, &rest);
    if (split == WB_SPLIT_NONE || split == WB_SPLIT_XOR)
      continue;
    const bool negates = split == WB_SPLIT_AND_NOT || split == WB_SPLIT_OR_NOT;
    const struct wb_implications value = negates ? wb_implications_not(values[v]) : values[v];
    const struct wb_implications other = lookup(comparisons, values, rest);
    return split == WB_SPLIT_AND || split == WB_SPLIT_AND_NOT
               ? conjunction(comparisons, value, other)
               : wb_implications_not(conjunction(comparisons, wb_implications_not(value),
                                                 wb_implications_not(other)));
  }
  return (struct wb_implications){0};
}

void wb_interval_combine(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  struct wb_implications values[3];
  uint8_t table = operation->table;
  for (unsigned v = 0; v < 3; v++)
    values[v] = wb_interval_predicate(instruction, &operation->sources[v]);
  for (unsigned v = 3; v-- > 0;) {
    unsigned count = 0;
    for (unsigned other = 0; other < 3; other++)
      count += wb_lookup_depends(table, other);
    if (count <= 1) /* it implies the comparisons of one predicate, also where its truth is known */
      break;
    if (values[v].truth != WB_TRUTH_UNKNOWN)
      table = wb_lookup_fixed(table, v, values[v].truth == WB_TRUTH_TRUE);
  }
  instruction->results[index].predicate = lookup(instruction->comparisons, values, table);
}
