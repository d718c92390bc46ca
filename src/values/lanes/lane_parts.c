/* Lane values of several parts: each operation is done part by part. */
#include "values/lanes/lane_parts.h"

#include "values/domain.h"
#include "values/lanes/lane_plain.h"

#define ALL UINT32_MAX
/* Most parts of a value; the smallest ones of more become unknown. */
#define MOST_PARTS 16

/* ---- lists of parts ---- */

size_t wb_lanes_parts(const struct wb_lane_value_pool *values, uint32_t value,
                      struct wb_lane_part parts[WB_LANES])
{
  size_t count = 0;
  for (; values->values[value].mask != 0; value = values->values[value].rest)
    parts[count++] = (struct wb_lane_part){values->values[value].mask, values->values[value].part};
  if (count == 0)
    parts[count++] = (struct wb_lane_part){ALL, value};
  return count;
}

/* Parts that are collected for a value. */
struct parts {
  struct wb_lane_part items[WB_LANES];
  size_t count;
  uint32_t unknown; /* lanes of which nothing is known */
};

static uint32_t lane_count(uint32_t mask)
{
  uint32_t count = 0;
  for (; mask != 0; mask &= mask - 1)
    count++;
  return count;
}

static void drop_smallest(struct parts *parts)
{
  size_t smallest = 0;
  for (size_t p = 1; p < parts->count; p++)
    if (lane_count(parts->items[p].mask) < lane_count(parts->items[smallest].mask))
      smallest = p;
  parts->unknown |= parts->items[smallest].mask;
  parts->items[smallest] = parts->items[--parts->count];
}

/* Whether two known values have one number in each lane of the mask. */
static bool same_in(const struct wb_lane_value_pool *values, uint32_t a, uint32_t b, uint32_t mask)
{
  for (unsigned l = 0; l < WB_LANES; l++)
    if ((mask >> l & 1) != 0 && wb_lanes_at(values, a, l) != wb_lanes_at(values, b, l))
      return false;
  return true;
}

/* Adds that the lanes of the mask may have that value. Known numbers are one part. */
static void add(struct wb_lane_value_pool *values, struct parts *parts, uint32_t mask,
                uint32_t value)
{
  struct wb_lane_part its[WB_LANES];
  const size_t count = wb_lanes_parts(values, value, its);
  for (size_t i = 0; i < count; i++) {
    const uint32_t lanes = its[i].mask & mask;
    uint32_t part = lanes == 0 ? WB_LANES_UNKNOWN : wb_plain_restrict(values, its[i].value, lanes);
    if (lanes == 0)
      continue;
    if (part == WB_LANES_UNKNOWN) {
      parts->unknown |= lanes;
      continue;
    }
    uint32_t joined = lanes;
    for (size_t p = 0; p < parts->count && wb_lanes_are_known(values, part); p++) {
      const struct wb_lane_part other = parts->items[p];
      if (!wb_lanes_are_known(values, other.value) ||
          values->values[other.value].wide != values->values[part].wide ||
          !same_in(values, other.value, part, other.mask & joined))
        continue;
      part = wb_plain_restrict(values, wb_plain_choose(values, joined, part, other.value),
                               joined | other.mask);
      joined |= other.mask;
      parts->items[p--] = parts->items[--parts->count];
    }
    if (parts->count == WB_LANES)
      drop_smallest(parts);
    parts->items[parts->count++] = (struct wb_lane_part){joined, part};
  }
}

static bool comes_before(const struct wb_lane_value_pool *values, const struct wb_lane_part *a,
                         const struct wb_lane_part *b)
{
  const uint32_t shape = values->values[a->value].shape;
  const uint32_t other = values->values[b->value].shape;
  if (a->mask != b->mask)
    return a->mask < b->mask;
  return shape != other ? shape < other : a->value < b->value;
}

static uint32_t rest_of(struct wb_lane_value_pool *values, const struct wb_lane_part *part,
                        uint32_t rest)
{
  const struct wb_lane_value value = {.bits = UINT8_MAX,
                                      .wide = values->values[part->value].wide,
                                      .mask = part->mask,
                                      .part = part->value,
                                      .rest = rest};
  return wb_plain_keep(values, &value);
}

