/* The tables of words of 64 bits (Maxwell and Pascal), a subject each. */
#ifndef WB_ISA_ENCODING_WORDS64_H
#define WB_ISA_ENCODING_WORDS64_H

#include "isa/encoding/word_table.h"

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
