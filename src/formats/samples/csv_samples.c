/* Measured times from comma-separated values: which columns hold times, groups and units, and the
 * rows of values. */
#include "formats/samples/samples_file.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "formats/csv/csv_rows.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns that a message lists. */
#define MOST_LISTED 20
/* A column that is not there. */
#define NO_COLUMN SIZE_MAX

/* ---- tables ---- */

/* A column as the first rows show it. */
struct column {
  char *name;       /* owned; NULL: the table has no header */
  bool is_number;   /* in the first row of values */
  bool is_unit;     /* the word for a unit, in that row */
  const char *unit; /* that a row under the header says; NULL: none */
};

/* A table that is read. */
struct table {
  struct wb_samples_reading *reading;
  struct wb_csv csv;
  struct column *columns; /* owned */
  size_t count;           /* of columns */
  size_t first_line;      /* of the first row */
  bool has_header;
  size_t value, group, unit;   /* columns: of times; of groups and units, or NO_COLUMN */
  size_t series;               /* where there is no column of groups */
  bool grouped;                /* commas stand between digits for certain */
  struct wb_csv_cell doubtful; /* the first number with one comma; text NULL: there is none */
  warpbound_error *error;
};

/* Whether a choice is a column's number rather than its name. */
static bool is_numbered(const char *choice)
{
  const size_t length = strlen(choice);
  return length > 0 && length < 7 && strspn(choice, "0123456789") == length;
}

/* ---- the choice of columns ---- */

/* "PREFIX; the columns are 'a', 'b'". */
static warpbound_status refuse(const struct table *table, const char *prefix)
{
  struct wb_text list = {0};
  for (size_t c = 0; c < table->count && c < MOST_LISTED; c++) {
    wb_text_string(&list, c > 0 ? ", " : "");
    if (table->columns[c].name != NULL)
      wb_text_format(&list, "'%.40s'", table->columns[c].name);
    else
      wb_text_format(&list, "%zu", c + 1);
  }
  if (table->count > MOST_LISTED)
    wb_text_format(&list, " and %zu more", table->count - MOST_LISTED);
  const warpbound_status status =
      list.failed ? wb_out_of_memory(table->error)
                  : wb_fail(table->error, WARPBOUND_USAGE, "%.180s; the columns are %.300s", prefix,
                            list.data != NULL ? list.data : "none");
  wb_text_free(&list);
  return status;
}

/* The column of a name, with its unit in brackets or without, or of a number from 1. */
static warpbound_status find_column(const struct table *table, const char *option,
                                    const char *choice, size_t *place)
{
  size_t found = 0;
  for (size_t c = 0; c < table->count; c++) {
    const char *name = table->columns[c].name;
    const size_t bare = name != NULL ? wb_time_name_length(name) : 0;
    if (name != NULL && (strcmp(name, choice) == 0 || (strlen(choice) == bare && bare > 0 &&
                                                       strncmp(name, choice, bare) == 0))) {
      *place = c;
      found++;
    }
  }
  if (found == 0 && is_numbered(choice)) {
    const unsigned long number = strtoul(choice, NULL, 10);
    *place = number - 1;
    found = number >= 1 && number <= table->count;
  }
  if (found == 1)
    return WARPBOUND_OK;
  char hint[WB_HINT_SIZE];
  struct wb_text prefix = {0};
  struct wb_nearest nearest = wb_nearest_start(choice);
  for (size_t c = 0; c < table->count && table->columns[c].name != NULL; c++)
    wb_nearest_offer(&nearest, table->columns[c].name);
  if (found > 0)
    wb_text_format(&prefix, "--%s: expected the name of one column, found '%.60s' of %zu", option,
                   choice, found);
  else
    wb_text_format(&prefix, "--%s: there is no column '%.60s'%s", option, choice,
                   wb_nearest_hint(&nearest, "", hint));
  const warpbound_status status =
      prefix.failed ? wb_out_of_memory(table->error) : refuse(table, prefix.data);
  wb_text_free(&prefix);
  return status;
}

/* Whether a name has one of the words for times, in any case. */
static bool has_time_word(const char *name)
{
  static const char words[] = " time times duration durations elapsed latency latencies runtime "
                              "cycles clocks sample samples measurement measurements value values ";
  while (*name != '\0') {
    char word[20] = " ";
    size_t length = 0;
    while (*name != '\0' && !wb_is_letter(*name))
      name++;
    for (; wb_is_letter(name[length]); length++) {
      if (length < sizeof word - 3)
        word[length + 1] = wb_small_letter(name[length]);
    }
    if (length > 0 && length < sizeof word - 3) {
      word[length + 1] = ' ';
      word[length + 2] = '\0';
      if (strstr(words, word) != NULL)
        return true;
    }
    name += length;
  }
  return false;
}

/* What a column shows of holding times. */
enum { ANY = 0, NAMED_AS_TIME = 1, HAS_UNIT = 2 };

/* Chooses the only column of numbers, else the only one whose name has a word for times, else the
 * only one whose name says their unit. */
