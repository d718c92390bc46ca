#include "linear/sparse_columns.h"

#include "base/memory.h"

#include <stdlib.h>

bool wb_sparse_columns_make(const struct wb_linear_model *model,
                            struct wb_sparse_columns *by_columns)
{
  size_t columns = model->column_count;
  *by_columns = (struct wb_sparse_columns){
      .start = wb_allocate(columns + 1, sizeof *by_columns->start),
      .row = wb_allocate(model->entry_count, sizeof *by_columns->row),
      .value = wb_allocate(model->entry_count, sizeof *by_columns->value)};
  int *next = wb_allocate(columns + 1, sizeof *next);
  bool made = by_columns->start != NULL && by_columns->row != NULL && by_columns->value != NULL &&
              next != NULL;
  if (made) {
    for (size_t e = 0; e < model->entry_count; e++)
      by_columns->start[model->entries[e].column]++;
    /* Turns counts into starts: start[j] becomes the sum of those before j. */
    int *start = by_columns->start;
    int sum = 0;
    for (size_t j = 0; j <= columns; j++) {
      int here = start[j];
      start[j] = sum;
      sum += here;
    }
    for (size_t j = 0; j < columns; j++)
      next[j] = by_columns->start[j];
    for (size_t r = 0; r < model->row_count; r++) {
      for (size_t e = model->rows[r].first; e < wb_linear_row_end(model, r); e++) {
        int place = next[model->entries[e].column]++;
        by_columns->row[place] = (int)r;
        by_columns->value[place] = model->entries[e].value;
      }
    }
  }
  free(next);
  return made;
}

void wb_sparse_columns_free(struct wb_sparse_columns *by_columns)
{
  free(by_columns->start);
  free(by_columns->row);
  free(by_columns->value);
  *by_columns = (struct wb_sparse_columns){0};
}
