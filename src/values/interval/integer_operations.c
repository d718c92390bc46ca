/* Products, functions of bits, and numbers of 64 bits. */
#include "values/interval/integer_value.h"

#include "base/checked.h"
#include "values/domain.h"

/* ---- numbers of 64 bits ---- */

static struct wb_wide wide_unknown(uint32_t origin)
{
  return (struct wb_wide){.width = UINT64_MAX,
                          .base_low = WB_NO_REGISTER,
                          .base_high = WB_NO_REGISTER,
                          .low_by_width = true,
                          .high_by_width = true,
                          .origin = origin};
}

struct wb_wide wb_wide_top(void)
{
  return wide_unknown(WB_ORIGIN_NONE);
}

struct wb_wide wb_wide_exactly(uint64_t value)
{
  return (struct wb_wide){.low = value, .base_low = WB_NO_REGISTER, .base_high = WB_NO_REGISTER};
}

static bool is_plain_register(const struct wb_integer *value)
{
  return value->base != WB_NO_REGISTER && wb_integer_is_register(value, value->base);
}

struct wb_wide wb_wide_of_words(const struct wb_integer *low, const struct wb_integer *high)
{
  struct wb_integer_end first;
  struct wb_integer_end last;
  uint32_t origin = wb_first_origin(low->origin, high->origin);
  if (low->base != WB_NO_REGISTER && high->base != WB_NO_REGISTER)
    origin = WB_ORIGIN(WB_ORIGIN_BASES, (uint32_t)high->base << 12 | low->base);
  else if (low->origin >> 24 == WB_ORIGIN_CONSTANT && high->origin == low->origin + 4)
    origin = low->origin | WB_ORIGIN_WIDE; /* the words stand next to each other */
  if (is_plain_register(low) && is_plain_register(high))
    return (struct wb_wide){.base_low = low->base, .base_high = high->base};
  if (!wb_integer_is_exact(high) || (low->base != WB_NO_REGISTER && !is_plain_register(low)))
    return wide_unknown(origin);
  if (low->base != WB_NO_REGISTER)
    return (struct wb_wide){.low = (uint64_t)high->low << 32,
                            .base_low = low->base,
                            .base_high = WB_NO_REGISTER,
                            .origin = origin};
  const bool turns = !wb_integer_ends(low, false, &first, &last);
  return (struct wb_wide){.low = ((uint64_t)high->low << 32) + (uint64_t)first.number,
                          .width = (uint64_t)(last.number - first.number),
                          .base_low = WB_NO_REGISTER,
                          .base_high = WB_NO_REGISTER,
                          /* The 0 of a word that may be any number is no end of its own. */
                          .low_by_width =
                              high->low == 0 ? first.by_width : turns || low->low_by_width,
                          .high_by_width = last.by_width,
                          .origin = origin};
}

bool wb_wide_is_top(const struct wb_wide *value)
{
  return value->width == UINT64_MAX;
}

bool wb_wide_has_base(const struct wb_wide *value)
{
  return value->base_low != WB_NO_REGISTER;
}

bool wb_wide_same_base(const struct wb_wide *left, const struct wb_wide *right)
{
  return left->base_low == right->base_low && left->base_high == right->base_high;
}

bool wb_wide_is_pair(const struct wb_wide *value, uint16_t low, uint16_t high)
{
  return value->base_low == low && value->base_high == high && value->low == 0 && value->width == 0;
}

/* The interval from `low` on, relative to the base of `like`. */
static struct wb_wide wide_spread(const struct wb_wide *like, uint64_t low, uint64_t width,
                                  uint32_t origin)
{
  if (width == UINT64_MAX)
    return wide_unknown(origin);
  return (struct wb_wide){.low = low,
                          .width = width,
                          .base_low = like->base_low,
                          .base_high = like->base_high,
                          .origin = origin};
}

