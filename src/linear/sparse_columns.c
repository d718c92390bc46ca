#include "linear/sparse_columns.h"

bool wb_sparse_columns_make(struct wb_arena *arena, const struct wb_linear_model *model,
                            struct wb_sparse_columns *by_columns)
{
  size_t columns = model->column_count;
  int *start = wb_arena_array(arena, int, columns + 1);
  int *next = wb_arena_array(arena, int, columns + 1);
  *by_columns =
      (struct wb_sparse_columns){.start = start,
                                 .row = wb_arena_array(arena, int, model->entry_count),
                                 .value = wb_arena_array(arena, double, model->entry_count)};
  if (arena->failed)
    return false;
  for (size_t e = 0; e < model->entry_count; e++)
    start[model->entries[e].column]++;
  /* Turns counts into starts: start[j] becomes the sum of those before j. */
  int sum = 0;
  for (size_t j = 0; j <= columns; j++) {
    int here = start[j];
    start[j] = next[j] = sum;
    sum += here;
  }
  for (size_t r = 0; r < model->row_count; r++) {
    for (size_t e = model->rows[r].first; e < wb_linear_row_end(model, r); e++) {
      int place = next[model->entries[e].column]++;
      by_columns->row[place] = (int)r;
      by_columns->value[place] = model->entries[e].value;
    }
  }
  return true;
}
