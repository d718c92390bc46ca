/* What is known of the differences of two registers, in the domain of strided intervals
 * (doc/loop-bounds.md, "Differences of registers"). */
#include "values/interval/interval_domain.h"

#include "values/domain.h"
#include "values/interval/launch_values.h"

/* ---- instructions ---- */

/* Whether the operation is one register less another one: *from, *less. */
static bool is_difference(const struct wb_micro_operation *operation, uint16_t *from,
                          uint16_t *less)
{
  *from = *less = WB_NO_REGISTER;
  if (operation->kind != WB_MICRO_ADD)
    return false;
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &operation->sources[s];
    const bool plain = !source->negated && !source->complemented;
    if (source->kind == WB_SOURCE_REGISTER && source->number < WB_VALUE_COUNT && plain &&
        *from == WB_NO_REGISTER)
      *from = source->number;
    else if (source->kind == WB_SOURCE_REGISTER && source->number < WB_VALUE_COUNT &&
             source->negated && *less == WB_NO_REGISTER)
      *less = source->number;
    else if (source->kind != WB_SOURCE_NONE &&
             (source->kind != WB_SOURCE_NUMBER || source->value != 0 || source->complemented))
      return false;
  }
  return *from != WB_NO_REGISTER && *less != WB_NO_REGISTER && *from != *less;
}

void wb_interval_refine_by_differences(struct wb_interval_context *context,
                                       const struct wb_micro_code *code, size_t index)
{
  uint16_t from;
  uint16_t less;
  struct wb_integer known;
  if (context->state->differences.count > 0 &&
      is_difference(&code->operations[index], &from, &less) &&
      wb_difference_find(context->state, from, less, &known))
    wb_integer_narrow(&context->results[index].wide.words[0], &known);
}

/* The register was given x, which is in no row any more, plus a number of the set: what was known
 * of x says it of the register. */
static void move_rows(struct wb_interval_context *context, uint16_t x, const struct wb_integer *by,
                      uint16_t number)
{
  const struct wb_function *function = context->function;
  for (size_t i = 0; i < context->kept_differences.count; i++) {
    struct wb_difference row = context->kept_differences.rows[i];
    const uint16_t other = row.from == x ? row.less : row.from;
    if ((row.from != x && row.less != x) || other == number ||
        wb_registers_written(function, context->index, context->index, other))
      continue;
    row.value =
        row.from == x ? wb_integer_add(&row.value, by) : wb_integer_subtract(&row.value, by);
    *(row.from == x ? &row.from : &row.less) = number;
    row.holder = WB_NO_REGISTER;
    wb_difference_set(context->state, &row);
  }
}

uint32_t wb_interval_slack(const struct wb_micro_operation *operation, const struct wb_integer *a,
                           const struct wb_integer *b, const struct wb_integer *extreme)
{
  const bool least = operation->kind == WB_MICRO_MINIMUM;
  struct wb_integer_end of_a[2];
  struct wb_integer_end of_b[2];
  struct wb_integer_end ends[2];
  if (!least && operation->kind != WB_MICRO_MAXIMUM)
    return UINT32_MAX;
  wb_integer_ends(a, operation->as_signed, &of_a[0], &of_a[1]);
  wb_integer_ends(b, operation->as_signed, &of_b[0], &of_b[1]);
  wb_integer_ends(extreme, operation->as_signed, &ends[0], &ends[1]);
  const int64_t above = of_a[1].number > of_b[1].number ? of_a[1].number : of_b[1].number;
  const int64_t below = of_a[0].number < of_b[0].number ? of_a[0].number : of_b[0].number;
  return (uint32_t)(least ? above - ends[0].number : ends[1].number - below);
}

/* The register was given a least or greatest number: it is no farther from a source than the slack
 * of the result. */
static void move_extreme(struct wb_interval_context *context,
                         const struct wb_micro_operation *operation, uint32_t slack,
                         uint16_t number)
{
  const bool least = operation->kind == WB_MICRO_MINIMUM;
  const struct wb_integer by =
      least ? wb_integer_range(-(int64_t)slack, 0) : wb_integer_range(0, slack);
  for (size_t s = 0; s < 2 && slack <= INT32_MAX; s++) {
    const uint16_t x = wb_interval_source_register(&operation->sources[s]);
    if (x != WB_NO_REGISTER)
      move_rows(context, x, &by, number);
  }
}

