#include "formats/samples/number_text.h"

#include "base/text/ascii.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond every exponent of a double with digits of WB_NUMBER_LENGTH. */
#define EXPONENT_LIMIT 100000

/* The exponent that stands at `*at`, behind which *at then is; 0 where there is none. */
static int read_exponent(const char *text, size_t length, size_t *at)
{
  size_t end = *at;
  if (end >= length || (text[end] != 'e' && text[end] != 'E'))
    return 0;
  end++;
  const bool negative = end < length && text[end] == '-';
  end += end < length && (text[end] == '-' || text[end] == '+');
  int exponent = 0;
  const size_t first = end;
  for (; end < length && wb_is_digit(text[end]); end++)
    exponent = exponent < EXPONENT_LIMIT ? exponent * 10 + (text[end] - '0') : EXPONENT_LIMIT;
  if (end == first)
    return 0;
  *at = end;
  return negative ? -exponent : exponent;
}

size_t wb_number_read(const char *text, size_t length, double *value)
{
  /* The digits without their point, which strtod reads by the locale. */
  char plain[WB_NUMBER_LENGTH + 32];
  const bool negative = length > 0 && text[0] == '-';
  size_t at = length > 0 && (text[0] == '-' || text[0] == '+');
  size_t digits = 0;
  int decimals = 0;
  bool point = false;
  for (; at < length && (wb_is_digit(text[at]) || (text[at] == '.' && !point)); at++) {
    if (at >= WB_NUMBER_LENGTH)
      return 0;
    if (text[at] == '.') {
      point = true;
    } else {
      plain[digits++] = text[at];
      decimals += point;
    }
  }
  if (digits == 0)
    return 0;
  const int exponent = read_exponent(text, length, &at) - decimals;
  if (at > WB_NUMBER_LENGTH)
    return 0;
  snprintf(plain + digits, sizeof plain - digits, "e%d", exponent);
  const double magnitude = strtod(plain, NULL);
  *value = negative ? -magnitude : magnitude;
  return at;
}

/* Digits from `at` on, at most `most` of them. */
static size_t count_digits(const char *text, size_t length, size_t at, size_t most)
{
  size_t count = 0;
  while (count < most && at + count < length && wb_is_digit(text[at + count]))
    count++;
  return count;
}

bool wb_number_read_grouped(const char *text, size_t length, double *value, bool *certain)
{
  char plain[WB_NUMBER_LENGTH];
  size_t at = count_digits(text, length, 0, 3);
  size_t kept = at;
  size_t commas = 0;
  if (at == 0 || text[0] == '0' || length > sizeof plain)
    return false;
  memcpy(plain, text, at);
  for (; at < length && text[at] == ','; at += 4, kept += 3) {
    if (count_digits(text, length, at + 1, 4) != 3)
      return false;
    memcpy(plain + kept, text + at + 1, 3);
    commas++;
  }
  memcpy(plain + kept, text + at, length - at);
  *certain = commas > 1 || (commas == 1 && at < length);
  kept += length - at;
  return commas > 0 && (at == length || text[at] == '.') &&
         wb_number_read(plain, kept, value) == kept;
}
