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

struct wb_integer wb_integer_product_upper(const struct wb_integer *left,
                                           const struct wb_integer *right, bool as_signed)
{
  struct wb_integer_end a[2];
  struct wb_integer_end b[2];
  const bool ordered = wb_integer_ends(left, as_signed, &a[0], &a[1]) &&
                       wb_integer_ends(right, as_signed, &b[0], &b[1]);
  const uint32_t origin = origin_of(left, right);
  struct wb_integer_end low = {0, false};
  struct wb_integer_end high = {0, false};
  if (!ordered && !as_signed)
    return wb_integer_unknown(origin);
  if (as_signed) {
    wb_integer_ends(right, true, &b[0], &b[1]);
    end_products(a, b, &low, &high);
    low.number = wb_divide_down(low.number, INT64_C(1) << 32);
    high.number = wb_divide_down(high.number, INT64_C(1) << 32);
    return wb_integer_between(low, high, origin);
  }
  low.number = (int64_t)((uint64_t)a[0].number * (uint64_t)b[0].number >> 32);
  high.number = (int64_t)((uint64_t)a[1].number * (uint64_t)b[1].number >> 32);
  low.by_width = a[0].by_width || b[0].by_width;
  high.by_width = a[1].by_width || b[1].by_width;
  return wb_integer_between(low, high, origin);
}

/* The interval of the products low..high. */
static struct wb_wide wide_between(uint64_t low, uint64_t high, bool low_by_width,
                                   bool high_by_width, uint32_t origin)
{
  struct wb_wide result = wb_wide_exactly(low);
  result.width = high - low;
  result.low_by_width = low_by_width;
  result.high_by_width = high_by_width;
  result.origin = origin;
  return result;
}

struct wb_wide wb_wide_product(const struct wb_integer *left, const struct wb_integer *right,
                               bool as_signed)
{
  struct wb_integer_end a[2];
  struct wb_integer_end b[2];
  const uint32_t origin = origin_of(left, right);
  if (wb_integer_is_exact(right) && right->low == 1)
    return wb_wide_extend(left, as_signed);
  if (wb_integer_is_exact(left) && left->low == 1)
    return wb_wide_extend(right, as_signed);
  wb_integer_ends(left, as_signed, &a[0], &a[1]);
  wb_integer_ends(right, as_signed, &b[0], &b[1]);
  if (!as_signed)
    return wide_between((uint64_t)a[0].number * (uint64_t)b[0].number,
                        (uint64_t)a[1].number * (uint64_t)b[1].number,
                        a[0].by_width || b[0].by_width, a[1].by_width || b[1].by_width, origin);
  struct wb_integer_end least = {0, false};
  struct wb_integer_end most = {0, false};
  end_products(a, b, &least, &most);
  return wide_between((uint64_t)least.number, (uint64_t)most.number, least.by_width, most.by_width,
                      origin);
}
