/* What registers hold under each outcome of a predicate, in the domain of strided intervals. */
#include "values/domain.h"
#include "values/interval/interval_domain.h"

static bool writes(const struct wb_interval_context *context, uint32_t number)
{
  return wb_registers_written(context->function, context->index, context->index, number);
}

/* What a register holds where the predicate is so says what registers do that differ from it by a
 * known number. */
static void note_neighbours(struct wb_integer_state *state, size_t predicate, bool when,
                            uint16_t number, const struct wb_integer *value)
{
  for (size_t i = 0; i < state->differences.count; i++) {
    const struct wb_difference *row = &state->differences.rows[i];
    const struct wb_integer by = wb_difference_value(state, row);
    if ((row->from != number && row->less != number) || !wb_integer_is_exact(&by))
      continue;
    const uint16_t other = row->from == number ? row->less : row->from;
    const struct wb_integer its =
        row->from == number ? wb_integer_subtract(value, &by) : wb_integer_add(value, &by);
    if (state->registers[other].base == WB_NO_REGISTER && its.width < state->registers[other].width)
      wb_conditionals_set(&state->conditionals, other, predicate, when, &its);
  }
}

/* The registers that a comparison compared hold, where the predicate that it gives is so, what that
 * implies: until one of them is written, in whatever block that is. */
static void note_comparisons(struct wb_interval_context *context, size_t predicate, bool when,
                             uint32_t row)
{
  const struct wb_comparison *rows = context->comparisons->rows;
  for (; row != 0; row = rows[row].next) {
    const struct wb_comparison *it = &rows[row];
    const enum wb_relation relation = (enum wb_relation)it->relation;
    if (it->wide || it->visit != context->visit || it->instruction != context->index)
      continue;
    for (size_t side = 0; side < 2; side++) {
      struct wb_integer value = side == 0 ? it->left : it->right;
      const uint32_t width = value.width;
      if (it->sources[side] != WB_NO_REGISTER && value.base == WB_NO_REGISTER &&
          wb_integer_assume(&value, side == 0 ? relation : wb_relation_mirrored(relation),
                            side == 0 ? &it->right : &it->left, it->as_signed) &&
          value.width < width) {
        note_neighbours(context->state, predicate, when, it->sources[side], &value);
        wb_conditionals_set(&context->state->conditionals, it->sources[side], predicate, when,
                            &value);
      }
    }
  }
}

/* What a register held before the instruction where the source, a predicate, is true, or false;
 * narrower than *value. */
static void narrow_by_outcome(const struct wb_interval_context *context,
                              const struct wb_source *source, bool holds, uint32_t number,
                              struct wb_integer *value)
{
  const struct wb_integer *under =
      source->kind != WB_SOURCE_PREDICATE
          ? NULL
          : wb_conditionals_find(&context->kept_conditionals, number,
                                 wb_predicate_index(source->number), holds != source->negated);
  if (under != NULL && under->width < value->width)
    *value = *under;
}

/* Cuts the value of a register by what the instruction compared, where the source is true, or
 * false. False where that leaves no number. */
static bool narrow_by_comparisons(const struct wb_interval_context *context,
                                  const struct wb_source *source, bool holds, uint32_t number,
                                  struct wb_integer *value)
{
  const struct wb_comparison *rows = context->comparisons->rows;
  /* What the instruction writes is not what it was. */
  if (source->kind == WB_SOURCE_PREDICATE && writes(context, source->number))
    return true;
  const struct wb_implications predicate = wb_interval_predicate(context, source);
  if (predicate.truth == (holds ? WB_TRUTH_FALSE : WB_TRUTH_TRUE))
    return false;
  for (uint32_t row = holds ? predicate.when_true : predicate.when_false; row != 0;
       row = rows[row].next) {
    const struct wb_comparison *it = &rows[row];
    const enum wb_relation relation = (enum wb_relation)it->relation;
    if (it->wide || it->visit != context->visit || it->instruction != context->index ||
        value->base != WB_NO_REGISTER)
      continue;
    if ((it->sources[0] == number &&
         !wb_integer_assume(value, relation, &it->right, it->as_signed)) ||
        (it->sources[1] == number &&
         !wb_integer_assume(value, wb_relation_mirrored(relation), &it->left, it->as_signed)))
      return false;
  }
  return true;
}

/* Whether the variable is true in the row of a table of three. */
static bool is_set(unsigned variable, unsigned row)
{
  return ((unsigned)wb_lookup_variable(variable) >> row & 1U) != 0;
}

/* What a register that the instruction does not write holds where the function of three predicates
 * is so: in one of the cases of its table. False where none is possible. */
static bool find_combined(const struct wb_interval_context *context,
                          const struct wb_micro_operation *operation, bool when, uint32_t number,
                          struct wb_integer *value)
{
  bool possible = false;
  for (unsigned row = 0; row < 8; row++) {
    struct wb_integer one = context->state->registers[number];
    bool holds = (operation->table >> row & 1U) == when;
    for (unsigned v = 0; v < 3; v++)
      narrow_by_outcome(context, &operation->sources[v], is_set(v, row), number, &one);
    for (unsigned v = 0; v < 3 && holds; v++)
      holds = narrow_by_comparisons(context, &operation->sources[v], is_set(v, row), number, &one);
    if (holds)
      *value = possible ? wb_integer_join(value, &one) : one;
    possible |= holds;
  }
  return possible;
}

static void note_combined(struct wb_interval_context *context,
                          const struct wb_micro_operation *operation, size_t predicate,
                          uint32_t number)
{
  struct wb_integer_state *state = context->state;
  if (writes(context, number))
    return;
  for (int when = 0; when < 2; when++) {
    struct wb_integer value;
    if (!find_combined(context, operation, when != 0, number, &value)) {
      state->predicates[predicate].truth = when != 0 ? WB_TRUTH_FALSE : WB_TRUTH_TRUE;
      continue;
    }
    const struct wb_integer *known =
        wb_conditionals_find(&state->conditionals, number, predicate, when != 0);
    if (value.width < (known != NULL ? known : &state->registers[number])->width)
      wb_conditionals_set(&state->conditionals, number, predicate, when != 0, &value);
  }
}

void wb_interval_note_conditions(struct wb_interval_context *context,
                                 const struct wb_micro_code *code, size_t result, size_t predicate)
{
  const struct wb_implications truth = context->state->predicates[predicate];
  const struct wb_micro_operation *operation = &code->operations[result];
  note_comparisons(context, predicate, true, truth.when_true);
  note_comparisons(context, predicate, false, truth.when_false);
  if (operation->kind != WB_MICRO_COMBINE || truth.truth != WB_TRUTH_UNKNOWN)
    return;
  /* Registers of which a source says something. */
  for (size_t i = 0; i < context->kept_conditionals.count; i++) {
    const struct wb_conditional_value *row = &context->kept_conditionals.rows[i];
    bool asked = false;
    for (unsigned v = 0; v < 3; v++)
      asked |= operation->sources[v].kind == WB_SOURCE_PREDICATE &&
               wb_predicate_index(operation->sources[v].number) == row->predicate;
    if (asked)
      note_combined(context, operation, predicate, row->number);
  }
}
