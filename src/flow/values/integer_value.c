#include "flow/values/integer_value.h"

#include "base/checked.h"

#define WORD ((uint64_t)1 << 32)

struct wb_integer wb_integer_anything(void)
{
  return wb_integer_unknown(WB_ORIGIN_NONE);
}

struct wb_integer wb_integer_unknown(uint32_t origin)
{
  return (struct wb_integer){.width = UINT32_MAX,
                             .base = WB_NO_REGISTER,
                             .low_by_width = true,
                             .high_by_width = true,
                             .origin = origin};
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
    return wb_integer_unknown(like->origin);
  struct wb_integer result = *like;
  result.low = low;
  result.width = (uint32_t)width;
  result.align = 0;
  return result;
}

unsigned wb_integer_alignment(const struct wb_integer *a)
{
  return a->width == 0 ? 32 : a->align;
}

struct wb_integer wb_integer_aligned(struct wb_integer a, unsigned align)
{
  if (a.width == UINT32_MAX)
    return a;
  a.align = (uint8_t)(align < 31 ? align : 31);
  a.width -= a.width & ((UINT32_C(1) << a.align) - 1);
  return a;
}

/* Of two numbers: how many of their lowest bits are the same, and at most `most`. */
static unsigned common_bits(uint32_t a, uint32_t b, unsigned most)
{
  unsigned count = 0;
  while (count < most && ((a ^ b) >> count & 1U) == 0)
    count++;
  return count;
}

static unsigned lesser_alignment(const struct wb_integer *a, const struct wb_integer *b)
{
  const unsigned first = wb_integer_alignment(a);
  const unsigned second = wb_integer_alignment(b);
  return first < second ? first : second;
}

struct wb_integer wb_integer_range(int64_t low, int64_t high)
{
  const struct wb_integer none = wb_integer_exactly(0);
  return spread(&none, (uint32_t)low, (uint64_t)high - (uint64_t)low);
}

struct wb_integer wb_integer_between(struct wb_integer_end low, struct wb_integer_end high,
                                     uint32_t origin)
{
  struct wb_integer result = wb_integer_range(low.number, high.number);
  if (result.width < UINT32_MAX) {
    result.low_by_width = low.by_width;
    result.high_by_width = high.by_width;
  }
  result.origin = origin;
  return result;
}

/* Of two operands: those of the one that is not known, or not so well. */
static uint32_t origin_of(const struct wb_integer *a, const struct wb_integer *b)
{
  return a->origin != 0 ? a->origin : b->origin;
}

/* The result with ends from the ends of operands, and an origin. */
static struct wb_integer marked(struct wb_integer result, bool low_by_width, bool high_by_width,
                                uint32_t origin)
{
  result.low_by_width = low_by_width || result.width == UINT32_MAX;
  result.high_by_width = high_by_width || result.width == UINT32_MAX;
  result.origin = origin;
  return result;
}

static bool same_base(const struct wb_integer *a, const struct wb_integer *b)
{
  return a->base == b->base && a->shape == b->shape && a->shift == b->shift;
}

