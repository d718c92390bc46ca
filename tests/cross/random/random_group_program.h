/* Random programs from Volta on for tests, as text of tests/helpers/groups/simt_text.h: made from a
 * seed, shrunk where they fail. */
#ifndef TESTS_CROSS_RANDOM_GROUP_PROGRAM_H
#define TESTS_CROSS_RANDOM_GROUP_PROGRAM_H

#include "base/random.h"
#include "base/text.h"
#include "model/code.h"
#include "random_program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What random programs look like. */
enum group_style {
  GROUP_COMPILED, /* structured, with the discipline of a compiler */
  GROUP_WILD,     /* instructions and labels by chance */
  GROUP_STYLE_COUNT
};

/* A kernel of about `length` instructions, its subroutines after it. */
struct random_program group_program_random(struct wb_random *random, size_t length,
                                           enum group_style style);

void group_program_make_compiled(struct random_program *program, struct wb_random *random,
                                 size_t length);
void group_program_make_wild(struct random_program *program, struct wb_random *random,
                             size_t length);

/* One line an instruction, each with the label "L" and its index. */
void group_program_print(const struct random_program *program, struct wb_text *text);

/* Machine code for sm_70. Free with wb_code_free. */
void group_program_lower(const struct random_program *program, struct wb_code *code);

#endif
