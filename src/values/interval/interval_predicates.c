#include "values/interval/interval_context.h"
#include "values/lookup_table.h"
#include "values/register_writes.h"

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

static uint8_t truth_of_comparison(const struct wb_comparison *row)
{
  const enum wb_relation relation = (enum wb_relation)row->relation;
  if (row->wide)
    return WB_TRUTH_UNKNOWN;
  if (wb_integer_excludes(&row->left, relation, &row->right, row->as_signed))
    return WB_TRUTH_FALSE;
  return wb_integer_excludes(&row->left, wb_relation_negated(relation), &row->right, row->as_signed)
             ? WB_TRUTH_TRUE
             : WB_TRUTH_UNKNOWN;
}

/* The result is the comparison: both outcomes are known. */
static void set_outcome(struct wb_interval_context *context, size_t index,
                        const struct wb_comparison *row)
{
  struct wb_comparison otherwise = *row;
  otherwise.relation = (uint8_t)wb_relation_negated((enum wb_relation)row->relation);
  context->results[index].predicate =
      (struct wb_implications){.when_true = wb_comparisons_add(context->comparisons, row),
                               .when_false = wb_comparisons_add(context->comparisons, &otherwise),
                               .truth = truth_of_comparison(row)};
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
  set_outcome(instruction, index, &row);
}

void wb_interval_is_not_zero(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  struct wb_comparison row = new_row(instruction, operation);
  row.left = wb_interval_word(instruction, &operation->sources[0]);
  row.sources[0] = register_after(instruction, code, &operation->sources[0]);
  row.right = wb_integer_exactly(0);
  row.relation = WB_RELATION_UNEQUAL;
  row.as_signed = false;
  set_outcome(instruction, index, &row);
}

/* ---- comparisons of 64-bit numbers ---- */

void wb_interval_compare_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  struct wb_comparison row = new_row(instruction, operation);
  row.wide = true;
  row.wide_left = wb_interval_wide(instruction, &operation->sources[0]).value;
  row.wide_right = wb_interval_wide(instruction, &operation->sources[1]).value;
  set_outcome(instruction, index, &row);
}

void wb_interval_compare_by_carry(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  struct wb_comparison row = new_row(instruction, operation);
  row.wide = true;
  wb_interval_carry_sides(instruction, operation, &row.wide_left, &row.wide_right);
  set_outcome(instruction, index, &row);
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
static struct wb_wide side_of(const struct wb_interval_context *context,
                              const struct wb_micro_operation *operation,
                              const struct lower_words *words, size_t side)
{
  const struct wb_comparison *lower = words->row;
  const size_t low_side = words->mirrored ? 1 - side : side;
  const uint16_t low = lower->sources[low_side];
  const uint16_t high = wb_interval_source_register(&operation->sources[side]);
  const struct wb_integer upper = wb_interval_word(context, &operation->sources[side]);
  if (low != WB_NO_REGISTER && high != WB_NO_REGISTER &&
      !wb_interval_written_since(context, lower->instruction + 1, low))
    return wb_pairs_value(&context->state->pairs, context->state->registers, low, high);
  return wb_wide_of_words(low_side == 0 ? &lower->left : &lower->right, &upper);
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
    row.wide = true;
    row.wide_left = side_of(instruction, operation, &words, 0);
    row.wide_right = side_of(instruction, operation, &words, 1);
    *(holds == 1 ? &outcome.when_true : &outcome.when_false) =
        wb_comparisons_add(instruction->comparisons, &row);
  }
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

static bool is_of_one(uint8_t table)
{
  unsigned count = 0;
  for (unsigned v = 0; v < 3; v++)
    count += wb_lookup_depends(table, v);
  return count <= 1;
}

void wb_interval_combine(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  struct wb_implications values[3];
  uint8_t table = operation->table;
  for (unsigned v = 0; v < 3; v++)
    values[v] = wb_interval_predicate(instruction, &operation->sources[v]);
  /* A function of one predicate implies its comparisons, also where its truth is known. */
  for (unsigned v = 3; v-- > 0 && !is_of_one(table);) {
    if (values[v].truth != WB_TRUTH_UNKNOWN)
      table = wb_lookup_fixed(table, v, values[v].truth == WB_TRUTH_TRUE);
  }
  instruction->results[index].predicate = lookup(instruction->comparisons, values, table);
}
