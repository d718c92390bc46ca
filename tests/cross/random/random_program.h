/* What random programs have in common: items, labels, and shrinking where they fail. */
#ifndef TESTS_CROSS_RANDOM_PROGRAM_H
#define TESTS_CROSS_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_NO_GUARD UINT8_MAX
#define PROGRAM_TEXT_SIZE 40
#define PROGRAM_TEXT_LABELS 4

/* An instruction. guard: a predicate 0 to 6, or PROGRAM_NO_GUARD. Of a program for sm_70: its text,
 * in which each "$" stands for the next of `labels`. Of one for sm_52: operation and operands, and
 * labels first_label .. + label_count - 1, one for an operation with a target, any for
 * SIMT_BRANCH_INDEXED. */
struct program_item {
  char text[PROGRAM_TEXT_SIZE];
  uint32_t labels[PROGRAM_TEXT_LABELS];
  uint8_t operation;
  uint8_t operands[3];
  uint32_t first_label;
  uint32_t label_count;
  uint8_t guard;
  bool negated;
};

/* labels: by label, the index of the item that it stands before. Free with program_free. */
struct random_program {
  struct program_item *items;
  size_t count;
  size_t capacity;
  uint32_t *labels;
  size_t label_count;
  size_t label_capacity;
};

/* A label that is not placed yet; a label placed before what is added next. */
uint32_t program_label(struct random_program *program);
void program_place(struct random_program *program, uint32_t label);
void program_add(struct random_program *program, struct program_item item);

/* Whether the property under test fails for the program. */
typedef bool program_fails(const struct random_program *program, void *context);
/* Drops runs of instructions, and guards, as long as the program still fails. */
void program_shrink(struct random_program *program, program_fails *fails, void *context);

void program_free(struct random_program *program);

#endif
