/* In which relation two registers are where a predicate is so, in the domain of strided intervals
 * (doc/loop-bounds.md, "Orders under a predicate"). */
#include "values/interval/interval_domain.h"

#include "values/domain.h"

/* ---- the list ---- */

static bool same_order(const struct wb_order *a, const struct wb_order *b)
{
  return a->left == b->left && a->right == b->right && a->predicate == b->predicate &&
         a->when == b->when && a->relation == b->relation && a->as_signed == b->as_signed;
}

static bool has_order(const struct wb_orders *list, const struct wb_order *row)
{
  for (size_t i = 0; i < list->count; i++) {
    if (same_order(&list->rows[i], row))
      return true;
  }
  return false;
}

static void remove_order(struct wb_orders *list, size_t row)
{
  list->count--;
  for (size_t i = row; i < list->count; i++)
    list->rows[i] = list->rows[i + 1];
}

/* Adds the row; in a full list those that always hold, of which there are many, go first. */
static void set_order(struct wb_orders *list, const struct wb_order *row)
{
  size_t oldest = 0;
  if (row->left == row->right || has_order(list, row))
    return;
  while (oldest < list->count && list->rows[oldest].predicate != WB_TRUTH_COUNT)
    oldest++;
  if (list->count == WB_ORDER_LIMIT)
    remove_order(list, oldest == list->count ? 0 : oldest);
  list->rows[list->count++] = *row;
}

void wb_orders_forget(struct wb_orders *list, uint32_t number)
{
  const size_t predicate = wb_predicate_index(number);
  for (size_t i = list->count; i-- > 0;) {
    const struct wb_order *row = &list->rows[i];
    if (row->left == number || row->right == number ||
        (predicate != WB_TRUTH_COUNT && row->predicate == predicate))
      remove_order(list, i);
  }
}

/* Whether what the row says holds in that state: its list has it, or the predicate is known to have
 * the other outcome. */
static bool holds_in(const struct wb_integer_state *state, const struct wb_orders *list,
                     const struct wb_order *row)
{
  const uint8_t truth =
      row->predicate == WB_TRUTH_COUNT ? WB_TRUTH_UNKNOWN : state->predicates[row->predicate].truth;
  return truth == (row->when ? WB_TRUTH_FALSE : WB_TRUTH_TRUE) || has_order(list, row);
}

void wb_orders_join(struct wb_integer_state *state, const struct wb_integer_state *other)
{
  const struct wb_orders before = state->orders;
  const struct wb_orders *lists[2] = {&before, &other->orders};
  state->orders.count = 0;
  for (size_t list = 0; list < 2; list++) {
    for (size_t i = 0; i < lists[list]->count; i++) {
      const struct wb_order *row = &lists[list]->rows[i];
      if (state->orders.count < WB_ORDER_LIMIT && holds_in(state, &before, row) &&
          holds_in(other, &other->orders, row))
        set_order(&state->orders, row);
    }
  }
}

bool wb_orders_same(const struct wb_orders *a, const struct wb_orders *b)
{
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++)
    same = same_order(&a->rows[i], &b->rows[i]);
  return same;
}

bool wb_orders_are_valid(const struct wb_orders *list)
{
  for (size_t i = 0; i < list->count && list->count <= WB_ORDER_LIMIT; i++) {
    const struct wb_order *row = &list->rows[i];
    if (row->left >= WB_VALUE_BUFFERS || row->right >= WB_VALUE_BUFFERS ||
        row->left == row->right || row->predicate > WB_TRUTH_COUNT)
      return false;
  }
  return list->count <= WB_ORDER_LIMIT;
}

/* ---- instructions ---- */

static bool writes(const struct wb_interval_context *context, uint32_t number)
{
  return wb_registers_written(context->function, context->index, context->index, number);
}

/* Whether the register holds the side of the comparison still, behind this instruction. */
static bool holds_side(const struct wb_interval_context *context, const struct wb_comparison *row,
                       size_t side)
{
  const uint16_t number = row->sources[side];
  return number < WB_VALUE_BUFFERS &&
         !wb_interval_written_since(context, row->instruction + 1, number) &&
         (row->instruction == context->index || !writes(context, number));
}

static bool is_below(enum wb_relation relation)
{
  return relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST;
}

static bool is_above(enum wb_relation relation)
{
  return relation == WB_RELATION_GREATER || relation == WB_RELATION_AT_LEAST;
}

/* Adds the row, and those that follow from it: what is no greater than the lesser side is in the
 * relation too, and what is no less than the greater one. */
