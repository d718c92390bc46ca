#include "linear/linear_model.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A solver's copy by columns: a row index and a value for each entry, and for each column
 * and row bounds and a start. */
#define COPY_ENTRY_BYTES (sizeof(double) + sizeof(int))
#define COPY_LINE_BYTES (3 * sizeof(double) + sizeof(int))

/* *total += count * bytes, saturated. */
static void add_bytes(uint64_t *total, uint64_t count, uint64_t bytes)
{
  uint64_t product;
  if (!wb_multiply(count, bytes, &product) || !wb_add(*total, product, total))
    *total = UINT64_MAX;
}

uint64_t wb_linear_bytes(const struct wb_linear_size *size)
{
  uint64_t total = 0;
  add_bytes(&total, size->columns, sizeof(struct wb_linear_column) + COPY_LINE_BYTES);
  add_bytes(&total, size->rows, sizeof(struct wb_linear_row) + COPY_LINE_BYTES);
  add_bytes(&total, size->entries, sizeof(struct wb_linear_entry) + COPY_ENTRY_BYTES);
  add_bytes(&total, size->name_bytes, 1);
  return total;
}

/* Room for exactly `count`, where wb_grow would double. */
static bool reserve(void **array, size_t *capacity, uint64_t count, size_t size)
{
  if (count <= *capacity)
    return true;
  if (count > SIZE_MAX / size)
    return false;
  void *grown = realloc(*array, (size_t)count * size);
  if (grown == NULL)
    return false;
  *array = grown;
  *capacity = (size_t)count;
  return true;
}

warpbound_status wb_linear_reserve(struct wb_linear_model *model, const struct wb_linear_size *size,
                                   warpbound_error *error)
{
  if (size->columns > WB_LINEAR_LIMIT || size->rows > WB_LINEAR_LIMIT ||
      size->entries > WB_LINEAR_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "the program has %" PRIu64 " columns, %" PRIu64 " rows and %" PRIu64
                   " entries; solvers take %" PRIu64 " "
                   "of each",
                   size->columns, size->rows, size->entries, WB_LINEAR_LIMIT);
  void *columns = model->columns;
  void *rows = model->rows;
  void *entries = model->entries;
  void *names = model->names;
  bool made = reserve(&columns, &model->column_capacity, size->columns, sizeof *model->columns) &
              reserve(&rows, &model->row_capacity, size->rows, sizeof *model->rows) &
              reserve(&entries, &model->entry_capacity, size->entries, sizeof *model->entries) &
              reserve(&names, &model->names_capacity, size->name_bytes, 1);
  model->columns = columns;
  model->rows = rows;
  model->entries = entries;
  model->names = names;
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}

#ifndef NDEBUG
/* Whether LP and MPS files of all dialects take it for a name. */
static bool is_name(const char *text)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return *text != '\0' && strchr(letters, *text) != NULL && *text != 'e' && *text != 'E' &&
         text[strspn(text, others)] == '\0';
}
#endif

/* Adds a name to the pool and returns where it is. */
static size_t add_name(struct wb_linear_model *model, const char *format, va_list arguments)
{
  char name[WB_LINEAR_NAME_LIMIT + 1];
  int length = vsnprintf(name, sizeof name, format, arguments);
  assert(length > 0 && (size_t)length < sizeof name && is_name(name));
  size_t place = model->names_length;
  if (length < 0 || (size_t)length >= sizeof name ||
      !wb_grow(model->names, &model->names_capacity, place + (size_t)length + 1)) {
    model->failed = true;
    return 0;
  }
  memcpy(model->names + place, name, (size_t)length + 1);
  model->names_length = place + (size_t)length + 1;
  return place;
}

