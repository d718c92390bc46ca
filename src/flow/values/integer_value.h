/* What is known of a 32-bit register: an interval that may wrap round, alone or on top of what
 * another register held before. */
#ifndef WB_FLOW_VALUES_INTEGER_VALUE_H
#define WB_FLOW_VALUES_INTEGER_VALUE_H

#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

/* What is done to the base. */
enum wb_integer_shape {
  WB_SHIFTED_LEFT, /* by 0: the base itself */
  WB_SHIFTED_RIGHT,
  WB_SHIFTED_RIGHT_SIGNED
};

enum wb_relation {
  WB_RELATION_LESS,
  WB_RELATION_EQUAL,
  WB_RELATION_AT_MOST,
  WB_RELATION_GREATER,
  WB_RELATION_UNEQUAL,
  WB_RELATION_AT_LEAST
};

/* Where a number that is not known comes from, for people: a kind and what it is of. */
enum wb_origin_kind {
  WB_ORIGIN_NONE,        /* 0 in all */
  WB_ORIGIN_CONSTANT,    /* the bank in bits 16..22, the offset below; WB_ORIGIN_WIDE: 8 bytes */
  WB_ORIGIN_BLOCK,       /* the block's size */
  WB_ORIGIN_GRID,        /* the grid's */
  WB_ORIGIN_INSTRUCTION, /* what the instruction of that index wrote: a load, say */
  WB_ORIGIN_BASES        /* two registers at the loop's header: numbers in bits 0..7, 8..15 */
};
#define WB_ORIGIN_WIDE (UINT32_C(1) << 23)
#define WB_ORIGIN(kind, of) ((uint32_t)(kind) << 24 | ((of)&UINT32_C(0xffffff)))

/* The numbers f(base) + low + j modulo 2^32 for 0 <= j <= width, where the base is what that
 * register held at a place agreed upon (a loop's header) and f shifts it; WB_NO_REGISTER: f is
 * 0; of them those alone where j is a multiple of 2^align. low_by_width, high_by_width: that end
 * says no more than how wide the register is, or a part of it; what follows from it is true and of
 * no use. origin: WB_ORIGIN of an operand that was not known, or 0. Both are of no account for
 * which numbers there are. Invariant: width is such a multiple too; a width of UINT32_MAX
 * (anything) has no base, and low and align 0; without a base, or for the base itself, shape and
 * shift are 0. */
struct wb_integer {
  uint32_t low;
  uint32_t width;
  uint16_t base;
  uint8_t shape; /* enum wb_integer_shape */
  uint8_t shift; /* 0..31 */
  uint8_t align; /* 0..31 */
  bool low_by_width;
  bool high_by_width;
  uint32_t origin;
};

/* An end of an interval in a reading: a number, and whether it comes from the width alone. */
struct wb_integer_end {
  int64_t number;
  bool by_width;
};

/* Masks above this leave a number that is not known as good as unknown. */
#define WB_MASK_MOST 0xffff

struct wb_integer wb_integer_anything(void);
struct wb_integer wb_integer_exactly(uint32_t value);
/* low..high, which may be read as signed or as unsigned numbers. Needs low <= high. */
struct wb_integer wb_integer_range(int64_t low, int64_t high);
struct wb_integer wb_integer_of_register(uint16_t base);
/* Anything, and where it comes from. */
struct wb_integer wb_integer_unknown(uint32_t origin);
/* Between two ends, of what *from comes from. */
struct wb_integer wb_integer_between(struct wb_integer_end low, struct wb_integer_end high,
                                     uint32_t origin);

/* The same with multiples of 2^align alone, counted from the least number. */
struct wb_integer wb_integer_aligned(struct wb_integer a, unsigned align);
/* By which power of two the numbers differ; 32 for a single one. */
unsigned wb_integer_alignment(const struct wb_integer *a);

bool wb_integer_equal(const struct wb_integer *a, const struct wb_integer *b);
/* Has no base and one value. */
bool wb_integer_is_exact(const struct wb_integer *a);
/* Is the very base that is named. */
bool wb_integer_is_register(const struct wb_integer *a, uint16_t base);

/* The numbers in order, read as signed or unsigned; false where they wrap round in that reading
 * or there is a base. */
bool wb_integer_view(const struct wb_integer *a, bool as_signed, int64_t *low, int64_t *high);
/* The same with what the ends come from; where it is false, both are the ends of the reading. The
 * 0 of unsigned numbers is an end like any other. */
bool wb_integer_ends(const struct wb_integer *a, bool as_signed, struct wb_integer_end *low,
                     struct wb_integer_end *high);

/* Each holds all results for all numbers of its operands. */
struct wb_integer wb_integer_join(const struct wb_integer *a, const struct wb_integer *b);
struct wb_integer wb_integer_add(const struct wb_integer *a, const struct wb_integer *b);
struct wb_integer wb_integer_subtract(const struct wb_integer *a, const struct wb_integer *b);
struct wb_integer wb_integer_shift_left(const struct wb_integer *a, unsigned count);
struct wb_integer wb_integer_shift_right(const struct wb_integer *a, unsigned count,
                                         bool as_signed);
struct wb_integer wb_integer_and(const struct wb_integer *a, const struct wb_integer *b);
struct wb_integer wb_integer_minimum(const struct wb_integer *a, const struct wb_integer *b,
                                     bool as_signed);
struct wb_integer wb_integer_maximum(const struct wb_integer *a, const struct wb_integer *b,
                                     bool as_signed);
/* Bits 0..15, or 16..31 where `upper`. */
struct wb_integer wb_integer_half(const struct wb_integer *a, bool upper);
/* The upper 32 bits of (high, low) << count, or the lower ones of (high, low) >> count where
 * `right`. Needs 0 < count < 32. */
struct wb_integer wb_integer_funnel(const struct wb_integer *low, const struct wb_integer *high,
                                    unsigned count, bool right);
/* Of two halves. */
struct wb_integer wb_integer_multiply(const struct wb_integer *a, const struct wb_integer *b);

/* *known and *other are both true of the same number: the one that says more. */
void wb_integer_refine(struct wb_integer *known, const struct wb_integer *other);

/* Whether no number of the one is in the relation to one of the other. */
bool wb_integer_never(const struct wb_integer *left, enum wb_relation relation,
                      const struct wb_integer *right, bool as_signed);

/* What is left of the numbers where they are in that relation to some number of the other; false
 * where nothing is. */
bool wb_integer_narrow(struct wb_integer *a, enum wb_relation relation,
                       const struct wb_integer *other, bool as_signed);

/* `form` with what its base held, `start`, put in. */
struct wb_integer wb_integer_substitute(const struct wb_integer *form,
                                        const struct wb_integer *start);

#endif
