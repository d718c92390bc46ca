#include "formats/samples/number_text.h"

#include "base/text/ascii.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits that 64 bits hold, whatever they are. */
#define WORD_DIGITS 19
/* Beyond every exponent of a double with digits of WB_NUMBER_LENGTH. */
#define EXPONENT_LIMIT 100000

/* A number as it is written: digits times 10 to the exponent. */
struct decimal {
  bool negative;
  uint64_t digits;   /* the first WORD_DIGITS significant ones */
  size_t count;      /* significant digits, in all */
  size_t digit_from; /* where in the text the first significant digit stands */
  size_t digit_to;   /* behind the last digit */
  int exponent;      /* of the last digit in the text */
  size_t length;     /* in the text; 0: there is no number */
};

static void add_digit(struct decimal *number, char c, size_t at)
{
  if (number->count == 0 && c == '0')
    return;
  if (number->count == 0)
    number->digit_from = at;
  if (number->count < WORD_DIGITS)
    number->digits = number->digits * 10 + (uint64_t)(c - '0');
  number->count++;
}

/* The exponent behind the digits, if there is one. */
static void read_exponent(const char *text, size_t length, struct decimal *number)
{
  size_t at = number->length;
  if (at >= length || (text[at] != 'e' && text[at] != 'E'))
    return;
  at++;
  const bool negative = at < length && text[at] == '-';
  at += at < length && (text[at] == '-' || text[at] == '+');
  int exponent = 0;
  const size_t first = at;
  for (; at < length && wb_is_digit(text[at]); at++)
    exponent = exponent < EXPONENT_LIMIT ? exponent * 10 + (text[at] - '0') : EXPONENT_LIMIT;
  if (at == first)
    return;
  number->exponent += negative ? -exponent : exponent;
  number->length = at;
}

static struct decimal read_decimal(const char *text, size_t length)
{
  struct decimal number = {0};
  size_t at = length > 0 && (text[0] == '-' || text[0] == '+');
  bool any = false;
  number.negative = at > 0 && text[0] == '-';
  for (; at < length && wb_is_digit(text[at]); at++) {
    any = true;
    add_digit(&number, text[at], at);
  }
  if (at < length && text[at] == '.') {
    const size_t point = at++;
    for (; at < length && wb_is_digit(text[at]); at++) {
      any = true;
      add_digit(&number, text[at], at);
    }
    number.exponent = at - point <= WB_NUMBER_LENGTH ? -(int)(at - point - 1) : 0;
  }
  number.digit_to = at;
  number.length = any ? at : 0;
  if (any)
    read_exponent(text, length, &number);
  if (number.length > WB_NUMBER_LENGTH)
    number.length = 0;
  return number;
}

/* By strtod, of the digits without their point, which is a matter of the locale. */
static double round_slowly(const char *text, const struct decimal *number)
{
  char plain[WB_NUMBER_LENGTH + 32];
  size_t length = 0;
  for (size_t at = number->digit_from; at < number->digit_to; at++) {
    if (text[at] != '.')
      plain[length++] = text[at];
  }
  snprintf(plain + length, sizeof plain - length, "e%d", number->exponent);
  return strtod(plain, NULL);
}

static double round_number(const char *text, const struct decimal *number)
{
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const int most = (int)(sizeof powers / sizeof *powers) - 1;
  if (number->digits == 0)
    return 0;
  /* Both are doubles without error, so that the one operation rounds correctly. */
  if (number->count <= WORD_DIGITS && number->digits <= (UINT64_C(1) << 53) &&
      number->exponent >= -most && number->exponent <= most)
    return number->exponent < 0 ? (double)number->digits / powers[-number->exponent]
                                : (double)number->digits * powers[number->exponent];
  return round_slowly(text, number);
}

size_t wb_number_read(const char *text, size_t length, double *value)
{
  const struct decimal number = read_decimal(text, length);
  if (number.length == 0)
    return 0;
  const double magnitude = round_number(text, &number);
  *value = number.negative ? -magnitude : magnitude;
  return number.length;
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
