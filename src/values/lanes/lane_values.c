#include "values/lanes/lane_values.h"

#include "base/hash.h"
#include "base/memory.h"
#include "values/domain.h"

#include <stdlib.h>
#include <string.h>

/* Most shapes and values; where there would be more, values are unknown. */
#define SHAPE_LIMIT 20000
#define VALUE_LIMIT 2000000

/* ---- keeping each once ---- */

static uint64_t hash_of_shape(const void *shapes, uint32_t number)
{
  const struct wb_lane_shape *shape = &((const struct wb_lane_shape *)shapes)[number];
  uint64_t hash = 0;
  for (unsigned l = 0; l < WB_LANES; l++)
    hash = wb_hash_word(hash, (uint64_t)shape->distance[l]);
  return hash;
}

static uint64_t hash_of_value(const void *values, uint32_t number)
{
  const struct wb_lane_value *value = &((const struct wb_lane_value *)values)[number];
  uint64_t hash = wb_hash_word(0, value->residue);
  hash = wb_hash_word(hash, value->most);
  return wb_hash_word(hash, (uint64_t)value->shape << 16 | (uint64_t)value->bits << 8 |
                                (uint64_t)value->wide << 1 | value->split);
}

static bool same_shape(const void *shapes, uint32_t number, const void *shape)
{
  return memcmp(&((const struct wb_lane_shape *)shapes)[number], shape,
                sizeof(struct wb_lane_shape)) == 0;
}

static bool same_value(const void *values, uint32_t number, const void *key)
{
  const struct wb_lane_value *a = &((const struct wb_lane_value *)values)[number];
  const struct wb_lane_value *b = key;
  return a->residue == b->residue && a->most == b->most && a->shape == b->shape &&
         a->bits == b->bits && a->wide == b->wide && a->split == b->split;
}

/* The number of a shape; false where there are too many. */
static bool keep_shape(struct wb_lane_value_pool *values, const struct wb_lane_shape *shape,
                       uint32_t *number)
{
  *number = 0;
  if (!wb_hash_table_grow(&values->shape_table, values->shape_count, hash_of_shape,
                          values->shapes) ||
      !wb_grow(values->shapes, &values->shape_capacity, values->shape_count + 1)) {
    values->failed = true;
    return false;
  }
  uint32_t *slot = wb_hash_table_slot(&values->shape_table, hash_of_shape(shape, 0), same_shape,
                                      values->shapes, shape);
  if (*slot == 0) {
    if (values->shape_count == SHAPE_LIMIT)
      return false;
    values->shapes[values->shape_count] = *shape;
    *slot = (uint32_t)++values->shape_count;
  }
  *number = *slot - 1;
  return true;
}

static uint32_t keep_value(struct wb_lane_value_pool *values, const struct wb_lane_value *value)
{
  if (!wb_hash_table_grow(&values->value_table, values->value_count, hash_of_value,
                          values->values) ||
      !wb_grow(values->values, &values->value_capacity, values->value_count + 1)) {
    values->failed = true;
    return WB_LANES_UNKNOWN;
  }
  uint32_t *slot = wb_hash_table_slot(&values->value_table, hash_of_value(value, 0), same_value,
                                      values->values, value);
  if (*slot == 0) {
    if (values->value_count == VALUE_LIMIT)
      return WB_LANES_UNKNOWN;
    values->values[values->value_count] = *value;
    *slot = (uint32_t)++values->value_count;
  }
  return *slot - 1;
}

bool wb_lane_value_pool_start(struct wb_lane_value_pool *values)
{
  *values = (struct wb_lane_value_pool){0};
  const struct wb_lane_shape flat = {{0}};
  const struct wb_lane_value uniform = {.most = UINT32_MAX};
  const struct wb_lane_value wide = {.most = UINT64_MAX, .wide = true};
  /* A value that equals no other stands for what is unknown. */
  const struct wb_lane_value unknown = {.bits = UINT8_MAX};
  uint32_t number;
  return keep_shape(values, &flat, &number) && keep_value(values, &unknown) == WB_LANES_UNKNOWN &&
         keep_value(values, &uniform) == WB_LANES_UNIFORM &&
         keep_value(values, &wide) == WB_LANES_WIDE && !values->failed;
}

void wb_lane_value_pool_free(struct wb_lane_value_pool *values)
{
  free(values->shapes);
  free(values->values);
  wb_hash_table_free(&values->shape_table);
  wb_hash_table_free(&values->value_table);
  *values = (struct wb_lane_value_pool){0};
}

