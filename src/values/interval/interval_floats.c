/* Conversions between integers and floats: floats that are not negative are ordered as their bits
 * are (doc/loop-bounds.md, "Integers as floats"). */
#include "values/interval/interval_domain.h"

#include <math.h>
#include <string.h>

enum {
  SINGLE_FRACTION = 23,
  DOUBLE_FRACTION = 52,
  SINGLE_ONE = 127, /* the exponent of 1 */
  DOUBLE_ONE = 1023
};

#define SIGN INT64_C(0x80000000)

/* The bits of the greatest float that is not above the number, or the least one not below it. */
static uint64_t float_bits(uint32_t number, bool wide, bool upward)
{
  const unsigned fraction = wide ? DOUBLE_FRACTION : SINGLE_FRACTION;
  unsigned exponent = 31;
  if (number == 0)
    return 0;
  while (number >> exponent == 0)
    exponent--;
  uint64_t digits = number;
  if (exponent <= fraction) {
    digits <<= fraction - exponent;
  } else {
    const unsigned places = exponent - fraction;
    digits = (digits >> places) + (upward && (digits & ((UINT64_C(1) << places) - 1)) != 0);
  }
  /* The leading digit is the lowest bit of the exponent; one more carries into it. */
  return (((uint64_t)(wide ? DOUBLE_ONE : SINGLE_ONE) + exponent - 1) << fraction) + digits;
}

/* The greatest integer that is not above a float, or the least one not below it; at most 2^32 - 1.
 * Needs bits of a float that is finite and not negative. */
