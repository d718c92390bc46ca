#include "formats/samples/sample_value.h"

#include "base/text/ascii.h"
#include "formats/samples/number_text.h"
#include "formats/samples/time_units.h"

#include <math.h>
#include <string.h>

/* Words for infinity, and for what is no number, each between two blanks. */
static const char words[] =
    " nan inf infinity -nan -inf -infinity +nan +inf +infinity 1.#inf 1.#ind "
    "-1.#ind 1.#qnan ";

static bool is_word(const char *text, size_t length)
{
  char wanted[16] = " ";
  if (length == 0 || length > sizeof wanted - 3)
    return false;
  for (size_t i = 0; i < length; i++)
    wanted[i + 1] = wb_small_letter(text[i]);
  wanted[length + 1] = ' ';
  return memchr(text, ' ', length) == NULL && strstr(words, wanted) != NULL;
}

/* Of a number that is read: whether it is a time. */
static enum wb_sample_form judge(double *value, enum wb_sample_form form)
{
  if (isinf(*value))
    return *value > 0 ? WB_SAMPLE_TOO_LARGE : WB_SAMPLE_NEGATIVE;
  if (*value < 0)
    return WB_SAMPLE_NEGATIVE;
  *value = fabs(*value); /* -0 */
  return form;
}

enum wb_sample_form wb_sample_read(const char *text, size_t length, bool grouping, double *value,
                                   const char **unit)
{
  *unit = NULL;
  const size_t used = wb_number_read(text, length, value);
  if (used == length && length > 0)
    return judge(value, WB_SAMPLE_NUMBER);
  if (length == 0)
    return WB_SAMPLE_EMPTY;
  if (is_word(text, length))
    return WB_SAMPLE_NOT_FINITE;
  if (used > 0 && text[used] == ',' && used + 1 < length && wb_is_digit(text[used + 1])) {
    bool certain;
    if (!grouping || !wb_number_read_grouped(text, length, value, &certain))
      return WB_SAMPLE_COMMA;
    return judge(value, certain ? WB_SAMPLE_GROUPED : WB_SAMPLE_ONE_COMMA);
  }
  size_t behind = used;
  while (behind < length && text[behind] == ' ')
    behind++;
  *unit = used > 0 ? wb_time_unit(text + behind, length - behind) : NULL;
  return *unit != NULL ? judge(value, WB_SAMPLE_NUMBER) : WB_SAMPLE_OTHER;
}

bool wb_sample_is_meant(enum wb_sample_form form)
{
  return form != WB_SAMPLE_EMPTY && form != WB_SAMPLE_OTHER;
}

const char *wb_sample_expected(enum wb_sample_form form)
{
  switch (form) {
  case WB_SAMPLE_NOT_FINITE:
    return "a finite number";
  case WB_SAMPLE_TOO_LARGE:
    return "a number below 1.8e308";
  case WB_SAMPLE_NEGATIVE:
    return "a time of 0 or more";
  case WB_SAMPLE_ONE_COMMA:
    return "a number whose comma is no decimal one for certain";
  case WB_SAMPLE_COMMA:
    return "a number with a decimal point and without commas (tr , . makes points of them)";
  default:
    return "a time, a decimal number";
  }
}
