#include "isa/decoder/word_numbers.h"

#include <stdbool.h>

char *wb_print_decimal(char *to, uint64_t number)
{
  char digits[20];
  unsigned count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (count > 0)
    *to++ = digits[--count];
  return to;
}

char *wb_print_hexadecimal(char *to, uint64_t number)
{
  unsigned shift = 0;
  while (shift < 60 && number >> (shift + 4) > 0)
    shift += 4;
  *to++ = '0';
  *to++ = 'x';
  for (;; shift -= 4) {
    *to++ = "0123456789abcdef"[number >> shift & 15];
    if (shift == 0)
      return to;
  }
}

/* How a format of floating-point numbers is laid out, and how it is printed. */
struct format {
  unsigned fraction_bits;
  unsigned exponent_bits;
  unsigned digits; /* significant ones */
  bool signalling; /* signalling NaNs have a name of their own */
};

/* A number in decimal digits, all of them: 0.d1d2d3... times ten to the power of `point`. */
struct decimal {
  char digits[1200];
  unsigned count;
  int point;
};

enum { LIMBS = 160, POINT = 40, LIMB = 1000000000 };

/* Multiplies a number in limbs of nine digits, the most significant first, from *first up to
 * `end`, by two to the power of `shift` (at most 29). */
static void shift_left(uint32_t limbs[LIMBS], unsigned *first, unsigned end, unsigned shift)
{
  uint64_t carry = 0;
  for (unsigned i = end; i-- > *first;) {
    uint64_t value = ((uint64_t)limbs[i] << shift) + carry;
    limbs[i] = (uint32_t)(value % LIMB);
    carry = value / LIMB;
  }
  if (carry > 0)
    limbs[--*first] = (uint32_t)carry;
}

/* Divides it by two to the power of `shift` (at most 9), exactly. */
static void shift_right(uint32_t limbs[LIMBS], unsigned first, unsigned *end, unsigned shift)
{
  uint32_t rest = 0;
  for (unsigned i = first; i < *end; i++) {
    uint32_t value = limbs[i];
    limbs[i] = (value >> shift) + rest;
    rest = (value & ((1U << shift) - 1)) * (LIMB >> shift);
  }
  if (rest > 0)
    limbs[(*end)++] = rest;
}

/* significand (not 0) times two to the power of `exponent`. */
static void expand(uint64_t significand, int exponent, struct decimal *decimal)
{
  uint32_t limbs[LIMBS] = {0};
  unsigned first = POINT, end = POINT;
  for (; significand > 0; significand /= LIMB)
    limbs[--first] = (uint32_t)(significand % LIMB);
  for (; exponent > 0; exponent -= exponent < 29 ? exponent : 29)
    shift_left(limbs, &first, end, exponent < 29 ? (unsigned)exponent : 29);
  for (; exponent<0; exponent += exponent> - 9 ? -exponent : 9)
    shift_right(limbs, first, &end, exponent > -9 ? (unsigned)-exponent : 9);

  decimal->count = 0;
  decimal->point = 9 * (int)(POINT - first);
  for (unsigned i = first; i < end; i++) {
    for (uint32_t unit = LIMB / 10; unit > 0; unit /= 10) {
      char digit = (char)('0' + limbs[i] / unit % 10);
      if (decimal->count > 0 || digit != '0')
        decimal->digits[decimal->count++] = digit;
      else
        decimal->point--;
    }
  }
}

static void drop_zeros(struct decimal *decimal)
{
  while (decimal->count > 0 && decimal->digits[decimal->count - 1] == '0')
    decimal->count--;
}

/* Whether what is behind the first `count` digits rounds them up: to nearest, ties to even. */
static bool rounds_up(const struct decimal *decimal, unsigned count)
{
  if (decimal->digits[count] != '5')
    return decimal->digits[count] > '5';
  for (unsigned i = count + 1; i < decimal->count; i++) {
    if (decimal->digits[i] != '0')
      return true;
  }
  return (decimal->digits[count - 1] - '0') % 2 != 0;
}

