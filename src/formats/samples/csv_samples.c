/* Measured times from comma-separated values. */
#include "formats/samples/samples_readers.h"

#include "base/memory.h"
#include "formats/csv/csv_rows.h"
#include "formats/samples/column_choice.h"
#include "formats/samples/number_text.h"
#include "formats/samples/sample_value.h"
#include "formats/samples/time_units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table that is read. */
struct table {
  struct wb_samples_reading *reading;
  struct wb_csv csv;
  struct wb_table_column *columns; /* owned, and their names */
  size_t count;                    /* of columns */
  size_t first_line;               /* of the first row */
  bool has_header;
  struct wb_columns chosen;
  size_t series;               /* where there is no column of groups */
  bool grouped;                /* commas stand between digits for certain */
  struct wb_csv_cell doubtful; /* the first number with one comma; text NULL: there is none */
  warpbound_error *error;
};

static enum wb_sample_form form_of(const struct wb_csv_cell *cell)
{
  double value;
  const char *unit;
  return wb_sample_read(cell->text, cell->length, cell->quoted, &value, &unit);
}

static warpbound_status place_at(const struct table *table, const struct wb_csv_cell *cell)
{
  return wb_samples_place(table->reading, cell->line, cell->column, table->error);
}

/* ---- the first rows ---- */

static bool is_empty(const struct wb_csv_cell *cell)
{
  return cell->length == 0 && !cell->quoted;
}

/* The cells of the row without an empty one behind a separator at its end. */
static size_t cells_of(const struct wb_csv *csv)
{
  return csv->count > 1 && is_empty(&csv->cells[csv->count - 1]) ? csv->count - 1 : csv->count;
}

/* Whether a row has a value, or what was meant as one. */
static bool has_value(const struct wb_csv *csv)
{
  for (size_t c = 0; c < csv->count; c++) {
    if (wb_sample_is_meant(form_of(&csv->cells[c])))
      return true;
  }
  return false;
}

static bool is_by_name(const char *choice)
{
  return choice != NULL && !wb_column_is_numbered(choice);
}

/* Whether what would be the header of a column of times begins as a number: more likely a damaged
 * value, of which none may be left out. */
static bool is_damaged_number(const struct table *table)
{
  double value;
  const struct wb_csv_cell *cell = &table->csv.cells[0];
  return table->count == 1 && table->reading->choice->column == NULL &&
         wb_number_read(cell->text, cell->length, &value) > 0;
}

static warpbound_status take_names(struct table *table)
{
  for (size_t c = 0; c < table->count; c++) {
    table->columns[c].name = wb_csv_copy(&table->csv.cells[c]);
    if (table->columns[c].name == NULL)
      return wb_out_of_memory(table->error);
  }
  return wb_csv_next(&table->csv, table->error);
}

/* The units that a row under the header says, as Nsight Compute writes: no row of values. */
static warpbound_status take_units(struct table *table)
{
  bool any = false;
  const struct wb_csv *csv = &table->csv;
  if (has_value(csv))
    return WARPBOUND_OK;
  for (size_t c = 0; c < csv->count && c < table->count; c++) {
    table->columns[c].unit = wb_time_unit(csv->cells[c].text, csv->cells[c].length);
    any = any || table->columns[c].unit != NULL;
  }
  return any ? wb_csv_next(&table->csv, table->error) : WARPBOUND_OK;
}

/* Reads the rows up to the first with values, which stays to be taken. */
static warpbound_status read_header(struct table *table)
{
  const struct wb_samples_choice *choice = table->reading->choice;
  warpbound_status status = wb_csv_next(&table->csv, table->error);
  if (status != WARPBOUND_OK || table->csv.count == 0)
    return status;
  table->count = cells_of(&table->csv);
  table->first_line = table->csv.cells[0].line;
  table->has_header =
      is_by_name(choice->column) || is_by_name(choice->group) || !has_value(&table->csv);
  table->columns = wb_allocate(table->count, sizeof *table->columns);
  if (table->columns == NULL)
    return wb_out_of_memory(table->error);
  if (!table->has_header)
    return WARPBOUND_OK;
  if (is_damaged_number(table))
    return wb_csv_fail(&table->csv, &table->csv.cells[0], table->error,
                       "expected a time, or the name of a column (--column says that it is one), "
                       "found '%.*s'",
                       (int)(table->csv.cells[0].length < 60 ? table->csv.cells[0].length : 60),
                       table->csv.cells[0].text);
  status = take_names(table);
  return status == WARPBOUND_OK && table->csv.count > 0 ? take_units(table) : status;
}

