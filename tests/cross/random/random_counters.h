/* Random programs of counting loops, for tests: nested, with counters that other instructions
 * may spoil, and tests of all kinds. */
#ifndef TESTS_CROSS_RANDOM_COUNTERS_H
#define TESTS_CROSS_RANDOM_COUNTERS_H

#include "base/random.h"

#include <stddef.h>

#define COUNTERS_LINES 160
#define COUNTERS_WIDTH 56

/* Lines for listing_make: lines[count] is NULL. */
struct counters_program {
  char text[COUNTERS_LINES][COUNTERS_WIDTH];
  const char *lines[COUNTERS_LINES + 1];
  size_t count;
  size_t labels;
};

void counters_random(struct wb_random *random, struct counters_program *program);

#endif
