/* CPLEX LP files. */
#include "linear/model_writer.h"
#include "base/arena.h"
#include "base/memory.h"
#include "linear/linear_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a line is broken; the shortest limit among the readers is 255. */
#define LINE_LENGTH 100
/* Doubles up to this size hold every whole number. */
#define WHOLE_LIMIT 1e15

/* As every reader takes it, whatever the locale: whole numbers without a point. */
static void write_number(double number, struct wb_text *text)
{
  char digits[48];
  if (number == round(number) && fabs(number) < WHOLE_LIMIT)
    snprintf(digits, sizeof digits, "%" PRId64, (int64_t)number);
  else
    snprintf(digits, sizeof digits, "%.17g", number);
  char *comma = strchr(digits, ','); /* of a locale that the caller's program has set */
  if (comma != NULL)
    *comma = '.';
  wb_text_string(text, digits);
}

/* The lines of the title as comments, which begin with a letter. */
static void write_title(const struct wb_linear_model *model, char comment, struct wb_text *text)
{
  const char *at = model->title;
  while (at != NULL && *at != '\0') {
    size_t length = strcspn(at, "\n");
    wb_text_format(text, "%c %.*s\n", comment, (int)length, at);
    at += length + (at[length] == '\n');
  }
}

/* Appends a word and breaks the line where it has become long. */
struct line {
  struct wb_text *text;
  size_t start;
};

static void break_line(struct line *line)
{
  if (line->text->length - line->start <= LINE_LENGTH)
    return;
  wb_text_string(line->text, "\n ");
  line->start = line->text->length;
}

/* "+ 3 name", the 1 left out. */
static void write_term(double value, const char *name, bool first, struct line *line)
{
  break_line(line);
  wb_text_string(line->text, value < 0 ? " - " : first ? " " : " + ");
  if (fabs(value) != 1) {
    write_number(fabs(value), line->text);
    wb_text_string(line->text, " ");
  }
  wb_text_string(line->text, name);
}

/* Which columns some row has; NULL where memory is out. */
static bool *columns_in_rows(const struct wb_linear_model *model)
{
  bool *seen = wb_allocate(model->column_count, sizeof *seen);
  for (size_t e = 0; seen != NULL && e < model->entry_count; e++)
    seen[model->entries[e].column] = true;
  return seen;
}

/* Whether the objective names a column: one that stands in no row is named there with a 0,
 * for some readers know only columns that they have met before the bounds. */
static bool in_objective(const struct wb_linear_model *model, const bool *seen, size_t j)
{
  return model->columns[j].objective != 0 || !seen[j];
}

static void write_objective(const struct wb_linear_model *model, struct wb_text *text)
{
  bool *seen = columns_in_rows(model);
  if (seen == NULL) {
    text->failed = true;
    return;
  }
  wb_text_string(text, model->maximise ? "Maximize\n objective:" : "Minimize\n objective:");
  struct line line = {text, text->length};
  bool first = true;
  for (size_t j = 0; j < model->column_count; j++) {
    if (!in_objective(model, seen, j))
      continue;
    write_term(model->columns[j].objective, wb_linear_column_name(model, j), first, &line);
    first = false;
  }
  if (first && model->column_count > 0) /* an objective of nothing is not read by all */
    write_term(0, wb_linear_column_name(model, 0), first, &line);
  wb_text_string(text, "\n");
  free(seen);
}

uint32_t *wb_lp_column_order(const struct wb_linear_model *model)
{
  bool *seen = columns_in_rows(model);
  uint32_t *order = wb_allocate(model->column_count, sizeof *order);
  size_t count = 0;
  if (seen == NULL || order == NULL) {
    free(seen);
    free(order);
    return NULL;
  }
  bool *named = seen; /* from here on: named so far */
  for (size_t j = 0; j < model->column_count; j++) {
    named[j] = in_objective(model, seen, j);
    if (named[j])
      order[count++] = (uint32_t)j;
  }
  if (count == 0 && model->column_count > 0) {
    order[count++] = 0;
    named[0] = true;
  }
  for (size_t e = 0; e < model->entry_count; e++) {
    uint32_t j = model->entries[e].column;
    if (!named[j])
      order[count++] = j;
    named[j] = true;
  }
  free(named);
  return order;
}