bool wb_integer_equal(const struct wb_integer *a, const struct wb_integer *b)
{
  return same_base(a, b) && a->low == b->low && a->width == b->width &&
         wb_integer_alignment(a) == wb_integer_alignment(b);
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

bool wb_integer_ends(const struct wb_integer *a, bool as_signed, struct wb_integer_end *low,
                     struct wb_integer_end *high)
{
  const bool ordered = wb_integer_view(a, as_signed, &low->number, &high->number);
  if (!ordered) {
    low->number = as_signed ? INT32_MIN : 0;
    high->number = as_signed ? INT32_MAX : UINT32_MAX;
  }
  low->by_width = (!ordered || a->low_by_width) && (as_signed || low->number != 0);
  high->by_width = !ordered || a->high_by_width;
  return ordered;
}

struct wb_integer wb_integer_join(const struct wb_integer *a, const struct wb_integer *b)
{
  const uint32_t origin = origin_of(a, b);
  if (!same_base(a, b))
    return wb_integer_unknown(origin);
  /* From the one round to the end of the other, or the other way about. */
  const uint64_t to_b = (uint64_t)(uint32_t)(b->low - a->low) + b->width;
  const uint64_t to_a = (uint64_t)(uint32_t)(a->low - b->low) + a->width;
  const uint64_t from_a = to_b > a->width ? to_b : a->width;
  const uint64_t from_b = to_a > b->width ? to_a : b->width;
  const struct wb_integer *first = from_a <= from_b ? a : b;
  const struct wb_integer *other = first == a ? b : a;
  const uint64_t width = from_a <= from_b ? from_a : from_b;
  const struct wb_integer *last = width == first->width ? first : other;
  return wb_integer_aligned(
      marked(spread(first, first->low, width), first->low_by_width, last->high_by_width, origin),
      common_bits(a->low, b->low, lesser_alignment(a, b)));
}

static struct wb_integer add_numbers(const struct wb_integer *a, const struct wb_integer *b)
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

static struct wb_integer subtract_numbers(const struct wb_integer *a, const struct wb_integer *b)
{
  const struct wb_integer none = wb_integer_exactly(0);
  const uint32_t low = a->low - b->low - b->width;
  const uint64_t width = (uint64_t)a->width + b->width;
  if (b->base == WB_NO_REGISTER)
    return spread(a, low, width);
  return same_base(a, b) ? spread(&none, low, width) : wb_integer_anything();
}

struct wb_integer wb_integer_add(const struct wb_integer *a, const struct wb_integer *b)
{
  const bool two = a->base != WB_NO_REGISTER && b->base != WB_NO_REGISTER;
  const uint32_t origin = two ? WB_ORIGIN(WB_ORIGIN_BASES, (uint32_t)b->base << 8 | a->base) : 0;
  return wb_integer_aligned(marked(add_numbers(a, b), a->low_by_width || b->low_by_width,
                                   a->high_by_width || b->high_by_width,
                                   two ? origin : origin_of(a, b)),
                            lesser_alignment(a, b));
}

struct wb_integer wb_integer_subtract(const struct wb_integer *a, const struct wb_integer *b)
{
  return wb_integer_aligned(marked(subtract_numbers(a, b), a->low_by_width || b->high_by_width,
                                   a->high_by_width || b->low_by_width, origin_of(a, b)),
                            lesser_alignment(a, b));
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
  return wb_integer_aligned(spread(&base, a->low << count, (uint64_t)a->width << count),
                            wb_integer_alignment(a) + count);
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
  struct wb_integer_end low;
  struct wb_integer_end high;
  if (count == 0 || shift_base_right(a, count, as_signed, &result))
    return count == 0 ? *a : result;
  if (count > 31)
    count = as_signed ? 31 : 32;
  const bool ordered = wb_integer_ends(a, as_signed, &low, &high);
  /* What a shift makes of a negative number is not C's to define. */
  const int64_t divisor = (int64_t)1 << count;
  low.number = wb_divide_down(low.number, divisor);
  high.number = wb_divide_down(high.number, divisor);
  const unsigned align = wb_integer_alignment(a);
  return wb_integer_aligned(wb_integer_between(low, high, a->origin),
                            ordered && align > count ? align - count : 0);
}

struct wb_integer wb_integer_funnel(const struct wb_integer *low, const struct wb_integer *high,
                                    unsigned count, bool right)
{
  const struct wb_integer from_low = wb_integer_shift_right(low, right ? count : 32 - count, false);
  const struct wb_integer from_high = wb_integer_shift_left(high, right ? 32 - count : count);
  return wb_integer_add(&from_high, &from_low);
}

/* Whether the bits of the mask are the upper ones, all others 2^k - 1. */
static bool is_upper_mask(uint32_t mask)
{
  return (~mask & (~mask + 1)) == 0;
}

/* What a mask leaves of a number of which little is known says no more than the mask is wide. */
static struct wb_integer_end mask_end(const struct wb_integer *mask, bool other_by_width)
{
  struct wb_integer_end low;
  struct wb_integer_end end;
  wb_integer_ends(mask, false, &low, &end);
  end.by_width |= other_by_width && end.number > WB_MASK_MOST;
  return end;
}

/* Such a mask keeps the order of numbers, signed or not; false where neither order is known. */
static bool round_down(const struct wb_integer *a, uint32_t mask, struct wb_integer *result)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  const int64_t lost = (int64_t)(uint32_t)~mask;
  if (a->base != WB_NO_REGISTER) {
    const struct wb_integer less = wb_integer_range(-lost, 0);
    *result = wb_integer_add(a, &less);
    return true;
  }
  if (mask == 0 || a->width == UINT32_MAX ||
      (!wb_integer_ends(a, false, &low, &high) && !wb_integer_ends(a, true, &low, &high)))
    return false;
  low.number -= (int64_t)((uint64_t)low.number & (uint64_t)lost);
  high.number -= (int64_t)((uint64_t)high.number & (uint64_t)lost);
  *result = wb_integer_aligned(wb_integer_between(low, high, a->origin),
                               common_bits(~mask, UINT32_MAX, 32));
  return true;
}

