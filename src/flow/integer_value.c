#include "flow/integer_value.h"

#include "base/checked.h"

#define WORD ((uint64_t)1 << 32)

struct wb_integer wb_integer_anything(void)
{
  return (struct wb_integer){.width = UINT32_MAX, .base = WB_NO_REGISTER};
}

struct wb_integer wb_integer_exactly(uint32_t value)
{
  return (struct wb_integer){.low = value, .base = WB_NO_REGISTER};
}

struct wb_integer wb_integer_of_register(uint16_t base)
{
  return (struct wb_integer){.base = base};
}

/* What is on top of the same base as `like`, from `low` on; anything where it is too wide. */
static struct wb_integer spread(const struct wb_integer *like, uint32_t low, uint64_t width)
{
  if (width >= UINT32_MAX)
    return wb_integer_anything();
  struct wb_integer result = *like;
  result.low = low;
  result.width = (uint32_t)width;
  return result;
}

struct wb_integer wb_integer_range(int64_t low, int64_t high)
{
  const struct wb_integer none = wb_integer_exactly(0);
  return spread(&none, (uint32_t)low, (uint64_t)high - (uint64_t)low);
}

static bool same_base(const struct wb_integer *a, const struct wb_integer *b)
{
  return a->base == b->base && a->shape == b->shape && a->shift == b->shift;
}

bool wb_integer_equal(const struct wb_integer *a, const struct wb_integer *b)
{
  return same_base(a, b) && a->low == b->low && a->width == b->width;
}

bool wb_integer_is_exact(const struct wb_integer *a)
{
  return a->base == WB_NO_REGISTER && a->width == 0;
}

bool wb_integer_is_register(const struct wb_integer *a, uint16_t base)
{
  const struct wb_integer itself = wb_integer_of_register(base);
  return wb_integer_equal(a, &itself);
}

static int64_t as_signed_number(uint32_t bits)
{
  return bits <= INT32_MAX ? (int64_t)bits : (int64_t)bits - (int64_t)WORD;
}

bool wb_integer_view(const struct wb_integer *a, bool as_signed, int64_t *low, int64_t *high)
{
  if (a->base != WB_NO_REGISTER)
    return false;
  *low = as_signed ? as_signed_number(a->low) : (int64_t)a->low;
  *high = *low + a->width;
  return *high <= (as_signed ? INT32_MAX : UINT32_MAX);
}

struct wb_integer wb_integer_join(const struct wb_integer *a, const struct wb_integer *b)
{
  if (!same_base(a, b))
    return wb_integer_anything();
  /* From the one round to the end of the other, or the other way about. */
  const uint64_t to_b = (uint64_t)(uint32_t)(b->low - a->low) + b->width;
  const uint64_t to_a = (uint64_t)(uint32_t)(a->low - b->low) + a->width;
  const uint64_t from_a = to_b > a->width ? to_b : a->width;
  const uint64_t from_b = to_a > b->width ? to_a : b->width;
  return from_a <= from_b ? spread(a, a->low, from_a) : spread(b, b->low, from_b);
}

struct wb_integer wb_integer_add(const struct wb_integer *a, const struct wb_integer *b)
{
  const uint32_t low = a->low + b->low;
  const uint64_t width = (uint64_t)a->width + b->width;
  if (b->base == WB_NO_REGISTER)
    return spread(a, low, width);
  if (a->base == WB_NO_REGISTER)
    return spread(b, low, width);
  struct wb_integer twice = *a;
  twice.shift++;
  if (!same_base(a, b) || a->shape != WB_SHIFTED_LEFT)
    return wb_integer_anything();
  if (twice.shift == 32)
    twice = wb_integer_exactly(0);
  return spread(&twice, low, width);
}

struct wb_integer wb_integer_subtract(const struct wb_integer *a, const struct wb_integer *b)
{
  const struct wb_integer none = wb_integer_exactly(0);
  const uint32_t low = a->low - b->low - b->width;
  const uint64_t width = (uint64_t)a->width + b->width;
  if (b->base == WB_NO_REGISTER)
    return spread(a, low, width);
  return same_base(a, b) ? spread(&none, low, width) : wb_integer_anything();
}

struct wb_integer wb_integer_shift_left(const struct wb_integer *a, unsigned count)
{
  if (count == 0)
    return *a;
  if (count >= 32)
    return wb_integer_exactly(0);
  struct wb_integer base = *a;
  if (a->base != WB_NO_REGISTER) {
    if (a->shape != WB_SHIFTED_LEFT)
      return wb_integer_anything();
    if (a->shift + count >= 32)
      base = wb_integer_exactly(0);
    else
      base.shift = (uint8_t)(a->shift + count);
  }
  return spread(&base, a->low << count, (uint64_t)a->width << count);
}