/* ---- parts ---- */

/* A copy, which stays where more values are made. */
static struct wb_lane_value get(const struct wb_lane_value_pool *values, uint32_t value)
{
  return values->values[value];
}

static uint64_t low_bits(uint64_t number, unsigned bits)
{
  return bits >= 64 ? number : number & ((UINT64_C(1) << bits) - 1);
}

static unsigned trailing_zeros(uint64_t number)
{
  unsigned zeros = 0;
  while (zeros < 64 && (number >> zeros & 1) == 0)
    zeros++;
  return zeros;
}

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* A distance modulo 2^32 or 2^64, in two's complement. */
static int64_t distance_of(uint64_t number, bool wide)
{
  return wide ? (int64_t)number : (int64_t)(int32_t)(uint32_t)number;
}

/* A value of that shape. */
static uint32_t keep_shaped(struct wb_lane_value_pool *values, struct wb_lane_value value,
                            const struct wb_lane_shape *shape)
{
  if (!keep_shape(values, shape, &value.shape))
    return WB_LANES_UNKNOWN;
  return keep_value(values, &value);
}

/* Whether no lane's word, signed or unsigned, is apart from lane 0's by anything else than its
 * distance: where the words of all lanes lie between two neighbouring multiples of 2^bits.
 * Distances are small numbers of which no sum leaves 64 bits. */
static bool never_wraps(const struct wb_lane_value_pool *values, const struct wb_lane_value *word)
{
  if (word->shape == 0 || word->most <= INT32_MAX)
    return true;
  const unsigned bits = least(word->bits, 31);
  const int64_t first = (int64_t)low_bits(word->residue, bits);
  for (unsigned l = 0; l < WB_LANES; l++) {
    const int64_t number = first + values->shapes[word->shape].distance[l];
    if (number < 0 || number >= INT64_C(1) << bits)
      return false;
  }
  return true;
}

bool wb_lanes_are_uniform(const struct wb_lane_value_pool *values, uint32_t value)
{
  return value != WB_LANES_UNKNOWN && values->values[value].shape == 0;
}

bool wb_lanes_are_known(const struct wb_lane_value_pool *values, uint32_t value)
{
  const struct wb_lane_value *it = &values->values[value];
  return value != WB_LANES_UNKNOWN && it->bits == (it->wide ? 64 : 32) && !it->split;
}

bool wb_lanes_are_number(const struct wb_lane_value_pool *values, uint32_t value, uint64_t *number)
{
  *number = values->values[value].residue;
  return wb_lanes_are_known(values, value) && wb_lanes_are_uniform(values, value);
}

uint64_t wb_lanes_at(const struct wb_lane_value_pool *values, uint32_t value, unsigned lane)
{
  const struct wb_lane_value *it = &values->values[value];
  return low_bits(it->residue + (uint64_t)values->shapes[it->shape].distance[lane], it->bits);
}

/* ---- making values ---- */

uint32_t wb_lanes_number(struct wb_lane_value_pool *values, uint32_t number)
{
  const struct wb_lane_value value = {.residue = number, .most = number, .bits = 32};
  return keep_value(values, &value);
}

uint32_t wb_lanes_wide_number(struct wb_lane_value_pool *values, uint64_t number)
{
  const struct wb_lane_value value = {
      .residue = number, .most = UINT64_MAX, .bits = 64, .wide = true};
  return keep_value(values, &value);
}

static uint32_t known_wide(struct wb_lane_value_pool *values, const uint64_t numbers[WB_LANES])
{
  struct wb_lane_shape shape;
  for (unsigned l = 0; l < WB_LANES; l++)
    shape.distance[l] = (int64_t)(numbers[l] - numbers[0]);
  const struct wb_lane_value value = {
      .residue = numbers[0], .most = UINT64_MAX, .bits = 64, .wide = true};
  return keep_shaped(values, value, &shape);
}

uint32_t wb_lanes_known(struct wb_lane_value_pool *values, const uint32_t numbers[WB_LANES])
{
  struct wb_lane_shape shape;
  struct wb_lane_value value = {.residue = numbers[0], .bits = 32};
  for (unsigned l = 0; l < WB_LANES; l++) {
    shape.distance[l] = distance_of(numbers[l] - numbers[0], false);
    value.most = numbers[l] > value.most ? numbers[l] : value.most;
  }
  return keep_shaped(values, value, &shape);
}

