/* What a register holds in the lanes of a group that runs together (doc/accesses.md): the number of
 * lane 0 and a known distance from it to that of each lane. Values are kept once: a value is a
 * number, and equal values are equal numbers. */
#ifndef WB_VALUES_LANES_LANE_VALUES_H
#define WB_VALUES_LANES_LANE_VALUES_H

#include "base/hash_table.h"
#include "isa/lower/micro_operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_LANES 32

/* By lane: its number less that of lane 0, modulo 2^32 or 2^64, in two's complement. */
struct wb_lane_shape {
  int64_t distance[WB_LANES];
};

/* Of a wide number, whether the lanes from some distance on may be off by a multiple of 2^32. */
enum wb_lane_split {
  WB_SPLIT_NOT,
  WB_SPLIT_SHARED, /* all parts of the value at one place: a word that wraps was extended */
  WB_SPLIT_OWN     /* the part at a place of its own */
};

/* Of a word of 32 bits, or of a number of 64 in two registers ("wide"). A value with a mask is a
 * list of parts: each lane has the number that one of the parts says whose mask it is in. The lanes
 * of its shape that are not in the mask stand at distance 0. */
struct wb_lane_value {
  uint64_t residue;  /* the number of lane 0 modulo 2^bits */
  uint64_t most;     /* no lane's number is greater, as an unsigned one */
  int32_t low, high; /* of a word that is ranged: each lane's number lies there, as a signed one */
  uint32_t shape;    /* its number; 0: all lanes have one number */
  uint8_t bits;      /* 32 of a word, 64 of a wide number: the numbers of all lanes are known */
  bool wide;
  bool ranged;
  bool ordered;  /* of a word: no two lanes are apart by a wrap of signed numbers */
  bool level;    /* the same, and of unsigned ones: of a word that was clamped */
  uint8_t split; /* enum wb_lane_split */
  /* Of a split: those of the lanes' numbers that are on one side are at least some number, which is
   * `edge` modulo 2^edge_bits, at most 2^32; the others are less. */
  uint8_t edge_bits;
  uint32_t edge;
  bool cut; /* the lanes from some distance on may be off by one number, a multiple of 2^bits */
  /* Of a cut that is known: the lanes are off by one number for each period of first + distance,
   * where first is `start` modulo `step`, which the period is a multiple of; period 0: not known.
   */
  uint64_t period, step, start;
  bool loose;     /* each lane has one of the distances of the table, any one */
  uint8_t clamps; /* so often are all numbers beyond some bound replaced by it */
  uint8_t strays; /* of these, by bounds that may be none of the numbers u + distance */
  /* Of a clamped value: what lane 0's number is without the bounds, modulo 2^unclamped_bits, at
   * most 2^32. */
  uint8_t unclamped_bits;
  uint32_t unclamped;
  uint32_t mask;       /* of parts: the lanes of the first one; else 0 */
  uint32_t part, rest; /* its value, of one part; the other parts, or WB_LANES_UNKNOWN */
};

/* Values with fixed numbers. */
enum {
  WB_LANES_UNKNOWN = 0, /* nothing is known */
  WB_LANES_UNIFORM = 1, /* a word that all lanes have, any one */
  WB_LANES_WIDE = 2     /* the same of 64 bits */
};

/* Invariant: no two shapes and no two values are equal, and the tables find them. */
struct wb_lane_value_pool {
  struct wb_lane_shape *shapes;
  size_t shape_count, shape_capacity;
  struct wb_lane_value *values;
  size_t value_count, value_capacity;
  struct wb_hash_table shape_table, value_table;
  bool failed; /* sticky: memory was out, and some number is wrong */
};

bool wb_lane_value_pool_start(struct wb_lane_value_pool *values);
void wb_lane_value_pool_free(struct wb_lane_value_pool *values);

/* ---- what is known of a value ---- */

bool wb_lanes_are_uniform(const struct wb_lane_value_pool *values, uint32_t value);
/* Whether the number of each lane is known. */
bool wb_lanes_are_known(const struct wb_lane_value_pool *values, uint32_t value);
/* Whether they are known and one; *number: it. */
bool wb_lanes_are_number(const struct wb_lane_value_pool *values, uint32_t value, uint64_t *number);
/* The number of a lane of a known value. */
uint64_t wb_lanes_at(const struct wb_lane_value_pool *values, uint32_t value, unsigned lane);

/* ---- making values ---- */

