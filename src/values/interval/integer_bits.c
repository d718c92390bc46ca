#include "values/interval/integer_bits.h"

#include "values/lookup_table.h"

/* All bits of the value turned: -1 - value. */
static struct wb_integer complement(const struct wb_integer *value)
{
  const struct wb_integer ones = wb_integer_exactly(UINT32_MAX);
  return wb_integer_subtract(&ones, value);
}

/* ---- functions of three values ---- */

/* Numbers whose bits are among those of both: from 0 to the next power of two, less one. */
static struct wb_integer within_bits(const struct wb_integer *a, const struct wb_integer *b)
{
  struct wb_integer_end low[2];
  struct wb_integer_end high[2];
  const uint32_t origin = a->origin != 0 ? a->origin : b->origin;
  if (!wb_integer_ends(a, false, &low[0], &high[0]) ||
      !wb_integer_ends(b, false, &low[1], &high[1]))
    return wb_integer_unknown(origin);
  const struct wb_integer_end zero = {0, false};
  struct wb_integer_end most = {0, high[0].by_width || high[1].by_width};
  while (most.number < high[0].number || most.number < high[1].number)
    most.number = 2 * most.number + 1;
  return wb_integer_between(zero, most, origin);
}

/* Whether all numbers of the value are multiples of a power of two above the number. */
static bool is_below_stride(const struct wb_integer *value, uint32_t number)
{
  const unsigned align = value->width == 0 ? 31 : value->align;
  const uint32_t mask = (UINT32_C(1) << align) - 1;
  return value->base == WB_NO_REGISTER && (value->low & mask) == 0 && number <= mask;
}

static struct wb_integer bits_or(const struct wb_integer *a, const struct wb_integer *b)
{
  if (wb_integer_is_exact(a) && wb_integer_is_exact(b))
    return wb_integer_exactly(a->low | b->low);
  /* No bit is in both: the sum. */
  if ((wb_integer_is_exact(b) && is_below_stride(a, b->low)) ||
      (wb_integer_is_exact(a) && is_below_stride(b, a->low)))
    return wb_integer_add(a, b);
  return within_bits(a, b);
}

static struct wb_integer bits_xor(const struct wb_integer *a, const struct wb_integer *b)
{
  if (wb_integer_is_exact(a) && wb_integer_is_exact(b))
    return wb_integer_exactly(a->low ^ b->low);
  if (wb_integer_is_exact(b) && b->low == UINT32_MAX)
    return complement(a);
  if (wb_integer_is_exact(a) && a->low == UINT32_MAX)
    return complement(b);
  return within_bits(a, b);
}

/* The table with values set that are all zeros or all ones. */
static uint8_t simplified(const struct wb_integer values[3], uint8_t table)
{
  for (unsigned v = 0; v < 3; v++) {
    if (wb_integer_is_exact(&values[v]) && (values[v].low == 0 || values[v].low == UINT32_MAX))
      table = wb_lookup_fixed(table, v, values[v].low != 0);
  }
  return table;
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
    default:
      return bits_xor(&values[v], &other);
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
  return lookup(values, simplified(values, table));
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

/* The byte that a nibble of the selector takes; false where it is not known. */
static bool find_byte(const struct wb_integer *a, const struct wb_integer *b, unsigned nibble,
                      uint32_t *byte)
{
  const struct wb_integer *from = (nibble & 4) == 0 ? a : b;
  if (!wb_integer_is_exact(from))
    return false;
  *byte = from->low >> 8 * (nibble & 3) & 0xff;
  if ((nibble & 8) != 0)
    *byte = (*byte & 0x80) != 0 ? 0xff : 0;
  return true;
}

/* The number of lowest bytes of the result that are consecutive bytes of one operand, in order. */
static unsigned consecutive_bytes(uint32_t selector)
{
  const uint32_t first = selector & 0xf;
  unsigned count = 1;
  while (count < 4 && (selector >> 4 * count & 0xf) == first + count && ((first + count) & 3) != 0)
    count++;
  return (first & 8) == 0 ? count : 0;
}

struct wb_integer wb_integer_permute(const struct wb_integer *a, const struct wb_integer *b,
                                     uint32_t selector)
{
  const struct wb_integer *from = (selector & 4) == 0 ? a : b;
  const unsigned count = consecutive_bytes(selector);
  uint32_t known = 0;  /* the bytes of the result that are known */
  unsigned zeros = 0;  /* the number of highest bytes that are 0 */
  unsigned lowest = 0; /* the number of lowest bytes that are known */
  unsigned all = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint32_t byte;
    const bool found = find_byte(a, b, selector >> 4 * i & 0xf, &byte);
    all += found;
    lowest += found && lowest == i;
    known |= found ? byte << 8 * i : 0;
    zeros = found && byte == 0 ? zeros + 1 : 0;
  }
  if (all == 4)
    return wb_integer_exactly(known);
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
