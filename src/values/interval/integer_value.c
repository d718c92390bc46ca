#include "values/interval/integer_value.h"

#include "base/checked.h"

#define WORD ((uint64_t)1 << 32)

struct wb_integer wb_integer_top(void)
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

/* The interval from `low` on, relative to the base of `like`; top where it is too wide. */
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

unsigned wb_integer_alignment(const struct wb_integer *value)
{
  return value->width == 0 ? 32 : value->align;
}

struct wb_integer wb_integer_aligned(struct wb_integer value, unsigned align)
{
  if (value.width == UINT32_MAX)
    return value;
  value.align = (uint8_t)(align < 31 ? align : 31);
  value.width -= value.width & ((UINT32_C(1) << value.align) - 1);
  return value;
}

/* The number of lowest bits in which two numbers agree, at most `most`. */
static unsigned common_bits(uint32_t left, uint32_t right, unsigned most)
{
  unsigned count = 0;
  while (count < most && ((left ^ right) >> count & 1U) == 0)
    count++;
  return count;
}

static unsigned lesser_alignment(const struct wb_integer *left, const struct wb_integer *right)
{
  const unsigned first = wb_integer_alignment(left);
  const unsigned second = wb_integer_alignment(right);
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

/* The result with the reasons of its ends and an origin. */
static struct wb_integer marked(struct wb_integer result, bool low_by_width, bool high_by_width,
                                uint32_t origin)
{
  result.low_by_width = low_by_width || result.width == UINT32_MAX;
  result.high_by_width = high_by_width || result.width == UINT32_MAX;
  result.origin = origin;
  return result;
}

static bool same_base(const struct wb_integer *left, const struct wb_integer *right)
{
  return left->base == right->base && left->shape == right->shape && left->shift == right->shift;
}

bool wb_integer_equal(const struct wb_integer *left, const struct wb_integer *right)
{
  return same_base(left, right) && left->low == right->low && left->width == right->width &&
         wb_integer_alignment(left) == wb_integer_alignment(right);
}

bool wb_integer_is_exact(const struct wb_integer *value)
{
  return value->base == WB_NO_REGISTER && value->width == 0;
}

bool wb_integer_interval(const struct wb_integer *value, bool as_signed, int64_t *low,
                         int64_t *high)
{
  if (value->base != WB_NO_REGISTER)
    return false;
  *low = as_signed
             ? (value->low <= INT32_MAX ? (int64_t)value->low : (int64_t)value->low - (int64_t)WORD)
             : (int64_t)value->low;
  *high = *low + value->width;
  return *high <= (as_signed ? INT32_MAX : UINT32_MAX);
}

bool wb_integer_ends(const struct wb_integer *value, bool as_signed, struct wb_integer_end *low,
                     struct wb_integer_end *high)
{
  const bool ordered = wb_integer_interval(value, as_signed, &low->number, &high->number);
  if (!ordered) {
    low->number = as_signed ? INT32_MIN : 0;
    high->number = as_signed ? INT32_MAX : UINT32_MAX;
  }
  low->by_width = (!ordered || value->low_by_width) && (as_signed || low->number != 0);
  high->by_width = !ordered || value->high_by_width;
  return ordered;
}

struct wb_integer wb_integer_join(const struct wb_integer *left, const struct wb_integer *right)
{
  if (left->low == right->low && left->width == right->width && same_base(left, right) &&
      left->align == right->align && left->low_by_width == right->low_by_width &&
      left->high_by_width == right->high_by_width && left->origin == right->origin)
    return *left;
  const uint32_t origin = wb_first_origin(left->origin, right->origin);
  if (!same_base(left, right))
    return wb_integer_unknown(origin);
  /* Both ways round the circle: from the start of one to the end of the other. */
  const uint64_t to_b = (uint64_t)(uint32_t)(right->low - left->low) + right->width;
  const uint64_t to_a = (uint64_t)(uint32_t)(left->low - right->low) + left->width;
  const uint64_t from_a = to_b > left->width ? to_b : left->width;
  const uint64_t from_b = to_a > right->width ? to_a : right->width;
  const struct wb_integer *first = from_a <= from_b ? left : right;
  const struct wb_integer *other = first == left ? right : left;
  const uint64_t width = from_a <= from_b ? from_a : from_b;
  const struct wb_integer *last = width == first->width ? first : other;
  return wb_integer_aligned(
      marked(spread(first, first->low, width), first->low_by_width, last->high_by_width, origin),
      common_bits(left->low, right->low, lesser_alignment(left, right)));
}

struct wb_integer wb_integer_add(const struct wb_integer *left, const struct wb_integer *right)
{
  const uint32_t low = left->low + right->low;
  const uint64_t width = (uint64_t)left->width + right->width;
  const bool two = left->base != WB_NO_REGISTER && right->base != WB_NO_REGISTER;
  struct wb_integer sum = wb_integer_top();
  if (!two) {
    sum = spread(right->base == WB_NO_REGISTER ? left : right, low, width);
  } else if (same_base(left, right) && left->shape == WB_SHIFTED_LEFT) {
    struct wb_integer twice = *left;
    twice.shift++;
    if (twice.shift == 32)
      twice = wb_integer_exactly(0);
    sum = spread(&twice, low, width);
  }
  const uint32_t origin = two ? WB_ORIGIN(WB_ORIGIN_BASES, (uint32_t)right->base << 12 | left->base)
                              : wb_first_origin(left->origin, right->origin);
  return wb_integer_aligned(marked(sum, left->low_by_width || right->low_by_width,
                                   left->high_by_width || right->high_by_width, origin),
                            lesser_alignment(left, right));
}

struct wb_integer wb_integer_subtract(const struct wb_integer *left, const struct wb_integer *right)
{
  const struct wb_integer none = wb_integer_exactly(0);
  const uint32_t low = left->low - right->low - right->width;
  const uint64_t width = (uint64_t)left->width + right->width;
  struct wb_integer difference = wb_integer_top();
  if (right->base == WB_NO_REGISTER)
    difference = spread(left, low, width);
  else if (same_base(left, right))
    difference = spread(&none, low, width);
  return wb_integer_aligned(marked(difference, left->low_by_width || right->high_by_width,
                                   left->high_by_width || right->low_by_width,
                                   wb_first_origin(left->origin, right->origin)),
                            lesser_alignment(left, right));
}

struct wb_integer wb_integer_shift_left(const struct wb_integer *value, unsigned count)
{
  if (count == 0)
    return *value;
  if (count >= 32)
    return wb_integer_exactly(0);
  struct wb_integer base = *value;
  if (value->base != WB_NO_REGISTER) {
    if (value->shape != WB_SHIFTED_LEFT)
      return wb_integer_top();
    if (value->shift + count >= 32)
      base = wb_integer_exactly(0);
    else
      base.shift = (uint8_t)(value->shift + count);
  }
  const unsigned align = wb_integer_alignment(value) + count;
  /* All differences of the numbers are multiples of 2^32. */
  const uint64_t width = align >= 32 ? 0 : (uint64_t)value->width << count;
  return wb_integer_aligned(spread(&base, value->low << count, width), align);
}

struct wb_integer wb_integer_shift_right(const struct wb_integer *value, unsigned count,
                                         bool as_signed)
{
  const uint8_t shape = as_signed ? WB_SHIFTED_RIGHT_SIGNED : WB_SHIFTED_RIGHT;
  const bool itself = value->shape == WB_SHIFTED_LEFT && value->shift == 0;
  struct wb_integer_end low;
  struct wb_integer_end high;
  if (count == 0)
    return *value;
  if (value->base != WB_NO_REGISTER && value->low == 0 && value->width == 0 &&
      (itself || value->shape == shape) && count < 32U - value->shift) {
    struct wb_integer shifted_base = *value;
    shifted_base.shape = shape;
    shifted_base.shift = (uint8_t)(value->shift + count);
    return shifted_base;
  }
  if (count > 31)
    count = as_signed ? 31 : 32;
  const bool ordered = wb_integer_ends(value, as_signed, &low, &high);
  /* C does not define the shift of a negative number. */
  const int64_t divisor = (int64_t)1 << count;
  low.number = wb_divide_down(low.number, divisor);
  high.number = wb_divide_down(high.number, divisor);
  const unsigned align = wb_integer_alignment(value);
  return wb_integer_aligned(wb_integer_between(low, high, value->origin),
                            ordered && align > count ? align - count : 0);
}

struct wb_integer wb_integer_funnel(const struct wb_integer *low, const struct wb_integer *high,
                                    unsigned count, bool right)
{
  const struct wb_integer from_low = wb_integer_shift_right(low, right ? count : 32 - count, false);
  const struct wb_integer from_high = wb_integer_shift_left(high, right ? 32 - count : count);
  return wb_integer_add(&from_high, &from_low);
}

/* The upper end that a mask gives. A wide mask of an unknown number says no more than its own
 * width. */
static struct wb_integer_end mask_end(const struct wb_integer *mask, bool other_by_width)
{
  struct wb_integer_end low;
  struct wb_integer_end end;
  wb_integer_ends(mask, false, &low, &end);
  end.by_width |= other_by_width && end.number > WB_MASK_MOST;
  return end;
}

/* Applies an upper mask, which keeps the order of signed and of unsigned numbers. False where the
 * value is ordered in neither way. */
static bool round_down(const struct wb_integer *value, uint32_t mask, struct wb_integer *result)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  const int64_t lost = (int64_t)(uint32_t)~mask;
  if (value->base != WB_NO_REGISTER) {
    const struct wb_integer less = wb_integer_range(-lost, 0);
    *result = wb_integer_add(value, &less);
    return true;
  }
  if (mask == 0 || value->width == UINT32_MAX ||
      (!wb_integer_ends(value, false, &low, &high) && !wb_integer_ends(value, true, &low, &high)))
    return false;
  low.number -= (int64_t)((uint64_t)low.number & (uint64_t)lost);
  high.number -= (int64_t)((uint64_t)high.number & (uint64_t)lost);
  *result = wb_integer_aligned(wb_integer_between(low, high, value->origin),
                               common_bits(~mask, UINT32_MAX, 32));
  return true;
}