uint32_t wb_lanes_number(struct wb_lane_value_pool *values, uint32_t number);
uint32_t wb_lanes_wide_number(struct wb_lane_value_pool *values, uint64_t number);
/* A word with these numbers in all. */
uint32_t wb_lanes_known(struct wb_lane_value_pool *values, const uint32_t numbers[WB_LANES]);
/* A word that all lanes have, at most `most`. */
uint32_t wb_lanes_uniform_below(struct wb_lane_value_pool *values, uint32_t most);
/* A word of that shape, with what is known of lane 0 and of all lanes. distances: modulo 2^32. */
uint32_t wb_lanes_shaped(struct wb_lane_value_pool *values, const int64_t distances[WB_LANES],
                         uint8_t bits, uint32_t residue, uint32_t most);

/* ---- joins ---- */

/* All lanes have the one, or all have the other. */
uint32_t wb_lanes_either(struct wb_lane_value_pool *values, uint32_t a, uint32_t b);
/* The same; what grew is given up, so that repeated joins end soon. */
uint32_t wb_lanes_widen(struct wb_lane_value_pool *values, uint32_t old, uint32_t grown);
/* Some lanes have the one, and some the other. */
uint32_t wb_lanes_mixed(struct wb_lane_value_pool *values, uint32_t a, uint32_t b);
/* Lanes in `mask` have a, the others b. */
uint32_t wb_lanes_choose(struct wb_lane_value_pool *values, uint32_t mask, uint32_t a, uint32_t b);
/* Those where the condition is true have the one, the rest the other. */
uint32_t wb_lanes_decide(struct wb_lane_value_pool *values, uint32_t condition, uint32_t a,
                         uint32_t b);
/* The lanes where a predicate may be `when`. */
uint32_t wb_lanes_where(const struct wb_lane_value_pool *values, uint32_t predicate, bool when);

/* A function of the operands: lanes with equal ones have equal numbers. */
uint32_t wb_lanes_function(struct wb_lane_value_pool *values, const uint32_t *operands,
                           size_t count, bool wide);
/* The same word, of which it is known that it is at most `most`. */
uint32_t wb_lanes_limit(struct wb_lane_value_pool *values, uint32_t value, uint32_t most);

/* ---- words: the result of each lane from its numbers, modulo 2^32 ---- */

uint32_t wb_lanes_add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b);
uint32_t wb_lanes_negate(struct wb_lane_value_pool *values, uint32_t a);
uint32_t wb_lanes_multiply(struct wb_lane_value_pool *values, uint32_t a, uint32_t b);
uint32_t wb_lanes_shift_left(struct wb_lane_value_pool *values, uint32_t a, unsigned places);
uint32_t wb_lanes_shift_right(struct wb_lane_value_pool *values, uint32_t a, unsigned places,
                              bool as_signed);
/* Each bit is the function of the table (values/lookup_table.h) of the same bits of three. */
uint32_t wb_lanes_lookup(struct wb_lane_value_pool *values, const uint32_t operands[3],
                         uint8_t table);
uint32_t wb_lanes_and(struct wb_lane_value_pool *values, uint32_t a, uint32_t mask);
uint32_t wb_lanes_extreme(struct wb_lane_value_pool *values, uint32_t a, uint32_t b, bool as_signed,
                          bool least);

/* Of unsigned words by a number of at least 2. */
uint32_t wb_lanes_quotient(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor);
uint32_t wb_lanes_remainder(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor);
/* The remainder and a function of the quotient, added. */
uint32_t wb_lanes_with_quotient(struct wb_lane_value_pool *values, uint32_t a, uint32_t divisor);
/* Whether a relation holds: 0 or 1, of words or of wide numbers. */
uint32_t wb_lanes_compare(struct wb_lane_value_pool *values, uint32_t a, uint32_t b,
                          enum wb_relation relation, bool as_signed);

/* ---- numbers of 64 bits ---- */

/* A word continued by its sign or by zeros. */
uint32_t wb_lanes_extend(struct wb_lane_value_pool *values, uint32_t word, bool as_signed);
/* Of two words that all lanes have. */
uint32_t wb_lanes_pair(struct wb_lane_value_pool *values, uint32_t low, uint32_t high);
uint32_t wb_lanes_wide_add(struct wb_lane_value_pool *values, uint32_t a, uint32_t b);
uint32_t wb_lanes_wide_negate(struct wb_lane_value_pool *values, uint32_t a);
uint32_t wb_lanes_wide_shift_left(struct wb_lane_value_pool *values, uint32_t a, unsigned places);
/* The product of two words, each read with its sign or without. */
uint32_t wb_lanes_wide_product(struct wb_lane_value_pool *values, uint32_t a, uint32_t b,
                               bool a_signed, bool b_signed);
uint32_t wb_lanes_lower_word(struct wb_lane_value_pool *values, uint32_t wide);
uint32_t wb_lanes_upper_word(struct wb_lane_value_pool *values, uint32_t wide);

#endif
