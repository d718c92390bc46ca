#include "values/interval/wide_value.h"

static struct wb_wide unknown(uint32_t origin)
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
  return unknown(WB_ORIGIN_NONE);
}

struct wb_wide wb_wide_exactly(uint64_t value)
{
  return (struct wb_wide){.low = value, .base_low = WB_NO_REGISTER, .base_high = WB_NO_REGISTER};
}

static bool is_plain_register(const struct wb_integer *value)
{
  return value->base != WB_NO_REGISTER && wb_integer_is_register(value, value->base);
}

/* The origin of a pair: 8 bytes of constant memory where the words stand next to each other. */
static uint32_t origin_of_words(uint32_t low, uint32_t high)
{
  if (low >> 24 == WB_ORIGIN_CONSTANT && high == low + 4)
    return low | WB_ORIGIN_WIDE;
  return low != 0 ? low : high;
}

struct wb_wide wb_wide_of_words(const struct wb_integer *low, const struct wb_integer *high)
{
  struct wb_integer_end first;
  struct wb_integer_end last;
  const bool two = low->base != WB_NO_REGISTER && high->base != WB_NO_REGISTER;
  const uint32_t origin = two ? WB_ORIGIN(WB_ORIGIN_BASES, (uint32_t)high->base << 12 | low->base)
                              : origin_of_words(low->origin, high->origin);
  if (is_plain_register(low) && is_plain_register(high))
    return (struct wb_wide){.base_low = low->base, .base_high = high->base};
  if (!wb_integer_is_exact(high) || (low->base != WB_NO_REGISTER && !is_plain_register(low)))
    return unknown(origin);
  if (low->base != WB_NO_REGISTER)
    return (struct wb_wide){.low = (uint64_t)high->low << 32,
                            .base_low = low->base,
                            .base_high = WB_NO_REGISTER,
                            .origin = origin};
  wb_integer_ends(low, false, &first, &last);
  return (struct wb_wide){.low = ((uint64_t)high->low << 32) + (uint64_t)first.number,
                          .width = (uint64_t)(last.number - first.number),
                          .base_low = WB_NO_REGISTER,
                          .base_high = WB_NO_REGISTER,
                          .low_by_width = first.by_width,
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

static uint32_t origin_of(const struct wb_wide *left, const struct wb_wide *right)
{
  return left->origin != 0 ? left->origin : right->origin;
}

/* The interval from `low` on, relative to the base of `like`. */
static struct wb_wide spread(const struct wb_wide *like, uint64_t low, uint64_t width,
                             uint32_t origin)
{
  if (width == UINT64_MAX)
    return unknown(origin);
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
  const uint32_t origin = origin_of(left, right);
  if (!wb_wide_same_base(left, right))
    return unknown(origin);
  /* From the one round to the end of the other, or the other way about. */
  const uint64_t to_b = sum_or_all(right->low - left->low, right->width);
  const uint64_t to_a = sum_or_all(left->low - right->low, left->width);
  const uint64_t from_a = to_b > left->width ? to_b : left->width;
  const uint64_t from_b = to_a > right->width ? to_a : right->width;
  const struct wb_wide *first = from_a <= from_b ? left : right;
  const struct wb_wide *other = first == left ? right : left;
  const uint64_t width = from_a <= from_b ? from_a : from_b;
  struct wb_wide result = spread(first, first->low, width, origin);
  result.low_by_width |= first->low_by_width;
  result.high_by_width |= (width == first->width ? first : other)->high_by_width;
  return result;
}

struct wb_wide wb_wide_add(const struct wb_wide *left, const struct wb_wide *right)
{
  const uint32_t origin = origin_of(left, right);
  if (wb_wide_has_base(left) && wb_wide_has_base(right))
    return unknown(origin);
  struct wb_wide result = spread(wb_wide_has_base(left) ? left : right, left->low + right->low,
                                 sum_or_all(left->width, right->width), origin);
  result.low_by_width |= left->low_by_width || right->low_by_width;
  result.high_by_width |= left->high_by_width || right->high_by_width;
  return result;
}

struct wb_wide wb_wide_subtract(const struct wb_wide *left, const struct wb_wide *right)
{
  const uint32_t origin = origin_of(left, right);
  struct wb_wide like = *left;
  if (wb_wide_has_base(right)) {
    if (!wb_wide_same_base(left, right))
      return unknown(origin);
    like.base_low = like.base_high = WB_NO_REGISTER;
  }
  struct wb_wide result = spread(&like, left->low - right->low - right->width,
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
    return unknown(value->origin);
  result.low <<= count;
  result.width <<= count;
  return result;
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

/* ---- pairs of registers ---- */

const struct wb_pair *wb_pairs_find(const struct wb_pairs *pairs, uint32_t low, uint32_t high)
{
  for (size_t i = 0; i < pairs->count; i++) {
    if (pairs->rows[i].low == low && pairs->rows[i].high == high)
      return &pairs->rows[i];
  }
  return NULL;
}

struct wb_wide wb_pairs_value(const struct wb_pairs *pairs, const struct wb_integer *registers,
                              uint16_t low, uint16_t high)
{
  const struct wb_pair *pair = wb_pairs_find(pairs, low, high);
  return pair != NULL ? pair->value : wb_wide_of_words(&registers[low], &registers[high]);
}

static void remove_row(struct wb_pairs *pairs, size_t row)
{
  pairs->count--;
  for (size_t i = row; i < pairs->count; i++)
    pairs->rows[i] = pairs->rows[i + 1];
}

void wb_pairs_set(struct wb_pairs *pairs, uint16_t low, uint16_t high, const struct wb_wide *value)
{
  for (size_t i = pairs->count; i-- > 0;) {
    if (pairs->rows[i].low == low && pairs->rows[i].high == high)
      remove_row(pairs, i);
  }
  if (wb_wide_is_top(value) || low == high)
    return;
  if (pairs->count == WB_PAIR_LIMIT)
    remove_row(pairs, 0);
  pairs->rows[pairs->count++] = (struct wb_pair){low, high, *value};
}

void wb_pairs_forget(struct wb_pairs *pairs, uint32_t number, bool either)
{
  for (size_t i = pairs->count; i-- > 0;) {
    if (pairs->rows[i].high == number || (either && pairs->rows[i].low == number))
      remove_row(pairs, i);
  }
}

void wb_pairs_join(struct wb_pairs *mine, const struct wb_integer *my_registers,
                   const struct wb_pairs *its, const struct wb_integer *its_registers)
{
  const struct wb_pairs before = *mine;
  mine->count = 0;
  for (size_t i = 0; i < before.count + its->count; i++) {
    const struct wb_pair *pair = i < before.count ? &before.rows[i] : &its->rows[i - before.count];
    const struct wb_wide left = wb_pairs_value(&before, my_registers, pair->low, pair->high);
    const struct wb_wide right = wb_pairs_value(its, its_registers, pair->low, pair->high);
    const struct wb_wide both = wb_wide_join(&left, &right);
    if (mine->count < WB_PAIR_LIMIT || wb_pairs_find(mine, pair->low, pair->high) != NULL)
      wb_pairs_set(mine, pair->low, pair->high, &both);
  }
}

/* The invariant of struct wb_wide. */
static bool is_valid(const struct wb_wide *value)
{
  const bool has_base = value->base_low != WB_NO_REGISTER;
  if (!has_base && value->base_high != WB_NO_REGISTER)
    return false;
  return value->width != UINT64_MAX || (!has_base && value->low == 0);
}

bool wb_pairs_are_valid(const struct wb_pairs *pairs)
{
  if (pairs->count > WB_PAIR_LIMIT)
    return false;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct wb_pair *pair = &pairs->rows[i];
    if (pair->low == pair->high || !is_valid(&pair->value) ||
        wb_pairs_find(pairs, pair->low, pair->high) != pair)
      return false;
  }
  return true;
}
