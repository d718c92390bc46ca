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
  hash = wb_hash_word(hash, (uint64_t)value->rest << 32 | (uint64_t)value->strays << 16 |
                                (uint64_t)value->clamps << 8 | (uint64_t)value->ordered << 2 |
                                (value->cut ? UINT64_C(2) : 0) | value->loose);
  if (value->period != 0)
    hash = wb_hash_word(hash, value->period << 32 ^ value->step << 16 ^ value->start);
  if (value->split)
    hash = wb_hash_word(hash, (uint64_t)value->edge_bits << 32 | value->edge);
  if (value->clamps > 0)
    hash = wb_hash_word(hash, (uint64_t)value->unclamped_bits << 32 | value->unclamped);
  if (value->ranged)
    hash = wb_hash_word(hash, (uint64_t)(uint32_t)value->low << 32 | (uint32_t)value->high);
  return wb_hash_word(hash, (uint64_t)value->shape << 16 | (uint64_t)value->bits << 8 |
                                (uint64_t)value->wide << 2 | value->split);
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
         a->cut == b->cut && a->clamps == b->clamps && a->strays == b->strays &&
         a->mask == b->mask && a->part == b->part && a->rest == b->rest && a->ranged == b->ranged &&
         a->ordered == b->ordered && a->period == b->period && a->step == b->step &&
         a->start == b->start && a->edge_bits == b->edge_bits && a->edge == b->edge &&
         a->unclamped_bits == b->unclamped_bits && a->unclamped == b->unclamped &&
         a->level == b->level && a->low == b->low && a->high == b->high;
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
    it.loose = it.cut = it.ordered = false;
    it.split = WB_SPLIT_NOT;
    it.clamps = it.strays = 0;
    if (it.bits == (it.wide ? 64 : 32))
      it.most = it.residue;
  }
  if (it.clamps == 0) {
    it.unclamped_bits = 0;
    it.unclamped = 0;
  }
  it.level = it.level && !it.wide && it.shape != 0 && it.most > INT32_MAX;
  if (it.split == WB_SPLIT_NOT) {
    it.edge_bits = 0;
    it.edge = 0;
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
  return keep_shape(values, &flat, &number) &&
         wb_plain_keep(values, &unknown) == WB_LANES_UNKNOWN &&
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

/* A value of that shape. */
uint32_t wb_plain_keep_shaped(struct wb_lane_value_pool *values, struct wb_lane_value value,
                              const struct wb_lane_shape *shape)
{
  if (!keep_shape(values, shape, &value.shape))
    return WB_LANES_UNKNOWN;
  return wb_plain_keep(values, &value);
}

/* Where the words of all lanes lie between two neighbouring multiples of 2^bits. Distances are
 * small numbers of which no sum leaves 64 bits. */
bool wb_plain_never_wraps(const struct wb_lane_value_pool *values, const struct wb_lane_value *word)
{
  if (word->shape == 0 || word->most <= INT32_MAX || word->level)
    return true;
  if (word->cut)
    return false;
  const unsigned bits = wb_plain_least(word->bits, 31);
  const int64_t first = (int64_t)wb_plain_low_bits(word->residue, bits);
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
  return wb_plain_low_bits(it->residue + (uint64_t)values->shapes[it->shape].distance[lane],
                           it->bits);
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
         (values->values[value].ordered || values->values[value].level ||
          wb_lanes_are_uniform(values, value) ||
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
  const struct wb_lane_value value = {.residue = number, .most = number, .bits = 64, .wide = true};
  return wb_plain_keep(values, &value);
}

uint32_t wb_plain_known_wide(struct wb_lane_value_pool *values, const uint64_t numbers[WB_LANES])
{
  struct wb_lane_shape shape;
  struct wb_lane_value value = {.residue = numbers[0], .bits = 64, .wide = true};
  for (unsigned l = 0; l < WB_LANES; l++) {
    shape.distance[l] = (int64_t)(numbers[l] - numbers[0]);
    value.most = numbers[l] > value.most ? numbers[l] : value.most;
  }
  return wb_plain_keep_shaped(values, value, &shape);
}

uint32_t wb_lanes_known(struct wb_lane_value_pool *values, const uint32_t numbers[WB_LANES])
{
  struct wb_lane_shape shape;
  struct wb_lane_value value = {.residue = numbers[0], .bits = 32};
  for (unsigned l = 0; l < WB_LANES; l++) {
    shape.distance[l] = wb_plain_distance(numbers[l] - numbers[0], false);
    value.most = numbers[l] > value.most ? numbers[l] : value.most;
  }
  return wb_plain_keep_shaped(values, value, &shape);
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
      .residue = wb_plain_low_bits(residue, bits), .most = most, .bits = bits};
  struct wb_lane_shape shape;
  for (unsigned l = 0; l < WB_LANES; l++)
    shape.distance[l] = wb_plain_distance((uint64_t)distances[l], false);
  return wb_plain_keep_shaped(values, value, &shape);
}

/* ---- joins ---- */

void wb_plain_unclamp(const struct wb_lane_value *value, uint32_t *number, uint8_t *bits)
{
  *bits = value->clamps > 0 ? value->unclamped_bits : (uint8_t)wb_plain_least(value->bits, 32);
  *number = value->clamps > 0 ? value->unclamped : (uint32_t)value->residue;
}

/* The edge of a value that is `it` or the other one. */
static void join_edges(struct wb_lane_value *it, const struct wb_lane_value *other)
{
  if (it->split && other->split)
    it->edge_bits = (uint8_t)wb_plain_least(wb_plain_least(it->edge_bits, other->edge_bits),
                                            wb_plain_trailing_zeros(it->edge ^ other->edge));
  else if (other->split)
    it->edge_bits = other->edge_bits;
  it->edge = (uint32_t)wb_plain_low_bits(it->split ? it->edge : other->edge, it->edge_bits);
}

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
  uint32_t number;
  uint8_t bits;
  joined.level = wb_plain_never_wraps(values, &joined) && wb_plain_never_wraps(values, &other);
  if (!joined.cut) {
    joined.period = other.period;
    joined.step = other.step;
    joined.start = other.start;
  }
  wb_plain_unclamp(&other, &number, &bits);
  wb_plain_unclamp(&joined, &joined.unclamped, &joined.unclamped_bits);
  joined.unclamped_bits =
      (uint8_t)wb_plain_least(wb_plain_least(joined.unclamped_bits, bits),
                              wb_plain_trailing_zeros(joined.unclamped ^ number));
  joined.unclamped = (uint32_t)wb_plain_low_bits(joined.unclamped, joined.unclamped_bits);
  joined.bits = (uint8_t)wb_plain_least(wb_plain_least(joined.bits, other.bits),
                                        wb_plain_trailing_zeros(joined.residue ^ other.residue));
  joined.residue = wb_plain_low_bits(joined.residue, joined.bits);
  joined.most = joined.most > other.most ? joined.most : other.most;
  int64_t low[2];
  int64_t high[2];
  joined.ranged = wb_plain_signed_range(values, a, &low[0], &high[0]) &&
                  wb_plain_signed_range(values, b, &low[1], &high[1]);
  joined.low = joined.high = 0;
  if (joined.ranged)
    wb_plain_set_range(&joined, low[0] < low[1] ? low[0] : low[1],
                       high[0] > high[1] ? high[0] : high[1]);
  join_edges(&joined, &other);
  joined.split = joined.split > other.split ? joined.split : other.split;
  joined.ordered = wb_plain_is_ordered(values, a) && wb_plain_is_ordered(values, b);
  joined.loose = joined.loose || other.loose;
  joined.cut = joined.cut || other.cut;
  joined.clamps = joined.clamps > other.clamps ? joined.clamps : other.clamps;
  joined.strays = joined.strays > other.strays ? joined.strays : other.strays;
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
  return get(values, a).wide ? wb_plain_known_wide(values, numbers) : wb_lanes_known(values, words);
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
    it.bits = (uint8_t)wb_plain_least(it.bits, 32);
  it.residue = wb_plain_low_bits(it.residue + (uint64_t)from, it.bits);
  it.unclamped = (uint32_t)wb_plain_low_bits(it.unclamped + (uint64_t)from, it.unclamped_bits);
  if (it.period != 0)
    it.start = (it.start + (uint64_t)(from % (int64_t)it.period) + it.period) % it.period;
  for (unsigned l = 0; l < WB_LANES; l++)
    shape.distance[l] =
        (mask >> l & 1) == 0
            ? 0
            : wb_plain_distance((uint64_t)values->shapes[it.shape].distance[l] - (uint64_t)from,
                                it.wide);
  return wb_plain_keep_shaped(values, it, &shape);
}