/* The bits above all that a number of the value has. */
static uint32_t bits_never_set(const struct wb_integer *value)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  uint32_t bits = UINT32_MAX;
  if (value->base != WB_NO_REGISTER || !wb_integer_ends(value, false, &low, &high))
    return 0;
  while (((uint32_t)high.number & bits) != 0)
    bits <<= 1;
  return bits;
}

struct wb_integer wb_integer_and(const struct wb_integer *left, const struct wb_integer *right)
{
  struct wb_integer result;
  if (wb_integer_is_exact(left) && wb_integer_is_exact(right))
    return wb_integer_exactly(left->low & right->low);
  if (wb_integer_is_exact(left)) {
    const struct wb_integer *kept = left;
    left = right;
    right = kept;
  }
  /* All numbers agree in the bits below the stride. */
  if (wb_integer_is_exact(right) && left->base == WB_NO_REGISTER &&
      right->low >> wb_integer_alignment(left) == 0)
    return wb_integer_exactly(left->low & right->low);
  /* The lowest bits of numbers with the same bits above them. */
  if (wb_integer_is_exact(right) && (right->low & (right->low + 1)) == 0 &&
      left->base == WB_NO_REGISTER &&
      (uint64_t)(left->low & right->low) + left->width <= right->low) {
    result = *left;
    result.low &= right->low;
    return result;
  }
  const uint32_t upper = right->low | bits_never_set(left);
  if (wb_integer_is_exact(right) && (~upper & (~upper + 1)) == 0 &&
      round_down(left, upper, &result))
    return result;
  /* No result is above either operand. */
  const struct wb_integer_end zero = {0, false};
  const struct wb_integer_end first = mask_end(left, right->high_by_width);
  const struct wb_integer_end second = mask_end(right, left->high_by_width);
  const struct wb_integer most =
      wb_integer_between(zero, first.number < second.number ? first : second,
                         wb_first_origin(left->origin, right->origin));
  return wb_integer_aligned(most, wb_integer_is_exact(right) ? common_bits(right->low, 0, 31) : 0);
}

