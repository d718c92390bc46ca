/* Sums, products, shifts and quotients of lane values of one part, and numbers of 64 bits. */
#include "values/lanes/lane_plain.h"

#include <string.h>

/* A copy, which stays where more values are made. */
static struct wb_lane_value get(const struct wb_lane_value_pool *values, uint32_t value)
{
  return values->values[value];
}

/* A loose value with the first `count` numbers of the table; the first one becomes 0. */
static uint32_t keep_set(struct wb_lane_value_pool *values, struct wb_lane_value value,
                         struct wb_lane_shape *shape, size_t count)
{
  const int64_t first = shape->distance[0];
  value.loose = true;
  value.residue = wb_plain_low_bits(value.residue + (uint64_t)first, value.bits);
  for (size_t l = 0; l < WB_LANES; l++)
    shape->distance[l] = wb_plain_distance(
        (uint64_t)shape->distance[l < count ? l : 0] - (uint64_t)first, value.wide);
  return wb_plain_keep_shaped(values, value, shape);
}

/* ---- sums and products, of words and wide numbers ---- */

static uint32_t sum(struct wb_lane_value_pool *values, uint32_t left, uint32_t right, bool wide)
{
  if (left == WB_LANES_UNKNOWN || right == WB_LANES_UNKNOWN)
    return WB_LANES_UNKNOWN;
  const struct wb_lane_value a = get(values, left);
  const struct wb_lane_value b = get(values, right);
  /* Two tables are added where both say of each lane how far it is. */
  if (a.wide != wide || b.wide != wide ||
      (a.shape != 0 && b.shape != 0 && (!wb_plain_is_exact(&a) || !wb_plain_is_exact(&b))))
    return WB_LANES_UNKNOWN;
  struct wb_lane_value value = {.bits = a.bits < b.bits ? a.bits : b.bits,
                                .most = a.most + b.most,
                                .wide = wide,
                                .split = a.split > b.split ? a.split : b.split,
                                .cut = a.cut || b.cut,
                                .period = a.period + b.period, /* one of them is uniform */
                                .step = a.step + b.step,
                                .start = a.start + b.start,
                                .loose = a.loose || b.loose,
                                .clamps = a.clamps > b.clamps ? a.clamps : b.clamps,
                                .strays = a.strays > b.strays ? a.strays : b.strays};
  value.residue = wb_plain_low_bits(a.residue + b.residue, value.bits);
  if (value.most < a.most || (!wide && value.most > UINT32_MAX))
    value.most = wide ? UINT64_MAX : UINT32_MAX;
  if (value.clamps > 0) { /* one of them is uniform */
    const struct wb_lane_value *clamped = a.clamps > 0 ? &a : &b;
    const struct wb_lane_value *other = a.clamps > 0 ? &b : &a;
    value.unclamped_bits = (uint8_t)wb_plain_least(clamped->unclamped_bits, other->bits);
    value.unclamped =
        (uint32_t)wb_plain_low_bits(clamped->unclamped + other->residue, value.unclamped_bits);
  }
  if (value.split) { /* one of them is uniform */
    value.edge_bits =
        (uint8_t)wb_plain_least(a.split ? a.edge_bits : b.edge_bits, a.split ? b.bits : a.bits);
    value.edge = (uint32_t)wb_plain_low_bits(a.split ? a.edge + b.residue : b.edge + a.residue,
                                             value.edge_bits);
  }
  int64_t low[2];
  int64_t high[2];
  if (wb_plain_signed_range(values, left, &low[0], &high[0]) &&
      wb_plain_signed_range(values, right, &low[1], &high[1]))
    wb_plain_set_range(&value, low[0] + low[1], high[0] + high[1]);
  value.ordered = (value.ranged || (!wide && value.most <= INT32_MAX)) &&
                  wb_plain_is_ordered(values, left) && wb_plain_is_ordered(values, right);
  if (a.shape == 0 || b.shape == 0) {
    value.shape = a.shape + b.shape;
    return wb_plain_keep(values, &value);
  }
  struct wb_lane_shape shape;
  for (unsigned l = 0; l < WB_LANES; l++)
    shape.distance[l] = wb_plain_distance((uint64_t)values->shapes[a.shape].distance[l] +
                                              (uint64_t)values->shapes[b.shape].distance[l],
                                          wide);
  return wb_plain_keep_shaped(values, value, &shape);
}

