/* The readers of the kinds of files with measured times, and the series that they fill. */
#ifndef WB_FORMATS_SAMPLES_SAMPLES_READERS_H
#define WB_FORMATS_SAMPLES_SAMPLES_READERS_H

#include "base/hash_table.h"
#include "formats/samples/samples_file.h"

/* Most series of a file: runs or kernels, not a number of each measurement. */
#define WB_SERIES_LIMIT 10000

/* A file that is read, and the series that it fills: values by the names of their groups. Borrows
 * all but column and by_name. */
struct wb_samples_reading {
  const char *name;
  const char *text;
  size_t length;
  const struct wb_samples_choice *choice;
  struct wb_samples *samples;
  struct wb_hash_table by_name; /* series */
  size_t last;                  /* the series that was asked for last */
  size_t total;                 /* values */
  char *column;                 /* the name of the column or member; owned; NULL: none */
  const char *unit;             /* of the values; static; NULL: not said yet */
  warpbound_error *error;
};

/* Both read all values. Errors: those of wb_samples_parse. */
warpbound_status wb_samples_read_csv(struct wb_samples_reading *reading);
warpbound_status wb_samples_read_json(struct wb_samples_reading *reading);

/* The functions below name a line and a column in their errors; 0: none. */

/* The place of the series of a name, which ends at a zero in it and is made where it is new.
 * Errors: WARPBOUND_INVALID_INPUT (more than WB_SERIES_LIMIT), WARPBOUND_INTERNAL. */
warpbound_status wb_series_find(struct wb_samples_reading *reading, const char *name, size_t length,
                                size_t line, size_t column, size_t *place);

/* Appends a value, finite and at least 0. Errors: WARPBOUND_INVALID_INPUT (more than
 * WB_SAMPLES_LIMIT), WARPBOUND_INTERNAL. */
warpbound_status wb_series_add(struct wb_samples_reading *reading, size_t place, double value,
                               size_t line, size_t column);

/* Notes that `what` (a column, say) has a unit. Errors: WARPBOUND_USAGE where it is not the one
 * that is chosen, WARPBOUND_INVALID_INPUT where it is not that of earlier values. */
warpbound_status wb_samples_note_unit(struct wb_samples_reading *reading, const char *what,
                                      const char *unit, size_t line, size_t column);

#endif
