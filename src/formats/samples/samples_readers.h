/* The readers of the kinds of files with measured times. */
#ifndef WB_FORMATS_SAMPLES_SAMPLES_READERS_H
#define WB_FORMATS_SAMPLES_SAMPLES_READERS_H

#include "formats/samples/samples_file.h"
#include "formats/samples/series_builder.h"

/* A file that is read. Borrows all but `column`. */
struct wb_samples_reading {
  const char *name;
  const char *text;
  size_t length;
  const struct wb_samples_choice *choice;
  struct wb_series_builder builder;
  char *column;     /* the name of the column or member; owned; NULL: none */
  const char *unit; /* of the values; static; NULL: not said yet */
};

/* Both read all values into the builder's series. Errors: those of wb_samples_parse. */
warpbound_status wb_samples_read_csv(struct wb_samples_reading *reading, warpbound_error *error);
warpbound_status wb_samples_read_json(struct wb_samples_reading *reading, warpbound_error *error);

/* Notes that `what` (a column, say) has a unit. Errors, without a place: WARPBOUND_USAGE where it
 * is not the one that is chosen, WARPBOUND_INVALID_INPUT where it is not that of earlier values. */
warpbound_status wb_samples_note_unit(struct wb_samples_reading *reading, const char *what,
                                      const char *unit, warpbound_error *error);

/* Gives a failure that has no place a place in the file; wrong usage has none. Returns its status.
 */
warpbound_status wb_samples_place(const struct wb_samples_reading *reading, size_t line,
                                  size_t column, warpbound_error *error);

#endif