/* By a number that is known. */
static uint32_t multiple(struct wb_lane_value_pool *values, uint32_t factor, uint64_t number,
                         bool wide)
{
  if (factor == WB_LANES_UNKNOWN || values->values[factor].wide != wide)
    return WB_LANES_UNKNOWN;
  if (number == 0)
    return wide ? wb_lanes_wide_number(values, 0) : wb_lanes_number(values, 0);
  const struct wb_lane_value a = get(values, factor);
  struct wb_lane_value value = a;
  struct wb_lane_shape shape;
  value.bits = (uint8_t)wb_plain_least(wide ? 64 : 32, a.bits + wb_plain_trailing_zeros(number));
  value.residue = wb_plain_low_bits(a.residue * number, value.bits);
  value.most = wide ? UINT64_MAX : UINT32_MAX;
  if (a.most <= value.most / number)
    value.most = a.most * number;
  const int64_t factor_number = wb_plain_distance(number, wide);
  int64_t low;
  int64_t high;
  value.ranged = value.ordered = value.level = false;
  value.low = value.high = 0;
  value.unclamped_bits =
      (uint8_t)wb_plain_least(32, a.unclamped_bits + wb_plain_trailing_zeros(number));
  value.unclamped = (uint32_t)wb_plain_low_bits(a.unclamped * number, value.unclamped_bits);
  if (!wide && wb_plain_signed_range(values, factor, &low, &high))
    wb_plain_set_range(&value, factor_number * (factor_number < 0 ? high : low),
                       factor_number * (factor_number < 0 ? low : high));
  const uint64_t size = factor_number < 0 ? -(uint64_t)factor_number : (uint64_t)factor_number;
  const uint64_t limit = (wide ? UINT64_C(1) << 62 : UINT64_C(1) << 31) / size;
  if (a.period != 0 && (factor_number < 0 || a.period >= limit))
    return WB_LANES_UNKNOWN;
  value.period *= size;
  value.step *= size;
  value.start *= size;
  /* On which side of the edge its multiple is, and whether an order is left, is not known of all.
   */
  value.edge_bits =
      factor_number < 0
          ? 0
          : (uint8_t)wb_plain_least(32, a.edge_bits + wb_plain_trailing_zeros(number));
  for (unsigned l = 0; l < WB_LANES; l++) {
    const int64_t distance = values->shapes[a.shape].distance[l];
    shape.distance[l] = wb_plain_distance((uint64_t)distance * number, wide);
    /* The order of distances has a meaning, which must stay. */
    if ((a.cut || a.clamps > 0) &&
        (distance < 0 ? -(uint64_t)distance : (uint64_t)distance) >= limit)
      return WB_LANES_UNKNOWN;
    if ((distance < 0 ? -(uint64_t)distance : (uint64_t)distance) >= limit)
      value.edge_bits = 0;
  }
  value.edge = (uint32_t)wb_plain_low_bits(a.edge * number, value.edge_bits);
  return wb_plain_keep_shaped(values, value, &shape);
}

uint32_t wb_plain_add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  return sum(values, a, b, false);
}

uint32_t wb_plain_negate(struct wb_lane_value_pool *values, uint32_t a)
{
  return multiple(values, a, UINT32_MAX, false);
}

/* Of two numbers that all lanes have: with a = r + 2^i x and b = s + 2^j y the product is known
 * modulo the least power of two in r 2^j, s 2^i and 2^(i + j). */