static void write_row(const struct wb_linear_model *model, size_t r, const char *suffix,
                      const char *sense, double side, struct wb_text *text)
{
  struct line line = {text, text->length};
  wb_text_format(text, " %s%s:", wb_linear_row_name(model, r), suffix);
  size_t end = wb_linear_row_end(model, r);
  for (size_t e = model->rows[r].first; e < end; e++) {
    const struct wb_linear_entry *entry = &model->entries[e];
    write_term(entry->value, wb_linear_column_name(model, entry->column), e == model->rows[r].first,
               &line);
  }
  if (end == model->rows[r].first && model->column_count > 0)
    write_term(0, wb_linear_column_name(model, 0), true, &line);
  wb_text_format(text, " %s ", sense);
  write_number(side, text);
  wb_text_string(text, "\n");
}

static bool is_binary(const struct wb_linear_column *column)
{
  return column->integer && column->lower == 0 && column->upper == 1;
}

static void write_integers(const struct wb_linear_model *model, bool binary, struct wb_text *text)
{
  struct line line = {text, text->length};
  bool any = false;
  for (size_t j = 0; j < model->column_count && !text->failed; j++) {
    if (!model->columns[j].integer || is_binary(&model->columns[j]) != binary)
      continue;
    if (!any)
      wb_text_string(text, binary ? "Binaries\n" : "Generals\n");
    any = true;
    break_line(&line);
    wb_text_format(text, " %s", wb_linear_column_name(model, j));
  }
  if (any)
    wb_text_string(text, "\n");
}

static void write_lp(const struct wb_linear_model *model, struct wb_text *text)
{
  write_title(model, '\\', text);
  write_objective(model, text);
  wb_text_string(text, "Subject To\n");
  for (size_t r = 0; r < model->row_count && !text->failed; r++) {
    const struct wb_linear_row *row = &model->rows[r];
    if (row->lower == row->upper) {
      write_row(model, r, "", "=", row->lower, text);
      continue;
    }
    if (isfinite(row->lower))
      write_row(model, r, "", ">=", row->lower, text);
    if (isfinite(row->upper))
      write_row(model, r, isfinite(row->lower) ? "_upper" : "", "<=", row->upper, text);
  }
  /* All bounds but those that the format takes for granted. */
  bool any = false;
  for (size_t j = 0; j < model->column_count && !text->failed; j++) {
    const struct wb_linear_column *column = &model->columns[j];
    bool usual = column->lower == 0 && column->upper == INFINITY;
    if (usual || is_binary(column))
      continue;
    if (!any)
      wb_text_string(text, "Bounds\n");
    any = true;
    const char *name = wb_linear_column_name(model, j);
    bool below = isfinite(column->lower);
    bool above = isfinite(column->upper);
    if (column->lower == column->upper) {
      wb_text_format(text, " %s = ", name);
      write_number(column->lower, text);
    } else if (!below && !above) {
      wb_text_format(text, " %s free", name);
    } else {
      wb_text_string(text, " ");
      if (below)
        write_number(column->lower, text);
      else
        wb_text_string(text, "-inf");
      wb_text_format(text, " <= %s", name);
      if (above) {
        wb_text_string(text, " <= ");
        write_number(column->upper, text);
      }
    }
    wb_text_string(text, "\n");
  }
  write_integers(model, false, text);
  write_integers(model, true, text);
  wb_text_string(text, "End\n");
}

/* ---- free MPS files ---- */

#define OBJECTIVE "objective"

/* "    a b number" */
static void write_mps_line(const char *first, const char *second, double number,
                           struct wb_text *text)
{
  wb_text_format(text, "    %s %s ", first, second);
  write_number(number, text);
  wb_text_string(text, "\n");
}

static double right_side(const struct wb_linear_row *row)
{
  if (isfinite(row->lower))
    return row->lower;
  return isfinite(row->upper) ? row->upper : 0;
}

