/* The text of a SASS instruction taken apart, for the reference interpreters. Shares no code with
 * src/. */
#ifndef TESTS_CROSS_INSTRUCTION_TEXT_H
#define TESTS_CROSS_INSTRUCTION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#define INSTRUCTION_OPERANDS 10
#define INSTRUCTION_TEXT 64

/* Outputs stand before the first source. */
struct instruction_text {
  char text[INSTRUCTION_OPERANDS][INSTRUCTION_TEXT];
  size_t count;
  size_t outputs;
  const char *opcode;
};

/* Operands without blanks and .reuse; outputs is 0. */
void text_split(const char *opcode, const char *operands, struct instruction_text *parts);

/* P0, UP1, PT, !P2. */
bool text_is_predicate(const char *text);

/* Source `which`, "" for none. */
const char *text_source(const struct instruction_text *parts, size_t which);

/* Whether the opcode is that text, begins with it, or has it somewhere. */
bool text_is(const struct instruction_text *parts, const char *opcode);
bool text_starts(const struct instruction_text *parts, const char *opcode);
bool text_has(const struct instruction_text *parts, const char *word);

#endif