static uint32_t uniform_product(struct wb_lane_value_pool *values, const struct wb_lane_value *a,
                                const struct wb_lane_value *b, bool wide)
{
  struct wb_lane_value value = {.most = wide ? UINT64_MAX : UINT32_MAX, .wide = wide};
  const bool fits = b->most == 0 || a->most <= value.most / b->most;
  const unsigned bits = wb_plain_least(
      a->bits + b->bits, wb_plain_least(a->bits + wb_plain_trailing_zeros(b->residue),
                                        b->bits + wb_plain_trailing_zeros(a->residue)));
  value.bits = (uint8_t)wb_plain_least(bits, 32);
  value.residue = wb_plain_low_bits(a->residue * b->residue, value.bits);
  if (fits)
    value.most = a->most * b->most;
  return wb_plain_keep(values, &value);
}

uint32_t wb_plain_multiply(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  uint64_t number;
  uint32_t numbers[WB_LANES];
  if (a == WB_LANES_UNKNOWN || b == WB_LANES_UNKNOWN) {
    const bool zero = (wb_lanes_are_number(values, a, &number) && number == 0) ||
                      (wb_lanes_are_number(values, b, &number) && number == 0);
    return zero ? wb_lanes_number(values, 0) : WB_LANES_UNKNOWN;
  }
  if (wb_lanes_are_number(values, b, &number))
    return multiple(values, a, number, false);
  if (wb_lanes_are_number(values, a, &number))
    return multiple(values, b, number, false);
  const struct wb_lane_value left = get(values, a);
  const struct wb_lane_value right = get(values, b);
  if (left.shape == 0 && right.shape == 0)
    return uniform_product(values, &left, &right, false);
  if (!wb_lanes_are_known(values, a) || !wb_lanes_are_known(values, b))
    return WB_LANES_UNKNOWN;
  for (unsigned l = 0; l < WB_LANES; l++)
    numbers[l] = (uint32_t)(wb_lanes_at(values, a, l) * wb_lanes_at(values, b, l));
  return wb_lanes_known(values, numbers);
}

uint32_t wb_plain_shift_left(struct wb_lane_value_pool *values, uint32_t a, unsigned places)
{
  return places > 31 ? wb_lanes_number(values, 0)
                     : multiple(values, a, UINT64_C(1) << places, false);
}

/* Of a division by a positive unit. */
static int64_t floor_of(int64_t number, int64_t unit)
{
  return number >= 0 ? number / unit : -((unit - 1 - number) / unit);
}

/* Adds a number to ascending ones. False where there are WB_LANES already. */
static bool add_number(int64_t numbers[WB_LANES], size_t *count, int64_t number)
{
  size_t place = *count;
  while (place > 0 && numbers[place - 1] > number)
    place--;
  if (place > 0 && numbers[place - 1] == number)
    return true;
  if (*count == WB_LANES)
    return false;
  memmove(&numbers[place + 1], &numbers[place], (*count - place) * sizeof *numbers);
  numbers[place] = number;
  ++*count;
  return true;
}

/* The lower word of the numbers divided by a unit of at most 2^32, rounded down, where no lane
 * wraps. Where it is not known what lane 0's number leaves, the set of all quotients that its known
 * bits admit. */
