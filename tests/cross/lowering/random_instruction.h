/* Random instructions that have a meaning, as text. */
#ifndef TESTS_CROSS_RANDOM_INSTRUCTION_H
#define TESTS_CROSS_RANDOM_INSTRUCTION_H

#include "base/random.h"

#include <stdbool.h>
#include <stdint.h>

struct random_instruction {
  char opcode[64];
  char operands[160];
};

/* One of Volta to Blackwell, or of Maxwell and Pascal. */
struct random_instruction random_instruction_make(struct wb_random *random, bool volta);

/* Small numbers, ends of ranges, and any. */
uint32_t random_instruction_number(struct wb_random *random);

#endif
