/* Operands whose value is seen in the text, or is that of one register or constant word. */
#ifndef WB_FRONTEND_SASS_SASS_VALUE_H
#define WB_FRONTEND_SASS_SASS_VALUE_H

#include "frontend/sass/text/sass_parser.h"
#include "isa/parse/sass_operand.h"

enum wb_sass_value_kind {
  WB_SASS_VALUE_NONE,     /* not known */
  WB_SASS_VALUE_NUMBER,   /* number */
  WB_SASS_VALUE_REGISTER, /* the register `from`, plus number */
  WB_SASS_VALUE_CONSTANT, /* the word at c[number >> 32][number & 0xffffffff] */
  WB_SASS_VALUE_LAUNCH    /* a special register, which number tells apart */
};

/* A value of 32 bits. */
struct wb_sass_value {
  enum wb_sass_value_kind kind;
  uint64_t number;
  uint16_t from;
};

/* Whether an operand is a register as it is, not negated nor a part of it; RZ and the like are
 * WB_NO_REGISTER. Predicates are none. */
bool wb_sass_plain_register(const struct wb_sass_operand *operand, uint16_t *number);

/* Whether an operand is this number. */
bool wb_sass_is_number(const struct wb_sass_operand *operand, int64_t number);

/* The value of word `word` of an operand of `words` words, one or two. A label of the parser's
 * function is its address there, in bytes: 32@lo((f + .L_x_1@srel)). */
struct wb_sass_value wb_sass_word_of(const struct wb_sass_parser *parser,
                                     const struct wb_sass_operand *operand, unsigned word,
                                     unsigned words);

/* Whether an operand is an address [R1+0x8]: of a general register and a number. */
bool wb_sass_local_address(const struct wb_sass_operand *operand, uint16_t *base, int64_t *offset);

#endif
