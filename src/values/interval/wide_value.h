/* The abstract value of a 64-bit number in two registers: an interval that may wrap round, absolute
 * or relative to the number that a pair of registers held at a reference point
 * (doc/loop-bounds.md). */
#ifndef WB_VALUES_INTERVAL_WIDE_VALUE_H
#define WB_VALUES_INTERVAL_WIDE_VALUE_H

#include "values/interval/integer_value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Whether the relation is false for every number on the left and every number on the right. */
bool wb_wide_excludes(const struct wb_wide *left, enum wb_relation relation,
                      const struct wb_wide *right, bool as_signed);

/* The lower word. */
struct wb_integer wb_wide_lower_word(const struct wb_wide *value);
/* The two words. False where there is a base, or where the upper word is not one number. */
bool wb_wide_to_words(const struct wb_wide *value, struct wb_integer *low, struct wb_integer *high);

/* ---- pairs of registers ---- */

struct wb_pair {
  uint16_t low;         /* the register of the lower word */
  uint16_t high;        /* the register of the upper word */
  struct wb_wide value; /* the number that they hold */
};

/* Most pairs of a list; more push the oldest out. */
#define WB_PAIR_LIMIT 10

/* Pairs whose value is known better than their two words say, the oldest first.
 * Invariant: no pair twice, and low != high in each. */
struct wb_pairs {
  size_t count;
  struct wb_pair rows[WB_PAIR_LIMIT];
};

/* The row of a pair; NULL where there is none. */
const struct wb_pair *wb_pairs_find(const struct wb_pairs *pairs, uint32_t low, uint32_t high);
/* The value of a pair: by the list, else by its words. registers: by number. */
struct wb_wide wb_pairs_value(const struct wb_pairs *pairs, const struct wb_integer *registers,
                              uint16_t low, uint16_t high);
/* Sets a pair's value; a value of top, or low == high, removes the pair. */
void wb_pairs_set(struct wb_pairs *pairs, uint16_t low, uint16_t high, const struct wb_wide *value);
/* Removes the pairs with that upper register and, where `either`, those with that lower one. */
void wb_pairs_forget(struct wb_pairs *pairs, uint32_t number, bool either);
/* Joins *its into *mine. The registers are those before they are joined. */
void wb_pairs_join(struct wb_pairs *mine, const struct wb_integer *my_registers,
                   const struct wb_pairs *its, const struct wb_integer *its_registers);
/* Whether the invariants of the list and of its values hold. Linear in WB_PAIR_LIMIT squared. */
bool wb_pairs_are_valid(const struct wb_pairs *pairs);

#endif
