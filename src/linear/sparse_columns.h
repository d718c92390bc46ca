/* A model's entries by columns, as MPS files and solvers take them. */
#ifndef WB_LINEAR_SPARSE_COLUMNS_H
#define WB_LINEAR_SPARSE_COLUMNS_H

#include "base/arena.h"
#include "linear/linear_model.h"

/* The entries of column j are start[j] .. start[j + 1] - 1, their rows ascending. */
struct wb_sparse_columns {
  int *start;
  int *row;
  double *value;
};

/* Linear in the size of the model; false where memory is out: arena->failed. The arena owns the
 * arrays. */
bool wb_sparse_columns_make(struct wb_arena *arena, const struct wb_linear_model *model,
                            struct wb_sparse_columns *by_columns);

#endif
