/* Files of measured times (doc/measured/evt.md, "Samples"): comma-separated values, or JSON. */
#ifndef WB_FORMATS_SAMPLES_SAMPLES_FILE_H
#define WB_FORMATS_SAMPLES_SAMPLES_FILE_H

#include "base/status.h"
#include "evt/samples/samples.h"

#include <stddef.h>

/* Which values of a file are meant. Texts are borrowed; NULL: not said. */
struct wb_samples_choice {
  const char *column; /* of CSV its name, with the unit in brackets or without, or its number from
                         1; of JSON the member's name. NULL: the only column of numbers, or the one
                         that is named as times are */
  const char *group;  /* the column, or member, whose values tell series apart */
  const char *unit;   /* of the values: cycles, ns, us, ms or s, or another word for one of these;
                         NULL: as the file says, in the column's name ("time (us)", "time_ns"), a row
                         of units under the names, a column "unit", or behind the numbers */
};

/* Reads times from a text: CSV (formats/csv/csv_rows.h; a header or none), or JSON: an array of
 * numbers; an array of objects; an object whose members are arrays, each a series by its name (its
 * other members are left alone but "unit"). The unit is cycles, ns, us, ms or s; samples->unit is
 * NULL where neither file nor choice says it. A number with a comma between each three digits, as
 * Nsight Compute writes, is read from quoted cells where the column, or the header, shows that no
 * decimal comma is meant. Values that are no number, not finite or negative, missing cells, rows
 * of another length, two units, and files without values are errors that name line and column; of
 * JSON with objects the member. The caller frees *samples. Errors: WARPBOUND_INVALID_INPUT;
 * WARPBOUND_USAGE where several columns could be meant, listing them, or where the file says
 * another unit; WARPBOUND_INTERNAL. Linear; memory beside the values is a small multiple of the
 * text for JSON with objects, else constant. */
warpbound_status wb_samples_parse(const char *name, const char *text, size_t length,
                                  const struct wb_samples_choice *choice,
                                  struct wb_samples *samples, warpbound_error *error);

#endif
