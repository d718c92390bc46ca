/* Runs the program of a row: prints an instruction from its word. */
#ifndef WB_ISA_DECODER_WORD_PRINTER_H
#define WB_ISA_DECODER_WORD_PRINTER_H

#include "isa/decoder/word_program.h"

/* An instruction's word, where it stands, and the target that its text names. */
struct wb_word_print {
  const uint64_t *word; /* two */
  uint64_t next;        /* the next instruction's address */
  uint64_t target;
  const char *target_text; /* where the target is printed; NULL: nowhere */
  const char *target_end;
};

/* Prints steps first..end-1 at `to`, which must have room for the row's longest text and
 * WB_WORD_PIECE characters more. Returns the place behind the text; NULL where the row does not
 * apply: a field has a value that no instruction has. */
char *wb_word_run(const struct wb_word_code *code, size_t first, size_t end,
                  struct wb_word_print *print, char *to);

/* Numbers as NVIDIA's disassembler prints them. Each function writes at `to`, without a zero at the
 * end and at most WB_WORD_NUMBER_SIZE characters, and returns the place behind. */
char *wb_print_decimal(char *to, uint64_t number);
char *wb_print_hexadecimal(char *to, uint64_t number); /* 0x1f */

/* Floating-point numbers by their bits: half and single precision, and double precision by the
 * upper half of its bits. A blank stands behind what is not written as a number: infinities, what
 * is not a number, and -0.0. */
char *wb_print_half(char *to, uint32_t bits);
char *wb_print_single(char *to, uint32_t bits);
char *wb_print_double(char *to, uint32_t upper_bits);

#endif
