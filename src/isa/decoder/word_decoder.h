/* The decoder of machine words: from a word of SASS to the text that NVIDIA's disassembler prints
 * for it. */
#ifndef WB_ISA_DECODER_WORD_DECODER_H
#define WB_ISA_DECODER_WORD_DECODER_H

#include "base/status.h"
#include "isa/decoder/word_program.h"

enum wb_word_guard { WB_WORD_GUARD, WB_WORD_GUARD_UNIFORM, WB_WORD_GUARD_NONE };

/* A word is of the row where its bits under `mask` are `value`, and all tests hold. */
struct wb_word_entry {
  uint64_t mask[2];
  uint64_t value[2];
  uint32_t first_test, test_count; /* what `where` asks that mask and value cannot say */
  uint32_t first_step, end_step;
  uint16_t opcode; /* of the opcode field, with its mask */
  uint16_t opcode_mask;
  uint8_t guard; /* enum wb_word_guard */
  char form;     /* 0: none */
  const struct wb_word_row *row;
};

/* The entries of an architecture, in the order of its tables. Zero-initialise. */
struct wb_word_entries {
  struct wb_word_code code;
  struct wb_word_entry *items;
  size_t count, capacity;
  struct wb_word_test *tests;
  size_t test_count, test_capacity;
};

/* The longest text that a row may have. */
enum { WB_WORD_TEXT_LONGEST = 640 };

struct wb_word_decoder;

/* What a decoder may know of a word. */
enum wb_word_knowledge {
  WB_WORD_KNOWN,
  WB_WORD_UNKNOWN_FORM, /* its opcode, which is not of a control transfer, but not the rest: the
                         * text is UNKNOWN.FADD and the word's bits; it reads and writes anything */
  WB_WORD_UNKNOWN       /* it may go anywhere: the text is UNKNOWN and the word's bits */
};

/* An instruction's text. The guard, where there is one, is its first guard_length characters, with
 * the blank behind it. */
struct wb_decoded_word {
  enum wb_word_knowledge knowledge;
  size_t length;
  size_t guard_length;
  bool
      blank_behind; /* the disassembler prints a blank behind the text: it ends in +INF, -0.0 ... */
  bool has_target;  /* the text names an address in the code, at target_place */
  size_t target_place, target_length;
  uint64_t target;
  const struct wb_word_entry *entry; /* the row; NULL where none applies */
  char text[WB_WORD_TEXT_LONGEST + 32];
};

/* A decoder for sm_NN, which the caller frees. Errors: WARPBOUND_INVALID_INPUT where the
 * architecture's words are not known; WARPBOUND_INTERNAL. */
warpbound_status wb_word_decoder_create(unsigned sm, struct wb_word_decoder **decoder,
                                        warpbound_error *error);
void wb_word_decoder_free(struct wb_word_decoder *decoder); /* NULL: nothing */

/* Of a word of a family and architectures that are not NVIDIA's: for tests. */
warpbound_status wb_word_decoder_make(const struct wb_word_family *family, unsigned architectures,
                                      struct wb_word_decoder **decoder, warpbound_error *error);

/* 64 or 128. */
unsigned wb_word_decoder_bits(const struct wb_word_decoder *decoder);

/* The rows, for tests. */
const struct wb_word_entries *wb_word_decoder_entries(const struct wb_word_decoder *decoder);

/* Decodes the word at an address: word[0] is the lower half; behind a word of 64 bits stand, lowest
 * first, the 21 bits of its bundle's control word that are its own. */
void wb_word_decode(const struct wb_word_decoder *decoder, const uint64_t word[2], uint64_t address,
                    struct wb_decoded_word *decoded);

#endif