static warpbound_status guess_column(struct table *table)
{
  /* Each rule is for where none before it found any, or found several. */
  static const struct {
    unsigned shows;
    bool narrows;
  } rules[] = {
      {ANY, true}, {NAMED_AS_TIME, true}, {NAMED_AS_TIME | HAS_UNIT, true}, {HAS_UNIT, false}};
  bool several = false;
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
    size_t found = 0;
    if (r > 1 && several != rules[r].narrows)
      continue;
    for (size_t c = 0; c < table->count; c++) {
      const struct column *column = &table->columns[c];
      const char *name = column->name;
      const bool is_time = name != NULL && has_time_word(name);
      const bool has_unit = column->unit != NULL || (name != NULL && wb_time_unit_of_name(name));
      const unsigned shows = (is_time ? NAMED_AS_TIME : 0) | (has_unit ? HAS_UNIT : 0);
      if (column->is_number && c != table->group && (~shows & rules[r].shows) == 0) {
        table->value = c;
        found++;
      }
    }
    if (found == 1)
      return WARPBOUND_OK;
    if (r == 0 && found == 0)
      return refuse(table, "there is no column of numbers");
    several = r > 0 && found > 1;
  }
  return refuse(table, "several columns hold numbers: --column says which the times are");
}

/* ---- the first rows ---- */

static enum wb_sample_form form_of(const struct wb_csv_cell *cell)
{
  double value;
  const char *unit;
  return wb_sample_read(cell->text, cell->length, cell->quoted, &value, &unit);
}

static bool is_empty(const struct wb_csv_cell *cell)
{
  return cell->length == 0 && !cell->quoted;
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
  return choice != NULL && !is_numbered(choice);
}