/* In order, or the whole of the reading where that is not possible. */
static void view_or_all(const struct wb_integer *a, bool as_signed, int64_t *low, int64_t *high)
{
  if (wb_integer_view(a, as_signed, low, high))
    return;
  *low = as_signed ? INT32_MIN : 0;
  *high = as_signed ? INT32_MAX : UINT32_MAX;
}

/* The base alone, shifted to the right; false where no value says that. */
static bool shift_base_right(const struct wb_integer *a, unsigned count, bool as_signed,
                             struct wb_integer *result)
{
  const uint8_t shape = as_signed ? WB_SHIFTED_RIGHT_SIGNED : WB_SHIFTED_RIGHT;
  const bool itself = a->shape == WB_SHIFTED_LEFT && a->shift == 0;
  if (a->base == WB_NO_REGISTER || a->low != 0 || a->width != 0 || (!itself && a->shape != shape) ||
      a->shift + count >= 32)
    return false;
  *result = *a;
  result->shape = shape;
  result->shift = (uint8_t)(a->shift + count);
  return true;
}

struct wb_integer wb_integer_shift_right(const struct wb_integer *a, unsigned count, bool as_signed)
{
  struct wb_integer result;
  int64_t low;
  int64_t high;
  if (count == 0 || shift_base_right(a, count, as_signed, &result))
    return count == 0 ? *a : result;
  if (count > 31)
    count = as_signed ? 31 : 32;
  view_or_all(a, as_signed, &low, &high);
  /* What a shift makes of a negative number is not C's to define. */
  const int64_t divisor = (int64_t)1 << count;
  return wb_integer_range(wb_divide_down(low, divisor), wb_divide_down(high, divisor));
}

struct wb_integer wb_integer_and(const struct wb_integer *a, const struct wb_integer *b)
{
  int64_t low;
  int64_t high;
  int64_t most = UINT32_MAX;
  if (wb_integer_is_exact(a) && wb_integer_is_exact(b))
    return wb_integer_exactly(a->low & b->low);
  /* No result is above either operand. */
  if (wb_integer_view(a, false, &low, &high))
    most = high;
  if (wb_integer_view(b, false, &low, &high) && high < most)
    most = high;
  return wb_integer_range(0, most);
}

struct wb_integer wb_integer_minimum(const struct wb_integer *a, const struct wb_integer *b,
                                     bool as_signed)
{
  int64_t low[2];
  int64_t high[2];
  view_or_all(a, as_signed, &low[0], &high[0]);
  view_or_all(b, as_signed, &low[1], &high[1]);
  return wb_integer_range(low[0] < low[1] ? low[0] : low[1], high[0] < high[1] ? high[0] : high[1]);
}

struct wb_integer wb_integer_maximum(const struct wb_integer *a, const struct wb_integer *b,
                                     bool as_signed)
{
  int64_t low[2];
  int64_t high[2];
  view_or_all(a, as_signed, &low[0], &high[0]);
  view_or_all(b, as_signed, &low[1], &high[1]);
  return wb_integer_range(low[0] > low[1] ? low[0] : low[1], high[0] > high[1] ? high[0] : high[1]);
}

struct wb_integer wb_integer_half(const struct wb_integer *a, bool upper)
{
  const struct wb_integer mask = wb_integer_exactly(0xffff);
  int64_t low;
  int64_t high;
  if (upper) {
    view_or_all(a, false, &low, &high);
    return wb_integer_range(low >> 16, high >> 16);
  }
  if (wb_integer_view(a, false, &low, &high) && high <= 0xffff)
    return *a;
  return wb_integer_and(a, &mask);
}

struct wb_integer wb_integer_multiply(const struct wb_integer *a, const struct wb_integer *b)
{
  return wb_integer_range((int64_t)a->low * b->low,
                          ((int64_t)a->low + a->width) * ((int64_t)b->low + b->width));
}

struct wb_integer wb_integer_substitute(const struct wb_integer *form,
                                        const struct wb_integer *start)
{
  if (form->base == WB_NO_REGISTER)
    return *form;
  struct wb_integer offset = wb_integer_exactly(0);
  offset.low = form->low;
  offset.width = form->width;
  const struct wb_integer base =
      form->shape == WB_SHIFTED_LEFT
          ? wb_integer_shift_left(start, form->shift)
          : wb_integer_shift_right(start, form->shift, form->shape == WB_SHIFTED_RIGHT_SIGNED);
  return wb_integer_add(&base, &offset);
}
