/* Random kernels with loops that compare and swap until they succeed, or nearly such loops. */
#ifndef TESTS_CROSS_RETRY_PROGRAMS_H
#define TESTS_CROSS_RETRY_PROGRAMS_H

#include "base/random.h"

#include <stddef.h>

#define PROGRAM_LINES 120
#define PROGRAM_WIDTH 96

struct retry_program {
  unsigned sm;
  size_t count;
  char lines[PROGRAM_LINES][PROGRAM_WIDTH]; /* the last one is EXIT */
  size_t changes;                           /* lines that were changed */
};

/* What compilers write, in the forms of the architecture. */
void retry_program_make(struct retry_program *program, struct wb_random *random);

/* Changes one line, or adds, moves or takes away one. */
void retry_program_change(struct retry_program *program, struct wb_random *random);

void retry_program_remove(struct retry_program *program, size_t line);

#endif