/* The value of the parts, in one order. */
static uint32_t finish(struct wb_lane_value_pool *values, struct parts *parts)
{
  while (parts->count > MOST_PARTS)
    drop_smallest(parts);
  for (size_t p = 0; p < parts->count; p++) { /* what may be anything is in no other part */
    struct wb_lane_part *it = &parts->items[p];
    const uint32_t mask = it->mask & ~parts->unknown;
    if (mask == 0)
      *it = parts->items[--parts->count];
    else if (mask != it->mask)
      *it = (struct wb_lane_part){mask, wb_plain_restrict(values, it->value, mask)};
    else
      continue;
    p--;
  }
  if (parts->unknown == ALL || parts->count == 0)
    return WB_LANES_UNKNOWN;
  if (parts->unknown == 0 && parts->count == 1)
    return parts->items[0].value;
  for (size_t p = 1; p < parts->count; p++)
    for (size_t q = p; q > 0 && comes_before(values, &parts->items[q], &parts->items[q - 1]); q--) {
      const struct wb_lane_part moved = parts->items[q];
      parts->items[q] = parts->items[q - 1];
      parts->items[q - 1] = moved;
    }
  uint32_t value = WB_LANES_UNKNOWN;
  for (size_t p = parts->count; p-- > 0;)
    if ((value = rest_of(values, &parts->items[p], value)) == WB_LANES_UNKNOWN)
      return WB_LANES_UNKNOWN;
  if (parts->unknown != 0) {
    const struct wb_lane_value first = {.bits = UINT8_MAX,
                                        .wide = values->values[value].wide,
                                        .mask = parts->unknown,
                                        .part = WB_LANES_UNKNOWN,
                                        .rest = value};
    value = wb_plain_keep(values, &first);
  }
  return value;
}

/* ---- operations part by part ---- */

#define OPERANDS 3

struct operation {
  uint32_t (*apply)(struct wb_lane_value_pool *values, const struct operation *how,
                    const uint32_t operands[OPERANDS]);
  size_t count; /* operands */
  unsigned places;
  bool a_signed, b_signed;
  uint8_t table;
};

/* The lanes of the mask that surely have one number as lane `lane`, in each operand. */
static uint32_t lanes_like(const struct wb_lane_value_pool *values, const uint32_t *operands,
                           size_t count, uint32_t mask, unsigned lane)
{
  uint32_t like = 0;
  for (unsigned l = 0; l < WB_LANES; l++) {
    bool same = (mask >> l & 1) != 0;
    for (size_t o = 0; o < count && same; o++) {
      const int64_t *distance = values->shapes[values->values[operands[o]].shape].distance;
      same = distance[l] == distance[lane];
    }
    like |= (uint32_t)same << l;
  }
  return like;
}

/* Adds the results of lanes in classes of which each has one number in each operand of `equal`, a
 * bit each. False where there are too many classes. */
static bool add_classes(struct wb_lane_value_pool *values, const struct operation *how,
                        const uint32_t operands[OPERANDS], uint32_t mask, unsigned equal,
                        struct parts *result)
{
  uint32_t of_class[OPERANDS];
  size_t compared = 0;
  size_t count = 0;
  for (size_t o = 0; o < how->count; o++)
    if ((equal >> o & 1) != 0)
      of_class[compared++] = operands[o];
  while (mask != 0) {
    unsigned first = 0;
    while ((mask >> first & 1) == 0)
      first++;
    const uint32_t lanes = lanes_like(values, of_class, compared, mask, first);
    uint32_t its[OPERANDS] = {0};
    mask &= ~lanes;
    if (++count > MOST_PARTS)
      return false;
    for (size_t o = 0; o < how->count; o++)
      its[o] = wb_plain_restrict(values, operands[o], lanes);
    add(values, result, lanes, how->apply(values, how, its));
  }
  return true;
}

/* Adds the result for lanes of which each operand is one part. Where nothing is known of it, lanes
 * with equal operands have equal results. */