uint32_t wb_lanes_uniform_below(struct wb_lane_value_pool *values, uint32_t most)
{
  const struct wb_lane_value value = {.most = most};
  return most == 0 ? wb_lanes_number(values, 0) : keep_value(values, &value);
}

uint32_t wb_lanes_shaped(struct wb_lane_value_pool *values, const int64_t distances[WB_LANES],
                         uint8_t bits, uint32_t residue, uint32_t most)
{
  const struct wb_lane_value value = {
      .residue = low_bits(residue, bits), .most = most, .bits = bits};
  struct wb_lane_shape shape;
  for (unsigned l = 0; l < WB_LANES; l++)
    shape.distance[l] = distance_of((uint64_t)distances[l], false);
  return keep_shaped(values, value, &shape);
}

/* ---- joins ---- */

uint32_t wb_lanes_either(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  if (a == b || a == WB_LANES_UNKNOWN || b == WB_LANES_UNKNOWN)
    return a == b ? a : WB_LANES_UNKNOWN;
  struct wb_lane_value joined = get(values, a);
  const struct wb_lane_value other = get(values, b);
  if (joined.shape != other.shape || joined.wide != other.wide)
    return WB_LANES_UNKNOWN;
  joined.bits = (uint8_t)least(least(joined.bits, other.bits),
                               trailing_zeros(joined.residue ^ other.residue));
  joined.residue = low_bits(joined.residue, joined.bits);
  joined.most = joined.most > other.most ? joined.most : other.most;
  joined.split = joined.split || other.split;
  return keep_value(values, &joined);
}

uint32_t wb_lanes_widen(struct wb_lane_value_pool *values, uint32_t old, uint32_t grown)
{
  const uint32_t both = wb_lanes_either(values, old, grown);
  struct wb_lane_value value = get(values, both);
  if (both == WB_LANES_UNKNOWN || value.wide || value.most == get(values, old).most)
    return both;
  value.most = UINT32_MAX;
  return keep_value(values, &value);
}

uint32_t wb_lanes_mixed(const struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  return a == b && wb_lanes_are_known(values, a) ? a : WB_LANES_UNKNOWN;
}

uint32_t wb_lanes_choose(struct wb_lane_value_pool *values, uint32_t mask, uint32_t a, uint32_t b)
{
  if (mask == 0 || mask == UINT32_MAX)
    return mask == 0 ? b : a;
  if (!wb_lanes_are_known(values, a) || !wb_lanes_are_known(values, b) ||
      get(values, a).wide != get(values, b).wide)
    return WB_LANES_UNKNOWN;
  uint64_t numbers[WB_LANES];
  uint32_t words[WB_LANES];
  for (unsigned l = 0; l < WB_LANES; l++) {
    numbers[l] = wb_lanes_at(values, (mask >> l & 1) != 0 ? a : b, l);
    words[l] = (uint32_t)numbers[l];
  }
  return get(values, a).wide ? known_wide(values, numbers) : wb_lanes_known(values, words);
}

/* ---- sums and products, of words and wide numbers ---- */

static uint32_t sum(struct wb_lane_value_pool *values, uint32_t left, uint32_t right, bool wide)
{
  if (left == WB_LANES_UNKNOWN || right == WB_LANES_UNKNOWN)
    return WB_LANES_UNKNOWN;
  const struct wb_lane_value a = get(values, left);
  const struct wb_lane_value b = get(values, right);
  /* Where lanes are off from some distance on, they are no longer in order of a sum's distances. */
  if ((a.split && (b.split || b.shape != 0)) || (b.split && a.shape != 0) || a.wide != wide ||
      b.wide != wide)
    return WB_LANES_UNKNOWN;
  struct wb_lane_value value = {.bits = a.bits < b.bits ? a.bits : b.bits,
                                .most = a.most + b.most,
                                .wide = wide,
                                .split = a.split || b.split};
  value.residue = low_bits(a.residue + b.residue, value.bits);
  if (wide || value.most > UINT32_MAX)
    value.most = wide ? UINT64_MAX : UINT32_MAX;
  if (!wide && a.shape == 0 && b.shape == 0 && value.bits == 32)
    value.most = value.residue;
  if (a.shape == 0 || b.shape == 0) {
    value.shape = a.shape + b.shape;
    return keep_value(values, &value);
  }
  struct wb_lane_shape shape;
  for (unsigned l = 0; l < WB_LANES; l++)
    shape.distance[l] = distance_of((uint64_t)values->shapes[a.shape].distance[l] +
                                        (uint64_t)values->shapes[b.shape].distance[l],
                                    wide);
  return keep_shaped(values, value, &shape);
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
  value.bits = (uint8_t)least(wide ? 64 : 32, a.bits + trailing_zeros(number));
  value.residue = low_bits(a.residue * number, value.bits);
  value.most = wide ? UINT64_MAX : UINT32_MAX;
  if (!wide && number <= UINT32_MAX && a.most * number <= UINT32_MAX)
    value.most = a.most * number;
  if (!wide && a.shape == 0 && value.bits == 32)
    value.most = value.residue;
  for (unsigned l = 0; l < WB_LANES; l++)
    shape.distance[l] = distance_of((uint64_t)values->shapes[a.shape].distance[l] * number, wide);
  return keep_shaped(values, value, &shape);
}

