#include "values/lanes/lane_plain.h"

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
  hash = wb_hash_word(hash, (uint64_t)value->mask << 32 | value->part);
  hash = wb_hash_word(hash, (uint64_t)value->rest << 32 | (uint64_t)value->clamps << 8 |
                                (uint64_t)value->ordered << 2 | (uint64_t)value->cut << 1 |
                                value->loose);
  if (value->period != 0)
    hash = wb_hash_word(hash, value->period << 32 ^ value->step << 16 ^ value->start);
  if (value->ranged)
    hash = wb_hash_word(hash, (uint64_t)(uint32_t)value->low << 32 | (uint32_t)value->high);
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
         a->bits == b->bits && a->wide == b->wide && a->split == b->split && a->loose == b->loose &&
         a->cut == b->cut && a->clamps == b->clamps && a->mask == b->mask && a->part == b->part &&
         a->rest == b->rest && a->ranged == b->ranged && a->ordered == b->ordered && a->period == b->period && a->step == b->step &&
         a->start == b->start && a->low == b->low && a->high == b->high;
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

uint32_t wb_plain_keep(struct wb_lane_value_pool *values, const struct wb_lane_value *found)
{
  struct wb_lane_value it = *found;
  const struct wb_lane_value *value = &it;
  /* One form of each. */
  if (it.shape == 0 || !it.cut)
    it.period = it.step = it.start = 0;
  if (it.shape == 0 && it.mask == 0) {
    it.loose = it.cut = it.split = it.ordered = false;
    it.clamps = 0;
    if (it.bits == (it.wide ? 64 : 32))
      it.most = it.residue;
  }
  if (it.ranged && it.low >= 0 && (uint64_t)it.high < it.most)
    it.most = (uint64_t)it.high;
  if (it.ranged && (it.wide || it.bits == 32 || it.most <= INT32_MAX)) {
    it.ranged = false;
    it.low = it.high = 0;
  }
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
  return keep_shape(values, &flat, &number) && wb_plain_keep(values, &unknown) == WB_LANES_UNKNOWN &&
         wb_plain_keep(values, &uniform) == WB_LANES_UNIFORM &&
         wb_plain_keep(values, &wide) == WB_LANES_WIDE && !values->failed;
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
  return wb_plain_keep(values, &value);
}

/* A loose value with the first `count` numbers of the table; the first one becomes 0. */
static uint32_t keep_set(struct wb_lane_value_pool *values, struct wb_lane_value value,
                         struct wb_lane_shape *shape, size_t count)
{
  const int64_t first = shape->distance[0];
  value.loose = true;
  value.residue = low_bits(value.residue + (uint64_t)first, value.bits);
  for (size_t l = 0; l < WB_LANES; l++)
    shape->distance[l] =
        distance_of((uint64_t)shape->distance[l < count ? l : 0] - (uint64_t)first, value.wide);
  return keep_shaped(values, value, shape);
}

/* Where the words of all lanes lie between two neighbouring multiples of 2^bits. Distances are small numbers of which no sum leaves 64 bits. */
bool wb_plain_never_wraps(const struct wb_lane_value_pool *values, const struct wb_lane_value *word)
{
  if (word->shape == 0 || word->most <= INT32_MAX)
    return true;
  if (word->cut)
    return false;
  const unsigned bits = least(word->bits, 31);
  const int64_t first = (int64_t)low_bits(word->residue, bits);
  for (unsigned l = 0; l < WB_LANES; l++) {
    const int64_t number = first + values->shapes[word->shape].distance[l];
    if (number < 0 || number >= INT64_C(1) << bits)
      return false;
  }
  return true;
}

bool wb_plain_is_exact(const struct wb_lane_value *it)
{
  return !it->split && !it->cut && !it->loose && it->clamps == 0;
}

