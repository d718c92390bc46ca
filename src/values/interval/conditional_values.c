#include "values/interval/conditional_values.h"

static bool is_row(const struct wb_conditional_value *row, uint32_t number, size_t predicate,
                   bool when)
{
  return row->number == number && row->predicate == predicate && row->when == when;
}

const struct wb_integer *wb_conditionals_find(const struct wb_conditionals *list, uint32_t number,
                                              size_t predicate, bool when)
{
  for (size_t i = 0; i < list->count; i++) {
    if (is_row(&list->rows[i], number, predicate, when))
      return &list->rows[i].value;
  }
  return NULL;
}

static void remove_row(struct wb_conditionals *list, size_t row)
{
  list->count--;
  for (size_t i = row; i < list->count; i++)
    list->rows[i] = list->rows[i + 1];
}

void wb_conditionals_set(struct wb_conditionals *list, uint32_t number, size_t predicate, bool when,
                         const struct wb_integer *value)
{
  for (size_t i = list->count; i-- > 0;) {
    if (is_row(&list->rows[i], number, predicate, when))
      remove_row(list, i);
  }
  if (value->width == UINT32_MAX)
    return;
  if (list->count == WB_CONDITIONAL_LIMIT)
    remove_row(list, 0);
  list->rows[list->count++] = (struct wb_conditional_value){
      .number = (uint16_t)number, .predicate = (uint8_t)predicate, .when = when, .value = *value};
}

void wb_conditionals_forget_register(struct wb_conditionals *list, uint32_t number)
{
  for (size_t i = list->count; i-- > 0;) {
    if (list->rows[i].number == number)
      remove_row(list, i);
  }
}

void wb_conditionals_forget_predicate(struct wb_conditionals *list, size_t predicate)
{
  for (size_t i = list->count; i-- > 0;) {
    if (list->rows[i].predicate == predicate)
      remove_row(list, i);
  }
}

void wb_conditionals_join(struct wb_conditionals *mine, const struct wb_conditionals *its)
{
  for (size_t i = mine->count; i-- > 0;) {
    struct wb_conditional_value *row = &mine->rows[i];
    const struct wb_integer *other =
        wb_conditionals_find(its, row->number, row->predicate, row->when);
    if (other != NULL)
      row->value = wb_integer_join(&row->value, other);
    if (other == NULL || row->value.width == UINT32_MAX)
      remove_row(mine, i);
  }
}

bool wb_conditionals_are_valid(const struct wb_conditionals *list)
{
  if (list->count > WB_CONDITIONAL_LIMIT)
    return false;
  for (size_t i = 0; i < list->count; i++) {
    const struct wb_conditional_value *row = &list->rows[i];
    if (!wb_integer_is_valid(&row->value) || row->value.width == UINT32_MAX ||
        wb_conditionals_find(list, row->number, row->predicate, row->when) != &row->value)
      return false;
  }
  return true;
}
