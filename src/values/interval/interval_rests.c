/* Registers that hold the lowest bits of the difference of two others, in the domain of strided
 * intervals (doc/loop-bounds.md, "Rests of differences"). */
#include "values/interval/interval_domain.h"

#include "values/domain.h"

/* ---- the list ---- */

static bool same_rest(const struct wb_rest *a, const struct wb_rest *b)
{
  return a->from == b->from && a->less == b->less && a->holder == b->holder && a->bits == b->bits;
}

static bool has_rest(const struct wb_rests *list, const struct wb_rest *row)
{
  for (size_t i = 0; i < list->count; i++) {
    if (same_rest(&list->rows[i], row))
      return true;
  }
  return false;
}

static void remove_rest(struct wb_rests *list, size_t row)
{
  list->count--;
  for (size_t i = row; i < list->count; i++)
    list->rows[i] = list->rows[i + 1];
}

static void set_rest(struct wb_rests *list, const struct wb_rest *row)
{
  if (has_rest(list, row))
    return;
  if (list->count == WB_REST_LIMIT)
    remove_rest(list, 0);
  list->rows[list->count++] = *row;
}

void wb_rests_forget(struct wb_rests *list, uint32_t number)
{
  for (size_t i = list->count; i-- > 0;) {
    const struct wb_rest *row = &list->rows[i];
    if (row->from == number || row->less == number || row->holder == number)
      remove_rest(list, i);
  }
}

void wb_rests_join(struct wb_rests *list, const struct wb_rests *other)
{
  for (size_t i = list->count; i-- > 0;) {
    if (!has_rest(other, &list->rows[i]))
      remove_rest(list, i);
  }
}

bool wb_rests_same(const struct wb_rests *a, const struct wb_rests *b)
{
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++)
    same = same_rest(&a->rows[i], &b->rows[i]);
  return same;
}

bool wb_rests_are_valid(const struct wb_rests *list)
{
  for (size_t i = 0; i < list->count && list->count <= WB_REST_LIMIT; i++) {
    const struct wb_rest *row = &list->rows[i];
    if (row->from >= WB_VALUE_BUFFERS || row->less >= WB_VALUE_BUFFERS ||
        row->holder >= WB_VALUE_BUFFERS || row->from == row->less || row->holder == row->from ||
        row->holder == row->less || row->bits == 0 || row->bits >= INT32_MAX ||
        (row->bits & (row->bits + 1)) != 0)
      return false;
  }
  return list->count <= WB_REST_LIMIT;
}

/* ---- instructions ---- */

void wb_interval_note_rest(struct wb_interval_context *context, const struct wb_mask *mask,
                           uint16_t number)
{
  const struct wb_differences *kept = &context->kept_differences;
  for (size_t i = 0; i < kept->count; i++) {
    const struct wb_difference *row = &kept->rows[i];
    const struct wb_rest rest = {
        .from = row->from, .less = row->less, .holder = number, .bits = mask->bits};
    if (row->holder == mask->number && !mask->complemented && mask->bits < INT32_MAX &&
        (mask->bits & (mask->bits + 1)) == 0 && number < WB_VALUE_BUFFERS &&
        row->from < WB_VALUE_BUFFERS && row->less < WB_VALUE_BUFFERS &&
        !wb_registers_written(context->function, context->index, context->index, row->from) &&
        !wb_registers_written(context->function, context->index, context->index, row->less))
      set_rest(&context->state->rests, &rest);
  }
}

/* ---- differences ---- */

void wb_rests_narrow(const struct wb_integer_state *state, uint16_t from, uint16_t less,
                     struct wb_integer *value)
{
  for (size_t i = 0; i < state->rests.count; i++) {
    const struct wb_rest *row = &state->rests.rows[i];
    const struct wb_integer *rest = &state->registers[row->holder];
    const bool turned = row->from == less && row->less == from;
    unsigned places = 0;
    if (!wb_integer_is_exact(rest) || (!turned && (row->from != from || row->less != less)))
      continue;
    while ((row->bits >> places & 1U) != 0)
      places++;
    wb_integer_assume_rest(value, turned ? 0 - rest->low : rest->low, places);
  }
}