struct wb_integer wb_integer_and(const struct wb_integer *a, const struct wb_integer *b)
{
  struct wb_integer result;
  if (wb_integer_is_exact(a) && wb_integer_is_exact(b))
    return wb_integer_exactly(a->low & b->low);
  if (wb_integer_is_exact(a)) {
    const struct wb_integer *kept = a;
    a = b;
    b = kept;
  }
  if (wb_integer_is_exact(b) && is_upper_mask(b->low) && round_down(a, b->low, &result))
    return result;
  /* No result is above either operand. */
  const struct wb_integer_end zero = {0, false};
  const struct wb_integer_end first = mask_end(a, b->high_by_width);
  const struct wb_integer_end second = mask_end(b, a->high_by_width);
  const struct wb_integer most =
      wb_integer_between(zero, first.number < second.number ? first : second, origin_of(a, b));
  return wb_integer_aligned(most, wb_integer_is_exact(b) ? common_bits(b->low, 0, 31) : 0);
}

static struct wb_integer_end lesser(struct wb_integer_end a, struct wb_integer_end b)
{
  return a.number < b.number || (a.number == b.number && !a.by_width) ? a : b;
}

static struct wb_integer_end greater(struct wb_integer_end a, struct wb_integer_end b)
{
  return a.number > b.number || (a.number == b.number && !a.by_width) ? a : b;
}

struct wb_integer wb_integer_minimum(const struct wb_integer *a, const struct wb_integer *b,
                                     bool as_signed)
{
  struct wb_integer_end low[2];
  struct wb_integer_end high[2];
  wb_integer_ends(a, as_signed, &low[0], &high[0]);
  wb_integer_ends(b, as_signed, &low[1], &high[1]);
  return wb_integer_between(lesser(low[0], low[1]), lesser(high[0], high[1]), origin_of(a, b));
}

struct wb_integer wb_integer_maximum(const struct wb_integer *a, const struct wb_integer *b,
                                     bool as_signed)
{
  struct wb_integer_end low[2];
  struct wb_integer_end high[2];
  wb_integer_ends(a, as_signed, &low[0], &high[0]);
  wb_integer_ends(b, as_signed, &low[1], &high[1]);
  return wb_integer_between(greater(low[0], low[1]), greater(high[0], high[1]), origin_of(a, b));
}

struct wb_integer wb_integer_half(const struct wb_integer *a, bool upper)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  const bool ordered = wb_integer_ends(a, false, &low, &high);
  if (!upper && ordered && high.number <= 0xffff)
    return *a;
  if (!upper && wb_integer_is_exact(a))
    return wb_integer_exactly(a->low & 0xffff);
  if (upper) {
    low.number >>= 16;
    high.number >>= 16;
  } else {
    low = (struct wb_integer_end){0, false};
    high = (struct wb_integer_end){0xffff, true};
  }
  return wb_integer_between(low, high, a->origin);
}