static uint64_t sum_or_all(uint64_t a, uint64_t b)
{
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

struct wb_wide wb_wide_join(const struct wb_wide *left, const struct wb_wide *right)
{
  const uint32_t origin = wb_first_origin(left->origin, right->origin);
  if (!wb_wide_same_base(left, right))
    return wide_unknown(origin);
  /* From the one round to the end of the other, or the other way about. */
  const uint64_t to_b = sum_or_all(right->low - left->low, right->width);
  const uint64_t to_a = sum_or_all(left->low - right->low, left->width);
  const uint64_t from_a = to_b > left->width ? to_b : left->width;
  const uint64_t from_b = to_a > right->width ? to_a : right->width;
  const struct wb_wide *first = from_a <= from_b ? left : right;
  const struct wb_wide *other = first == left ? right : left;
  const uint64_t width = from_a <= from_b ? from_a : from_b;
  struct wb_wide result = wide_spread(first, first->low, width, origin);
  result.low_by_width |= first->low_by_width;
  result.high_by_width |= (width == first->width ? first : other)->high_by_width;
  return result;
}

struct wb_wide wb_wide_add(const struct wb_wide *left, const struct wb_wide *right)
{
  const uint32_t origin = wb_first_origin(left->origin, right->origin);
  if (wb_wide_has_base(left) && wb_wide_has_base(right))
    return wide_unknown(origin);
  struct wb_wide result = wide_spread(wb_wide_has_base(left) ? left : right, left->low + right->low,
                                      sum_or_all(left->width, right->width), origin);
  result.low_by_width |= left->low_by_width || right->low_by_width;
  result.high_by_width |= left->high_by_width || right->high_by_width;
  return result;
}

struct wb_wide wb_wide_subtract(const struct wb_wide *left, const struct wb_wide *right)
{
  const uint32_t origin = wb_first_origin(left->origin, right->origin);
  struct wb_wide like = *left;
  if (wb_wide_has_base(right)) {
    if (!wb_wide_same_base(left, right))
      return wide_unknown(origin);
    like.base_low = like.base_high = WB_NO_REGISTER;
  }
  struct wb_wide result = wide_spread(&like, left->low - right->low - right->width,
                                      sum_or_all(left->width, right->width), origin);
  result.low_by_width |= left->low_by_width || right->high_by_width;
  result.high_by_width |= left->high_by_width || right->low_by_width;
  return result;
}

struct wb_wide wb_wide_shift_left(const struct wb_wide *value, unsigned count)
{
  struct wb_wide result = *value;
  if (count == 0)
    return result;
  if (wb_wide_has_base(value) || value->width > UINT64_MAX >> count)
    return wide_unknown(value->origin);
  result.low <<= count;
  result.width <<= count;
  return result;
}

struct wb_wide wb_wide_round_down(const struct wb_wide *value, unsigned bits)
{
  const uint64_t mask = (UINT64_C(1) << bits) - 1;
  struct wb_wide rounded = *value;
  if (wb_wide_has_base(value) || value->width > UINT64_MAX - mask - 1)
    return wb_wide_top();
  rounded.low = value->low & ~mask;
  rounded.width = ((value->low & mask) + value->width) & ~mask;
  return rounded;
}

struct wb_wide wb_wide_extend(const struct wb_integer *word, bool as_signed)
{
  const struct wb_integer zero = wb_integer_exactly(0);
  struct wb_integer_end low;
  struct wb_integer_end high;
  if (!as_signed)
    return wb_wide_of_words(word, &zero);
  wb_integer_ends(word, true, &low, &high);
  return (struct wb_wide){.low = (uint64_t)low.number,
                          .width = (uint64_t)(high.number - low.number),
                          .base_low = WB_NO_REGISTER,
                          .base_high = WB_NO_REGISTER,
                          .low_by_width = low.by_width,
                          .high_by_width = high.by_width,
                          .origin = word->origin};
}

struct wb_wide wb_wide_substitute(const struct wb_wide *form, const struct wb_wide *start)
{
  if (!wb_wide_has_base(form))
    return *form;
  struct wb_wide offset = *form;
  offset.base_low = offset.base_high = WB_NO_REGISTER;
  return wb_wide_add(start, &offset);
}

bool wb_wide_ends(const struct wb_wide *value, bool as_signed, struct wb_integer_end *low,
                  struct wb_integer_end *high)
{
  const bool negative = as_signed && value->low > (uint64_t)INT64_MAX;
  if (wb_wide_has_base(value) || value->width > (uint64_t)WB_WIDE_MOST)
    return false;
  if (negative ? 0 - value->low > (uint64_t)WB_WIDE_MOST : value->low > (uint64_t)WB_WIDE_MOST)
    return false;
  low->number = negative ? -(int64_t)(0 - value->low) : (int64_t)value->low;
  low->by_width = value->low_by_width && low->number != 0;
  high->number = low->number + (int64_t)value->width;
  high->by_width = value->high_by_width;
  return high->number <= WB_WIDE_MOST;
}

bool wb_wide_leave_out(struct wb_wide *value, uint64_t number)
{
  if (wb_wide_has_base(value))
    return true;
  if (wb_wide_is_top(value)) {
    value->low = number + 1;
    value->width--;
    value->low_by_width = number != 0;
    value->high_by_width = true;
  } else if (value->width == 0)
    return value->low != number;
  else if (value->low == number) {
    value->low++;
    value->width--;
  } else if (value->low + value->width == number)
    value->width--;
  return true;
}

bool wb_wide_excludes(const struct wb_wide *left, enum wb_relation relation,
                      const struct wb_wide *right, bool as_signed)
{
  struct wb_integer_end a[2];
  struct wb_integer_end b[2];
  return wb_wide_ends(left, as_signed, &a[0], &a[1]) &&
         wb_wide_ends(right, as_signed, &b[0], &b[1]) &&
         wb_interval_excludes((int64_t[]){a[0].number, a[1].number}, relation,
                              (int64_t[]){b[0].number, b[1].number});
}

bool wb_wide_to_words(const struct wb_wide *value, struct wb_integer *low, struct wb_integer *high)
{
  const uint64_t last = value->low + value->width;
  if (wb_wide_has_base(value) || last < value->low || value->low >> 32 != last >> 32)
    return false;
  const struct wb_integer_end first_end = {(int64_t)(value->low & UINT32_MAX), value->low_by_width};
  const struct wb_integer_end last_end = {(int64_t)(last & UINT32_MAX), value->high_by_width};
  *low = wb_integer_between(first_end, last_end, value->origin);
  *high = wb_integer_exactly((uint32_t)(value->low >> 32));
  return true;
}

struct wb_integer wb_wide_lower_word(const struct wb_wide *value)
{
  const bool constant = value->origin >> 24 == WB_ORIGIN_CONSTANT;
  const uint32_t origin = constant ? value->origin & ~WB_ORIGIN_WIDE : value->origin;
  if (value->width >= UINT32_MAX)
    return wb_integer_unknown(origin);
  return (struct wb_integer){.low = (uint32_t)value->low,
                             .width = (uint32_t)value->width,
                             .base = value->base_low,
                             .low_by_width = value->low_by_width,
                             .high_by_width = value->high_by_width,
                             .origin = origin};
}

struct wb_integer wb_wide_upper_word(const struct wb_wide *value)
{
  const uint64_t last = value->low + value->width;
  if (wb_wide_has_base(value) || last < value->low)
    return wb_integer_unknown(value->origin);
  const struct wb_integer_end least = {(int64_t)(value->low >> 32), value->low_by_width};
  const struct wb_integer_end most = {(int64_t)(last >> 32), value->high_by_width};
  return wb_integer_between(least, most, value->origin);
}

/* ---- products ---- */

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
  const uint32_t origin = wb_first_origin(left->origin, right->origin);
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
  const uint32_t origin = wb_first_origin(left->origin, right->origin);
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
  result.origin = wb_first_origin(left->origin, right->origin);
  return result;
}