static struct wb_integer_end lesser(struct wb_integer_end left, struct wb_integer_end right)
{
  return left.number < right.number || (left.number == right.number && !left.by_width) ? left
                                                                                       : right;
}

static struct wb_integer_end greater(struct wb_integer_end left, struct wb_integer_end right)
{
  return left.number > right.number || (left.number == right.number && !left.by_width) ? left
                                                                                       : right;
}

struct wb_integer wb_integer_extreme(const struct wb_integer *left, const struct wb_integer *right,
                                     bool as_signed, bool least)
{
  const uint32_t origin = wb_first_origin(left->origin, right->origin);
  struct wb_integer_end low[2];
  struct wb_integer_end high[2];
  wb_integer_ends(left, as_signed, &low[0], &high[0]);
  wb_integer_ends(right, as_signed, &low[1], &high[1]);
  return least ? wb_integer_between(lesser(low[0], low[1]), lesser(high[0], high[1]), origin)
               : wb_integer_between(greater(low[0], low[1]), greater(high[0], high[1]), origin);
}

struct wb_integer wb_integer_lower_half(const struct wb_integer *value)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  if (wb_integer_ends(value, false, &low, &high) && high.number <= 0xffff)
    return *value;
  if (wb_integer_is_exact(value))
    return wb_integer_exactly(value->low & 0xffff);
  return wb_integer_between((struct wb_integer_end){0, false},
                            (struct wb_integer_end){0xffff, true}, value->origin);
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

void wb_integer_meet(struct wb_integer *value, const struct wb_integer *other)
{
  if (value->base == WB_NO_REGISTER && other->width < value->width)
    *value = *other;
}

/* Of the numbers of the value the greatest one that is at most `number` (below), or the least one
 * that is at least `number`. */
static int64_t nearest(const struct wb_integer *value, int64_t number, bool below)
{
  const int64_t step = (int64_t)1 << wb_integer_alignment(value);
  const int64_t off = (number - (int64_t)value->low) & (step - 1);
  return below ? number - off : number + (off == 0 ? 0 : step - off);
}

