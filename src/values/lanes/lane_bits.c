/* Functions of bits, comparisons, minima and maxima of lane values of one part. */
#include "values/domain.h"
#include "values/lanes/lane_plain.h"

/* ---- functions of bits ---- */

/* What is known of the bits of an operand. */
struct operand_bits {
  uint32_t numbers[WB_LANES]; /* by lane: its known bits */
  uint32_t known;             /* the bits that are known in each lane */
  uint32_t shared;            /* bits that are not known but the same in all lanes */
};

static uint32_t mask_below(unsigned bits)
{
  return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

static struct operand_bits bits_of(const struct wb_lane_value_pool *values, uint32_t operand)
{
  struct operand_bits bits = {.known = 0};
  const struct wb_lane_value *word = &values->values[operand];
  if (operand == WB_LANES_UNKNOWN || word->wide)
    return bits;
  const struct wb_lane_shape *shape = &values->shapes[word->shape];
  unsigned low_count = word->bits;
  for (unsigned l = 0; l < WB_LANES && word->loose; l++) /* which lane has which is not known */
    while (low_count > 0 && ((uint64_t)shape->distance[l] & mask_below(low_count)) != 0)
      low_count--;
  const uint32_t low = mask_below(low_count);
  unsigned used = 0; /* lowest bits that numbers up to word->most have */
  while (used < 32 && word->most >> used != 0)
    used++;
  const uint32_t zeros = ~mask_below(used);
  bool same = true; /* the bits above the low ones */
  for (unsigned l = 0; l < WB_LANES; l++) {
    const int64_t sum = (int64_t)word->residue + shape->distance[l];
    bits.numbers[l] = (uint32_t)((uint64_t)sum & low & ~zeros);
    same = same && sum >= 0 && sum <= (int64_t)low;
  }
  bits.known = low | zeros;
  bits.shared = (same && wb_plain_is_exact(word)) || word->shape == 0 ? ~bits.known : 0;
  return bits;
}

/* One bit of the result: known in each lane, or the same in all. False where it is neither, or
 * depends on a bit that is another one in each lane. */
static bool find_bit(const struct operand_bits operands[3], uint8_t table, unsigned lanes,
                     uint32_t bit, struct operand_bits *result)
{
  uint8_t first = 0;
  bool known = true;
  bool same = true;
  for (unsigned l = 0; l < lanes; l++) {
    uint8_t function = table; /* of the bit in this lane: with the known bits in place */
    for (unsigned o = 0; o < 3; o++)
      if ((operands[o].known & bit) != 0)
        function = wb_lookup_fixed(function, o, (operands[o].numbers[l] & bit) != 0);
    for (unsigned o = 0; o < 3; o++)
      if (((operands[o].known | operands[o].shared) & bit) == 0 && wb_lookup_depends(function, o))
        return false;
    first = l == 0 ? function : first;
    same = same && function == first;
    known = known && (function == WB_LOOKUP_FALSE || function == WB_LOOKUP_TRUE);
    if (function == WB_LOOKUP_TRUE)
      result->numbers[l] |= bit;
  }
  if (known)
    result->known |= bit;
  else if (same)
    result->shared |= bit;
  return known || same;
}

/* The bits of a word under a mask without gaps: a quotient by a power of two, its remainder by
 * another one, times the first. */
static uint32_t bits_between(struct wb_lane_value_pool *values, uint32_t word, uint32_t mask)
{
  unsigned places = 0;
  while ((mask >> places & 1) == 0)
    places++;
  const uint32_t field = mask >> places;
  if ((field & (field + 1)) != 0)
    return WB_LANES_UNKNOWN;
  if (places > 0)
    word = wb_plain_shift_right(values, word, places, false);
  if (mask <= INT32_MAX)
    word = wb_plain_remainder(values, word, field + 1);
  return places > 0 ? wb_plain_shift_left(values, word, places) : word;
}

/* The bits of a word alone that a number masks. */
static uint32_t masked(struct wb_lane_value_pool *values, const uint32_t operands[3], uint8_t table)
{
  for (unsigned mask = 0; mask < 3; mask++)
    for (unsigned word = 0; word < 3; word++) {
      uint64_t number;
      if (mask != word && table == (wb_lookup_variable(mask) & wb_lookup_variable(word)) &&
          wb_lanes_are_number(values, operands[mask], &number) && number > 0 && number < UINT32_MAX)
        return bits_between(values, operands[word], (uint32_t)number);
    }
  return WB_LANES_UNKNOWN;
}

uint32_t wb_plain_lookup(struct wb_lane_value_pool *values, const uint32_t operands[3],
                         uint8_t table)
{
  struct operand_bits bits[3];
  struct operand_bits result = {.known = 0};
  bool uniform = true;
  for (unsigned o = 0; o < 3; o++) {
    bits[o] = bits_of(values, operands[o]);
    uniform =
        uniform && (wb_lanes_are_uniform(values, operands[o]) || !wb_lookup_depends(table, o));
  }
  const unsigned lanes = uniform ? 1 : WB_LANES;
  for (unsigned b = 0; b < 32; b++)
    if (!find_bit(bits, table, lanes, UINT32_C(1) << b, &result))
      return masked(values, operands, table);
  unsigned low = 0; /* the lowest bits that are known */
  while (low < 32 && (result.known >> low & 1) != 0)
    low++;
  int64_t distances[WB_LANES] = {0};
  uint32_t most = 0;
  for (unsigned l = 0; l < lanes; l++) {
    distances[l] = (int64_t)result.numbers[l] - (int64_t)result.numbers[0];
    most |= result.numbers[l];
  }
  return wb_lanes_shaped(values, distances, (uint8_t)low, result.numbers[0], most | result.shared);
}

/* ---- comparisons, minima and maxima ---- */

static int64_t as_number(uint64_t word, bool as_signed, bool wide)
{
  return as_signed && !wide ? (int64_t)(int32_t)(uint32_t)word : (int64_t)word;
}

/* a - b as -1, 0 or 1. */
static int order_of(uint64_t a, uint64_t b, bool as_signed, bool wide)
{
  const int64_t x = as_number(a, as_signed, wide);
  const int64_t y = as_number(b, as_signed, wide);
  if (wide && !as_signed)
    return (a > b) - (a < b);
  return (x > y) - (x < y);
}

static bool holds(int order, enum wb_relation relation)
{
  static const uint8_t orders[] = {
      [WB_RELATION_LESS] = 1,    [WB_RELATION_EQUAL] = 2,   [WB_RELATION_AT_MOST] = 3,
      [WB_RELATION_GREATER] = 4, [WB_RELATION_UNEQUAL] = 5, [WB_RELATION_AT_LEAST] = 6};
  return (orders[relation] >> (order + 1) & 1) != 0;
}

uint32_t wb_plain_compare(struct wb_lane_value_pool *values, uint32_t a, uint32_t b,
                          enum wb_relation relation, bool as_signed)
{
  const struct wb_lane_value left = values->values[a];
  const struct wb_lane_value right = values->values[b];
  if (a == WB_LANES_UNKNOWN || b == WB_LANES_UNKNOWN || left.wide != right.wide)
    return WB_LANES_UNKNOWN;
  if (wb_lanes_are_known(values, a) && wb_lanes_are_known(values, b)) {
    uint32_t numbers[WB_LANES];
    for (unsigned l = 0; l < WB_LANES; l++)
      numbers[l] = holds(
          order_of(wb_lanes_at(values, a, l), wb_lanes_at(values, b, l), as_signed, left.wide),
          relation);
    return wb_lanes_known(values, numbers);
  }
  /* One end of all numbers decides. */
  const uint64_t most_signed = left.wide ? INT64_MAX : INT32_MAX;
  uint64_t number;
  int order = 0;
  if (!as_signed || (left.most <= most_signed && right.most <= most_signed)) {
    if (wb_lanes_are_number(values, b, &number) && left.most < number)
      order = -1;
    else if (wb_lanes_are_number(values, a, &number) && right.most < number)
      order = 1;
  }
  if (order != 0)
    return wb_lanes_number(values, holds(order, relation));
  return wb_lanes_are_uniform(values, a) && wb_lanes_are_uniform(values, b)
             ? wb_lanes_uniform_below(values, 1)
             : WB_LANES_UNKNOWN;
}

/* Sets the ends of the minimum or maximum of words in each lane. */
static void set_ends(const struct wb_lane_value_pool *values, uint32_t a, uint32_t b,
                     bool as_signed, bool minimum, struct wb_lane_value *value)
{
  const uint64_t most[2] = {values->values[a].most, values->values[b].most};
  int64_t low[2];
  int64_t high[2];
  value->most = UINT32_MAX;
  if (!as_signed || (most[0] <= INT32_MAX && most[1] <= INT32_MAX))
    value->most = (most[0] < most[1]) == minimum ? most[0] : most[1];
  wb_plain_set_range(value, 1, 0);
  if (!as_signed)
    return;
  if (!wb_plain_signed_range(values, a, &low[0], &high[0])) {
    low[0] = INT32_MIN;
    high[0] = INT32_MAX;
  }
  if (!wb_plain_signed_range(values, b, &low[1], &high[1])) {
    low[1] = INT32_MIN;
    high[1] = INT32_MAX;
  }
  wb_plain_set_range(value, (low[0] < low[1]) == minimum ? low[0] : low[1],
                     (high[0] < high[1]) == minimum ? high[0] : high[1]);
}

uint32_t wb_plain_extreme(struct wb_lane_value_pool *values, uint32_t a, uint32_t b, bool as_signed,
                          bool minimum)
{
  if (a == WB_LANES_UNKNOWN || b == WB_LANES_UNKNOWN)
    return WB_LANES_UNKNOWN;
  if (wb_lanes_are_known(values, a) && wb_lanes_are_known(values, b)) {
    uint32_t numbers[WB_LANES];
    for (unsigned l = 0; l < WB_LANES; l++) {
      const uint64_t x = wb_lanes_at(values, a, l);
      const uint64_t y = wb_lanes_at(values, b, l);
      numbers[l] = (uint32_t)((order_of(x, y, as_signed, false) < 0) == minimum ? x : y);
    }
    return wb_lanes_known(values, numbers);
  }
  if (!wb_lanes_are_uniform(values, b))
    return wb_lanes_are_uniform(values, a) ? wb_plain_extreme(values, b, a, as_signed, minimum)
                                           : WB_LANES_UNKNOWN;
  struct wb_lane_value value = values->values[a];
  const struct wb_lane_value bound = values->values[b];
  uint64_t limit;
  if (wb_lanes_are_number(values, b, &limit) && value.most <= limit && limit <= INT32_MAX)
    return minimum ? a : b;
  if (value.wide || bound.wide)
    return WB_LANES_UNKNOWN;
  if (value.shape == 0) {
    const uint32_t either = wb_plain_either(values, a, b); /* may move the table */
    value = values->values[either];
  } else {
    /* Numbers in order, of which those beyond the bound become the bound. */
    if (value.cut ||
        (!wb_plain_never_wraps(values, &value) && !(as_signed && wb_plain_is_ordered(values, a))))
      return WB_LANES_UNKNOWN;
    value.level = wb_plain_never_wraps(values, &value);
    wb_plain_unclamp(&value, &value.unclamped, &value.unclamped_bits);
    value.unclamped = (uint32_t)wb_plain_low_bits(value.unclamped, value.unclamped_bits);
    value.clamps = value.clamps < UINT8_MAX ? value.clamps + 1 : UINT8_MAX;
    bool dense = true; /* lanes side by side have numbers side by side */
    for (unsigned l = 1; l < WB_LANES; l++) {
      const int64_t *distance = &values->shapes[value.shape].distance[l];
      dense = dense && distance[0] - distance[-1] <= 1 && distance[-1] - distance[0] <= 1;
    }
    if (!dense || value.loose || value.strays > 0)
      value.strays = value.clamps;
    value.bits = 0;
    value.residue = 0;
    value.ordered = as_signed && wb_plain_is_ordered(values, a);
  }
  set_ends(values, a, b, as_signed, minimum, &value);
  return wb_plain_keep(values, &value);
}