static void set_with_bounds(struct wb_orders *list, const struct wb_order *row)
{
  const struct wb_orders before = *list;
  const enum wb_relation relation = (enum wb_relation)row->relation;
  set_order(list, row);
  for (size_t i = 0; i < before.count; i++) {
    const struct wb_order *bound = &before.rows[i];
    const bool least = bound->relation == WB_RELATION_AT_MOST; /* its left side is no greater */
    struct wb_order moved = *row;
    if (bound->predicate != WB_TRUTH_COUNT || bound->as_signed != row->as_signed)
      continue;
    if (bound->right == row->left && (least ? is_below(relation) : is_above(relation)))
      moved.left = bound->left;
    else if (bound->right == row->right && (least ? is_above(relation) : is_below(relation)))
      moved.right = bound->left;
    else
      continue;
    set_order(list, &moved);
  }
}

static void note_chain(struct wb_interval_context *context, size_t predicate, bool when,
                       uint32_t row)
{
  const struct wb_comparison *rows = context->comparisons->rows;
  for (; row != 0; row = rows[row].next) {
    const struct wb_comparison *it = &rows[row];
    const struct wb_order order = {.left = it->sources[0],
                                   .right = it->sources[1],
                                   .predicate = (uint8_t)predicate,
                                   .when = when,
                                   .relation = it->relation,
                                   .as_signed = it->as_signed};
    if (!it->wide && it->visit == context->visit && holds_side(context, it, 0) &&
        holds_side(context, it, 1))
      set_with_bounds(&context->state->orders, &order);
  }
}

void wb_interval_note_orders(struct wb_interval_context *context, size_t predicate)
{
  const struct wb_implications truth = context->state->predicates[predicate];
  note_chain(context, predicate, true, truth.when_true);
  note_chain(context, predicate, false, truth.when_false);
}

/* Whether what holds of a register that is in the relation to another one holds of what the
 * operation makes of it: a copy; a least number is no greater, a greatest one no less. */
static bool keeps_order(const struct wb_micro_operation *operation, enum wb_relation relation,
                        bool as_signed)
{
  if (operation->kind == WB_MICRO_COPY)
    return true;
  return operation->as_signed == as_signed &&
         ((operation->kind == WB_MICRO_MINIMUM && is_below(relation)) ||
          (operation->kind == WB_MICRO_MAXIMUM && is_above(relation)));
}

void wb_interval_move_orders(struct wb_interval_context *context,
                             const struct wb_micro_operation *operation, uint16_t number)
{
  const size_t sources =
      operation->kind == WB_MICRO_COPY                                             ? 1
      : operation->kind == WB_MICRO_MINIMUM || operation->kind == WB_MICRO_MAXIMUM ? 2
                                                                                   : 0;
  if (number >= WB_VALUE_BUFFERS)
    return;
  for (size_t i = 0; i < context->kept_orders.count; i++) {
    const struct wb_order *row = &context->kept_orders.rows[i];
    const enum wb_relation relation = (enum wb_relation)row->relation;
    if (row->predicate != WB_TRUTH_COUNT && writes(context, wb_predicate_register(row->predicate)))
      continue;
    for (size_t s = 0; s < sources; s++) {
      const uint16_t x = wb_interval_source_register(&operation->sources[s]);
      struct wb_order moved = *row;
      if (row->left == x && !writes(context, row->right) &&
          keeps_order(operation, relation, row->as_signed))
        moved.left = number;
      else if (row->right == x && !writes(context, row->left) &&
               keeps_order(operation, wb_relation_mirrored(relation), row->as_signed))
        moved.right = number;
      else
        continue;
      set_order(&context->state->orders, &moved);
    }
  }
  for (size_t s = 0; s < sources && operation->kind != WB_MICRO_COPY; s++) {
    const bool least = operation->kind == WB_MICRO_MINIMUM;
    const struct wb_order bound = {.left = number,
                                   .right = wb_interval_source_register(&operation->sources[s]),
                                   .predicate = WB_TRUTH_COUNT,
                                   .relation = least ? WB_RELATION_AT_MOST : WB_RELATION_AT_LEAST,
                                   .as_signed = operation->as_signed};
    if (bound.right < WB_VALUE_BUFFERS && !writes(context, bound.right))
      set_order(&context->state->orders, &bound);
  }
}

/* ---- edges ---- */

bool wb_interval_assume_orders(const struct wb_orders *list, size_t predicate, bool when,
                               struct wb_integer_state *state, bool *some)
{
  for (size_t i = 0; i < list->count; i++) {
    const struct wb_order *row = &list->rows[i];
    const enum wb_relation relation = (enum wb_relation)row->relation;
    if (row->predicate != predicate || row->when != when)
      continue;
    struct wb_integer *left = &state->registers[row->left];
    struct wb_integer *right = &state->registers[row->right];
    const struct wb_integer before = *left;
    *some = true;
    if (!wb_integer_assume(left, relation, right, row->as_signed) ||
        !wb_integer_assume(right, wb_relation_mirrored(relation), &before, row->as_signed))
      return false;
    wb_interval_assume_difference(state, row->left, row->right, relation, row->as_signed);
  }
  return true;
}