/* The one number that a source of a word is, with its sign; the state is that after the
 * instruction.
 */
static bool is_known_number(const struct wb_interval_context *context,
                            const struct wb_source *source, uint32_t *number)
{
  struct wb_integer value = wb_integer_top();
  if (source->kind == WB_SOURCE_NUMBER)
    value = wb_integer_exactly((uint32_t)source->value);
  else if (source->kind == WB_SOURCE_CONSTANT && source->index == WB_NO_REGISTER)
    value = wb_launch_constant(context->launch, context->function, source->bank,
                               (uint32_t)source->value);
  else if (source->kind == WB_SOURCE_REGISTER && source->number < WB_VALUE_COUNT &&
           !wb_registers_written(context->function, context->index, context->index, source->number))
    value = context->state->registers[source->number];
  *number = source->negated ? 0 - value.low : value.low;
  return wb_integer_is_exact(&value) && !source->complemented;
}

/* Whether the operation is one register plus numbers, of words that are known too: *from, *offset.
 */
static bool find_known_difference(const struct wb_interval_context *context,
                                  const struct wb_micro_operation *operation, uint16_t *from,
                                  uint32_t *offset)
{
  *from = WB_NO_REGISTER;
  *offset = 0;
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &operation->sources[s];
    uint32_t number;
    if (source->kind == WB_SOURCE_NONE)
      continue;
    if (s > 2)
      return false;
    if (is_known_number(context, source, &number))
      *offset += number;
    else if (source->kind == WB_SOURCE_REGISTER && !source->negated && !source->complemented &&
             *from == WB_NO_REGISTER)
      *from = source->number;
    else
      return false;
  }
  return *from < WB_VALUE_COUNT;
}

void wb_interval_move_differences(struct wb_interval_context *context,
                                  const struct wb_micro_operation *operation,
                                  const struct wb_interval_result *result, uint16_t number)
{
  const struct wb_function *function = context->function;
  uint16_t from;
  uint16_t less;
  uint32_t offset;
  if (number >= WB_VALUE_COUNT)
    return;
  if (operation->kind == WB_MICRO_MINIMUM || operation->kind == WB_MICRO_MAXIMUM) {
    move_extreme(context, operation, result->slack, number);
  } else if ((operation->kind == WB_MICRO_COPY || operation->kind == WB_MICRO_ADD) &&
             (wb_interval_find_difference(operation, &from, &offset) ||
              find_known_difference(context, operation, &from, &offset))) {
    const struct wb_integer by = wb_integer_exactly(offset);
    move_rows(context, from, &by, number);
    if (!wb_registers_written(function, context->index, context->index, from)) {
      const struct wb_difference row = {
          .from = number, .less = from, .holder = WB_NO_REGISTER, .value = by};
      wb_difference_set(context->state, &row);
    }
  } else if (is_difference(operation, &from, &less) &&
             !wb_registers_written(function, context->index, context->index, from) &&
             !wb_registers_written(function, context->index, context->index, less)) {
    struct wb_difference row = {
        .from = from, .less = less, .holder = number, .value = wb_integer_top()};
    struct wb_integer known;
    if (wb_difference_find(context->state, from, less, &known))
      row.value = known;
    wb_difference_set(context->state, &row);
  }
}

/* ---- edges ---- */

bool wb_interval_ordered_difference(const struct wb_integer *from, const struct wb_integer *less,
                                    bool strict, bool as_signed, struct wb_integer *value)
{
  struct wb_integer_end of_from[2];
  struct wb_integer_end of_less[2];
  /* Exact numbers of the type: the word is their difference too. */
  if (!wb_integer_ends(from, as_signed, &of_from[0], &of_from[1]) ||
      !wb_integer_ends(less, as_signed, &of_less[0], &of_less[1]))
    return false;
  struct wb_integer_end low = {of_from[0].number - of_less[1].number,
                               of_from[0].by_width || of_less[1].by_width};
  const struct wb_integer_end high = {of_from[1].number - of_less[0].number,
                                      of_from[1].by_width || of_less[0].by_width};
  if (low.number <= (int64_t)strict)
    low = (struct wb_integer_end){strict, false};
  if (low.number > high.number)
    return false;
  *value = wb_integer_between(low, high, 0);
  return true;
}