static void add_result(struct wb_lane_value_pool *values, const struct operation *how,
                       const uint32_t operands[OPERANDS], uint32_t mask, struct parts *result)
{
  const uint32_t found = how->apply(values, how, operands);
  const unsigned all = (1U << how->count) - 1;
  unsigned loose = 0; /* operands of which lanes with equal distances may differ */
  bool uniform = true;
  bool known = true;
  for (size_t o = 0; o < how->count; o++) {
    known = known && operands[o] != WB_LANES_UNKNOWN;
    loose |= (unsigned)(values->values[operands[o]].loose) << o;
    uniform = uniform && wb_lanes_are_uniform(values, operands[o]);
  }
  if (found != WB_LANES_UNKNOWN || uniform || !known) {
    add(values, result, mask, found);
    return;
  }
  const unsigned choices[] = {1, 2, all}; /* operands that are made equal */
  for (size_t c = 0; c < sizeof choices / sizeof *choices; c++) {
    struct parts its = {.count = 0};
    if ((choices[c] & (loose | ~all)) != 0 ||
        !add_classes(values, how, operands, mask, choices[c], &its) || its.unknown == mask)
      continue;
    result->unknown |= its.unknown;
    for (size_t p = 0; p < its.count; p++)
      add(values, result, its.items[p].mask, its.items[p].value);
    return;
  }
  result->unknown |= mask;
}

static uint32_t apply(struct wb_lane_value_pool *values, const struct operation *how,
                      const uint32_t *operands)
{
  struct wb_lane_part parts[OPERANDS][WB_LANES] = {{{0}}};
  size_t counts[OPERANDS] = {1, 1, 1};
  struct parts result = {.count = 0};
  for (size_t o = 0; o < how->count; o++)
    counts[o] = wb_lanes_parts(values, operands[o], parts[o]);
  for (size_t n = 0; n < counts[0] * counts[1] * counts[2]; n++) {
    const size_t places[OPERANDS] = {n % counts[0], n / counts[0] % counts[1],
                                     n / counts[0] / counts[1]};
    uint32_t mask = ALL;
    uint32_t of_part[OPERANDS] = {0};
    for (size_t o = 0; o < how->count; o++)
      mask &= parts[o][places[o]].mask;
    for (size_t o = 0; o < how->count && mask != 0; o++)
      of_part[o] = wb_plain_restrict(values, parts[o][places[o]].value, mask);
    if (mask != 0)
      add_result(values, how, of_part, mask, &result);
  }
  return finish(values, &result);
}

/* ---- the operations ---- */

/* The value whose parts are split at places of their own, where any are. */
static uint32_t own_splits(struct wb_lane_value_pool *values, uint32_t value)
{
  struct wb_lane_part its[WB_LANES];
  const size_t count = wb_lanes_parts(values, value, its);
  struct parts result = {.count = 0};
  bool any = false;
  for (size_t p = 0; p < count; p++) {
    struct wb_lane_value part = values->values[its[p].value];
    if (part.split == WB_SPLIT_SHARED) {
      part.split = WB_SPLIT_OWN;
      its[p].value = wb_plain_keep(values, &part);
      any = true;
    }
    add(values, &result, its[p].mask, its[p].value);
  }
  return any ? finish(values, &result) : value;
}

typedef struct wb_lane_value_pool *pool;

static uint32_t do_add(pool values, const struct operation *how, const uint32_t *operands)
{
  (void)how;
  return wb_plain_add(values, operands[0], operands[1]);
}

uint32_t wb_lanes_add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  const struct operation how = {.apply = do_add, .count = 2};
  return apply(values, &how, (const uint32_t[]){a, b});
}

static uint32_t do_negate(pool values, const struct operation *how, const uint32_t *operands)
{
  (void)how;
  return wb_plain_negate(values, operands[0]);
}

uint32_t wb_lanes_negate(struct wb_lane_value_pool *values, uint32_t a)
{
  const struct operation how = {.apply = do_negate, .count = 1};
  return apply(values, &how, &a);
}

static uint32_t do_multiply(pool values, const struct operation *how, const uint32_t *operands)
{
  (void)how;
  return wb_plain_multiply(values, operands[0], operands[1]);
}

uint32_t wb_lanes_multiply(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  const struct operation how = {.apply = do_multiply, .count = 2};
  return apply(values, &how, (const uint32_t[]){a, b});
}

static uint32_t do_shift_left(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_shift_left(values, operands[0], how->places);
}

uint32_t wb_lanes_shift_left(struct wb_lane_value_pool *values, uint32_t a, unsigned places)
{
  const struct operation how = {.apply = do_shift_left, .count = 1, .places = places};
  return apply(values, &how, &a);
}

static uint32_t do_shift_right(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_shift_right(values, operands[0], how->places, how->a_signed);
}

uint32_t wb_lanes_shift_right(struct wb_lane_value_pool *values, uint32_t a, unsigned places,
                              bool as_signed)
{
  const struct operation how = {
      .apply = do_shift_right, .count = 1, .places = places, .a_signed = as_signed};
  return apply(values, &how, &a);
}

