/* Which columns of a table hold times, groups and units. */
#ifndef WB_FORMATS_SAMPLES_COLUMN_CHOICE_H
#define WB_FORMATS_SAMPLES_COLUMN_CHOICE_H

#include "base/status.h"
#include "formats/samples/samples_file.h"

#include <stdbool.h>
#include <stddef.h>

/* A column that is not there. */
#define WB_NO_COLUMN SIZE_MAX

/* A column as the first rows show it. */
struct wb_table_column {
  const char *name; /* NULL: the table has no header */
  bool is_number;   /* in the first row of values */
  bool is_unit;     /* the word for a unit, in that row */
  const char *unit; /* that a row under the header says; NULL: none */
};

struct wb_columns {
  size_t value;
  size_t group; /* or WB_NO_COLUMN */
  size_t unit;  /* whose cells are units; or WB_NO_COLUMN */
};

/* Chooses. Without a choice the values' is the only column of numbers, else the only one whose name
 * has a word for times, else the only one whose name says their unit. Errors: WARPBOUND_USAGE,
 * which lists the columns. */
warpbound_status wb_columns_choose(const struct wb_table_column *columns, size_t count,
                                   const struct wb_samples_choice *choice,
                                   struct wb_columns *chosen, warpbound_error *error);

/* Whether a choice is a column's number rather than its name. */
bool wb_column_is_numbered(const char *choice);

#endif
