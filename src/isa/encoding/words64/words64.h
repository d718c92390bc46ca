/* The tables of words of 64 bits (Maxwell and Pascal), a subject each. */
#ifndef WB_ISA_ENCODING_WORDS64_H
#define WB_ISA_ENCODING_WORDS64_H

#include "isa/encoding/word_table.h"

/* Rows of the family's forms R, C, D and I. The opcode and mask are bits 48 to 58 as of the form R;
 * `where` and `text` as in struct wb_word_row. In the form I the bits from 56 on lie one higher. */
#define WB_ROWS_OF(architectures, forms, opcode, mask, where, text)                                \
  {                                                                                                \
    (opcode), (mask), (architectures), (forms), (where), (text)                                    \
  }
#define WB_ROWS(forms, opcode, mask, where, text)                                                  \
  WB_ROWS_OF(WB_SM_5X_6X, forms, opcode, mask, where, text)
#define WB_ROWS_I(opcode, mask, where, text)                                                       \
  WB_ROWS("I", WB_ABOVE_SIGN(opcode), WB_ABOVE_SIGN(mask), where, text)
#define WB_ABOVE_SIGN(bits) (((bits)&0x700) << 1 | ((bits)&0xff))

/* Rows of the forms R, C and I; and of the forms R, C, D and I. */
#define WB_ROWS_RCI(opcode, mask, where, text)                                                     \
  WB_ROWS("RC", opcode, mask, where, text), WB_ROWS_I(opcode, mask, where, text)
#define WB_ROWS_RCDI(opcode, mask, where, text)                                                    \
  WB_ROWS("RCD", opcode, mask, where, text), WB_ROWS_I(opcode, mask, where, text)

/* Rows of the forms R, C and I of a part of the architectures. */
#define WB_ROWS_RCI_OF(architectures, opcode, mask, where, text)                                   \
  WB_ROWS_OF(architectures, "RC", opcode, mask, where, text),                                      \
      WB_ROWS_OF(architectures, "I", WB_ABOVE_SIGN(opcode), WB_ABOVE_SIGN(mask), where, text)

extern const struct wb_word_table
    wb_words64_integer; /* integer arithmetic, logic, shifts, moves and selections */
extern const struct wb_word_table wb_words64_float;      /* single, double and half precision */
extern const struct wb_word_table wb_words64_conversion; /* conversions between formats */
extern const struct wb_word_table wb_words64_video;      /* video instructions */
extern const struct wb_word_table
    wb_words64_memory; /* loads, stores, atomic operations and caches */
extern const struct wb_word_table wb_words64_texture; /* textures and surfaces */
extern const struct wb_word_table
    wb_words64_control; /* control transfers and the stack of tokens */
extern const struct wb_word_table
    wb_words64_warp; /* exchange between lanes, barriers of blocks, special registers */
extern const struct wb_word_table wb_words64_graphics; /* attributes, vertices, pixels */

#endif
