/* Free MPS files. */
#include "base/arena.h"
#include "linear/model_writer.h"

#include "linear/sparse_columns.h"

#include <math.h>
#include <string.h>

#define OBJECTIVE "objective"

/* "    a b number" */
static void write_line(const char *first, const char *second, double number, struct wb_text *text)
{
  wb_text_format(text, "    %s %s ", first, second);
  wb_linear_number(number, text);
  wb_text_string(text, "\n");
}

/* The letter of a row's kind; a row with two different ends is G with a range. */
static char row_kind(const struct wb_linear_row *row)
{
  if (row->lower == row->upper)
    return 'E';
  if (isfinite(row->lower))
    return 'G';
  return isfinite(row->upper) ? 'L' : 'N';
}

static double right_side(const struct wb_linear_row *row)
{
  if (isfinite(row->lower))
    return row->lower;
  return isfinite(row->upper) ? row->upper : 0;
}

static void write_marker(bool begin, size_t number, struct wb_text *text)
{
  wb_text_format(text, "    MARKER%zu 'MARKER' '%s'\n", number, begin ? "INTORG" : "INTEND");
}

static void write_columns(const struct wb_linear_model *model,
                          const struct wb_sparse_columns *entries, struct wb_text *text)
{
  wb_text_string(text, "COLUMNS\n");
  bool integer = false;
  size_t markers = 0;
  for (size_t j = 0; j < model->column_count && !text->failed; j++) {
    const struct wb_linear_column *column = &model->columns[j];
    const char *name = wb_linear_column_name(model, j);
    if (column->integer != integer)
      write_marker(column->integer, ++markers, text);
    integer = column->integer;
    double objective = model->maximise ? -column->objective : column->objective;
    if (objective != 0 || entries->start[j] == entries->start[j + 1])
      write_line(name, OBJECTIVE, objective, text);
    for (int e = entries->start[j]; e < entries->start[j + 1]; e++)
      write_line(name, wb_linear_row_name(model, (size_t)entries->row[e]), entries->value[e], text);
  }
  if (integer)
    write_marker(false, ++markers, text);
}

static void write_sides(const struct wb_linear_model *model, struct wb_text *text)
{
  wb_text_string(text, "RHS\n");
  for (size_t r = 0; r < model->row_count && !text->failed; r++) {
    if (right_side(&model->rows[r]) != 0)
      write_line("RHS", wb_linear_row_name(model, r), right_side(&model->rows[r]), text);
  }
  bool any = false;
  for (size_t r = 0; r < model->row_count && !text->failed; r++) {
    const struct wb_linear_row *row = &model->rows[r];
    if (row->lower == row->upper || !isfinite(row->lower) || !isfinite(row->upper))
      continue;
    if (!any)
      wb_text_string(text, "RANGES\n");
    any = true;
    write_line("RANGE", wb_linear_row_name(model, r), row->upper - row->lower, text);
  }
}

static void write_bound(const char *kind, const char *name, const double *number,
                        struct wb_text *text)
{
  wb_text_format(text, " %s BOUND %s", kind, name);
  if (number != NULL) {
    wb_text_string(text, " ");
    wb_linear_number(*number, text);
  }
  wb_text_string(text, "\n");
}

/* Both ends of every integer column, since readers differ in what they take for granted
 * there; of the others those that are not 0 and infinity. */
static void write_bounds(const struct wb_linear_model *model, struct wb_text *text)
{
  wb_text_string(text, "BOUNDS\n");
  for (size_t j = 0; j < model->column_count && !text->failed; j++) {
    const struct wb_linear_column *column = &model->columns[j];
    const char *name = wb_linear_column_name(model, j);
    if (column->lower == column->upper) {
      write_bound("FX", name, &column->lower, text);
      continue;
    }
    if (!isfinite(column->lower))
      write_bound(isfinite(column->upper) ? "MI" : "FR", name, NULL, text);
    else if (column->lower != 0 || column->upper < 0)
      write_bound("LO", name, &column->lower, text);
    if (isfinite(column->upper))
      write_bound("UP", name, &column->upper, text);
    else if (column->integer && isfinite(column->lower))
      write_bound("PL", name, NULL, text);
  }
}

void wb_mps_write(const struct wb_linear_model *model, struct wb_text *text)
{
  struct wb_arena arena = {0};
  struct wb_sparse_columns entries;
  if (wb_sparse_columns_make(&arena, model, &entries)) {
    const char *at = model->title;
    while (at != NULL && *at != '\0') {
      size_t length = strcspn(at, "\n");
      wb_text_format(text, "* %.*s\n", (int)length, at);
      at += length + (at[length] == '\n');
    }
    if (model->maximise)
      wb_text_string(text, "* The objective is the negative of what is to be maximised.\n");
    wb_text_string(text, "NAME warpbound FREE\n");
    wb_text_string(text, "ROWS\n N " OBJECTIVE "\n");
    for (size_t r = 0; r < model->row_count && !text->failed; r++)
      wb_text_format(text, " %c %s\n", row_kind(&model->rows[r]), wb_linear_row_name(model, r));
    write_columns(model, &entries, text);
    write_sides(model, text);
    write_bounds(model, text);
    wb_text_string(text, "ENDATA\n");
  } else {
    text->failed = true;
  }
  wb_arena_free(&arena);
}