uint32_t wb_lanes_add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  return sum(values, a, b, false);
}

uint32_t wb_lanes_negate(struct wb_lane_value_pool *values, uint32_t a)
{
  return multiple(values, a, UINT32_MAX, false);
}

/* Of two numbers that all lanes have: with a = r + 2^i x and b = s + 2^j y the product is known
 * modulo the least power of two in r 2^j, s 2^i and 2^(i + j). */
static uint32_t uniform_product(struct wb_lane_value_pool *values, const struct wb_lane_value *a,
                                const struct wb_lane_value *b, bool wide)
{
  struct wb_lane_value value = {.most = wide ? UINT64_MAX : UINT32_MAX, .wide = wide};
  const unsigned bits = least(a->bits + b->bits, least(a->bits + trailing_zeros(b->residue),
                                                       b->bits + trailing_zeros(a->residue)));
  value.bits = (uint8_t)least(bits, 32);
  value.residue = low_bits(a->residue * b->residue, value.bits);
  if (!wide && a->most <= UINT32_MAX && b->most <= UINT32_MAX && a->most * b->most <= UINT32_MAX)
    value.most = a->most * b->most;
  if (!wide && value.bits == 32)
    value.most = value.residue;
  return keep_value(values, &value);
}

uint32_t wb_lanes_multiply(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
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

uint32_t wb_lanes_shift_left(struct wb_lane_value_pool *values, uint32_t a, unsigned places)
{
  return places > 31 ? wb_lanes_number(values, 0)
                     : multiple(values, a, UINT64_C(1) << places, false);
}

uint32_t wb_lanes_shift_right(struct wb_lane_value_pool *values, uint32_t a, unsigned places,
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
  if (word.bits > places) {
    value.bits = (uint8_t)(word.bits - places);
    value.residue = word.residue >> places;
  }
  if (word.shape == 0)
    return keep_value(values, &value);
  if (word.bits < places || !never_wraps(values, &word))
    return WB_LANES_UNKNOWN;
  const int64_t first = (int64_t)low_bits(word.residue, places);
  const int64_t unit = INT64_C(1) << places;
  struct wb_lane_shape shape;
  for (unsigned l = 0; l < WB_LANES; l++) {
    const int64_t number = first + values->shapes[word.shape].distance[l];
    shape.distance[l] = number >= 0 ? number / unit : -((unit - 1 - number) / unit);
  }
  return keep_shaped(values, value, &shape);
}

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
  const uint32_t low = mask_below(word->bits);
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
  bits.shared = same || word->shape == 0 ? ~bits.known : 0;
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

uint32_t wb_lanes_lookup(struct wb_lane_value_pool *values, const uint32_t operands[3],
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
      return WB_LANES_UNKNOWN;
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

uint32_t wb_lanes_and(struct wb_lane_value_pool *values, uint32_t a, uint32_t mask)
{
  const uint32_t operands[3] = {a, wb_lanes_number(values, mask), wb_lanes_number(values, 0)};
  return wb_lanes_lookup(values, operands, 0xc0);
}

static int64_t as_number(uint64_t word, bool as_signed)
{
  return as_signed ? (int64_t)(int32_t)(uint32_t)word : (int64_t)word;
}

uint32_t wb_lanes_extreme(struct wb_lane_value_pool *values, uint32_t a, uint32_t b, bool as_signed,
                          bool minimum)
{
  if (a == WB_LANES_UNKNOWN || b == WB_LANES_UNKNOWN)
    return WB_LANES_UNKNOWN;
  if (wb_lanes_are_known(values, a) && wb_lanes_are_known(values, b)) {
    uint32_t numbers[WB_LANES];
    for (unsigned l = 0; l < WB_LANES; l++) {
      const uint64_t x = wb_lanes_at(values, a, l);
      const uint64_t y = wb_lanes_at(values, b, l);
      const bool x_less = as_number(x, as_signed) < as_number(y, as_signed);
      numbers[l] = (uint32_t)(x_less == minimum ? x : y);
    }
    return wb_lanes_known(values, numbers);
  }
  if (wb_lanes_are_uniform(values, a) && wb_lanes_are_uniform(values, b))
    return wb_lanes_either(values, a, b);
  uint64_t limit;
  const struct wb_lane_value word = get(values, a);
  if (wb_lanes_are_number(values, b, &limit) && word.most <= limit && limit <= INT32_MAX)
    return minimum ? a : b;
  return WB_LANES_UNKNOWN;
}

/* ---- numbers of 64 bits ---- */

uint32_t wb_lanes_extend(struct wb_lane_value_pool *values, uint32_t word, bool as_signed)
{
  if (word == WB_LANES_UNKNOWN)
    return WB_LANES_UNKNOWN;
  const struct wb_lane_value a = get(values, word);
  if (a.bits == 32) {
    uint64_t numbers[WB_LANES];
    for (unsigned l = 0; l < WB_LANES; l++)
      numbers[l] = (uint64_t)as_number(wb_lanes_at(values, word, l), as_signed);
    return known_wide(values, numbers);
  }
  const struct wb_lane_value value = {.residue = a.residue,
                                      .most = UINT64_MAX,
                                      .shape = a.shape,
                                      .bits = a.bits,
                                      .wide = true,
                                      .split = !never_wraps(values, &a)};
  return keep_value(values, &value);
}

uint32_t wb_lanes_pair(struct wb_lane_value_pool *values, uint32_t low, uint32_t high)
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
  return keep_value(values, &value);
}

uint32_t wb_lanes_wide_add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  return sum(values, a, b, true);
}