/* All bits of the value turned: -1 - value. */
static struct wb_integer complement(const struct wb_integer *value)
{
  const struct wb_integer ones = wb_integer_exactly(UINT32_MAX);
  return wb_integer_subtract(&ones, value);
}

/* ---- functions of the bits of three values ---- */

/* Numbers whose bits are among those of both: from 0 to the next power of two, less one. */
static struct wb_integer within_bits(const struct wb_integer *a, const struct wb_integer *b)
{
  struct wb_integer_end low[2];
  struct wb_integer_end high[2];
  const uint32_t origin = wb_first_origin(a->origin, b->origin);
  if (!wb_integer_ends(a, false, &low[0], &high[0]) ||
      !wb_integer_ends(b, false, &low[1], &high[1]))
    return wb_integer_unknown(origin);
  const struct wb_integer_end zero = {0, false};
  struct wb_integer_end most = {0, high[0].by_width || high[1].by_width};
  while (most.number < high[0].number || most.number < high[1].number)
    most.number = 2 * most.number + 1;
  return wb_integer_between(zero, most, origin);
}

/* Whether all numbers of the value are multiples of a power of two that is above all of the other.
 */
static bool stands_above(const struct wb_integer *value, const struct wb_integer *other)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  unsigned align = value->width == 0 ? 31 : value->align;
  while (align > 0 && (value->low & ((UINT32_C(1) << align) - 1)) != 0)
    align--;
  return value->base == WB_NO_REGISTER && wb_integer_ends(other, false, &low, &high) &&
         high.number < INT64_C(1) << align;
}

