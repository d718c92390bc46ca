/* Linear and integer programs: columns (variables), rows (constraints) and an
 * objective, with names. Its makers, its writers to files and its solvers share nothing but
 * this struct. */
#ifndef WB_LINEAR_LINEAR_MODEL_H
#define WB_LINEAR_LINEAR_MODEL_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most columns, rows or entries of a model: solvers count them in an int. */
#define WB_LINEAR_LIMIT ((uint64_t)INT32_MAX)
/* Longest name: what the narrowest of the readers takes. */
#define WB_LINEAR_NAME_LIMIT 63

/* A bound of -INFINITY or INFINITY is none. name: where in the pool of names. scale: a power of 2
 * near to what its values are in a solution, by which a solver may divide them; 0: not known. */
struct wb_linear_column {
  double lower, upper;
  double objective;
  double scale;
  size_t name;
  bool integer;
};

/* lower <= the sum of the row's entries <= upper. */
struct wb_linear_row {
  double lower, upper;
  size_t name;  /* where it stands in the names */
  size_t first; /* its first entry; they reach to the first one of the next row, or to the end */
};

struct wb_linear_entry {
  double value;
  uint32_t column;
};

/* Invariant: no row has two entries of one column; names are unique, consist of letters, digits and
 * underscores, begin with a letter other than e (which LP files read as an exponent) and have at
 * most WB_LINEAR_NAME_LIMIT characters. Owns its arrays: wb_linear_model_free. Zero-initialise. */
struct wb_linear_model {
  struct wb_linear_column *columns;
  struct wb_linear_row *rows;
  struct wb_linear_entry *entries; /* by row */
  char *names;                     /* of columns and rows, each zero-ended */
  size_t column_count, column_capacity;
  size_t row_count, row_capacity;
  size_t entry_count, entry_capacity;
  size_t names_length, names_capacity;
  const char *title; /* for the first lines of a file; borrowed; or NULL */
  bool maximise;
  bool failed; /* sticky: something was lost for want of memory */
};

/* How large a model is, or will be at most. name_bytes: of all names with their ends. */
struct wb_linear_size {
  uint64_t columns, rows, entries, name_bytes;
};

/* The bytes that a model of this size takes, with the copy by columns that a solver is
 * handed; UINT64_MAX where that does not fit. */
uint64_t wb_linear_bytes(const struct wb_linear_size *size);

/* Makes room for a model of this size, so that building it never copies.
 * Errors: WARPBOUND_LIMIT beyond WB_LINEAR_LIMIT, WARPBOUND_INTERNAL. */
warpbound_status wb_linear_reserve(struct wb_linear_model *model, const struct wb_linear_size *size,
                                   warpbound_error *error);

/* Adds a column with coefficient 0 in the objective and returns its index. */
uint32_t wb_linear_add_column(struct wb_linear_model *model, double lower, double upper,
                              bool integer, const char *name, ...) WB_PRINTF(5, 6);
/* Begins a row; wb_linear_add_entry then adds to it. An entry of value 0 is left out. */
void wb_linear_add_row(struct wb_linear_model *model, double lower, double upper, const char *name,
                       ...) WB_PRINTF(4, 5);
void wb_linear_add_entry(struct wb_linear_model *model, uint32_t column, double value);

const char *wb_linear_column_name(const struct wb_linear_model *model, size_t column);
const char *wb_linear_row_name(const struct wb_linear_model *model, size_t row);
/* One past the row's last entry. */
size_t wb_linear_row_end(const struct wb_linear_model *model, size_t row);

/* The objective of an assignment of column_count values. */
double wb_linear_objective(const struct wb_linear_model *model, const double *values);
void wb_linear_model_free(struct wb_linear_model *model);

/* A model as solvers take it: the entries of column j are start[j] .. start[j + 1] - 1, their rows
 * ascending. */
struct wb_linear_arrays {
  int *start;
  int *row;
  double *value;
  double *column_lower, *column_upper, *objective;
  double *row_lower, *row_upper;
};

/* Linear in the size of the model; false where memory is out: arena->failed. The arena owns the
 * arrays. */
bool wb_linear_arrays_make(struct wb_arena *arena, const struct wb_linear_model *model,
                           struct wb_linear_arrays *arrays);

#endif
