/* A model's entries by columns, as MPS files and solvers take them. */
#ifndef WB_LINEAR_SPARSE_COLUMNS_H
#define WB_LINEAR_SPARSE_COLUMNS_H

#include "linear/linear_model.h"

/* The entries of column j are start[j] .. start[j + 1] - 1, their rows ascending. */
struct wb_sparse_columns {
  int *start;
  int *row;
  double *value;
};

/* Linear in the size of the model; false where memory is out. Free with
 * wb_sparse_columns_free, also then. */
bool wb_sparse_columns_make(const struct wb_linear_model *model,
                            struct wb_sparse_columns *by_columns);
void wb_sparse_columns_free(struct wb_sparse_columns *by_columns);

#endif