static struct wb_integer bits_or(const struct wb_integer *a, const struct wb_integer *b)
{
  if (wb_integer_is_exact(a) && wb_integer_is_exact(b))
    return wb_integer_exactly(a->low | b->low);
  /* No bit is in both: the sum. */
  if (stands_above(a, b) || stands_above(b, a))
    return wb_integer_add(a, b);
  return within_bits(a, b);
}

/* Of the ways to split the function the first one: depth 3 at most, as the rest does not depend on
 * the variable. */
static struct wb_integer lookup(const struct wb_integer values[3], uint8_t table)
{
  if (table == WB_LOOKUP_FALSE || table == WB_LOOKUP_TRUE)
    return wb_integer_exactly(table == WB_LOOKUP_TRUE ? UINT32_MAX : 0);
  for (unsigned v = 0; v < 3; v++) {
    if (table == wb_lookup_variable(v))
      return values[v];
    if ((table ^ wb_lookup_variable(v)) == WB_LOOKUP_TRUE)
      return complement(&values[v]);
  }
  for (unsigned v = 0; v < 3; v++) {
    uint8_t rest;
    const enum wb_lookup_split split = wb_lookup_split(table, v, &rest);
    if (split == WB_SPLIT_NONE)
      continue;
    const struct wb_integer other = lookup(values, rest);
    /* The variable and the rest of the function put together. */
    const struct wb_integer not = complement(&values[v]);
    switch (split) {
    case WB_SPLIT_AND:
      return wb_integer_and(&values[v], &other);
    case WB_SPLIT_AND_NOT:
      return wb_integer_and(&not, &other);
    case WB_SPLIT_OR:
      return bits_or(&values[v], &other);
    case WB_SPLIT_OR_NOT:
      return bits_or(&not, &other);
    default: /* exclusive or */
      if (wb_integer_is_exact(&values[v]) && wb_integer_is_exact(&other))
        return wb_integer_exactly(values[v].low ^ other.low);
      if (wb_integer_is_exact(&other) && other.low == UINT32_MAX)
        return not ;
      return wb_integer_is_exact(&values[v]) && values[v].low == UINT32_MAX
                 ? complement(&other)
                 : within_bits(&values[v], &other);
    }
  }
  /* Without a bit of its own: no bit but those of the values. */
  struct wb_integer all = wb_integer_exactly(0);
  for (unsigned v = 0; v < 3 && (table & 1) == 0; v++) {
    if (wb_lookup_depends(table, v))
      all = within_bits(&all, &values[v]);
  }
  return (table & 1) == 0 ? all : wb_integer_top();
}

struct wb_integer wb_integer_lookup(const struct wb_integer values[3], uint8_t table)
{
  for (unsigned v = 0; v < 3; v++) { /* values that are all zeros or all ones are set */
    if (wb_integer_is_exact(&values[v]) && (values[v].low == 0 || values[v].low == UINT32_MAX))
      table = wb_lookup_fixed(table, v, values[v].low != 0);
  }
  return lookup(values, table);
}

/* ---- fields ---- */

struct wb_integer wb_integer_sign_extend(const struct wb_integer *value, unsigned bits)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  const int64_t most = ((int64_t)1 << (bits - 1)) - 1;
  if (bits >= 32)
    return *value;
  if (wb_integer_ends(value, true, &low, &high) && low.number >= -most - 1 && high.number <= most)
    return *value;
  if (value->base == WB_NO_REGISTER && wb_integer_alignment(value) >= bits) {
    const uint32_t mask = (UINT32_C(1) << bits) - 1;
    const uint32_t sign = UINT32_C(1) << (bits - 1);
    return wb_integer_exactly(((value->low & mask) ^ sign) - sign);
  }
  return wb_integer_between((struct wb_integer_end){-most - 1, true},
                            (struct wb_integer_end){most, true}, value->origin);
}

struct wb_integer wb_integer_lowest_bits(const struct wb_integer *value, unsigned bits)
{
  const struct wb_integer mask =
      wb_integer_exactly(bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1);
  return bits >= 32 ? *value : wb_integer_and(value, &mask);
}