void wb_interval_assume_difference(struct wb_integer_state *state, uint16_t left, uint16_t right,
                                   enum wb_relation relation, bool as_signed)
{
  const bool upward = relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST;
  const bool strict = relation == WB_RELATION_LESS || relation == WB_RELATION_GREATER;
  struct wb_difference row = {
      .from = upward ? right : left, .less = upward ? left : right, .holder = WB_NO_REGISTER};
  struct wb_integer known;
  if (left == right || left >= WB_VALUE_COUNT || right >= WB_VALUE_COUNT)
    return;
  const bool held = wb_difference_find(state, row.from, row.less, &known);
  if (relation == WB_RELATION_EQUAL) {
    row.value = wb_integer_exactly(0);
  } else if (relation == WB_RELATION_UNEQUAL) {
    const struct wb_integer zero = wb_integer_exactly(0);
    row.value =
        held ? known : wb_integer_subtract(&state->registers[left], &state->registers[right]);
    if (row.value.base != WB_NO_REGISTER ||
        !wb_integer_assume(&row.value, WB_RELATION_UNEQUAL, &zero, false))
      return;
  } else if (!wb_interval_ordered_difference(&state->registers[row.from],
                                             &state->registers[row.less], strict, as_signed,
                                             &row.value)) {
    return;
  }
  if (held)
    wb_integer_narrow(&row.value, &known);
  wb_difference_set(state, &row);
}

/* Each difference of the list is the sum of two others over a third register: cuts it by those. */
static void close_triangles(struct wb_integer_state *state)
{
  struct wb_differences *list = &state->differences;
  for (size_t i = 0; i < list->count; i++) {
    struct wb_difference *row = &list->rows[i];
    for (size_t o = 0; o < list->count; o++) {
      const struct wb_difference *side = &list->rows[o];
      struct wb_integer first;
      struct wb_integer second;
      if (o == i || (side->from != row->from && side->less != row->from))
        continue;
      const uint16_t third = side->from == row->from ? side->less : side->from;
      if (!wb_difference_find(state, row->from, third, &first) ||
          !wb_difference_find(state, third, row->less, &second))
        continue;
      const struct wb_integer sum = wb_integer_add(&first, &second);
      wb_integer_narrow(&row->value, &sum);
    }
  }
}

void wb_interval_reduce(struct wb_integer_state *state)
{
  close_triangles(state);
  for (size_t i = 0; i < state->differences.count; i++) {
    const struct wb_difference *row = &state->differences.rows[i];
    struct wb_integer *from = &state->registers[row->from];
    struct wb_integer *less = &state->registers[row->less];
    if (row->holder != WB_NO_REGISTER)
      wb_integer_narrow(&state->registers[row->holder], &row->value);
    const struct wb_integer value = wb_difference_value(state, row);
    const struct wb_integer sum = wb_integer_add(less, &value);
    const struct wb_integer rest = wb_integer_subtract(from, &value);
    wb_integer_narrow(from, &sum);
    wb_integer_narrow(less, &rest);
  }
  for (size_t i = 0; i < state->masks.count; i++) {
    const struct wb_masked *row = &state->masks.rows[i];
    const struct wb_integer *of = &state->registers[row->number];
    if (row->holder != WB_NO_REGISTER && of->base == WB_NO_REGISTER) {
      const struct wb_integer values[3] = {*of, wb_integer_exactly(row->bits),
                                           wb_integer_exactly(0)};
      const struct wb_integer bits =
          wb_integer_lookup(values, wb_lookup_variable(0) & wb_lookup_variable(1));
      wb_integer_narrow(&state->registers[row->holder], &bits);
    }
  }
}