static void round_to(struct decimal *decimal, unsigned count)
{
  if (decimal->count <= count)
    return;
  bool up = rounds_up(decimal, count);
  decimal->count = count;
  while (up && decimal->count > 0) {
    char *last = &decimal->digits[decimal->count - 1];
    up = *last == '9';
    if (up)
      decimal->count--;
    else
      ++*last;
  }
  if (up) {
    decimal->digits[decimal->count++] = '1';
    decimal->point++;
  }
}

static char *print_digits(char *to, const struct decimal *decimal, unsigned from, unsigned count)
{
  for (unsigned i = from; i < from + count; i++)
    *to++ = i < decimal->count ? decimal->digits[i] : '0';
  return to;
}

/* d.ddde+10, with `fraction` digits behind the point. */
static char *print_scientific(char *to, const struct decimal *decimal, unsigned fraction)
{
  int exponent = decimal->point - 1;
  to = print_digits(to, decimal, 0, 1);
  if (fraction > 0) {
    *to++ = '.';
    to = print_digits(to, decimal, 1, fraction);
  }
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
  if (magnitude < 10)
    *to++ = '0';
  return wb_print_decimal(to, magnitude);
}

/* As %g of C prints a number of few digits. */
static char *print_general(char *to, const struct decimal *decimal, unsigned digits)
{
  if (decimal->point <= -4 || decimal->point > (int)digits)
    return print_scientific(to, decimal, decimal->count - 1);
  if (decimal->point > 0)
    to = print_digits(to, decimal, 0, (unsigned)decimal->point);
  else
    *to++ = '0';
  unsigned before = decimal->point > 0 ? (unsigned)decimal->point : 0;
  if (decimal->count <= before)
    return to;
  *to++ = '.';
  for (int i = decimal->point; i < 0; i++)
    *to++ = '0';
  return print_digits(to, decimal, before, decimal->count - before);
}

static char *print_string(char *to, const char *string)
{
  while (*string != '\0')
    *to++ = *string++;
  return to;
}

static char *print_special(char *to, const struct format *format, uint64_t fraction)
{
  if (fraction == 0)
    return print_string(to, "INF ");
  bool quiet = fraction >> (format->fraction_bits - 1) != 0;
  return print_string(to, quiet || !format->signalling ? "QNAN " : "SNAN ");
}

/* Numbers with more digits before the point are printed with all digits and an exponent. */
static const int integer_digits = 9;

static char *print_float(char *to, const struct format *format, uint64_t bits)
{
  uint64_t fraction = bits & (((uint64_t)1 << format->fraction_bits) - 1);
  unsigned exponent_mask = (1U << format->exponent_bits) - 1;
  unsigned exponent = (unsigned)(bits >> format->fraction_bits) & exponent_mask;
  bool negative = bits >> (format->fraction_bits + format->exponent_bits) != 0;
  if (exponent == exponent_mask) {
    *to++ = negative ? '-' : '+';
    return print_special(to, format, fraction);
  }
  if (negative)
    *to++ = '-';
  if (exponent == 0 && fraction == 0)
    return print_string(to, negative ? "0.0 " : "0");
  if (exponent == 0)
    exponent = 1;
  else
    fraction |= (uint64_t)1 << format->fraction_bits;
  int bias = (int)(exponent_mask / 2 + format->fraction_bits);
  struct decimal decimal;
  expand(fraction, (int)exponent - bias, &decimal);
  if (decimal.point > integer_digits) {
    round_to(&decimal, format->digits + 1);
    return print_scientific(to, &decimal, format->digits);
  }
  round_to(&decimal, format->digits);
  drop_zeros(&decimal);
  return print_general(to, &decimal, format->digits);
}

char *wb_print_half(char *to, uint32_t bits)
{
  static const struct format half = {10, 5, 20, false};
  return print_float(to, &half, bits & 0xffff);
}

char *wb_print_single(char *to, uint32_t bits)
{
  static const struct format single = {23, 8, 20, false};
  return print_float(to, &single, bits);
}

char *wb_print_double(char *to, uint32_t upper_bits)
{
  static const struct format double_precision = {52, 11, 20, true};
  return print_float(to, &double_precision, (uint64_t)upper_bits << 32);
}
