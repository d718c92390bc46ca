/* A row of a word table compiled for an architecture: which words it is of, and its program. */
#ifndef WB_ISA_DECODER_WORD_ENTRY_H
#define WB_ISA_DECODER_WORD_ENTRY_H

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

/* Compiles the rows of a family that one of `architectures` has. A row that does not obey the
 * language is WARPBOUND_INTERNAL with its text. */
warpbound_status wb_word_entries_compile(const struct wb_word_family *family,
                                         unsigned architectures, struct wb_word_entries *entries,
                                         warpbound_error *error);
void wb_word_entries_free(struct wb_word_entries *entries);

bool wb_word_entry_matches(const struct wb_word_entries *entries, const struct wb_word_entry *entry,
                           const uint64_t word[2]);

/* Whether no word reaches `later` since `earlier` takes all that it is of: said only where it is
 * plain. */
bool wb_word_entry_hides(const struct wb_word_entries *entries, const struct wb_word_entry *earlier,
                         const struct wb_word_entry *later);

#endif
