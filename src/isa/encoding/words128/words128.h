/* The tables of words of 128 bits (Volta and later), a subject each. */
#ifndef WB_ISA_ENCODING_WORDS128_H
#define WB_ISA_ENCODING_WORDS128_H

#include "isa/encoding/word_table.h"

extern const struct wb_word_table wb_words128_integer; /* integer arithmetic, logic, shifts, moves
                                                          and selections of general registers */
extern const struct wb_word_table wb_words128_uniform; /* the uniform datapath */
extern const struct wb_word_table wb_words128_float;   /* single and double precision */
extern const struct wb_word_table wb_words128_half;    /* half precision and packed arithmetic */
extern const struct wb_word_table wb_words128_conversion; /* conversions between formats */
extern const struct wb_word_table
    wb_words128_tensor; /* matrices: tensor units, warp groups and tensor memory */
extern const struct wb_word_table
    wb_words128_memory; /* loads, stores, atomic operations and caches */
extern const struct wb_word_table wb_words128_texture; /* textures and surfaces */
extern const struct wb_word_table
    wb_words128_async; /* asynchronous copies and the barriers in memory that they complete */
extern const struct wb_word_table
    wb_words128_control; /* control transfers and convergence barriers */
extern const struct wb_word_table
    wb_words128_warp; /* exchange between lanes, barriers of blocks, special registers */

#endif
