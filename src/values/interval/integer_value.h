/* The abstract value of a 32-bit register: a strided interval that may wrap round, absolute or
 * relative to the value that a base register had at a reference point (after the strided intervals
 * of Balakrishnan and Reps, CC 2004; doc/loop-bounds.md). */
#ifndef WB_VALUES_INTERVAL_INTEGER_VALUE_H
#define WB_VALUES_INTERVAL_INTEGER_VALUE_H

#include "model/code.h"

#include "isa/lower/micro_operation.h"

#include <stdbool.h>
#include <stdint.h>

/* The function that is applied to the base. */
enum wb_integer_shape {
  WB_SHIFTED_LEFT, /* by 0: the base itself */
  WB_SHIFTED_RIGHT,
  WB_SHIFTED_RIGHT_SIGNED
};

/* Where an unknown value comes from, for messages. The operand stands in bits 0..23 of an
 * origin. */
enum wb_origin_kind {
  WB_ORIGIN_NONE,        /* the whole origin is 0 */
  WB_ORIGIN_CONSTANT,    /* constant memory: the bank in bits 16..22, the offset in bytes below */
  WB_ORIGIN_BLOCK,       /* the size of the block */
  WB_ORIGIN_GRID,        /* the size of the grid */
  WB_ORIGIN_INSTRUCTION, /* the result of the instruction of that index, a load for example */
  WB_ORIGIN_BASES        /* two registers at the loop's header: numbers in bits 0..11 and 12..23 */
};
/* With WB_ORIGIN_CONSTANT: 8 bytes. */
#define WB_ORIGIN_WIDE (UINT32_C(1) << 23)
#define WB_ORIGIN(kind, of) ((uint32_t)(kind) << 24 | ((of)&UINT32_C(0xffffff)))

/* The origin of a result: that of the first operand that has one. */
static inline uint32_t wb_first_origin(uint32_t first, uint32_t second)
{
  return first != 0 ? first : second;
}

/* The set of the numbers f(base) + low + j modulo 2^32, for 0 <= j <= width and j a multiple of
 * 2^align. The base is the value of a register at the reference point (a loop's header).
 * Invariant: width is a multiple of 2^align too, unless it is UINT32_MAX. A width of UINT32_MAX
 * (top: any number) has no base, and low and align are 0. Without a base, or where f is the
 * identity, shape is WB_SHIFTED_LEFT and shift is 0. The fields from low_by_width on do not change
 * the set. wb_integer_is_valid checks all of it. */
struct wb_integer {
  uint32_t low;       /* the first number, relative to f(base) */
  uint32_t width;     /* the distance from the first to the last number */
  uint16_t base;      /* a register; WB_NO_REGISTER: f(base) is 0 */
  uint8_t shape;      /* enum wb_integer_shape: what f is */
  uint8_t shift;      /* bits that f shifts by, 0..31 */
  uint8_t align;      /* log2 of the stride, 0..31 */
  bool low_by_width;  /* the lower end rests on nothing but the width of a register or of a part of
                         it: a bound from it is true, but of no use */
  bool high_by_width; /* the same of the upper end */
  uint32_t origin;    /* WB_ORIGIN of the operand that is unknown, or 0 */
};

/* An end of an interval that is not taken modulo 2^32. */
struct wb_integer_end {
  int64_t number;
  bool by_width; /* it rests on the width of a register alone */
};

/* A mask above this number bounds an unknown value by its width alone. */
#define WB_MASK_MOST 0xffff

/* ---- constructors ---- */

/* Any number. */
struct wb_integer wb_integer_top(void);
/* One number. */
struct wb_integer wb_integer_exactly(uint32_t value);
/* The numbers low..high, signed or unsigned. Needs low <= high. */
struct wb_integer wb_integer_range(int64_t low, int64_t high);
/* The value of the register at the reference point. */
struct wb_integer wb_integer_of_register(uint16_t base);
/* Any number, of a known origin. */
struct wb_integer wb_integer_unknown(uint32_t origin);
/* The numbers between two ends, of a known origin. Needs low.number <= high.number. */
struct wb_integer wb_integer_between(struct wb_integer_end low, struct wb_integer_end high,
                                     uint32_t origin);
/* The same value with the stride 2^align, counted from its first number. */
struct wb_integer wb_integer_aligned(struct wb_integer value, unsigned align);

/* ---- queries ---- */

/* log2 of the stride; 32 where there is one number. */
unsigned wb_integer_alignment(const struct wb_integer *value);
/* Whether both are the same set. */
bool wb_integer_equal(const struct wb_integer *left, const struct wb_integer *right);
/* Whether there is one number, and no base. */
bool wb_integer_is_exact(const struct wb_integer *value);
/* Whether the value is that of the register at the reference point, unchanged: asked of each
 * register at each loop, so it stands here. */