uint32_t wb_lanes_wide_negate(struct wb_lane_value_pool *values, uint32_t a)
{
  return multiple(values, a, UINT64_MAX, true);
}

uint32_t wb_lanes_wide_shift_left(struct wb_lane_value_pool *values, uint32_t a, unsigned places)
{
  return places > 63 ? WB_LANES_UNKNOWN : multiple(values, a, UINT64_C(1) << places, true);
}

uint32_t wb_lanes_wide_product(struct wb_lane_value_pool *values, uint32_t a, uint32_t b,
                               bool a_signed, bool b_signed)
{
  uint64_t number;
  if (wb_lanes_are_number(values, a, &number) && !wb_lanes_are_number(values, b, &number))
    return wb_lanes_wide_product(values, b, a, b_signed, a_signed);
  if (wb_lanes_are_number(values, b, &number))
    return number == 0 ? wb_lanes_wide_number(values, 0)
                       : multiple(values, wb_lanes_extend(values, a, a_signed),
                                  (uint64_t)as_number(number, b_signed), true);
  if (wb_lanes_are_uniform(values, a) && wb_lanes_are_uniform(values, b)) {
    const struct wb_lane_value left = get(values, a);
    const struct wb_lane_value right = get(values, b);
    return uniform_product(values, &left, &right, true);
  }
  return WB_LANES_UNKNOWN;
}

uint32_t wb_lanes_lower_word(struct wb_lane_value_pool *values, uint32_t wide)
{
  if (wide == WB_LANES_UNKNOWN)
    return WB_LANES_UNKNOWN;
  const struct wb_lane_value a = get(values, wide);
  struct wb_lane_value value = {.bits = (uint8_t)least(a.bits, 32), .most = UINT32_MAX};
  struct wb_lane_shape shape;
  value.residue = low_bits(a.residue, value.bits);
  if (a.shape == 0 && value.bits == 32)
    value.most = value.residue;
  for (unsigned l = 0; l < WB_LANES; l++)
    shape.distance[l] = distance_of((uint64_t)values->shapes[a.shape].distance[l], false);
  return keep_shaped(values, value, &shape);
}

uint32_t wb_lanes_upper_word(struct wb_lane_value_pool *values, uint32_t wide)
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
  struct wb_lane_value value = {.most = UINT32_MAX};
  if (a.bits > 32) {
    value.bits = (uint8_t)(a.bits - 32);
    value.residue = a.residue >> 32;
  }
  return a.shape == 0 ? keep_value(values, &value) : WB_LANES_UNKNOWN;
}