bool wb_lanes_are_uniform(const struct wb_lane_value_pool *values, uint32_t value)
{
  const struct wb_lane_value *it = &values->values[value];
  return value != WB_LANES_UNKNOWN && it->shape == 0 && it->mask == 0;
}

bool wb_lanes_are_known(const struct wb_lane_value_pool *values, uint32_t value)
{
  const struct wb_lane_value *it = &values->values[value];
  return value != WB_LANES_UNKNOWN && it->mask == 0 && it->bits == (it->wide ? 64 : 32) &&
         wb_plain_is_exact(it);
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

bool wb_plain_signed_range(const struct wb_lane_value_pool *values, uint32_t value, int64_t *low,
                           int64_t *high)
{
  const struct wb_lane_value *it = &values->values[value];
  *low = it->low;
  *high = it->high;
  if (value == WB_LANES_UNKNOWN || it->wide || it->mask != 0 || it->ranged)
    return value != WB_LANES_UNKNOWN && it->ranged;
  *low = 0;
  *high = (int64_t)it->most;
  if (it->most <= INT32_MAX)
    return true;
  for (unsigned l = 0; l < WB_LANES && wb_lanes_are_known(values, value); l++) {
    const int64_t number = (int32_t)(uint32_t)wb_lanes_at(values, value, l);
    *low = l == 0 || number < *low ? number : *low;
    *high = l == 0 || number > *high ? number : *high;
  }
  return wb_lanes_are_known(values, value);
}

bool wb_plain_is_ordered(const struct wb_lane_value_pool *values, uint32_t value)
{
  int64_t low;
  int64_t high;
  return value != WB_LANES_UNKNOWN &&
         (values->values[value].ordered || wb_lanes_are_uniform(values, value) ||
          (wb_plain_signed_range(values, value, &low, &high) && high - low <= INT32_MAX));
}

void wb_plain_set_range(struct wb_lane_value *value, int64_t low, int64_t high)
{
  value->ranged = !value->wide && low >= INT32_MIN && high <= INT32_MAX && low <= high;
  value->low = value->ranged ? (int32_t)low : 0;
  value->high = value->ranged ? (int32_t)high : 0;
}

/* ---- making values ---- */

uint32_t wb_lanes_number(struct wb_lane_value_pool *values, uint32_t number)
{
  const struct wb_lane_value value = {.residue = number, .most = number, .bits = 32};
  return wb_plain_keep(values, &value);
}

uint32_t wb_lanes_wide_number(struct wb_lane_value_pool *values, uint64_t number)
{
  const struct wb_lane_value value = {
      .residue = number, .most = number, .bits = 64, .wide = true};
  return wb_plain_keep(values, &value);
}

static uint32_t known_wide(struct wb_lane_value_pool *values, const uint64_t numbers[WB_LANES])
{
  struct wb_lane_shape shape;
  struct wb_lane_value value = {.residue = numbers[0], .bits = 64, .wide = true};
  for (unsigned l = 0; l < WB_LANES; l++) {
    shape.distance[l] = (int64_t)(numbers[l] - numbers[0]);
    value.most = numbers[l] > value.most ? numbers[l] : value.most;
  }
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
  return most == 0 ? wb_lanes_number(values, 0) : wb_plain_keep(values, &value);
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

uint32_t wb_plain_either(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  if (a == b || a == WB_LANES_UNKNOWN || b == WB_LANES_UNKNOWN)
    return a == b ? a : WB_LANES_UNKNOWN;
  struct wb_lane_value joined = get(values, a);
  const struct wb_lane_value other = get(values, b);
  if (joined.shape != other.shape || joined.wide != other.wide ||
      (joined.cut && other.cut &&
       (joined.period != other.period || joined.step != other.step || joined.start != other.start)))
    return WB_LANES_UNKNOWN;
  if (!joined.cut) {
    joined.period = other.period;
    joined.step = other.step;
    joined.start = other.start;
  }
  joined.bits = (uint8_t)least(least(joined.bits, other.bits),
                               trailing_zeros(joined.residue ^ other.residue));
  joined.residue = low_bits(joined.residue, joined.bits);
  joined.most = joined.most > other.most ? joined.most : other.most;
  int64_t low[2];
  int64_t high[2];
  joined.ranged = wb_plain_signed_range(values, a, &low[0], &high[0]) &&
                  wb_plain_signed_range(values, b, &low[1], &high[1]);
  joined.low = joined.high = 0;
  if (joined.ranged)
    wb_plain_set_range(&joined, low[0] < low[1] ? low[0] : low[1],
                       high[0] > high[1] ? high[0] : high[1]);
  joined.split = joined.split || other.split;
  joined.ordered = wb_plain_is_ordered(values, a) && wb_plain_is_ordered(values, b);
  joined.loose = joined.loose || other.loose;
  joined.cut = joined.cut || other.cut;
  joined.clamps = joined.clamps > other.clamps ? joined.clamps : other.clamps;
  return wb_plain_keep(values, &joined);
}

uint32_t wb_plain_choose(struct wb_lane_value_pool *values, uint32_t mask, uint32_t a, uint32_t b)
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
  /* Two tables are added where both say of each lane how far it is. */
  if (a.wide != wide || b.wide != wide ||
      (a.shape != 0 && b.shape != 0 && (!wb_plain_is_exact(&a) || !wb_plain_is_exact(&b))))
    return WB_LANES_UNKNOWN;
  struct wb_lane_value value = {.bits = a.bits < b.bits ? a.bits : b.bits,
                                .most = a.most + b.most,
                                .wide = wide,
                                .split = a.split || b.split,
                                .cut = a.cut || b.cut,
                                .period = a.period + b.period, /* one of them is uniform */
                                .step = a.step + b.step,
                                .start = a.start + b.start,
                                .loose = a.loose || b.loose,
                                .clamps = a.clamps > b.clamps ? a.clamps : b.clamps};
  value.residue = low_bits(a.residue + b.residue, value.bits);
  if (value.most < a.most || (!wide && value.most > UINT32_MAX))
    value.most = wide ? UINT64_MAX : UINT32_MAX;
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
  if (a.most <= value.most / number)
    value.most = a.most * number;
  const int64_t factor_number = distance_of(number, wide);
  int64_t low;
  int64_t high;
  value.ranged = value.ordered = false;
  value.low = value.high = 0;
  if (!wide && wb_plain_signed_range(values, factor, &low, &high))
    wb_plain_set_range(&value, factor_number * (factor_number < 0 ? high : low),
                       factor_number * (factor_number < 0 ? low : high));
  const uint64_t size =
      factor_number < 0 ? -(uint64_t)factor_number : (uint64_t)factor_number;
  const uint64_t limit = (wide ? UINT64_C(1) << 62 : UINT64_C(1) << 31) / size;
  if (a.period != 0 && (factor_number < 0 || a.period >= limit))
    return WB_LANES_UNKNOWN;
  value.period *= size;
  value.step *= size;
  value.start *= size;
  for (unsigned l = 0; l < WB_LANES; l++) {
    const int64_t distance = values->shapes[a.shape].distance[l];
    shape.distance[l] = distance_of((uint64_t)distance * number, wide);
    /* The order of distances has a meaning, which must stay. */
    if ((a.cut || a.clamps > 0) &&
        (distance < 0 ? -(uint64_t)distance : (uint64_t)distance) >= limit)
      return WB_LANES_UNKNOWN;
  }
  return keep_shaped(values, value, &shape);
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
  const unsigned bits = least(a->bits + b->bits, least(a->bits + trailing_zeros(b->residue),
                                                       b->bits + trailing_zeros(a->residue)));
  value.bits = (uint8_t)least(bits, 32);
  value.residue = low_bits(a->residue * b->residue, value.bits);
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
  const unsigned places = trailing_zeros((uint64_t)unit);
  struct wb_lane_value value = {
      .most = most > UINT32_MAX ? UINT32_MAX : most, .clamps = a->clamps, .loose = a->loose};
  const unsigned known = least(a->bits, places);
  const int64_t first = (int64_t)low_bits(a->residue, known);
  const int64_t last = first + unit - (INT64_C(1) << known);
  const int64_t *distance = values->shapes[a->shape].distance;
  struct wb_lane_shape shape;
  size_t count = 0;
  if (first == last && !a->split) {
    value.bits = (uint8_t)least(a->bits - places, 32);
    value.residue = low_bits(a->residue >> places, value.bits);
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
      shape.distance[l] = distance_of((uint64_t)floor_of(first + distance[l], unit), false);
    return keep_shaped(values, value, &shape);
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
  value.bits = (uint8_t)least(word.bits, trailing_zeros(divisor));
  value.residue = low_bits(word.residue, value.bits);
  value.most = divisor - 1;
  return wb_plain_keep(values, &value);
}

uint32_t wb_plain_with_quotient(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor)
{
  struct wb_lane_value value = get(values, a);
  if (a == WB_LANES_UNKNOWN || value.wide || value.cut || !wb_plain_never_wraps(values, &value))
    return WB_LANES_UNKNOWN;
  const unsigned bits = least(least(value.bits, trailing_zeros(divisor)), 31);
  value.cut = value.shape != 0;
  value.period = divisor;
  value.step = UINT64_C(1) << bits;
  value.start = low_bits(value.residue, bits);
  value.bits = 0;
  value.residue = 0;
  value.most = UINT32_MAX;
  value.ranged = value.ordered = false;
  value.low = value.high = 0;
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
    return known_wide(values, numbers);
  }
  const bool ordered = as_signed && wb_plain_is_ordered(values, word);
  const struct wb_lane_value value = {.residue = a.residue,
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
                                      .split = !wb_plain_never_wraps(values, &a) && !ordered};
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
  struct wb_lane_value value = {.bits = (uint8_t)least(a.bits, 32),
                                .most = a.most < UINT32_MAX ? a.most : UINT32_MAX,
                                .cut = a.cut,
                                .period = a.period,
                                .step = a.step,
                                .start = a.start,
                                .loose = a.loose,
                                .clamps = a.clamps};
  struct wb_lane_shape shape;
  value.residue = low_bits(a.residue, value.bits);
  for (unsigned l = 0; l < WB_LANES; l++) {
    shape.distance[l] = distance_of((uint64_t)values->shapes[a.shape].distance[l], false);
    if ((a.cut || a.clamps > 0) && shape.distance[l] != values->shapes[a.shape].distance[l])
      return WB_LANES_UNKNOWN;
  }
  return keep_shaped(values, value, &shape);
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

uint32_t wb_plain_restrict(struct wb_lane_value_pool *values, uint32_t value, uint32_t mask)
{
  struct wb_lane_value it = get(values, value);
  struct wb_lane_shape shape;
  unsigned base = 0;
  if (value == WB_LANES_UNKNOWN || it.shape == 0 || it.loose || mask == UINT32_MAX)
    return value;
  while ((mask >> base & 1) == 0)
    base++;
  const int64_t from = values->shapes[it.shape].distance[base];
  if (it.split && base > 0) /* lane `base` may be off */
    it.bits = (uint8_t)least(it.bits, 32);
  it.residue = low_bits(it.residue + (uint64_t)from, it.bits);
  if (it.period != 0)
    it.start = (it.start + (uint64_t)(from % (int64_t)it.period) + it.period) % it.period;
  for (unsigned l = 0; l < WB_LANES; l++)
    shape.distance[l] =
        (mask >> l & 1) == 0
            ? 0
            : distance_of((uint64_t)values->shapes[it.shape].distance[l] - (uint64_t)from, it.wide);
  return keep_shaped(values, it, &shape);
}
