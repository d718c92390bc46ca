/* The tables of words of 128 bits (Volta and later), a subject each. */
#ifndef WB_ISA_ENCODING_WORDS128_H
#define WB_ISA_ENCODING_WORDS128_H

#include "isa/encoding/word_table.h"

/* Texts of operands for each form (words128.c says where the operands are): WB_AT_32 makes $NAME,
 * what is at bit 32; WB_B_AND_C makes from it, named PREFIX and v, the operands B and C: $PREFIXb
 * and $PREFIXc. SIGNS stands before registers and constants, BARS behind them.
 * Words with both B and C have $PREFIXb/1 besides, whose .reuse is bit 123 alone. */
#define WB_REUSE "<123:2!=0?.reuse>" /* of the last register but A */

#define WB_AT_32(NAME, SIGNS, BARS, IMMEDIATE)                                                     \
  {NAME "/1", SIGNS "{R 32}" BARS WB_REUSE, NULL}, {NAME "/2", IMMEDIATE, NULL},                   \
      {NAME "/3", SIGNS "$constant" BARS, NULL}, {NAME "/4", IMMEDIATE, NULL},                     \
      {NAME "/5", SIGNS "$constant" BARS, NULL}, {NAME "/6", SIGNS "{U 32}" BARS, NULL},           \
  {                                                                                                \
    NAME "/7", SIGNS "{U 32}" BARS, NULL                                                           \
  }

#define WB_AT_64(SIGNS, BARS) SIGNS "{R 64}" BARS WB_REUSE

#define WB_B_AND_C(PREFIX, SIGNS, BARS)                                                            \
  {PREFIX "b", "$" PREFIX "v", NULL}, {PREFIX "b/2", WB_AT_64(SIGNS, BARS), NULL},                 \
      {PREFIX "b/3", WB_AT_64(SIGNS, BARS), NULL}, {PREFIX "b/7", WB_AT_64(SIGNS, BARS), NULL},    \
      {PREFIX "c", WB_AT_64(SIGNS, BARS), NULL},                                                   \
      {PREFIX "c/1", SIGNS "{R 64}" BARS "{r 124}", NULL}, {PREFIX "c/2", "$" PREFIX "v", NULL},   \
      {PREFIX "c/3", "$" PREFIX "v", NULL},                                                        \
  {                                                                                                \
    PREFIX "c/7", "$" PREFIX "v", NULL                                                             \
  }

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
