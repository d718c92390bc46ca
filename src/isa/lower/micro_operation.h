/* Micro-operations: what an instruction computes, in some twenty operations on words of 32 bits,
 * numbers of 64 bits in two words, and predicates. Analyses know these and no opcodes. */
#ifndef WB_ISA_LOWER_MICRO_OPERATION_H
#define WB_ISA_LOWER_MICRO_OPERATION_H

#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where an operand of a micro-operation comes from. */
enum wb_source_kind {
  WB_SOURCE_NONE,
  WB_SOURCE_RESULT,        /* number: the index of an earlier micro-operation of the instruction */
  WB_SOURCE_REGISTER,      /* number: a word, before the instruction */
  WB_SOURCE_REGISTER_PAIR, /* number: of the lower word, the upper one is in the next register */
  WB_SOURCE_PREDICATE,     /* number: a predicate or the condition code's carry, before the
                            * instruction */
  WB_SOURCE_NUMBER,        /* value: of 32 or 64 bits; of a predicate 0 or 1 */
  WB_SOURCE_CONSTANT,      /* the word at c[bank][index + value] */
  WB_SOURCE_CONSTANT_PAIR, /* the two words there */
  WB_SOURCE_LABEL,         /* value: bytes from the function's start to a place of it; the address
                            * itself, a word, is known to the loader alone */
  WB_SOURCE_SPECIAL        /* value: enum wb_special_register */
};

struct wb_source {
  uint64_t value;  /* by kind */
  uint16_t number; /* by kind */
  uint16_t index;  /* of a constant: a register, or WB_NO_REGISTER */
  uint8_t kind;    /* enum wb_source_kind */
  uint8_t bank;    /* of a constant */
  bool negated;    /* a word or number: 0 - it; a predicate: not it. Of a NUMBER only 0 in a sum */
  bool complemented; /* a word or number: its bits inverted; not both. Not of a NUMBER */
};

/* "left relation right". */
enum wb_relation {
  WB_RELATION_LESS,
  WB_RELATION_EQUAL,
  WB_RELATION_AT_MOST,
  WB_RELATION_GREATER,
  WB_RELATION_UNEQUAL,
  WB_RELATION_AT_LEAST
};

/* What a micro-operation computes of its sources a, b, c, d, e. Words are taken modulo 2^32,
 * numbers of 64 bits ("wide") modulo 2^64; `as_signed` reads them in two's complement. The concrete
 * domain (tests/cross/reference/concrete_lanes.h) is this table as a program. */
enum wb_micro_kind {
  /* ---- words ---- */
  WB_MICRO_COPY,     /* a */
  WB_MICRO_ADD,      /* a + b + c + d + e; a, b, c are words, d and e are carries: predicates that
                      * count as 0 or 1. A missing source counts as 0. */
  WB_MICRO_MULTIPLY, /* a * b */
  WB_MICRO_MULTIPLY_UPPER, /* the upper word of a * b of 64 bits; as_signed: of a; b_signed: of b */
  WB_MICRO_SHIFT_LEFT,     /* a << b, 0 for b > 31 */
  WB_MICRO_SHIFT_RIGHT,    /* a >> b; b > 31: 0, or all sign bits where as_signed */
  WB_MICRO_FUNNEL_LEFT,    /* the upper word of (b, a) << c, b the upper word; c > 63: not known */
  WB_MICRO_FUNNEL_RIGHT,   /* the lower word of (b, a) >> c, as_signed: b's sign goes on above it;
                            * c > 63: not known */
  WB_MICRO_LOOKUP,         /* each bit is the function `table` of the bits of a, b, c there: bit
                            * 4 a + 2 b + c of the table */
  WB_MICRO_PERMUTE, /* bytes of (c, a), c the upper word, by the four digits of b: 0 to 7 a byte, +8
                     * its sign bit in all bits */
  WB_MICRO_EXTRACT, /* `bits` bits of a from bit `place` on, 1 <= bits, place + bits <= 32;
                     * as_signed: continued by the highest of them, else by zeros */
  WB_MICRO_SELECT,  /* c ? a : b; c is a predicate */
  WB_MICRO_MINIMUM, /* the least of a and b */
  WB_MICRO_MAXIMUM, /* the greatest of a and b */
  WB_MICRO_ABSOLUTE,    /* |a|, a signed; of -2^31 itself */
  WB_MICRO_COUNT_ONES,  /* the number of bits of a that are 1 */
  WB_MICRO_LEADING_ONE, /* the number of the highest bit of a that is 1 (as_signed: that differs
                         * from the sign); 0xffffffff for none */
  WB_MICRO_REVERSE,     /* the bits of a in reverse order */

  /* ---- predicates ---- */
  WB_MICRO_CARRY,   /* whether the ADD that a refers to carries out of 32 bits. A subtracted word
                     * counts as its complement and a carry of 1: there is a carry where nothing is
                     * borrowed. With three words that are not 0 it and the second carry
                     * (`second`) together count how often 2^32 is in the sum; which of them is
                     * true for one is not known. With fewer words a sum of 2^33 or more, and the
                     * second carry, tell nothing. */
  WB_MICRO_COMPARE, /* a relation b */
  WB_MICRO_COMPARE_UPPER,    /* the relation of two numbers of 64 bits with the upper words a and b,
                              * c says whether it holds of the lower words (unsigned): c where a = b,
                              * else a relation b */
  WB_MICRO_COMPARE_BY_CARRY, /* the same where c is the condition code's carry after a subtraction
                              * of the lower words (or a sum with a number): less where it is not
                              * set, equal where that sum was 0. Not known where the sum had a carry
                              * in */
  WB_MICRO_COMPARE_WIDE,     /* a relation b, wide */
  WB_MICRO_COMBINE,          /* the function `table` of the predicates a, b, c, as LOOKUP */
  WB_MICRO_IS_NOT_ZERO,      /* a != 0 */