struct wb_integer wb_integer_multiply(const struct wb_integer *a, const struct wb_integer *b)
{
  const struct wb_integer_end low = {(int64_t)a->low * b->low, a->low_by_width || b->low_by_width};
  const struct wb_integer_end high = {((int64_t)a->low + a->width) * ((int64_t)b->low + b->width),
                                      a->high_by_width || b->high_by_width};
  return wb_integer_between(low, high, origin_of(a, b));
}

struct wb_integer wb_integer_substitute(const struct wb_integer *form,
                                        const struct wb_integer *start)
{
  if (form->base == WB_NO_REGISTER)
    return *form;
  struct wb_integer offset = *form;
  offset.base = WB_NO_REGISTER;
  offset.shape = offset.shift = 0;
  const struct wb_integer base =
      form->shape == WB_SHIFTED_LEFT
          ? wb_integer_shift_left(start, form->shift)
          : wb_integer_shift_right(start, form->shift, form->shape == WB_SHIFTED_RIGHT_SIGNED);
  return wb_integer_add(&base, &offset);
}

void wb_integer_refine(struct wb_integer *known, const struct wb_integer *other)
{
  if (known->base == WB_NO_REGISTER && other->width < known->width)
    *known = *other;
}

/* The greatest number of those of *a that is at most `most`, or the least that is at least. */
static int64_t nearest(const struct wb_integer *a, int64_t number, bool below)
{
  const int64_t step = (int64_t)1 << wb_integer_alignment(a);
  const int64_t off = (number - (int64_t)a->low) & (step - 1);
  return below ? number - off : number + (off == 0 ? 0 : step - off);
}

static void narrow_ends(struct wb_integer_end *low, struct wb_integer_end *high,
                        enum wb_relation relation, struct wb_integer_end least,
                        struct wb_integer_end most)
{
  const bool single = least.number == most.number;
  least.number += relation == WB_RELATION_GREATER;
  most.number -= relation == WB_RELATION_LESS;
  switch (relation) {
  case WB_RELATION_LESS:
  case WB_RELATION_AT_MOST:
    *high = lesser(*high, most);
    break;
  case WB_RELATION_GREATER:
  case WB_RELATION_AT_LEAST:
    *low = greater(*low, least);
    break;
  case WB_RELATION_EQUAL:
    *high = lesser(*high, most);
    *low = greater(*low, least);
    break;
  default:
    low->number += single && low->number == least.number;
    high->number -= single && high->number == most.number;
  }
}

bool wb_integer_narrow(struct wb_integer *a, enum wb_relation relation,
                       const struct wb_integer *other, bool as_signed)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  struct wb_integer_end least;
  struct wb_integer_end most;
  if (a->base != WB_NO_REGISTER)
    return true;
  wb_integer_ends(a, as_signed, &low, &high);
  wb_integer_ends(other, as_signed, &least, &most);
  narrow_ends(&low, &high, relation, least, most);
  low.number = nearest(a, low.number, false);
  high.number = nearest(a, high.number, true);
  if (low.number > high.number)
    return false;
  const struct wb_integer narrowed =
      wb_integer_aligned(wb_integer_between(low, high, a->origin), wb_integer_alignment(a));
  if (narrowed.width < a->width)
    *a = narrowed;
  return true;
}

bool wb_integer_never(const struct wb_integer *left, enum wb_relation relation,
                      const struct wb_integer *right, bool as_signed)
{
  int64_t a[2];
  int64_t b[2];
  if (!wb_integer_view(left, as_signed, &a[0], &a[1]) ||
      !wb_integer_view(right, as_signed, &b[0], &b[1]))
    return false;
  switch (relation) {
  case WB_RELATION_LESS:
    return a[0] >= b[1];
  case WB_RELATION_AT_MOST:
    return a[0] > b[1];
  case WB_RELATION_GREATER:
    return a[1] <= b[0];
  case WB_RELATION_AT_LEAST:
    return a[1] < b[0];
  case WB_RELATION_EQUAL:
    return a[1] < b[0] || b[1] < a[0];
  default:
    return a[0] == a[1] && b[0] == b[1] && a[0] == b[0];
  }
}