static uint32_t do_lookup(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_lookup(values, operands, how->table);
}

uint32_t wb_lanes_lookup(struct wb_lane_value_pool *values, const uint32_t operands[3],
                         uint8_t table)
{
  const struct operation how = {.apply = do_lookup, .count = 3, .table = table};
  uint32_t used[3];
  for (unsigned o = 0; o < 3; o++) /* what does not matter may be anything */
    used[o] = wb_lookup_depends(table, o) ? operands[o] : WB_LANES_UNIFORM;
  return apply(values, &how, used);
}

uint32_t wb_lanes_and(struct wb_lane_value_pool *values, uint32_t a, uint32_t mask)
{
  const uint32_t operands[3] = {a, wb_lanes_number(values, mask), wb_lanes_number(values, 0)};
  return wb_lanes_lookup(values, operands, 0xc0);
}

static uint32_t do_extreme(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_extreme(values, operands[0], operands[1], how->a_signed, how->table != 0);
}

uint32_t wb_lanes_extreme(struct wb_lane_value_pool *values, uint32_t a, uint32_t b, bool as_signed,
                          bool minimum)
{
  const struct operation how = {
      .apply = do_extreme, .count = 2, .a_signed = as_signed, .table = minimum};
  const uint32_t found = apply(values, &how, (const uint32_t[]){a, b});
  return found != WB_LANES_UNKNOWN ? found : wb_lanes_mixed(values, a, b);
}

static uint32_t do_compare(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_compare(values, operands[0], operands[1], (enum wb_relation)how->table,
                          how->a_signed);
}

uint32_t wb_lanes_compare(struct wb_lane_value_pool *values, uint32_t a, uint32_t b,
                          enum wb_relation relation, bool as_signed)
{
  const struct operation how = {
      .apply = do_compare, .count = 2, .a_signed = as_signed, .table = (uint8_t)relation};
  return apply(values, &how, (const uint32_t[]){a, b});
}

static uint32_t do_quotient(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_quotient(values, operands[0], how->places);
}

uint32_t wb_lanes_quotient(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor)
{
  const struct operation how = {.apply = do_quotient, .count = 1, .places = divisor};
  return apply(values, &how, &a);
}

static uint32_t do_remainder(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_remainder(values, operands[0], how->places);
}

uint32_t wb_lanes_remainder(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor)
{
  const struct operation how = {.apply = do_remainder, .count = 1, .places = divisor};
  return apply(values, &how, &a);
}

static uint32_t do_with(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_with_quotient(values, operands[0], how->places);
}

uint32_t wb_lanes_with_quotient(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor)
{
  const struct operation how = {.apply = do_with, .count = 1, .places = divisor};
  return apply(values, &how, &a);
}

static uint32_t do_extend(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_extend(values, operands[0], how->a_signed);
}

uint32_t wb_lanes_extend(struct wb_lane_value_pool *values, uint32_t word, bool as_signed)
{
  const struct operation how = {.apply = do_extend, .count = 1, .a_signed = as_signed};
  return apply(values, &how, &word);
}

static uint32_t do_pair(pool values, const struct operation *how, const uint32_t *operands)
{
  (void)how;
  return wb_plain_pair(values, operands[0], operands[1]);
}

uint32_t wb_lanes_pair(struct wb_lane_value_pool *values, uint32_t low, uint32_t high)
{
  const struct operation how = {.apply = do_pair, .count = 2};
  return apply(values, &how, (const uint32_t[]){low, high});
}

static uint32_t do_wide_add(pool values, const struct operation *how, const uint32_t *operands)
{
  (void)how;
  return wb_plain_wide_add(values, operands[0], operands[1]);
}

uint32_t wb_lanes_wide_add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  const struct operation how = {.apply = do_wide_add, .count = 2};
  /* What lanes add for themselves moves them apart. */
  const bool several = !wb_lanes_are_uniform(values, a) && !wb_lanes_are_uniform(values, b);
  return apply(
      values, &how,
      (const uint32_t[]){several ? own_splits(values, a) : a, several ? own_splits(values, b) : b});
}

static uint32_t do_wide_negate(pool values, const struct operation *how, const uint32_t *operands)
{
  (void)how;
  return wb_plain_wide_negate(values, operands[0]);
}

