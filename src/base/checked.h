/* Cycle arithmetic that notices overflow: a wrapped bound would be a wrong one. */
#ifndef WB_BASE_CHECKED_H
#define WB_BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* *result = a + b, or false where it does not fit. */
static inline bool wb_add(uint64_t a, uint64_t b, uint64_t *result)
{
  if (a > UINT64_MAX - b)
    return false;
  *result = a + b;
  return true;
}

/* *result = a * b, or false where it does not fit. */
static inline bool wb_multiply(uint64_t a, uint64_t b, uint64_t *result)
{
  if (b != 0 && a > UINT64_MAX / b)
    return false;
  *result = a * b;
  return true;
}

/* The same for signed numbers. */
static inline bool wb_add_signed(int64_t a, int64_t b, int64_t *result)
{
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
    return false;
  *result = a + b;
  return true;
}

static inline bool wb_subtract_signed(int64_t a, int64_t b, int64_t *result)
{
  if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b)
    return false;
  *result = a - b;
  return true;
}

static inline uint64_t wb_magnitude(int64_t a)
{
  return a < 0 ? -(uint64_t)a : (uint64_t)a;
}

static inline bool wb_multiply_signed(int64_t a, int64_t b, int64_t *result)
{
  bool negative = (a < 0) != (b < 0);
  uint64_t size;
  if (!wb_multiply(wb_magnitude(a), wb_magnitude(b), &size) ||
      size > (uint64_t)INT64_MAX + (negative ? 1 : 0))
    return false;
  *result = negative && size > 0 ? -(int64_t)(size - 1) - 1 : (int64_t)size;
  return true;
}

/* a / b rounded down, towards minus infinity; b > 0. */
static inline int64_t wb_divide_down(int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* a + b and a * b; UINT64_MAX stands for all that do not fit, so that a bound made of them is never
 * too small. 0 times UINT64_MAX is 0. */
static inline uint64_t wb_plus(uint64_t a, uint64_t b)
{
  uint64_t sum;
  return wb_add(a, b, &sum) ? sum : UINT64_MAX;
}

static inline uint64_t wb_times(uint64_t a, uint64_t b)
{
  uint64_t product;
  return wb_multiply(a, b, &product) ? product : UINT64_MAX;
}

static inline uint64_t wb_minimum(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static inline uint64_t wb_maximum(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* a / b rounded up; b > 0. */
static inline uint64_t wb_divide_up(uint64_t a, uint64_t b)
{
  return a / b + (a % b != 0);
}

/* *result = a * b / c rounded up, for c from 1 to 2^62; false where it does not fit. The product
 * may be larger than 64 bits: the quotient and the rest of a times the leading bits of b are kept,
 * bit by bit. */
static inline bool wb_multiply_divide_up(uint64_t a, uint64_t b, uint64_t c, uint64_t *result)
{
  uint64_t quotient = 0;
  uint64_t rest = 0;
  for (unsigned bit = 64; bit-- > 0;) {
    const bool set = (b >> bit & 1) != 0;
    if (!wb_add(quotient, quotient, &quotient) || !wb_add(quotient, set ? a / c : 0, &quotient))
      return false;
    rest = 2 * rest + (set ? a % c : 0);
    if (!wb_add(quotient, rest / c, &quotient))
      return false;
    rest %= c;
  }
  *result = quotient;
  return rest == 0 || wb_add(quotient, 1, result);
}

static inline uint64_t wb_greatest_common_divisor(uint64_t a, uint64_t b)
{
  while (b != 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

#endif
