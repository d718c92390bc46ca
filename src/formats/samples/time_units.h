/* Units of times, as files and people write them. */
#ifndef WB_FORMATS_SAMPLES_TIME_UNITS_H
#define WB_FORMATS_SAMPLES_TIME_UNITS_H

#include <stddef.h>

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

#endif