/* Of all numbers all but one are left: on the circle an interval, in whatever reading. */
static bool exclude_from_all(struct wb_integer *value, uint32_t number)
{
  if (value->width != UINT32_MAX)
    return false;
  value->low = number + 1;
  value->width = UINT32_MAX - 1;
  value->low_by_width = number != 0;
  value->high_by_width = true;
  return true;
}

/* As wb_integer_assume; of a value that wraps round as numbers of that type nothing else stays. */
static bool assume_ends(struct wb_integer *value, enum wb_relation relation,
                        const struct wb_integer *other, bool as_signed)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  struct wb_integer_end least;
  struct wb_integer_end most;
  if (value->base != WB_NO_REGISTER)
    return true;
  if (relation == WB_RELATION_UNEQUAL && wb_integer_is_exact(other) &&
      exclude_from_all(value, other->low))
    return true;
  wb_integer_ends(value, as_signed, &low, &high);
  wb_integer_ends(other, as_signed, &least, &most);
  const bool single = least.number == most.number;
  least.number += relation == WB_RELATION_GREATER;
  most.number -= relation == WB_RELATION_LESS;
  switch (relation) {
  case WB_RELATION_LESS:
  case WB_RELATION_AT_MOST:
    high = lesser(high, most);
    break;
  case WB_RELATION_GREATER:
  case WB_RELATION_AT_LEAST:
    low = greater(low, least);
    break;
  case WB_RELATION_EQUAL:
    high = lesser(high, most);
    low = greater(low, least);
    break;
  default:
    low.number += single && low.number == least.number;
    high.number -= single && high.number == most.number;
  }
  low.number = nearest(value, low.number, false);
  high.number = nearest(value, high.number, true);
  if (low.number > high.number)
    return false;
  const struct wb_integer narrowed =
      wb_integer_aligned(wb_integer_between(low, high, value->origin), wb_integer_alignment(value));
  if (narrowed.width < value->width)
    *value = narrowed;
  return true;
}

void wb_integer_assume_rest(struct wb_integer *value, uint32_t rest, unsigned places)
{
  const uint32_t stride = UINT32_C(1) << places;
  const uint32_t skipped = (rest - value->low) & (stride - 1);
  if (value->base != WB_NO_REGISTER || wb_integer_alignment(value) >= places ||
      skipped > value->width)
    return;
  value->low += skipped;
  value->width = (value->width - skipped) & ~(stride - 1);
  value->align = (uint8_t)places;
}

void wb_integer_narrow(struct wb_integer *value, const struct wb_integer *other)
{
  if (value->base != WB_NO_REGISTER || other->base != WB_NO_REGISTER)
    return;
  for (int as_signed = 0; as_signed < 2; as_signed++) {
    struct wb_integer cut = *value;
    int64_t low;
    int64_t high;
    if (wb_integer_interval(other, as_signed != 0, &low, &high) &&
        assume_ends(&cut, WB_RELATION_EQUAL, other, as_signed != 0))
      *value = cut;
  }
  wb_integer_meet(value, other);
  if (other->width > 0)
    wb_integer_assume_rest(value, other->low, other->align);
}

bool wb_integer_assume(struct wb_integer *value, enum wb_relation relation,
                       const struct wb_integer *other, bool as_signed)
{
  const struct wb_integer before = *value;
  int64_t low, high;
  if (!assume_ends(value, relation, other, as_signed))
    return false;
  if (before.width != UINT32_MAX && !wb_integer_interval(&before, as_signed, &low, &high))
    wb_integer_narrow(value, &before);
  return true;
}

bool wb_interval_excludes(const int64_t a[2], enum wb_relation relation, const int64_t b[2])
{
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

bool wb_integer_excludes(const struct wb_integer *left, enum wb_relation relation,
                         const struct wb_integer *right, bool as_signed)
{
  int64_t a[2];
  int64_t b[2];
  return wb_integer_interval(left, as_signed, &a[0], &a[1]) &&
         wb_integer_interval(right, as_signed, &b[0], &b[1]) &&
         wb_interval_excludes(a, relation, b);
}

bool wb_integer_is_valid(const struct wb_integer *value)
{
  const bool has_base = value->base != WB_NO_REGISTER;
  const bool top = value->width == UINT32_MAX;
  if (value->shape > WB_SHIFTED_RIGHT_SIGNED || value->shift > 31 || value->align > 31)
    return false;
  if (top)
    return !has_base && value->low == 0 && value->align == 0 && value->low_by_width &&
           value->high_by_width;
  if ((!has_base || value->shift == 0) && (value->shape != WB_SHIFTED_LEFT || value->shift != 0))
    return false;
  return (value->width & ((UINT32_C(1) << value->align) - 1)) == 0;
}
