/* Files of measured times (doc/evt.md, "Samples"): comma-separated values, or JSON. */
#ifndef WB_FORMATS_SAMPLES_SAMPLES_FILE_H
#define WB_FORMATS_SAMPLES_SAMPLES_FILE_H

#include "base/status.h"
#include "evt/samples/samples.h"

#include <stddef.h>

/* Which values of a file are meant. Texts are borrowed; NULL: not said. */
struct wb_samples_choice {
  const char *column; /* of CSV its name, or its number from 1; of JSON the member's name. NULL: the
                         only column of numbers, or the one that is named as times are */
  const char *group;  /* the column, or member, whose values tell series apart */
  const char *unit;   /* of the values; NULL: as the column's name says, "time (us)" or "time_ns" */
};

/* Reads times from a text: CSV (RFC 4180; separators ',' ';' tab or blanks; a header or none; '#'
 * begins a comment line; a byte order mark is skipped), or JSON (an array of numbers; an array of
 * objects; an object whose members are arrays: of each series by its name). Values that are no
 * number, not finite or negative, missing cells, and files without values are errors that name
 * line and column. The caller frees *samples. Errors: WARPBOUND_INVALID_INPUT; WARPBOUND_USAGE
 * where several columns could be meant, listing them; WARPBOUND_INTERNAL. Linear; memory is a fixed
 * multiple of the text. */
warpbound_status wb_samples_parse(const char *name, const char *text, size_t length,
                                  const struct wb_samples_choice *choice,
                                  struct wb_samples *samples, warpbound_error *error);

#endif
