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

#endif
