/* Predicates and their functions, in the domain of strided intervals. */
#include "values/interval/interval_domain.h"

#include "values/domain.h"

struct wb_implications wb_implications_not(struct wb_implications a)
{
  static const uint8_t negated[] = {WB_TRUTH_UNKNOWN, WB_TRUTH_TRUE, WB_TRUTH_FALSE};
  return (struct wb_implications){
      .when_true = a.when_false, .when_false = a.when_true, .truth = negated[a.truth]};
}

struct wb_implications wb_interval_predicate(const struct wb_interval_context *context,
                                             const struct wb_source *source)
{
  struct wb_implications predicate = {.truth = WB_TRUTH_UNKNOWN};
  if (source->kind == WB_SOURCE_NONE)
    predicate.truth = WB_TRUTH_FALSE;
  else if (source->kind == WB_SOURCE_NUMBER)
    predicate.truth = source->value != 0 ? WB_TRUTH_TRUE : WB_TRUTH_FALSE;
  else if (source->kind == WB_SOURCE_RESULT)
    predicate = context->results[source->number].predicate;
  else if (source->kind == WB_SOURCE_PREDICATE &&
           wb_predicate_index(source->number) < WB_TRUTH_COUNT)
    predicate = context->state->predicates[wb_predicate_index(source->number)];
  return source->negated ? wb_implications_not(predicate) : predicate;
}

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
