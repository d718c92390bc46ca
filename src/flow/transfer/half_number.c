#include "flow/transfer/half_number.h"

/* Numbers of this format are multiples of 2^-24 and below 2^16, with 11 significant bits. */
#define UNITS_OF_ONE 16777216.0
#define MOST_UNITS 1099511627776.0
#define SIGNIFICANT 2048

/* More digits than exact texts of such numbers have. */
#define MOST_DIGITS 60

struct rest {
  const char *at;
  const char *end;
};

static bool take(struct rest *rest, char c)
{
  const bool is = rest->at < rest->end && *rest->at == c;
  rest->at += is;
  return is;
}

/* Digits, continuing *number; their count. */
static int take_digits(struct rest *rest, double *number)
{
  int count = 0;
  for (; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9'; rest->at++) {
    *number = *number * 10 + (*rest->at - '0');
    count++;
  }
  return count;
}

/* The number behind an e, -99 to 99. */
static bool take_exponent(struct rest *rest, int *exponent)
{
  const bool negative = take(rest, '-');
  double number = 0;
  if (!negative)
    take(rest, '+');
  const int count = take_digits(rest, &number);
  if (count == 0 || count > 2)
    return false;
  *exponent = negative ? -(int)number : (int)number;
  return true;
}

/* A decimal number without its sign. */
static bool take_decimal(struct rest *rest, double *number)
{
  int exponent = 0;
  *number = 0;
  const int whole = take_digits(rest, number);
  const int places = take(rest, '.') ? take_digits(rest, number) : 0;
  if (whole + places == 0 || whole + places > MOST_DIGITS)
    return false;
  if (take(rest, 'e') && !take_exponent(rest, &exponent))
    return false;
  for (int i = places - exponent; i < 0; i++)
    *number *= 10;
  for (int i = places - exponent; i > 0; i--)
    *number /= 10;
  return rest->at == rest->end;
}

/* A text that is exact differs from its number by rounding here alone, far less than two numbers of
 * the format differ. */
static bool is_near(double number, double other)
{
  const double difference = number < other ? other - number : number - other;
  return difference <= other * 1e-9;
}

bool wb_half_number(const char *text, size_t length, uint32_t *bits)
{
  struct rest rest = {text, text + length};
  const bool negative = take(&rest, '-');
  double number;
  uint32_t exponent = 0;
  if (!take_decimal(&rest, &number))
    return false;
  const double units = number * UNITS_OF_ONE;
  if (!(units < MOST_UNITS))
    return false;
  double scaled = units;
  while (scaled > SIGNIFICANT - 0.5) {
    scaled /= 2;
    exponent++;
  }
  const uint32_t significand = (uint32_t)(scaled + 0.5);
  if (!is_near(scaled, significand))
    return false;
  /* Below 2^10 units there is no hidden bit. */
  *bits =
      significand < SIGNIFICANT / 2 ? significand : (exponent + 1) << 10 | (significand & 0x3ff);
  *bits |= negative ? 0x8000 : 0;
  return *bits < 0x7c00 || (*bits >= 0x8000 && *bits < 0xfc00);
}
