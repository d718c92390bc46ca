/* Columns or rows of a model by their names. */
#ifndef WB_LINEAR_NAME_INDEX_H
#define WB_LINEAR_NAME_INDEX_H

#include "base/hash_table.h"
#include "linear/linear_model.h"

/* table: of the model's columns, or of its rows. */
struct wb_name_index {
  const struct wb_linear_model *model;
  bool rows;
  struct wb_hash_table table;
};

/* Borrows the model. False where memory is out. Free with wb_name_index_free. */
bool wb_name_index_make(struct wb_name_index *index, const struct wb_linear_model *model,
                        bool rows);
/* The column (row) of a name of `length` characters; SIZE_MAX where there is none. */
size_t wb_name_index_find(const struct wb_name_index *index, const char *name, size_t length);
void wb_name_index_free(struct wb_name_index *index);

#endif