/* ---- columns ---- */

static warpbound_status note_column_unit(struct table *table)
{
  char what[160] = "the file";
  const struct wb_table_column *column = &table->columns[table->chosen.value];
  const char *unit = column->unit;
  if (unit == NULL && column->name != NULL)
    unit = wb_time_unit_of_name(column->name);
  if (unit == NULL)
    return WARPBOUND_OK;
  if (column->name != NULL)
    snprintf(what, sizeof what, "the column '%.100s'", column->name);
  const warpbound_status status = wb_samples_note_unit(table->reading, what, unit, table->error);
  return status == WARPBOUND_OK
             ? status
             : wb_samples_place(table->reading, table->first_line, 1, table->error);
}

/* The message of a choice that cannot be made, with the place of the first row. */
static warpbound_status place_choice(const struct table *table)
{
  const warpbound_error cause = *table->error;
  return wb_fail_at(table->error, cause.status, table->csv.name, table->first_line, 1, "%s",
                    cause.message);
}

static warpbound_status choose_columns(struct table *table)
{
  struct wb_samples_reading *reading = table->reading;
  for (size_t c = 0; c < table->csv.count && c < table->count; c++) {
    const struct wb_csv_cell *cell = &table->csv.cells[c];
    table->columns[c].is_number = wb_sample_is_meant(form_of(cell));
    table->columns[c].is_unit = wb_time_unit(cell->text, cell->length) != NULL;
  }
  warpbound_status status = wb_columns_choose(table->columns, table->count, reading->choice,
                                              &table->chosen, table->error);
  if (status == WARPBOUND_USAGE)
    return place_choice(table);
  if (status != WARPBOUND_OK || !table->has_header)
    return status;
  const char *name = table->columns[table->chosen.value].name;
  reading->column = wb_copy_text(name, strlen(name));
  return reading->column != NULL ? note_column_unit(table) : wb_out_of_memory(table->error);
}

/* ---- rows of values ---- */

static warpbound_status check_length(const struct table *table)
{
  const struct wb_csv *csv = &table->csv;
  const size_t count = csv->count;
  if (count == table->count || (count == table->count + 1 && is_empty(&csv->cells[count - 1])))
    return WARPBOUND_OK;
  return wb_csv_fail(csv, &csv->cells[0], table->error,
                     "expected %zu cell%s as in line %zu, found %zu", table->count,
                     table->count == 1 ? "" : "s", table->first_line, count);
}

static warpbound_status refuse_value(const struct table *table, const struct wb_csv_cell *cell,
                                     enum wb_sample_form form)
{
  if (form == WB_SAMPLE_EMPTY)
    return wb_csv_fail(&table->csv, cell, table->error, "expected %s, found an empty cell",
                       wb_sample_expected(form));
  return wb_csv_fail(&table->csv, cell, table->error, "expected %s, found '%.*s'",
                     wb_sample_expected(form), (int)(cell->length < 60 ? cell->length : 60),
                     cell->text);
}

static warpbound_status note_unit(struct table *table, const struct wb_csv_cell *cell,
                                  const char *unit)
{
  const warpbound_status status =
      wb_samples_note_unit(table->reading, "the file", unit, table->error);
  return status == WARPBOUND_OK ? status : place_at(table, cell);
}

/* The unit that the row's own cell says. */
static warpbound_status check_unit(struct table *table)
{
  const struct wb_csv_cell *cell = &table->csv.cells[table->chosen.unit];
  const char *unit = wb_time_unit(cell->text, cell->length);
  return unit != NULL ? note_unit(table, cell, unit)
                      : wb_csv_fail(&table->csv, cell, table->error,
                                    "expected cycles, ns, us, ms or s, found '%.*s'",
                                    (int)(cell->length < 60 ? cell->length : 60), cell->text);
}