static uint32_t quotient(struct wb_lane_value_pool *values, const struct wb_lane_value *a,
                         int64_t unit, uint64_t most)
{
  const unsigned places = wb_plain_trailing_zeros((uint64_t)unit);
  struct wb_lane_value value = {.most = most > UINT32_MAX ? UINT32_MAX : most,
                                .clamps = a->clamps,
                                .strays = a->clamps,
                                .loose = a->loose};
  uint8_t
      without_bits; /* of the numbers without their bounds, of which the quotients are clamped */
  uint32_t without;
  wb_plain_unclamp(a, &without, &without_bits);
  const bool by_these = a->clamps > 0 && without_bits > a->bits;
  const unsigned known = wb_plain_least(by_these ? without_bits : a->bits, places);
  const int64_t first = (int64_t)wb_plain_low_bits(by_these ? without : a->residue, known);
  const int64_t last = first + unit - (INT64_C(1) << known);
  const int64_t *distance = values->shapes[a->shape].distance;
  struct wb_lane_shape shape;
  size_t count = 0;
  if (first == last && !a->split && by_these) {
    value.unclamped_bits = (uint8_t)(without_bits - places);
    value.unclamped = places > 31 ? 0 : without >> places;
  } else if (first == last && !a->split) {
    value.bits = (uint8_t)wb_plain_least(a->bits - places, 32);
    value.residue = wb_plain_low_bits(a->residue >> places, value.bits);
  }
  if (a->period != 0 && a->shape != 0)
    return WB_LANES_UNKNOWN;
  value.cut = a->cut || a->split;
  if (a->shape == 0)
    return wb_plain_keep(values, &value);
  for (unsigned l = 0; l < WB_LANES; l++)
    if (distance[l] > INT64_C(1) << 61 || distance[l] < -(INT64_C(1) << 61))
      return WB_LANES_UNKNOWN;
  if (first == last) {
    for (unsigned l = 0; l < WB_LANES; l++)
      shape.distance[l] = wb_plain_distance((uint64_t)floor_of(first + distance[l], unit), false);
    return wb_plain_keep_shaped(values, value, &shape);
  }
  value.loose = true;
  for (unsigned l = 0; l < WB_LANES; l++)
    if (value.cut || !add_number(shape.distance, &count, floor_of(first + distance[l], unit)) ||
        !add_number(shape.distance, &count, floor_of(last + distance[l], unit)))
      return WB_LANES_UNKNOWN;
  return keep_set(values, value, &shape, count);
}

uint32_t wb_plain_shift_right(struct wb_lane_value_pool *values, uint32_t a, unsigned places,
                              bool as_signed)
{
  if (a == WB_LANES_UNKNOWN || places > 31)
    return WB_LANES_UNKNOWN;
  if (wb_lanes_are_known(values, a)) {
    uint32_t numbers[WB_LANES];
    for (unsigned l = 0; l < WB_LANES; l++) {
      const uint64_t number = wb_lanes_at(values, a, l);
      const uint64_t sign = as_signed && number >> 31 != 0 ? UINT64_C(0xffffffff) << 32 : 0;
      numbers[l] = (uint32_t)((number | sign) >> places);
    }
    return wb_lanes_known(values, numbers);
  }
  const struct wb_lane_value word = get(values, a);
  if (word.wide)
    return WB_LANES_UNKNOWN;
  if (word.most >> places == 0 && (!as_signed || word.most <= INT32_MAX))
    return wb_lanes_number(values, 0);
  struct wb_lane_value value = {.most = as_signed && word.most > INT32_MAX ? UINT32_MAX
                                                                           : word.most >> places};
  int64_t low = 0;
  int64_t high = 0;
  value.ranged = as_signed && wb_plain_signed_range(values, a, &low, &high);
  if (word.shape != 0 && !(as_signed && wb_plain_is_ordered(values, a)) &&
      !wb_plain_never_wraps(values, &word))
    return WB_LANES_UNKNOWN;
  const uint32_t found = quotient(values, &word, INT64_C(1) << places, value.most);
  if (found == WB_LANES_UNKNOWN || !value.ranged)
    return found;
  value = get(values, found);
  wb_plain_set_range(&value, floor_of(low, INT64_C(1) << places),
                     floor_of(high, INT64_C(1) << places));
  return wb_plain_keep(values, &value);
}

/* The quotient or the remainder by a number of at least 2 of words that are known. */
static uint32_t divided(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor,
                        bool remainder)
{
  uint32_t numbers[WB_LANES];
  for (unsigned l = 0; l < WB_LANES; l++) {
    const uint32_t number = (uint32_t)wb_lanes_at(values, a, l);
    numbers[l] = remainder ? number % divisor : number / divisor;
  }
  return wb_lanes_known(values, numbers);
}

uint32_t wb_plain_quotient(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor)
{
  const struct wb_lane_value word = get(values, a);
  if (wb_lanes_are_known(values, a))
    return divided(values, a, divisor, false);
  if (a == WB_LANES_UNKNOWN || word.wide || word.cut || !wb_plain_never_wraps(values, &word))
    return WB_LANES_UNKNOWN;
  return quotient(values, &word, divisor, word.most / divisor);
}