  /* ---- numbers of 64 bits ---- */
  WB_MICRO_WIDE_COPY,     /* a, wide */
  WB_MICRO_WIDE_ADD,      /* a + b + c, wide; a missing source counts as 0 */
  WB_MICRO_WIDE_MULTIPLY, /* the 64-bit product of the words a and b; as_signed, b_signed */
  WB_MICRO_WIDE_SELECT,   /* c ? a : b */
  WB_MICRO_WIDE_EXTEND,   /* the word a, continued by its sign (as_signed) or by zeros */

  /* ---- what is known in part ---- */
  WB_MICRO_SOME_LANE, /* the word a of some lane that does the instruction, the same one for all */
  WB_MICRO_FUNCTION,  /* a function of all sources that is not told, from `least` to `most`
                       * (unsigned), and as `conversion` says: lanes with equal sources get equal
                       * words */
  WB_MICRO_UNKNOWN,   /* any word, of each lane its own */
  WB_MICRO_COUNT
};

/* What is told of a FUNCTION besides. A number is next to another one of some type where it is that
 * one, or no number of the type lies between both: however it is rounded, and floats below 2^-126
 * may be taken for 0. Floats are those of IEEE 754. */
enum wb_conversion {
  WB_CONVERSION_NONE,
  WB_CONVERSION_TO_SINGLE,       /* a float of 32 bits next to the integer a (as_signed) */
  WB_CONVERSION_TO_DOUBLE_LOWER, /* the lower word of the float of 64 bits that is the integer a */
  WB_CONVERSION_TO_DOUBLE_UPPER, /* its upper word */
  WB_CONVERSION_FROM_SINGLE, /* an integer (as_signed) next to the float a of 32 bits, or the end
                              * of the type that is next to it; of what is no number any word */
  WB_CONVERSION_FROM_DOUBLE, /* the same of the float with the words a and b, b the upper one */
  /* Of finite floats of 32 bits: a float next to the number, which is 0 with the sign of the sum or
   * product (a sum of numbers that cancel out is +0), where the greatest float is not exceeded;
   * else any word. Either all sources and the result below 2^-126 are taken for 0 with their signs
   * or none is. */
  WB_CONVERSION_SUM_SINGLE,     /* a + b */
  WB_CONVERSION_PRODUCT_SINGLE, /* a x b */
  WB_CONVERSION_FUSED_SINGLE,   /* a x b + c, of which only the sum is rounded */
  /* The lesser or the greater one of a and b, -0 below +0; where one is no number, the other one;
   * where both are, any word. Either both below 2^-126 are taken for 0 or none is. */
  WB_CONVERSION_MINIMUM_SINGLE,
  WB_CONVERSION_MAXIMUM_SINGLE,
  /* Of two floats, a and b or (b, a) and (d, c), that are normal or 0: what they give where that is
   * such a float, exactly; else any word. */
  WB_CONVERSION_SUM_DOUBLE_LOWER, /* the lower word */
  WB_CONVERSION_SUM_DOUBLE_UPPER, /* the upper word */
  WB_CONVERSION_COMPARE_SINGLE,   /* 1 where the first one `relation` the second one, else 0 */
  WB_CONVERSION_COMPARE_DOUBLE,
  WB_CONVERSION_COUNT
};

struct wb_micro_operation {
  struct wb_source sources[5];
  uint32_t least, most; /* of FUNCTION */
  uint8_t conversion;   /* of FUNCTION: enum wb_conversion */
  uint8_t kind;         /* enum wb_micro_kind */
  uint8_t table;        /* of LOOKUP, COMBINE */
  uint8_t relation;     /* of comparisons, of floats too: enum wb_relation */
  uint8_t place, bits;  /* of EXTRACT */
  bool as_signed;
  bool b_signed;
  bool second; /* of CARRY */
};

/* A register that the instruction writes: with a word or a predicate, or, where `wide`, it and the
 * next with a number of 64 bits. */
struct wb_micro_write {
  uint16_t number; /* a register, a predicate, or WB_REGISTER_CONDITION_CODE */
  uint8_t result;  /* the index of the micro-operation */
  bool wide;
};

#define WB_MICRO_LIMIT 24
#define WB_MICRO_WRITE_LIMIT 8

/* What an instruction computes. Sources are values before the instruction; all writes take place
 * after all operations. What the instruction writes and is not among the writes is not known. A
 * guard is not in here: lanes that do not do the instruction keep all registers. Invariant: a
 * result refers to an earlier operation of the type that is needed. */
struct wb_micro_code {
  size_t count;
  size_t write_count;
  struct wb_micro_operation operations[WB_MICRO_LIMIT];
  struct wb_micro_write writes[WB_MICRO_WRITE_LIMIT];
};

#endif
