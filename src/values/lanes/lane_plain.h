/* Operations on lane values of one part (values/lanes/lane_values.h has them for all values). What
 * is not known of a result is WB_LANES_UNKNOWN. */
#ifndef WB_VALUES_LANES_LANE_PLAIN_H
#define WB_VALUES_LANES_LANE_PLAIN_H

#include "isa/lower/micro_operation.h"
#include "values/lanes/lane_values.h"

/* ---- numbers ---- */

static inline uint64_t wb_plain_low_bits(uint64_t number, unsigned bits)
{
  return bits >= 64 ? number : number & ((UINT64_C(1) << bits) - 1);
}

static inline unsigned wb_plain_trailing_zeros(uint64_t number)
{
  unsigned zeros = 0;
  while (zeros < 64 && (number >> zeros & 1) == 0)
    zeros++;
  return zeros;
}

static inline unsigned wb_plain_least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* A distance modulo 2^32 or 2^64, in two's complement. */
static inline int64_t wb_plain_distance(uint64_t number, bool wide)
{
  return wide ? (int64_t)number : (int64_t)(int32_t)(uint32_t)number;
}

/* ---- values ---- */

/* The number of a value, which is kept once. */
uint32_t wb_plain_keep(struct wb_lane_value_pool *values, const struct wb_lane_value *value);
/* The same with that shape. */
uint32_t wb_plain_keep_shaped(struct wb_lane_value_pool *values, struct wb_lane_value value,
                              const struct wb_lane_shape *shape);
/* A wide one with these numbers. */
uint32_t wb_plain_known_wide(struct wb_lane_value_pool *values, const uint64_t numbers[WB_LANES]);
/* What it says of the lanes of the mask, which is not 0: the others are taken to have the number of
 * the first one of it. */
uint32_t wb_plain_restrict(struct wb_lane_value_pool *values, uint32_t value, uint32_t mask);

/* Whether the lanes' numbers are apart by their distances. */
bool wb_plain_is_exact(const struct wb_lane_value *value);
/* Whether no lane's word, signed or unsigned, is apart from lane 0's by anything else than its
 * distance. */
bool wb_plain_never_wraps(const struct wb_lane_value_pool *values,
                          const struct wb_lane_value *word);

/* What lane 0's number is without bounds, modulo 2^*bits, at most 2^32. */
void wb_plain_unclamp(const struct wb_lane_value *value, uint32_t *number, uint8_t *bits);

/* The range of a word's numbers as signed ones; false where none is known. */
bool wb_plain_signed_range(const struct wb_lane_value_pool *values, uint32_t value, int64_t *low,
                           int64_t *high);
/* Whether a word's numbers as signed ones are apart by their distances. */
bool wb_plain_is_ordered(const struct wb_lane_value_pool *values, uint32_t value);
/* Sets the range of a word, if it is one of signed words: else none. */
void wb_plain_set_range(struct wb_lane_value *value, int64_t low, int64_t high);

uint32_t wb_plain_either(struct wb_lane_value_pool *values, uint32_t a, uint32_t b);
uint32_t wb_plain_choose(struct wb_lane_value_pool *values, uint32_t mask, uint32_t a, uint32_t b);
uint32_t wb_plain_add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b);
uint32_t wb_plain_negate(struct wb_lane_value_pool *values, uint32_t a);
uint32_t wb_plain_multiply(struct wb_lane_value_pool *values, uint32_t a, uint32_t b);
uint32_t wb_plain_shift_left(struct wb_lane_value_pool *values, uint32_t a, unsigned places);
uint32_t wb_plain_shift_right(struct wb_lane_value_pool *values, uint32_t a, unsigned places,
                              bool as_signed);
uint32_t wb_plain_lookup(struct wb_lane_value_pool *values, const uint32_t operands[3],
                         uint8_t table);
uint32_t wb_plain_extreme(struct wb_lane_value_pool *values, uint32_t a, uint32_t b, bool as_signed,
                          bool minimum);
uint32_t wb_plain_compare(struct wb_lane_value_pool *values, uint32_t a, uint32_t b,
                          enum wb_relation relation, bool as_signed);
uint32_t wb_plain_quotient(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor);
uint32_t wb_plain_remainder(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor);
uint32_t wb_plain_with_quotient(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor);
uint32_t wb_plain_extend(struct wb_lane_value_pool *values, uint32_t word, bool as_signed);
uint32_t wb_plain_pair(struct wb_lane_value_pool *values, uint32_t low, uint32_t high);
uint32_t wb_plain_wide_add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b);
uint32_t wb_plain_wide_negate(struct wb_lane_value_pool *values, uint32_t a);
uint32_t wb_plain_wide_shift_left(struct wb_lane_value_pool *values, uint32_t a, unsigned places);
uint32_t wb_plain_wide_product(struct wb_lane_value_pool *values, uint32_t a, uint32_t b,
                               bool a_signed, bool b_signed);
uint32_t wb_plain_lower_word(struct wb_lane_value_pool *values, uint32_t wide);
uint32_t wb_plain_upper_word(struct wb_lane_value_pool *values, uint32_t wide);

#endif
