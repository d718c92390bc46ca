#include "values/interval/integer_product.h"

#include "base/checked.h"

static uint32_t origin_of(const struct wb_integer *left, const struct wb_integer *right)
{
  return left->origin != 0 ? left->origin : right->origin;
}

/* log2 of a power of two; 32 for other numbers. */
static unsigned power_of(uint32_t number)
{
  unsigned count = 0;
  while (count < 32 && number != UINT32_C(1) << count)
    count++;
  return count;
}

/* By a power of two, or less one. False for other factors. */
static bool shift_product(const struct wb_integer *value, uint32_t factor,
                          struct wb_integer *product)
{
  const struct wb_integer zero = wb_integer_exactly(0);
  const bool negative = power_of(factor) == 32;
  const unsigned count = power_of(negative ? 0 - factor : factor);
  *product = zero;
  if (factor == 0)
    return true;
  if (count == 32)
    return false;
  *product = wb_integer_shift_left(value, count);
  if (negative)
    *product = wb_integer_subtract(&zero, product);
  return true;
}

/* The least and the greatest of the products of the ends of two intervals of signed numbers of 32
 * bits. */
static void end_products(const struct wb_integer_end a[2], const struct wb_integer_end b[2],
                         struct wb_integer_end *least, struct wb_integer_end *most)
{
  const bool by_width = a[0].by_width || a[1].by_width || b[0].by_width || b[1].by_width;
  for (unsigned i = 0; i < 4; i++) {
    const int64_t product = a[i / 2].number * b[i % 2].number;
    if (i == 0 || product < least->number)
      *least = (struct wb_integer_end){product, by_width};
    if (i == 0 || product > most->number)
      *most = (struct wb_integer_end){product, by_width};
  }
}

struct wb_integer wb_integer_product(const struct wb_integer *left, const struct wb_integer *right)
{
  struct wb_integer_end a[2];
  struct wb_integer_end b[2];
  struct wb_integer product;
  const uint32_t origin = origin_of(left, right);
  if (wb_integer_is_exact(left) && wb_integer_is_exact(right))
    return wb_integer_exactly(left->low * right->low);
  if ((wb_integer_is_exact(right) && shift_product(left, right->low, &product)) ||
      (wb_integer_is_exact(left) && shift_product(right, left->low, &product)))
    return product;
  if (wb_integer_ends(left, false, &a[0], &a[1]) && wb_integer_ends(right, false, &b[0], &b[1]) &&
      (b[1].number == 0 || a[1].number <= UINT32_MAX / b[1].number)) {
    const struct wb_integer_end low = {a[0].number * b[0].number, a[0].by_width || b[0].by_width};
    const struct wb_integer_end high = {a[1].number * b[1].number, a[1].by_width || b[1].by_width};
    return wb_integer_between(low, high, origin);
  }
  struct wb_integer_end least = {0, false};
  struct wb_integer_end most = {0, false};
  if (!wb_integer_ends(left, true, &a[0], &a[1]) || !wb_integer_ends(right, true, &b[0], &b[1]))
    return wb_integer_unknown(origin);
  end_products(a, b, &least, &most);
  return least.number >= INT32_MIN && most.number <= INT32_MAX
             ? wb_integer_between(least, most, origin)
             : wb_integer_unknown(origin);
}

/* The least and the greatest product of signed or unsigned numbers, as 64 bits. */
static void wide_ends(const struct wb_integer *left, bool left_signed,
                      const struct wb_integer *right, bool right_signed, uint64_t *least,
                      uint64_t *most, bool by_width[2])
{
  struct wb_integer_end a[2];
  struct wb_integer_end b[2];
  struct wb_integer_end low = {0, false};
  struct wb_integer_end high = {0, false};
  wb_integer_ends(left, left_signed, &a[0], &a[1]);
  wb_integer_ends(right, right_signed, &b[0], &b[1]);
  if (left_signed || right_signed) {
    end_products(a, b, &low, &high);
    *least = (uint64_t)low.number;
    *most = (uint64_t)high.number;
    by_width[0] = low.by_width;
    by_width[1] = high.by_width;
  } else {
    *least = (uint64_t)a[0].number * (uint64_t)b[0].number;
    *most = (uint64_t)a[1].number * (uint64_t)b[1].number;
    by_width[0] = a[0].by_width || b[0].by_width;
    by_width[1] = a[1].by_width || b[1].by_width;
  }
}

/* Factors below this are numbers of the code or the launch, not the multipliers by which compilers
 * divide: the upper word of a product is below each factor, so an end that such a factor gives does
 * not rest on the width of the other one. */
#define FACTOR_MOST (INT64_C(1) << 24)

static bool bounds_upper_word(const struct wb_integer *factor)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  return wb_integer_ends(factor, false, &low, &high) && !high.by_width && high.number < FACTOR_MOST;
}

struct wb_integer wb_integer_product_upper(const struct wb_integer *left, bool left_signed,
                                           const struct wb_integer *right, bool right_signed)
{
  uint64_t least;
  uint64_t most;
  bool by_width[2];
  const bool as_signed = left_signed || right_signed;
  const uint32_t origin = origin_of(left, right);
  wide_ends(left, left_signed, right, right_signed, &least, &most, by_width);
  const int64_t divisor = INT64_C(1) << 32;
  const struct wb_integer_end low = {
      as_signed ? wb_divide_down((int64_t)least, divisor) : (int64_t)(least >> 32), by_width[0]};
  const struct wb_integer_end high = {
      as_signed ? wb_divide_down((int64_t)most, divisor) : (int64_t)(most >> 32),
      by_width[1] && (as_signed || !(bounds_upper_word(left) || bounds_upper_word(right)))};
  return wb_integer_between(low, high, origin);
}

struct wb_wide wb_wide_product(const struct wb_integer *left, bool left_signed,
                               const struct wb_integer *right, bool right_signed)
{
  uint64_t least;
  uint64_t most;
  bool by_width[2];
  if (wb_integer_is_exact(right) && right->low == 1)
    return wb_wide_extend(left, left_signed);
  if (wb_integer_is_exact(left) && left->low == 1)
    return wb_wide_extend(right, right_signed);
  wide_ends(left, left_signed, right, right_signed, &least, &most, by_width);
  struct wb_wide result = wb_wide_exactly(least);
  result.width = most - least;
  result.low_by_width = by_width[0];
  result.high_by_width = by_width[1];
  result.origin = origin_of(left, right);
  return result;
}
