/* Compiled texts of word tables: sequences of steps, each of which prints a piece of an
 * instruction, with the fields, choices and characters that they refer to. */
#ifndef WB_ISA_DECODER_WORD_CODE_H
#define WB_ISA_DECODER_WORD_CODE_H

#include "isa/decoder/word_field.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wb_word_step_kind {
  WB_WORD_STEP_LITERAL,
  WB_WORD_STEP_LITERAL_IF, /* where the field is not 0 */
  WB_WORD_STEP_CHOICE,
  WB_WORD_STEP_REGISTER,
  WB_WORD_STEP_UNIFORM_REGISTER,
  WB_WORD_STEP_PREDICATE,
  WB_WORD_STEP_UNIFORM_PREDICATE,
  WB_WORD_STEP_BARRIER,
  WB_WORD_STEP_SCOREBOARD,
  WB_WORD_STEP_HEXADECIMAL,
  WB_WORD_STEP_SIGNED_HEXADECIMAL,
  WB_WORD_STEP_DECIMAL,
  WB_WORD_STEP_SIGNED_DECIMAL,
  WB_WORD_STEP_OFFSET,
  WB_WORD_STEP_HALF,
  WB_WORD_STEP_SINGLE,
  WB_WORD_STEP_DOUBLE,
  WB_WORD_STEP_RELATIVE_TARGET,
  WB_WORD_STEP_TARGET,
  WB_WORD_STEP_MASK,
  WB_WORD_STEP_UNLESS_EQUAL, /* goes on at step `place` unless the field is `value` */
  WB_WORD_STEP_UNLESS_OTHER, /* the same unless it is another */
};

/* One step. Its field is bits at..at+width-1; where width is 0 it is `fields[field]`. */
struct wb_word_step {
  uint8_t kind; /* enum wb_word_step_kind */
  uint8_t at;
  uint8_t width;
  uint8_t length; /* of a literal */
  uint32_t place; /* of a literal in the characters; a choice's number; a step */
  uint32_t value;
  uint32_t field;
};

enum wb_word_option_kind {
  WB_WORD_OPTION_TEXT,
  WB_WORD_OPTION_OTHERWISE, /* the value has no text of its own */
  WB_WORD_OPTION_NEVER      /* no instruction has the value: the row does not apply */
};

/* The text of one value of a choice, in the characters. */
struct wb_word_option {
  uint32_t place;
  uint8_t length;
  uint8_t kind; /* enum wb_word_option_kind */
};

/* The texts of the values 0 to count-1. Other values have the text `before`, the value, `after`. */
struct wb_word_choice {
  const char *source;    /* the list that it is of */
  const char *otherwise; /* the text of values without one that the list was given; NULL: none */
  uint32_t first;        /* in the options */
  uint32_t count;
  struct wb_word_option before, after;
  uint32_t longest;
};

/* A literal is copied in pieces of this size, so that a text needs as much room behind it. */
enum { WB_WORD_PIECE = 16 };

/* What the programs of all rows share. Zero-initialise; wb_word_code_free. The characters are
 * followed by WB_WORD_PIECE more. */
struct wb_word_code {
  struct wb_word_step *steps;
  size_t step_count, step_capacity;
  struct wb_word_field *fields;
  size_t field_count, field_capacity;
  struct wb_word_choice *choices;
  size_t choice_count, choice_capacity;
  struct wb_word_option *options;
  size_t option_count, option_capacity;
  char *characters;
  size_t character_count, character_capacity;
};

void wb_word_code_free(struct wb_word_code *code);

enum wb_word_compiled {
  WB_WORD_COMPILED,
  WB_WORD_NO_MEMORY,
  WB_WORD_MALFORMED /* the text does not obey its language */
};

/* Appends `length` characters. False: no memory. */
bool wb_word_characters_append(struct wb_word_code *code, const char *characters, size_t length,
                               uint32_t *place);

#endif