uint32_t wb_lanes_wide_negate(struct wb_lane_value_pool *values, uint32_t a)
{
  const struct operation how = {.apply = do_wide_negate, .count = 1};
  return apply(values, &how, &a);
}

static uint32_t do_wide_shift(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_wide_shift_left(values, operands[0], how->places);
}

uint32_t wb_lanes_wide_shift_left(struct wb_lane_value_pool *values, uint32_t a, unsigned places)
{
  const struct operation how = {.apply = do_wide_shift, .count = 1, .places = places};
  return apply(values, &how, &a);
}

static uint32_t do_product(pool values, const struct operation *how, const uint32_t *operands)
{
  return wb_plain_wide_product(values, operands[0], operands[1], how->a_signed, how->b_signed);
}

uint32_t wb_lanes_wide_product(struct wb_lane_value_pool *values, uint32_t a, uint32_t b,
                               bool a_signed, bool b_signed)
{
  const struct operation how = {
      .apply = do_product, .count = 2, .a_signed = a_signed, .b_signed = b_signed};
  const uint32_t product = apply(values, &how, (const uint32_t[]){a, b});
  /* Lanes with factors of their own are moved apart. */
  const bool several = !wb_lanes_are_uniform(values, a) && !wb_lanes_are_uniform(values, b);
  return several ? own_splits(values, product) : product;
}

static uint32_t do_lower(pool values, const struct operation *how, const uint32_t *operands)
{
  (void)how;
  return wb_plain_lower_word(values, operands[0]);
}

uint32_t wb_lanes_lower_word(struct wb_lane_value_pool *values, uint32_t wide)
{
  const struct operation how = {.apply = do_lower, .count = 1};
  return apply(values, &how, &wide);
}

static uint32_t do_upper(pool values, const struct operation *how, const uint32_t *operands)
{
  (void)how;
  return wb_plain_upper_word(values, operands[0]);
}

uint32_t wb_lanes_upper_word(struct wb_lane_value_pool *values, uint32_t wide)
{
  const struct operation how = {.apply = do_upper, .count = 1};
  return apply(values, &how, &wide);
}

/* ---- functions that are not told ---- */

static uint32_t do_function(pool values, const struct operation *how, const uint32_t *operands)
{
  for (size_t o = 0; o < how->count; o++)
    if (!wb_lanes_are_uniform(values, operands[o]))
      return WB_LANES_UNKNOWN;
  if (how->a_signed)
    return WB_LANES_WIDE;
  return WB_LANES_UNIFORM;
}

uint32_t wb_lanes_function(struct wb_lane_value_pool *values, const uint32_t *operands,
                           size_t count, bool wide)
{
  const struct operation how = {.apply = do_function, .count = 2, .a_signed = wide};
  uint32_t result = wide ? WB_LANES_WIDE : WB_LANES_UNIFORM;
  for (size_t o = 0; o < count; o++) /* functions of what came before and one more */
    if (operands[o] != result || !wb_lanes_are_uniform(values, operands[o]))
      result = apply(values, &how, (const uint32_t[]){result, operands[o]});
  return result;
}

static uint32_t do_limit(pool values, const struct operation *how, const uint32_t *operands)
{
  struct wb_lane_value value = values->values[operands[0]];
  if (operands[0] == WB_LANES_UNKNOWN || value.wide || value.most <= how->places)
    return operands[0];
  value.most = how->places;
  return wb_plain_keep(values, &value);
}

uint32_t wb_lanes_limit(struct wb_lane_value_pool *values, uint32_t value, uint32_t most)
{
  const struct operation how = {.apply = do_limit, .count = 1, .places = most};
  return apply(values, &how, &value);
}

/* ---- joins ---- */