uint32_t wb_plain_remainder(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor)
{
  struct wb_lane_shape shape;
  if (wb_lanes_are_known(values, a))
    return divided(values, a, divisor, true);
  const struct wb_lane_value word = get(values, a);
  if (a == WB_LANES_UNKNOWN || word.wide || word.most < divisor)
    return a;
  if (word.shape != 0 && divisor <= WB_LANES) {
    for (unsigned l = 0; l < WB_LANES; l++)
      shape.distance[l] = (int64_t)l;
    const struct wb_lane_value all = {.most = divisor - 1, .bits = 32};
    return keep_set(values, all, &shape, divisor);
  }
  struct wb_lane_value value = get(values, wb_plain_with_quotient(values, a, divisor));
  if (value.bits == UINT8_MAX) /* nothing is known */
    return WB_LANES_UNKNOWN;
  value.bits = (uint8_t)wb_plain_least(word.bits, wb_plain_trailing_zeros(divisor));
  value.residue = wb_plain_low_bits(word.residue, value.bits);
  value.most = divisor - 1;
  return wb_plain_keep(values, &value);
}

uint32_t wb_plain_with_quotient(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor)
{
  struct wb_lane_value value = get(values, a);
  /* A wrap is between two periods that are a power of 2. */
  const bool power = (divisor & (divisor - 1)) == 0;
  if (a == WB_LANES_UNKNOWN || value.wide || value.cut ||
      (!power && !wb_plain_never_wraps(values, &value)))
    return WB_LANES_UNKNOWN;
  const unsigned bits =
      wb_plain_least(wb_plain_least(value.bits, wb_plain_trailing_zeros(divisor)), 31);
  value.cut = value.shape != 0;
  value.period = divisor;
  value.step = UINT64_C(1) << bits;
  value.start = wb_plain_low_bits(value.residue, bits);
  value.bits = 0;
  value.residue = 0;
  value.most = UINT32_MAX;
  value.ranged = value.ordered = value.level = false;
  value.low = value.high = 0;
  value.unclamped_bits = 0;
  value.unclamped = 0;
  return wb_plain_keep(values, &value);
}

/* ---- numbers of 64 bits ---- */

static int64_t as_number(uint64_t word, bool as_signed)
{
  return as_signed ? (int64_t)(int32_t)(uint32_t)word : (int64_t)word;
}

uint32_t wb_plain_extend(struct wb_lane_value_pool *values, uint32_t word, bool as_signed)
{
  if (word == WB_LANES_UNKNOWN)
    return WB_LANES_UNKNOWN;
  const struct wb_lane_value a = get(values, word);
  if (wb_lanes_are_known(values, word)) {
    uint64_t numbers[WB_LANES];
    for (unsigned l = 0; l < WB_LANES; l++)
      numbers[l] = (uint64_t)as_number(wb_lanes_at(values, word, l), as_signed);
    return wb_plain_known_wide(values, numbers);
  }
  const bool ordered = as_signed && wb_plain_is_ordered(values, word);
  const struct wb_lane_value value = {
      .residue = a.residue,
      .most = as_signed && a.most > INT32_MAX ? UINT64_MAX : a.most,
      .shape = a.shape,
      .bits = a.bits,
      .wide = true,
      .cut = a.cut,
      .period = a.period,
      .step = a.step,
      .start = a.start,
      .loose = a.loose,
      .clamps = a.clamps,
      .strays = a.strays,
      .unclamped_bits = a.unclamped_bits,
      .unclamped = a.unclamped,
      .split = wb_plain_never_wraps(values, &a) || ordered ? WB_SPLIT_NOT : WB_SPLIT_SHARED,
      .edge_bits = 31}; /* 2^31, or 2^32, and its negative one or 0 */
  return wb_plain_keep(values, &value);
}

