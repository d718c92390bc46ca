/* Files of measured times (doc/measured/evt.md, "Samples"): comma-separated values, JSON, or what
 * Nsight Systems exports as SQLite. */
#ifndef WB_FORMATS_SAMPLES_SAMPLES_FILE_H
#define WB_FORMATS_SAMPLES_SAMPLES_FILE_H

#include "base/hash_table.h"
#include "base/status.h"
#include "evt/samples/samples.h"

#include <stdbool.h>
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
  size_t skip;        /* values at the begin of each series that are left out */
};

/* Reads times from a text: CSV (csv_samples.c; a header or none), or JSON: an array of
 * numbers; an array of objects; an object whose members are arrays, each a series by its name (its
 * other members are left alone but "unit"); or SQLite of Nsight Systems. The unit is cycles, ns,
 * us, ms or s; samples->unit is NULL where neither file nor choice says it. A number with a comma
 * between each three digits, as Nsight Compute writes, is read from quoted cells where the column,
 * or the header, shows that no decimal comma is meant. Values that are no number, not finite or
 * negative, missing cells, rows of another length, two units, and files without values are errors
 * that name line and column; of JSON with objects the member. The caller frees *samples. Errors:
 * WARPBOUND_INVALID_INPUT; WARPBOUND_USAGE where several columns could be meant, listing them, or
 * where the file says another unit; WARPBOUND_INTERNAL. Linear; memory beside the values is a small
 * multiple of the text for JSON with objects, else constant. */
warpbound_status wb_samples_parse(const char *name, const char *text, size_t length,
                                  const struct wb_samples_choice *choice,
                                  struct wb_samples *samples, warpbound_error *error);

/* Whether a text begins as files of SQLite do. */
bool wb_is_sqlite(const char *text, size_t length);

/* Whether a text begins with the byte order mark of UTF-16. */
bool wb_is_utf16(const char *text, size_t length);
/* Such a text in UTF-8, without the mark; the caller frees *decoded. Errors:
 * WARPBOUND_INVALID_INPUT (an odd number of bytes, half of a character of two units),
 * WARPBOUND_INTERNAL; *decoded is then NULL. Linear. */
warpbound_status wb_utf16_decode(const char *name, const char *text, size_t length, char **decoded,
                                 size_t *decoded_length, warpbound_error *error);

/* Most characters of a number. */
#define WB_NUMBER_LENGTH 800

/* Reads the number at the beginning of the text: digits with '.' before, between or behind them,
 * perhaps a sign before and an exponent behind, as "-12.5e-3". Returns its length, 0 where there is
 * none or it is longer than WB_NUMBER_LENGTH. *value is the nearest double (the even one of two),
 * INFINITY with the number's sign where it is beyond all; -0 where it is. Linear. */
size_t wb_number_read(const char *text, size_t length, double *value);

/* Reads the whole text as a number with a comma between each three digits of its whole part, as
 * "1,234,567.8". *certain is whether it can be nothing else: "1,234" may be a number with a decimal
 * comma. False where it is none. */
bool wb_number_read_grouped(const char *text, size_t length, double *value, bool *certain);

/* The unit that a word means, by its short name: "cycles", "ns", "us", "ms" or "s", as "nsecond",
 * "microseconds" and "clocks" are. Capitals count as small letters. NULL: it is none. Static. */
const char *wb_time_unit(const char *word, size_t length);

/* The unit that a column's name says: in brackets at its end, "time (us)"; as its last word,
 * "duration_ns"; or all of it, "cycles". NULL: it says none. */
const char *wb_time_unit_of_name(const char *name);

/* The length of a column's name without a unit in brackets, and blanks before that. */
size_t wb_time_name_length(const char *name);

/* Seconds of a unit by its short name; 0 for cycles. */
double wb_time_unit_seconds(const char *unit);

/* What a text is. */
enum wb_sample_form {
  WB_SAMPLE_NUMBER,
  WB_SAMPLE_GROUPED,   /* with a comma between each three digits, which can be nothing else */
  WB_SAMPLE_ONE_COMMA, /* the same with one comma, which may be a decimal one */
  WB_SAMPLE_EMPTY,
  WB_SAMPLE_NOT_FINITE, /* a word for infinity or for what is no number */
  WB_SAMPLE_TOO_LARGE,  /* beyond the largest double */
  WB_SAMPLE_NEGATIVE,
  WB_SAMPLE_COMMA, /* digits and a comma, as of a decimal comma */
  WB_SAMPLE_OTHER
};

/* Reads a time. grouping: whether commas may stand between digits. *value is set of the first three
 * forms, and not -0; *unit is the unit behind the number by its short name, NULL where there is
 * none. */
enum wb_sample_form wb_sample_read(const char *text, size_t length, bool grouping, double *value,
                                   const char **unit);

/* Whether a text of that form is meant as a value, so that its row is no header. */
bool wb_sample_is_meant(enum wb_sample_form form);

/* What was expected in place of a text that is no time, as "a number with a decimal point". */
const char *wb_sample_expected(enum wb_sample_form form);

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

/* Each reads all values. Errors: those of wb_samples_parse. */
warpbound_status wb_samples_read_csv(struct wb_samples_reading *reading);
warpbound_status wb_samples_read_json(struct wb_samples_reading *reading);
/* Of an export of Nsight Systems: nanoseconds, a series of each kernel's name, or of each value of
 * the group's column, in the order in which the launches began. Memory: 32 bytes a launch, beside
 * what SQLite keeps of the file, some megabytes. */
warpbound_status wb_samples_read_sqlite(struct wb_samples_reading *reading);

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