uint32_t wb_lanes_either(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  struct wb_lane_part left[WB_LANES];
  struct wb_lane_part right[WB_LANES];
  if (a == b || a == WB_LANES_UNKNOWN || b == WB_LANES_UNKNOWN ||
      values->values[a].wide != values->values[b].wide)
    return a == b ? a : WB_LANES_UNKNOWN;
  const size_t left_count = wb_lanes_parts(values, a, left);
  const size_t right_count = wb_lanes_parts(values, b, right);
  struct parts result = {.count = 0};
  bool alike = left_count == right_count;
  for (size_t p = 0; p < left_count && alike; p++) {
    const uint32_t both = wb_plain_either(values, left[p].value, right[p].value);
    alike = left[p].mask == right[p].mask &&
            (both != WB_LANES_UNKNOWN || left[p].value == right[p].value);
    add(values, &result, left[p].mask, both);
  }
  if (alike)
    return finish(values, &result);
  if (own_splits(values, a) != a || own_splits(values, b) != b)
    return wb_lanes_either(values, own_splits(values, a), own_splits(values, b));
  result = (struct parts){.count = 0}; /* each part as often as one of the two has it */
  for (size_t p = 0; p < left_count; p++)
    add(values, &result, left[p].mask, left[p].value);
  bool used[WB_LANES] = {false};
  for (size_t p = 0; p < right_count; p++) {
    bool found = false;
    for (size_t q = 0; q < left_count && !found; q++)
      if (!used[q] && left[q].mask == right[p].mask && left[q].value == right[p].value)
        used[q] = found = true;
    if (!found)
      add(values, &result, right[p].mask, right[p].value);
  }
  return finish(values, &result);
}

/* What grew is given up: limits, and parts of which there are other ones. */
uint32_t wb_lanes_widen(struct wb_lane_value_pool *values, uint32_t old, uint32_t grown)
{
  const uint32_t both = wb_lanes_either(values, old, grown);
  struct wb_lane_value value = values->values[both];
  if (both == WB_LANES_UNKNOWN || both == old)
    return both;
  if (value.mask != 0)
    return WB_LANES_UNKNOWN;
  const struct wb_lane_value before = values->values[old];
  if (value.most != before.most)
    value.most = value.wide ? UINT64_MAX : UINT32_MAX;
  if (value.low != before.low || value.high != before.high)
    value.ranged = false;
  if (!value.ranged)
    value.low = value.high = 0;
  return wb_plain_keep(values, &value);
}

uint32_t wb_lanes_mixed(struct wb_lane_value_pool *values, uint32_t a, uint32_t b)
{
  struct parts result = {.count = 0};
  if (values->values[a].wide != values->values[b].wide)
    return WB_LANES_UNKNOWN;
  add(values, &result, ALL, own_splits(values, a));
  add(values, &result, ALL, own_splits(values, b));
  return finish(values, &result);
}

uint32_t wb_lanes_choose(struct wb_lane_value_pool *values, uint32_t mask, uint32_t a, uint32_t b)
{
  struct parts result = {.count = 0};
  if (mask == 0 || mask == ALL)
    return mask == 0 ? b : a;
  add(values, &result, mask, own_splits(values, a));
  add(values, &result, ~mask, own_splits(values, b));
  return finish(values, &result);
}

uint32_t wb_lanes_decide(struct wb_lane_value_pool *values, uint32_t condition, uint32_t a,
                         uint32_t b)
{
  struct wb_lane_part parts[WB_LANES];
  const size_t count = wb_lanes_parts(values, condition, parts);
  struct parts result = {.count = 0};
  for (size_t p = 0; p < count; p++) {
    uint32_t mask = 0;
    uint32_t chosen;
    for (unsigned l = 0; l < WB_LANES && wb_lanes_are_known(values, parts[p].value); l++)
      mask |= (uint32_t)(wb_lanes_at(values, parts[p].value, l) != 0) << l;
    if (wb_lanes_are_known(values, parts[p].value))
      chosen = wb_lanes_choose(values, mask, a, b);
    else if (wb_lanes_are_uniform(values, parts[p].value))
      chosen = wb_lanes_either(values, a, b);
    else
      chosen = wb_lanes_mixed(values, a, b);
    /* Some parts may have the one, and others the other. */
    add(values, &result, parts[p].mask, count > 1 ? own_splits(values, chosen) : chosen);
  }
  return finish(values, &result);
}

uint32_t wb_lanes_where(const struct wb_lane_value_pool *values, uint32_t predicate, bool when)
{
  struct wb_lane_part parts[WB_LANES];
  const size_t count = wb_lanes_parts(values, predicate, parts);
  uint32_t lanes = 0;
  for (size_t p = 0; p < count; p++)
    for (unsigned l = 0; l < WB_LANES; l++)
      if (!wb_lanes_are_known(values, parts[p].value) ||
          (wb_lanes_at(values, parts[p].value, l) != 0) == when)
        lanes |= parts[p].mask & UINT32_C(1) << l;
  return lanes;
}