static void write_mps_columns(const struct wb_linear_model *model,
                              const struct wb_linear_arrays *entries, struct wb_text *text)
{
  wb_text_string(text, "COLUMNS\n");
  bool integer = false;
  size_t markers = 0;
  for (size_t j = 0; j < model->column_count && !text->failed; j++) {
    const struct wb_linear_column *column = &model->columns[j];
    const char *name = wb_linear_column_name(model, j);
    if (column->integer != integer)
      wb_text_format(text, "    MARKER%zu 'MARKER' '%s'\n", ++markers,
                     column->integer ? "INTORG" : "INTEND");
    integer = column->integer;
    double objective = model->maximise ? -column->objective : column->objective;
    if (objective != 0 || entries->start[j] == entries->start[j + 1])
      write_mps_line(name, OBJECTIVE, objective, text);
    for (int e = entries->start[j]; e < entries->start[j + 1]; e++)
      write_mps_line(name, wb_linear_row_name(model, (size_t)entries->row[e]), entries->value[e],
                     text);
  }
  if (integer)
    wb_text_format(text, "    MARKER%zu 'MARKER' 'INTEND'\n", ++markers);
}

static void write_mps_bound(const char *kind, const char *name, const double *number,
                            struct wb_text *text)
{
  wb_text_format(text, " %s BOUND %s", kind, name);
  if (number != NULL) {
    wb_text_string(text, " ");
    write_number(*number, text);
  }
  wb_text_string(text, "\n");
}

static void write_mps(const struct wb_linear_model *model, struct wb_text *text)
{
  struct wb_arena arena = {0};
  struct wb_linear_arrays entries;
  if (wb_linear_arrays_make(&arena, model, &entries)) {
    write_title(model, '*', text);
    if (model->maximise)
      wb_text_string(text, "* The objective is the negative of what is to be maximised.\n");
    wb_text_string(text, "NAME warpbound FREE\n");
    wb_text_string(text, "ROWS\n N " OBJECTIVE "\n");
    for (size_t r = 0; r < model->row_count && !text->failed; r++) {
      const struct wb_linear_row *row = &model->rows[r];
      char kind = isfinite(row->upper) ? 'L' : 'N';
      if (row->lower == row->upper)
        kind = 'E';
      else if (isfinite(row->lower)) /* with two different ends: G with a range */
        kind = 'G';
      wb_text_format(text, " %c %s\n", kind, wb_linear_row_name(model, r));
    }
    write_mps_columns(model, &entries, text);
    wb_text_string(text, "RHS\n");
    for (size_t r = 0; r < model->row_count && !text->failed; r++) {
      if (right_side(&model->rows[r]) != 0)
        write_mps_line("RHS", wb_linear_row_name(model, r), right_side(&model->rows[r]), text);
    }
    bool any = false;
    for (size_t r = 0; r < model->row_count && !text->failed; r++) {
      const struct wb_linear_row *row = &model->rows[r];
      if (row->lower == row->upper || !isfinite(row->lower) || !isfinite(row->upper))
        continue;
      if (!any)
        wb_text_string(text, "RANGES\n");
      any = true;
      write_mps_line("RANGE", wb_linear_row_name(model, r), row->upper - row->lower, text);
    }
    /* Both ends of every integer column, since readers differ in what they take for granted
     * there; of the others those that are not 0 and infinity. */
    wb_text_string(text, "BOUNDS\n");
    for (size_t j = 0; j < model->column_count && !text->failed; j++) {
      const struct wb_linear_column *column = &model->columns[j];
      const char *name = wb_linear_column_name(model, j);
      if (column->lower == column->upper) {
        write_mps_bound("FX", name, &column->lower, text);
        continue;
      }
      if (!isfinite(column->lower))
        write_mps_bound(isfinite(column->upper) ? "MI" : "FR", name, NULL, text);
      else if (column->lower != 0 || column->upper < 0)
        write_mps_bound("LO", name, &column->lower, text);
      if (isfinite(column->upper))
        write_mps_bound("UP", name, &column->upper, text);
      else if (column->integer && isfinite(column->lower))
        write_mps_bound("PL", name, NULL, text);
    }
    wb_text_string(text, "ENDATA\n");
  } else {
    text->failed = true;
  }
  wb_arena_free(&arena);
}

void wb_linear_write(const struct wb_linear_model *model, enum wb_linear_format format,
                     struct wb_text *text)
{
  if (format == WB_LINEAR_LP)
    write_lp(model, text);
  else
    write_mps(model, text);
}
