/* A time as a file's text says it: a number, perhaps with a unit behind it. */
#ifndef WB_FORMATS_SAMPLES_SAMPLE_VALUE_H
#define WB_FORMATS_SAMPLES_SAMPLE_VALUE_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