/* Reads the rows up to the first with values, which stays to be taken. */
static warpbound_status read_header(struct table *table)
{
  const struct wb_samples_choice *choice = table->reading->choice;
  double number;
  warpbound_status status = wb_csv_next(&table->csv, table->error);
  if (status != WARPBOUND_OK || table->csv.count == 0)
    return status;
  const struct wb_csv_cell *first = &table->csv.cells[0];
  /* Without an empty cell behind a separator at the row's end. */
  table->count = table->csv.count;
  table->count -= table->count > 1 && is_empty(&table->csv.cells[table->count - 1]);
  table->first_line = first->line;
  table->has_header =
      is_by_name(choice->column) || is_by_name(choice->group) || !has_value(&table->csv);
  table->columns = wb_allocate(table->count, sizeof *table->columns);
  if (table->columns == NULL)
    return wb_out_of_memory(table->error);
  if (!table->has_header)
    return WARPBOUND_OK;
  /* What would be the header of a column of times and begins as a number is more likely a damaged
   * value, of which none may be left out. */
  if (table->count == 1 && choice->column == NULL &&
      wb_number_read(first->text, first->length, &number) > 0)
    return wb_csv_fail(&table->csv, first, table->error,
                       "expected a time, or the name of a column (--column says that it is one), "
                       "found '%.*s'",
                       (int)(first->length < 60 ? first->length : 60), first->text);
  for (size_t c = 0; c < table->count; c++) {
    table->columns[c].name = wb_csv_copy(&table->csv.cells[c]);
    if (table->columns[c].name == NULL)
      return wb_out_of_memory(table->error);
  }
  status = wb_csv_next(&table->csv, table->error);
  if (!(status == WARPBOUND_OK && table->csv.count > 0))
    return status;
  /* The units that a row under the header says, as Nsight Compute writes: no row of values. */
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

/* ---- columns ---- */

static warpbound_status choose_columns(struct table *table)
{
  struct wb_samples_reading *reading = table->reading;
  for (size_t c = 0; c < table->csv.count && c < table->count; c++) {
    const struct wb_csv_cell *cell = &table->csv.cells[c];
    table->columns[c].is_number = wb_sample_is_meant(form_of(cell));
    table->columns[c].is_unit = wb_time_unit(cell->text, cell->length) != NULL;
  }
  /* The columns of values, groups and units, by the choice or by what they look like. */
  const struct wb_samples_choice *choice = table->reading->choice;
  warpbound_status status = WARPBOUND_OK;
  table->value = table->group = table->unit = NO_COLUMN;
  if (choice->group != NULL)
    status = find_column(table, "group", choice->group, &table->group);
  if (status == WARPBOUND_OK)
    status = choice->column != NULL ? find_column(table, "column", choice->column, &table->value)
                                    : guess_column(table);
  if (status == WARPBOUND_OK && table->value == table->group)
    status = wb_fail(table->error, WARPBOUND_USAGE,
                     "--group: expected another column than that of the times");
  /* The column whose name says that it holds units; without names, the one behind the values that
   * holds one. */
  const size_t next = table->value + 1;
  if (status == WARPBOUND_OK && next < table->count && table->columns[next].name == NULL &&
      table->columns[next].is_unit)
    table->unit = next;
  for (size_t c = 0; c < table->count && status == WARPBOUND_OK && table->unit == NO_COLUMN; c++) {
    const char *name = table->columns[c].name;
    if (name != NULL && c != table->value &&
        (wb_same_ignoring_case(name, "unit") || wb_same_ignoring_case(name, "units") ||
         wb_same_ignoring_case(name, "metric unit")))
      table->unit = c;
  }
  if (status == WARPBOUND_USAGE) {
    const warpbound_error cause = *table->error;
    return wb_fail_at(table->error, cause.status, table->csv.name, table->first_line, 1, "%s",
                      cause.message);
  }
  if (status != WARPBOUND_OK || !table->has_header)
    return status;
  const char *name = table->columns[table->value].name;
  reading->column = wb_copy_text(name, strlen(name));
  if (reading->column == NULL)
    return wb_out_of_memory(table->error);
  const char *unit = table->columns[table->value].unit;
  if (unit == NULL)
    unit = wb_time_unit_of_name(name);
  if (unit == NULL)
    return WARPBOUND_OK;
  char what[160];
  snprintf(what, sizeof what, "the column '%.100s'", name);
  return wb_samples_note_unit(reading, what, unit, table->first_line, 1);
}

/* ---- rows of values ---- */

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

static warpbound_status note_unit(const struct table *table, const struct wb_csv_cell *cell,
                                  const char *unit)
{
  return wb_samples_note_unit(table->reading, "the file", unit, cell->line, cell->column);
}

static warpbound_status read_value(struct table *table, double *value)
{
  const char *unit;
  const struct wb_csv_cell *cell = &table->csv.cells[table->value];
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
  if (table->unit == NO_COLUMN)
    return WARPBOUND_OK;
  cell = &table->csv.cells[table->unit]; /* the unit that the row's own cell says */
  unit = wb_time_unit(cell->text, cell->length);
  return unit != NULL ? note_unit(table, cell, unit)
                      : wb_csv_fail(&table->csv, cell, table->error,
                                    "expected cycles, ns, us, ms or s, found '%.*s'",
                                    (int)(cell->length < 60 ? cell->length : 60), cell->text);
}

static warpbound_status read_row(struct table *table)
{
  double value = 0;
  size_t series = table->series;
  const struct wb_csv *csv = &table->csv;
  const bool fits = csv->count == table->count ||
                    (csv->count == table->count + 1 && is_empty(&csv->cells[csv->count - 1]));
  if (!fits)
    return wb_csv_fail(csv, &csv->cells[0], table->error,
                       "expected %zu cell%s as in line %zu, found %zu", table->count,
                       table->count == 1 ? "" : "s", table->first_line, csv->count);
  warpbound_status status = read_value(table, &value);
  if (status == WARPBOUND_OK && table->group != NO_COLUMN) {
    const struct wb_csv_cell *cell = &csv->cells[table->group];
    char *copy = cell->doubled ? wb_csv_copy(cell) : NULL;
    if (cell->doubled && copy == NULL)
      return wb_out_of_memory(table->error);
    status = wb_series_find(table->reading, copy != NULL ? copy : cell->text,
                            copy != NULL ? strlen(copy) : cell->length, cell->line, cell->column,
                            &series);
    free(copy);
  }
  const struct wb_csv_cell *cell = &csv->cells[table->value];
  return status == WARPBOUND_OK
             ? wb_series_add(table->reading, series, value, cell->line, cell->column)
             : status;
}

warpbound_status wb_samples_read_csv(struct wb_samples_reading *reading)
{
  warpbound_error *const error = reading->error;
  /* A byte order mark of UTF-8, which some editors put before a text. */
  const bool marked = reading->length >= 3 && memcmp(reading->text, "\xef\xbb\xbf", 3) == 0;
  const char *text = reading->text + (marked ? 3 : 0);
  struct table table = {.reading = reading,
                        .csv = {.name = reading->name,
                                .at = text,
                                .end = reading->text + reading->length,
                                .line_start = text,
                                .line = 1},
                        .error = error};
  wb_csv_skip_preamble(&table.csv);
  table.csv.separator = wb_csv_separator(table.csv);
  warpbound_status status = read_header(&table);
  if (status == WARPBOUND_OK && table.csv.count > 0)
    status = choose_columns(&table);
  if (status == WARPBOUND_OK && table.csv.count > 0 && table.group == NO_COLUMN)
    status = wb_series_find(reading, "", 0, 0, 0, &table.series);
  while (status == WARPBOUND_OK && table.csv.count > 0) {
    status = read_row(&table);
    if (status == WARPBOUND_OK)
      status = wb_csv_next(&table.csv, error);
  }
  if (status == WARPBOUND_OK) {
    /* A number with one comma is refused, unless another shows that it stands between thousands, or
     * the column is of Nsight Compute, whose commas always do. */
    bool certain = table.doubtful.text == NULL || table.grouped;
    for (size_t c = 0; c < table.count && table.has_header; c++)
      certain = certain || strcmp(table.columns[c].name, "Metric Value") == 0 ||
                strcmp(table.columns[c].name, "Kernel Name") == 0;
    status = certain ? WARPBOUND_OK : refuse_value(&table, &table.doubtful, WB_SAMPLE_ONE_COMMA);
  }
  for (size_t c = 0; table.columns != NULL && c < table.count; c++)
    free(table.columns[c].name);
  free(table.columns);
  free(table.csv.cells);
  return status;
}