static uint32_t integer_of(uint64_t bits, bool wide, bool upward)
{
  const unsigned fraction = wide ? DOUBLE_FRACTION : SINGLE_FRACTION;
  const unsigned one = wide ? DOUBLE_ONE : SINGLE_ONE;
  const unsigned exponent = (unsigned)(bits >> fraction);
  if (exponent < one)
    return upward && bits != 0;
  if (exponent >= one + 32)
    return UINT32_MAX;
  const uint64_t digits = (bits & ((UINT64_C(1) << fraction) - 1)) | UINT64_C(1) << fraction;
  const unsigned power = exponent - one;
  if (power >= fraction)
    return (uint32_t)(digits << (power - fraction));
  const unsigned places = fraction - power;
  const uint64_t number =
      (digits >> places) + (upward && (digits & ((UINT64_C(1) << places) - 1)) != 0);
  return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

/* The float of an integer, of which the sign is known, as one word, or where it is not negative the
 * words of a double. */
static bool to_float(const struct wb_micro_operation *operation, const struct wb_integer *a,
                     struct wb_integer_end ends[2])
{
  const bool wide = operation->conversion != WB_CONVERSION_TO_SINGLE;
  const bool lower = operation->conversion == WB_CONVERSION_TO_DOUBLE_LOWER;
  if (!wb_integer_ends(a, operation->as_signed, &ends[0], &ends[1]))
    return false;
  if (!wide && ends[1].number < 0) {
    const struct wb_integer_end first = ends[0];
    ends[0] = ends[1];
    ends[1] = first;
    for (unsigned e = 0; e < 2; e++)
      ends[e].number = SIGN | (int64_t)float_bits((uint32_t)-ends[e].number, false, e == 1);
    return true;
  }
  if (ends[0].number < 0)
    return false;
  const uint64_t least = float_bits((uint32_t)ends[0].number, wide, false);
  const uint64_t most = float_bits((uint32_t)ends[1].number, wide, true);
  /* Integers below 2^21 leave the lower word of a double 0. */
  if (lower && least != most && ends[1].number >> 21 != 0)
    return false;
  const unsigned places = wide && !lower ? 32 : 0;
  ends[0].number = (int64_t)(uint32_t)(least >> places);
  ends[1].number = (int64_t)(uint32_t)(most >> places);
  return true;
}

/* The integer of a negative float of 32 bits, by the ends of its bits. */
static void from_negative(bool as_signed, struct wb_integer_end ends[2])
{
  const struct wb_integer_end nearest = ends[0];
  const int64_t least = -(int64_t)integer_of((uint64_t)(ends[1].number - SIGN), false, true);
  const int64_t most = -(int64_t)integer_of((uint64_t)(nearest.number - SIGN), false, false);
  ends[0] = (struct wb_integer_end){!as_signed          ? 0
                                    : least > INT32_MIN ? least
                                                        : INT32_MIN,
                                    ends[1].by_width};
  ends[1] = (struct wb_integer_end){!as_signed         ? 0
                                    : most > INT32_MIN ? most
                                                       : INT32_MIN,
                                    nearest.by_width};
}

/* The integer of a float that is finite, of 32 bits or not negative. */
static bool from_float(const struct wb_micro_operation *operation, const struct wb_integer *a,
                       const struct wb_integer *b, struct wb_integer_end ends[2])
{
  const bool wide = operation->conversion == WB_CONVERSION_FROM_DOUBLE;
  const int64_t infinite = wide ? INT64_C(0x7ff00000) : INT64_C(0x7f800000);
  struct wb_integer_end lower[2] = {{0, false}, {0, false}};
  if (!wb_integer_ends(wide ? b : a, false, &ends[0], &ends[1]))
    return false;
  if (!wide && ends[0].number >= SIGN && ends[1].number < SIGN + infinite) {
    from_negative(operation->as_signed, ends);
    return true;
  }
  if (ends[1].number >= infinite)
    return false;
  if (wide)
    (void)wb_integer_ends(a, false, &lower[0], &lower[1]);
  const uint32_t type_most = operation->as_signed ? INT32_MAX : UINT32_MAX;
  for (unsigned e = 0; e < 2; e++) {
    const uint64_t bits = wide ? (uint64_t)ends[e].number << 32 | (uint64_t)lower[e].number
                               : (uint64_t)ends[e].number;
    const uint32_t number = integer_of(bits, wide, e == 1);
    ends[e].number = number < type_most ? number : type_most;
  }
  return true;
}

/* ---- numbers that are known ---- */

/* The float of a word or two. False where it is not known, or neither normal nor 0: FTZ may take it
 * for 0, and what is no number is in no relation. */
static bool known_float(const struct wb_integer *words, bool wide, double *value)
{
  float single;
  if (!wb_integer_is_exact(&words[0]) || (wide && !wb_integer_is_exact(&words[1])))
    return false;
  if (wide) {
    const uint64_t bits = (uint64_t)words[1].low << 32 | words[0].low;
    memcpy(value, &bits, sizeof *value);
    return *value == 0 || isnormal(*value);
  }
  memcpy(&single, &words[0].low, sizeof single);
  *value = (double)single;
  return single == 0 || isnormal(single);
}

static bool float_relation(double x, enum wb_relation relation, double y)
{
  switch (relation) {
  case WB_RELATION_LESS:
    return x < y;
  case WB_RELATION_EQUAL:
    return x == y;
  case WB_RELATION_AT_MOST:
    return x <= y;
  case WB_RELATION_GREATER:
    return x > y;
  case WB_RELATION_UNEQUAL:
    return x != y;
  default:
    return x >= y;
  }
}

bool wb_interval_calculate(const struct wb_micro_operation *operation,
                           const struct wb_integer words[4], uint32_t *result)
{
  const enum wb_conversion kind = (enum wb_conversion)operation->conversion;
  const bool compares =
      kind == WB_CONVERSION_COMPARE_SINGLE || kind == WB_CONVERSION_COMPARE_DOUBLE;
  const bool adds =
      kind == WB_CONVERSION_SUM_DOUBLE_LOWER || kind == WB_CONVERSION_SUM_DOUBLE_UPPER;
  const bool wide = kind != WB_CONVERSION_COMPARE_SINGLE;
  double x;
  double y;
  if ((!compares && !adds) || !known_float(words, wide, &x) ||
      !known_float(&words[wide ? 2 : 1], wide, &y))
    return false;
  if (compares) {
    *result = float_relation(x, (enum wb_relation)operation->relation, y);
    return true;
  }
  const double value = x + y;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  *result = (uint32_t)(kind == WB_CONVERSION_SUM_DOUBLE_UPPER ? bits >> 32 : bits);
  /* Nothing of either is lost. */
  return value - x == y && value - y == x && (value == 0 || isnormal(value));
}

bool wb_interval_convert(const struct wb_micro_operation *operation,
                         const struct wb_integer words[3], uint32_t origin,
                         struct wb_integer *result)
{
  struct wb_integer_end ends[2];
  switch ((enum wb_conversion)operation->conversion) {
  case WB_CONVERSION_TO_SINGLE:
  case WB_CONVERSION_TO_DOUBLE_LOWER:
  case WB_CONVERSION_TO_DOUBLE_UPPER:
    if (!to_float(operation, &words[0], ends))
      return false;
    break;
  case WB_CONVERSION_FROM_SINGLE:
  case WB_CONVERSION_FROM_DOUBLE:
    if (!from_float(operation, &words[0], &words[1], ends))
      return false;
    break;
  case WB_CONVERSION_SUM_SINGLE:
  case WB_CONVERSION_PRODUCT_SINGLE:
  case WB_CONVERSION_FUSED_SINGLE:
  case WB_CONVERSION_MINIMUM_SINGLE:
  case WB_CONVERSION_MAXIMUM_SINGLE:
    return wb_interval_float_range((enum wb_conversion)operation->conversion, words, origin,
                                   result);
  default:
    return false;
  }
  *result = wb_integer_between(ends[0], ends[1], origin);
  return true;
}
