/* Random programs from Volta on for tests, as text of tests/helpers/groups/simt_text.h: made from a
 * seed, shrunk where they fail. */
#ifndef TESTS_CROSS_RANDOM_GROUP_PROGRAM_H
#define TESTS_CROSS_RANDOM_GROUP_PROGRAM_H

#include "base/random.h"
#include "base/text.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GROUP_NO_GUARD UINT8_MAX
#define GROUP_TEXT_SIZE 40
#define GROUP_MOST_LABELS 4

/* An instruction: its text, in which each "$" stands for the next one of its labels. guard: a
 * predicate, or GROUP_NO_GUARD. */
struct group_item {
  char text[GROUP_TEXT_SIZE];
  uint32_t labels[GROUP_MOST_LABELS];
  uint8_t label_count;
  uint8_t guard;
  bool negated;
};

/* labels: by label, the index of the item that it stands before. Free with group_program_free. */
struct group_program {
  struct group_item *items;
  size_t count;
  size_t capacity;
  uint32_t *labels;
  size_t label_count;
  size_t label_capacity;
};

/* What random programs look like. */
enum group_style {
  GROUP_COMPILED, /* structured, with the discipline of a compiler */
  GROUP_WILD,     /* instructions and labels by chance */
  GROUP_STYLE_COUNT
};

/* A kernel of about `length` instructions, its subroutines after it. */
struct group_program group_program_random(struct wb_random *random, size_t length,
                                          enum group_style style);

/* ---- for the makers ---- */

/* A label that is not placed yet; a label placed before what is added next. */
uint32_t group_program_label(struct group_program *program);
void group_program_place(struct group_program *program, uint32_t label);
void group_program_add(struct group_program *program, struct group_item item);
void group_program_make_compiled(struct group_program *program, struct wb_random *random,
                                 size_t length);
void group_program_make_wild(struct group_program *program, struct wb_random *random,
                             size_t length);

/* ---- what is done with them ---- */

/* One line an instruction, each with the label "L" and its index. */
void group_program_print(const struct group_program *program, struct wb_text *text);

/* Machine code for sm_70. Free with wb_code_free. */
void group_program_lower(const struct group_program *program, struct wb_code *code);

/* Whether the property under test fails for the program. */
typedef bool group_program_fails(const struct group_program *program, void *context);
/* Drops runs of instructions, and guards, as long as the program still fails. */
void group_program_shrink(struct group_program *program, group_program_fails *fails, void *context);

void group_program_free(struct group_program *program);

#endif
