/* Numbers as NVIDIA's disassembler prints them. Each function writes at `to`, without a zero at the
 * end and at most WB_WORD_NUMBER_SIZE characters, and returns the place behind. */
#ifndef WB_ISA_DECODER_WORD_NUMBERS_H
#define WB_ISA_DECODER_WORD_NUMBERS_H

#include <stdint.h>

enum { WB_WORD_NUMBER_SIZE = 48 };

char *wb_print_decimal(char *to, uint64_t number);
char *wb_print_hexadecimal(char *to, uint64_t number); /* 0x1f */

/* Floating-point numbers by their bits: half and single precision, and double precision by the
 * upper half of its bits. A blank stands behind what is not written as a number: infinities, what
 * is not a number, and -0.0. */
char *wb_print_half(char *to, uint32_t bits);
char *wb_print_single(char *to, uint32_t bits);
char *wb_print_double(char *to, uint32_t upper_bits);

#endif
