/* Decimal numbers in texts: rounded correctly, and the same in every locale. */
#ifndef WB_FORMATS_SAMPLES_NUMBER_TEXT_H
#define WB_FORMATS_SAMPLES_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
