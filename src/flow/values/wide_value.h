/* What is known of a 64-bit number that two registers hold: an interval that may wrap round,
 * alone or on top of what two registers held before. */
#ifndef WB_FLOW_VALUES_WIDE_VALUE_H
#define WB_FLOW_VALUES_WIDE_VALUE_H

#include "flow/values/integer_value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers base + low + j modulo 2^64 for 0 <= j <= width, where the base is what the pair of
 * registers base_low (the lower 32 bits) and base_high held at a place agreed upon, base_low alone
 * without a base_high; both WB_NO_REGISTER: 0. low_by_width, high_by_width, origin: as in struct
 * wb_integer. Invariant: a width of UINT64_MAX (anything) has no base, and low 0. */
struct wb_wide {
  uint64_t low;
  uint64_t width;
  uint16_t base_low;
  uint16_t base_high;
  bool low_by_width;
  bool high_by_width;
  uint32_t origin;
};

struct wb_wide wb_wide_anything(void);
/* Of the lower and the upper word. */
struct wb_wide wb_wide_of_words(const struct wb_integer *low, const struct wb_integer *high);

bool wb_wide_is_anything(const struct wb_wide *a);
bool wb_wide_has_base(const struct wb_wide *a);
bool wb_wide_same_base(const struct wb_wide *a, const struct wb_wide *b);
/* Is the pair itself. */
bool wb_wide_is_pair(const struct wb_wide *a, uint16_t low, uint16_t high);

/* Each holds all results for all numbers of its operands. */
struct wb_wide wb_wide_join(const struct wb_wide *a, const struct wb_wide *b);
struct wb_wide wb_wide_add(const struct wb_wide *a, const struct wb_wide *b);
struct wb_wide wb_wide_subtract(const struct wb_wide *a, const struct wb_wide *b);

/* `form` with what its pair held, `start`, put in. */
struct wb_wide wb_wide_substitute(const struct wb_wide *form, const struct wb_wide *start);

/* Numbers beyond this are not looked at in order, so that sums of some do not overflow. */
#define WB_WIDE_MOST ((int64_t)1 << 60)

/* The ends in order, read as signed or unsigned; false where there is a base, where they wrap
 * round in that reading, or where a number is beyond WB_WIDE_MOST. */
bool wb_wide_ends(const struct wb_wide *a, bool as_signed, struct wb_integer_end *low,
                  struct wb_integer_end *high);

/* The words, where the upper one is the same for all numbers; false where it is not. */
bool wb_wide_words(const struct wb_wide *a, struct wb_integer *low, struct wb_integer *high);

/* ---- pairs of registers ---- */

/* The registers low and high, which hold that number. */
struct wb_pair {
  uint16_t low;
  uint16_t high;
  struct wb_wide value;
};

/* Pairs that more is known of than of their two words; when more come, the oldest are forgotten. */
#define WB_PAIR_LIMIT 10
struct wb_pairs {
  size_t count;
  struct wb_pair rows[WB_PAIR_LIMIT];
};

/* NULL where it is not among them. */
const struct wb_pair *wb_pairs_find(const struct wb_pairs *pairs, uint32_t low, uint32_t high);
/* What the pair holds, by the list or by what the words hold (registers: by number). */
struct wb_wide wb_pairs_value(const struct wb_pairs *pairs, const struct wb_integer *registers,
                              uint16_t low, uint16_t high);
void wb_pairs_set(struct wb_pairs *pairs, uint16_t low, uint16_t high, const struct wb_wide *value);
/* Forgets pairs with that upper register, and, where `either`, with that lower one. */
void wb_pairs_forget(struct wb_pairs *pairs, uint32_t number, bool either);
/* Adds to *mine what the others may be; the registers are those before they are joined. */
void wb_pairs_join(struct wb_pairs *mine, const struct wb_integer *my_registers,
                   const struct wb_pairs *its, const struct wb_integer *its_registers);

#endif
