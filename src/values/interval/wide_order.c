/* Numbers of 64 bits in their order: what a relation leaves of them, the least and the greatest of
 * two. */
#include "values/interval/integer_value.h"

/* Added to a signed number it makes an unsigned one of the same order. */
static uint64_t turn_of(bool as_signed)
{
  return as_signed ? UINT64_C(1) << 63 : 0;
}

/* The numbers from `first` to `last`, as unsigned ones of the same order, and what the ends rest
 * on. */
struct wide_range {
  uint64_t first, last;
  bool low_by_width, high_by_width;
};

/* The least and the greatest number; those of the type where there is a base or the set wraps
 * round. */
static struct wide_range range_of(const struct wb_wide *value, bool as_signed, bool *known)
{
  const uint64_t first = value->low + turn_of(as_signed);
  *known = !wb_wide_has_base(value) && value->width <= UINT64_MAX - first;
  if (!*known || wb_wide_is_top(value)) {
    *known = false;
    return (struct wide_range){0, UINT64_MAX, as_signed, true};
  }
  return (struct wide_range){first, first + value->width, value->low_by_width,
                             value->high_by_width};
}

static struct wb_wide wide_of(struct wide_range range, bool as_signed, uint32_t origin)
{
  if (range.last - range.first == UINT64_MAX) {
    struct wb_wide all = wb_wide_top();
    all.origin = origin;
    return all;
  }
  return (struct wb_wide){.low = range.first - turn_of(as_signed),
                          .width = range.last - range.first,
                          .base_low = WB_NO_REGISTER,
                          .base_high = WB_NO_REGISTER,
                          .low_by_width = range.low_by_width,
                          .high_by_width = range.high_by_width,
                          .origin = origin};
}

/* Keeps the numbers of *left that are in *right too. False where there are none. */
static bool meet_range(struct wide_range *left, struct wide_range right)
{
  if (right.first > left->first) {
    left->first = right.first;
    left->low_by_width = right.low_by_width;
  }
  if (right.last < left->last) {
    left->last = right.last;
    left->high_by_width = right.high_by_width;
  }
  return left->first <= left->last;
}

/* Keeps the numbers of the set that are in the range: of a set that wraps round, those of one of
 * its two parts if the other has none in it. False where none is left. */
static bool meet_wide(struct wb_wide *value, struct wide_range range, bool as_signed)
{
  bool known;
  struct wide_range own = range_of(value, as_signed, &known);
  if (known || wb_wide_is_top(value)) {
    const bool left = meet_range(&own, range);
    if (left)
      *value = wide_of(own, as_signed, value->origin);
    return left;
  }
  /* From `first` up to the end of the type, and from its begin on. */
  const uint64_t first = value->low + turn_of(as_signed);
  struct wide_range parts[2] = {{first, UINT64_MAX, value->low_by_width, true},
                                {0, first + value->width, as_signed, value->high_by_width}};
  const bool left[2] = {meet_range(&parts[0], range), meet_range(&parts[1], range)};
  if (left[0] != left[1])
    *value = wide_of(parts[left[1]], as_signed, value->origin);
  return left[0] || left[1];
}

bool wb_wide_assume(struct wb_wide *value, enum wb_relation relation, const struct wb_wide *other,
                    bool as_signed)
{
  bool known;
  if (wb_wide_has_base(value) || wb_wide_has_base(other))
    return true;
  if (relation == WB_RELATION_UNEQUAL)
    return other->width != 0 || wb_wide_leave_out(value, other->low);
  struct wide_range range = range_of(other, as_signed, &known);
  if (!known)
    return true;
  if (relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST) {
    range.first = 0;
    range.low_by_width = as_signed;
  }
  if (relation == WB_RELATION_GREATER || relation == WB_RELATION_AT_LEAST) {
    range.last = UINT64_MAX;
    range.high_by_width = true;
  }
  /* No number is strictly beyond the type's ends. */
  if ((relation == WB_RELATION_LESS && range.last-- == 0) ||
      (relation == WB_RELATION_GREATER && range.first++ == UINT64_MAX))
    return false;
  return meet_wide(value, range, as_signed);
}

struct wb_wide wb_wide_extreme(const struct wb_wide *left, const struct wb_wide *right,
                               bool as_signed, bool least)
{
  bool known;
  const struct wide_range a = range_of(left, as_signed, &known);
  const struct wide_range b = range_of(right, as_signed, &known);
  const bool first = least == (a.first <= b.first);
  const bool last = least == (a.last <= b.last);
  const struct wide_range range = {first ? a.first : b.first, last ? a.last : b.last,
                                   first ? a.low_by_width : b.low_by_width,
                                   last ? a.high_by_width : b.high_by_width};
  return wide_of(range, as_signed, wb_first_origin(left->origin, right->origin));
}

bool wb_wide_end(const struct wb_wide *value, bool as_signed, bool upper,
                 struct wb_integer_end *end)
{
  bool known;
  const struct wide_range range = range_of(value, as_signed, &known);
  const int64_t number = (int64_t)((upper ? range.last : range.first) - turn_of(as_signed));
  *end = (struct wb_integer_end){number,
                                 upper ? range.high_by_width : range.low_by_width && number != 0};
  return known && number <= WB_WIDE_MOST && number >= (as_signed ? -WB_WIDE_MOST : 0);
}