uint32_t wb_linear_add_column(struct wb_linear_model *model, double lower, double upper,
                              bool integer, const char *name, ...)
{
  if (model->failed || model->column_count >= WB_LINEAR_LIMIT ||
      !wb_grow(model->columns, &model->column_capacity, model->column_count + 1)) {
    model->failed = true;
    return 0;
  }
  va_list arguments;
  va_start(arguments, name);
  size_t place = add_name(model, name, arguments);
  va_end(arguments);
  model->columns[model->column_count] =
      (struct wb_linear_column){.lower = lower, .upper = upper, .name = place, .integer = integer};
  return (uint32_t)model->column_count++;
}

void wb_linear_add_row(struct wb_linear_model *model, double lower, double upper, const char *name,
                       ...)
{
  if (model->failed || model->row_count >= WB_LINEAR_LIMIT ||
      !wb_grow(model->rows, &model->row_capacity, model->row_count + 1)) {
    model->failed = true;
    return;
  }
  va_list arguments;
  va_start(arguments, name);
  size_t place = add_name(model, name, arguments);
  va_end(arguments);
  model->rows[model->row_count++] = (struct wb_linear_row){
      .lower = lower, .upper = upper, .name = place, .first = model->entry_count};
}

void wb_linear_add_entry(struct wb_linear_model *model, uint32_t column, double value)
{
  if (model->failed || value == 0)
    return;
  assert(model->row_count > 0 && column < model->column_count);
  if (model->entry_count >= WB_LINEAR_LIMIT ||
      !wb_grow(model->entries, &model->entry_capacity, model->entry_count + 1)) {
    model->failed = true;
    return;
  }
  model->entries[model->entry_count++] = (struct wb_linear_entry){value, column};
}

const char *wb_linear_column_name(const struct wb_linear_model *model, size_t column)
{
  return model->names + model->columns[column].name;
}

const char *wb_linear_row_name(const struct wb_linear_model *model, size_t row)
{
  return model->names + model->rows[row].name;
}

size_t wb_linear_row_end(const struct wb_linear_model *model, size_t row)
{
  return row + 1 < model->row_count ? model->rows[row + 1].first : model->entry_count;
}

double wb_linear_objective(const struct wb_linear_model *model, const double *values)
{
  double sum = 0;
  for (size_t j = 0; j < model->column_count; j++)
    sum += model->columns[j].objective * values[j];
  return sum;
}

void wb_linear_model_free(struct wb_linear_model *model)
{
  free(model->columns);
  free(model->rows);
  free(model->entries);
  free(model->names);
  *model = (struct wb_linear_model){0};
}

bool wb_linear_arrays_make(struct wb_arena *arena, const struct wb_linear_model *model,
                           struct wb_linear_arrays *arrays)
{
  const size_t columns = model->column_count, rows = model->row_count;
  int *start = wb_arena_array(arena, int, columns + 1);
  int *next = wb_arena_array(arena, int, columns + 1);
  *arrays = (struct wb_linear_arrays){.start = start,
                                      .row = wb_arena_array(arena, int, model->entry_count),
                                      .value = wb_arena_array(arena, double, model->entry_count),
                                      .column_lower = wb_arena_array(arena, double, columns),
                                      .column_upper = wb_arena_array(arena, double, columns),
                                      .objective = wb_arena_array(arena, double, columns),
                                      .row_lower = wb_arena_array(arena, double, rows),
                                      .row_upper = wb_arena_array(arena, double, rows)};
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
  for (size_t j = 0; j < columns; j++) {
    arrays->column_lower[j] = model->columns[j].lower;
    arrays->column_upper[j] = model->columns[j].upper;
    arrays->objective[j] = model->columns[j].objective;
  }
  for (size_t r = 0; r < rows; r++) {
    arrays->row_lower[r] = model->rows[r].lower;
    arrays->row_upper[r] = model->rows[r].upper;
    for (size_t e = model->rows[r].first; e < wb_linear_row_end(model, r); e++) {
      int place = next[model->entries[e].column]++;
      arrays->row[place] = (int)r;
      arrays->value[place] = model->entries[e].value;
    }
  }
  return true;
}