static inline bool wb_integer_is_register(const struct wb_integer *value, uint16_t base)
{
  return value->base == base && value->low == 0 && value->width == 0 && value->shift == 0 &&
         value->shape == WB_SHIFTED_LEFT;
}
/* The interval *low..*high of signed or unsigned numbers. False where there is a base, or where the
 * interval wraps round. */
bool wb_integer_interval(const struct wb_integer *value, bool as_signed, int64_t *low,
                         int64_t *high);
/* The same with the reason of each end. Where it is false, the ends are those of the type. The 0 of
 * unsigned numbers counts as an end of the value's own, not as one by width. */
bool wb_integer_ends(const struct wb_integer *value, bool as_signed, struct wb_integer_end *low,
                     struct wb_integer_end *high);
/* Whether the relation is false for every number of an interval on the left and every number of one
 * on the right: each the least and the greatest. */
bool wb_interval_excludes(const int64_t left[2], enum wb_relation relation, const int64_t right[2]);
/* The same of values. */
bool wb_integer_excludes(const struct wb_integer *left, enum wb_relation relation,
                         const struct wb_integer *right, bool as_signed);

/* ---- operations: the result contains the results for all numbers of the operands ---- */

/* The least upper bound of this domain. */
struct wb_integer wb_integer_join(const struct wb_integer *left, const struct wb_integer *right);
struct wb_integer wb_integer_add(const struct wb_integer *left, const struct wb_integer *right);
struct wb_integer wb_integer_subtract(const struct wb_integer *left,
                                      const struct wb_integer *right);
struct wb_integer wb_integer_shift_left(const struct wb_integer *value, unsigned count);
struct wb_integer wb_integer_shift_right(const struct wb_integer *value, unsigned count,
                                         bool as_signed);
struct wb_integer wb_integer_and(const struct wb_integer *left, const struct wb_integer *right);
/* The least or the greatest of two numbers. */
struct wb_integer wb_integer_extreme(const struct wb_integer *left, const struct wb_integer *right,
                                     bool as_signed, bool least);
/* Bits 0..15. */
struct wb_integer wb_integer_lower_half(const struct wb_integer *value);
/* The upper 32 bits of (high, low) << count; the lower 32 bits of (high, low) >> count where
 * `right`. Needs 0 < count < 32. */
struct wb_integer wb_integer_funnel(const struct wb_integer *low, const struct wb_integer *high,
                                    unsigned count, bool right);

/* ---- refinement ---- */

/* *value and *other both contain the same number: keeps the narrower of them in *value. */
void wb_integer_meet(struct wb_integer *value, const struct wb_integer *other);
/* The same, of signed or unsigned intervals that do not wrap round the numbers in both; nothing
 * where either has a base. */
void wb_integer_narrow(struct wb_integer *value, const struct wb_integer *other);
/* Keeps the numbers that are in the relation to some number of `other`; a value with a base stays
 * as it is. False where none is left. */
bool wb_integer_assume(struct wb_integer *value, enum wb_relation relation,
                       const struct wb_integer *other, bool as_signed);
/* Keeps the numbers that are congruent to `rest` modulo 2^places, places < 32; a value with a base,
 * or that has none of them, stays as it is. */
void wb_integer_assume_rest(struct wb_integer *value, uint32_t rest, unsigned places);
/* `form`, relative to a base, with the value `start` of that base. */
struct wb_integer wb_integer_substitute(const struct wb_integer *form,
                                        const struct wb_integer *start);

/* ---- checks ---- */

/* Whether the invariant of struct wb_integer holds. Constant time. */
bool wb_integer_is_valid(const struct wb_integer *value);

/* ---- numbers of 64 bits, in two registers ---- */

/* The set of the numbers base + low + j modulo 2^64, for 0 <= j <= width. The base is the number
 * that base_low and base_high held at the reference point (a loop's header).
 * Invariant: a base_high has a base_low; a width of UINT64_MAX (top: any number) has no base, and
 * low is 0. The fields from low_by_width on do not change the set. */
struct wb_wide {
  uint64_t low;       /* the first number, relative to the base */
  uint64_t width;     /* the distance from the first to the last number */
  uint16_t base_low;  /* the register of the lower word; WB_NO_REGISTER: the base is 0 */
  uint16_t base_high; /* the register of the upper word; WB_NO_REGISTER: that word is 0 */
  bool low_by_width;  /* as in struct wb_integer */
  bool high_by_width; /* as in struct wb_integer */
  uint32_t origin;    /* as in struct wb_integer */
};

/* Any number. */
struct wb_wide wb_wide_top(void);
/* One number. */
struct wb_wide wb_wide_exactly(uint64_t value);
/* The number of a lower and an upper word. */
struct wb_wide wb_wide_of_words(const struct wb_integer *low, const struct wb_integer *high);