uint32_t wb_plain_pair(struct wb_lane_value_pool *values, uint32_t low, uint32_t high)
{
  if (!wb_lanes_are_uniform(values, low) || !wb_lanes_are_uniform(values, high))
    return WB_LANES_UNKNOWN;
  const struct wb_lane_value a = get(values, low);
  const struct wb_lane_value b = get(values, high);
  struct wb_lane_value value = {
      .residue = a.residue, .most = UINT64_MAX, .bits = a.bits, .wide = true};
  if (a.bits == 32) {
    value.bits = (uint8_t)(32 + b.bits);
    value.residue |= b.residue << 32;
  }
  return wb_plain_keep(values, &value);
}

uint32_t wb_plain_wide_add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  return sum(values, a, b, true);
}

uint32_t wb_plain_wide_negate(struct wb_lane_value_pool *values, uint32_t a)
{
  return multiple(values, a, UINT64_MAX, true);
}

uint32_t wb_plain_wide_shift_left(struct wb_lane_value_pool *values, uint32_t a, unsigned places)
{
  return places > 63 ? WB_LANES_UNKNOWN : multiple(values, a, UINT64_C(1) << places, true);
}

uint32_t wb_plain_wide_product(struct wb_lane_value_pool *values, uint32_t a, uint32_t b,
                               bool a_signed, bool b_signed)
{
  uint64_t number;
  if (wb_lanes_are_number(values, a, &number) && !wb_lanes_are_number(values, b, &number))
    return wb_plain_wide_product(values, b, a, b_signed, a_signed);
  if (wb_lanes_are_number(values, b, &number))
    return number == 0 ? wb_lanes_wide_number(values, 0)
                       : multiple(values, wb_plain_extend(values, a, a_signed),
                                  (uint64_t)as_number(number, b_signed), true);
  if (wb_lanes_are_uniform(values, a) && wb_lanes_are_uniform(values, b)) {
    const struct wb_lane_value left = get(values, wb_plain_extend(values, a, a_signed));
    const struct wb_lane_value right = get(values, wb_plain_extend(values, b, b_signed));
    return uniform_product(values, &left, &right, true);
  }
  return WB_LANES_UNKNOWN;
}

uint32_t wb_plain_lower_word(struct wb_lane_value_pool *values, uint32_t wide)
{
  if (wide == WB_LANES_UNKNOWN)
    return WB_LANES_UNKNOWN;
  const struct wb_lane_value a = get(values, wide);
  struct wb_lane_value value = {.bits = (uint8_t)wb_plain_least(a.bits, 32),
                                .most = a.most < UINT32_MAX ? a.most : UINT32_MAX,
                                .cut = a.cut,
                                .period = a.period,
                                .step = a.step,
                                .start = a.start,
                                .loose = a.loose,
                                .clamps = a.clamps,
                                .strays = a.strays,
                                .unclamped_bits = a.unclamped_bits,
                                .unclamped = a.unclamped};
  struct wb_lane_shape shape;
  value.residue = wb_plain_low_bits(a.residue, value.bits);
  for (unsigned l = 0; l < WB_LANES; l++) {
    shape.distance[l] = wb_plain_distance((uint64_t)values->shapes[a.shape].distance[l], false);
    if ((a.cut || a.clamps > 0) && shape.distance[l] != values->shapes[a.shape].distance[l])
      return WB_LANES_UNKNOWN;
  }
  return wb_plain_keep_shaped(values, value, &shape);
}

uint32_t wb_plain_upper_word(struct wb_lane_value_pool *values, uint32_t wide)
{
  if (wide == WB_LANES_UNKNOWN)
    return WB_LANES_UNKNOWN;
  if (wb_lanes_are_known(values, wide)) {
    uint32_t numbers[WB_LANES];
    for (unsigned l = 0; l < WB_LANES; l++)
      numbers[l] = (uint32_t)(wb_lanes_at(values, wide, l) >> 32);
    return wb_lanes_known(values, numbers);
  }
  const struct wb_lane_value a = get(values, wide);
  return quotient(values, &a, INT64_C(1) << 32, a.most >> 32);
}