/* ---- bytes ---- */

struct wb_integer wb_integer_permute(const struct wb_integer *a, const struct wb_integer *b,
                                     uint32_t selector)
{
  const struct wb_integer *from = (selector & 4) == 0 ? a : b;
  const uint32_t first = selector & 0xf;
  uint32_t known = 0;  /* the bytes of the result that are known */
  unsigned zeros = 0;  /* the number of highest bytes that are 0 */
  unsigned lowest = 0; /* the number of lowest bytes that are known */
  unsigned all = 0;
  for (unsigned i = 0; i < 4; i++) {
    const unsigned nibble = selector >> 4 * i & 0xf;
    const struct wb_integer *its = (nibble & 4) == 0 ? a : b;
    const bool found = wb_integer_is_exact(its);
    uint32_t byte = its->low >> 8 * (nibble & 3) & 0xff;
    if ((nibble & 8) != 0)
      byte = (byte & 0x80) != 0 ? 0xff : 0;
    all += found;
    lowest += found && lowest == i;
    known |= found ? byte << 8 * i : 0;
    zeros = found && byte == 0 ? zeros + 1 : 0;
  }
  if (all == 4)
    return wb_integer_exactly(known);
  /* The number of lowest bytes of the result that are consecutive bytes of one operand, in order.
   */
  unsigned count = (first & 8) == 0;
  while (count > 0 && count < 4 && (selector >> 4 * count & 0xf) == first + count &&
         ((first + count) & 3) != 0)
    count++;
  const struct wb_integer field = wb_integer_shift_right(from, 8 * (selector & 3), false);
  if (count > 0 && count + zeros >= 4)
    return count == 4 ? *from : wb_integer_lowest_bits(&field, 8 * count);
  /* The rest repeats the sign of the last byte. */
  bool signs = count > 0;
  for (unsigned i = count; i < 4; i++)
    signs = signs && (selector >> 4 * i & 0xf) == ((selector + count - 1) & 0xf) + 8;
  if (signs)
    return wb_integer_sign_extend(&field, 8 * count);
  const int64_t low = (int64_t)known & ((INT64_C(1) << 8 * lowest) - 1);
  const int64_t most = (INT64_C(1) << 8 * (4 - zeros)) - (INT64_C(1) << 8 * lowest);
  return wb_integer_aligned(wb_integer_between((struct wb_integer_end){low, false},
                                               (struct wb_integer_end){low + most, true}, 0),
                            8 * lowest);
}

struct wb_integer wb_integer_magnitude(const struct wb_integer *value)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  const struct wb_integer zero = wb_integer_exactly(0);
  wb_integer_ends(value, true, &low, &high);
  if (low.number >= 0)
    return *value;
  if (high.number <= 0)
    return wb_integer_subtract(&zero, value);
  const struct wb_integer_end none = {0, false};
  const struct wb_integer_end below = {-low.number, low.by_width};
  return wb_integer_between(none, below.number > high.number ? below : high, value->origin);
}

/* ---- bits ---- */

/* The place of the highest bit that is 1, -1 for none: the logarithm, downwards. */
static int32_t highest_one(uint32_t bits)
{
  int32_t place = -1;
  for (; bits != 0; bits >>= 1)
    place++;
  return place;
}

struct wb_integer wb_integer_count_ones(const struct wb_integer *value)
{
  struct wb_integer_end least, most;
  uint32_t count = 0;
  for (uint32_t bits = value->low; bits != 0; bits &= bits - 1)
    count++;
  if (wb_integer_is_exact(value))
    return wb_integer_exactly(count);
  wb_integer_ends(value, false, &least, &most);
  return wb_integer_range(least.number > 0, highest_one((uint32_t)most.number) + 1);
}

struct wb_integer wb_integer_highest_one(const struct wb_integer *value, bool as_signed)
{
  struct wb_integer_end least, most;
  const bool negative = as_signed && value->low > INT32_MAX;
  if (wb_integer_is_exact(value))
    return wb_integer_exactly((uint32_t)highest_one(negative ? ~value->low : value->low));
  wb_integer_ends(value, as_signed, &least, &most);
  if (least.number < 0)
    return wb_integer_range(-1, 30);
  return wb_integer_range(highest_one((uint32_t)least.number), highest_one((uint32_t)most.number));
}