bool wb_wide_is_top(const struct wb_wide *value);
bool wb_wide_has_base(const struct wb_wide *value);
bool wb_wide_same_base(const struct wb_wide *left, const struct wb_wide *right);
/* Whether the value is that of the pair at the reference point, unchanged. */
bool wb_wide_is_pair(const struct wb_wide *value, uint16_t low, uint16_t high);

/* The result contains the results for all numbers of the operands. */
struct wb_wide wb_wide_join(const struct wb_wide *left, const struct wb_wide *right);
struct wb_wide wb_wide_add(const struct wb_wide *left, const struct wb_wide *right);
struct wb_wide wb_wide_subtract(const struct wb_wide *left, const struct wb_wide *right);

/* By less than 64 places. */
struct wb_wide wb_wide_shift_left(const struct wb_wide *value, unsigned count);

/* Without its lowest bits 0 <= bits < 32. */
struct wb_wide wb_wide_round_down(const struct wb_wide *value, unsigned bits);

/* A number of 32 bits, continued upwards by its sign or by zeros. */
struct wb_wide wb_wide_extend(const struct wb_integer *word, bool as_signed);

/* `form`, relative to a pair, with the value `start` of that pair. */
struct wb_wide wb_wide_substitute(const struct wb_wide *form, const struct wb_wide *start);

/* The greatest magnitude that wb_wide_ends gives, so that sums of a few do not overflow. */
#define WB_WIDE_MOST ((int64_t)1 << 60)

/* The interval *low..*high of signed or unsigned numbers. False where there is a base, where the
 * interval wraps round, or where a number is beyond WB_WIDE_MOST. */
bool wb_wide_ends(const struct wb_wide *value, bool as_signed, struct wb_integer_end *low,
                  struct wb_integer_end *high);

/* The greatest number (`upper`) or the least one, as signed or unsigned, where the set does not
 * wrap round. False where it does, or that number is beyond WB_WIDE_MOST. */
bool wb_wide_end(const struct wb_wide *value, bool as_signed, bool upper,
                 struct wb_integer_end *end);

/* Keeps the numbers that are in the relation to some number of `other`; a value with a base stays
 * as it is. False where none is left. */
bool wb_wide_assume(struct wb_wide *value, enum wb_relation relation, const struct wb_wide *other,
                    bool as_signed);
/* The least or the greatest of two numbers. */
struct wb_wide wb_wide_extreme(const struct wb_wide *left, const struct wb_wide *right,
                               bool as_signed, bool least);

/* Leaves one number out where it is an end of the set, or the set is all. False where none is left.
 */
bool wb_wide_leave_out(struct wb_wide *value, uint64_t number);

/* Whether the relation is false for every number on the left and every number on the right. */
bool wb_wide_excludes(const struct wb_wide *left, enum wb_relation relation,
                      const struct wb_wide *right, bool as_signed);

/* The lower word. */
struct wb_integer wb_wide_lower_word(const struct wb_wide *value);
/* The upper word; anything where there is a base. */
struct wb_integer wb_wide_upper_word(const struct wb_wide *value);
/* The two words. False where there is a base, or where the upper word is not one number. */
bool wb_wide_to_words(const struct wb_wide *value, struct wb_integer *low, struct wb_integer *high);

/* ---- products ---- */

/* The lower 32 bits, which do not depend on signs. */
struct wb_integer wb_integer_product(const struct wb_integer *left, const struct wb_integer *right);
/* The upper 32 bits of the product of signed or unsigned numbers. */
struct wb_integer wb_integer_product_upper(const struct wb_integer *left, bool left_signed,
                                           const struct wb_integer *right, bool right_signed);
/* All 64 bits. */
struct wb_wide wb_wide_product(const struct wb_integer *left, bool left_signed,
                               const struct wb_integer *right, bool right_signed);

/* ---- bits ---- */

/* Each bit of the result is the function of the table (values/lookup_table.h) of the same bits
 * of three values. */
struct wb_integer wb_integer_lookup(const struct wb_integer values[3], uint8_t table);
/* The lowest bits 0 < bits <= 32, continued by the sign of the last of them. */
struct wb_integer wb_integer_sign_extend(const struct wb_integer *value, unsigned bits);
/* The lowest bits 0 <= bits <= 32, continued by zeros. */
struct wb_integer wb_integer_lowest_bits(const struct wb_integer *value, unsigned bits);
/* How many bits are 1. */
struct wb_integer wb_integer_count_ones(const struct wb_integer *value);
/* The place of the highest bit that is 1; of a negative number that of the highest 0. -1: none. */
struct wb_integer wb_integer_highest_one(const struct wb_integer *value, bool as_signed);
/* Four bytes of a (0..3) and b (4..7), by the nibbles of the selector; bit 3 of a nibble repeats
 * the byte's sign in its place (PRMT). */
struct wb_integer wb_integer_permute(const struct wb_integer *a, const struct wb_integer *b,
                                     uint32_t selector);
/* The magnitude of a signed number. */
struct wb_integer wb_integer_magnitude(const struct wb_integer *value);

#endif