static warpbound_status read_value(struct table *table, double *value)
{
  const char *unit;
  const struct wb_csv_cell *cell = &table->csv.cells[table->chosen.value];
  const enum wb_sample_form form =
      wb_sample_read(cell->text, cell->length, cell->quoted, value, &unit);
  if (form > WB_SAMPLE_ONE_COMMA)
    return refuse_value(table, cell, form);
  if (form == WB_SAMPLE_GROUPED)
    table->grouped = true;
  else if (form == WB_SAMPLE_ONE_COMMA && table->doubtful.text == NULL)
    table->doubtful = *cell;
  if (unit != NULL)
    return note_unit(table, cell, unit);
  return table->chosen.unit != WB_NO_COLUMN ? check_unit(table) : WARPBOUND_OK;
}

/* The series of a row. */
static warpbound_status find_series(struct table *table, size_t *series)
{
  if (table->chosen.group == WB_NO_COLUMN) {
    *series = table->series;
    return WARPBOUND_OK;
  }
  struct wb_series_builder *builder = &table->reading->builder;
  const struct wb_csv_cell *cell = &table->csv.cells[table->chosen.group];
  char *name = cell->doubled ? wb_csv_copy(cell) : NULL;
  if (cell->doubled && name == NULL)
    return wb_out_of_memory(table->error);
  const warpbound_status status =
      wb_series_find(builder, name != NULL ? name : cell->text,
                     name != NULL ? strlen(name) : cell->length, series, table->error);
  free(name);
  return status == WARPBOUND_OK ? status : place_at(table, cell);
}

static warpbound_status read_row(struct table *table)
{
  double value = 0;
  size_t series = 0;
  warpbound_status status = check_length(table);
  if (status == WARPBOUND_OK)
    status = read_value(table, &value);
  if (status == WARPBOUND_OK)
    status = find_series(table, &series);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_series_add(&table->reading->builder, series, value, table->error);
  return status == WARPBOUND_OK ? status : place_at(table, &table->csv.cells[table->chosen.value]);
}

static warpbound_status read_rows(struct table *table)
{
  warpbound_status status = WARPBOUND_OK;
  if (table->chosen.group == WB_NO_COLUMN)
    status = wb_series_find(&table->reading->builder, "", 0, &table->series, table->error);
  while (status == WARPBOUND_OK && table->csv.count > 0) {
    status = read_row(table);
    if (status == WARPBOUND_OK)
      status = wb_csv_next(&table->csv, table->error);
  }
  return status;
}

/* Whether the column is of Nsight Compute, whose commas always stand between thousands. */
static bool is_of_profiler(const struct table *table)
{
  bool metric = false;
  bool kernel = false;
  for (size_t c = 0; c < table->count && table->has_header; c++) {
    metric = metric || strcmp(table->columns[c].name, "Metric Value") == 0;
    kernel = kernel || strcmp(table->columns[c].name, "Kernel Name") == 0;
  }
  return metric || kernel;
}

static warpbound_status check_commas(const struct table *table)
{
  if (table->doubtful.text == NULL || table->grouped || is_of_profiler(table))
    return WARPBOUND_OK;
  return refuse_value(table, &table->doubtful, WB_SAMPLE_ONE_COMMA);
}

static void free_table(struct table *table)
{
  for (size_t c = 0; table->columns != NULL && c < table->count; c++)
    free((char *)table->columns[c].name);
  free(table->columns);
  wb_csv_free(&table->csv);
}

warpbound_status wb_samples_read_csv(struct wb_samples_reading *reading, warpbound_error *error)
{
  struct table table = {.reading = reading, .error = error};
  wb_csv_start(&table.csv, reading->name, reading->text, reading->length);
  warpbound_status status = read_header(&table);
  if (status == WARPBOUND_OK && table.csv.count > 0)
    status = choose_columns(&table);
  if (status == WARPBOUND_OK && table.csv.count > 0)
    status = read_rows(&table);
  if (status == WARPBOUND_OK)
    status = check_commas(&table);
  free_table(&table);
  return status;
}
