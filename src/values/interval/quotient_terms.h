/* Quotients and remainders by a variable divisor, as compilers compute them from an approximate
 * reciprocal: recognised within a block, from the conversion of the divisor on (doc/loop-bounds.md,
 * Lemma 9). */
#ifndef WB_VALUES_INTERVAL_QUOTIENT_TERMS_H
#define WB_VALUES_INTERVAL_QUOTIENT_TERMS_H

#include "values/interval/integer_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a word or predicate is, of a dividend a and a divisor d; of some its negative. Words are
 * taken modulo 2^32. */
enum wb_quotient_kind {
  WB_QUOTIENT_NONE,
  WB_QUOTIENT_NUMBER,     /* the number a */
  WB_QUOTIENT_FLOAT,      /* d as a float, rounded up */
  WB_QUOTIENT_RECIPROCAL, /* an approximation of 1 / d */
  WB_QUOTIENT_SCALED,     /* 2^32 times a float below it */
  WB_QUOTIENT_ESTIMATE,   /* e: that as an integer */
  WB_QUOTIENT_PART,       /* e d */
  WB_QUOTIENT_CORRECTION, /* floor(e (-e d modulo 2^32) / 2^32) */
  WB_QUOTIENT_REFINED,    /* n: e plus that */
  WB_QUOTIENT_GUESS,      /* g: floor(n a / 2^32) */
  WB_QUOTIENT_TAKEN,      /* g d */
  /* Before the first and before the second of two corrections: */
  WB_QUOTIENT_REST,      /* what the quotient so far leaves of a: r */
  WB_QUOTIENT_REST_LESS, /* r - d */
  WB_QUOTIENT_SO_FAR,    /* the quotient so far; in the first round it is GUESS */
  WB_QUOTIENT_MORE,      /* that plus 1 */
  WB_QUOTIENT_CORRECTS,  /* the predicate r >= d; its negative: r < d */
  WB_QUOTIENT_EXACT,     /* floor(a / d) */
  WB_QUOTIENT_REMAINDER  /* a - d floor(a / d) */
};

struct wb_quotient_term {
  uint8_t kind;  /* enum wb_quotient_kind */
  uint8_t a, d;  /* indices of numbers */
  bool negative; /* the negative of it */
  bool second;   /* in the second round */
};

#define WB_QUOTIENT_NUMBERS 32

/* A word that instructions of the block read: the value of a register that nothing is known of, a
 * word of constant memory or a number. */
struct wb_quotient_number {
  struct wb_integer value;
  uint32_t place; /* of constant memory: the bank in bits 16 .. 23, the offset below; else
                     UINT32_MAX */
};

/* Zero-initialise. Has a meaning on one visit of a block, from the first reciprocal on. */
struct wb_quotients {
  uint32_t visit;
  bool active;
  size_t count;
  struct wb_quotient_number numbers[WB_QUOTIENT_NUMBERS];
  struct wb_quotient_term registers[WB_VALUE_STACK]; /* by number */
  struct wb_quotient_term predicates[WB_TRUTH_COUNT];
  /* Of the instruction, until it has been done: */
  size_t found_count;
  struct {
    uint16_t number;
    struct wb_integer value;
  } found[2];
};

#endif
