/* Compiled texts of word tables: sequences of steps, each of which prints a piece of an
 * instruction, with the fields, choices and characters that they refer to. The texts' language is
 * that of word_table.h. */
#ifndef WB_ISA_DECODER_WORD_PROGRAM_H
#define WB_ISA_DECODER_WORD_PROGRAM_H

#include "isa/encoding/word_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- fields: where their bits are, and the number that they hold ---- */

enum { WB_WORD_FIELD_PARTS = 8 };

struct wb_word_part {
  uint8_t at; /* the lowest bit */
  uint8_t width;
};

/* Invariant: 1 to WB_WORD_FIELD_PARTS parts, each of 1 to 64 bits within 128, 64 bits together. */
struct wb_word_field {
  struct wb_word_part parts[WB_WORD_FIELD_PARTS]; /* the least significant first */
  uint8_t part_count;
  uint8_t width; /* of all parts together */
  uint8_t shift;
  uint32_t times;
  uint32_t plus;
};

/* `width` (1 to 64) bits of a word from bit `at` on; bits above 127 are 0. */
static inline uint64_t wb_word_bits(const uint64_t word[2], unsigned at, unsigned width)
{
  uint64_t bits = at >= 64 ? word[1] >> (at - 64) : word[0] >> at | (word[1] << 1) << (63 - at);
  return bits & (UINT64_MAX >> (64 - width));
}

/* Extends the sign, the highest of `width` bits. */
static inline uint64_t wb_word_sign_extended(uint64_t value, unsigned width)
{
  uint64_t sign = (uint64_t)1 << (width - 1);
  return (value ^ sign) - sign;
}

/* The number of a field, in two's complement; is_signed: its highest bit is a sign. */
uint64_t wb_word_field_value(const struct wb_word_field *field, const uint64_t word[2],
                             bool is_signed);

/* ---- programs ---- */

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

/* Most characters of a number that is printed. */
enum { WB_WORD_NUMBER_SIZE = 48 };

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
  bool no_memory; /* a compilation failed for want of memory */
};

void wb_word_code_free(struct wb_word_code *code);

/* Where names stand for texts, and how wide a uniform register's field is. */
struct wb_word_scope {
  const struct wb_word_family *family;
  const struct wb_word_table *table;
  char form; /* of the row; 0: none */
  unsigned uniform_width;
};

/* Appends the steps of a text to code. *longest: no word gives a longer text. False: the text does
 * not obey its language, or there is no memory. */
bool wb_word_compile(struct wb_word_code *code, const struct wb_word_scope *scope, const char *text,
                     size_t *longest);

/* FIELD=VALUE or FIELD!=VALUE from *at on, which then stands behind it. */
struct wb_word_test {
  struct wb_word_field field;
  uint32_t value;
  bool differs;
};
bool wb_word_test_read(const char **at, const char *end, struct wb_word_test *test);

#endif
