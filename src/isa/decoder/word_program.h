/* Compiles a row's text to steps that print an instruction from its word. The text's language is
 * that of word_table.h. */
#ifndef WB_ISA_DECODER_WORD_PROGRAM_H
#define WB_ISA_DECODER_WORD_PROGRAM_H

#include "isa/decoder/word_code.h"
#include "isa/encoding/word_table.h"

/* Where names stand for texts, and how wide a uniform register's field is. */
struct wb_word_scope {
  const struct wb_word_family *family;
  const struct wb_word_table *table;
  char form; /* of the row; 0: none */
  unsigned uniform_width;
};

/* Appends the steps of a text to code. *longest: no word gives a longer text. */
enum wb_word_compiled wb_word_compile(struct wb_word_code *code, const struct wb_word_scope *scope,
                                      const char *text, size_t *longest);

/* FIELD=VALUE or FIELD!=VALUE from *at on, which then stands behind it. */
struct wb_word_test {
  struct wb_word_field field;
  uint32_t value;
  bool differs;
};
bool wb_word_test_read(const char **at, const char *end, struct wb_word_test *test);

#endif
