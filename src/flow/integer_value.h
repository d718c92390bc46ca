/* What is known of a 32-bit register: an interval that may wrap round, alone or on top of what
 * another register held before. */
#ifndef WB_FLOW_INTEGER_VALUE_H
#define WB_FLOW_INTEGER_VALUE_H

#include "model/machine_code.h"

#include <stdbool.h>
#include <stdint.h>

/* What is done to the base. */
enum wb_integer_shape {
  WB_SHIFTED_LEFT, /* by 0: the base itself */
  WB_SHIFTED_RIGHT,
  WB_SHIFTED_RIGHT_SIGNED
};

/* The numbers f(base) + low + j modulo 2^32 for 0 <= j <= width, where the base is what that
 * register held at a place agreed upon (a loop's header) and f shifts it; WB_NO_REGISTER: f is
 * 0. Invariant: a width of UINT32_MAX (anything) has no base, and low 0; without a base, or for
 * the base itself, shape and shift are 0. */
struct wb_integer {
  uint32_t low;
  uint32_t width;
  uint16_t base;
  uint8_t shape; /* enum wb_integer_shape */
  uint8_t shift; /* 0..31 */
};

struct wb_integer wb_integer_anything(void);
struct wb_integer wb_integer_exactly(uint32_t value);
/* low..high, which may be read as signed or as unsigned numbers. Needs low <= high. */
struct wb_integer wb_integer_range(int64_t low, int64_t high);
struct wb_integer wb_integer_of_register(uint16_t base);

bool wb_integer_equal(const struct wb_integer *a, const struct wb_integer *b);
/* Has no base and one value. */
bool wb_integer_is_exact(const struct wb_integer *a);
/* Is the very base that is named. */
bool wb_integer_is_register(const struct wb_integer *a, uint16_t base);

/* The numbers in order, read as signed or unsigned; false where they wrap round in that reading
 * or there is a base. */
bool wb_integer_view(const struct wb_integer *a, bool as_signed, int64_t *low, int64_t *high);

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
/* Of two halves. */
struct wb_integer wb_integer_multiply(const struct wb_integer *a, const struct wb_integer *b);

/* `form` with what its base held, `start`, put in. */
struct wb_integer wb_integer_substitute(const struct wb_integer *form,
                                        const struct wb_integer *start);

#endif
